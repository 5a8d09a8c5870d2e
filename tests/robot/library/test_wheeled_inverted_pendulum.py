"""The wheeled inverted pendulum against document 003: eq. (27), what is misprinted in it, its length."""

import pytest
import sympy

from equamo.algebra.expr import ZERO, Expr, cos, parse, sin, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal, prove_zero, residual
from equamo.mechanics.certificate import prove
from equamo.mechanics.equations import FORMULATIONS, EquationsOfMotion, derive
from equamo.mechanics.equations.constraint_forces import constraint_forces
from equamo.mechanics.formulations.boltzmann_hamel import boltzmann_hamel
from equamo.robot.library.wheeled_inverted_pendulum import (
    HEADING,
    ROLLING,
    YAW,
    groups,
    in_groups,
    wheeled_inverted_pendulum,
    without_groups,
)
from equamo.robot.model import Robot
from equamo.robot.model.integrability import constraint_report

pytestmark = pytest.mark.needs("sympy")

S, C = "sin(q_imu)", "cos(q_imu)"
PRINTED_GROUPS = {  # as document 003 has them
    "M1": f"MY_B*{C} + MZ_B*{S}",
    "M2": f"MZ_B*{C} - MY_B*{S}",
    "M3": f"ZZ_B*{S}**2 + YY_B*{C}**2 + YZ_B*{C}*{S}",
    "M4": f"XZ_B*{S} + XY_B*{C} + MX_B/m_B*M1",
    "M5": f"-XZ_B*{C} + XY_B*{S} + MX_B/m_B*M2",
    "M6": "1/m_B*(MY_B**2 + MZ_B**2)",
    "M7": "1/m_B*((MZ_B**2 - MY_B**2)*sin(2*q_imu) + 2*MX_B*MZ_B*cos(2*q_imu)) - 2*M8",
    "M8": f"YZ_B*cos(2*q_imu) + (ZZ_B - YY_B)*{C}*{S}",
}
CORRECTED = PRINTED_GROUPS | {
    "M3": f"ZZ_B*{S}**2 + YY_B*{C}**2 + 2*YZ_B*{C}*{S}",
    "M4": f"XZ_B*{S} + XY_B*{C} - MX_B/m_B*M1",
    "M7": "1/m_B*((MZ_B**2 - MY_B**2)*sin(2*q_imu) + 2*MY_B*MZ_B*cos(2*q_imu)) - 2*M8",
}
A22 = "m_w*L**2/2 + YY_w*L**2/(2*R**2) + 2*ZZ_w + M2**2/m_B + M3 + MX_B**2/m_B"
A = [["m_B + 2*m_w + 2*YY_w/R**2", "MX_B", "-M1"], ["MX_B", A22, "M4"], ["-M1", "M4", "M6 + XX_B"]]
SPLIT = [  # C of (27), with the factor dpsi that its C₃₂ lacks
    ["0", "M2*dpsi", "M2*dphi"],
    ["-1/2*M2*dpsi", "-1/2*M2*dx + 1/2*M7*dphi", "M5*dphi + 1/2*M7*dpsi"],
    ["0", "(M8 - 1/m_B*M1*M2)*dpsi", "0"],
]
RIGHT = [  # section 5.3, r_ry for E_ry
    "tau_L/R + tau_R/R + Flx + Frx",
    "-L/(2*R)*tau_L + L/(2*R)*tau_R + Tlz + Trz + rlx*Fly - rly*Flx + rrx*Fry - rry*Frx",
    f"tau_L + tau_R + g*(MZ_B*{C} - MY_B*{S}) - Try - Tly + rlx*Flz - rlz*Flx + rrx*Frz - rrz*Frx",
]
V = ("dx", "dpsi", "dphi")


def inserted(text: str, table: dict[str, str]) -> Expr:
    new = {n: parse(e) for n, e in table.items()}
    return parse(text).subs(new).subs(new)


@pytest.fixture(scope="module")
def eom() -> EquationsOfMotion:
    return derive(wheeled_inverted_pendulum(), coriolis="split")


# -- eq. (27) --------------------------------------------------------------------------------
@pytest.mark.parametrize("by", FORMULATIONS)
def test_corrected_mass_matrix(by: str) -> None:
    M = derive(wheeled_inverted_pendulum(), by=by).mass_matrix
    assert prove_equal(M, Matrix([[inserted(x, CORRECTED) for x in row] for row in A]))


def test_split_coriolis_matrix_is_that_of_the_document(eom: EquationsOfMotion) -> None:
    """CC of the listing A.1: squares whole, products of two speeds halved."""
    printed = Matrix([[inserted(x, CORRECTED) for x in row] for row in SPLIT])
    assert prove_equal(eom.coriolis_matrix, printed)


