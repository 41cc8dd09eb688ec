"""A search of sched-opt as a child process: its lines as they come, and Ctrl-C.

The child has a session of its own, so that a Ctrl-C on the terminal reaches
this process alone, which passes it on once: sched-opt then writes the best so
far. A second Ctrl-C ends both.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
from dataclasses import dataclass
from typing import Callable, List, Mapping, Optional, Sequence

# Of sched-opt, where Ctrl-C has ended a search.
INTERRUPTED = 128 + signal.SIGINT


@dataclass
class Ended:
    """How a run ended: its exit status, and what it printed to stderr."""

    status: int
    lines: List[str]

    @property
    def is_interrupted(self) -> bool:
        return self.status == INTERRUPTED


class _Stop:
    """Passes the first SIGINT on to the child; the second ends both."""

    def __init__(self, child: "subprocess.Popen[bytes]"):
        self.child = child
        self.count = 0

    def __call__(self) -> None:
        self.count += 1
        if self.count == 1:
            self.child.send_signal(signal.SIGINT)
            return
        self.kill()
        raise KeyboardInterrupt

    def kill(self) -> None:
        if self.child.poll() is None:
            self.child.kill()
            self.child.wait()


def run_search(
    command: Sequence[str],
    text: Optional[str],
    on_line: Callable[[str], None],
    environment: Optional[Mapping[str, str]] = None,
) -> Ended:
    """Runs a command to its end; on_line gets each line of its stderr.

    text: for its stdin. environment: variables to set besides those of this
    process. An exception of on_line ends the child and is raised.
    """
    with tempfile.TemporaryFile() as stdin:
        # A file: a pipe that the child does not empty would block this side.
        stdin.write((text or "").encode())
        stdin.seek(0)
        child = subprocess.Popen(
            command,
            stdin=stdin,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, **(environment or {})},
        )
    stop = _Stop(child)
    lines: List[str] = []
    assert child.stderr is not None
    try:
        while True:
            try:
                line = child.stderr.readline()
                if line:
                    decoded = line.decode("utf-8", "replace").rstrip("\r\n")
                    lines.append(decoded)
                    on_line(decoded)
                    continue
                child.wait()
                return Ended(child.returncode, lines)
            except KeyboardInterrupt:
                stop()
    finally:
        stop.kill()
        child.stderr.close()
