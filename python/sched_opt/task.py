"""The tasks that a module is cut into."""

from __future__ import annotations

import re
import struct
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


def _parse_float(text: str) -> float:
    """Of an attribute: MLIR prints what six digits do not hold as its bits."""
    if text.startswith("0x"):
        return struct.unpack("<d", int(text, 16).to_bytes(8, "little"))[0]
    return float(text) if text else 0.0


def extract_tasks(source: Source) -> List[Task]:
    """The tasks of a module, those of equal structure once. Raises ToolFailed.

    Convolutions are as they stand: a search may rewrite one into another form
    first (option winograd), which is another task.
    """
    path, text = read_source(source)
    options = ["--schedule-lower-tosa", "--schedule-extract-tasks", path, "-o", "-"]
    printed = run_tool("sched-opt", options, text)
    number = r"(0x[0-9A-F]+|[-+.\deE]+)"
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
                    weight=_parse_float(find("weight", number) or "1.0"),
                    flops=_parse_float(find("flops", number)),
                    bytes=int(find("bytes", r"(\d+)") or 0),
                )
            )
    return tasks
