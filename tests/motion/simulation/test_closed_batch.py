"""Batches of runs on loops: projected in machine code, assembled starts, lost runs."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr import ZERO, Expr
from equamo.algebra.expr.evaluate import FLOATS, evaluate
from equamo.motion.simulation.closed_batch import mark_lost, mark_undetermined
from equamo.motion.simulation.closed_state import (
    _determinant,  # pyright: ignore[reportPrivateUsage]
    partition_determinant,
)
from loops_examples import four_bar, four_bar_home


@pytest.fixture(scope="module")
def eom() -> eq.EquationsOfMotion:
    return eq.derive(four_bar())


@pytest.fixture(scope="module")
def minimal() -> eq.EquationsOfMotion:
    return eq.derive(four_bar(speeds=("dq1",)))


@pytest.mark.ci
def test_runs_stay_on_the_loop_and_follow_the_simulation(eom: eq.EquationsOfMotion) -> None:
    runs = eq.rollout(eom, {"q1": [0.8, 1.1]}, {"dq1": 2.0}, step=1e-3, duration=0.5, every=50)
    phi = eom.evaluate("closure", q=runs.q.reshape(-1, 3))
    assert np.abs(phi).max() < 1e-14
    A = eom.evaluate("constraint_matrix", q=runs.q.reshape(-1, 3))
    assert np.abs(np.einsum("tij,tj->ti", A, runs.v.reshape(-1, 3))).max() < 1e-13
    motion = eq.simulate(eom, {"q1": 1.1}, {"dq1": 2.0}, duration=0.5)
    np.testing.assert_allclose(runs.q[1, -1], motion.q[-1], atol=1e-8)
    np.testing.assert_allclose(runs.v[1, -1], motion.v[-1], atol=1e-6)


@pytest.mark.parametrize("method", ["rk4", "semi_implicit_euler", "implicit_midpoint"])
def test_chosen_speeds_are_projected_too(minimal: eq.EquationsOfMotion, method: str) -> None:
    runs = eq.rollout(minimal, {"q1": [1.1]}, step=1e-3, duration=0.3, method=method)
    assert np.abs(minimal.evaluate("closure", q=runs.q[0])).max() < 1e-13
    motion = eq.simulate(minimal, {"q1": 1.1}, duration=0.3)
    tolerance = {"rk4": 1e-7, "implicit_midpoint": 1e-4}.get(method, 2e-2)
    np.testing.assert_allclose(runs.q[0, -1], motion.q[-1], atol=tolerance)


@pytest.mark.ci
def test_starts_are_assembled_around_what_was_named(eom: eq.EquationsOfMotion) -> None:
    runs = eq.rollout(eom, {"q1": [0.8, 1.2]}, step=1e-3, steps=1)
    for run, q1 in zip(runs.q, (0.8, 1.2), strict=True):
        expected = four_bar_home(q1)
        np.testing.assert_allclose(run[0], [expected[n] for n in ("q1", "q2", "q3")], atol=1e-12)
    with pytest.raises(eq.AssemblyError, match="loop 'closure'"):
        eq.rollout(eom, step=1e-3, steps=1, values={"L4": [0.45, 5.0]})


def test_lengths_may_differ_from_run_to_run(eom: eq.EquationsOfMotion) -> None:
    runs = eq.rollout(eom, step=1e-3, steps=20, values={"L4": [0.45, 0.43]})
    for run, L4 in zip(runs.q, (0.45, 0.43), strict=True):
        assert np.abs(eom.evaluate("closure", q=run, values={"L4": L4})).max() < 1e-14


def test_a_step_ends_on_the_loop(eom: eq.EquationsOfMotion) -> None:
    q, v = eq.compile(eom).step(*_start(eom), dt=0.02)
    assert np.abs(eom.evaluate("closure", q=q)).max() < 1e-13
    assert np.abs(eom.evaluate("constraint_matrix", q=q) @ v).max() < 1e-12


def _start(eom: eq.EquationsOfMotion) -> tuple[np.ndarray, np.ndarray]:
    state = eq.assemble(eom, {"q1": 1.0}, {"dq1": 3.0})
    return state.q, state.v


@pytest.mark.parametrize("form", ["augmented", "minimal", "contact"])
def test_derivatives_of_a_step_include_its_projection(
    form: str, eom: eq.EquationsOfMotion, minimal: eq.EquationsOfMotion
) -> None:
    used = {"augmented": eom, "minimal": minimal}.get(form) or eq.derive(_pendulum())
    fast = eq.compile(used)
    state = eq.assemble(used, {"q1": 1.0}, {"dq1": 3.0})
    x, n = np.concatenate([state.q, state.v]), len(state.q)
    name = "L3" if form != "contact" else "l"
    A, _, P = fast.step_derivatives(x[:n], x[n:], dt=2e-3, by=[name])
    for j in range(len(x)):
        ends: list[np.ndarray] = []
        for h in (1e-7, -1e-7):
            near = x.copy()
            near[j] += h
            ends.append(np.concatenate(fast.step(near[:n], near[n:], dt=2e-3)))
        np.testing.assert_allclose((ends[0] - ends[1]) / 2e-7, A[:, j], atol=2e-6)
    length = float(used.robot.values[name] or 0)
    ends = [
        np.concatenate(fast.step(x[:n], x[n:], dt=2e-3, values={name: length + h}))
        for h in (1e-7, -1e-7)
    ]
    np.testing.assert_allclose((ends[0] - ends[1]) / 2e-7, P[:, 0], atol=2e-5)


def _pendulum() -> eq.Robot:
    """Body in a plane that is held in one point."""
    body = eq.Body("rod", eq.planar("x y q1"), mass=1, com="l/2 0 0", inertia="0 0.1 0.1")
    contact = eq.contact("tip", "rod", "l 0 0", normal="y")
    robot = eq.Robot("rod", [body], gravity="0 -g 0", contacts=[contact], parameters={"l": "0.4"})
    return robot.in_mode(tip="stick")


def test_the_midpoint_rule_needs_chosen_speeds(eom: eq.EquationsOfMotion) -> None:
    with pytest.raises(eq.EvaluationError, match="chosen speeds"):
        eq.rollout(eom, step=1e-3, steps=1, method="implicit_midpoint")


def test_a_run_that_leaves_its_loop_has_diverged(eom: eq.EquationsOfMotion) -> None:
    """A step of 0.2 s at 40 rad/s is too large to be projected back."""
    runs = eq.rollout(eom, {"q1": [1.0, 1.0]}, {"dq1": [40.0, 0.0]}, step=0.2, steps=8)
    assert [b.index for b in runs.broken][:1] == [0]
    finite = np.isfinite(runs.q[0]).all(axis=1)
    assert np.abs(eom.evaluate("closure", q=runs.q[0][finite])).max() < 1e-6


@pytest.mark.parametrize("joint", ["revolute", "fixed"])
def test_a_start_with_antiparallel_axes_is_assembled(joint: str) -> None:
    body = eq.Body("door", eq.free("b"), mass=2, com="0 0.1 0", inertia="0.3 0.4 0.5")
    door = eq.derive(eq.Robot("door", [body], loops=[eq.loop("hinge", "door", joint=joint)]))
    turned = [0, 0, 0, 0, 1, 0, 0]  # a half-turn about x: φ = 0, but z₁·z₂ = -1
    start = eq.rollout(door, turned, [0] * 6, step=1e-3, steps=1).q[0]
    condition = door.robot.inequalities[0].expression
    assert door.evaluate(condition, q=turned) < 0 < door.evaluate(condition, q=start)


def test_the_last_state_before_speeds_stop_determining_the_motion(
    eom: eq.EquationsOfMotion, minimal: eq.EquationsOfMotion
) -> None:
    """The last state with the sign of the start, of the determinant of the loop's Jacobian."""
    start, end = np.array([1.0, 0.2, 0.7, 5.0]), np.array([1.0, 2.6, 0.7, 6.0])
    line = np.linspace(start, end, 9)
    runs = np.array([line, np.tile(start, (9, 1)), line[::-1]])
    A = eom.evaluate("constraint_matrix", q=runs.reshape(-1, 4)[:, :3])[:, :, 1:]
    plane = [k for k in range(A.shape[1]) if np.abs(A[:, k]).max() > 0.01][:2]
    signs = np.sign(np.linalg.det(A[:, plane])).reshape(3, 9)
    last = [int(np.argmax(row != row[0])) - 1 for row in signs]
    assert (last[0] + last[2], last[1]) == (7, -1)  # one change of sign on the line
    assert last[0] not in (0, 7)
    conditions = SimpleNamespace(eom=minimal, values=_values(minimal))
    trajectory, final, broken = runs.copy(), np.zeros((3, 4)), np.full(3, -1.0)
    mark_undetermined(conditions, trajectory, (final, broken), 10)  # type: ignore[arg-type]
    assert broken.tolist() == [10 * last[0], -1, 10 * last[2]]
    for i, k in enumerate(last):
        assert np.array_equal(final[i], runs[i, k] if k > 0 else np.zeros(4))
        whole = k + 1 if k > 0 else 9
        assert np.array_equal(trajectory[i, :whole], runs[i, :whole])
        assert np.isnan(trajectory[i, whole:]).all()


