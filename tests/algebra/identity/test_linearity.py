"""Linear coefficients: proved, and refused for everything that a derivative cannot see."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, final

import pytest

import equamo as eq
from equamo.algebra.expr import Expr, parse, symbol, symbols
from equamo.algebra.expr.functions import TABLE
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import linearity, prove_zero
from equamo.algebra.identity.linearity import linear_coefficients
from equamo.errors import ConstraintError, EquamoError, ExpressionError, ModelError
from equamo.mechanics.certificate.properties import power
from equamo.mechanics.kinematics import force_projection
from equamo.robot.formats.urdf_writer import write_urdf
from equamo.robot.model import speeds
from equamo.robot.model.edits import copy_with
from equamo.robot.model.force import ForceElement, SpeedForce

FUNCTIONS = [f"{row.name}(x)" for row in TABLE.values()] + [
    "atan2(x, 0)",
    "atan2(0, x)",
    "atan2(1, x)",
]


def test_coefficients_of_linear_expressions() -> None:
    outputs = [
        parse("m*(ddq1 + 2*ddq2*cos(q)) - g*(m - ddq1)"),
        parse("7*m - ddq2/m"),
        parse("sqrt(a)*abs(b)*ddq1*(1/c + sign(d)) - tanh(q)"),
        parse("m*g"),
        parse("0"),
    ]
    xs = symbols("ddq1 ddq2")
    A, b = linear_coefficients(outputs, ["ddq1", "ddq2"])
    for y, row, rest in zip(outputs, A, b, strict=True):
        assert not {*xs} & {s for e in (*row, rest) for s in e.symbols()}
        assert prove_zero(y - row[0] * xs[0] - row[1] * xs[1] - rest)


@pytest.mark.parametrize(
    "text", ["x**2", "x*(1 + x)", "m/x", "x*y", "(x + 1)**2 - x**2", *FUNCTIONS]
)
def test_what_is_not_linear_is_refused(text: str) -> None:
    with pytest.raises(ExpressionError, match="must be linear in x, y"):
        linear_coefficients([parse("m*x"), parse(text)], ["x", "y"])


def test_an_error_in_the_derivative_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The witness of the coefficients is the expression itself."""
    right = linearity.jacobian
    monkeypatch.setattr(
        linearity, "jacobian", lambda y, x: [[2 * a for a in r] for r in right(y, x)]
    )
    with pytest.raises(ExpressionError, match="one whose linearity is not proved"):
        linear_coefficients([parse("m*x + g")], ["x"])


# -- everything that is linear by definition ---------------------------------------------------------
def pair(**more: Any) -> eq.Robot:
    bodies = [
        eq.Body("a", eq.revolute("q1"), mass="m1", com="L 0 0", inertia="I1 I1 I1"),
        eq.Body("b", eq.revolute("q2"), mass="m2", com="L 0 0", inertia="I2 I2 I2", parent="a"),
    ]
    return eq.Robot("pair", bodies, **more)


class Motor(ForceElement):
    """A user's own element with an input."""

    def __init__(self, force: str) -> None:
        object.__setattr__(self, "name", "motor")
        object.__setattr__(self, "force", parse(force))

    def loads(self, geometry: Any = None) -> tuple[SpeedForce, ...]:
        return (SpeedForce("dq1", self.force),)  # type: ignore[attr-defined]

    def inputs(self) -> tuple[str, ...]:
        return ("F",)


JUMPS = ["sign({x})", "atan2({x}, 0)", "abs({x})*sign({x})", "sign({x})/{x}", "abs({x})"]
LINEAR: dict[str, tuple[Callable[[str], object], str, type[EquamoError]]] = {
    "constraint": (lambda s: pair(speeds={"dq1": "dq1"}, constraints=[f"dq2 + L*{s}"]), "dq1",
                   ConstraintError),
    "speed": (lambda s: pair(speeds={"w": f"dq2 + {s}"}, constraints=["dq1 = dq2"]), "dq1",
              ConstraintError),
    "rate": (lambda s: pair(speeds="w", rates={"dq1": f"w + {s}", "dq2": "w"}), "w",
             ConstraintError),
    "force": (lambda s: eq.force_actuator("b", force=Vector([f"F + {s}", 0, 0])), "F", ModelError),
    "torque": (lambda s: eq.torque_actuator("b", "a", Vector([0, 0, s])), "T", ModelError),
    "motor": (lambda s: eq.derive(pair(forces=[Motor(f"F + {s}")])).input_matrix, "F", ModelError),
}  # fmt: skip


