"""Operators of an array, entry by entry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, cast

from . import arithmetic


class Operators(ABC):
    """Base of SmallArray, which applies functions of numbers to entries."""

    __slots__ = ()

    @abstractmethod
    def _with(self, other: Any, function: Any, reverse: bool = False) -> Any:
        """A function of the entries of this array and another."""

    @abstractmethod
    def _each(self, function: Any) -> Any:
        """A function of the entries of this array."""

    def __add__(self, other: Any) -> Any:
        return self._with(other, arithmetic.add)

    def __radd__(self, other: Any) -> Any:
        return self._with(other, arithmetic.add, reverse=True)

    def __sub__(self, other: Any) -> Any:
        return self._with(other, arithmetic.subtract)

    def __rsub__(self, other: Any) -> Any:
        return self._with(other, arithmetic.subtract, reverse=True)

    def __mul__(self, other: Any) -> Any:
        return self._with(other, arithmetic.multiply)

    def __rmul__(self, other: Any) -> Any:
        return self._with(other, arithmetic.multiply, reverse=True)

    def __truediv__(self, other: Any) -> Any:
        return self._with(other, arithmetic.divide)

    def __rtruediv__(self, other: Any) -> Any:
        return self._with(other, arithmetic.divide, reverse=True)

    def __pow__(self, other: Any) -> Any:
        return self._with(other, arithmetic.power)

    def __mod__(self, other: Any) -> Any:
        return self._with(other, arithmetic.remainder)

    def __rpow__(self, other: Any) -> Any:
        return self._with(other, arithmetic.power, reverse=True)

    def __neg__(self) -> Any:
        return self._each(arithmetic.negative)

    def __abs__(self) -> Any:
        return self._each(abs)

    def __invert__(self) -> Any:
        return self._each(arithmetic.opposite)

    def _in_place(self, result: Any) -> Any:
        cast(Any, self)[...] = result
        return self

    def __iadd__(self, other: Any) -> Any:
        return self._in_place(self + other)

    def __isub__(self, other: Any) -> Any:
        return self._in_place(self - other)

    def __imul__(self, other: Any) -> Any:
        return self._in_place(self * other)

    def __itruediv__(self, other: Any) -> Any:
        return self._in_place(self / other)

    def __lt__(self, other: Any) -> Any:
        return self._with(other, arithmetic.less)

    def __le__(self, other: Any) -> Any:
        return self._with(other, arithmetic.less_equal)

    def __gt__(self, other: Any) -> Any:
        return self._with(other, arithmetic.greater)

    def __ge__(self, other: Any) -> Any:
        return self._with(other, arithmetic.greater_equal)

    def __eq__(self, other: object) -> Any:
        return self._with(other, arithmetic.equal)

    def __ne__(self, other: object) -> Any:
        return self._with(other, arithmetic.unequal)

    __hash__: None = None  # type: ignore[assignment]

    def __and__(self, other: Any) -> Any:
        return self._with(other, arithmetic.both)

    def __or__(self, other: Any) -> Any:
        return self._with(other, arithmetic.either)