def test_the_last_state_before_a_run_leaves_its_loop(eom: eq.EquationsOfMotion) -> None:
    q = [four_bar_home(x)[n] for x in (1.0, 1.1) for n in ("q1", "q2", "q3")]
    good = np.array([[*q[:3], 0, 0, 0], [*q[3:], 1, 2, 3]])
    bad = good[1] + [0, 0.5, 0, 0, 0, 0]
    runs = np.array([[good[0], good[1], bad, good[0]], [good[1]] * 4])
    conditions = SimpleNamespace(eom=eom, values=_values(eom))
    trajectory, final, broken = runs.copy(), np.zeros((2, 6)), np.full(2, -1.0)
    mark_lost(conditions, trajectory, (final, broken), 10)  # type: ignore[arg-type]
    assert broken.tolist() == [10, -1]
    assert np.array_equal(final, [good[1], np.zeros(6)])
    assert np.array_equal(trajectory[0, :2], runs[0, :2])
    assert np.isnan(trajectory[0, 2:]).all()
    assert np.array_equal(trajectory[1], runs[1])


def _values(eom: eq.EquationsOfMotion) -> np.ndarray:
    return np.array([float(eom.robot.values[s.name] or 0) for s in eom.parameters])


def test_chosen_speeds_that_stop_determining_the_motion_break_the_run(
    eom: eq.EquationsOfMotion,
) -> None:
    # The rocker turns back while the crank goes round; tau1 does work, so that no drift would tell.
    start = eq.assemble(eom, q={"q1": 1.0}, v={"dq1": 6.0})
    options = {"control": {"tau1": "0.01"}, "step": 1e-3, "steps": 600, "every": 20}
    whole = eq.rollout(eom, start.q, start.v, **options)
    speeds = whole.v[:, 2] * whole.v[0, 2]
    turned = int(np.argmax(speeds < 0))
    assert turned > 1  # the speed of the rocker changes its sign
    rocker = eom.minimal("dq3")
    run = eq.rollout(rocker, [start.q], [start.v[2:]], **options)
    assert len(run.broken) == 1
    last = int(np.isfinite(run.q[0]).all(axis=1).sum())
    assert abs(last - turned) <= 1
    np.testing.assert_allclose(run.q[0, : last - 1], whole.q[: last - 1], atol=1e-6)


