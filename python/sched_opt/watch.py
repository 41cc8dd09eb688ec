"""What a cost model predicted of each batch before it was measured, which is what
a search relies on: of any model from the log of a search, and of one in Python
by watching it."""

from __future__ import annotations

import json
import math
import os
import warnings
from dataclasses import dataclass
from typing import Any, List, Optional, Tuple

import numpy as np

from .cost_model import CostModel
from .errors import RecordError, RecordWarning
from .features import Features

LOG_NAME = "search-log.jsonl"


def rank_values(values: np.ndarray) -> np.ndarray:
    """Ranks from 0, equal values having the mean of theirs; float64 of shape (n,)."""
    _, inverse, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts + 1) / 2)[inverse]


def rank_correlation(scores: Any, seconds: Any) -> float:
    """Spearman's, of scores with speed: 1 where the highest score is the fastest.

    Candidates that failed (infinite seconds) count as the slowest. nan for less
    than two candidates, or where all are equal.
    """
    order = rank_values(np.asarray(scores, dtype=np.float64))
    speed = rank_values(-np.asarray(seconds, dtype=np.float64))
    if len(order) < 2 or order.std() == 0 or speed.std() == 0:
        return float("nan")
    return float(np.corrcoef(order, speed)[0, 1])


@dataclass(frozen=True)
class Batch:
    """Measurements of one task, and what the model had predicted before it
    learned from them. scores, seconds: float64 of shape (n,); seconds are
    infinite for a candidate that failed."""

    task: str
    scores: np.ndarray
    seconds: np.ndarray

    @property
    def rank_correlation(self) -> float:
        return rank_correlation(self.scores, self.seconds)


def load_batches(path: "str | os.PathLike[str]") -> List[Batch]:
    """The batches of a search: search-log.jsonl of a work directory, or that file.

    What the model had no score for is left out, and a batch of which nothing is
    left. Lines that are none of the log give a RecordWarning each. Raises
    RecordError where the file cannot be read.
    """
    name = os.fspath(path)
    name = os.path.join(name, LOG_NAME) if os.path.isdir(name) else name
    try:
        with open(name, encoding="utf-8", errors="replace") as file:
            lines = file.read().splitlines()
    except OSError as error:
        raise RecordError(
            f"cannot read the log at '{name}': {error.strerror}; expected a {LOG_NAME}, which a"
            " search writes to its work_dir"
        ) from error
    batches = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            entry = json.loads(line)
            known = [row for row in entry["batch"] if row.get("score") is not None]
            # Logarithms, and no number for a failure.
            scores = np.exp(np.array([float(row["score"]) for row in known]))
            seconds = np.array([float(row.get("seconds") or math.inf) for row in known])
            if known:
                batches.append(Batch(str(entry["task"]), scores, seconds))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            warnings.warn(
                f"{name}:{number}: skipped what is no round of a search: {error!r}",
                RecordWarning,
                stacklevel=2,
            )
    return batches


class Watched(CostModel):
    """A model like another one that keeps what it predicts of each batch.

    model = sched_opt.Watched(MyModel())
    sched_opt.tune("f.mlir", cost_model=model)
    sched_opt.plot_predictions(model.batches)
    """

    def __init__(self, model: Any):
        self.model = model
        self.name = str(getattr(model, "name", "") or type(model).__name__)
        self.reads_blocks = bool(getattr(model, "reads_blocks", False))
        self.batches: List[Batch] = []

    def predict(self, features: Features) -> np.ndarray:
        return self.model.predict(features)

    def predict_with_doubt(self, features: Features) -> Tuple[np.ndarray, Optional[np.ndarray]]:
        if hasattr(self.model, "predict_with_doubt"):
            return self.model.predict_with_doubt(features)
        return self.model.predict(features), None

    def update(self, features: Features, seconds: np.ndarray, task: str) -> None:
        scores = np.array(self.model.predict(features), dtype=np.float64)
        self.batches.append(Batch(task, scores, np.array(seconds)))
        if hasattr(self.model, "update"):
            self.model.update(features, seconds, task)

    def close(self) -> None:
        if hasattr(self.model, "close"):
            self.model.close()
