"""Numeric transfer functions against the solution of (s 1 − A) x = b with many digits."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import control
import flint
import mpmath
import numpy as np
import pytest

import equamo as eq
from equamo.errors import EvaluationError, UnknownNameError
from equamo.motion.control import numeric_transfer_function
from equamo.motion.control.balls import with_enough_bits, working
from equamo.motion.control.linear_system import LinearSystem, precise_form
from equamo.robot.library.registry import NAMES

pytestmark = pytest.mark.needs("control", "flint", "scipy")

BITS = 500
DRIVEN = [n for n in NAMES if n != "rolling_disc"]  # which has no inputs


def solved(A: Any, b: Sequence[Any], s: complex) -> list[complex]:
    """(s 1 − A)⁻¹ b with 150 digits."""
    with flint.ctx.workprec(BITS):
        whole = flint.acb_mat([[flint.acb(s) * int(i == j) - x for j, x in enumerate(row)]
                               for i, row in enumerate(A)])  # fmt: skip
        x = whole.solve(flint.acb_mat([[y] for y in b]))
        return [complex(x[i, 0]) for i in range(len(b))]


def uncertainty(lin: LinearSystem, b: np.ndarray, row: int, s: complex) -> float:
    """By how much a relative error of 1e-12 of each number of A and b changes state `row`."""
    unit = np.eye(len(lin.states))[row].tolist()
    x, y = solved(lin.A.tolist(), b.tolist(), s), solved(lin.A.T.tolist(), unit, s)
    return 1e-12 * float(np.abs(y) @ (np.abs(lin.A) @ np.abs(x) + np.abs(b)))


def points(lin: LinearSystem, count: int = 50) -> list[complex]:
    """Frequencies around all poles that are not 0."""
    sizes = [x for x in np.abs(lin.poles) if x > 1e-6 * np.abs(lin.A).max(initial=0)] or [1.0]
    low, high = np.log10(min(sizes)) - 1.1, np.log10(max(sizes)) + 0.9  # not on undamped poles
    return [complex(0, w) for w in np.logspace(low, high, count)]


def at_rest(name: str) -> LinearSystem:
    """A built-in robot held by its inputs, at an equilibrium, or else falling from its home."""
    eom = eq.derive(eq.load(name))
    if name in ("wheeled_inverted_pendulum", "krang_on_wheels"):
        found = eq.equilibria(eom, starts=3)[-1]
        return eq.linearize(eom, q=found.q, inputs=found.inputs)
    if name in ("starleth", "cassie_leg"):
        return eq.linearize(eom, inputs=[0] * len(eom.inputs))
    return eq.linearize(eom)


def relative(found: complex, exact: complex) -> float:
    return abs(found - exact) / abs(exact) if exact else abs(found)


# -- the systems that were wrong -----------------------------------------------------------------------
@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("name", "expected"),
    [("rx90", None), ("iiwa", -0.339247193386 - 19.993129063903j), ("puma560", None)],
)
def test_arms_at_a_low_frequency(name: str, expected: complex | None) -> None:
    lin = at_rest(name)
    tf, s = lin.transfer_function("tau1", "q1"), 0.1j
    exact = solved(lin.A.tolist(), lin.B[:, 0].tolist(), s)[0]
    top, bottom = tf.numbers()
    for found in (tf(s), lin.response("tau1", "q1", s), np.polyval(top, s) / np.polyval(bottom, s)):
        assert relative(found, exact) < 1e-9
    if expected is not None:
        assert relative(exact, expected) < 1e-9


def test_a_stiff_spring_keeps_its_denominator() -> None:
    spring = LinearSystem([[0, 1], [-1e11 / 1e3, 0]], [[0], [1e-3]], ["x", "v"], ["f"])
    tf = spring.transfer_function("f", "x")
    assert repr(tf) == "x/f = 0.001/(s**2 + 100000000)"
    assert tf.poles() == pytest.approx([1e4j, -1e4j], rel=1e-15)
    heavy = eq.Robot("heavy", [eq.Body("b", eq.prismatic("x", axis="x"), mass="m")], gravity="0 0 0",
                     forces=[eq.joint_actuator("x", "f"), eq.joint_spring("x", "k")],
                     parameters={"m": 1000, "k": 100_000_000_000})  # fmt: skip
    assert str(eq.linearize(eq.derive(heavy)).transfer_function("f", "x")) == str(tf)


# -- all robots, and random systems --------------------------------------------------------------------
@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", DRIVEN)
def test_transfer_functions_of_the_robots(
    name: str, whole_sweeps: bool, record_property: Any
) -> None:
    lin = at_rest(name)
    with working(BITS):
        A, B = with_enough_bits(precise_form(lin).matrices)
    several = whole_sweeps and len(lin.states) <= 16
    outputs = lin.states if several else (lin.states[0], lin.states[-1])
    few = 2 if len(lin.states) > 30 else 5
    worst, cases = 0.0, 0
    for column in range(len(lin.inputs) if several else 1):
        b = lin.B[:, column]
        forms = {y: lin.transfer_function(lin.inputs[column], y) for y in outputs}
        numbers = {y: tf.numbers() for y, tf in forms.items()}  # is not refused
        for s in points(lin, 50 if whole_sweeps else few):
            exact = solved(A, [r[column] for r in B], s)
            rounded = solved(lin.A.tolist(), b.tolist(), s)
            for output, tf in forms.items():
                row = lin.states.index(output)
                top, bottom = numbers[output]
                found = tf(s), np.polyval(top, s) / np.polyval(bottom, s)
                error = max(relative(x, exact[row]) for x in found)
                assert error < 1e-6, (lin.inputs[column], output, s)
                worst, difference = max(worst, error), abs(found[0] - rounded[row])
                if difference > 1e-6 * abs(rounded[row]):
                    limit = uncertainty(lin, b, row, s)
                    assert difference < limit, (lin.inputs[column], output, s)
        cases += len(forms)
    record_property("transfer functions", cases)
    record_property("largest error", float(worst))


def random_system(seed: int) -> eq.LinearSystem:
    """Modes with time scales over up to eight decades, coupled at random, some of them not at all."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 9))
    decades = rng.uniform(0, 8)
    size = 10 ** rng.uniform(-decades / 2, decades / 2, n)
    A = rng.normal(size=(n, n)) * (rng.random((n, n)) < 0.4) + np.diag(rng.normal(size=n))
    A = A * np.sqrt(size[:, None] * size[None, :])
    for k in range(0, n - 1, 2):
        if rng.random() < 0.4:  # a coordinate and its speed
            A[k] = 0
            A[k, k + 1] = 1
    B = rng.normal(size=(n, 1)) * (rng.random((n, 1)) < 0.5) * size[:, None]
    B[int(rng.integers(n))] = 1
    scale = 10 ** rng.uniform(-4, 4, n)  # of the units
    A, B = A * scale[None, :] / scale[:, None], B / scale[:, None]
    states = tuple(f"x{k}" for k in range(n))
    return eq.LinearSystem(A, B, states, ("u",))


