"""Recorded steps: they end in the result, reproduce it, and do not change it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache

import pytest

from equamo.algebra.expr import ZERO, Expr
from equamo.algebra.expr.differentiate import gradient
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_zero
from equamo.errors import UnknownNameError
from equamo.mechanics.equations import FORMULATIONS, derivation
from equamo.mechanics.equations.derive import formulate
from equamo.mechanics.formulations import kane
from equamo.mechanics.formulations.derivation import Derivation
from equamo.mechanics.kinematics.quantity_name import QuantityName
from equamo.mechanics.kinematics.steps import Step
from equamo.robot.library import load
from equamo.robot.model import BaseMotion, Robot, joint_actuator, rotor_inertia
from equamo.robot.model.edits import copy_with
from random_trees import random_tree

MOVING = BaseMotion(*(" ".join(f"{n}_{c}" for c in "xyz") for n in ("w0", "v0", "alpha0", "a0")))


@cache
def robots() -> dict[str, Robot]:
    arm = load("rr_arm")
    return {
        "tree": random_tree(3, kinds=("revolute", "prismatic", "helical"), bodies=4).robot(),
        "quaternion": random_tree(7, bodies=["free quaternion", "revolute", "fixed"]).robot(),
        "moving base": random_tree(2, most=3, speeds=4).robot(base=MOVING),
        "chosen speeds": load("wheeled_inverted_pendulum"),
        "rotors": copy_with(arm, forces=(*arm.forces, rotor_inertia("q2", "Jm", "N"))),
        # Force elements called like the cases of recorded names.
        "odd names": copy_with(
            arm, forces=(joint_actuator("q1", name="gravity"), joint_actuator("q2", name="bias"))
        ),
    }


CASES = [(name, by) for name in robots() for by in FORMULATIONS]


@cache
def recorded(name: str, by: str) -> Derivation:
    return derivation(robots()[name], by)


def latest(steps: Iterable[Step]) -> dict[QuantityName, Step]:
    return {s.quantity: s for s in steps}


def named_entries(robot: Robot, D: Derivation) -> Iterator[tuple[QuantityName, Expr]]:
    v = [x.name for x in robot.v]
    for i, a in enumerate(v):
        yield QuantityName("bias", by=(a,)), D.bias[i]
        yield QuantityName("gravity", by=(a,)), D.gravity[i]
        for j in range(i, len(v)):
            yield QuantityName("M", by=(a, v[j])), D.mass_matrix[i, j]
        for name, f in D.forces.items():
            yield QuantityName("Q", by=(name, a)), f[i]


@pytest.mark.parametrize(("name", "by"), CASES)
def test_the_last_steps_are_the_result(name: str, by: str) -> None:
    D = recorded(name, by)
    last = latest(D.steps)
    for quantity, entry in named_entries(robots()[name], D):
        assert last[quantity].result is entry, quantity


@pytest.mark.parametrize(("name", "by"), CASES)
def test_recording_changes_no_node(name: str, by: str) -> None:
    plain = formulate(robots()[name], by)
    assert plain.steps == ()
    assert all(x is y for x, y in zip(plain.entries, recorded(name, by).entries, strict=True))


@pytest.mark.parametrize(("name", "by"), CASES)
def test_a_step_is_made_from_steps_before_it(name: str, by: str) -> None:
    seen: set[Step] = set()
    for step in recorded(name, by).steps:
        assert step.formulation == by
        assert step.rule
        assert seen.issuperset(step.inputs)
        seen.add(step)
    # All entries of M that are not 0 come from somewhere.
    last = latest(recorded(name, by).steps)
    for quantity, step in last.items():
        if quantity.letter == "M" and step.result is not ZERO:
            assert step.inputs


@pytest.mark.parametrize("by", FORMULATIONS)
def test_nothing_is_made_without_a_recorder(by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a name or a step was made, though nobody asked")

    monkeypatch.setattr(QuantityName, "__init__", refuse)
    monkeypatch.setattr(Step, "__init__", refuse)
    for robot in robots().values():
        formulate(robot, by)
    with pytest.raises(AssertionError, match="nobody asked"):
        derivation(robots()["tree"], by)


# -- the results again, from the inputs of their steps ---------------------------------------------
def replayed(step: Step) -> Expr:
    """Σ F·V + T·ω from the results of the inputs."""
    total = ZERO
    for parts in zip(*[iter(step.inputs)] * 4, strict=True):
        F, T, V, w = (x.result for x in parts)
        assert isinstance(F, Vector)
        assert isinstance(T, Vector)
        assert isinstance(V, Vector)
        assert isinstance(w, Vector)
        total = total + F @ V + T @ w
    return total


@pytest.mark.parametrize("name", ["tree", "chosen speeds"])
@pytest.mark.parametrize("letter", ["M", "bias", "gravity"])
@pytest.mark.parametrize("by", ["kane", "projected_newton_euler"])
def test_steps_reproduce_the_result(by: str, letter: str, name: str) -> None:
    rules = {
        "(12)",
        "(21)",
        "(1.24)",
        "(1.25)",
        "(1.26)",
    }  # before speeds are inserted or projected
    found: list[Expr] = []
    for step in recorded(name, by).steps:
        if step.quantity.letter == letter and step.inputs and step.rule in rules:
            assert isinstance(step.result, Expr)
            sign = -1 if letter == "gravity" else 1  # weights are moved to the left-hand side
            found.append(sign * replayed(step) - step.result)
    assert len(found) > 2
    assert prove_zero(found, seed=1)


@pytest.mark.parametrize("letter", ["M", "bias", "gravity"])
def test_steps_of_gibbs_appell_reproduce_the_result(letter: str) -> None:
    """Σ_k ∂S/∂(a, α)·∂(a, α)/∂v̇_i from ∂S/∂(a, α), a and α of each body; its value or slope at v̇ = 0."""
    robot = robots()["tree"]
    vdot = {v.name: x for v, x in zip(robot.v, robot.vdot, strict=True)}
    found: list[Expr] = []
    for step in recorded("tree", "gibbs_appell").steps:
        if step.quantity.letter != letter or not step.inputs:
            continue
        by, total = [vdot[name] for name in step.quantity.by], ZERO
        for dS, a, alpha in zip(*[iter(step.inputs)] * 3, strict=True):
            assert isinstance(dS.result, Vector)
            assert isinstance(a.result, Vector)
            assert isinstance(alpha.result, Vector)
            assert dS.body == a.body == alpha.body
            moved = Vector([*a.result, *alpha.result])
            total = total + dS.result @ moved.diff(by[0])
        total = total.diff(by[1]) if letter == "M" else total.subs(dict.fromkeys(robot.vdot, ZERO))
        assert isinstance(step.result, Expr)
        found.append((-total if letter == "gravity" else total) - step.result)
    assert len(found) > 3
    assert prove_zero(found, seed=1)


def test_steps_of_lagrange_reproduce_the_mass_matrix() -> None:
    """(2) A_ij = ∂/∂q̇_j Σ_k p·∂V/∂q̇_i + L·∂ω/∂q̇_i from p, L, V, ω of each body."""
    robot = robots()["tree"]
    v = {x.name: x for x in robot.v}
    found: list[Expr] = []
    for step in recorded("tree", "lagrange").steps:
        if step.quantity.letter == "M" and step.inputs:
            i, j = (v[name] for name in step.quantity.by)
            total = ZERO
            for parts in zip(*[iter(step.inputs)] * 4, strict=True):
                p, L, V, w = (x.result for x in parts)
                assert isinstance(p, Vector)
                assert isinstance(L, Vector)
                assert isinstance(V, Vector)
                assert isinstance(w, Vector)
                total = total + p @ V.diff(i) + L @ w.diff(i)
            assert isinstance(step.result, Expr)
            found.append(total.diff(j) - step.result)
    assert len(found) > 3
    assert prove_zero(found, seed=1)


def test_energies_of_lagrange_are_the_sums_of_their_steps() -> None:
    last = latest(recorded("tree", "lagrange").steps)
    for letter, sign in (("E", 1), ("U", -1)):
        whole = last[QuantityName(letter)]
        total = ZERO
        for x in whole.inputs:
            assert isinstance(x.result, Expr)
            assert x.quantity.minus == (sign < 0)
            total = total + sign * x.result
        assert total is whole.result
        later = "bias" if letter == "E" else "gravity"
        entries = [s for q, s in last.items() if q.letter == later]
        assert entries
        assert all(s.inputs == (whole,) for s in entries)
    robot = robots()["tree"]
    U = last[QuantityName("U")].result
    assert isinstance(U, Expr)
    for v, g in zip(robot.v, gradient(U, robot.q), strict=True):  # (5) Q = ∂U/∂q
        assert last[QuantityName("gravity", by=(v.name,))].result is g


def test_steps_of_the_recursion_project_forces_on_the_axes() -> None:
    robot, last = robots()["tree"], latest(recorded("tree", "recursive").steps)
    found: list[Expr] = []
    for b in robot.bodies:
        for S, i in zip(b.subspace, robot.columns(b), strict=True):
            name = robot.v[i].name
            rows = [q for q in last if q.letter == "M" and q.by[0] == name and last[q].inputs]
            rows += [QuantityName("bias", by=(name,)), QuantityName("gravity", by=(name,))]
            for q in rows:
                F, N = last[q].inputs
                assert (F.quantity.letter, N.quantity.letter) == ("F", "N")
                assert F.body == N.body == b.name
                assert (F.quantity.case or "M") == q.letter
                assert isinstance(F.result, Vector)
                assert isinstance(N.result, Vector)
                entry = last[q].result
                assert isinstance(entry, Expr)
                found.append(S.angular @ N.result + S.linear @ F.result - entry)
    assert prove_zero(found, seed=1)


def test_recorded_inertia_forces_are_those_that_kane_goes_on_with(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Vector] = []
    original = kane._inertia_force  # pyright: ignore[reportPrivateUsage]

    def spy(*args: object) -> tuple[Vector, Vector]:
        made.extend(pair := original(*args))  # type: ignore[arg-type]
        return pair

    monkeypatch.setattr(kane, "_inertia_force", spy)
    D = derivation(robots()["tree"], "kane")
    steps = [s for s in D.steps if s.quantity.letter in ("F", "T") and s.rule == "(12)"]
    assert len(steps) == len(made)
    assert all(s.result is x for s, x in zip(steps, made, strict=True))


def test_granularity() -> None:
    rules = {by: {s.rule for s in recorded("tree", by).steps} for by in FORMULATIONS}
    assert {"(3)", "(4)", "(5)", "(6)", "∂(3)", "∂(5)", "(12)", "(21)"} <= rules["kane"]
    assert {"(2)", "(3)", "(5)", "(11)", "(15)"} <= rules["lagrange"]
    numbers = {f"(1.{k})" for k in (10, 15, 16, 19, 20, 22, 24, 25, 26)}
    assert numbers <= rules["projected_newton_euler"]
    assert {"(3)", "(4)", "(5)", "(6)", "S_k", "∂S/∂(a, α)"} <= rules["gibbs_appell"]
    assert {"f = m a + U MS", "f_i += A f", "I_i += moved I_j"} <= rules["recursive"]


def test_rotors_chosen_speeds_and_base_motion_are_steps() -> None:
    for by in FORMULATIONS:
        if by != "recursive":
            changed = [s for s in recorded("rotors", by).steps if "I_a" in s.rule]
            assert [s.quantity.text for s in changed] == ["M_dq2_dq2"]
            assert changed[0].inputs[0].quantity == changed[0].quantity
        rule = "u = W v" if by == "kane" else "Wᵀ M W"
        assert rule in {s.rule for s in recorded("chosen speeds", by).steps}
        assert "motion of the base" in {s.rule for s in recorded("moving base", by).steps}


def test_unknown_formulation() -> None:
    with pytest.raises(UnknownNameError):
        derivation(load("rr_arm"), by="newton")
