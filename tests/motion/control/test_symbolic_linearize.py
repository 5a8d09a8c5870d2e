"""Exact linear systems: equal to the numeric ones, to textbook formulas, and to their definitions."""

from __future__ import annotations

from fractions import Fraction
from math import pi
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr import as_expr
from equamo.algebra.identity import prove_equal
from equamo.errors import (
    EquamoError,
    EquilibriumError,
    EvaluationError,
    ProofError,
    UnknownEntryError,
    UnknownNameError,
)
from equamo.motion.control import symbolic_linearize
from equamo.motion.control.linear_system import LinearSystem
from equamo.motion.control.rational_functions import RationalFunctions
from equamo.motion.control.transfer_function import TransferFunction
from loops_examples import parallelogram


def cart_with_double_pendulum() -> eq.Robot:
    return eq.Robot(
        "cart",
        gravity="0 -g 0",
        bodies=[
            eq.Body("cart", eq.prismatic("x", axis="x"), mass="M"),
            eq.Body("a", eq.revolute("q1", axis="z"), mass="m1", com="0 l1 0", parent="cart"),
            eq.Body(
                "b", eq.revolute("q2", axis="z", at="0 l1 0"), mass="m2", com="0 l2 0", parent="a"
            ),
        ],
        forces=[eq.joint_actuator("x", "F")],
        parameters={"M": 2, "m1": "1/2", "m2": "3/10", "l1": "2/5", "l2": "7/10"},
    )


def furuta_pendulum() -> eq.Robot:
    """An arm that turns about z, and a pendulum about the arm's x axis at its end."""
    return eq.Robot(
        "furuta",
        bodies=[
            eq.Body("arm", eq.revolute("th1", axis="z"), mass="m1", com="a1 0 0", inertia="0 0 J1"),
            eq.Body(
                "rod", eq.revolute("th2", axis="x", at="r 0 0"), mass="m2", com="0 0 a2",
                inertia="J2 J2 0", parent="arm",
            ),
        ],
        forces=[eq.joint_actuator("th1", "tau")],
        parameters={"m1": "3/10", "m2": "1/10", "a1": "1/7", "a2": "1/5", "r": "1/4", "J1": "1/90",
                    "J2": "1/300"},
    )  # fmt: skip


def planar_quadrotor_with_load() -> eq.Robot:
    """Document of the field: thrust along the body, a point mass on a massless rod below it."""
    return eq.Robot(
        "quadrotor",
        bodies=[
            eq.Body("ex", eq.prismatic("x", axis="x")),
            eq.Body("ez", eq.prismatic("z", axis="z"), parent="ex"),
            eq.Body("frame", eq.revolute("th", axis="y"), mass="m", inertia="0 J 0", parent="ez"),
            eq.Body("load", eq.revolute("al", axis="y"), mass="m_L", com="0 0 -L", parent="ez"),
        ],
        forces=[
            eq.force_actuator("frame", force="0 0 F"),
            eq.joint_actuator("th", "T"),
        ],
        parameters={"m": 1, "m_L": "1/4", "J": "1/100", "L": "1/2"},
    )


def same_as_numeric(
    robot: eq.Robot, values: dict[str, Any] | None = None, symbols: Any = None, **point: Any
) -> None:
    """The exact system, evaluated, is the numeric one."""
    eom = eq.derive(robot)
    exact = eq.linearize(eom, values=symbols, symbolic=True, **point)
    numbers = {**(symbols or {}), **(values or {})}
    given = {k: eom_values(eom, x, numbers) for k, x in point.items()}
    numeric = eq.linearize(eom, values=numbers, **given)
    found = exact.in_numbers(numbers)
    assert exact.states == numeric.states
    assert exact.inputs == numeric.inputs
    for a, b in ((found.A, numeric.A), (found.B, numeric.B), (found.drift, numeric.drift)):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


def eom_values(eom: Any, point: dict[str, Any], values: dict[str, Any]) -> dict[str, float]:
    return {n: float(eom.evaluate(as_expr(e), values=values)) for n, e in point.items()}


def test_cart_with_double_pendulum() -> None:
    robot = cart_with_double_pendulum()
    same_as_numeric(robot)
    same_as_numeric(robot, {"l1": 0.9, "M": 5}, q={"q1": "pi"})
    lin = eq.linearize(eq.derive(robot), symbolic=True)
    # relative angles; Ogata, Modern Control Engineering, has the single pendulum as m2 → 0
    assert str(lin.A["dx", "q1"]) == "g*(m1 + m2)/M"
    assert str(lin.A["dq1", "q2"]) == "-g*m2/(l1*m1)"
    assert lin.drift.is_zero
    assert lin.controllability_rank == 6
    assert lin.observability_rank(["x"]) == 6
    assert lin.observability_rank(["q1"]) == 4  # the place of the cart does not show
    assert lin.observability_rank("q1") == 4
    assert lin.observability_rank([]) == 0


