"""What was tuned before, from the records alone: no search, no measuring."""

from __future__ import annotations

import os
import sys
from typing import Any, Dict, Optional

from .errors import SchedError
from .tools import Source, format_options, read_source, run_tool

# What print_best can show, and how sched-opt is asked for it.
_FORMS = {
    "transform": "transform",
    "mlir": "mlir",
    "llvm": "llvm",
    "asm": "asm",
}


def emit_best(
    source: Source,
    form: str,
    work_dir: "str | os.PathLike[str] | None",
    target: str = "native",
    threads: Optional[int] = None,
    **options: Any,
) -> str:
    """A module scheduled with the best of the records, as text in a form of --emit.

    work_dir: of the records; None: the model's guess, with nothing measured.
    """
    path, text = read_source(source)
    chosen: Dict[str, Any] = {"target": target, "threads": threads, **options}
    if work_dir is None:
        chosen.update(trials=0, quiet=True)
        pipeline = "--auto-schedule="
    else:
        chosen["work_dir"] = work_dir
        pipeline = "--apply-history-best="
    arguments = [pipeline + format_options(chosen), path]
    return run_tool("sched-opt", [*arguments, f"--emit={form}", "-o", "-"], text)


def apply_best(
    source: Source,
    work_dir: "str | os.PathLike[str] | None",
    target: str = "native",
    threads: Optional[int] = None,
    **options: Any,
) -> str:
    """The module with the best schedule of each of its tasks applied, as MLIR.

    work_dir: of the records; None: the model's guess. target, threads: as they
    were for the search; None: all cores. options: more options of sched-opt's
    --apply-history-best (winograd=..., allow_tf32=...). Raises ToolFailed where the records hold
    no schedule for a task; its text says what is there instead.
    """
    return emit_best(source, "mlir", work_dir, target, threads, **options)


def print_best(
    source: Source,
    work_dir: "str | os.PathLike[str] | None",
    what: str = "transform",
    target: str = "native",
    threads: Optional[int] = None,
    file: Any = None,
    **options: Any,
) -> str:
    """Prints the best of the records, and returns what it has printed.

    what: "transform": the schedule as a script that stock mlir-opt-22 applies;
    "trace": the decisions that it was made of, one line a task, each after a
    comment with the task and the time of a call; "mlir": the scheduled module;
    "llvm", "asm": what it is lowered to. work_dir: as for apply_best, but of
    records for "trace". file: where to; None: stdout. Raises as apply_best does,
    and SchedError for another `what`.
    """
    if what == "trace":
        if work_dir is None:
            raise SchedError("found no records to take traces from; expected a work_dir")
        text = _describe_traces(source, work_dir, target, threads, options)
    elif what in _FORMS:
        text = emit_best(source, _FORMS[what], work_dir, target, threads, **options)
    else:
        raise SchedError(f"found what='{what}', expected trace, {', '.join(_FORMS)}")
    print(text.rstrip("\n"), file=sys.stdout if file is None else file)
    return text


def _describe_traces(
    source: Source,
    work_dir: "str | os.PathLike[str]",
    target: str,
    threads: Optional[int],
    options: Dict[str, Any],
) -> str:
    from .task import extract_tasks
    from .tuning import find_best, format_seconds

    # It has the error for records of another machine, compiler or module.
    emit_best(source, "transform", work_dir, target, threads, **options)
    workloads = {task.workload for task in extract_tasks(source)}
    lines = []
    for task in find_best(work_dir):
        if task.best is None or task.workload not in workloads:
            continue
        record = task.best.first
        if threads is not None and not record.target.endswith(f",threads={threads}"):
            continue
        lines.append(f"// {task.name}: {format_seconds(task.seconds)}; {record.target}")
        lines.append(record.trace or "// the code as it is, without a schedule")
    return "\n".join(lines) + "\n"