@pytest.mark.parametrize("block", [0, pytest.param(1, marks=pytest.mark.ci)])
def test_random_systems(block: int, whole_sweeps: bool, record_property: Any) -> None:
    """Right at 50 frequencies; polynomials of floats are refused at most for one in twenty."""
    size = 250 if whole_sweeps else (2 if block == 0 else 20)
    worst, refused = 0.0, 0
    for seed in range(block * size, (block + 1) * size):
        lin = random_system(seed)
        row = seed % len(lin.states)
        output, b = lin.states[row], lin.B[:, 0].tolist()
        tf = lin.transfer_function("u", output)
        try:
            numbers: Any = tf.numbers()
        except EvaluationError:
            numbers, refused = None, refused + 1
        for s in points(lin):
            exact = solved(lin.A.tolist(), b, s)[row]
            if tf.is_zero:  # the oracle has rounding errors
                assert abs(exact) < 1e-100
                assert lin.response("u", output, s) == 0
                continue
            errors = [relative(tf(s), exact), relative(lin.response("u", output, s), exact)]
            if numbers is not None:
                errors.append(
                    relative(np.polyval(numbers[0], s) / np.polyval(numbers[1], s), exact)
                )
            assert max(errors) < 1e-6, (seed, s)
            worst = max(worst, *errors)
    assert refused <= size / 20
    record_property("refused", refused)
    record_property("largest error", float(worst))


