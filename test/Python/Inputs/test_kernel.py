"""Compiled functions on NumPy arrays: results, and every refusal."""

import os
import unittest
from unittest import mock

import numpy as np
import payloads
import sched_opt

RNG = np.random.default_rng(7)


def draw(*shape, kind=np.float32):
    if np.issubdtype(kind, np.integer):
        return RNG.integers(-9, 9, shape).astype(kind)
    return RNG.standard_normal(shape).astype(kind)


class Elements(unittest.TestCase):
    def check(self, element, kind, tolerance, threads=1):
        f = sched_opt.compile(payloads.matmul_add(element=element), threads=threads)
        a, b, d = draw(16, 24, kind=kind), draw(24, 32, kind=kind), draw(16, 32, kind=kind)
        result = f(a, b, d)
        self.assertEqual((result.dtype, result.shape), (np.dtype(kind), (16, 32)))
        self.assertEqual(result.ctypes.data % 64, 0)
        exact = a.astype(np.float64) @ b.astype(np.float64) + d
        np.testing.assert_allclose(result, exact, rtol=tolerance, atol=tolerance)

    def test_f32(self):
        self.check("f32", np.float32, 1e-5)

    def test_f32_parallel(self):
        self.check("f32", np.float32, 1e-5, threads=2)

    def test_f64(self):
        self.check("f64", np.float64, 1e-12)

    def test_i32(self):
        self.check("i32", np.int32, 0)

    def test_f16(self):
        self.check("f16", np.float16, 5e-2)

    def test_bf16(self):
        f = sched_opt.compile(payloads.matmul_add(element="bf16"), threads=1)
        a, b, d = draw(16, 24), draw(24, 32), draw(16, 32)
        result = f(*map(sched_opt.to_bfloat16, (a, b, d)))
        self.assertEqual(result.dtype, np.uint16)
        np.testing.assert_allclose(sched_opt.from_bfloat16(result), a @ b + d, atol=0.3)

    def test_i8(self):
        f = sched_opt.compile(payloads.QUANTIZED, threads=1)
        a, b = draw(8, 16, kind=np.int8), draw(16, 8, kind=np.int8)
        result = f(a, b)
        self.assertEqual(result.dtype, np.int32)
        np.testing.assert_array_equal(result, a.astype(np.int32) @ b.astype(np.int32))

    def test_bfloat16_conversion(self):
        values = np.array([1, -2.5, 0, np.inf, -np.inf, 3.1415927, 1e-40], np.float32)
        back = sched_opt.from_bfloat16(sched_opt.to_bfloat16(values))
        np.testing.assert_array_equal(back[:5], values[:5])
        np.testing.assert_allclose(back[5], values[5], rtol=2**-8)
        self.assertTrue(np.isnan(sched_opt.from_bfloat16(sched_opt.to_bfloat16([np.nan]))[0]))
        # Half way: to the even one.
        ties = np.array([0x3F808000, 0x3F818000], np.uint32).view(np.float32)
        np.testing.assert_array_equal(sched_opt.to_bfloat16(ties), [0x3F80, 0x3F82])


