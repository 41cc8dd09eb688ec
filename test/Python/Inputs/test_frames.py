"""Records as tables."""

import math
import unittest
import warnings

import sched_opt
from test_records import make, write


class Frames(unittest.TestCase):
    def test_types(self):
        frame = sched_opt.load_records(write(make(), make(costs_s=[], error="crash", trial=1)))
        self.assertEqual(len(frame), 2)
        kinds = {name: str(kind) for name, kind in frame.dtypes.items()}
        self.assertEqual(kinds["workload"], "string")
        self.assertEqual(kinds["trial"], "int64")
        self.assertEqual(kinds["seed"], "uint64")
        self.assertEqual(kinds["seconds"], "float64")
        self.assertEqual(kinds["verified"], "bool")
        self.assertRegex(kinds["time"], r"datetime64\[ns, UTC\]")
        self.assertEqual(frame.seconds[0], 2e-6)
        self.assertTrue(math.isinf(frame.seconds[1]))
        self.assertEqual(frame.seed[0], 2**63 + 1)
        self.assertEqual(str(frame.time[0]), "2026-01-01 00:00:00.500000+00:00")
        self.assertEqual(frame.costs_s[0], (3e-6, 1e-6, 2e-6))

    def test_decisions(self):
        other = make(trace="schedule.trace of @packed decisions {mr = 4, kc = 64}")
        unscheduled = make(sketch="unscheduled", trace="")
        frame = sched_opt.load_records(write(make(), other, unscheduled), decisions=True)
        self.assertEqual(list(frame.sketch_name), ["plain", "packed", ""])
        self.assertEqual(str(frame["decision.mr"].dtype), "Int64")
        self.assertEqual(frame["decision.mr"].tolist()[:2], [8, 4])
        self.assertEqual(frame["decision.kc"].isna().tolist(), [True, False, True])
        self.assertEqual(frame["decision.order"][0], (1, 0))
        self.assertEqual(frame["decision.kind"][0], "a b")

    def test_empty(self):
        frame = sched_opt.load_records(write(b""), decisions=True)
        self.assertEqual(len(frame), 0)
        self.assertIn("seconds", frame)

    def test_torn(self):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            frame = sched_opt.load_records(write(make(), b'{"v":1,'))
        self.assertEqual((len(frame), len(caught)), (1, 1))


if __name__ == "__main__":
    unittest.main()
