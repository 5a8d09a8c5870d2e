"""Derivative functions against differences of 60-digit evaluations: all kinds of joints and forces."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from typing import Any

import pytest

from equamo.algebra.expr import Expr
from equamo.code.ir.derivatives import DYNAMICS, derivative_functions
from equamo.code.ir.function import Function, entries_of
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.catalog import load
from exact_differences import Differences, worst
from force_robots import arm, one_of_each
from random_trees import WHOLE_SWEEPS, random_tree

CLOSE = 1e-30
TREES = {
    "euler": ("free euler", "spherical euler"),
    "quaternions": ("free quaternion", "spherical quaternion"),
    "others": ("helical", "cylindrical", "custom"),
    "planar": ("planar", "fixed", "universal"),
}
ROBOTS = (*TREES, "forces", "rolling_disc", "wheeled_inverted_pendulum")
ROBOTS_OF_OTHER_COORDINATES = ("quaternions", "wheeled_inverted_pendulum")
ROBOTS += ("krang_on_wheels", "starleth") if WHOLE_SWEEPS else ()


@cache
def eom_of(name: str) -> EquationsOfMotion:
    if name in TREES:
        return derive(random_tree(3, bodies=TREES[name]).robot())
    if name == "forces":
        return derive(arm(*one_of_each()))
    return derive(load(name))


@cache
def case(name: str) -> Differences:
    return Differences(eom_of(name))


def parts(f: Function, here: Differences, given: dict[Expr, Any] | None = None) -> list[list[Any]]:
    """The results of a function in numbers, row by row."""
    values = [entries_of(x) for x in f.outputs(f.ways[0]).values()]
    assert [len(x) for x in values] == [y.size for y in f.results]
    return [here.values(x, here.state | (given or {})) for x in values]


def moves(here: Differences, wrt: str, last: str) -> list[list[Any]]:
    eom = here.eom
    groups: dict[str, Sequence[Expr]] = {"vdot": eom.vdot, "inputs": eom.inputs}
    tau = derivative_functions(eom)["forward_dynamics_jvp"].arguments[2].symbols
    ends = {"tau": tau, **groups}[last]
    return [here.moves(wrt), here.moves_of(eom.v), here.moves_of(ends)]


CASES = [(n, "tangent") for n in ROBOTS]
# By coordinates the columns are the same but for quaternions and eliminated coordinates.
CASES += [(n, "coordinates") for n in (ROBOTS if WHOLE_SWEEPS else ROBOTS_OF_OTHER_COORDINATES)]


@pytest.mark.sweep(10)
@pytest.mark.parametrize("of", [row[0] for row in DYNAMICS])
@pytest.mark.parametrize(("name", "wrt"), CASES)
def test_jacobians_and_products(name: str, wrt: str, of: str) -> None:
    """∂f, ∂f·δ and λᵀ∂f, by parameters and external loads as well."""
    here, eom = case(name), eom_of(name)
    table = derivative_functions(eom)
    end = "" if wrt == "tangent" else "_coordinates"
    last = {row[0]: row[2] for row in DYNAMICS}[of]
    f = getattr(here, of)
    expected = [here.jacobian(f, group) for group in moves(here, wrt, last)]
    found = parts(table[f"{of}_derivatives{end}"], here)
    assert [worst(a, b) < CLOSE for a, b in zip(found, expected, strict=True)] == [True] * 3

    jvp = table[f"{of}_jvp{end}"]
    delta = [a.symbols for a in jvp.arguments if a.name.startswith("delta_")]
    given = {s: here.number(k % 7 - 3) for group in delta for k, s in enumerate(group)}
    rows = len(found[1]) // len(eom.v)
    total = [here.number(0)] * rows
    for Y, group in zip(expected, delta, strict=True):
        m = len(group)
        for i in range(rows):
            total[i] += sum(Y[i * m + j] * given[s] for j, s in enumerate(group))
    assert worst(parts(jvp, here, given)[0], total) < CLOSE

    vjp = table[f"{of}_vjp{end}"]
    (lam,) = (a.symbols for a in vjp.arguments if a.name == "lam")
    given = {s: here.number(k % 5 - 2) for k, s in enumerate(lam)}
    ours = parts(vjp, here, given)
    for part, Y in zip(ours, expected, strict=False):
        m = len(part)
        theirs = [sum(given[s] * Y[i * m + j] for i, s in enumerate(lam)) for j in range(m)]
        assert worst(part, theirs) < CLOSE
    constants = [x for x in (eom.external, eom.parameters) if x]
    for part, symbols in zip(ours[3:], constants, strict=True):  # along one direction of them all
        step = {s: here.number(k % 7 - 3) / 8 for k, s in enumerate(symbols)}
        (column,) = here.columns(f, [here.moved(step)])
        slope = sum(w * y for w, y in zip(given.values(), column, strict=True))
        assert (
            worst([sum(x * y for x, y in zip(part, step.values(), strict=True))], [slope]) < CLOSE
        )


def second(here: Differences, wrt: str) -> tuple[list[Any], dict[Expr, Any], int]:
    """H in numbers, the values of λ, and the number of rows; H δ is checked on the way."""
    table = derivative_functions(here.eom)
    end = "" if wrt == "tangent" else "_coordinates"
    hessian, hvp = (table[f"inverse_dynamics_{x}{end}"] for x in ("hessian", "hvp"))
    (lam,) = (a.symbols for a in hessian.arguments if a.name == "lam")
    given = {s: here.number(k % 5 - 2) for k, s in enumerate(lam)}
    H, n = parts(hessian, here, given)[0], hessian.results[0].shape[0]
    (direction,) = (a.symbols for a in hvp.arguments if a.name == "direction")
    step = {s: here.number(k % 7 - 3) for k, s in enumerate(direction)}
    product = [sum(H[k * n + l] * step[s] for l, s in enumerate(direction)) for k in range(n)]
    assert worst(parts(hvp, here, given | step)[0], product) < CLOSE
    return H, given, n


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ROBOTS)
def test_tangent_hessian_is_iterated(name: str) -> None:
    """H[k, l] = D_k(D_l λ·ID): differences of the exact first derivatives."""
    here, eom = case(name), eom_of(name)
    H, lam, _ = second(here, "tangent")
    first = derivative_functions(eom)["inverse_dynamics_vjp"]
    slopes = [e for x in list(first.outputs(first.ways[0]).values())[:3] for e in entries_of(x)]
    moved = [*here.moves("tangent"), *here.moves_of(eom.v), *here.moves_of(eom.vdot)]
    rows = here.columns(lambda state: here.values(slopes, state | lam), moved)
    assert worst(H, [x for row in rows for x in row]) < CLOSE


def test_tangent_hessian_of_a_rotation() -> None:
    """It is not symmetric; ½(H + Hᵀ) is the second derivative along exp, at constant ω."""
    here = Differences(derive(random_tree(3, bodies=("spherical quaternion",)).robot()))
    H, lam, n = second(here, "tangent")
    assert max(abs(H[k * n + l] - H[l * n + k]) for k in range(n) for l in range(n)) > 1e-3
    mp, w = here.ring.context, [here.number(x) for x in (0.3, -0.5, 0.7)]
    length, weights, h = mp.sqrt(sum(x * x for x in w)), list(lam.values()), here.number(10) ** -18
    a = [here.state[x] for x in here.eom.q]

    def power(t: Any) -> Any:
        """λ·ID at q ∘ exp(t ω)"""
        b = [mp.cos(t * length / 2), *(mp.sin(t * length / 2) * x / length for x in w)]
        product = [
            a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
            a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
            a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
            a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
        ]
        state = here.state | dict(zip(here.eom.q, product, strict=True))
        torque = here.inverse_dynamics(state)
        return sum(x * y for x, y in zip(weights, torque, strict=True))

    twice = (power(h) - 2 * power(here.number(0)) + power(-h)) / h**2
    form = sum(w[k] * H[k * n + l] * w[l] for k in range(3) for l in range(3))
    assert worst([form], [twice]) < 1e-20


@pytest.mark.parametrize("name", ROBOTS)
def test_hessian_by_coordinates_is_the_ordinary_one(name: str) -> None:
    """Symmetric, and δᵀHε is the mixed difference of λ·ID(x/|x|) along any δ and ε."""
    here, eom = case(name), eom_of(name)
    H, lam, n = second(here, "coordinates")
    assert worst(H, [H[l * n + k] for k in range(n) for l in range(n)]) < CLOSE
    x = (*eom.q, *eom.v, *eom.vdot)
    h, r, weights = here.number(10) ** -14, Random(5), list(lam.values())

    def power(step: list[Any]) -> Any:
        moved = {s: here.state[s] + d for s, d in zip(x, step, strict=True)}
        torque = here.inverse_dynamics(here.normalised(here.state | moved))
        return sum(w * t for w, t in zip(weights, torque, strict=True))

    for _ in range(4):
        d, e = ([here.number(r.uniform(-1, 1)) for _ in x] for _ in range(2))
        corners = [(a, b, power([h * (a * p + b * q) for p, q in zip(d, e, strict=True)]))
                   for a in (-1, 1) for b in (-1, 1)]  # fmt: skip
        mixed = sum(a * b * f for a, b, f in corners) / (4 * h**2)
        product = sum(d[k] * H[k * n + l] * e[l] for k in range(n) for l in range(n))
        assert worst([product], [mixed]) < 1e-22
