"""Linear systems: what a rate depends on is structure, and every derived form is the same system."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import mpmath
import numpy as np
import pytest

import equamo as eq
from equamo.errors import EvaluationError
from equamo.motion.control.balls import UndecidedError
from equamo.motion.control.linear_system import LinearSystem, precise_form, structured
from equamo.motion.control.precise_system import Given, PreciseSystem
from loops_examples import four_bar

pytestmark = pytest.mark.needs("scipy")


def cart_with_rotor(coupling: Any = "1/2") -> eq.Robot:
    """A cart with a pole, and a rotor on a spring so stiff that its pole is at 1e5 rad/s."""
    return eq.Robot(
        "cart",
        gravity="0 -g 0",
        bodies=[
            eq.Body("cart", eq.prismatic("x", axis="x"), mass=1),
            eq.Body("pole", eq.revolute("q", axis="z"), mass="1/10", com=f"0 {coupling} 0",
                    parent="cart"),
            eq.Body("rotor", eq.revolute("r", axis="z"), mass="1/10", inertia="0 0 1e-4",
                    parent="cart"),
        ],
        forces=[eq.joint_actuator("x", "F"), eq.joint_spring("r", "1000000")],
    )  # fmt: skip


# -- which states may be left out ----------------------------------------------------------------------
def test_a_stiff_spring_hides_no_coupling() -> None:
    lin = eq.linearize(eq.derive(cart_with_rotor()))
    assert np.abs(lin.A).max() > 1e9
    for dropped in (["q"], ["q", "dq"], ["q", "dq", "r", "dr"]):
        with pytest.raises(EvaluationError, match="rate of 'dx' depends on 'q'; keep it too"):
            lin.without(dropped)
        with pytest.raises(EvaluationError, match="rate of 'dx' depends on 'q'"):
            eq.lqr(lin, 1, drop=dropped)
        with pytest.raises(EvaluationError, match="rate of 'x' depends on 'q'"):
            lin.discrete(1e-3).without(dropped)
    assert max(lin.without(["r", "dr", "x"]).poles.real) == pytest.approx(4.62640642, rel=1e-8)
    assert lin.without("x").states == ("q", "r", "dx", "dq", "dr")
    feedback = eq.lqr(lin, {"q": 1, "x": 1, "dx": 1}, drop=["r", "dr"])
    assert max(feedback.closed_loop.real) < 0


@pytest.mark.parametrize("size", [1e-3, 1e-12, 1e-30])
def test_a_coupling_counts_however_small_it_is(size: float) -> None:
    matrix = np.array([[-1e8, size], [0, 2.0]])
    lin = LinearSystem(matrix, [[1], [1]], ["a", "b"], ["u"])
    with pytest.raises(EvaluationError, match="rate of 'a' depends on 'b'"):
        lin.without("b")
    assert lin.without("a").poles == [2.0]


def test_rounding_is_no_coupling() -> None:
    """At q = π/2 doubles give cos q = 6e-17; the mean of two equal springs is a system of its own."""
    arm = eq.derive(eq.load("rr_arm"))
    assert eq.linearize(arm, q=[np.pi / 2, 0]).without([]).A.shape == (4, 4)
    pair = eq.Robot(
        "pair", gravity="0 0 0",
        bodies=[eq.Body(n, eq.prismatic(f"x{n}", axis="x"), mass="3/10") for n in "12"],
        forces=[eq.joint_actuator("x1", "f"), *(eq.joint_spring(f"x{n}", "0.7") for n in "12"),
                eq.spring("1", "2", stiffness="0.1", rest=1)],
    )  # fmt: skip
    lin = eq.linearize(eq.derive(pair), q={"x2": 1.1}, inputs=[0.3])
    mean = lin.in_terms_of({"mean": "0.3*x1 + 0.3*x2", "rate": "0.3*dx1 + 0.3*dx2"})
    np.testing.assert_allclose(mean.A, [[0, 1], [-0.7 / 0.3, 0]], rtol=1e-12)
    with pytest.raises(EvaluationError, match="rate of 'rate' depends on 'x"):
        lin.in_terms_of({"mean": "0.3*x1 + 0.3001*x2", "rate": "0.3*dx1 + 0.3001*dx2"})


def test_an_output_must_not_depend_on_omitted_states() -> None:
    lin = eq.linearize(eq.derive(cart_with_rotor())).without("x")
    for output in ("x", "x + sin(q)"):
        with pytest.raises(EvaluationError, match=r"depends on 'x' too; keep this state"):
            lin.transfer_function("F", output)
        with pytest.raises(EvaluationError, match=r"depends on 'x' too"):
            lin.response("F", output, 1j)
    assert lin.transfer_function("F", "2*sin(q) + dx").order == 3


def test_states_that_follow_from_others() -> None:
    lin = eq.linearize(eq.derive(eq.load("rr_arm")), q=[0.3, 0.5])
    table = {"a": "q1", "b": "q2", "twice": "2*q1", "va": "dq1", "vb": "dq2"}
    more = lin.in_terms_of(table)
    assert more.response("tau1", "twice", 1j) == pytest.approx(2 * lin.response("tau1", "q1", 1j))


# -- where a system comes from -------------------------------------------------------------------------
def test_changed_matrices_are_those_that_count() -> None:
    lin = eq.linearize(eq.derive(eq.load("rr_arm")), q=[0.3, 0.5])
    assert not isinstance(precise_form(lin), Given)
    changed = replace(lin, A=2 * lin.A)
    assert isinstance(precise_form(changed), Given)
    copy = pickle.loads(pickle.dumps(lin))
    assert repr(copy.transfer_function("tau1", "q1")) == repr(lin.transfer_function("tau1", "q1"))
    copy.A[2, 0] += 1
    exact = copy.response("tau1", "q1", 1j)
    assert copy.transfer_function("tau1", "q1")(1j) == pytest.approx(exact, rel=1e-12)
    assert lin.response("tau1", "q1", 1j) != pytest.approx(exact, rel=1e-3)


class Unknown(PreciseSystem):
    """A source that cannot be evaluated."""

    states = ("x",)

    def matrices(self) -> Any:
        raise UndecidedError

    def gradient(self, expression: Any) -> Any:
        raise UndecidedError


def test_a_source_that_is_of_no_use_is_left_out() -> None:
    lin = LinearSystem([[2.0]], [[1.0]], ["x"], ["u"])
    assert structured(lin, Unknown()) is lin
    other = Given(np.array([[3.0]]), lin.B, lin.states, None)
    assert structured(lin, other) is lin
    near = Given(np.array([[2 + 1e-9]]), lin.B, lin.states, None)
    assert precise_form(structured(lin, near)) is near


def test_a_step_that_is_too_long() -> None:
    lin = LinearSystem([[1000.0]], [[1.0]], ["x"], ["u"])
    with pytest.raises(EvaluationError, match=r"below 1.8e308 .* got dt=1 s and the pole 1e\+03"):
        lin.discrete(1)


# -- every derived form agrees with the matrices -------------------------------------------------------
def arm() -> LinearSystem:
    return eq.linearize(eq.derive(eq.load("rr_arm")), q=[0.3, 0.5])


def moving_ball() -> LinearSystem:
    robot = eq.Robot(
        "ball",
        [
            eq.Body("top", eq.spherical("s"), mass=2, com="0.1 0 -0.5", inertia="0.1 0.2 0.15"),
            eq.Body("end", eq.revolute("q", axis="y", at="0 0 -1"), mass=1, com="0 0.1 -0.3",
                    inertia="0.02 0.03 0.01", parent="top"),
        ],
        forces=[eq.joint_actuator("q", "tau"), eq.joint_damper("q", "1/2")],
    )  # fmt: skip
    q = np.array([0.8, 0.2, -0.4, 0.4, 0.7])
    q[:4] /= np.linalg.norm(q[:4])
    return eq.linearize(eq.derive(robot), q=q, v=[0.3, -0.2, 0.5, 1.1], inputs=[0.4])


def moving_loop() -> LinearSystem:
    eom = eq.derive(four_bar(forces=[eq.joint_actuator("q1", "tau1")]))
    return eq.linearize(eom, q={"q1": 1.3}, v={"dq1": 2}, inputs=[0.3])


def stiff_cart() -> LinearSystem:
    return eq.linearize(eq.derive(cart_with_rotor()))


def wheels() -> LinearSystem:
    return eq.linearize(eq.derive(eq.load("wheeled_inverted_pendulum")), inputs=[1, 2])


def given_matrices() -> LinearSystem:
    rng = np.random.default_rng(4)
    names = [f"x{k}" for k in range(5)]
    return LinearSystem(rng.normal(size=(5, 5)), rng.normal(size=(5, 2)), names, ["u", "w"])


CASES: list[Callable[[], LinearSystem]] = [
    arm, given_matrices, stiff_cart, moving_ball, moving_loop, wheels,
]  # fmt: skip


@pytest.mark.sweep(1)
@pytest.mark.parametrize("case", CASES, ids=lambda f: f.__name__)
def test_derived_forms_agree_with_the_matrices(case: Callable[[], LinearSystem]) -> None:
    lin = case()
    rng = np.random.default_rng(1)
    n, m = lin.B.shape
    u = lin.inputs[int(rng.integers(m))]
    column = lin.inputs.index(u)
    # transfer functions and solutions
    points = [complex(*rng.normal(size=2)) * 10 ** rng.uniform(-1, 3) for _ in range(5)]
    solutions = [np.linalg.solve(s * np.eye(n) - lin.A, lin.B[:, column]) for s in points]
    for k, name in enumerate(lin.states):
        tf = lin.transfer_function(u, name)
        for s, x in zip(points, solutions, strict=True):
            near = pytest.approx(x[k], rel=1e-8, abs=1e-11 * np.abs(x).max())
            assert tf(s) == near
        assert lin.response(u, name, points[-1]) == near
    # discretization, by mpmath
    dt = float(10 ** rng.uniform(-3, -1))
    sampled = lin.discrete(dt)
    with mpmath.workdps(60):
        whole = mpmath.zeros(n + m + 1)
        rows = np.hstack([lin.A, lin.B, lin.drift[:, None]])
        for i, j in np.ndindex(rows.shape):
            whole[i, j] = float(rows[i, j]) * mpmath.mpf(dt)
        exact = np.array(mpmath.expm(whole).tolist(), dtype=float)[:n]
    found = np.hstack([sampled.A, sampled.B, sampled.drift[:, None]])
    np.testing.assert_allclose(found, exact, rtol=1e-12, atol=1e-14 * np.abs(exact).max())
    z = complex(np.exp(0.7j)) * 1.1
    x = np.linalg.solve(z * np.eye(n) - sampled.A, sampled.B[:, column])
    for name, value in zip(lin.states, x, strict=True):
        near = pytest.approx(value, rel=1e-8, abs=1e-11 * np.abs(x).max())
        assert sampled.transfer_function(u, name)(z) == near
    # reduction to every set of states that is closed, one state left out
    for name in lin.states:
        try:
            fewer = lin.without(name)
        except EvaluationError:
            others = [i for i, k in enumerate(lin.states) if k != name]
            assert lin.A[others, lin.states.index(name)].any()
            continue
        others = [lin.states.index(k) for k in fewer.states]
        np.testing.assert_array_equal(fewer.A, lin.A[np.ix_(others, others)])
        assert not lin.A[others, lin.states.index(name)].any()
        for kept in fewer.states:
            assert fewer.response(u, kept, 2 + 1j) == lin.response(u, kept, 2 + 1j)


@pytest.mark.ci
@pytest.mark.parametrize("name", ["rr_arm", "rp_arm"])
def test_the_exact_system_in_numbers_is_the_numeric_one(name: str) -> None:
    eom = eq.derive(eq.load(name))
    exact, lin = eq.linearize(eom, symbolic=True), eq.linearize(eom)
    numbers = exact.in_numbers()
    assert not isinstance(precise_form(numbers), Given)
    values = {k: x for k, x in eom.robot.values.items() if x is not None}
    for u in lin.inputs:
        for output in (*lin.states, f"2*{lin.states[0]} + {lin.states[3]}"):
            tf = numbers.transfer_function(u, output)
            other = lin.transfer_function(u, output)
            assert tf.order == other.order == exact.transfer_function(u, output).order
            for s in (0.3 + 1j, -2 + 5j):
                assert tf(s) == pytest.approx(other(s), rel=1e-12)
                assert exact.transfer_function(u, output)(s, values) == pytest.approx(
                    tf(s), rel=1e-9
                )


def test_a_step_is_a_number_or_its_text() -> None:
    system = LinearSystem([[0, 1], [0, 0]], [[0], [1]], ("x", "v"), ("f",))
    for flag in (True, False, np.True_):
        with pytest.raises(
            EvaluationError, match=r"dt must be a time step in seconds, got .*(True|False)"
        ):
            system.discrete(flag)
    with pytest.raises(EvaluationError, match="dt must be a time step"):
        eq.linearize(eq.derive(eq.load("rr_arm")), dt=True)
    text, number = system.discrete("0.1"), system.discrete(0.1)  # type: ignore[arg-type]
    assert text.dt == number.dt == 0.1
    assert text.B.tolist() == number.B.tolist()
