"""Figures show what they are given; PNG files are pictures."""

import json
import os
import unittest

import matplotlib
import numpy as np
import payloads
import sched_opt
from test_records import make, write


def in_folder(name):
    return os.path.join(payloads.FOLDER, name)


def labels(axes):
    return [text.get_text() for text in axes.get_legend().get_texts()]


def curve(axes, label):
    (line,) = [line for line in axes.get_lines() if line.get_label() == label]
    return line.get_xdata(), line.get_ydata()


class Progress(unittest.TestCase):
    def setUp(self):
        self.path = write(
            make(costs_s=[4e-6], trial=0, time=100.0, compile_s=1, run_s=1, object="a"),
            make(costs_s=[], trial=1, time=101.0, error="crash", verified=False, object="b"),
            make(costs_s=[5e-6], trial=2, time=102.0, object="c"),
            make(costs_s=[2e-6], trial=3, time=104.0, object="d"),
            make(costs_s=[1e-6], trial=-2, comparison=3, time=105.0, object="d"),
        )

    def test_trials(self):
        name = in_folder("progress.png")
        figure = sched_opt.plot_progress(self.path, path=name)
        (axes,) = figure.axes
        x, y = curve(axes, "best so far")
        np.testing.assert_array_equal(x, [1, 2, 3, 4])
        np.testing.assert_allclose(y, [4, 4, 4, 2])
        self.assertEqual(axes.get_ylabel(), "time of a call [us]")
        self.assertIn("default, 4.00 us", labels(axes))
        self.assertIn("failed", labels(axes))
        with open(name, "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")

    def test_time(self):
        (axes,) = sched_opt.plot_progress(self.path, by="time").axes
        x, _ = curve(axes, "best so far")
        np.testing.assert_allclose(x, [2, 3, 4, 6])

    def test_wrong(self):
        with self.assertRaisesRegex(sched_opt.SchedError, "expected trial or time"):
            sched_opt.plot_progress(self.path, by="day")
        with self.assertRaisesRegex(sched_opt.RecordError, "no valid trials to plot"):
            sched_opt.plot_progress(write(make(costs_s=[], error="crash", verified=False)))

    def test_several_tasks(self):
        records = [make(workload={"hash": "h%d" % i, "text": "task %d" % i}) for i in range(5)]
        figure = sched_opt.plot_progress(write(*records))
        self.assertEqual(len(figure.axes), 3)
        self.assertEqual(figure.axes[1].get_title(), "task 1")
        self.assertEqual(
            (
                figure.get_suptitle()
                if hasattr(figure, "get_suptitle")
                else figure._suptitle.get_text()
            ),
            "3 of 5 tasks",
        )