@pytest.mark.parametrize("jump", JUMPS)
@pytest.mark.parametrize("what", LINEAR)
def test_a_jump_is_not_linear(what: str, jump: str) -> None:
    make, x, error = LINEAR[what]
    with pytest.raises(error, match=r"must be linear|must be sums of inputs"):
        make(jump.format(x=x))


def test_a_term_without_an_input_is_not_lost() -> None:
    with pytest.raises(ModelError, match=r"'motor'.*the term -?.*d.* without an input"):
        _ = eq.derive(pair(forces=[Motor("F - d*dq1")])).input_matrix
    vanishing = eq.derive(pair(forces=[Motor("F*L + cos(q1)**2 + sin(q1)**2 - 1")]))
    assert vanishing.input_matrix[0, 0] is symbol("L")


# What is differentiated along the motion: {name: robot with an expression in it}
DIFFERENTIATED: dict[str, Callable[[str], object]] = {
    "the rate of 'dq2'": lambda s: pair(speeds="w", rates={"dq1": "w", "dq2": f"w*(2 + {s})"}),
    "the rate of 'dq1'": lambda s: pair(
        speeds={"dq2": "dq2"}, constraints=[f"dq1 = (2 + {s})*dq2"]
    ),
    "the formula of the eliminated coordinate 'q2'": lambda s: pair(
        speeds="w", rates={"dq1": "w", "dq2": "w"}, eliminate={"q2": f"q1 + {s} - sign(p)"}
    ),
    "position of the joint": lambda s: eq.Robot(
        "cam", [eq.Body("a", eq.custom("q1", position=f"{s} q1 0"), mass=1)]
    ),
}


@pytest.mark.parametrize("what", DIFFERENTIATED)
def test_what_is_differentiated_does_not_jump(what: str) -> None:
    """The derivative of sign(q) is 0, so the jump would be missing from the equations."""
    with pytest.raises(ModelError, match=rf"{what}.* must not (jump|jump or have a kink), because"):
        DIFFERENTIATED[what]("sign(q1)")
    DIFFERENTIATED[what]("sign(p)")  # of a parameter it is a constant


def test_a_rate_may_have_a_kink_and_a_position_may_not() -> None:
    assert eq.prove(pair(speeds="w", rates={"dq1": "w", "dq2": "w*abs(q1)"})).ok
    with pytest.raises(ModelError, match=r"must not jump or have a kink.*got abs\(q1\)"):
        DIFFERENTIATED["position of the joint"]("abs(q1)")


ANGLE = "atan2(sin(q1), cos(q1))"  # q1, but for jumps by 2π


@pytest.mark.parametrize("what", DIFFERENTIATED)
def test_the_branch_of_an_angle_is_a_jump(what: str) -> None:
    """The derivative of atan2(sin(q), cos(q)) is 1, also where it jumps."""
    jump = f"tanh({ANGLE})"
    with pytest.raises((ModelError, ConstraintError), match=r"must not jump|must follow from"):
        DIFFERENTIATED[what](jump)
    if "eliminated" not in what:  # it turns with q1
        DIFFERENTIATED[what](f"cos({ANGLE})*sin(2*{ANGLE})")
        with pytest.raises(ModelError, match="must not jump"):
            DIFFERENTIATED[what](f"cos({ANGLE}/2)")


def with_angle(joint: eq.Joint, k: str, **more: Any) -> eq.Robot:
    bodies = [eq.Body("a", eq.revolute("q1"), mass=1, com="1 0 0"), eq.Body("b", joint, mass=1)]
    return eq.Robot("p", bodies, speeds="w", rates={"dq1": "w", "dq2": f"{k}*w"},
                    eliminate={"q2": f"{k}*{ANGLE}"}, **more)  # fmt: skip