def test_furuta_pendulum_is_that_of_cazzolato_and_prime() -> None:
    """On the Dynamics of the Furuta Pendulum (2011), eq. (35) without damping, upright."""
    robot = furuta_pendulum()
    same_as_numeric(robot)
    lin = eq.linearize(eq.derive(robot), symbolic=True)
    J0, J2 = as_expr("J1 + m1*a1**2 + m2*r**2"), as_expr("J2 + m2*a2**2")
    den = J0 * J2 - as_expr("m2**2*r**2*a2**2")
    assert prove_equal(lin.A["dth2", "th2"], as_expr("g*m2*a2") * J0 / den)
    assert prove_equal(lin.A["dth1", "th2"], as_expr("g*m2**2*a2**2*r") / den)
    assert prove_equal(lin.B["dth1", "tau"], J2 / den)
    assert prove_equal(lin.B["dth2", "tau"], as_expr("m2*a2*r") / den)


def test_quadrotor_with_load_hovers_with_its_weight() -> None:
    robot = planar_quadrotor_with_load()
    eom = eq.derive(robot)
    lin = eq.linearize(eom, symbolic=True)
    assert str(lin.point.at[as_expr("F")].closed_form()) == "g*(m + m_L)"
    given = eq.linearize(eom, inputs={"F": "(m + m_L)*g"}, symbolic=True)
    assert given.A.entries == lin.A.entries
    same_as_numeric(robot, {"m_L": 0.7})
    # a falling quadrotor is not at rest
    falling = eq.linearize(eom, inputs={"F": 0}, symbolic=True)
    assert str(falling.drift["dz"]) == "-g"
    # the load swings at sqrt(g/L (1 + m_L/m))
    assert prove_equal(lin.A["dal", "al"], as_expr("-g*(m + m_L)/(L*m)"))
    tf = lin.transfer_function("T", "th")
    assert str(tf) == "1/(J*s**2)"


def test_wheeled_pendulum() -> None:
    robot = eq.load("wheeled_inverted_pendulum")
    upright = {"MX_B": 0, "MZ_B": 0, "XY_B": 0, "XZ_B": 0, "YZ_B": 0}
    same_as_numeric(robot, {"m_B": 50}, upright)
    lin = eq.linearize(eq.derive(robot), values=upright, symbolic=True)
    tf = lin.transfer_function("tau_L", "q_imu")
    assert tf.order == 2  # the other six states cancel
    assert lin.controllability_rank == 6


def test_quaternions_have_three_errors() -> None:
    ball = eq.Robot(
        "ball", [eq.Body("b", eq.spherical("o"), mass="m", com="0 0 -l", inertia="A B C")],
        parameters={"m": 2, "l": "1/3", "A": 1, "B": 2, "C": "5/2"},
    )  # fmt: skip
    eom = eq.derive(ball)
    exact = eq.linearize(eom, symbolic=True).in_numbers()
    numeric = eq.linearize(eom)
    assert exact.states == numeric.states
    np.testing.assert_allclose(exact.A, numeric.A, rtol=1e-12, atol=1e-12)
    with pytest.raises(EvaluationError, match="must have length 1"):
        eq.linearize(eom, q=[1, 1, 0, 0], symbolic=True)


@pytest.mark.needs("control", "scipy")
def test_poles_zeros_and_python_control() -> None:
    robot = cart_with_double_pendulum()
    eom = eq.derive(robot)
    exact, numeric = eq.linearize(eom, symbolic=True), eq.linearize(eom)
    values = {k: x for k, x in robot.values.items() if x is not None}
    for output in ("x", "q2", "x + l1*sin(q1)"):
        tf, other = exact.transfer_function("F", output), numeric.transfer_function("F", output)
        top, bottom = tf.numbers(values)
        found, below = other.numbers()
        # same lengths and exact zeros: no residues of rounding
        np.testing.assert_allclose(found, top / bottom[0], rtol=1e-8)
        np.testing.assert_allclose(below, bottom / bottom[0], rtol=1e-8)
        assert tf.order == other.order == len(tf.poles(values))
        assert len(tf.zeros(values)) == len(tf.numerator) - 1
    state_space = exact.to_control()
    s = 0.3 + 2j
    np.testing.assert_allclose(
        exact.transfer_function("F", "x").to_control(values)(s), state_space(s)[0, 0], rtol=1e-9
    )


