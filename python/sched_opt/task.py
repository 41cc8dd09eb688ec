"""The tasks that a module is cut into."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import List

from .tools import Source, read_source, run_tool

_TASK = re.compile(r"^  module @\S+ attributes \{(.*)\} \{$", re.M)


@dataclass(frozen=True)
class Task:
    """A piece of a module that is scheduled by itself.

    name: readable workload; workload: its structural hash, under which records
    are kept; weight: how often the module computes it; flops: floating-point
    operations and bytes: of its operands and results, of one call.
    """

    name: str
    workload: str
    weight: float
    flops: float
    bytes: int


def extract_tasks(source: Source) -> List[Task]:
    """The tasks of a module, those of equal structure once. Raises ToolFailed.

    Convolutions are as they stand: a search may rewrite one into another form
    first (option winograd), which is another task.
    """
    path, text = read_source(source)
    options = ["--schedule-lower-tosa", "--schedule-extract-tasks", path, "-o", "-"]
    printed = run_tool("sched-opt", options, text)
    tasks = []
    for match in _TASK.finditer(printed):

        def find(key: str, pattern: str, text: str = match[1]) -> str:
            found = re.search(rf"schedule\.{key} = {pattern}", text)
            return found[1] if found else ""

        workload = find("workload_hash", '"([^"]*)"')
        if workload:
            tasks.append(
                Task(
                    name=find("workload", '"((?:[^"\\\\]|\\\\.)*)"'),
                    workload=workload,
                    weight=float(find("weight", r"([-+.\deE]+)") or 1),
                    flops=float(find("flops", r"([-+.\deE]+)") or 0),
                    bytes=int(find("bytes", r"(\d+)") or 0),
                )
            )
    return tasks
