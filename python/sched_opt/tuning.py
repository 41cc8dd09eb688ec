"""sched_opt.tune: a search of sched-opt, and what came of it.

    result = sched_opt.tune("f.mlir", work_dir="tuned", trials=64, threads=2)
    print(result)                 # 1.79 ms, 65.6 x the default schedule ...
    f = result.compile()          # a function on NumPy arrays

Read next: kernel.py (what compile makes), records.py, ranking.py.
"""

from __future__ import annotations

import math
import os
import re
import sys
import tempfile
import warnings
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Union

from .cost_model_link import CostModelLike, link_cost_model
from .errors import RecordError, SchedError, ToolFailed
from .history import apply_best, print_best
from .process import run_search
from .ranking import Program, collect_programs, find_default, group, rank
from .records import FILE_NAME, Record, make_frame, read_records
from .task import extract_tasks
from .tools import Source, TemporaryFolder, find_tool, format_options, read_source

if TYPE_CHECKING:
    import pandas

    from .kernel import Library

_STATUS = re.compile(r"^(?P<task>\S.*): (?P<done>\d+)/(?P<wanted>\d+) trials; (?P<rest>.*)$")
_SUMMARY = re.compile(r"^(?P<task>\S.*): (?P<done>\d+) trials[ ;]")
_BEST = re.compile(r"([\d.]+) (ns|us|ms|s)\b")
_UNITS = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass
class Progress:
    """A line that a search printed.

    line: its text. task, trials, wanted: where it tells how far a task has
    come, else None. best_s: seconds of the best so far, to three digits; None
    where the line says none.
    """

    line: str
    task: Optional[str] = None
    trials: Optional[int] = None
    wanted: Optional[int] = None
    best_s: Optional[float] = None


def parse_progress(line: str) -> Progress:
    match = _STATUS.match(line)
    if not match:
        return Progress(line)
    progress = Progress(line, match["task"], int(match["done"]), int(match["wanted"]))
    head, _, tail = match["rest"].partition("best ")
    best = _BEST.search(tail.split(";")[0].split(", ")[-1]) if not head else None
    if best:
        progress.best_s = float(best[1]) * _UNITS[best[2]]
    return progress


@dataclass
class TaskResult:
    """What the records say of one task.

    seconds and default_s: of a call with the best and with the default
    schedule; infinity where there is none. best: the fastest program, None
    where all failed. is_unscheduled: that is the code without a schedule.
    weight: how often the module computes the task.
    """

    name: str
    workload: str
    weight: float
    best: Optional[Program]
    default: Optional[Program]
    records: List[Record] = field(repr=False)

    @property
    def seconds(self) -> float:
        return self.best.seconds if self.best else math.inf

    @property
    def default_s(self) -> float:
        return self.default.seconds if self.default else math.inf

    @property
    def speedup(self) -> float:
        """Of the best over the default schedule; nan where one has no time."""
        if not (math.isfinite(self.seconds) and math.isfinite(self.default_s)):
            return math.nan
        return self.default_s / self.seconds

    @property
    def is_unscheduled(self) -> bool:
        return self.best is not None and not self.best.is_scheduled

    @property
    def trials(self) -> int:
        """But for those that became the machine code of others."""
        return sum(record.trial >= 0 and not record.is_duplicate for record in self.records)


