"""Printed equations of motion: they hold on every motion that obeys the derived ones."""

from pathlib import Path
from typing import Any

import pytest

from equamo.errors import EquamoError
from equamo.mechanics.equations import derive
from equamo.review.claims import audit, claim
from equamo.review.claims.motion import solved
from loops_examples import four_bar

FOLDER = Path(__file__).parents[3] / "examples" / "audits"
ARM = (
    r"\tau_2 = (m_2 (L_{c2}^2 + L_1 L_{c2} \cos q_2) + I_2) \ddot q_1 + "
    r"(m_2 L_{c2}^2 + I_2) \ddot q_2 + "
)
REST = r"m_2 L_1 L_{c2} \sin(q_2) \dot q_1^2 + m_2 g L_{c2} \cos(q_1 + q_2)"


def one(latex: str, **more: object) -> str:
    made = claim("x", "p", latex, latex=True, robot="rr_arm", on_motion="equations", **more)  # type: ignore[arg-type]
    return audit([made], seed=1).findings[0].verdict


def test_an_equation_with_its_torque() -> None:
    assert one(ARM + REST) == "proved"
    assert one(ARM + REST.replace("L_1", "2 L_1")) == "wrong"


def test_the_order_of_the_sides_and_a_factor_do_not_matter() -> None:
    left, right = (ARM + REST).split(" = ")
    assert one(f"2({right}) = 2 {left}") == "proved"


def test_without_motion_the_torque_is_free() -> None:
    made = claim("x", "p", ARM + REST, latex=True, robot="rr_arm")
    assert audit([made], seed=1).findings[0].verdict == "wrong"


def test_the_name_before_a_quantity_is_a_label() -> None:
    made = claim("x", "p", ARM + REST, "inverse_dynamics", latex=True, robot="rr_arm", entries=2)
    assert audit([made], seed=1).ok
    label = claim(
        "x", "p", r"d_{22} = m_2 L_{c2}^2 + I_2", "mass_matrix[2, 2]", latex=True, robot="rr_arm"
    )
    assert audit([label], seed=1).ok


TORQUE = "(@mass_matrix*@vdot + @bias + @gravity)"


@pytest.mark.parametrize(
    ("right", "quantity", "more"),
    [
        (f"{TORQUE}[2]", "inverse_dynamics[2]", {}),
        ("m2*g*Lc2*cos(q1 + q2)", "gravity[2]", {}),
        ("(@bias + @gravity)[2]", "bias[2] + gravity[2]", {}),
        ("(@mass_matrix*@vdot)[2] + @gravity[2]", "(mass_matrix*vdot + gravity)[2]", {}),
        (f"{TORQUE}[1]", "inverse_dynamics[1]", {"order": ("q2", "q1")}),
        (f"-{TORQUE}[2]", "inverse_dynamics[2]", {"sign": -1}),
    ],
)
def test_a_force_before_a_quantity_is_that_of_its_equation(
    right: str, quantity: str, more: dict[str, Any]
) -> None:
    """A paper that exchanges two torques is wrong, whatever the quantity of the claim is."""
    for label in ("tau2", "tau_2"):  # the input, and a new name
        made = claim("x", "p", f"{label} = {right}", quantity, robot="rr_arm", **more)
        assert audit([made], seed=1).ok
    made = claim("x", "p", f"tau1 = {right}", quantity, robot="rr_arm", **more)
    with pytest.raises(EquamoError, match="must be that of its equation, got tau1"):
        audit([made], seed=1)


def test_forces_before_other_quantities() -> None:
    vector = ["tau1 = @gravity[1]", "tau2 = @gravity[2]"]
    assert audit([claim("x", "p", vector, "gravity", robot="rr_arm")], seed=1).ok
    wrong: list[tuple[Any, str]] = [
        (["tau2 = @gravity[1]", "tau1 = @gravity[2]"], "gravity"),
        ("tau2 = m2*Lc2**2 + I2", "mass_matrix[2, 2]"),
        ("tau2 = m2*L1*Lc2*sin(q2)*dq1**2", "bias[2]"),
    ]
    for printed, quantity in wrong:
        with pytest.raises(EquamoError, match="must be that of its equation"):
            audit([claim("x", "p", printed, quantity, robot="rr_arm")], seed=1)
    robot = four_bar()
    torque = f"{robot.inputs[0]} = 1*@inverse_dynamics[1]"
    loop = claim("x", "p", torque, "inverse_dynamics[1]", robot=robot)
    with pytest.raises(
        EquamoError, match="must be that of its equation"
    ):  # the loop has forces, too
        audit([loop], seed=1)


def test_the_name_of_a_parameter_is_no_label() -> None:
    made = claim("x", "p", "m2 = m2*Lc2**2 + I2", "mass_matrix[2, 2]", robot="rr_arm")
    with pytest.raises(EquamoError, match="expected a formula, found an equation"):
        audit([made], seed=1)


def test_cart_pole() -> None:
    """Underactuated: the accelerations are replaced. A well-known model, with its known errors."""
    report = audit(FOLDER / "cart_pole.toml", seed=1)
    assert report.as_expected, str(report)
    assert {f.id for f in report.findings if f.verdict != "proved"} == {
        "smooth-point-mass", "2007", "2007-with-1983",
    }  # fmt: skip


def test_a_force_that_depends_on_what_it_determines() -> None:
    made = claim(
        "x", "p", "tau_1 = tau_1 + dq1", robot="rr_arm", on_motion="equations",
        symbols={"tau1": "tau_1", "ddq1": "2*tau_1"},
    )  # fmt: skip
    with pytest.raises(EquamoError, match=r"must not contain what they determine, got tau_1"):
        audit([made], seed=1)


def test_accelerations_of_loops_are_solved_for() -> None:
    """Every joint of a four-bar has an input, but constraint forces act too: τ is not M v̇ + C v + g."""
    eom = derive(four_bar())
    assert [x.name for x in solved(eom)] == ["ddq1", "ddq2", "ddq3"]