def test_an_eliminated_coordinate_may_jump_by_whole_turns_only() -> None:
    assert eq.prove(with_angle(eq.revolute("q2"), "2")).ok
    for joint, k in ((eq.prismatic("q2"), "1"), (eq.revolute("q2"), "(1/2)"),
                     (eq.revolute("q2"), "R"), (eq.helical("q2", pitch="h"), "1")):  # fmt: skip
        with pytest.raises(ModelError, match=r"eliminated coordinate 'q2' must not jump.*by 2π"):
            with_angle(joint, k)
    with pytest.raises(ModelError, match="must not jump"):  # and the spring's energy with it
        with_angle(eq.revolute("q2"), "1", forces=[eq.joint_spring("q2", "k")])


@final
@dataclass(frozen=True)
class Stored(ForceElement):
    """A user's own element without a force, but with an energy and an input."""

    stored: str

    def loads(self, geometry: Any = None) -> tuple[SpeedForce, ...]:
        return (SpeedForce("dq1", parse("F")),)

    def energy(self, geometry: Any) -> Expr:
        return parse(self.stored)

    def inputs(self) -> tuple[str, ...]:
        return ("F",)


@pytest.mark.parametrize(
    ("energy", "reason"),
    [("sign(q1)", "jump"), (ANGLE, "jump"), ("k*t", "the time"), ("F", "an input"),
     ("ddq1", "an acceleration")],
)  # fmt: skip
def test_an_energy_that_changes_without_power_is_not_proved(energy: str, reason: str) -> None:
    eom = eq.derive(pair(forces=[Stored("store", energy)]))
    with pytest.raises(
        ModelError, match=rf"the energy of force element 'store' must not.*{reason}"
    ):
        power(eom)
    assert power(eq.derive(pair(forces=[Stored("store", "k*abs(q1)")])))


# -- the witnesses of W and B --------------------------------------------------------------------------
def doubled(outputs: Any, xs: Any) -> Any:
    A, b = linear_coefficients(outputs, xs)
    return [[2 * a for a in row] for row in A], b


def wheel(**more: Any) -> eq.Robot:
    return pair(speeds={"w": "dq1 + q1*dq2"}, constraints=["dq1 = cos(q2)*dq2"], **more)


def test_a_wrong_speed_map_is_refuted() -> None:
    """The constraint and the formula are evaluated as they were written, not the matrix."""
    robot = wheel()
    assert robot.speed_map is not None
    W = robot.speed_map.W
    for rows, line in (
        ([[-W[0, 0]], W.rows[1]], "N keeps every constraint"),
        ([[2 * r[0]] for r in W.rows], "N gives the chosen speeds"),
    ):
        wrong = replace(robot.speed_map, W=Matrix(rows, W.row_names, W.column_names))
        lines = {x.name: x.proof for x in eq.prove(copy_with(robot, speeds=wrong)).lines}
        assert lines[line].verdict == "refuted"


def test_a_speed_map_that_is_solved_wrongly_is_not_accepted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = speeds.solve
    monkeypatch.setattr(speeds, "solve", lambda A, b: right(A, b) * 2)
    with pytest.raises(ConstraintError, match="solved speeds do not satisfy"):
        wheel()


def test_wrong_inputs_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(force_projection, "linear_coefficients", doubled)
    certificate = eq.prove(pair(forces=[eq.joint_actuator("q1")]))
    lines = {x.name: x.proof.verdict for x in certificate.lines}
    assert lines["w·B τ = virtual power of actuators"] == "refuted"


def test_a_follower_that_is_no_mimic_joint_is_lost_in_urdf() -> None:
    rates = {"dq1": "w", "dq2": "2*q1*w"}
    robot = pair(speeds="w", rates=rates, eliminate={"q2": "q1**2"}, gravity="0 0 -9.81")
    robot = robot.with_values(**{n: 1 for n in ("m1", "m2", "L", "I1", "I2")})
    with pytest.raises(ModelError, match=r"cannot represent.*the chosen speeds"):
        write_urdf(robot)