class Several(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.library = sched_opt.compile(payloads.SEVERAL, threads=1)

    def test_functions(self):
        a = draw(33, kind=np.float64)
        np.testing.assert_array_equal(self.library.twice(a), 2 * a)
        total, product = self.library["both"](a, 3)
        np.testing.assert_array_equal(total, a + 3)
        np.testing.assert_array_equal(product, a * 3)
        out = (np.empty(33), np.empty(33))
        self.assertIs(self.library.both(a, np.array(2.0), out=out)[1], out[1])
        np.testing.assert_array_equal(out[1], a * 2)
        self.assertEqual(
            repr(self.library.both),
            "<sched_opt.Kernel both(33xf64, f64) -> (33xf64, 33xf64)>",
        )

    def test_names(self):
        with self.assertRaisesRegex(AttributeError, "no function 'g'; there are twice, both"):
            self.library.g
        with self.assertRaisesRegex(KeyError, "no function 'g'"):
            self.library["g"]
        with self.assertRaisesRegex(sched_opt.SchedError, "found 2 functions, expected one"):
            self.library(np.empty(33))

    def test_out_of_wrong_count(self):
        with self.assertRaisesRegex(sched_opt.ShapeError, "found 1 arrays in out, expected 2"):
            self.library.both(draw(33, kind=np.float64), 1.0, out=np.empty(33))


class Refusals(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.f = sched_opt.compile(payloads.matmul_add(), threads=1, schedule=False)
        cls.a, cls.b, cls.d = draw(16, 24), draw(24, 32), draw(16, 32)

    def refuse(self, error, text, *arrays, **options):
        with self.assertRaisesRegex(error, text):
            self.f(*arrays, **options)

    def test_dtype(self):
        self.refuse(
            sched_opt.DtypeError,
            r"f: found dtype float64 for argument 0, expected float32 \(16x24xf32\); convert",
            self.a.astype(np.float64),
            self.b,
            self.d,
        )
        self.refuse(TypeError, "bytes of another machine", self.a.astype(">f4"), self.b, self.d)
        self.refuse(TypeError, "found list for argument 0", self.a.tolist(), self.b, self.d)
        self.refuse(TypeError, "found float for argument 0", 1.0, self.b, self.d)

    def test_shape(self):
        self.refuse(
            sched_opt.ShapeError,
            r"found shape \(32, 24\) for argument 1, expected \(24, 32\)",
            self.a,
            self.b.T.copy(),
            self.d,
        )
        self.refuse(ValueError, "found 2 arguments, expected 3: f", self.a, self.b)

    def test_layout(self):
        strided = np.asfortranarray(self.a)
        self.refuse(ValueError, "expected dense rows; copy it", strided, self.b, self.d)
        raw = np.zeros(16 * 24 * 4 + 1, np.uint8)[1:].view(np.float32).reshape(16, 24)
        self.refuse(ValueError, "at an odd address", raw, self.b, self.d)

    def test_out(self):
        args = (self.a, self.b, self.d)
        self.refuse(TypeError, "found dtype float64 for out 0", *args, out=np.empty((16, 32)))
        self.refuse(ValueError, "in the memory of another array", *args, out=self.d)
        fixed = np.empty((16, 32), np.float32)
        fixed.flags.writeable = False
        self.refuse(ValueError, "found a read-only array for out 0", *args, out=fixed)

    def test_pack_of_none(self):
        """What the schedule takes as it is can be packed all the same."""
        packed = self.f.pack(1, self.b)
        self.assertIs(packed.buffer, self.b)
        result = self.f(self.a, packed, self.d)
        np.testing.assert_allclose(result, self.a @ self.b + self.d, rtol=1e-4, atol=1e-4)
        with self.assertRaisesRegex(ValueError, "found operand 3, expected 0 to 2"):
            self.f.pack(3, self.b)

    def test_both_ways(self):
        with self.assertRaisesRegex(sched_opt.SchedError, "both work_dir and schedule=False"):
            sched_opt.compile(payloads.QUANTIZED, work_dir=payloads.FOLDER, schedule=False)


class Packing(unittest.TestCase):
    def test_packed(self):
        # The guess for these shapes packs, whatever the caches; where it did not,
        # nothing would be tested.
        source = payloads.matmul_add(128, 768, 256, free=True)
        f = sched_opt.compile(source, threads=1)
        self.assertEqual(f.only.inputs[1].shape, (256, 768))
        self.assertEqual(list(f.only.function.packers), [1])
        a, b, d = draw(128, 256), draw(256, 768), draw(128, 768)
        expected = a @ b + d
        np.testing.assert_allclose(f(a, b, d), expected, rtol=1e-4, atol=1e-4)
        packed = f.pack(1, b)
        np.testing.assert_allclose(f(a, packed, d), expected, rtol=1e-4, atol=1e-4)
        with self.assertRaisesRegex(ValueError, "found shape .* for argument 1"):
            f.pack(1, b.T.copy())
        other = sched_opt.compile(source, threads=1)
        with self.assertRaisesRegex(ValueError, "packed for argument 1 of another"):
            other(a, packed, d)


class Files(unittest.TestCase):
    def test_build_and_load(self):
        folder = os.path.join(payloads.FOLDER, "built")
        built = sched_opt.build(payloads.QUANTIZED, folder, threads=1, name="q8")
        self.assertEqual(sorted(os.listdir(folder)), ["q8.h", "q8.o", "q8.so"])
        q = sched_opt.load(built.library, built.header)
        ones = np.ones((8, 16), np.int8), np.ones((16, 8), np.int8)
        self.assertTrue((q(*ones) == 16).all())

    def test_time(self):
        q = sched_opt.compile(payloads.QUANTIZED, threads=1)
        ones = np.ones((8, 16), np.int8), np.ones((16, 8), np.int8)
        timing = q.time(*ones, repeats=3, min_repeat_ms=1)
        self.assertEqual(len(timing.costs_s), 3)
        self.assertTrue(0 < timing.seconds < 1e-2)

    def test_no_compiler(self):
        with mock.patch.dict(os.environ, CC="no-such-compiler"):
            with self.assertRaisesRegex(sched_opt.ToolNotFound, "no-such-compiler.*correct CC"):
                sched_opt.compile(payloads.QUANTIZED, threads=1)
        with mock.patch.dict(os.environ, SCHED_OPENMP="/nowhere/libomp.so"):
            with self.assertRaisesRegex(sched_opt.ToolNotFound, "correct SCHED_OPENMP"):
                sched_opt.compile(payloads.matmul_add(256, 256, 256), threads=2)


if __name__ == "__main__":
    unittest.main()
