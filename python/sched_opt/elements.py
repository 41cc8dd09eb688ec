"""Element types of tensors, in C's words and in NumPy's.

NumPy has no bfloat16: its values are bit patterns in uint16, and
to_bfloat16 and from_bfloat16 convert them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Dict, Tuple

import numpy as np


@dataclass(frozen=True)
class Element:
    """name: as MLIR has it; dtype: what an array must have; others: dtypes of
    the same bits that are taken, too; described: in the header's comments."""

    name: str
    dtype: np.dtype
    described: str
    others: Tuple[str, ...] = ()


ELEMENTS: Dict[str, Element] = {
    element.described: element
    for element in (
        Element("f32", np.dtype(np.float32), "float"),
        Element("f64", np.dtype(np.float64), "double"),
        Element("f16", np.dtype(np.float16), "IEEE half as uint16_t", ("uint16",)),
        Element("bf16", np.dtype(np.uint16), "bfloat16 as uint16_t", ("bfloat16",)),
        Element("i1", np.dtype(np.bool_), "bool"),
        Element("i8", np.dtype(np.int8), "int8_t"),
        Element("i16", np.dtype(np.int16), "int16_t"),
        Element("i32", np.dtype(np.int32), "int32_t"),
        # `index` is one, too.
        Element("i64", np.dtype(np.int64), "int64_t"),
        Element("ui8", np.dtype(np.uint8), "uint8_t"),
        Element("ui16", np.dtype(np.uint16), "uint16_t"),
        Element("ui32", np.dtype(np.uint32), "uint32_t"),
        Element("ui64", np.dtype(np.uint64), "uint64_t"),
    )
}


def to_bfloat16(values: Any) -> np.ndarray:
    """float32 values as bit patterns of bfloat16 (uint16), rounded to nearest even."""
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32).astype(np.uint64)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    # Rounding would turn some nan into infinity: keep it quiet instead.
    quiet = ((bits >> 16) | 0x40).astype(np.uint16)
    return np.where(np.isnan(np.asarray(values, dtype=np.float32)), quiet, rounded)


def from_bfloat16(bits: Any) -> np.ndarray:
    """Bit patterns of bfloat16 (uint16) as float32, exactly."""
    patterns = np.ascontiguousarray(bits, dtype=np.uint16).astype(np.uint32)
    return (patterns << np.uint32(16)).view(np.float32)