@pytest.mark.ci
@pytest.mark.parametrize("method", ["rk4", "implicit_midpoint"])
def test_every_step_is_watched_however_few_states_are_kept(
    eom: eq.EquationsOfMotion, method: str
) -> None:
    """Between two kept states the rocker turns back an even number of times."""
    rocker, crank = eom.minimal("dq3"), eom.minimal("dq1")
    start = eq.assemble(eom, q={"q1": 1.0})
    options: dict[str, Any] = {"step": 1e-3, "steps": 3000, "values": {"g": 0}, "method": method}
    speeds = [[1.5], [2.0], [-2.0], [0.0]]
    runs = [eq.rollout(rocker, [start.q] * 4, speeds, every=n, **options) for n in (1, 10, 3000)]
    first = [(b.index, b.step, b.q.tolist(), b.v.tolist()) for b in runs[0].broken]
    assert [index for index, *_ in first] == [0, 1, 2]
    assert all(0 < step < 1000 for _, step, *_ in first)
    for run in runs[1:]:
        assert [(b.index, b.step, b.q.tolist(), b.v.tolist()) for b in run.broken] == first
        assert np.isfinite(run.q[3]).all()
        assert np.isnan(run.q[:3, -1]).all()
    # The crank determines the motion everywhere, though its rocker turns back.
    assert not eq.rollout(
        crank, [start.q] * 3, [[3.0], [9.0], [-9.0]], every=3000, **options
    ).broken


@pytest.mark.ci
def test_long_determinants_are_checked_between_kept_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equamo.motion.simulation.closed_state.MOST_ROWS", 1)
    rocker = eq.derive(four_bar()).minimal("dq3")
    start = eq.assemble(rocker, q={"q1": 1.0})
    assert partition_determinant(rocker) is None
    run = eq.rollout(
        rocker, [start.q], [[2.0]], step=1e-3, steps=800, every=10, values={"g": 0}, cache=False
    )
    (broken,) = run.broken
    assert 500 < broken.step < 700


def test_a_determinant_of_speeds_that_are_always_dependent() -> None:
    """Rows in which the dependent speeds do not occur have none."""
    robot = four_bar()
    rows = [r for r in robot.rows if r.name in ("closure x", "closure y")]
    none = [replace(r, A=(r.A[0], ZERO, ZERO)) for r in rows]
    assert _determinant(none, [1, 2]) is None
    A = [[evaluated(r.A[k]) for k in (1, 2)] for r in rows]
    found = _determinant(rows, [1, 2])
    assert found is not None
    assert evaluated(found) == pytest.approx(np.linalg.det(A))


def evaluated(e: Expr) -> float:
    values = {n: float(x) for n, x in four_bar().values.items() if x is not None} | four_bar_home(
        1.3
    )
    return float(evaluate([e], FLOATS, {s: values[s.name] for s in e.symbols()})[0])
