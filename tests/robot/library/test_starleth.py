"""StarlETH: what a free-floating quadruped must satisfy."""

import numpy as np
import pytest

from equamo.algebra.expr import ZERO
from equamo.algebra.expr.matrix import identity
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal
from equamo.errors import ModelError, UnknownNameError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.library import load
from equamo.robot.library.starleth import LEGS, support_jacobian

BASE = ["qX", "qY", "qZ", "qAL", "qBE", "qGA"]
JOINTS = ("HAA", "HFE", "KFE")
TOTAL = "mB + 4*(mH + mT + mS)"


@pytest.fixture(scope="module")
def eom() -> EquationsOfMotion:
    return derive(load("starleth"))


def test_names(eom: EquationsOfMotion) -> None:
    joints = [f"{leg}_{joint}" for leg in LEGS for joint in JOINTS]
    assert [x.name for x in eom.q] == BASE + [f"q{x}" for x in joints]
    assert [x.name for x in eom.v] == [f"d{x}" for x in BASE] + [f"dq{x}" for x in joints]
    assert [x.name for x in eom.inputs] == [f"T{x}" for x in joints]
    parts = [f"m{x} s{x} Th{x}_xx Th{x}_yy Th{x}_zz" for x in "BHTS"]
    assert " ".join(x.name for x in eom.parameters).split() == (
        " ".join([*parts, "lH lT lS b2hx b2hy g"]).split()
    )


def test_translation_moves_the_total_mass(eom: EquationsOfMotion) -> None:
    total = sum((b.inertia.mass for b in eom.robot.bodies), ZERO)
    assert prove_equal(total, TOTAL)
    assert prove_equal(eom.mass_matrix[0:3, 0:3], identity(3) * total)
    assert eom.evaluate(total) == pytest.approx(23)


def test_gravity_lifts_the_total_mass(eom: EquationsOfMotion) -> None:
    assert prove_equal(eom.gravity[:3], Vector([0, 0, f"g*({TOTAL})"]))


def test_nothing_depends_on_where_the_base_is(eom: EquationsOfMotion) -> None:
    for x in eom.q[:3]:
        assert prove_equal(eom.gravity.diff(x), Vector([0] * 18))
        assert prove_equal(eom.kinetic_energy.diff(x), 0)


def test_feet_are_massless(eom: EquationsOfMotion) -> None:
    for leg in LEGS:
        assert eom.robot.body(f"{leg}_Foot").inertia.is_zero


@pytest.mark.parametrize("leg", LEGS)
def test_foot_in_the_frame_of_the_base(eom: EquationsOfMotion, leg: str) -> None:
    x = "b2hx" if leg[1] == "F" else "-b2hx"
    y = "b2hy" if leg[0] == "L" else "-b2hy"
    haa, hfe, kfe = (f"q{leg}_{joint}" for joint in JOINTS)
    down = f"(lH + lT*cos({hfe}) + lS*cos({hfe} + {kfe}))"
    place = Vector([
        f"{x} + lT*sin({hfe}) + lS*sin({hfe} + {kfe})",
        f"{y} - {down}*sin({haa})",
        f"{down}*cos({haa})",
    ])  # fmt: skip
    assert prove_equal(eom.frame(f"{leg}_Foot").position(relative_to="base"), place)


def test_the_robot_stands_at_home(eom: EquationsOfMotion) -> None:
    for leg in LEGS:
        x, y, z = eom.evaluate(eom.frame(f"{leg}_Foot").position())
        assert abs(z) < 1e-15
        assert x == pytest.approx(0.25 if leg[1] == "F" else -0.25)
        assert y == pytest.approx(0.18 if leg[0] == "L" else -0.18)
    x, y, z = eom.evaluate(eom.center_of_mass)
    assert abs(x) < 1e-12
    assert abs(y) < 1e-12
    assert 0.2 < z < 0.4


def test_support_jacobian_is_the_derivative_of_the_feet(eom: EquationsOfMotion) -> None:
    feet = ("LF", "RF", "RH")
    Js = support_jacobian(eom, feet)
    assert Js.shape == (9, 18)
    q = np.random.default_rng(3).uniform(-1, 1, 18)
    place = Vector([x for leg in feet for x in eom.frame(f"{leg}_Foot").position()])
    h = 1e-6
    states = np.vstack([q + h * np.eye(18), q - h * np.eye(18)])
    moved = eom.evaluate(place, q=states)
    differences = (moved[:18] - moved[18:]).T / (2 * h)
    assert abs(eom.evaluate(Js, q=q) - differences).max() < 1e-9


def test_support_jacobian_by_names(eom: EquationsOfMotion) -> None:
    Js = support_jacobian(eom)
    assert Js.shape == (12, 18)
    assert Js.row_names is not None
    assert Js.row_names[3:6] == ("RF_vx", "RF_vy", "RF_vz")
    assert prove_equal(Js["LH_vz", "dqZ"], 1)
    assert Js["LH_vz", "dqRF_HFE"] is ZERO
    q_dot = Vector(eom.v)
    velocity = eom.frame("RH_Foot").linear_velocity()
    assert prove_equal((Js @ q_dot)[9:], velocity)


def test_support_needs_feet_that_exist(eom: EquationsOfMotion) -> None:
    with pytest.raises(UnknownNameError, match="Valid: LF, RF, LH, RH"):
        support_jacobian(eom, ["FL"])
    with pytest.raises(ModelError, match="feet must have at least one of LF, RF, LH, RH, got none"):
        support_jacobian(eom, [])


def test_four_feet_carry_the_weight(eom: EquationsOfMotion) -> None:
    """At home a quarter of the weight under each foot holds the base still."""
    Js, g = eom.evaluate(support_jacobian(eom)), eom.evaluate("gravity")
    weight = 23 * 9.81
    f = np.tile([0, 0, weight / 4], 4)
    assert (Js.T @ f)[:6] == pytest.approx(g[:6], abs=1e-12)


def test_mass_matrix_is_singular_where_euler_angles_are(eom: EquationsOfMotion) -> None:
    M = eom.evaluate("mass_matrix", q={"qBE": np.pi / 2})
    assert np.linalg.eigvalsh(M)[0] < 1e-12