def test_the_solution_is_that_of_mpmath() -> None:
    lin, s = random_system(3), 0.7j
    n = len(lin.states)
    with mpmath.workdps(60):
        whole = mpmath.eye(n) * mpmath.mpc(s) - mpmath.matrix(lin.A.tolist())
        x = [complex(z) for z in mpmath.lu_solve(whole, mpmath.matrix(lin.B.tolist()))]
    for name, exact in zip(lin.states, x, strict=True):
        assert relative(lin.response("u", name, s), exact) < 1e-14


# -- discrete time -------------------------------------------------------------------------------------
def test_discrete_systems_are_in_z_with_their_step() -> None:
    double = LinearSystem([[0, 1], [0, 0]], [[0], [1]], ["x", "v"], ["f"])
    tf = double.discrete(0.5).transfer_function("f", "x")
    assert repr(tf) == "x/f = (1/8*z + 1/8)/(z**2 - 2*z + 1)"
    eighth = r"\frac{1}{8}"
    assert tf.latex() == rf"\frac{{{eighth} \, z + {eighth}}}{{z^{{2}} - 2 \, z + 1}}"
    exported = tf.to_control()
    assert exported.dt == tf.dt == 0.5
    assert double.transfer_function("f", "x").to_control().isctime(strict=True)
    z = np.exp(0.3j)
    state_space = double.discrete(0.5).to_control()
    assert relative(exported(z), state_space(z)[0, 0]) < 1e-12
    assert relative(tf(z), state_space(z)[0, 0]) < 1e-12


@pytest.mark.ci
def test_discrete_robots() -> None:
    for name in ("iiwa", "five_bar"):
        lin = at_rest(name).discrete(1e-3)
        tf = lin.transfer_function(lin.inputs[0], lin.states[0])
        assert tf.order == at_rest(name).transfer_function(lin.inputs[0], lin.states[0]).order
        for angle in np.logspace(-2.5, 0.4, 20):
            z = complex(np.exp(1j * angle))
            b = lin.B[:, 0]
            exact = solved(lin.A.tolist(), b.tolist(), z)[0]
            assert abs(tf(z) - exact) <= 1e-6 * abs(exact) + uncertainty(lin, b, 0, z)


# -- what cancels, and what does not -------------------------------------------------------------------
def test_states_that_cancel_leave_no_residues() -> None:
    """Two carts and a spring: their distance does not show where they are."""
    robot = eq.Robot(
        "carts", [eq.Body(n, eq.prismatic(f"x_{n}", axis="x"), mass=m)
                  for n, m in (("a", "0.3"), ("b", "0.7"))],
        gravity="0 0 0",
        forces=[eq.joint_actuator("x_a", "f"), eq.spring("a", "b", stiffness=3, rest=1)],
    )  # fmt: skip
    lin = eq.linearize(eq.derive(robot), q={"x_a": 0, "x_b": 1})
    distance = lin.transfer_function("f", "x_b - x_a")
    assert distance.order == 2
    assert lin.transfer_function("f", "x_a").order == 4
    assert distance(2j) == pytest.approx(
        lin.response("f", "x_b", 2j) - lin.response("f", "x_a", 2j), rel=1e-12
    )


