"""Substitution in equations of motion: quantities are derived first, then substituted, once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast, final
from weakref import WeakKeyDictionary

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...robot.model.read_only import ReadOnly
from .generalized_force import GeneralizedForce

if TYPE_CHECKING:
    from .equations import EquationsOfMotion

T = TypeVar("T")

DERIVED: Final[WeakKeyDictionary[Any, dict[str, Any]]] = (
    WeakKeyDictionary()
)  # {equations: {name: x}}


@final
@dataclass(frozen=True, slots=True)
class Replaced:
    """Original equations, and the substitutions in them, step by step."""

    whole: EquationsOfMotion
    steps: tuple[Mapping[Any, Any], ...]


def replace_in(x: T, steps: tuple[Mapping[Any, Any], ...]) -> T:
    """Substitute symbols in an expression, vector, matrix or mapping of them."""
    result: Any = x
    for step in steps:
        result = _one(result, step)
    return cast(T, result)


def _one(x: Any, step: Mapping[Any, Any]) -> Any:
    if isinstance(x, GeneralizedForce):
        energy = None if x.energy is None else x.energy.subs(step)
        return GeneralizedForce(x.subs(step), x.names, energy)
    if isinstance(x, (Expr, Vector, Matrix)):
        return x.subs(step)
    if isinstance(x, ReadOnly):
        table = cast(ReadOnly[Any, Any], x)
        return type(table)((_one(key, step), _one(value, step)) for key, value in table.items())
    return x


class quantity_property(cached_property[T]):  # noqa: N801  (a decorator)
    """Cached quantity of the equations; after `subs` it is computed from the original ones."""

    def __get__(self, instance: Any, owner: type[Any] | None = None) -> T:  # pyright: ignore
        if instance is None:
            return super().__get__(instance, owner)  # pyright: ignore
        name = cast(str, self.attrname)
        if name not in instance.__dict__:
            if instance.replaced is None:
                found = self.func(instance)
            else:
                whole = getattr(instance.replaced.whole, name)
                found = replace_in(whole, instance.replaced.steps)
            instance.__dict__[name] = found
            DERIVED.setdefault(instance, {})[name] = found
        return instance.__dict__[name]
