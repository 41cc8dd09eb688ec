"""tune: results that agree with sched-opt's, resuming, progress, Ctrl-C."""

import io
import os
import re
import signal
import subprocess
import sys
import threading
import time
import unittest

import numpy as np
import payloads
import sched_opt
from sched_opt.tools import run_tool

# Quick, and right all the same.
FAST = {"threads": 1, "min_repeat_ms": 1.0, "repeats": 1}
RNG = np.random.default_rng(3)


def in_folder(name):
    return os.path.join(payloads.FOLDER, name)


class Tuning(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.source = payloads.matmul_add(32, 64, 48, free=True)
        cls.lines = []
        cls.result = sched_opt.tune(
            cls.source,
            work_dir=in_folder("a b"),
            trials=8,
            batch=4,
            progress=cls.lines.append,
            **FAST,
        )

    def test_nothing_measured(self):
        """Without trials the result is the model's guess, and can be used all the same."""
        result = sched_opt.tune(self.source, trials=0, seed=5, progress=False, threads=1)
        self.assertEqual(result.tasks, [])
        a, b, d = (RNG.standard_normal(s, np.float32) for s in ((32, 48), (48, 64), (32, 64)))
        f = result.compile()
        np.testing.assert_allclose(f(a, b, d), a @ b + d, rtol=1e-4, atol=1e-4)
        self.assertIn("func.func", result.apply_best())
        printed = io.StringIO()
        self.assertEqual(result.print_best(file=printed).strip(), result.script.strip())

    def test_tf32(self):
        """What was allowed for the search is so for what is made of it."""
        gpu = {"target": "nvvm:sm_90a", "trials": 0, "progress": False}
        exact = sched_opt.tune(self.source, **gpu)
        self.assertIn('"nvvm:sm_90a"', exact.apply_best())
        rounded = sched_opt.tune(self.source, allow_tf32=True, **gpu)
        self.assertIn('"nvvm:sm_90a,features=+tf32"', rounded.apply_best())

    def test_effort(self):
        """Says how many trials, as those of the default are not asked for."""
        result = sched_opt.tune(self.source, effort="quick", progress=False, **FAST)
        self.assertEqual(result.tasks[0].trials, 16)

    def test_result(self):
        result = self.result
        self.assertFalse(result.is_interrupted)
        (task,) = result.tasks
        self.assertEqual((task.trials, task.weight), (8, 1))
        self.assertEqual(result.seconds, task.best.seconds)
        self.assertIn("transform.named_sequence @__transform_main", result.script)
        self.assertEqual(os.listdir(result.work_dir).count("records.jsonl"), 1)

    def test_agrees_with_the_tuner(self):
        """The best and the default by our ranking are those that sched-opt says."""
        ((best, speedup),) = re.findall(
            r": 8 trials.*?best .*, ([\d.]+ \w+), ([\d.]+) x the default", self.result.output
        )
        self.assertIn(f"best {best}, {speedup} x the default", str(self.result))
        self.assertEqual(f"{self.result.speedup:.2f}", speedup)

    def test_progress(self):
        status = [line for line in self.lines if line.trials is not None]
        # A line more where a candidate became the code of another.
        counts = [(line.trials, line.wanted) for line in status]
        self.assertEqual((counts[0], counts[-1]), ((4, 8), (8, 8)))
        self.assertEqual(status[0].task, self.result.tasks[0].name)
        for line in status:
            self.assertTrue(0 < line.best_s < 1, line.line)

    def test_run(self):
        a, b, d = (RNG.standard_normal(s, np.float32) for s in ((32, 48), (48, 64), (32, 64)))
        f = self.result.compile()
        np.testing.assert_allclose(f(a, b, d), a @ b + d, rtol=1e-4, atol=1e-4)
        done = sched_opt.evaluate(self.source, self.result.work_dir, threads=1, repeats=1)
        self.assertTrue(done.verified)
        self.assertGreater(done.speedup, 1)
        self.assertLess(done.max_error, done.tolerance)

    def test_resume(self):
        """Records count as trials: nothing is measured again, and then more is."""
        again = sched_opt.tune(
            self.source, self.result.work_dir, trials=8, batch=4, progress=False, **FAST
        )
        self.assertIn("8 from records", again.output)
        # The fastest may be compared once more, where a busy machine left doubts.
        trials = [record.trace for record in again.tasks[0].records if record.trial >= 0]
        first = [record.trace for record in self.result.tasks[0].records if record.trial >= 0]
        self.assertEqual(trials, first)
        copy = in_folder("more")
        os.makedirs(copy, exist_ok=True)
        with open(os.path.join(copy, "records.jsonl"), "wb") as to:
            with open(os.path.join(self.result.work_dir, "records.jsonl"), "rb") as file:
                to.write(file.read())
        more = sched_opt.tune(self.source, copy, trials=12, batch=4, progress=False, **FAST)
        self.assertEqual(more.tasks[0].trials, 12)

    def test_best(self):
        text = sched_opt.apply_best(self.source, self.result.work_dir, threads=1)
        # Of single steps a product is written as it is.
        self.assertRegex(text, r"vector\.contract|vector\.fma|arith\.mulf .* : vector<")
        printed = io.StringIO()
        trace = self.result.print_best("trace", file=printed)
        self.assertEqual(printed.getvalue(), trace)
        self.assertIn(self.result.tasks[0].best.first.trace, trace)
        for what, sign in (("transform", "transform."), ("llvm", "define "), ("asm", ".text")):
            self.assertIn(sign, self.result.print_best(what, file=io.StringIO()))
        with self.assertRaisesRegex(sched_opt.SchedError, "expected trace, transform, mlir"):
            self.result.print_best("python")

    def test_no_records(self):
        for action in (sched_opt.apply_best, sched_opt.compile):
            with self.assertRaisesRegex(sched_opt.ToolFailed, "error: .*found.*threads=1"):
                action(self.source, self.result.work_dir, threads=2)


class Others(unittest.TestCase):
    def test_temporary(self):
        result = sched_opt.tune(payloads.QUANTIZED, trials=2, progress=False, **FAST)
        folder = result.work_dir
        self.assertTrue(os.path.isdir(folder))
        result.compile()
        del result
        self.assertFalse(os.path.exists(folder))

    def test_several_tasks(self):
        """Records of other modules in the same folder are no matter of this one."""
        folder = in_folder("shared")
        first = sched_opt.tune(payloads.QUANTIZED, folder, trials=2, progress=False, **FAST)
        second = sched_opt.tune(payloads.matmul_add(), folder, trials=2, progress=False, **FAST)
        self.assertEqual([len(first.tasks), len(second.tasks)], [1, 1])
        self.assertNotEqual(first.tasks[0].workload, second.tasks[0].workload)
        self.assertEqual(len(sched_opt.find_best(folder)), 2)

    def test_space(self):
        """A space by hand goes with the records: what is compiled is of it, too."""
        path = in_folder("space.mlir")
        generate = ["--schedule-generate-space=threads=1", "-", "-o", path]
        run_tool("sched-opt", generate, payloads.QUANTIZED)
        result = sched_opt.tune(payloads.QUANTIZED, trials=2, progress=False, space=path, **FAST)
        ones = np.ones((8, 16), np.int8), np.ones((16, 8), np.int8)
        self.assertTrue((result.compile()(*ones) == 16).all())
        os.remove(path)
        with self.assertRaisesRegex(sched_opt.ToolFailed, "space.mlir"):
            result.compile()

    def test_wrong_option(self):
        with self.assertRaisesRegex(sched_opt.ToolFailed, "found no option 'trails', expected"):
            sched_opt.tune(payloads.QUANTIZED, trails=3)
        with self.assertRaisesRegex(sched_opt.ToolFailed, "batch must be above 0; found 0"):
            sched_opt.tune(payloads.QUANTIZED, batch=0, progress=False)

    def test_callback_fails(self):
        """An exception of the user's own ends the search and comes through."""

        def fail(line):
            raise ZeroDivisionError

        begin = time.monotonic()
        with self.assertRaises(ZeroDivisionError):
            sched_opt.tune(payloads.matmul_add(), trials=2000, progress=fail, batch=2, **FAST)
        self.assertLess(time.monotonic() - begin, 60)


class Interrupts(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # Who starts the tests may ignore it, and that is inherited.
        signal.signal(signal.SIGINT, signal.default_int_handler)

    def test_ctrl_c(self):
        """The first batch done, Ctrl-C: the best so far is there, and is used."""
        source = payloads.matmul_add(64, 64, 64)
        folder = in_folder("interrupted")

        def interrupt(line):
            if line.trials is not None and not interrupt.done:
                interrupt.done = True
                threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()

        interrupt.done = False
        result = sched_opt.tune(
            source, folder, trials=5000, batch=4, time_budget=60, progress=interrupt, **FAST
        )
        self.assertTrue(result.is_interrupted)
        self.assertTrue(4 <= result.tasks[0].trials < 5000)
        self.assertIn("transform.named_sequence", result.script)
        a, d = RNG.standard_normal((2, 64, 64), np.float32)
        np.testing.assert_allclose(result.compile()(a, a, d), a @ a + d, rtol=1e-3, atol=1e-3)

    def test_second_ctrl_c(self):
        """Ends this process's wait and the child at once."""
        code = (
            "import sys; sys.argv = ['', %r]; sys.path.insert(0, %r)\n"
            "import payloads, sched_opt\n"
            "try:\n"
            "    sched_opt.tune(payloads.matmul_add(512, 512, 512), trials=5000, threads=1)\n"
            "except KeyboardInterrupt:\n"
            "    print('twice')\n"
        ) % (in_folder("twice"), os.path.dirname(os.path.abspath(__file__)))
        child = subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        # The search has begun when it reports its first batch.
        while "trials" not in child.stderr.readline():
            self.assertIsNone(child.poll())
        for _ in range(2):
            child.send_signal(signal.SIGINT)
            time.sleep(0.02)
        output, _ = child.communicate(timeout=60)
        # Where the first one was answered within that time, the second has found
        # nothing to end.
        self.assertIn(output, ("twice\n", ""))


if __name__ == "__main__":
    unittest.main()