def test_christoffel_gives_the_same_products() -> None:
    eom = derive(wheeled_inverted_pendulum())
    Cv = Matrix([[inserted(x, CORRECTED) for x in row] for row in SPLIT]) @ Vector(V)
    assert prove_equal(eom.coriolis_matrix @ Vector(V), Cv)
    assert prove_equal(eom.bias, Cv)


def test_right_hand_side(eom: EquationsOfMotion) -> None:
    assert prove_equal(right_hand_side(eom), Vector(map(parse, RIGHT)))


def right_hand_side(eom: EquationsOfMotion) -> Vector:
    total = -eom.gravity
    for f in eom.forces.values():
        total = total + f
    return total


@pytest.mark.ci
def test_misprints(eom: EquationsOfMotion) -> None:
    """What is printed differs from what is derived, by this."""
    M, CC = eom.mass_matrix, eom.coriolis_matrix
    M1, M2, M8 = (inserted(x, CORRECTED) for x in ("M1", "M2", "M8"))
    assert prove_equal(residual(M[1, 1], inserted(A22, PRINTED_GROUPS)), f"YZ_B*{C}*{S}")
    assert prove_equal(residual(M[1, 2], inserted("M4", PRINTED_GROUPS)), M1 * parse("-2*MX_B/m_B"))
    slip = parse("dphi*MZ_B*(MY_B - MX_B)*cos(2*q_imu)/m_B")
    assert prove_equal(residual(CC[1, 1], inserted(SPLIT[1][1], PRINTED_GROUPS)), slip)
    without_dpsi = inserted("M8 - 1/m_B*M1*M2", PRINTED_GROUPS)
    factor = M8 - M1 * M2 / symbol("m_B")
    assert prove_equal(residual(CC[2, 1], without_dpsi), factor * parse("dpsi - 1"))
    # The others are printed right.
    same = {
        n
        for n in PRINTED_GROUPS
        if prove_equal(inserted(n, PRINTED_GROUPS), inserted(n, CORRECTED))
    }
    assert same == {"M1", "M2", "M5", "M6", "M8"}


def test_groups_are_the_corrected_ones(eom: EquationsOfMotion) -> None:
    for name in CORRECTED:
        assert prove_equal(without_groups(symbol(name)), inserted(name, CORRECTED))
    M, Cv, g = in_groups()
    assert prove_equal(eom.mass_matrix, M.map(lambda e: map(without_groups, e)))
    assert prove_equal(eom.bias, Cv.map(lambda e: map(without_groups, e)))
    assert prove_equal(eom.gravity, g.map(lambda e: map(without_groups, e)))


# -- where it is -----------------------------------------------------------------------------
def test_wheels_stand_on_the_ground(eom: EquationsOfMotion) -> None:
    """Heading and axle at height R, the wheels L apart; the lowest points touch z = 0 and rest there."""
    x, y, psi = parse("X0"), parse("Y0"), parse(YAW["psi"])
    assert prove_equal(eom.frame("heading").position(), Vector([x, y, "R"]))
    side = Vector([-sin(psi), cos(psi), 0]) * parse("L/2")
    down = Vector([0, 0, "-R"])
    for name, sign in (("wheel_L", 1), ("wheel_R", -1)):
        wheel = eom.frame(name)
        centre = Vector([x, y, "R"]) + side * sign
        assert prove_equal(wheel.position(), centre)
        assert prove_zero((wheel.position() + down)[2])
        at_rest = wheel.linear_velocity() + wheel.angular_velocity().cross(down)
        assert prove_zero(at_rest)


# -- length ----------------------------------------------------------------------------------
def count(text: str) -> int:
    """count_ops of what is printed, as it stands or as SymPy orders it, whichever is less."""
    return min(sympy.count_ops(sympy.parse_expr(text, evaluate=e)) for e in (False, True))


def needed(text: str) -> set[str]:
    found: set[str] = set()
    todo = [text]
    while todo:
        for x in parse(todo.pop()).sympy(simplify=False).free_symbols:
            if x.name in CORRECTED and x.name not in found:
                found.add(x.name)
                todo.append(CORRECTED[x.name])
    return found


def printed_count(text: str) -> int:
    """Of an entry of (27), each of its groups counted once."""
    return count(text) + sum(count(CORRECTED[n]) for n in needed(text))


def entries(eom: EquationsOfMotion) -> list[tuple[Expr, Expr, str]]:
    """(derived, the same in groups, printed) of A, C v and the right-hand side."""
    M, Cv, _ = in_groups()
    table = [(eom.mass_matrix[i, j], M[i, j], A[i][j]) for i in range(3) for j in range(3)]
    for i in range(3):
        terms = [f"({x})*{v}" for x, v in zip(SPLIT[i], V, strict=True) if x != "0"]
        table.append((eom.bias[i], Cv[i], " + ".join(terms)))
    right = right_hand_side(eom)
    table += [(right[i], right[i].closed_form(), RIGHT[i]) for i in range(3)]
    return table


