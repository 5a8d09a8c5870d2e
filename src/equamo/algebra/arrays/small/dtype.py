"""Kinds of the entries of an array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, final

_FITS: Final = 2**63  # a larger integer is an object


@final
@dataclass(frozen=True, slots=True)
class Dtype:
    """Kind of the entries: "f" real, "i" integer, "b" truth, "c" complex, "U" text, "O" any other."""

    kind: str
    itemsize: int = 8
    isnative: bool = True

    def __eq__(self, other: object) -> bool:
        if is_real(other):
            return self.kind == "f"
        return isinstance(other, Dtype) and self.kind == other.kind

    def __hash__(self) -> int:
        return hash(self.kind)

    def __str__(self) -> str:
        return {"f": "float64", "i": "int64", "b": "bool", "c": "complex128"}.get(
            self.kind, "object"
        )


@final
@dataclass(frozen=True, slots=True)
class Flags:
    """Properties of the memory, which a list always has."""

    aligned: bool = True


def is_real(dtype: object) -> bool:
    """Whether a dtype is that of doubles, by its name or as a type."""
    return dtype in (float, "float64") or getattr(dtype, "__name__", "") == "float64"


def kind_of(numbers: Sequence[Any]) -> Dtype:
    """Common kind of some entries; that of no entries is "f"."""
    kinds = {_kind(x) for x in numbers}
    for kind in "OUcfib":
        if kind in kinds:
            return Dtype(kind)
    return Dtype("f")


def _kind(x: Any) -> str:
    if isinstance(x, bool):
        return "b"
    if isinstance(x, int):
        return "i" if -_FITS <= x < _FITS else "O"
    if isinstance(x, float):
        return "f"
    return "c" if isinstance(x, complex) else "U" if isinstance(x, str) else "O"