class Predictions(unittest.TestCase):
    def test_ranks(self):
        seconds = np.array([1e-3, 2e-3, 4e-3, np.inf])
        right = sched_opt.Batch("right", 1 / np.array([1, 2, 4, 9]), seconds)
        wrong = sched_opt.Batch("wrong", np.array([1.0, 2, 4, 9]), seconds)
        self.assertAlmostEqual(right.rank_correlation, 1)
        self.assertAlmostEqual(wrong.rank_correlation, -1)
        left, second = sched_opt.plot_predictions([right, wrong, right]).axes
        self.assertEqual(
            labels(left),
            [
                "right: 6 candidates, rank correlation 1.00",
                "wrong: 3 candidates, rank correlation -1.00",
            ],
        )
        x, y = left.collections[0].get_offsets()[2]
        self.assertEqual((x, y), (2, 2))
        np.testing.assert_allclose(second.get_lines()[0].get_ydata(), [1, 1])

    def test_ties_and_few(self):
        self.assertAlmostEqual(sched_opt.rank_correlation([2, 2, 1], [1, 2, 3]), 0.8660254)
        self.assertTrue(np.isnan(sched_opt.rank_correlation([1], [1])))
        self.assertTrue(np.isnan(sched_opt.rank_correlation([1, 1], [1, 2])))

    def test_nothing(self):
        failed = sched_opt.Batch("t", np.ones(2), np.full(2, np.inf))
        for batches in ([], [failed]):
            with self.assertRaisesRegex(sched_opt.SchedError, "no measurements to plot"):
                sched_opt.plot_predictions(batches)

    def test_log(self):
        """The log of a search, as sched-opt writes it (Tuning/SearchLog.h)."""
        rows = [
            {"score": 0.0, "seconds": 2e-6},
            {"score": 1.0, "seconds": 1e-6, "why": "best"},
            {"score": -1.0, "seconds": None, "error": "crash"},
            {"score": None, "seconds": 5e-6},
        ]
        name = in_folder("search-log.jsonl")
        with open(name, "w") as file:
            file.write(json.dumps({"task": "t", "round": 0, "batch": rows}) + "\n")
            file.write(json.dumps({"task": "t", "round": 1, "batch": []}) + "\n")
            file.write('{"task": "t", "ba')
        with self.assertWarnsRegex(sched_opt.RecordWarning, ":3: skipped what is no round"):
            (batch,) = sched_opt.load_batches(payloads.FOLDER)
        np.testing.assert_allclose(batch.scores, np.exp([0, 1, -1]))
        np.testing.assert_array_equal(batch.seconds, [2e-6, 1e-6, np.inf])
        self.assertAlmostEqual(batch.rank_correlation, 1)
        with self.assertWarns(sched_opt.RecordWarning):
            left, _ = sched_opt.plot_predictions(payloads.FOLDER).axes
        self.assertEqual(labels(left), ["t: 2 candidates, rank correlation 1.00"])
        with self.assertRaisesRegex(sched_opt.RecordError, "expected a search-log.jsonl"):
            sched_opt.load_batches(in_folder("none"))

    def test_watched(self):
        class Model:
            def predict(self, features):
                return 1.0 / features["A"]

        table = sched_opt.features.Table(("A",), ("",), ("",), 1)
        features = sched_opt.Features(table, np.array([[1], [2]], np.float32))
        model = sched_opt.Watched(Model())
        model.update(features, np.array([3.0, 6.0]), "t")
        self.assertEqual(model.name, "Model")
        self.assertAlmostEqual(model.batches[0].rank_correlation, 1)


class Reports(unittest.TestCase):
    TABLE = {
        "operators": ["GMM0", "C2D0"],
        "variants": {
            "analytic": {"shares": {"16": 0.8, "64": 0.9}, "spreads": {"16": 0.1, "64": 0.02}},
            "xgboost": {"shares": {"64": 0.97, "16": 0.93}, "spreads": {}},
            "never run": {"shares": {}, "spreads": {}},
        },
    }

    def test_ablations(self):
        name = in_folder("table.json")
        with open(name, "w") as file:
            json.dump(self.TABLE, file)
        for report in (name, self.TABLE):
            (axes,) = sched_opt.plot_ablations(report).axes
            self.assertEqual(labels(axes), ["analytic", "xgboost"])
            lines = [line for line in axes.get_lines() if len(line.get_ydata()) == 2]
            np.testing.assert_array_equal(lines[-1].get_ydata(), [0.93, 0.97])
            self.assertIn("over 2 operators", axes.get_title())

    def test_operators(self):
        def make_result(name, ratio):
            row = {"name": "tuned", "ratio_to_best_library": ratio}
            return {
                "case": {"name": name, "of_batch": 1},
                "threads": 2,
                "bench": {"best_library": "BLAS", "contenders": [row]},
            }

        results = {
            "a": make_result("A", 0.5),
            "b": make_result("B", 2.0),
            "no library": make_result("C", None),
            "failed": {"case": {"name": "D"}, "threads": 1, "errors": ["fell over"]},
        }
        (axes,) = sched_opt.plot_operators({"results": results}).axes
        np.testing.assert_allclose([bar.get_width() for bar in axes.patches], [-1, 1])
        self.assertEqual(
            [text.get_text() for text in axes.get_yticklabels()],
            ["A b1 2t  (BLAS)", "B b1 2t  (BLAS)"],
        )
        self.assertIn("geometric mean 1.00 x", axes.get_title())

    def test_wrong(self):
        with self.assertRaisesRegex(sched_opt.SchedError, "cannot read .*dev bench ablation"):
            sched_opt.plot_ablations(in_folder("none.json"))
        with self.assertRaisesRegex(sched_opt.SchedError, 'no "variants"'):
            sched_opt.plot_ablations({"results": {}})
        with self.assertRaisesRegex(sched_opt.SchedError, 'no "shares"'):
            sched_opt.plot_ablations({"variants": {"a": {}}})
        with self.assertRaisesRegex(sched_opt.SchedError, "no operator beside a library"):
            sched_opt.plot_operators({"results": {"a": {}}})


if __name__ == "__main__":
    matplotlib.use("agg")
    unittest.main()
