"""Cost models in Python: they steer the search, and their faults do not stop it."""

import json
import os
import subprocess
import sys
import unittest
from unittest import mock

import models
import numpy as np
import payloads
import sched_opt
from sched_opt.cost_model_server import Server, decode, encode

HERE = os.path.dirname(os.path.abspath(__file__))
MODELS = os.path.join(HERE, "models.py")
FAST = {"threads": 1, "min_repeat_ms": 1.0, "repeats": 1, "trials": 4, "batch": 2}
SOURCE = payloads.matmul_add(32, 64, 48)


def tune(model, **options):
    """The lines of a search."""
    result = sched_opt.tune(SOURCE, cost_model=model, progress=False, **{**FAST, **options})
    assert "transform.named_sequence" in result.script, result.output
    return result.output.splitlines()


def warnings_of(lines):
    return [line for line in lines if line.startswith("warning: the cost model")]


class Working(unittest.TestCase):
    def test_file(self):
        lines = tune("python:%s:Good" % MODELS)
        self.assertEqual(warnings_of(lines), [])
        learned = [line for line in lines if line.startswith("good: learns from 2 of ")]
        self.assertEqual(len(learned), 2)
        self.assertEqual(lines.count("good: the end"), 1)

    def test_blocks(self):
        self.assertEqual(warnings_of(tune("python:%s:Blocks" % MODELS)), [])

    def test_object(self):
        """A model of this process keeps what it has learned."""
        model = models.Linear()
        lines = tune(model, trials=8, batch=4)
        self.assertEqual(warnings_of(lines), [])
        self.assertEqual(sum(len(logs) for _, logs in model.measured), 8)

    def test_least(self):
        """The least score that this end takes is one that the other takes."""

        class Least(models.Good):
            def predict(self, features):
                return np.full(len(features), np.finfo(np.float64).tiny)

        self.assertEqual(warnings_of(tune(Least(), trials=0)), [])

    def test_steers(self):
        """The guess is the model's: that of one and the same, and no other's."""

        class Opposite(models.Good):
            def predict(self, features):
                return 1.0 / super().predict(features)

        def guess(model):
            options = {**FAST, "trials": 0}
            return sched_opt.tune(SOURCE, cost_model=model, progress=False, **options).script

        first = guess(models.Good())
        self.assertEqual(first, guess("python:%s:Good" % MODELS))
        self.assertNotEqual(first, guess(Opposite()))


class Failing(unittest.TestCase):
    def check(self, model, text, **options):
        """One warning, and the search goes on to its end. Asked for a guess, which
        is not measured, unless `options` say more."""
        lines = tune(model, **{"trials": 0, **options})
        found = warnings_of(lines)
        self.assertEqual(len(found), 1, lines)
        self.assertRegex(found[0], text + ".*; the analytic model takes over$")

    def check_file(self, name, text, **options):
        self.check("python:%s:%s" % (MODELS, name), text, **options)

    def test_raises(self):
        self.check_file("Raises", r"raises failed: KeyError.*NoSuchFeature.*\(models.py:\d+\)")

    def test_replies(self):
        self.check_file(
            "Shape", r"shape failed: ValueError: .*of shape \(\d+,\), expected \(\d+,\)"
        )
        self.check_file("Nan", "nan failed: .*a score nan for candidate 0")
        self.check_file("Zero", "zero failed: .*a score 0 for candidate 0.*above 0")

    def test_dies(self):
        self.check_file("Dies", r"dies has ended \(exit status 3\)")
        self.check_file("Killed", r"killed has ended \(SIGABRT")

    def test_hangs(self):
        with mock.patch.dict(os.environ, SCHED_MODEL_TIMEOUT="1"):
            self.check_file("Hangs", r"hangs has not answered within 1.0 s")

    def test_learns(self):
        self.check_file("Learns", r"learns failed: RuntimeError: cannot learn this", trials=2)

    def test_object(self):
        self.check(models.Raises(), "raises failed: KeyError")

    def test_nonsense(self):
        for reply in ("nothing", "few", "letters", "number"):
            script = os.path.join(HERE, "talks_nonsense.py")
            command = "command:%s %s %s" % (sys.executable, script, reply)
            self.check(command, "nonsense has answered without one finite score above 0")