def test_a_weak_coupling_to_an_unstable_pole_stays() -> None:
    A = [[-1e8, 1e-12, 0], [0, 2, 0], [1, 0, -1]]
    lin = LinearSystem(A, [[1], [1], [0]], ["a", "b", "c"], ["u"])
    assert lin.transfer_function("u", "c").poles().real.max() == pytest.approx(2, rel=1e-12)
    apart = LinearSystem([[-1e8, 0, 0], *A[1:]], [[1], [1], [0]], ["a", "b", "c"], ["u"])
    assert apart.transfer_function("u", "c").order == 2


# -- refusals ------------------------------------------------------------------------------------------
@pytest.mark.ci
def test_polynomials_that_floats_cannot_hold_are_refused() -> None:
    """A chain of equal oscillators: 16 undamped poles within one percent."""
    n = 16
    stiffness = np.diag(1 + 1e-3 * np.arange(n)) - 1e-3 * (np.eye(n, k=1) + np.eye(n, k=-1))
    A = np.block([[np.zeros((n, n)), np.eye(n)], [-stiffness, np.zeros((n, n))]])
    b = np.eye(2 * n)[:, [n]]
    lin = LinearSystem(A, b, [f"x{k}" for k in range(2 * n)], ["u"])
    tf, s = lin.transfer_function("u", "x0"), 1.0031j
    with pytest.raises(EvaluationError, match=r"accurate to 1e-06 with float .*lin\.to_control"):
        tf.numbers()
    with pytest.raises(EvaluationError, match="float coefficients"):
        tf.to_control()
    exact = solved(A.tolist(), b[:, 0].tolist(), s)[0]
    assert relative(tf(s), exact) < 1e-12
    assert relative(lin.response("u", "x0", s), exact) < 1e-12
    assert relative(complex(control.ss(A, b, np.eye(2 * n)[[0]], 0)(s)), exact) < 1e-6


def test_coefficients_beyond_doubles() -> None:
    n = 12
    lin = LinearSystem(np.diag([-1e30] * n) + np.eye(n, k=-1), np.eye(n)[:, [0]],
                       [f"x{k}" for k in range(n)], ["u"])  # fmt: skip
    tf = lin.transfer_function("u", f"x{n - 1}")
    with pytest.raises(EvaluationError, match="float coefficients"):
        tf.numbers()
    assert relative(tf(1e30j), 1e-360 * 0) < 1e-300  # below the smallest double
    assert tf.poles() == pytest.approx([-1e30] * n)


def test_wrong_polynomials_are_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    lin = LinearSystem([[0, 1], [-4, -1]], [[0], [1]], ["x", "v"], ["f"])
    wrong = lambda *_: ([1], [1, 1, 5])  # noqa: E731
    monkeypatch.setattr(numeric_transfer_function, "transfer_polynomials", wrong)
    with pytest.raises(EvaluationError, match=r"of x/f must agree with A and B .*lin\.response"):
        lin.transfer_function("f", "x")


def test_arguments() -> None:
    lin = LinearSystem([[0, 1], [0, 0]], [[0], [1]], ["x", "v"], ["f"])
    with pytest.raises(UnknownNameError, match="input 'g'"):
        lin.response("g", "x", 1j)
    with pytest.raises(UnknownNameError, match="state 'y'"):
        lin.response("f", "y", 1j)
    for s in ("fast", np.nan, [1j, np.inf]):
        with pytest.raises(EvaluationError, match=r"s must be a finite complex number"):
            lin.response("f", "x", s)
    with pytest.raises(EvaluationError, match="no value at a pole"):
        lin.response("f", "x", 0)
    found = lin.response("f", "x", np.array([[1j, 2j]]))
    np.testing.assert_allclose(found, [[-1, -0.25]], rtol=1e-15)
    broken = LinearSystem([[np.nan]], [[1]], ["x"], ["f"])
    for use in (
        lambda: broken.transfer_function("f", "x"),
        lambda: broken.response("f", "x", 1j),
        lambda: broken.discrete(0.1),
        lambda: broken.in_terms_of(["x"]),
    ):
        with pytest.raises(EvaluationError, match="must be finite, got nan"):
            use()
