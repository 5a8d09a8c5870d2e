"""Quantities by name: identities of mechanics between them, under any order and signs."""

import pytest

from equamo.errors import EquamoError
from equamo.review.claims import audit, claim

ARM = "three_link_prismatic_arm"
BODIES = {
    "rr_arm": ("upper", "fore"),
    "wheeled_inverted_pendulum": ("wheel_L", "wheel_R", "body"),
}


def holds(robot: str, *equations: str, **conventions: object) -> bool:
    claims = [claim(str(i), "", e, **conventions) for i, e in enumerate(equations)]  # type: ignore[arg-type]
    report = audit(claims, robot, seed=1)
    for f in report.findings:
        assert f.verdict == "proved", (equations[int(f.id)], report)
    return True


CONVENTIONS = [
    {},
    {"order": ("q2", "q1")},
    {"flip": ("q1",)},
    {"order": ("q2", "q1"), "flip": ("q2",)},
    {"symbols": {"q1": "-theta", "L1": "2*l", "m2": "m_2"}},
]


@pytest.mark.parametrize("conventions", CONVENTIONS)
def test_the_equations_of_an_arm_belong_together(conventions: dict[str, object]) -> None:
    assert holds(
        "rr_arm",
        "@kinetic_energy = @v'*(@mass_matrix*@v)/2",
        "@bias = @coriolis_matrix*@v = @coriolis_split*@v",
        "@inverse_dynamics = @mass_matrix*@vdot + @bias + @gravity",
        "dt(@mass_matrix) = @coriolis_matrix + @coriolis_matrix'",
        "@contribution(upper) + @contribution(fore) = @mass_matrix*@vdot + @bias",
        "-@gravity = @weight_force(upper) + @weight_force(fore)",
        "@linear_velocity(fore, at=com) = @linear_jacobian(fore, at=com)*@v",
        "@linear_acceleration(fore) = dt(@linear_velocity(fore))",
        "@lagrangian = @kinetic_energy - @potential_energy",
        "dt(@potential_energy) = @gravity'*@v",
        **conventions,
    )


def test_christoffel_symbols_are_those_of_the_mass_matrix() -> None:
    sums = [
        f"@coriolis_matrix[{i}, {j}] = " + " + ".join(f"@christoffel({i}, {j}, {k})*d{q}"
        for k, q in enumerate(("q1", "q2", "x"), 1)) for i in (1, 2, 3) for j in (1, 2, 3)
    ]  # fmt: skip
    assert holds(ARM, *sums)
    turned = [
        f"@coriolis_matrix[{i}, {j}] = " + " + ".join(f"@christoffel({i}, {j}, {k})*d{q}"
        for k, q in enumerate(("x", "q2", "q1"), 1)) for i in (1, 2, 3) for j in (1, 2, 3)
    ]  # fmt: skip
    assert holds(ARM, *turned, order=("x", "q2", "q1"), flip=("q2", "x"))


@pytest.mark.parametrize("robot", BODIES)
def test_energies_and_momenta_of_bodies_sum_up(robot: str) -> None:
    names = BODIES[robot]
    kinetic = " + ".join(f"@body_kinetic_energy({b})" for b in names)
    potential = " + ".join(f"@body_potential_energy({b})" for b in names)
    momentum = " + ".join(f'@body_momentum({b}, expressed_in="world")' for b in names)
    assert holds(
        robot,
        f"@kinetic_energy = {kinetic}",
        f"@potential_energy = {potential}",
        f"@momentum[4:6] = {momentum}",
        "@total_mass = " + " + ".join(f"@mass({b})" for b in names),
    )


@pytest.mark.parametrize("body", ["upper", "fore"])
def test_angular_momentum_and_its_rate(body: str) -> None:
    world = f"@angular_momentum({body}, about=com, expressed_in=world)"
    own = f"@angular_velocity({body}, expressed_in={body})"
    S = f"skew(@com({body}))"
    assert holds(
        "rr_arm",
        f"dt({world}) = @angular_momentum_rate({body}, about=com, expressed_in=world)",
        f"@angular_momentum({body}) = @central_inertia({body})*{own}",
        f"@inertia({body}) = @central_inertia({body}) - @mass({body})*{S}*{S}",
        f"@rotation({body})'*dt(@rotation({body})) = skew({own})",
        f"dt(@rotation({body}))*@rotation({body})' = skew(@angular_velocity({body}))",
        f"@transform({body}) = transform_of(@rotation({body}), @position({body}))",
        f"@first_moment({body}) = @mass({body})*@com({body})",
        f"@axis({body}) = [0, 0, 1]",
    )


def test_forces_of_a_robot_with_hands() -> None:
    assert holds(
        "wheeled_inverted_pendulum",
        "@actuation = @input_matrix*@inputs",
        "@external_force = @generalized_force(hand_l) + @generalized_force(hand_r)",
        "@kinematic_map*@v = [dX0, dY0, dtheta_L, dtheta_R, -dphi]",
        on_motion=True,
    )


@pytest.mark.parametrize(
    "name", ["christoffel(1, 1, 2, at=com)", "mass_matrix(at=com)", "force_energy(motor1, at=com)"]
)
def test_quantities_without_named_arguments(name: str) -> None:
    quantity = name.partition("(")[0]
    with pytest.raises(EquamoError, match=f"unknown argument 'at' of {quantity}. Valid: none"):
        audit([claim("x", "", f"@{name} = 0")], "rr_arm", seed=1)