def test_stability_conditions_are_those_of_routh_and_hurwitz() -> None:
    """A damped pendulum below and above, and a third-order system with its known condition."""
    rod = eq.Robot(
        "rod", [eq.Body("rod", eq.revolute("q", axis="y"), mass="m", com="0 0 -L")],
        forces=[eq.joint_damper("q", "d")],
    )  # fmt: skip
    eom = eq.derive(rod)
    below = eq.linearize(eom, symbolic=True).stability_conditions
    assert [str(c) for c in below] == ["d/(L**2*m)", "g/L"]
    above = eq.linearize(eom, q=[pi], symbolic=True).stability_conditions
    assert [str(c) for c in above] == ["d/(L**2*m)", "-g/L"]


def test_hurwitz_determinants_decide_like_the_poles() -> None:
    rng = np.random.default_rng(5)
    decided = set[bool]()
    robot = eq.Robot(
        "pair",
        gravity="0 0 0",
        bodies=[
            eq.Body("a", eq.prismatic("x1"), mass="m"),
            eq.Body("b", eq.prismatic("x2"), mass="m", parent="a"),
        ],
        forces=[
            eq.joint_spring("x1", "k1"), eq.joint_spring("x2", "k2"), eq.joint_damper("x1", "d1"),
            eq.joint_damper("x2", "d2"),
        ],
        parameters={"m": 1, "k1": 1, "k2": 1, "d1": 1, "d2": 1},
    )  # fmt: skip
    eom = eq.derive(robot)
    lin = eq.linearize(eom, symbolic=True)
    for _ in range(40):
        values = dict(zip(("k1", "k2", "d1", "d2"), rng.uniform(-0.3, 2, 4), strict=True))
        signs = [float(eom.evaluate(c, values=values)) > 0 for c in lin.stability_conditions]
        poles = lin.in_numbers(values).poles
        assert all(signs) == bool((poles.real < 0).all())
        decided.add(all(signs))
    assert decided == {True, False}


def test_characteristic_polynomial() -> None:
    lin = eq.linearize(eq.derive(cart_with_double_pendulum()), symbolic=True)
    values = lin.in_numbers()
    found = [float(lin.point.eom.evaluate(c)) for c in lin.characteristic_polynomial]
    np.testing.assert_allclose(found, np.poly(values.A), rtol=1e-9, atol=1e-9)


def test_text_and_latex() -> None:
    lin = eq.linearize(eq.derive(furuta_pendulum()), symbolic=True)
    assert "A[dth2, th2] = " in str(lin)
    assert repr(lin) == "<symbolic linear system: 4 states, 1 input>"
    assert lin.latex().startswith(r"\frac{d}{dt} \begin{bmatrix}")
    assert lin._repr_latex_() == f"$${lin.latex()}$$"
    m, d, k = (as_expr(x) for x in "mdk")
    tf = TransferFunction((as_expr(-1),), (m, -d, k - m), "f", "x")
    assert str(tf) == "-1/(m*s**2 - d*s + k - m)"
    assert tf.latex() == r"\frac{-1}{m \, s^{2} - d \, s + k - m}"
    assert tf._repr_latex_() == f"${tf.latex()}$"
    assert str(TransferFunction((k, m), (as_expr(1),), "f", "x")) == "k*s + m"


