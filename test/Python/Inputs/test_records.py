"""Reading records: what sched-opt reads is read, what it skips is skipped."""

import json
import math
import os
import unittest
import warnings

import payloads
import sched_opt


def make(**changes):
    record = {
        "v": 1,
        "workload": {"hash": "9f", "text": "matmul"},
        "target": "cpu:threads=1",
        "toolchain": "LLVM 22",
        "sketch": "s",
        "trace": 'schedule.trace of @plain decisions {mr = 8, order = [1, 0], kind = "a b"}',
        "costs_s": [3e-6, 1e-6, 2e-6],
        "error": "",
        "stage": "",
        "message": "",
        "verified": True,
        "compile_s": 0.5,
        "run_s": 1,
        "seed": 2**63 + 1,
        "trial": 0,
        "time": 1767225600.5,
        "object": "code",
    }
    record.update(changes)
    return record


def write(*lines):
    path = os.path.join(payloads.FOLDER, "records.jsonl")
    with open(path, "wb") as file:
        for line in lines:
            if isinstance(line, dict):
                line = json.dumps(line).encode() + b"\n"
            file.write(line)
    return path


class Traces(unittest.TestCase):
    def test_values(self):
        name, decisions = sched_opt.parse_trace(
            'schedule.trace of @"a b" decisions {x = -1, f = 0.5, s = "q\\"", flag,'
            " t = true, a = array<i64: 1, 2>, e = [], n = [[1], [2, 3]], typed = 8 : i64}"
        )
        self.assertEqual(name, "a b")
        self.assertEqual(
            decisions,
            {
                "x": -1,
                "f": 0.5,
                "s": 'q"',
                "flag": True,
                "t": True,
                "a": (1, 2),
                "e": (),
                "n": ((1,), (2, 3)),
                "typed": 8,
            },
        )

    def test_none(self):
        self.assertEqual(sched_opt.parse_trace(""), ("", {}))
        self.assertEqual(sched_opt.parse_trace("schedule.trace of @s decisions {}"), ("s", {}))

    def test_wrong(self):
        for text in (
            "transform.sequence",
            "schedule.trace of @s decisions {x = }",
            "schedule.trace of @s decisions {x = 1",
            "schedule.trace of @s decisions {x = ?}",
        ):
            with self.assertRaisesRegex(sched_opt.RecordError, "expected"):
                sched_opt.parse_trace(text)


