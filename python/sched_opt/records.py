"""Reads the records of a search: one JSON object a line of records.jsonl.

Reads what sched-opt reads, and skips what it skips: a torn last line, lines
that are no records, and records of a newer version, each with a warning. Read
next: ranking.py, which says what the best of them is.
"""

from __future__ import annotations

import json
import math
import os
import statistics
import warnings
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Dict, Iterable, List, Tuple

from .errors import RecordError, RecordWarning
from .trace import parse_trace

if TYPE_CHECKING:
    import pandas

VERSION = 1
FILE_NAME = "records.jsonl"


@dataclass
class Record:
    """One candidate of one task: what it was, what it cost or how it failed.

    costs_s: seconds a call, one entry a repeat that counts; empty where it failed
    before it was timed. trial: position in the search, from 0; below 0 where it was
    measured again to compare the fastest. comparison: which such comparison, 0
    for none. object: name of the machine code. extra: other fields, as kernels:
    what those of a GPU take, a dictionary each.
    """

    workload: str
    workload_text: str
    target: str
    toolchain: str
    sketch: str
    trace: str
    costs_s: Tuple[float, ...]
    error: str
    stage: str
    message: str
    verified: bool
    compile_s: float
    run_s: float
    seed: int
    trial: int
    time: float
    object: str = ""
    comparison: int = 0
    extra: Dict[str, Any] = field(default_factory=dict)

    @property
    def seconds(self) -> float:
        """Median of the costs; infinity where there are none."""
        return statistics.median(self.costs_s) if self.costs_s else math.inf

    @property
    def is_valid(self) -> bool:
        """Whether it ran and its result was right."""
        return self.verified and not self.error and bool(self.costs_s)

    @property
    def is_built_only(self) -> bool:
        """Whether nothing was run for want of a GPU: no trial. `extra["built"]`
        says whether it was built."""
        return "built" in self.extra

    @property
    def is_duplicate(self) -> bool:
        """Whether it became the machine code of another candidate, whose costs these
        are: no trial."""
        return self.extra.get("duplicate") is True

    @property
    def decisions(self) -> Dict[str, Any]:
        return parse_trace(self.trace)[1]


def find_records(path: "str | os.PathLike[str]") -> str:
    """The record file: path itself, or records.jsonl in the folder path."""
    name = os.fspath(path)
    return os.path.join(name, FILE_NAME) if os.path.isdir(name) else name


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"found {name}, expected a finite number")


def _take(values: Dict[str, Any], key: str, kind: type, expected: str) -> Any:
    if key not in values:
        raise ValueError(f'found no "{key}", expected {expected}')
    value = values.pop(key)
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is float and is_number:
        return float(value)
    if kind is int and is_number and value == int(value):
        return int(value)
    if kind in (str, bool, dict, list) and isinstance(value, kind):
        return value
    raise ValueError(f'found "{key}":{json.dumps(value)[:60]}, expected {expected}')


def _parse(value: Any) -> Record:
    if not isinstance(value, dict):
        raise ValueError("found no JSON object, expected a record")
    values = dict(value)
    if _take(values, "v", int, "an integer") < 1:
        raise ValueError(f"found a record of version {value['v']}, expected 1 to {VERSION}")
    workload = _take(values, "workload", dict, "an object with hash and text")
    if not all(isinstance(workload.get(key), str) for key in ("hash", "text")):
        raise ValueError('found another "workload", expected an object with hash and text')
    costs = _take(values, "costs_s", list, "an array of seconds above 0")
    for cost in costs:
        if isinstance(cost, bool) or not isinstance(cost, (int, float)) or cost <= 0:
            raise ValueError('found other "costs_s", expected an array of seconds above 0')
    texts = {
        key: _take(values, key, str, "a string")
        for key in ("target", "toolchain", "sketch", "trace", "error", "stage", "message")
    }
    record = Record(
        workload=workload["hash"],
        workload_text=workload["text"],
        costs_s=tuple(map(float, costs)),
        verified=_take(values, "verified", bool, "true or false"),
        compile_s=_take(values, "compile_s", float, "a number"),
        run_s=_take(values, "run_s", float, "a number"),
        seed=_take(values, "seed", int, "an integer >= 0"),
        trial=_take(values, "trial", int, "an integer"),
        time=_take(values, "time", float, "a number"),
        **texts,
    )
    if isinstance(values.get("object"), str):
        record.object = values.pop("object")
    if record.trial < 0:
        comparison = values.pop("comparison", 1)
        record.comparison = comparison if isinstance(comparison, int) else 1
    record.extra = values
    return record


