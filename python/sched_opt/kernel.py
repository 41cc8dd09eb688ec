"""Compiled functions that take and return NumPy arrays.

    f = sched_opt.compile("f.mlir", work_dir="tuned", threads=2)
    c = f(a, b)                   # checks the arrays, allocates the result
    f(a, b, out=c)                # the same without allocating
    packed = f.pack(1, b)         # an operand that is free in its layout, once
    f(a, packed, out=c)

Calls go through ctypes, with one pointer a tensor. Read next: header.py.
"""

from __future__ import annotations

import ctypes
import math
import os
import statistics
import time
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from .errors import DtypeError, SchedError, ShapeError
from .header import Function, Tensor, parse_header
from .link import link_shared
from .tools import Source, TemporaryFolder, format_options, read_source, run_tool

# What code runs fastest on (see the header that sched-opt writes).
ALIGNMENT = 64


def empty_aligned(shape: Sequence[int], dtype: Any) -> np.ndarray:
    """As numpy.empty, at an address that is a multiple of 64 bytes."""
    kind = np.dtype(dtype)
    size = math.prod(shape) * kind.itemsize
    raw = np.empty(size + ALIGNMENT, dtype=np.uint8)
    begin = -raw.ctypes.data % ALIGNMENT
    return raw[begin : begin + size].view(kind).reshape(tuple(shape))


@dataclass(frozen=True)
class Packed:
    """An operand in the layout that one function of one library wants."""

    buffer: np.ndarray
    function: Function
    index: int


@dataclass(frozen=True)
class Timing:
    """costs_s: seconds a call, one entry a repeat, in the order measured."""

    costs_s: Tuple[float, ...]

    @property
    def seconds(self) -> float:
        """Their median."""
        return statistics.median(self.costs_s)


