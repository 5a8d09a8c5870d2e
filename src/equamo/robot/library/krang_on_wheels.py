"""Golem Krang on its two rolling wheels: the tree of document 000 on the base of document 003.

Source: document 003 (M. Zafar, Equations of Motion of a Wheeled Inverted Pendulum, 2015) for the
wheels, the heading frame and the rolling constraints; document 000 (by the same author, Krang on Fixed
Wheels) for everything above them. Document 000 announces that the two will be merged. Frame 1 of Krang
is placed in the heading frame x₀y₀z₀, which replaces the world of document 000.

Coordinates are X0, Y0, theta_L, theta_R (ψ is dependent, as for the pendulum), q_imu, q_w, q_torso and
those of the arms. Speeds are dx, dpsi, dq_imu, dq_w, dq_torso, dq_1l …; the third one is q̇_imu = −φ̇, so
row and column 3 have the opposite sign compared with the pendulum. Inputs are the wheel torques tau_L
and tau_R, which react on body 1, and the joint torques of Krang except tau_imu, which is −τ_R − τ_L
(document 000, section 5.1). The wrenches are those of Krang: on the hands, at E, in the hand frames.

The tests prove that the robot is the pendulum if everything above the wheels is locked (at any pose),
and Krang on fixed wheels if the wheels are locked.
"""

from __future__ import annotations

from ..model import WORLD, Body, Robot, torque_actuator
from .krang import krang
from .wheeled_inverted_pendulum import HEADING, ROLLING, YAW, rolling_base, wheel_parameters


def krang_on_wheels(frames: int = 17) -> Robot:
    """Build Krang on rolling wheels.

    Args:
        frames: Number of frames of Krang, from its base on.

    Returns:
        The robot.

    Raises:
        ModelError: `frames` is not from 1 to 17.

    >>> krang_on_wheels(frames=3).v
    (dx, dpsi, dq_imu, dq_w, dq_torso)
    >>> krang_on_wheels(frames=2).inputs
    (tau_L, tau_R, tau_w)
    """
    upper = krang(frames)
    bodies = [
        Body(
            b.name, b.joint, inertia=b.inertia, parent="heading" if b.parent == WORLD else b.parent
        )
        for b in upper.bodies
    ]
    wheels = [torque_actuator(f"wheel_{s}", "1", f"0 tau_{s} 0") for s in "LR"]
    return Robot(
        "krang_on_wheels",
        [*rolling_base(), *bodies],
        forces=[*wheels, *(f for f in upper.forces if f.inputs() != ("tau_imu",))],
        parameters=[*wheel_parameters(), *upper.parameter_info.values()],
        constraints=ROLLING,
        speeds={**HEADING, **{v.name: v for v in upper.v}},
        eliminate=YAW,
        description="Golem Krang on two rolling wheels: 19 speeds (Zafar)",
    )