def read_records(path: "str | os.PathLike[str]") -> List[Record]:
    """The records of a work directory or a file, in their order; no pandas.

    What is skipped gives a RecordWarning each. Raises RecordError where the
    file cannot be read.
    """
    name = find_records(path)
    try:
        with open(name, "rb") as file:
            content = file.read()
    except OSError as error:
        raise RecordError(
            f"cannot read the records at '{name}': {error.strerror}; expected a records.jsonl"
            " of an earlier search, or the folder that it is in"
        ) from error
    records: List[Record] = []
    newer: List[int] = []
    lines = content.split(b"\n")
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value = json.loads(line, parse_constant=_refuse_constant)
            version = value.get("v") if isinstance(value, dict) else None
            if isinstance(version, int) and version > VERSION:
                newer.append(number)
                continue
            records.append(_parse(value))
        except (ValueError, RecursionError, OverflowError) as error:
            reason = f"skipped a malformed record: {str(error).splitlines()[0]}"
            # Without a newline, its writer was stopped.
            if number == len(lines):
                reason = "skipped a torn last record (its writer was stopped)"
            warnings.warn(f"{name}:{number}: {reason}", RecordWarning, stacklevel=2)
    if newer:
        warnings.warn(
            f"{name}:{newer[0]}: skipped {len(newer)} record(s) of a newer version than"
            f" {VERSION}; a newer sched-opt wrote them",
            RecordWarning,
            stacklevel=2,
        )
    return records


def import_pandas() -> Any:
    try:
        import pandas
    except ImportError as error:
        raise ImportError(
            "found no pandas, which tables of records need; install it (pip install"
            " 'sched-opt[records]'), or use sched_opt.read_records"
        ) from error
    return pandas


# In the order of the columns.
_TYPES = {
    "workload": "string",
    "workload_text": "string",
    "target": "string",
    "toolchain": "string",
    "sketch": "string",
    "trace": "string",
    "trial": "int64",
    "comparison": "int64",
    "seconds": "float64",
    "costs_s": "object",
    "error": "string",
    "stage": "string",
    "message": "string",
    "verified": "bool",
    "compile_s": "float64",
    "run_s": "float64",
    "seed": "uint64",
    "object": "string",
    "extra": "object",
}


def make_frame(records: Iterable[Record], decisions: bool = False) -> "pandas.DataFrame":
    """The table of load_records, of records at hand."""
    pandas = import_pandas()
    rows = list(records)
    columns = {
        name: pandas.Series([getattr(row, name) for row in rows], dtype=kind)
        for name, kind in _TYPES.items()
    }
    columns["time"] = pandas.to_datetime(
        pandas.Series([row.time for row in rows], dtype="float64"), unit="s", utc=True
    )
    frame = pandas.DataFrame(columns)
    return frame.join(make_decisions(rows)) if decisions else frame


def make_decisions(records: Iterable[Record]) -> "pandas.DataFrame":
    """One column a decision, "decision.NAME", and "sketch_name"; a row a record.

    Whole numbers are of type Int64; what a sketch has no such decision for is
    missing. Lists are tuples.
    """
    pandas = import_pandas()
    parsed = [parse_trace(record.trace) for record in records]
    names = list(dict.fromkeys(name for _, decisions in parsed for name in decisions))
    columns = {"sketch_name": pandas.Series([name for name, _ in parsed], dtype="string")}
    for name in names:
        values = [decisions.get(name) for _, decisions in parsed]
        kinds = {type(value) for value in values if value is not None}
        kind = {int: "Int64", float: "float64", str: "string", bool: "boolean"}.get(
            kinds.pop() if len(kinds) == 1 else object, "object"
        )
        columns["decision." + name] = pandas.Series(values, dtype=kind)
    return pandas.DataFrame(columns)


def load_records(path: "str | os.PathLike[str]", decisions: bool = False) -> "pandas.DataFrame":
    """The records of a work directory or a record file, one a row.

    Columns: those of Record; `seconds` is the median of `costs_s` (seconds a
    call; infinity for a failure), `time` when the record was made (UTC). With
    decisions, also one column for each decision of the traces
    (make_decisions). Torn and malformed lines are skipped with a RecordWarning;
    RecordError where the file cannot be read.
    """
    return make_frame(read_records(path), decisions)