class Files(unittest.TestCase):
    def read(self, *lines):
        """The records, and the texts of the warnings."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            records = sched_opt.read_records(write(*lines))
        for warning in caught:
            self.assertIs(warning.category, sched_opt.RecordWarning)
        return records, [str(warning.message) for warning in caught]

    def test_fields(self):
        (record,), said = self.read(make(new=[1], comparison=7))
        self.assertEqual(said, [])
        self.assertEqual(record.costs_s, (3e-6, 1e-6, 2e-6))
        self.assertEqual(record.seconds, 2e-6)
        self.assertEqual(record.seed, 2**63 + 1)
        self.assertEqual(record.decisions, {"mr": 8, "order": (1, 0), "kind": "a b"})
        self.assertEqual(record.object, "code")
        # A trial is of no comparison, whatever else is there.
        self.assertEqual((record.comparison, record.extra), (0, {"new": [1], "comparison": 7}))
        self.assertFalse(record.is_duplicate)

    def test_duplicates(self):
        """What became the code of another has its costs, and is no trial."""
        (first, same), _ = self.read(make(), make(trial=1, duplicate=True))
        self.assertEqual((first.is_duplicate, same.is_duplicate), (False, True))

    def test_torn(self):
        torn = json.dumps(make()).encode()[:100]
        records, said = self.read(make(), torn)
        self.assertEqual(len(records), 1)
        self.assertEqual(len(said), 1)
        self.assertTrue(said[0].endswith(":2: skipped a torn last record (its writer was stopped)"))

    def test_torn_then_appended(self):
        torn = json.dumps(make()).encode()[:100]
        records, said = self.read(make(), torn + b"\n", make(trial=1))
        self.assertEqual([record.trial for record in records], [0, 1])
        self.assertRegex(said[0], ":2: skipped a malformed record: ")

    def test_malformed(self):
        wrong = [
            make(costs_s=[0.0]),
            make(),
            make(costs_s=[True]),
            make(verified=1),
            make(trial=0.5),
            make(workload="9f"),
            make(v=0),
            b"[1, 2]\n",
            b'{"v":1, "time":NaN}\n',
            b"\xff\xfe\n",
            b"[" * 5000 + b"\n",
        ]
        del wrong[1]["stage"]
        records, said = self.read(*wrong, make())
        self.assertEqual(len(records), 1)
        self.assertEqual(len(said), len(wrong))
        self.assertIn('found no "stage", expected a string', said[1])
        for i, text in enumerate(said):
            self.assertRegex(text, ":%d: skipped a malformed record: " % (i + 1))

    def test_newer(self):
        records, said = self.read(make(v=2), make(), make(v=9))
        self.assertEqual(len(records), 1)
        self.assertEqual(len(said), 1)
        self.assertRegex(said[0], ":1: skipped 2 record.* of a newer version than 1")

    def test_missing(self):
        with self.assertRaisesRegex(
            sched_opt.RecordError, "cannot read .*expected a records.jsonl"
        ):
            sched_opt.read_records(os.path.join(payloads.FOLDER, "none"))

    def test_folder(self):
        path = write(make())
        self.assertEqual(len(sched_opt.read_records(os.path.dirname(path))), 1)


class Ranking(unittest.TestCase):
    """The rule of Database/ProgramCosts.h."""

    def best(self, *records):
        (task,) = sched_opt.find_best(write(*records))
        return task

    def test_trials(self):
        task = self.best(
            make(costs_s=[3e-6], object="a"), make(costs_s=[2e-6], object="b", trial=1)
        )
        self.assertEqual((task.seconds, task.default_s, task.speedup), (2e-6, 3e-6, 1.5))

    def test_comparison_beats_trials(self):
        task = self.best(
            make(costs_s=[3e-6], object="a"),
            make(costs_s=[2e-6], object="b", trial=1),
            make(costs_s=[2.5e-6], object="a", trial=-2, comparison=5),
            make(costs_s=[2.6e-6], object="b", trial=-2, comparison=5),
        )
        self.assertEqual((task.seconds, task.best.first.object), (2.5e-6, "a"))

    def test_final_beats_screening(self):
        task = self.best(
            make(costs_s=[2e-6], object="a", trial=-1, comparison=5),
            make(costs_s=[3e-6], object="b", trial=-1, comparison=5),
            make(costs_s=[3e-6], object="b", trial=-2, comparison=5),
        )
        self.assertEqual(task.best.first.object, "b")

    def test_clearly_faster_since(self):
        compared = [
            make(costs_s=[2e-6], object="a"),
            make(costs_s=[2e-6], object="a", trial=-2, comparison=5),
        ]
        little = self.best(*compared, make(costs_s=[1.7e-6], object="b", trial=1))
        self.assertEqual(little.best.first.object, "a")
        much = self.best(*compared, make(costs_s=[1.5e-6], object="b", trial=1))
        self.assertEqual(much.best.first.object, "b")

    def test_wrong_never_wins(self):
        task = self.best(
            make(costs_s=[3e-6], object="a"),
            make(costs_s=[1e-6], object="b", trial=1),
            make(costs_s=[], object="b", trial=2, error="wrong-result", verified=False),
        )
        self.assertEqual(task.best.first.object, "a")

    def test_all_failed(self):
        task = self.best(make(costs_s=[], error="crash", verified=False))
        self.assertIsNone(task.best)
        self.assertTrue(math.isinf(task.seconds) and math.isnan(task.speedup))

    def test_no_records(self):
        with self.assertRaisesRegex(sched_opt.RecordError, "tune first"):
            sched_opt.find_best(write(b"\n"))


if __name__ == "__main__":
    unittest.main()
