"""Cost models in Python: a class with predict and update.

    class Mine(sched_opt.CostModel):
        def predict(self, features):
            return 1 / (features["ComputeCycles"] + features["L3Bytes"])

    sched_opt.tune("f.mlir", cost_model=Mine())                  # from Python
    sched-opt --auto-schedule="cost-model=python:mine.py:Mine" f.mlir

sched-opt asks over a channel (cost_model_server.py); docs/Python.md has the
protocol. A model that fails, hangs or answers wrongly is left with one warning,
and sched-opt goes on with its own.
"""

from __future__ import annotations

from typing import Optional, Tuple

import numpy as np

from .features import Features


class CostModel:
    """What a model is to have. Any class with `predict` will do."""

    #: For reports.
    name: str = ""
    #: Whether `features` have rows of blocks, which take longer to compute.
    reads_blocks: bool = False

    def predict(self, features: Features) -> np.ndarray:
        """One score a candidate: float64 of shape (n,), finite and above 0;
        higher is better. Meant to be proportional to 1 / seconds: ratios count,
        the scale does not. The same features must give the same scores until
        `update` is called."""
        raise NotImplementedError

    def predict_with_doubt(self, features: Features) -> Tuple[np.ndarray, Optional[np.ndarray]]:
        """Scores, and the standard deviation of their logarithms (None: not
        known), which drives exploration."""
        return self.predict(features), None

    def update(self, features: Features, seconds: np.ndarray, task: str) -> None:
        """Learns from measurements of one task: seconds of a call, float64 of
        shape (n,), infinity for a candidate that failed."""


class AnalyticTime(CostModel):
    """The plainest of models, for a start: compute and memory time, whichever
    is longer. Learns one factor a task, which changes no order."""

    name = "analytic-time"

    def predict(self, features: Features) -> np.ndarray:
        cycles = np.maximum(features["ComputeCycles"], features["L2Bytes"] / 10)
        return 1.0 / (cycles + features["PackCycles"] + 1.0)


class LinearModel(CostModel):
    """Ridge regression of log(seconds) on log(1 + feature).

    Small enough to read, good enough to beat what is not learned: fitted anew
    on all measurements at each update; before the first it is AnalyticTime.
    ridge: weight of the squared coefficients.
    """

    name = "linear"

    def __init__(self, ridge: float = 1e-1):
        self.ridge = ridge
        self._rows: list = []
        self._targets: list = []
        self._tasks: list = []
        self._weights: Optional[np.ndarray] = None
        self._mean = np.zeros(0)
        self._scale = np.ones(0)

    @staticmethod
    def _transform(features: Features) -> np.ndarray:
        return np.log1p(features.matrix.astype(np.float64))

    def predict(self, features: Features) -> np.ndarray:
        if self._weights is None:
            return AnalyticTime().predict(features)
        rows = (self._transform(features) - self._mean) / self._scale
        return np.exp(-np.clip(rows @ self._weights, -500, 500))

    def update(self, features: Features, seconds: np.ndarray, task: str) -> None:
        good = np.isfinite(seconds)
        if good.any():
            self._rows.append(self._transform(features)[good])
            self._targets.append(np.log(seconds[good]))
            self._tasks += [task] * int(good.sum())
        if not self._rows:
            return
        rows, targets = np.concatenate(self._rows), np.concatenate(self._targets)
        # Only candidates of the same task are compared: no task has a mean.
        tasks = np.array(self._tasks)
        for each in np.unique(tasks):
            targets[tasks == each] -= targets[tasks == each].mean()
        self._mean, self._scale = rows.mean(0), rows.std(0) + 1e-9
        rows = (rows - self._mean) / self._scale
        gram = rows.T @ rows + self.ridge * len(rows) * np.eye(rows.shape[1])
        self._weights = np.linalg.solve(gram, rows.T @ targets)
