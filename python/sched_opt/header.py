"""Reads the C header that sched-opt writes beside an object.

Its comments say what C's types do not: shapes, half precision, which functions
pack an operand, and how many threads there are.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Dict, List, Tuple

from .elements import ELEMENTS, Element
from .errors import SchedError

_FUNCTION = re.compile(r"/\* (?P<name>\w+):\n(?P<comment>.*?) \*/\nvoid (?P=name)\(", re.S)
_TENSOR = re.compile(
    r"^ \*   (?P<name>(?:arg|result)\d+): (?P<element>[^\[,]+)(?P<shape>(?:\[\d+\])*),"
    r" (?P<use>read|written)$",
    re.M,
)
_THREADS = re.compile(r"Parallel loops run on (\d+) threads")
_PACK = re.compile(r"^(?P<kernel>\w+)_pack_arg(?P<index>\d+)$")


@dataclass(frozen=True)
class Tensor:
    """A parameter: one pointer to dense, row-major elements."""

    name: str
    element: Element
    shape: Tuple[int, ...]

    def __str__(self) -> str:
        return "x".join([*map(str, self.shape), self.element.name])


@dataclass
class Function:
    """A function of an object. packers: by the position of a packed operand,
    the function that packs it; its own parameter then has the packed shape."""

    name: str
    inputs: List[Tensor]
    results: List[Tensor]
    threads: int = 1
    packers: Dict[int, "Function"] = field(default_factory=dict)

    def get_input(self, index: int) -> Tensor:
        """An operand as the user has it, before any packing."""
        if index in self.packers:
            return self.packers[index].inputs[0]
        return self.inputs[index]

    def __str__(self) -> str:
        inputs = ", ".join(str(self.get_input(i)) for i in range(len(self.inputs)))
        return f"{self.name}({inputs}) -> ({', '.join(map(str, self.results))})"


def _parse_tensor(match: "re.Match[str]") -> Tensor:
    element = ELEMENTS.get(match["element"])
    if element is None:
        raise SchedError(
            f"found the element type '{match['element']}' in a header, expected one of"
            f" {', '.join(ELEMENTS)}; use the package of the same version as sched-opt"
        )
    shape = tuple(int(size) for size in re.findall(r"\d+", match["shape"]))
    return Tensor(match["name"], element, shape)


def parse_header(text: str) -> Dict[str, Function]:
    """The functions that a header declares, by name, without those for packing."""
    functions: Dict[str, Function] = {}
    packers: Dict[str, Function] = {}
    for match in _FUNCTION.finditer(text):
        tensors = list(_TENSOR.finditer(match["comment"]))
        threads = _THREADS.search(match["comment"])
        function = Function(
            name=match["name"],
            inputs=[_parse_tensor(t) for t in tensors if t["use"] == "read"],
            results=[_parse_tensor(t) for t in tensors if t["use"] == "written"],
            threads=int(threads[1]) if threads else 1,
        )
        if "Size of the packed buffer" in match["comment"]:
            continue
        is_packer = "takes the packed buffer" in match["comment"]
        (packers if is_packer else functions)[function.name] = function
    for name, packer in packers.items():
        packed = _PACK.match(name)
        if not packed or packed["kernel"] not in functions:
            raise SchedError(f"found the function {name}, expected KERNEL_pack_argN")
        functions[packed["kernel"]].packers[int(packed["index"])] = packer
    if not functions:
        raise SchedError("found no functions in the header, expected one or more of @func.func")
    return functions
