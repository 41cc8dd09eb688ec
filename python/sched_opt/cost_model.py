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

    def close(self) -> None:
        """Nothing will be asked any more: the moment to save what was learned. Not
        called where Ctrl-C has ended the search, nor where the model has failed."""