class Kernel:
    """One function of a library; call it with arrays."""

    def __init__(self, library: ctypes.CDLL, function: Function):
        self.function = function
        self._library = library
        self._code = self._find(function)
        self._packers = {i: self._find(packer) for i, packer in function.packers.items()}

    def _find(self, function: Function) -> Any:
        code = getattr(self._library, function.name)
        code.restype = None
        code.argtypes = [ctypes.c_void_p] * (len(function.inputs) + len(function.results))
        return code

    @property
    def name(self) -> str:
        return self.function.name

    @property
    def inputs(self) -> List[Tensor]:
        """Operands as the MLIR has them: name, element, shape."""
        return [self.function.get_input(i) for i in range(len(self.function.inputs))]

    @property
    def results(self) -> List[Tensor]:
        return self.function.results

    def __repr__(self) -> str:
        return f"<sched_opt.Kernel {self.function}>"

    def _check(self, array: Any, tensor: Tensor, what: str, written: bool = False) -> np.ndarray:
        """`array` if a pointer to it may be passed for `tensor`; else an error."""
        if not isinstance(array, np.ndarray):
            is_scalar = isinstance(array, (bool, int, float, np.generic))
            if written or tensor.shape or not is_scalar:
                raise DtypeError(
                    f"{self.name}: found {type(array).__name__} for {what}, expected a"
                    f" numpy.ndarray of {tensor}; convert it with numpy.asarray"
                )
            array = np.asarray(array, dtype=tensor.element.dtype)
        element = tensor.element
        kind = array.dtype
        if kind != element.dtype and kind.name not in element.others:
            hint = f"convert it with .astype('{element.dtype.name}')"
            if element.name == "bf16":
                hint = "convert it with sched_opt.to_bfloat16"
            elif not kind.isnative and kind.newbyteorder("=") == element.dtype:
                hint = "it has the bytes of another machine; " + hint
            raise DtypeError(
                f"{self.name}: found dtype {kind} for {what}, expected {element.dtype}"
                f" ({tensor}); {hint}"
            )
        if array.shape != tensor.shape:
            raise ShapeError(
                f"{self.name}: found shape {array.shape} for {what}, expected {tensor.shape}"
                f" ({tensor}); shapes are fixed when the code is compiled"
            )
        if not array.flags.c_contiguous:
            raise ShapeError(
                f"{self.name}: found strides {array.strides} for {what}, expected dense rows;"
                " copy it with numpy.ascontiguousarray"
            )
        if array.ctypes.data % element.dtype.alignment:
            raise ShapeError(
                f"{self.name}: found {what} at an odd address, expected a multiple of"
                f" {element.dtype.alignment} bytes; copy it with .copy()"
            )
        if written and not array.flags.writeable:
            raise ShapeError(f"{self.name}: found a read-only array for {what}; copy it")
        return array

    def pack(self, index: int, array: np.ndarray) -> Packed:
        """Operand number `index` as the code wants it, to be passed in place of
        the array. Do it again when the array's content changes. Where the schedule
        takes the operand as it is, nothing is copied."""
        if not 0 <= index < len(self.function.inputs):
            raise ShapeError(
                f"{self.name}: found operand {index}, expected 0 to"
                f" {len(self.function.inputs) - 1}: {self.function}"
            )
        source = self._check(array, self.function.get_input(index), f"argument {index}")
        packer = self.function.packers.get(index)
        if packer is None:
            return Packed(source, self.function, index)
        result = packer.results[0]
        buffer = empty_aligned(result.shape, result.element.dtype)
        self._packers[index](source.ctypes.data, buffer.ctypes.data)
        return Packed(buffer, self.function, index)

    def _prepare_inputs(self, arrays: Sequence[Any]) -> List[np.ndarray]:
        expected = self.function.inputs
        if len(arrays) != len(expected):
            raise ShapeError(
                f"{self.name}: found {len(arrays)} arguments, expected {len(expected)}:"
                f" {self.function}"
            )
        prepared = []
        for i, array in enumerate(arrays):
            if isinstance(array, Packed):
                if array.function is not self.function or array.index != i:
                    raise ShapeError(
                        f"{self.name}: found an operand packed for argument {array.index} of"
                        f" another function or library ({array.function.name}) for argument {i};"
                        " pack it with this function's pack"
                    )
                prepared.append(array.buffer)
            elif i in self.function.packers:
                prepared.append(self.pack(i, array).buffer)
            else:
                prepared.append(self._check(array, expected[i], f"argument {i}"))
        return prepared

    def _prepare_results(self, out: Any, inputs: Sequence[np.ndarray]) -> List[np.ndarray]:
        expected = self.function.results
        if out is None:
            return [empty_aligned(tensor.shape, tensor.element.dtype) for tensor in expected]
        given = list(out) if isinstance(out, (tuple, list)) else [out]
        if len(given) != len(expected):
            raise ShapeError(
                f"{self.name}: found {len(given)} arrays in out, expected {len(expected)}"
            )
        checked: List[np.ndarray] = []
        for i, array in enumerate(given):
            result = self._check(array, expected[i], f"out {i}", written=True)
            if any(np.may_share_memory(result, other) for other in (*inputs, *checked)):
                raise ShapeError(
                    f"{self.name}: found out {i} in the memory of another array, expected one of"
                    " its own; the code reads what it has not written yet"
                )
            checked.append(result)
        return checked

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        """The results: an array, or a tuple of them where there are several.

        arrays: dense, of the shapes and dtypes of `inputs`; bf16 is uint16
        (elements.py); an operand of no dimensions may be a number; one that is
        packed may be a Packed, else it is packed by each call. out: where the
        results go, an array or a tuple. Raises DtypeError, ShapeError.
        """
        inputs = self._prepare_inputs(arrays)
        results = self._prepare_results(out, inputs)
        self._code(*(array.ctypes.data for array in (*inputs, *results)))
        return results[0] if len(results) == 1 else tuple(results)

    def time(self, *arrays: Any, repeats: int = 7, min_repeat_ms: float = 100.0) -> Timing:
        """Times calls on these arrays, with packing, checks and allocation left out.

        Each of `repeats` entries is the mean of as many calls as last
        min_repeat_ms. ctypes adds about half a microsecond a call; sched-run,
        evaluate, adds none.
        """
        inputs = self._prepare_inputs(arrays)
        results = self._prepare_results(None, inputs)
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in (*inputs, *results)]
        code, calls = self._code, 1
        while True:
            begin = time.perf_counter()
            for _ in range(calls):
                code(*pointers)
            passed = time.perf_counter() - begin
            if passed * 1e3 >= min_repeat_ms or passed > 1:
                break
            calls = max(calls * 2, int(1.1 * calls * min_repeat_ms / 1e3 / max(passed, 1e-9)))
        costs = []
        for _ in range(repeats):
            begin = time.perf_counter()
            for _ in range(calls):
                code(*pointers)
            costs.append((time.perf_counter() - begin) / calls)
        return Timing(tuple(costs))