@dataclass
class TuningResult:
    """What a search found.

    tasks: one for each task that has records. script: the chosen schedule, a
    module with a transform.named_sequence. is_interrupted: Ctrl-C ended it, and
    this is the best until then. output: what sched-opt printed.
    """

    source: Source
    target: str
    threads: Optional[int]
    work_dir: str
    tasks: List[TaskResult]
    script: str = field(repr=False)
    output: str = field(repr=False)
    is_interrupted: bool = False
    _history_options: "dict[str, Any]" = field(default_factory=dict, repr=False)
    # What else chose the schedules where there are no records.
    _guess_options: "dict[str, Any]" = field(default_factory=dict, repr=False)
    # Of a search without a work_dir: its records live as long as this.
    _folder: Optional[TemporaryFolder] = field(default=None, repr=False)

    @property
    def seconds(self) -> float:
        """Of one call of each task as often as the module computes it."""
        return sum(task.weight * task.seconds for task in self.tasks) if self.tasks else math.inf

    @property
    def default_s(self) -> float:
        """The same with the default schedules, which need no search."""
        return sum(task.weight * task.default_s for task in self.tasks) if self.tasks else math.inf

    @property
    def speedup(self) -> float:
        """default_s / seconds; nan where one of them is not known."""
        if not (math.isfinite(self.seconds) and math.isfinite(self.default_s)):
            return math.nan
        return self.default_s / self.seconds

    @property
    def records(self) -> "pandas.DataFrame":
        """The records of the tasks, as load_records gives them. Needs pandas."""
        return make_frame(record for task in self.tasks for record in task.records)

    def _find_schedules(self) -> "dict[str, Any]":
        """Where the schedules are: in the records, or, where nothing was measured
        (trials=0), with the model that chose them."""
        if self.tasks:
            return {"work_dir": self.work_dir, **self._history_options}
        return {"work_dir": None, **self._history_options, **self._guess_options}

    def apply_best(self) -> str:
        """The module with the best schedules applied, as MLIR."""
        return apply_best(self.source, **self._find_schedules())

    def print_best(self, what: str = "transform", file: Any = None) -> str:
        """See history.print_best."""
        return print_best(self.source, what=what, file=file, **self._find_schedules())

    def compile(self, **options: Any) -> "Library":
        """The module with the best schedules, as functions on NumPy arrays."""
        from .kernel import compile as compile_source

        return compile_source(self.source, **{**self._find_schedules(), **options})

    def __str__(self) -> str:
        lines = []
        for task in self.tasks:
            what = "unscheduled" if task.is_unscheduled else "best"
            speedup = "" if math.isnan(task.speedup) else f", {task.speedup:.2f} x the default"
            lines.append(
                f"{task.name}: {task.trials} trials, {what} {format_seconds(task.seconds)}{speedup}"
            )
        return "\n".join(lines) or "nothing was measured"


