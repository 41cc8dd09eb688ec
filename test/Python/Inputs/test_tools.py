"""Finding the tools, and what they are given."""

import os
import unittest
from unittest import mock

import payloads
import sched_opt
from sched_opt.tools import format_options, read_source


class Finding(unittest.TestCase):
    def test_variable(self):
        named = os.environ["SCHED_OPT"]
        self.assertEqual(sched_opt.find_tool("sched-opt"), named)
        self.assertEqual(
            sched_opt.find_tool("sched-run"), os.path.join(os.path.dirname(named), "sched-run")
        )
        with mock.patch.dict(os.environ, SCHED_OPT=os.path.dirname(named)):
            self.assertEqual(sched_opt.find_tool("sched-opt"), named)
        with mock.patch.dict(os.environ, SCHED_OPT=os.path.dirname(os.path.dirname(named))):
            self.assertEqual(sched_opt.find_tool("sched-opt"), named)

    def test_wrong_variable(self):
        with mock.patch.dict(os.environ, SCHED_OPT="/nowhere/sched-opt"):
            with self.assertRaisesRegex(
                sched_opt.ToolNotFound, "no program at '/nowhere/sched-opt'.*correct SCHED_OPT"
            ):
                sched_opt.tune(payloads.QUANTIZED, trials=1)

    def test_build_folder_and_path(self):
        folder = os.path.dirname(os.environ["SCHED_OPT"])
        without = {key: value for key, value in os.environ.items() if key != "SCHED_OPT"}
        with mock.patch.dict(os.environ, without, clear=True):
            os.environ["SCHED_BUILD_DIR"] = os.path.dirname(folder)
            self.assertEqual(sched_opt.find_tool("sched-opt"), os.path.join(folder, "sched-opt"))
            os.environ["SCHED_BUILD_DIR"] = "/nowhere"
            os.environ["PATH"] = folder
            self.assertEqual(sched_opt.find_tool("sched-opt"), os.path.join(folder, "sched-opt"))
            os.environ["PATH"] = "/nowhere"
            with self.assertRaisesRegex(sched_opt.ToolNotFound, "./dev build, or set SCHED_OPT"):
                sched_opt.find_tool("sched-opt")

    def test_failure(self):
        with self.assertRaisesRegex(sched_opt.ToolFailed, "status 1: .*error: ") as caught:
            sched_opt.extract_tasks("func.func @f( {\n}")
        self.assertEqual(caught.exception.status, 1)
        self.assertIn("<stdin>:1", caught.exception.output)


class Inputs(unittest.TestCase):
    def test_options(self):
        options = {"work_dir": "a b", "quiet": True, "threads": None, "time_budget": 0.5, "x": ""}
        self.assertEqual(format_options(options), "work-dir='a b' quiet=true time-budget=0.5 x=''")
        self.assertEqual(format_options({"x": "it's"}), 'x="it\'s"')
        with self.assertRaisesRegex(sched_opt.SchedError, "both kinds of quotes"):
            format_options({"x": "'\""})

    def test_source(self):
        path = os.path.join(payloads.FOLDER, "in.mlir")
        with open(path, "w") as file:
            file.write(payloads.QUANTIZED)
        self.assertEqual(read_source(path), (path, None))
        self.assertEqual(read_source(payloads.QUANTIZED), ("-", payloads.QUANTIZED))
        for wrong in ("missing.mlir", __import__("pathlib").Path("missing.mlir")):
            with self.assertRaisesRegex(sched_opt.SchedError, "found no file at 'missing.mlir'"):
                read_source(wrong)

    def test_tasks(self):
        (task,) = sched_opt.extract_tasks(payloads.matmul_add())
        self.assertEqual(task.flops, 2 * 16 * 32 * 24 + 16 * 32)
        self.assertEqual(task.weight, 1)
        # Not of six digits: printed as bits.
        (large,) = sched_opt.extract_tasks(payloads.matmul_add(256, 256, 256))
        self.assertEqual(large.flops, 2 * 256**3 + 256**2)
        self.assertRegex(task.name, "^matmul_16x32x24_f32")
        self.assertRegex(task.workload, "^[0-9a-f]{16}$")


if __name__ == "__main__":
    unittest.main()
