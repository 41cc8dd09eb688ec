"""What a cost model in Python is given: the features of many candidates.

Names, units and definitions are those that sched-opt announces; docs/Features.md
lists them. Values are raw (no logarithms), finite and not negative.
"""

from __future__ import annotations

import io
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Dict, Optional, Sequence, Union

import numpy as np

from .records import import_pandas
from .tools import run_tool

if TYPE_CHECKING:
    import pandas

Path = Union[str, "os.PathLike[str]"]


@dataclass(frozen=True)
class Table:
    """One kind of features. names, units, definitions: by column. version:
    changes whenever a column does."""

    names: Sequence[str]
    units: Sequence[str]
    definitions: Sequence[str]
    version: int

    @property
    def dtype(self) -> np.dtype:
        """Of a row as a structure: a float32 field for each name."""
        return np.dtype([(name, "<f4") for name in self.names])


class Features:
    """A batch of n candidates.

    matrix: float32 of shape (n, features). rows: float32 of shape (blocks of
    all candidates, block features), for a model that reads blocks; ends: int64
    of shape (n,), where the rows of each candidate end. task: which task they
    are of; only candidates of the same one may be compared.
    """

    def __init__(
        self,
        table: Table,
        matrix: np.ndarray,
        task: str = "",
        block_table: Optional[Table] = None,
        rows: Optional[np.ndarray] = None,
        ends: Optional[np.ndarray] = None,
    ):
        self.table = table
        self.matrix = matrix
        self.task = task
        self.block_table = block_table
        self.rows = rows if rows is not None else np.zeros((0, 0), np.float32)
        self.ends = ends if ends is not None else np.zeros(len(matrix), np.int64)

    def __len__(self) -> int:
        return len(self.matrix)

    def __getitem__(self, name: str) -> np.ndarray:
        """A feature of all candidates by its name; float32 of shape (n,)."""
        if name not in self.table.names:
            raise KeyError(f"found no feature '{name}'; there are {', '.join(self.table.names)}")
        return self.matrix[:, list(self.table.names).index(name)]

    @property
    def array(self) -> np.ndarray:
        """The matrix as a structured array of shape (n,), without a copy."""
        return np.ascontiguousarray(self.matrix, "<f4").view(self.table.dtype)[:, 0]

    @property
    def blocks(self) -> np.ndarray:
        """The rows as a structured array of shape (blocks of all candidates,)."""
        if self.block_table is None or not len(self.rows):
            names = self.block_table.dtype if self.block_table else np.dtype([])
            return np.zeros(0, names)
        return np.ascontiguousarray(self.rows, "<f4").view(self.block_table.dtype)[:, 0]

    @property
    def owners(self) -> np.ndarray:
        """The candidate of each row; int64 of shape (blocks of all candidates,)."""
        begins = np.concatenate([[0], self.ends[:-1]]) if len(self) else self.ends
        return np.repeat(np.arange(len(self)), self.ends - begins)

    def sum_rows(self, values: np.ndarray) -> np.ndarray:
        """Sums a value of each row over the rows of each candidate; shape (n,)."""
        return np.bincount(self.owners, weights=values, minlength=len(self))

    def describe(self) -> Dict[str, str]:
        """Unit and definition of each feature."""
        table = self.table
        return {
            name: f"{unit}: {definition}"
            for name, unit, definition in zip(table.names, table.units, table.definitions)
        }


def load_features(*places: Path, payloads: Sequence[Path] = ()) -> "pandas.DataFrame":
    """What cost models read of the recorded candidates: a row for each block.

    places: work directories, or files of records. payloads: modules that were
    tuned, for records that have no workloads beside them. Columns: `workload`,
    `text`, `target`, `toolchain`, `trial`, `seconds` (of a call; infinity for a
    failure), `analytic_seconds` (the analytic model's), `block` (from 0),
    `program_NAME` (of the whole candidate, so equal in all of its rows) and
    `block_NAME`. Needs pandas and sched-db; raises ToolFailed.
    """
    pandas = import_pandas()
    arguments = ["features", "--format=csv", *[os.fspath(place) for place in places]]
    arguments += ["--payload=" + os.fspath(path) for path in payloads]
    texts = {name: "string" for name in ("workload", "text", "target", "toolchain")}
    return pandas.read_csv(io.StringIO(run_tool("sched-db", arguments)), dtype=texts)