def test_everything_of_a_damped_pendulum() -> None:
    """m L² q̈ = τ − d q̇ − m g L sin q, hanging and held out at a right angle."""
    rod = eq.Robot(
        "rod", [eq.Body("rod", eq.revolute("q", axis="y"), mass="m", com="0 0 -L")],
        forces=[eq.joint_actuator("q", "tau"), eq.joint_damper("q", "d")],
        parameters={"m": 2, "L": "1/2", "d": "1/10"},
    )  # fmt: skip
    eom = eq.derive(rod)
    lin = eq.linearize(eom, symbolic=True)
    shared = ["states q, dq", "inputs tau", "A[q, dq] = 1"]
    tail = ["A[dq, dq] = -d/(L**2*m)", "B[dq, tau] = 1/(L**2*m)"]
    assert str(lin).splitlines() == ["ẋ = A x + B u", *shared, "A[dq, q] = -g/L", *tail]
    x, u = r"\begin{bmatrix} q \\ \dot q \end{bmatrix}", r"\begin{bmatrix} \tau \end{bmatrix}"
    B = r"\begin{bmatrix} 0 \\ \frac{1}{L^{2} m} \end{bmatrix}"
    out_A = r"\begin{bmatrix} 0 & 1 \\ 0 & -\frac{d}{L^{2} m} \end{bmatrix}"
    A = out_A.replace(r"\\ 0", r"\\ -\frac{g}{L}")
    assert lin.latex() == rf"\frac{{d}}{{dt}} {x} = {A} {x} + {B} {u}"
    assert [str(c) for c in lin.characteristic_polynomial] == ["1", "d/(L**2*m)", "g/L"]
    assert (lin.controllability_rank, lin.observability_rank(["L", "dq"])) == (2, 2)
    assert lin.observability_rank("L") == 0
    for output, row in (("q", "1 0"), ("dq", "0 1"), ("L*sin(q) + dq**2 + 2*dq*cos(q)", "L 2")):
        found = lin.output_row(output)
        assert [str(e) for e in found] == row.split()
        assert found.names == ("q", "dq")
    bottom = "(L**2*m*s**2 + d*s + g*m*L)"
    for output, top in (("L*sin(q)", "L"), ("dq", "s")):
        tf = lin.transfer_function("tau", output)
        assert (str(tf), tf.input, tf.output) == (f"{top}/{bottom}", "tau", output)
    assert repr(lin.transfer_function("tau", "L")) == "L/tau = 0"
    out = eq.linearize(eom, q={"q": "pi/2"}, inputs={"tau": 0}, symbolic=True)
    assert str(out).splitlines() == ["ẋ = A x + B u + drift", *shared, *tail, "drift[dq] = -g/L"]
    drift = r"\begin{bmatrix} 0 \\ -\frac{g}{L} \end{bmatrix}"
    assert out.latex() == rf"\frac{{d}}{{dt}} {x} = {out_A} {x} + {B} {u} + {drift}"
    numbers = out.in_numbers({"L": 2})
    np.testing.assert_allclose(numbers.A, [[0, 1], [0, -0.0125]], rtol=1e-12)
    np.testing.assert_allclose(numbers.B, [[0], [0.125]], rtol=1e-12)
    np.testing.assert_allclose(numbers.drift, [0, -9.81 / 2], rtol=1e-12)
    assert (numbers.states, numbers.inputs) == (("q", "dq"), ("tau",))
    with pytest.raises(
        UnknownNameError, match=r"symbol 'p' in the output L\*p\. Valid: q, dq, m, L"
    ):
        lin.output_row("L*p")


@pytest.mark.needs("scipy")
def test_an_input_without_effect() -> None:
    eom = eq.derive(planar_quadrotor_with_load())
    lin = eq.linearize(eom, symbolic=True)
    nothing = lin.transfer_function("F", "th")
    assert nothing.is_zero
    assert str(nothing) == nothing.latex() == "0"
    same = LinearSystem(*_parts(lin)).transfer_function("F", "th")
    assert same.is_zero


def _parts(lin: Any) -> tuple[Any, ...]:
    n = lin.in_numbers()
    return n.A, n.B, n.states, n.inputs


def test_rational_functions_cancel() -> None:
    for text, short in (
        ("F*sin(a)*(m + m_L)/(m*(m + m_L)*L)", "sin(a)*F/(L*m)"),
        ("(1 - cos(a)**2)/sin(a)", "sin(a)"),
        ("(a - b)/(sqrt(a) - sqrt(b)) - sqrt(b)", "sqrt(a)"),
        ("(x**2 - y**2)/(x - y) - x", "y"),
        ("a - a", "0"),
    ):
        e = as_expr(text)
        field = RationalFunctions([e])
        found = field.write(field.read(e))
        assert prove_equal(found, as_expr(short))
        assert len(str(found)) <= len(short)


