"""Write a robot as URDF, with the values of its parameters.

Parts that URDF cannot represent (gravity other than 9.81 along −z, springs, wrenches, constraints …) are
an error, or a comment in the file if `lossy=True`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import atan2, hypot
from typing import Any, Final, final
from xml.sax.saxutils import quoteattr

from ..errors import ExpressionError, ModelError, UnknownNameError
from ..expr import Expr, symbol
from ..expr.evaluate import evaluate_floats
from ..expr.matrix import Matrix, identity
from ..expr.vector import Vector
from ..identity.linearity import linear_coefficients
from ..model.body import WORLD, Body
from ..model.forces import JointActuator, JointDamper, JointFriction, RotorInertia
from ..model.joint import Joint
from ..model.joints import Fixed, Free, FreeEuler, Planar, Prismatic, Revolute
from ..model.robot import Robot
from ..model.shape import KINDS, Shape

_TYPES: Final[dict[type[Joint], str]] = {
    Revolute: "revolute", Prismatic: "prismatic", Fixed: "fixed", Planar: "planar",
    Free: "floating", FreeEuler: "floating",
}  # fmt: skip
_GRAVITY: Final = (0.0, 0.0, -9.81)


def write_urdf(robot: Robot, lossy: bool = False) -> str:
    """Write a robot as the text of a URDF file, which `load` reads back to the same numbers.

    Args:
        robot: The robot; all its parameters need values.
        lossy: Write parts that URDF cannot represent as comments instead of raising an error.

    Returns:
        The text of the file.

    Raises:
        ModelError: A part cannot be represented, or a parameter has no value.

    >>> from equamo.formats.urdf import robot_of_urdf
    >>> from equamo.model.joints import revolute
    >>> arm = Robot("arm", [Body("hand", revolute("q"), mass=2)], gravity="0 0 -g")
    >>> robot_of_urdf(write_urdf(arm)).body("hand").inertia.mass
    2
    """
    return _Writer(robot).write(lossy)


@final
class _Writer:
    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.values = {
            symbol(n): float(x) for n, x in robot.values.items() if x is not None
        }  # {parameter: number}
        self.lost: list[str] = []

    def write(self, lossy: bool) -> str:
        body = self._body()
        if self.lost and not lossy:
            raise ModelError(
                f"URDF cannot represent these parts of robot {self.robot.name!r}: "
                f"{'; '.join(self.lost)}; pass lossy=True to write them as comments."
            )
        comments = [f"  <!-- not in URDF: {x.replace('--', '- -')} -->" for x in self.lost]
        head = ['<?xml version="1.0"?>', f"<robot{_attributes(name=self.robot.name)}>"]
        return "\n".join([*head, *comments, *body, "</robot>", ""])

    def _body(self) -> list[str]:
        robot = self.robot
        if tuple(self._numbers(list(robot.gravity))) != _GRAVITY:
            self.lost.append(f"gravity {robot.gravity} (readers assume 0 0 -9.81)")
        if not robot.base.is_zero:
            self.lost.append("a moving base")
        self.lost += [f"the loop {x.name}" for x in robot.loops]
        self.lost += [f"the contact {x.name}" for x in robot.contacts]
        lines: list[str] = []
        roots = [b for b in robot.bodies if b.parent == WORLD]
        grounded = len(roots) == 1 and _is_ground(roots[0])
        if not grounded:
            lines.append(f"  <link{_attributes(name=WORLD)}/>")
        mimics = self._mimics()
        forces = self._forces()
        for b in robot.bodies:
            lines += self._link(b)
            if not (grounded and b is roots[0]):
                lines += self._joint(b, mimics, forces)
        return lines + self._transmissions()

    # -- parts -----------------------------------------------------------------------------------------
    def _link(self, b: Body) -> list[str]:
        name = _attributes(name=b.name)
        shapes = [line for s in self.robot.shapes.get(b.name, ()) for line in self._shape(s)]
        if b.inertia.is_zero:
            whole = [f"  <link{name}>", *shapes, "  </link>"]
            return whole if shapes else [f"  <link{name}/>"]
        m, *first = self._numbers([b.inertia.mass, *b.inertia.first_moment])
        if not m and any(first):
            raise ModelError(
                f"The mass of body {b.name!r} must not be 0 if its first moment is not: URDF stores the "
                "centre of mass."
            )
        c = [x / m for x in first] if m else [0.0, 0.0, 0.0]
        J = self._matrix(b.inertia.tensor_at_center)
        six = {"ixx": J[0][0], "ixy": J[0][1], "ixz": J[0][2], "iyy": J[1][1], "iyz": J[1][2],
               "izz": J[2][2]}  # fmt: skip
        return [
            f"  <link{name}>",
            "    <inertial>",
            f"      <origin{_attributes(xyz=c)}/>",
            f"      <mass{_attributes(value=m)}/>",
            f"      <inertia{_attributes(**six)}/>",
            "    </inertial>",
            *shapes,
            "  </link>",
        ]

    def _shape(self, shape: Shape) -> list[str]:
        size = self._numbers(list(shape.size))
        dimensions = (
            {"size": size}
            if shape.kind == "box"
            else dict(zip(KINDS[shape.kind], size, strict=True))
        )
        origin = _attributes(
            xyz=self._numbers(list(shape.at)), rpy=_rpy(self._matrix(shape.turned))
        )
        return [
            "    <visual>",
            f"      <origin{origin}/>",
            f"      <geometry><{shape.kind}{_attributes(**dimensions)}/></geometry>",
            "    </visual>",
        ]

    def _joint(
        self,
        b: Body,
        mimics: dict[str, tuple[str, float, float]],
        forces: dict[str, dict[str, float]],
    ) -> list[str]:
        joint = b.joint
        kind = _TYPES.get(type(joint))
        if kind is None:
            valid = ", ".join(c.__name__ for c in _TYPES)
            raise ModelError(f"URDF cannot represent the {type(joint).__name__} joint of body "
                             f"{b.name!r}. Valid: {valid}.")  # fmt: skip
        name = joint.name or f"{b.name}_joint"
        limits = self._limits(joint)
        if kind == "revolute" and not {"lower", "upper"} & set(limits):
            kind = "continuous"
        xyz, A = self._numbers(list(joint.at)), self._matrix(joint.turned)
        lines = [f"  <joint{_attributes(name=name, type=kind)}>"]
        lines.append(f"    <origin{_attributes(xyz=xyz, rpy=_rpy(A))}/>")
        lines.append(f"    <parent{_attributes(link=b.parent)}/>")
        lines.append(f"    <child{_attributes(link=b.name)}/>")
        if isinstance(joint, (Revolute, Prismatic)):
            lines.append(f"    <axis{_attributes(xyz=self._numbers(list(joint.axis)))}/>")
            if joint.coordinates[0] != name:
                self.lost.append(f"the coordinate {joint.coordinates[0]} of joint {name}")
        elif isinstance(joint, Planar):
            lines.append(f"    <axis{_attributes(xyz=self._numbers(list(joint.normal)))}/>")
            if joint.plane != "xy":  # URDF defines the plane, not the directions of its coordinates
                self.lost.append(f"the directions of the lengths of joint {name}")
        if limits:
            lines.append(f"    <limit{_attributes(**limits)}/>")
        if joint.speeds and joint.speeds[0] in forces:
            lines.append(f"    <dynamics{_attributes(**forces[joint.speeds[0]])}/>")
        if joint.coordinates and joint.coordinates[0] in mimics:
            leader, k, c = mimics[joint.coordinates[0]]
            lines.append(f"    <mimic{_attributes(joint=leader, multiplier=k, offset=c)}/>")
        return [*lines, "  </joint>"]

    def _limits(self, joint: Joint) -> dict[str, float]:
        if len(joint.coordinates) != 1 or joint.coordinates[0] not in self.robot.limits:
            return {}
        limits = self.robot.limits[joint.coordinates[0]]
        names = {"lower": limits.lower, "upper": limits.upper, "velocity": limits.speed,
                 "effort": limits.effort}  # fmt: skip
        return {n: self._numbers([x])[0] for n, x in names.items() if x is not None}

    def _forces(self) -> dict[str, dict[str, float]]:
        """Damping and friction by joint speed; other force elements cannot be represented."""
        forces: dict[str, dict[str, float]] = {}

        def add(speed: str, name: str, x: Expr) -> None:
            entry = forces.setdefault(speed, {})
            entry[name] = entry.get(name, 0.0) + self._numbers([x])[0]

        for f in self.robot.forces:
            if isinstance(f, JointDamper):
                add(f.speed, "damping", f.damping)
            elif isinstance(f, JointFriction) and f.width is None:
                add(f.speed, "friction", f.coulomb)
                add(f.speed, "damping", f.viscous)
            elif not isinstance(f, (JointActuator, RotorInertia)):
                self.lost.append(f"the force element {f.name} ({type(f).__name__})")
        return forces

    def _transmissions(self) -> list[str]:
        by_speed = {u: b.joint.name for b in self.robot.bodies for u in b.joint.speeds}
        lines: list[str] = []
        for f in self.robot.forces:
            if not isinstance(f, RotorInertia):
                continue
            rotor, ratio = self._numbers([f.rotor, f.ratio])
            lines += [
                f"  <transmission{_attributes(name=f.name)}>",
                f"    <joint{_attributes(name=by_speed[f.speed])}/>",
                f"    <actuator{_attributes(name=f'motor_{by_speed[f.speed]}')}>",
                f"      <mechanicalReduction>{_number(ratio)}</mechanicalReduction>",
                f"      <rotorInertia>{_number(rotor)}</rotorInertia>",
                "    </actuator>",
                "  </transmission>",
            ]
        return lines

    def _mimics(self) -> dict[str, tuple[str, float, float]]:
        """(leader, multiplier, offset) by coordinate, if the chosen speeds only express mimics."""
        chosen = self.robot.speed_map
        if chosen is None:
            return {}
        mimics: dict[str, tuple[str, float, float]] = {}
        q = list(self.robot.q)
        for name, e in chosen.dependent:
            try:
                A, rest = linear_coefficients([e], q)
            except ExpressionError:
                continue  # not a mimic joint, so the chosen speeds are lost
            used = [(x.name, a) for x, a in zip(q, A[0], strict=True) if a.value != 0]
            if len(used) == 1:
                k, c = self._numbers([used[0][1], rest[0]])
                mimics[name] = used[0][0], k, c
        joint_speeds = [x.name for x in self.robot.joint_speeds]
        if len(mimics) + len(chosen.names) != len(joint_speeds) or set(chosen.names) - set(
            joint_speeds
        ):
            self.lost.append("the chosen speeds")
        return mimics

    # -- numbers ---------------------------------------------------------------------------------------
    def _numbers(self, expressions: Sequence[Expr]) -> list[float]:
        try:
            return [float(x) for x in evaluate_floats(list(expressions), self.values)]
        except UnknownNameError as error:
            raise ModelError(f"write_urdf: no value for {error.name!r} of robot {self.robot.name!r}; "
                             "set one with robot.with_values(…).") from None  # fmt: skip

    def _matrix(self, A: Matrix) -> list[list[float]]:
        flat = self._numbers(list(A.entries))
        return [flat[3 * i : 3 * i + 3] for i in range(3)]


def _is_ground(b: Body) -> bool:
    joint = b.joint
    return (
        isinstance(joint, Fixed) and joint.at == Vector([0, 0, 0]) and joint.turned == identity(3)
    )


def _rpy(A: list[list[float]]) -> list[float]:
    """Roll, pitch and yaw of A = Rz Ry Rx; at pitch ±π/2 the yaw is 0."""
    flat = hypot(A[0][0], A[1][0])
    pitch = atan2(-A[2][0], flat)
    if flat > 1e-9:
        return [atan2(A[2][1], A[2][2]), pitch, atan2(A[1][0], A[0][0])]
    return [atan2(-A[1][2], A[1][1]), pitch, 0.0]


def _number(x: float) -> str:
    return repr(float(x) + 0.0)  # turns −0.0 into 0.0


def _attributes(**values: Any) -> str:
    parts: list[str] = []
    for name, x in values.items():
        if isinstance(x, str):
            text = quoteattr(x)
        elif isinstance(x, (list, tuple)):
            text = '"' + " ".join(map(_number, x)) + '"'  # pyright: ignore
        else:
            text = f'"{_number(x)}"'
        parts.append(f" {name}={text}")
    return "".join(parts)
