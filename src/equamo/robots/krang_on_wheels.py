"""Golem Krang on its two rolling wheels: the tree of document 000 on the base of document 003.

Source: document 003 (M. Zafar, Equations of Motion of a Wheeled Inverted Pendulum, 2015) for the
wheels, the heading frame and the rolling constraints, document 000 (the same, Krang on Fixed Wheels)
for all above them; 000 says that the two are to be merged. Frame 1 of Krang sits in the heading frame
x₀y₀z₀, where document 000 has the world.

Coordinates X0, Y0, theta_L, theta_R (ψ follows, as in the pendulum), q_imu, q_w, q_torso and the arms.
Speeds dx, dpsi, dq_imu, dq_w, dq_torso, dq_1l …: the third is q̇_imu = −φ̇, so that against the pendulum
row and column 3 change sign. Inputs are the wheel torques tau_L, tau_R, which react on body 1, and the
joint torques of Krang but for tau_imu, which is −τ_R − τ_L (document 000, section 5.1). The wrenches are
Krang's: on the hands, at E, in the frames of the hands.

The tests prove that it is the pendulum with everything above the wheels locked (at any pose), and Krang
on fixed wheels with the wheels locked.
"""

from __future__ import annotations

from ..model import WORLD, Body, Robot, torque_actuator
from .krang import krang
from .wheeled_inverted_pendulum import HEADING, ROLLING, YAW, rolling_base, wheel_parameters


def krang_on_wheels(frames: int = 17) -> Robot:
    """Krang on rolling wheels, with the first `frames` frames of Krang.

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