class Refused(unittest.TestCase):
    def test_options(self):
        for model, text in (
            ("python:%s" % MODELS, "expected python:FILE.py:CLASS"),
            ("python:/nowhere.py:Model", "found no file at '/nowhere.py'"),
            ("command:", "expected a program and its arguments"),
            ("command:/nowhere/model", "found no program at|found no program '/nowhere/model'"),
            ("magic", "unknown cost model 'magic'"),
        ):
            with self.assertRaisesRegex(sched_opt.ToolFailed, text):
                tune(model)
        for name, text in (
            ("Constructor", "failed: ValueError: no weights"),
            ("Nothing", "failed: TypeError: found no method predict in Nothing"),
            ("Missing", "failed: AttributeError: found no class 'Missing'"),
        ):
            with self.assertRaisesRegex(sched_opt.ToolFailed, "could not begin.*" + text):
                tune("python:%s:%s" % (MODELS, name))
        with self.assertRaisesRegex(sched_opt.ToolFailed, r"has ended \(exit status 0\)"):
            tune("command:true")
        with mock.patch.dict(os.environ, SCHED_MODEL_TIMEOUT="soon"):
            with self.assertRaisesRegex(sched_opt.ToolFailed, "above 0; found soon"):
                tune("python:%s:Good" % MODELS)
        with self.assertRaisesRegex(sched_opt.SchedError, "found a int for cost_model"):
            tune(3)


class Protocol(unittest.TestCase):
    """What docs/Python.md says of the messages."""

    HELLO = {
        "id": 1,
        "op": "hello",
        "protocol": 1,
        "target": "cpu",
        "features": [["ComputeCycles", "cycles", "d"], ["VectorBytes", "bytes", "d"]],
        "feature_version": 1,
        "block_features": [["Points", "points", "d"]],
        "block_feature_version": 1,
    }

    def answer(self, server, message):
        return server.answer(json.dumps(message).encode())

    def test_predict(self):
        server = Server(models.Good)
        hello = self.answer(server, self.HELLO)
        self.assertEqual(hello, {"id": 1, "ok": True, "name": "good", "reads_blocks": False})
        programs = np.array([[1, 8], [3, 8]], "<f4")
        request = {
            "id": 2,
            "op": "predict",
            "task": "9f",
            "count": 2,
            "programs": encode(programs, "<f4"),
            "with_doubt": True,
        }
        reply = self.answer(server, request)
        np.testing.assert_array_equal(decode(reply["scores"], "<f8"), [0.5, 0.25])
        self.assertNotIn("doubts", reply)

    def test_other_version(self):
        reply = self.answer(Server(models.Good), {**self.HELLO, "protocol": 2})
        self.assertFalse(reply["ok"])
        self.assertIn("found protocol 2, expected 1", reply["message"])

    def test_unknown_request(self):
        reply = self.answer(Server(models.Good), {"id": 5, "op": "sing"})
        self.assertEqual((reply["id"], reply["ok"]), (5, False))

    def test_usage(self):
        done = subprocess.run(
            [sys.executable, "-m", "sched_opt.serve_cost_model"], stderr=subprocess.PIPE, text=True
        )
        self.assertEqual(done.returncode, 2)
        self.assertIn("usage:", done.stderr)


class Linear(unittest.TestCase):
    def test_learns_an_order(self):
        """Times that are a power of two features are ranked right, on new ones."""
        rng = np.random.default_rng(1)
        table = sched_opt.features.Table(("A", "B", "C"), ("",) * 3, ("",) * 3, 1)

        def draw(count):
            matrix = rng.uniform(1, 1e4, (count, 3)).astype(np.float32)
            return sched_opt.Features(table, matrix), matrix[:, 0] ** 0.7 * matrix[:, 1] ** 0.2

        model = models.Linear()
        features, seconds = draw(200)
        seconds[3] = np.inf
        model.update(features, seconds, "t")
        features, seconds = draw(500)
        ranks = [np.argsort(np.argsort(x)) for x in (-model.predict(features), seconds)]
        self.assertGreater(np.corrcoef(*ranks)[0, 1], 0.98)


if __name__ == "__main__":
    unittest.main()
