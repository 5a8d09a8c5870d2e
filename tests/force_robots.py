"""Robots that carry force elements, shared by the tests of forces."""

from __future__ import annotations

from collections.abc import Iterable

import equamo as eq
from equamo.robot.model import ForceElement

VALUES = {
    "m1": "1.3", "Lc1": "0.2", "I1": "0.05", "L1": "0.5", "m2": "0.9", "Lc2": "0.15", "I2": "0.03",
    "L2": "0.4", "m3": "0.6", "c": "0.1", "I3": "0.02",
}  # fmt: skip
COEFFICIENTS = {
    "k1": "5", "q0": "0.3", "k3": "40", "d2": "0.7", "Fc1": "0.4", "Fv1": "0.2", "Fc3": "1.5",
    "Fv3": "0.1", "w3": "0.05", "Jm": "0.0003", "N": "50", "k": "30", "l0": "0.6", "d": "2.5",
    "a": "0.1", "h": "0.8", "b": "0.2", "a2": "0.25", "b2": "0.1", "c2": "0.05",
}  # fmt: skip
NONNEGATIVE = ("d2", "Fc1", "Fv1", "Fc3", "Fv3", "w3", "d", "Jm")


def arm(*forces: ForceElement, **options: object) -> eq.Robot:
    """Two revolute joints and a prismatic one, in a plane, with these force elements."""
    return eq.Robot(
        "arm",
        [
            eq.Body("upper", eq.revolute("q1"), mass="m1", com="Lc1 0 0", inertia="0 0 I1"),
            eq.Body("fore", eq.revolute("q2", at="L1 0 0"),
                    mass="m2", com="Lc2 0 0", inertia="0 0 I2", parent="upper"),
            eq.Body("rod", eq.prismatic("s", axis="x", at="L2 0 0"),
                    mass="m3", com="0 c 0", inertia="I3 I3 I3", parent="fore"),
        ],
        gravity="0 -g 0",
        forces=forces,
        parameters=parameters(forces),
        **options,  # type: ignore[arg-type]
    )  # fmt: skip


def parameters(forces: Iterable[ForceElement]) -> list[eq.Parameter]:
    used = {x.name for f in forces for e in f.expressions() for x in e.symbols()}
    table = VALUES | {n: x for n, x in COEFFICIENTS.items() if n in used}
    return [
        eq.Parameter(n, eq.parse(x).value, nonnegative=n in NONNEGATIVE) for n, x in table.items()
    ]


def one_of_each() -> list[ForceElement]:
    """Every kind of force element, for `arm`."""
    return [
        eq.joint_actuator("q1"),
        eq.torque_actuator("fore", "upper", "0 0 T2"),
        eq.force_actuator("rod", "fore", "F3 0 0"),
        eq.wrench("rod", "Fx Fy Fz", "Tx Ty Tz", at="a 0 0"),
        eq.joint_spring("q1", "k1", rest="q0"),
        eq.joint_spring("s", "k3"),
        eq.joint_damper("q2", "d2"),
        eq.joint_friction("q1", "Fc1", "Fv1"),
        eq.joint_friction("s", "Fc3", "Fv3", smoothing="w3"),
        eq.rotor_inertia("q2", "Jm", ratio="N"),
        eq.spring("rod", "world", "k", rest="l0", at="a 0 0", to_at="0 h 0", name="coil"),
        eq.damper("rod", "upper", "d", at="a 0 0", to_at="0 b 0", name="dashpot"),
        eq.cylinder("fore", "upper", "F", at="a2 0 0", to_at="b2 c2 0"),
    ]
