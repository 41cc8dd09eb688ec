"""What the records say is best: the rule of sched-opt (Database/ProgramCosts.h).

A program is one machine code, or where a record names none, one sketch and
trace. The finalists of the last comparison come in the order of their medians
in it; a program that was not in it comes before them only where its trials beat
those of all that were clearly; one that gave a wrong result is not ranked.
"""

from __future__ import annotations

import math
import statistics
from dataclasses import dataclass, field
from typing import Dict, Iterable, List, Optional, Tuple

from .records import Record

# As in ProgramCosts.cpp: faster by this in trials alone is no matter of luck.
CLEARLY = 0.8
# The sketch of a record of the payload as it is.
UNSCHEDULED = "unscheduled"
WRONG = ("wrong-result", "out-of-bounds")

Key = Tuple[str, str, str]


@dataclass
class Program:
    """What is known of one program. Seconds a call; infinity where unknown."""

    records: List[Record] = field(default_factory=list)
    comparison: int = 0
    stage: int = 0
    compared: List[float] = field(default_factory=list)
    wrong: bool = False
    _runs: List[Record] = field(default_factory=list)

    def add(self, record: Record) -> None:
        self.records.append(record)
        self.wrong |= record.error in WRONG
        if record.trial not in (-1, -2):
            # Costs that another candidate of the same code repeats add none.
            is_copy = any(
                run.costs_s == record.costs_s
                and (run.sketch, run.trace) != (record.sketch, record.trace)
                for run in self._runs
            )
            if record.is_valid and not is_copy:
                self._runs.append(record)
            return
        its = (record.comparison, -record.trial)
        if its < (self.comparison, self.stage):
            return
        if its > (self.comparison, self.stage):
            self.compared.clear()
        self.comparison, self.stage = its
        if record.is_valid:
            self.compared.extend(record.costs_s)

    @property
    def compared_s(self) -> float:
        return statistics.median(self.compared) if self.compared and not self.wrong else math.inf

    @property
    def trials_s(self) -> float:
        costs = [cost for run in self._runs for cost in run.costs_s]
        return statistics.median(costs) if costs and not self.wrong else math.inf

    @property
    def seconds(self) -> float:
        return self.compared_s if math.isfinite(self.compared_s) else self.trials_s

    @property
    def first(self) -> Record:
        """The first valid record; of a program without one, the first."""
        return next((record for record in self.records if record.is_valid), self.records[0])

    @property
    def is_scheduled(self) -> bool:
        return self.records[0].sketch != UNSCHEDULED


def get_key(record: Record) -> Key:
    """Only records of one workload, target and toolchain are compared."""
    return (record.workload, record.target, record.toolchain)


def group(records: Iterable[Record]) -> Dict[Key, List[Record]]:
    """Records by their key, in order of first appearance."""
    groups: Dict[Key, List[Record]] = {}
    for record in records:
        groups.setdefault(get_key(record), []).append(record)
    return groups


def collect_programs(records: Iterable[Record]) -> List[Program]:
    """The programs of one key, in order of first appearance."""
    programs: Dict[Tuple[str, ...], Program] = {}
    for record in records:
        name = (record.object,) if record.object else (record.sketch, record.trace)
        programs.setdefault(name, Program()).add(record)
    return list(programs.values())


def rank(programs: List[Program]) -> List[Program]:
    """The usable ones, the one to be preferred first."""
    last = max((program.comparison for program in programs), default=0)

    def is_compared(program: Program) -> bool:
        return last != 0 and program.comparison == last and math.isfinite(program.compared_s)

    def place_compared(program: Program) -> Tuple[int, float]:
        return (-program.stage, program.compared_s)

    winner: Optional[Program] = min(filter(is_compared, programs), key=place_compared, default=None)
    to_beat = 0.0
    if winner:
        known = [program.trials_s for program in programs if is_compared(program)]
        # The unscheduled code has no trials.
        if math.isinf(winner.trials_s):
            known.append(winner.compared_s)
        to_beat = CLEARLY * min(known)

    def place(program: Program) -> Tuple[int, int, float]:
        if is_compared(program):
            return (1, *place_compared(program))
        is_ahead = program.comparison != last and program.trials_s < to_beat
        return (0 if is_ahead else 2, 0, program.trials_s)

    return sorted(filter(lambda program: math.isfinite(program.seconds), programs), key=place)


def find_default(programs: Iterable[Program]) -> Optional[Program]:
    """The program of the default schedule, which is trial 0 of every search."""
    for program in programs:
        if program.is_scheduled and any(record.trial == 0 for record in program.records):
            return program
    return None
