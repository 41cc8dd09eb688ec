"""Finds and starts the programs that do the work.

sched-opt, sched-run and sched-db are looked for in this order: $SCHED_OPT (the file
sched-opt, or the folder that the programs are in), the build folder of the
checkout that this package is in ($SCHED_BUILD_DIR, else build), $PATH. Read
next: tuning.py, kernel.py.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import weakref
from pathlib import Path
from typing import List, Mapping, Optional, Sequence, Tuple, Union

from .errors import SchedError, ToolFailed, ToolNotFound

# MLIR's text, or where it is.
Source = Union[str, "os.PathLike[str]"]

_CHECKOUT = Path(__file__).resolve().parent.parent.parent


class TemporaryFolder:
    """A folder that is removed once nobody has this object."""

    def __init__(self) -> None:
        self.name = tempfile.mkdtemp(prefix="sched-opt-")
        weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)


def _runnable(path: Path) -> bool:
    return path.is_file() and os.access(path, os.X_OK)


def _named_folder(value: str) -> Path:
    """Of $SCHED_OPT: the folder that the programs are in."""
    path = Path(value)
    if path.is_dir():
        return path / "bin" if _runnable(path / "bin" / "sched-opt") else path
    return path.parent


def find_tool(name: str) -> str:
    """The path of a program; ToolNotFound says where it was looked for."""
    named = os.environ.get("SCHED_OPT")
    if named:
        path = Path(named) if name == "sched-opt" else _named_folder(named) / name
        if Path(named).is_dir():
            path = _named_folder(named) / name
        if _runnable(path):
            return str(path)
        raise ToolNotFound(
            f"found no program at '{path}', expected {name}; correct SCHED_OPT, which is"
            f" '{named}': the file sched-opt, or the folder that it is in"
        )
    build = Path(os.environ.get("SCHED_BUILD_DIR") or _CHECKOUT / "build")
    if _runnable(build / "bin" / name):
        return str(build / "bin" / name)
    found = shutil.which(name)
    if found:
        return found
    raise ToolNotFound(
        f"found no {name} in '{build / 'bin'}' or in PATH; build it with ./dev build, or set"
        " SCHED_OPT to the file sched-opt"
    )


def read_source(source: Source) -> Tuple[str, Optional[str]]:
    """What to give a tool for its input: a path and None, or "-" and the text.

    source: a path, or MLIR's text. A str of one line that names a file is a
    path; other text that does not look like MLIR is taken for a path that is
    not there.
    """
    if not isinstance(source, str):
        path = os.fspath(source)
        if not os.path.isfile(path):
            raise SchedError(f"found no file at '{path}', expected MLIR; correct the path")
        return path, None
    if "\n" not in source and os.path.isfile(source):
        return source, None
    if not any(sign in source for sign in ("func.func", "module", "\n")):
        raise SchedError(
            f"found no file at '{source}', expected the path of an .mlir file or the text of one"
        )
    return "-", source


def format_options(options: Mapping[str, object]) -> str:
    """Options of a pass as sched-opt takes them: work_dir="a b" -> work-dir='a b'.

    None leaves an option out; True and False become true and false. Which names
    and values there are is sched-opt's to say.
    """
    words = []
    for name, value in options.items():
        if value is None:
            continue
        if isinstance(value, bool):
            text = "true" if value else "false"
        elif isinstance(value, float):
            text = f"{value:.17g}"
        else:
            text = os.fspath(value) if isinstance(value, os.PathLike) else str(value)
        if not text or any(c in text for c in " \t\n'\"{}"):
            if "'" not in text:
                text = f"'{text}'"
            elif '"' not in text:
                text = f'"{text}"'
            else:
                raise SchedError(
                    f"found both kinds of quotes in {name}={text}, expected at most one;"
                    " sched-opt cannot be given such a value"
                )
        words.append(f"{name.replace('_', '-')}={text}")
    return " ".join(words)


def run_tool(
    name: str, arguments: Sequence[str], text: Optional[str] = None, quiet: bool = True
) -> str:
    """Runs a tool to its end and returns its stdout.

    text: for its stdin. quiet: keep its stderr for the error alone; else it
    goes where this process's stderr goes. Raises ToolFailed.
    """
    command: List[str] = [find_tool(name), *arguments]
    done = subprocess.run(
        command,
        input=text or "",
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if quiet else None,
        encoding="utf-8",
        errors="replace",
    )
    if done.returncode != 0:
        raise ToolFailed(command, done.returncode, done.stderr or "")
    return done.stdout