def format_seconds(seconds: float) -> str:
    """Three digits and a unit, as sched-opt prints it: "12.3 us"."""
    if not math.isfinite(seconds):
        return "none"
    unit, value = "s", seconds
    for small, factor in (("ns", 1e-9), ("us", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * factor:
            unit, value = small, seconds / factor
            break
    return f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f} {unit}"


def _print_line(progress: Progress) -> None:
    print(progress.line, file=sys.stderr, flush=True)


def tune(
    source: Source,
    work_dir: "str | os.PathLike[str] | None" = None,
    trials: Optional[int] = None,
    threads: Optional[int] = None,
    target: str = "native",
    seed: int = 0,
    cost_model: Optional[CostModelLike] = None,
    progress: Union[bool, Callable[[Progress], None]] = True,
    **options: Any,
) -> TuningResult:
    """Searches schedules for every task of a module by measuring them here.

    source: MLIR's text, or the path of a file. work_dir: folder of the records;
    a second call with it goes on where the first stopped; None: a temporary one
    that lives as long as the result. trials: candidates to measure, those in
    the records included; None: as many as the option effort says, 64 without.
    threads: that the code may use; None: all cores.
    target, seed: as sched-opt's options. cost_model: a name that sched-opt
    knows, or a model in Python (cost_model.py). progress: True prints the lines
    of the search to stderr, False none, a function gets each as a Progress; what
    sched-opt warns of is then a RuntimeWarning.
    options: more options of sched-opt's --auto-schedule, with _ for - (batch=8,
    time_budget=60).

    Ctrl-C ends the search and returns the best until then (is_interrupted); a
    second one raises KeyboardInterrupt. Raises ToolFailed with sched-opt's error,
    for example where the MLIR or an option is wrong. A task of which all candidates
    fail is left to the default: its best is None.
    """
    path, text = read_source(source)
    folder = None
    if work_dir is None:
        folder = TemporaryFolder()
        work_dir = folder.name
    directory = os.fspath(work_dir)
    report = _print_line if progress is True else progress or (lambda progress: None)
    tool = find_tool("sched-opt")
    with ExitStack() as stack:
        link = link_cost_model(cost_model, stack)
        if link.option is not None:
            options["cost_model"] = link.option
        chosen = format_options(
            {
                "target": target,
                "threads": threads,
                "trials": trials,
                "seed": seed,
                "work_dir": directory,
                **options,
            }
        )
        output = os.path.join(
            stack.enter_context(tempfile.TemporaryDirectory(prefix="sched-")), "best.mlir"
        )
        command = [tool, "--auto-schedule=" + chosen, path, "--emit=transform", "-o", output]
        ended = run_search(
            command, text, lambda line: report(parse_progress(line)), link.environment
        )
        if progress is not True:
            for line in ended.lines:
                if line.startswith("warning: "):
                    warnings.warn(line[len("warning: ") :], RuntimeWarning, stacklevel=2)
        if ended.status != 0 and not ended.is_interrupted:
            raise ToolFailed(command, ended.status, "\n".join(ended.lines))
        try:
            with open(output, encoding="utf-8") as file:
                script = file.read()
        except OSError:
            # Interrupted before it had any.
            script = ""
    history = {"target": target, "threads": threads}
    shared = ("winograd", "im2col", "space", "allow_tf32")
    history.update({key: options[key] for key in shared if key in options})
    guess = {"seed": seed}
    if isinstance(cost_model, str):
        guess["cost_model"] = cost_model
    return TuningResult(
        source=source,
        target=target,
        threads=threads,
        work_dir=directory,
        tasks=_collect_tasks(source, directory, ended.lines),
        script=script,
        output="\n".join(ended.lines),
        is_interrupted=ended.is_interrupted,
        _history_options=history,
        _guess_options=guess,
        _folder=folder,
    )


def _collect_tasks(source: Source, directory: str, lines: List[str]) -> List[TaskResult]:
    """Of the tasks that the search named in `lines`, or else of the module."""
    if not os.path.isfile(os.path.join(directory, FILE_NAME)):
        return []
    names = {match["task"] for match in map(_SUMMARY.match, lines) if match}
    try:
        tasks = {task.workload: task for task in extract_tasks(source)}
    except SchedError:
        # Of a source with forms of their own; the records have the rest.
        tasks = {}
    # The last run's target and toolchain, where records of several are there.
    latest: Dict[str, Tuple[float, List[Record]]] = {}
    for (workload, _, _), records in group(read_records(directory)).items():
        name = records[0].workload_text
        if name in names or (not names and workload in tasks):
            newest = max(record.time for record in records)
            if workload not in latest or newest >= latest[workload][0]:
                latest[workload] = (newest, records)
    results = []
    for workload, (_, records) in latest.items():
        programs = collect_programs(records)
        ranking = rank(programs)
        results.append(
            TaskResult(
                name=records[0].workload_text,
                workload=workload,
                weight=tasks[workload].weight if workload in tasks else 1.0,
                best=ranking[0] if ranking else None,
                default=find_default(programs),
                records=records,
            )
        )
    return results


def find_best(path: "str | os.PathLike[str]") -> List[TaskResult]:
    """The best of each task in records, without its module; weights are 1.

    One result for each workload, target and toolchain, in order of first
    appearance. Raises RecordError where there are no records.
    """
    results = []
    for (workload, _, _), records in group(read_records(path)).items():
        programs = collect_programs(records)
        ranking = rank(programs)
        best = ranking[0] if ranking else None
        results.append(
            TaskResult(
                records[0].workload_text, workload, 1.0, best, find_default(programs), records
            )
        )
    if not results:
        raise RecordError(f"found no records at '{os.fspath(path)}'; tune first")
    return results