def test_errors_say_what_to_do() -> None:
    eom = eq.derive(cart_with_double_pendulum())
    lin = eq.linearize(eom, symbolic=True)
    with pytest.raises(EquilibriumError, match=r"q1 leaves .*pass inputs"):
        eq.linearize(eom, q={"q1": "1/2"}, symbolic=True)
    with pytest.raises(UnknownEntryError, match="q3"):
        eq.linearize(eom, q={"q3": 0}, symbolic=True)
    with pytest.raises(UnknownEntryError, match="parameter 'k'"):
        eq.linearize(eom, q={"q1": "k"}, symbolic=True)
    with pytest.raises(UnknownEntryError, match="'mass'"):
        eq.linearize(eom, values={"mass": 1}, symbolic=True)
    with pytest.raises(EvaluationError, match="must have 3 entries, got 2"):
        eq.linearize(eom, q=[0, 0], symbolic=True)
    with pytest.raises(EvaluationError, match="must be continuous"):
        eq.linearize(eom, dt=0.1, symbolic=True)  # pyright: ignore
    for system in (lin, lin.in_numbers()):
        with pytest.raises(UnknownNameError, match="input 'G'"):
            system.transfer_function("G", "x")
        with pytest.raises(UnknownNameError, match="'w'"):
            system.transfer_function("F", "w")
    with pytest.raises(UnknownNameError, match="symbol 'w'"):
        lin.transfer_function("F", "w + x")
    with pytest.raises(EvaluationError, match="got none for"):
        lin.transfer_function("F", "x").numbers()
    massless = eq.Robot("none", [eq.Body("b", eq.prismatic("x"), mass=0)])
    with pytest.raises(EvaluationError, match="mass matrix"):
        eq.linearize(eq.derive(massless), symbolic=True)
    seven = eq.linearize(eq.derive(planar_quadrotor_with_load()), symbolic=True)
    with pytest.raises(EvaluationError, match="at most 6 states, got 8"):
        _ = seven.stability_conditions
    wip = eq.derive(eq.load("wheeled_inverted_pendulum"))
    with pytest.raises(EvaluationError, match=r"must stay short.*pass values"):
        eq.linearize(wip, q={"q_imu": "atan2(MZ_B, MY_B)"}, symbolic=True)


def test_a_solution_that_is_not_proved_is_not_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    eom = eq.derive(cart_with_double_pendulum())
    refuted = prove_equal(as_expr("a"), as_expr("b"))
    monkeypatch.setattr(symbolic_linearize, "prove_zero", lambda _: refuted)
    with pytest.raises(ProofError, match=r"could not be proved: .*pass values"):
        eq.linearize(eom, inputs=[0], symbolic=True)


def test_a_float_that_is_a_multiple_of_pi_is_exact() -> None:
    eom = eq.derive(cart_with_double_pendulum())
    lin = eq.linearize(eom, q=np.array([0, pi, 0]), symbolic=True)
    assert str(lin.A["dx", "q1"]) == "g*(m1 + m2)/M"
    assert eq.linearize(eom, q=[Fraction(1, 2), 0, 0], symbolic=True).drift.is_zero


def test_loops_are_linearized_in_independent_coordinates() -> None:
    """The explicit form is that of the numbers; other forms would leave out the constraint forces."""
    eom = eq.derive(parallelogram())
    for form in (eom, eom.minimal("dq1")):
        with pytest.raises(EvaluationError, match=r"must be independent, .* use eom.explicit"):
            eq.linearize(form, inputs=[0, 0, 0], symbolic=True)
    lin = eq.linearize(eom.explicit(), q=["pi/2"], inputs=[0, 0, 0], symbolic=True)
    numeric = eq.linearize(eom, q=[pi / 2, -pi / 2, pi / 2], inputs=[0, 0, 0])
    assert lin.states == numeric.states
    np.testing.assert_allclose(lin.in_numbers().A, numeric.A, atol=1e-9)
    np.testing.assert_allclose(lin.in_numbers().B, numeric.B, atol=1e-9)
    row = lin.output_row("2*dq3 + 5*dq2")  # dq3 = dq1 and dq2 = −dq1
    assert [x.value for x in row] == [0, -3]


def test_a_robot_is_not_its_equations() -> None:
    with pytest.raises(EquamoError, match=r"linearize\(\) takes EquationsOfMotion, got the robot"):
        eq.linearize(eq.load("rr_arm"), symbolic=True)  # type: ignore[call-overload]


def test_values_of_a_linearization_stay() -> None:
    """A parameter that is a number in the system cannot have another value in numbers."""
    rod = eq.Body("rod", eq.revolute("q", axis="y"), mass="m", com="0 0 L")
    eom = eq.derive(eq.Robot("pendulum", [rod], parameters={"m": 1, "L": 2, "g": 9.81}))
    free = eq.linearize(eom, symbolic=True)
    assert free.in_numbers({"L": 5}).A[1, 0] == pytest.approx(9.81 / 5)
    fixed = eq.linearize(eom, symbolic=True, values={"L": 2})
    assert fixed.in_numbers({"L": 2, "g": 4}).A[1, 0] == 2
    with pytest.raises(
        eq.EquamoError, match=r"'L' must have the value 2 .* got 5; call eq.linearize"
    ):
        fixed.in_numbers({"L": 5})
    related = eq.linearize(eom, symbolic=True, values={"L": "2*m"})
    with pytest.raises(eq.EquamoError, match=r"'L' was replaced by 2\*m .*; pass values of m"):
        related.in_numbers({"L": 5})
