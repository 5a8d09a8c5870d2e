"""Force elements that cannot be: the error names the element and what would do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

import equamo as eq
from equamo.errors import ModelError, UnknownNameError
from force_robots import arm

CASES: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: eq.joint_damper("q1", -2), ModelError, "damping of damper_q1 must be ≥ 0, got -2"),
    (lambda: eq.joint_friction("q1", coulomb=-1), ModelError, "Coulomb friction of friction_q1 must be"),
    (lambda: eq.joint_friction("q1", viscous="-1/2"), ModelError, "viscous friction of friction_q1"),
    (lambda: eq.joint_friction("q1", 1, smoothing=0), ModelError, "smoothing of friction_q1 must be"),
    (lambda: eq.rotor_inertia("q1", -1), ModelError, "inertia of rotor_q1"),
    (lambda: eq.spring("rod", "world", 1, rest=-1), ModelError, "rest length of spring rod world"),
    (lambda: eq.damper("rod", "world", -1, name="dashpot"), ModelError, "damping of dashpot"),
    (lambda: eq.cylinder("rod", "rod", "F"), ModelError, "'F' must be on two bodies, got both on 'rod'"),
    (lambda: eq.force_actuator("rod"), ModelError, "on 'rod': the force is missing; pass force="),
    (lambda: arm(eq.joint_spring("q9", "k")), UnknownNameError, "coordinate 'q9' .*'spring_q9'"),
    (lambda: arm(eq.joint_damper("q9", 1)), UnknownNameError, "speed 'dq9' .*'damper_q9'.* dq1"),
    (lambda: arm(eq.rotor_inertia("q9", 1)), UnknownNameError, "speed 'dq9' .*'rotor_q9'"),
    (lambda: arm(eq.spring("red", "world", 1)), UnknownNameError, "body 'red' .*Did you mean 'rod'"),
    (lambda: arm(eq.joint_damper("s", 1), eq.joint_damper("s", 2)), ModelError, "two .* 'damper_s'"),
    (lambda: eq.Robot("r", [], forces=["x"]), ModelError, "list of ForceElement, got 'x' in it"),  # type: ignore[list-item]
    (lambda: arm(limits={"q9": (0, 1)}), UnknownNameError, "'q9' .*limits.* q1, q2, s"),
    (lambda: arm(limits=3), ModelError, r"limits of robot 'arm' must be a mapping by name, .*, got 3"),
    (lambda: arm(limits={"s": (1, 0)}), ModelError, "lower limit of 's' must not be above .* 0, got 1"),
    (lambda: arm(limits={"q1": ("pi", 3)}), ModelError, "lower limit of 'q1'"),
    (lambda: arm(limits={"s": 1}), ModelError, r"limits of 's' must be \(lower, upper\), got 1"),
    (lambda: arm(limits={"s": {"max": 1}}), UnknownNameError, "limit 'max' .* lower, upper"),
    (lambda: arm(limits={"s": {"speed": -1}}), ModelError, "speed limit of 's' must be ≥ 0, got -1"),
    (lambda: eq.Parameter("Fc", -1, nonnegative=True), ModelError, "parameter 'Fc' must be ≥ 0, got -1"),
    (lambda: eq.load("krang", frames=1, friction=True).with_values(Fc_imu=-1), ModelError, "'Fc_imu'"),
]  # fmt: skip


@pytest.mark.parametrize(("make", "error", "message"), CASES, ids=[m for _, _, m in CASES])
def test_error(make: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


def test_a_spring_needs_a_coordinate_whose_rate_is_a_speed() -> None:
    ball = eq.Body("ball", eq.spherical("b"), mass=1, inertia="1 1 1")
    with pytest.raises(ModelError, match=r"'spring_b_qx' needs a coordinate .* 'b_qx'"):
        eq.Robot("ball", [ball], forces=[eq.joint_spring("b_qx", 1)])


def test_loads_of_two_points_need_a_geometry() -> None:
    with pytest.raises(ModelError, match="'spring rod world' depends on the poses of the bodies"):
        eq.spring("rod", "world", 1).loads()


def test_default_inputs_of_different_joints_differ() -> None:
    """`tau_x` is the default of x and of q_x; a robot that has both has two inputs."""
    bodies = [
        eq.Body(f"b{k}", eq.prismatic(q, axis="xyzx"[k]), mass=1)
        for k, q in enumerate(("x", "q_x", "q_q_x", "q1"))
    ]
    robot = eq.Robot("twice", bodies)
    assert [s.name for s in robot.inputs] == ["tau_x", "tau_q_x", "tau_q_q_x", "tau1"]
    assert eq.joint_actuator("q_x").inputs() == ("tau_x",)
    with pytest.raises(ModelError, match="a coordinate or speed of only one joint"):
        eq.Robot("same", [*bodies, eq.Body("again", eq.prismatic("q_x"), mass=1)])