@pytest.mark.ci
def test_closed_forms_are_no_longer_than_the_document_s(eom: EquationsOfMotion) -> None:
    for derived, grouped, printed in entries(eom):
        assert prove_equal(derived, inserted(printed, CORRECTED))
        assert sympy.count_ops(derived.closed_form().sympy(simplify=False)) <= printed_count(
            printed
        ), printed
        assert sympy.count_ops(grouped.sympy(simplify=False)) <= count(printed), printed


def test_groups_are_no_longer_than_the_document_s() -> None:
    for name, e in groups().items():
        assert sympy.count_ops(e.sympy(simplify=False)) <= count(CORRECTED[name]), name


# -- constraints -----------------------------------------------------------------------------
def test_growth_without_psi() -> None:
    report = constraint_report(wheeled_inverted_pendulum())
    assert report.growth == (3, 4, 5)
    assert report.dimension == 5
    assert report.degrees_of_freedom == 3


def test_growth_with_psi() -> None:
    given = wheeled_inverted_pendulum()
    robot = Robot("psi kept", given.bodies, forces=[], constraints=ROLLING,
                  speeds={**HEADING, "dphi": "-dq_imu"})  # fmt: skip
    report = constraint_report(robot)
    assert report.growth == (3, 4, 5)
    assert report.dimension == 6
    assert report.integrable == 1
    (found,) = report.combinations
    assert found.text == "right wheel rolls − left wheel rolls"
    assert prove_equal(found.equation, "L*dpsi - R*dtheta_R + R*dtheta_L")  # (5)
    assert found.integral is not None
    assert prove_equal(found.integral, "L*psi - R*theta_R + R*theta_L")
    assert "3, 4, 5 of 6: nonholonomic, 1 of 3 integrable" in str(report)


def test_map_is_that_of_the_document() -> None:
    """(8) to (11)"""
    N = wheeled_inverted_pendulum().kinematic_map
    psi = "R*(theta_R - theta_L)/L"
    rows = [[f"cos({psi})", 0, 0], [f"sin({psi})", 0, 0], ["1/R", "-L/(2*R)", 0], ["1/R", "L/(2*R)", 0],
            [0, 0, -1]]  # fmt: skip
    assert prove_equal(N, Matrix(rows))


def test_ground_forces(eom: EquationsOfMotion) -> None:
    """The wheel's own equation gives the force along the heading, Newton the sum and the side."""
    ground = constraint_forces(eom)
    left, right, side = ground.values()
    wheel_L = parse("(tau_L - YY_w*(ddx - L/2*ddpsi)/R)/R")
    assert prove_equal(left, wheel_L)
    a = eom.frame("body").linear_acceleration(at="com", expressed_in="heading")
    wheels = [eom.frame(f"wheel_{s}").linear_acceleration(expressed_in="heading") for s in "LR"]
    inertial = a * symbol("m_B") + (wheels[0] + wheels[1]) * symbol("m_w")
    # The equations of motion hold for these inputs: then Newton along x₀ holds too.
    along = inertial[0] - parse("Flx + Frx") - left - right
    assert prove_equal(along, _equation(eom, 0))
    assert prove_zero(inertial[1] - parse("Fly + Fry") + side)  # its velocity is along −y₀


def _equation(eom: EquationsOfMotion, i: int) -> Expr:
    """M v̇ + C v + g − f, which the motion makes 0"""
    row = eom.mass_matrix @ Vector(eom.vdot) + eom.bias - right_hand_side(eom)
    return row[i]


@pytest.mark.ci
def test_ground_force_by_any_formulation() -> None:
    robot = wheeled_inverted_pendulum()
    first = Vector(constraint_forces(derive(robot)).values())
    for by in FORMULATIONS:
        assert prove_equal(Vector(constraint_forces(derive(robot, by)).values()), first)


def test_boltzmann_hamel() -> None:
    robot = wheeled_inverted_pendulum()
    found, eom = boltzmann_hamel(robot), derive(robot)
    assert prove_equal(found.mass_matrix, eom.mass_matrix)
    assert prove_equal(found.bias, eom.bias)
    # Without the bracket the side force of a turning robot would be missed.
    assert not prove_zero(eom.bias[1].subs({"dphi": ZERO}))


def test_certificate() -> None:
    cert = prove(wheeled_inverted_pendulum())
    assert cert.ok, str(cert)
    assert {"boltzmann hamel = recursive", "N keeps every constraint"} <= {
        x.name for x in cert.lines
    }
