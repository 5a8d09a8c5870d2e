"""Programs of robots with loops and sticking contacts compute what their equations say."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import ZERO, Expr
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity.prove import prove_all
from equamo.code.ir.cost import cost
from equamo.code.ir.function import entries_of
from equamo.code.ir.functions import functions, program_equations
from equamo.code.ir.lookup import function_named, whole_functions
from equamo.code.ir.proof import prove_programs
from equamo.code.ir.specification import residuals
from equamo.code.jit.compiled import compile
from equamo.errors import UnknownFunctionError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.catalog import load
from loops_examples import bennett, double_parallelogram, four_bar
from standing import standing

ONLY = (
    "constraint_matrix",
    "constraint_bias",
    "closure",
    "constraint_forces",
    "constraint_inertia",
)
SOLVED = ("forward_dynamics", "forward_dynamics_inputs", "state_derivative")
JACOBIANS = (
    "forward_dynamics_derivatives",
    "constraint_forces_derivatives",
    "state_derivative_vjp",
)


ROBOTS: dict[str, Any] = {
    "revolute": lambda: four_bar("revolute"),
    "distance": lambda: four_bar("distance"),
    "fixed": lambda: four_bar("fixed"),  # the pin has no inertia: M is singular
    "overconstrained": bennett,
    "two loops": double_parallelogram,
    "standing": standing,
}


@cache
def equations(name: str) -> EquationsOfMotion:
    return derive(ROBOTS[name]())


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", ROBOTS)
def test_programs_are_the_equations(name: str) -> None:
    eom = equations(name)
    table = whole_functions(eom)
    names = [n for n in table if n.startswith((*ONLY, *SOLVED)) and table[n].size]
    if name not in ("revolute", "two loops") and not WHOLE_SWEEPS:
        names = [n for n in names if n in (*ONLY, *SOLVED, *JACOBIANS)]
    made = [(table[n], table[n].program()) for n in names]
    assert len(made) >= 8
    for n, proof in zip(names, prove_programs(eom, made, seed=1), strict=True):
        assert proof, f"{n}: {proof}"


@pytest.mark.parametrize("by", ["kane", "subs"])
def test_other_derivations(by: str) -> None:
    """Rows as derived, not by recursion."""
    robot = four_bar()
    eom = derive(robot).subs({"L1": "1/7"}) if by == "subs" else derive(robot, by=by)
    names = (*ONLY, *SOLVED, "forward_dynamics_derivatives")
    made = [(f, f.program()) for f in (function_named(eom, n) for n in names)]
    assert all(prove_programs(eom, made, seed=1))


def test_by_parameters() -> None:
    eom = equations("revolute")
    names = [
        f"{f}_by_L1__m2" for f in ("forward_dynamics", "constraint_forces", "state_derivative")
    ]
    made = [(f, f.program()) for f in (function_named(eom, n) for n in (*names, "closure_by_L2"))]
    assert all(prove_programs(eom, made, seed=1))


# -- what the specification refuses --------------------------------------------------------------------
def outputs(eom: EquationsOfMotion, name: str) -> list[Expr]:
    f = function_named(eom, name)
    return [e for x in f.outputs(f.ways[0]).values() for e in entries_of(x)]


def refuted(eom: EquationsOfMotion, name: str, y: list[Expr]) -> bool:
    zero = residuals(eom, function_named(eom, name), y)
    (proof,) = prove_all([zero], unit=eom.robot.unit_groups, seed=1)
    return proof.verdict == "refuted"


@pytest.mark.parametrize(
    "name", ["forward_dynamics", "forward_dynamics_inputs", "state_derivative"]
)
def test_dynamics_of_the_tree_are_refuted(name: str) -> None:
    eom = equations("revolute")
    assert refuted(eom, name, outputs(derive(eom.robot.tree), name))


def test_other_errors_are_refuted() -> None:
    eom = equations("revolute")
    lam, L = outputs(eom, "constraint_forces"), outputs(eom, "constraint_inertia")
    assert refuted(eom, "constraint_forces", [-x for x in lam])
    assert refuted(eom, "constraint_forces", [lam[1], lam[0], *lam[2:]])
    assert refuted(eom, "constraint_forces", [*lam[:-1], lam[0]])  # of a redundant row
    assert refuted(eom, "constraint_inertia", [2 * x for x in L])
    assert refuted(eom, "constraint_inertia", [*L[:-1], L[0]])
    slopes = outputs(eom, "forward_dynamics_derivatives")
    assert refuted(eom, "forward_dynamics_derivatives", [slopes[0] + 1, *slopes[1:]])
    assert refuted(eom, "constraint_forces_derivatives", [
        x + 1 if i == 0 else x for i, x in enumerate(outputs(eom, "constraint_forces_derivatives"))
    ])  # fmt: skip
    bias = outputs(eom, "constraint_bias")
    assert refuted(eom, "constraint_bias", [ZERO, *bias[1:]])


# -- numbers -------------------------------------------------------------------------------------------
def state(eom: EquationsOfMotion, seed: int = 1) -> tuple[np.ndarray, ...]:
    rng, robot = np.random.default_rng(seed), eom.robot
    q = rng.uniform(-1, 1, len(robot.q))
    for group in robot.state_space.quaternions:
        q[list(group)] /= np.linalg.norm(q[list(group)])
    return q, rng.uniform(-1, 1, len(robot.v)), rng.uniform(-1, 1, len(robot.v))


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ["revolute", "fixed", "standing"])
def test_accelerations_and_forces_solve_the_equations(name: str) -> None:
    eom = equations(name)
    fast, (q, v, tau) = compile(eom, cache=False), state(eom)
    a, lam = fast.forward_dynamics(q, v, tau), fast.constraint_forces(q, v, tau)
    A, kept = fast.constraint_matrix(q), [*eq.mobility(eom.robot).independent]
    rows = [i for i, r in enumerate(eom.robot.rows) if r.name in kept]
    size = np.abs(a).max() * np.abs(A).max()
    assert np.abs((A @ a + fast.constraint_bias(q, v))[rows]).max() < 1e-12 * size
    left = fast.inverse_dynamics(q, v, a)
    assert np.abs(left - tau - A.T @ lam).max() < 1e-12 * max(1, np.abs(left).max())
    assert all(lam[i] == 0 for i in range(len(lam)) if i not in rows)
    # −Λ A v is the impulse that stops A v
    impulse = -fast.constraint_inertia(q) @ A @ v
    x = np.linalg.lstsq(
        np.block([[fast.mass_matrix(q), -A[rows].T], [A[rows], np.zeros((len(rows),) * 2)]]),
        np.concatenate([np.zeros(len(v)), -(A @ v)[rows]]), rcond=None,
    )[0]  # fmt: skip
    assert np.allclose(impulse[rows], x[len(v) :], rtol=1e-9, atol=1e-12)


def test_minimal_form_moves_alike() -> None:
    """At u = W w, u̇ of the equations with multipliers is W ẇ + Ẇ w of those without."""
    whole, least = equations("revolute"), derive(four_bar(speeds="dq1"))
    fast, small = compile(whole, cache=False), compile(least, cache=False)
    q, _, tau = state(whole)
    w = np.array([0.7])
    W = np.array(least.evaluate(least.robot.speed_map.W, q=q, v=w), float)  # type: ignore[union-attr]
    u = W @ w
    moved = np.array([small.forward_dynamics(q, w, W.T @ tau)])[0]
    from equamo.mechanics.kinematics.chosen_speeds import ChosenSpeeds

    bias = np.array(least.evaluate(Vector(ChosenSpeeds(least.robot).bias), q=q, v=w), float)
    assert np.allclose(fast.forward_dynamics(q, u, tau), W @ moved + bias, rtol=1e-11)


@pytest.mark.ci
def test_derivatives_are_differences() -> None:
    eom = equations("standing")
    fast, given = compile(eom, cache=False), state(eom)
    for name in ("forward_dynamics", "constraint_forces"):
        f = getattr(fast, name)
        for k, slopes in enumerate(getattr(fast, f"{name}_derivatives")(*given)):
            for j in range(slopes.shape[1]):
                ends: list[np.ndarray] = []
                for h in (1e-6, -1e-6):
                    x = [y.copy() for y in given]
                    step = np.zeros(slopes.shape[1])
                    step[j] = h
                    x[k] = fast.integrate(x[0], step) if k == 0 else x[k] + step
                    ends.append(f(*x))
                found = (ends[0] - ends[1]) / 2e-6
                assert np.allclose(found, slopes[:, j], rtol=1e-6, atol=1e-6 * np.abs(slopes).max())


# -- names and shapes ----------------------------------------------------------------------------------
def test_functions_only_with_constraints() -> None:
    tree = derive(load("rr_arm"))
    assert not set(ONLY) & set(functions(tree))
    with pytest.raises(UnknownFunctionError, match="constraint_forces"):
        _ = compile(tree).constraint_forces
    chosen = functions(derive(four_bar(speeds="dq1")))  # its speeds satisfy the loop
    assert "constraint_forces" not in chosen
    eom = equations("revolute")
    shapes = {n: functions(eom)[n].results[0].shape for n in ONLY}
    assert shapes == {
        "constraint_matrix": (5, 3), "constraint_bias": (5,), "closure": (5,),
        "constraint_forces": (5,), "constraint_inertia": (5, 5),
    }  # fmt: skip


def test_points_are_held_in_a_short_frame() -> None:
    """A point of a floating body in the frame of the body: its columns are constants."""
    e = program_equations(equations("standing"))
    plain, short = e.rows.A, e.in_short_frames.rows.A
    assert short.shape == plain.shape
    hand = [row[:3] for row in short.rows[:3]]
    assert [[x.value for x in row] for row in hand] == [[1, 0, 0], [0, 1, 0], [0, 0, 1]]
    # Redundant rows cannot be rotated: those that remain span another space.
    planar = program_equations(equations("revolute"))
    assert planar.in_short_frames.rows.A.entries == planar.rows.A.entries
    assert program_equations(derive(four_bar(), by="kane")).in_short_frames.rows.kept == (0, 1)


def test_rows_by_recursion_are_cheaper() -> None:
    """They come from the joint axes, not from derivatives of φ."""
    eom = equations("standing")
    e = program_equations(eom)
    assert e.direct
    assert e.rows.whole.entries is not eom.constraint_matrix.entries
    bias = functions(eom)["constraint_bias"].program()
    from equamo.code.ir.lower import lower
    from equamo.code.ir.passes import optimise

    derived = optimise(lower("c", bias.arguments, {"c": eom.constraint_bias}))
    assert cost(bias).instructions < cost(derived).instructions
