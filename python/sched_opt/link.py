"""From an object to a shared library, with the system's compiler or linker."""

from __future__ import annotations

import ctypes.util
import os
import shutil
import subprocess
from glob import glob
from typing import List, Optional

from .errors import ToolFailed, ToolNotFound

_COMPILERS = ("clang-22", "clang", "cc", "gcc")
_LINKERS = ("ld.lld-22", "ld.lld", "ld")


def find_linker() -> str:
    """$CC, a C compiler, or a linker; ToolNotFound where there is none."""
    named = os.environ.get("CC", "").split()
    if named:
        found = shutil.which(named[0])
        if not found:
            raise ToolNotFound(f"found no program '{named[0]}', expected a compiler; correct CC")
        return found
    for name in (*_COMPILERS, *_LINKERS):
        found = shutil.which(name)
        if found:
            return found
    raise ToolNotFound(
        f"found none of {', '.join(_COMPILERS + _LINKERS)}, which an object is linked with;"
        " install a C compiler or lld, or set CC"
    )


def _is_linker(path: str) -> bool:
    return os.path.basename(path).startswith("ld")


def find_openmp(linker: str) -> str:
    """The path of LLVM's OpenMP runtime; ToolNotFound where there is none.

    $SCHED_OPENMP, what the compiler says, the folders of LLVM's packages, what
    the loader finds.
    """
    named = os.environ.get("SCHED_OPENMP")
    if named:
        if os.path.isfile(named):
            return named
        raise ToolNotFound(f"found no file at '{named}', expected libomp; correct SCHED_OPENMP")
    if not _is_linker(linker):
        done = subprocess.run(
            [linker, "-print-file-name=libomp.so"], stdout=subprocess.PIPE, text=True
        )
        if os.path.isfile(done.stdout.strip()):
            return os.path.realpath(done.stdout.strip())
    for path in sorted(glob("/usr/lib/llvm-*/lib/libomp.so"), reverse=True):
        return path
    found: Optional[str] = ctypes.util.find_library("omp")
    if found:
        return found
    raise ToolNotFound(
        "found no libomp, which parallel loops run on; install libomp-22-dev, set SCHED_OPENMP"
        " to it, or use threads=1"
    )


def link_shared(object_path: str, library_path: str, openmp: bool) -> None:
    """Links an object into a shared library. Raises ToolNotFound, ToolFailed."""
    linker = find_linker()
    command: List[str] = [linker, "-shared", object_path, "-o", library_path]
    if openmp:
        runtime = find_openmp(linker)
        folder = os.path.dirname(runtime)
        if folder:
            flag = "-rpath=" if _is_linker(linker) else "-Wl,-rpath,"
            command += [runtime, flag + folder]
        else:
            command.append("-l:" + runtime)
    if not _is_linker(linker):
        command.append("-lm")
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, errors="replace")
    if done.returncode != 0:
        raise ToolFailed(command, done.returncode, done.stderr)
