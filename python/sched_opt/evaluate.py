"""Times and checks one function beside its unscheduled form (sched-run)."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Dict, Optional

from .tools import Source, read_source, run_tool


@dataclass(frozen=True)
class Evaluation:
    """seconds: of a call, the median; unscheduled_s: of the function without a
    schedule; verified: whether their results agree; max_error, tolerance:
    relative to |expected| plus its root mean square; report: all that sched-run
    says."""

    seconds: float
    unscheduled_s: float
    verified: bool
    max_error: float
    tolerance: float
    report: Dict[str, Any]

    @property
    def speedup(self) -> float:
        return self.unscheduled_s / self.seconds


def evaluate(
    source: Source,
    work_dir: "str | os.PathLike[str] | None" = None,
    threads: Optional[int] = None,
    target: str = "native",
    entry: Optional[str] = None,
    repeats: int = 7,
    **options: Any,
) -> Evaluation:
    """Runs a function with the best schedule of the records, and without one.

    entry: its name, where there are several. options: more of sched-run's
    (min_repeat_ms=..., seed=..., transform=FILE). Raises ToolFailed, for example
    where the results differ.
    """
    path, text = read_source(source)
    chosen = {
        "work-dir": work_dir,
        "threads": threads,
        "target": target,
        "entry": entry,
        "repeats": repeats,
        **options,
    }
    arguments = [path, "--json"]
    for name, value in chosen.items():
        if value is not None:
            arguments.append(f"--{name.replace('_', '-')}={value}")
    report = json.loads(run_tool("sched-run", arguments, text))
    return Evaluation(
        seconds=report["median_s"],
        unscheduled_s=report["unscheduled"]["median_s"],
        verified=report["verified"],
        max_error=report["max_error"],
        tolerance=report["tolerance"],
        report=report,
    )
