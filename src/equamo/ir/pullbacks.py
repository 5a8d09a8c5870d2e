"""Product λᵀ ∂f with the derivative of any function by its arguments: `gravity_vjp`, `pose_hand_vjp`.

By one reverse sweep over λ·f, with one λ per entry of f, row by row, and one result per argument of f:
external loads and parameters too. The dynamics have programs of their own (`dynamics_products`), which
do not differentiate a solve. By coordinates the name ends in `_vjp_coordinates`. Such a product is a
function again, so `gravity_vjp_vjp` has second derivatives, D_k(D_l f) along `Directions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Final

from ..equations.equations import EquationsOfMotion
from ..expr import Expr, internal
from ..expr.differentiate import directional
from ..expr.vector import Vector, dot
from ..model.wrt import WRT, Wrt
from .derivative import Derivative
from .directions import Directions
from .function import Function, Result, Way, entries_of
from .program import Argument
from .variables import Group, Variables

ENDINGS: Final[dict[str, Wrt]] = {"_vjp" if wrt == "tangent" else f"_vjp_{wrt}": wrt for wrt in WRT}
_LAST: Final = ("external", "parameters")  # arguments that come after all others


def split_pullback(name: str) -> tuple[str, Wrt] | None:
    """(function, wrt) of the name of such a product; None if it is not one.

    >>> split_pullback("gravity_vjp_coordinates"), split_pullback("gravity")
    (('gravity', 'coordinates'), None)
    """
    for ending, wrt in ENDINGS.items():
        if name.endswith(ending):
            return name.removesuffix(ending), wrt
    return None


def pullback(eom: EquationsOfMotion, f: Function, wrt: Wrt) -> Function:
    """λᵀ ∂f by all arguments of a function.

    Args:
        eom: Equations of motion.
        f: The function. Its argument q, if it has one, are the coordinates of the robot.
        wrt: Directions of q: "tangent" or "coordinates".

    >>> from equamo.equations import derive
    >>> from equamo.ir.functions import functions
    >>> from equamo.robots import load
    >>> eom = derive(load("rr_arm"))
    >>> f = pullback(eom, functions(eom)["gravity"], "tangent")
    >>> [a.name for a in f.arguments], [str(y) for y in f.results]
    (['q', 'lam', 'parameters'], ['grad_q (2,)', 'grad_parameters (8,)'])
    """
    ending = next(e for e, x in ENDINGS.items() if x == wrt)
    known = {a.name for a in f.arguments}
    lam = [Argument(_unused(n, known), _multipliers(f, y)) for n, y in _named(f)]
    own, last = (
        [a for a in f.arguments if (a.name in _LAST) == is_last] for is_last in (False, True)
    )
    results = [Result(f"grad_{a.name}", (_size(eom, a, wrt),)) for a in f.arguments]
    ways: list[Way] = [partial(_pulled_back, eom, f, way, wrt, lam) for way in f.ways]
    return Function(
        f.name + ending,
        (*own, *lam, *last),
        tuple(results),
        tuple(ways),
        f.naming,
        derivative=Derivative(f.name, "vjp", wrt, base=f),
    )


def pullback_residual(
    eom: EquationsOfMotion, function: Function, y: Sequence[Expr], outputs: Sequence[Expr]
) -> Expr:
    """Σ gradient·δ − λ·D_δ y along symbols δ; y are the entries of the function itself."""
    d = function.derivative
    assert d is not None
    assert d.base is not None
    rest, total = list(outputs), dot((), ())
    rates: dict[Expr, Expr] = {}
    for a in d.base.arguments:
        n = _size(eom, a, d.wrt)
        step = [internal(f"virtual {a.name}", str(k)) for k in range(n)]
        total, rest = total + dot(rest[:n], step), rest[n:]
        if _is_configuration(eom, a):
            rates |= Directions(eom.robot, d.wrt).along(step)
        else:
            rates |= dict(zip(a.symbols, step, strict=True))
    names = {a.name for a in d.base.arguments}
    lam = [s for a in function.arguments if a.name not in names for s in a.symbols]
    return total - dot(lam, directional(y, rates))


def _pulled_back(
    eom: EquationsOfMotion, f: Function, way: Way, wrt: Wrt, lam: Sequence[Argument]
) -> tuple[Vector, ...]:
    entries = [e for value in f.outputs(way).values() for e in entries_of(value)]
    plain = tuple(Group(a.name, a.symbols) for a in f.arguments if not _is_configuration(eom, a))
    x = Variables(Directions(eom.robot, wrt), plain)
    found = x.split(x.gradient(dot([s for a in lam for s in a.symbols], entries)))
    parts = {"q": found[0]} | {g.name: y for g, y in zip(plain, found[1:], strict=True)}
    return tuple(parts[a.name] for a in f.arguments)


def _named(f: Function) -> list[tuple[str, Result]]:
    """Name of λ for each result."""
    if len(f.results) == 1:
        return [("lam", f.results[0])]
    return [(f"lam_{y.name}", y) for y in f.results]


def _unused(name: str, known: set[str]) -> str:
    """Name of an argument that the function does not have yet."""
    return _unused(f"{name}2", known) if name in known else name


def _multipliers(f: Function, y: Result) -> tuple[Expr, ...]:
    return tuple(internal(f"lam of {f.name}", f"{y.name} {k}") for k in range(y.size))


def _is_configuration(eom: EquationsOfMotion, a: Argument) -> bool:
    return a.name == "q" and a.symbols == eom.q


def _size(eom: EquationsOfMotion, a: Argument, wrt: Wrt) -> int:
    return len(Directions(eom.robot, wrt)) if _is_configuration(eom, a) else len(a)
