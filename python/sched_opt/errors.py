"""What can go wrong, as exceptions; all derive from SchedError.

The text of each says what was found, what was expected, and what to do.
"""

from __future__ import annotations

from typing import Optional, Sequence


class SchedError(Exception):
    """Any failure of this package."""


class ToolNotFound(SchedError):
    """A program that this package starts is not there."""


class ToolFailed(SchedError):
    """A program that this package started ended with an error.

    command: its arguments; status: its exit status, negative for a signal;
    output: what it printed to stderr.
    """

    def __init__(self, command: Sequence[str], status: int, output: str):
        self.command = list(command)
        self.status = status
        self.output = output
        super().__init__(describe_failure(self.command, status, output))


class RecordError(SchedError):
    """Records that cannot be read, or hold nothing for what was asked."""


class DtypeError(SchedError, TypeError):
    """An array's element type is not the one that a function takes."""


class ShapeError(SchedError, ValueError):
    """An array's shape or layout is not the one that a function takes."""


class RecordWarning(UserWarning):
    """A line of a record file was skipped."""


def find_error(output: str) -> Optional[str]:
    """The first error of a tool's stderr; None where it printed none."""
    for line in output.splitlines():
        if "error:" in line:
            return line.strip()
    return None


def describe_failure(command: Sequence[str], status: int, output: str) -> str:
    lines = [line for line in output.splitlines() if line.strip()]
    reason = find_error(output) or (lines[-1].strip() if lines else "it printed nothing")
    ended = f"was ended by signal {-status}" if status < 0 else f"ended with status {status}"
    return f"{command[0]} {ended}: {reason}"