class Library:
    """The functions of a compiled module, by name: library.f or library["f"].

    Where there is one, the library itself is called, packs and times as it.
    """

    def __init__(
        self, path: str, functions: Dict[str, Function], folder: Optional[TemporaryFolder] = None
    ):
        self.path = path
        # A temporary folder goes with the library.
        self._folder = folder
        try:
            self._code = ctypes.CDLL(os.path.abspath(path))
        except OSError as error:
            raise SchedError(f"cannot load '{path}': {error}") from error
        self.kernels = {name: Kernel(self._code, each) for name, each in functions.items()}

    def __getitem__(self, name: str) -> Kernel:
        if name not in self.kernels:
            raise KeyError(f"found no function '{name}'; there are {', '.join(self.kernels)}")
        return self.kernels[name]

    def __getattr__(self, name: str) -> Kernel:
        kernels = self.__dict__.get("kernels", {})
        if name not in kernels:
            raise AttributeError(f"found no function '{name}'; there are {', '.join(kernels)}")
        return kernels[name]

    @property
    def only(self) -> Kernel:
        """The one function; SchedError where there are several."""
        if len(self.kernels) != 1:
            raise SchedError(
                f"found {len(self.kernels)} functions, expected one; choose: "
                + ", ".join(self.kernels)
            )
        return next(iter(self.kernels.values()))

    def __call__(self, *arrays: Any, out: Any = None) -> Any:
        return self.only(*arrays, out=out)

    def pack(self, index: int, array: np.ndarray) -> Packed:
        return self.only.pack(index, array)

    def time(self, *arrays: Any, **options: Any) -> Timing:
        return self.only.time(*arrays, **options)

    def __repr__(self) -> str:
        functions = "; ".join(str(kernel.function) for kernel in self.kernels.values())
        return f"<sched_opt.Library {functions}>"


@dataclass(frozen=True)
class Built:
    """The files of a compiled module: object and header for C, and a shared
    library of them."""

    object: str
    header: str
    library: str


def build(
    source: Source,
    folder: "str | os.PathLike[str]",
    work_dir: "str | os.PathLike[str] | None" = None,
    target: str = "native",
    threads: Optional[int] = None,
    schedule: Optional[bool] = None,
    name: str = "kernel",
    **options: Any,
) -> Built:
    """Compiles a module to `folder`: NAME.o, NAME.h, NAME.so.

    work_dir: take the best schedules of the records there (--apply-history-best);
    without, the model's guess, with nothing measured; schedule=False: the code as
    it is. target, threads: as for the search; None: all cores. options:
    more of the pipeline's. Raises ToolFailed, ToolNotFound.
    """
    path, text = read_source(source)
    directory = os.fspath(folder)
    os.makedirs(directory, exist_ok=True)
    built = Built(*(os.path.join(directory, name + suffix) for suffix in (".o", ".h", ".so")))
    arguments = [path, "--emit=obj", "-o", built.object, "--emit-header=" + built.header]
    chosen = {"target": target, "threads": threads, **options}
    if work_dir is not None:
        if schedule is False:
            raise SchedError("found both work_dir and schedule=False, expected one of them")
        chosen["work_dir"] = work_dir
        arguments.insert(0, "--apply-history-best=" + format_options(chosen))
    elif schedule is not False:
        chosen.update(trials=0, quiet=True)
        arguments.insert(0, "--auto-schedule=" + format_options(chosen))
    run_tool("sched-opt", arguments, text)
    with open(built.header, encoding="utf-8") as file:
        functions = parse_header(file.read())
    link_shared(
        built.object,
        built.library,
        openmp=any(function.threads > 1 for function in functions.values()),
    )
    return built


def load(library: "str | os.PathLike[str]", header: "str | os.PathLike[str]") -> Library:
    """A shared library and the header that sched-opt wrote for it."""
    with open(header, encoding="utf-8") as file:
        return Library(os.fspath(library), parse_header(file.read()))


def compile(
    source: Source,
    work_dir: "str | os.PathLike[str] | None" = None,
    target: str = "native",
    threads: Optional[int] = None,
    schedule: Optional[bool] = None,
    **options: Any,
) -> Library:
    """As build, to a folder of its own that ends with the library."""
    folder = TemporaryFolder()
    built = build(source, folder.name, work_dir, target, threads, schedule, **options)
    with open(built.header, encoding="utf-8") as file:
        return Library(built.library, parse_header(file.read()), folder)
