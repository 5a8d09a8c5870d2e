"""Write a robot as URDF, with the values of its parameters.

The text is read back, and compared with the robot. What URDF cannot represent (gravity other than 9.81
along −z, springs, wrenches, constraints, gears, passive joints, a default state …) is an error, or a
comment in the file if `lossy=True`. Names that readers choose themselves are always comments.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, cos, hypot, sin
from typing import Any, Final, final
from xml.sax.saxutils import quoteattr

from ...algebra.expr import Expr, symbol
from ...algebra.expr.evaluate import evaluate_floats
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...algebra.identity.linearity import linear_coefficients
from ...errors import EquamoError, FileFormatError, ModelError, UnknownNameError
from ..model.body import WORLD, Body
from ..model.forces import JointActuator, JointDamper, JointFriction, RotorInertia
from ..model.joint import Joint
from ..model.joints import Fixed, Free, FreeEuler, Planar, Prismatic, Revolute
from ..model.mesh_file import MeshFile
from ..model.robot import Robot
from ..model.shape import KINDS, Shape
from .urdf import free_name, robot_of_urdf
from .urdf_losses import Losses, changes_of_reading

_TYPES: Final[dict[type[Joint], str]] = {
    Revolute: "revolute", Prismatic: "prismatic", Fixed: "fixed", Planar: "planar",
    Free: "floating", FreeEuler: "floating",
}  # fmt: skip
_GRAVITY: Final = (0.0, 0.0, -9.81)


def write_urdf(robot: Robot, lossy: bool = False) -> str:
    """Write a robot as the text of a URDF file, which `load` reads back to the same numbers.

    Mimic joints follow their leaders only if the file is read with mimic="follow". Comments in the file
    list names that change, such as those of inputs, and the description and notation.

    Args:
        robot: The robot; all its parameters need values.
        lossy: Write parts that URDF cannot represent as comments instead of raising an error.

    Returns:
        The text of the file.

    Raises:
        ModelError: A part cannot be represented, or a parameter has no value.

    >>> from equamo.robot.formats.urdf import robot_of_urdf
    >>> from equamo.robot.model.joints import revolute
    >>> arm = Robot("arm", [Body("hand", revolute("q"), mass=2)], gravity="0 0 -g")
    >>> robot_of_urdf(write_urdf(arm)).body("hand").inertia.mass
    2
    """
    text, losses = urdf_text(robot)
    if losses.serious and not lossy:
        raise losses.error(robot, losses.serious)
    return text


def urdf_text(robot: Robot) -> tuple[str, Losses]:
    """Text of a URDF file, with comments on all that it lacks, and the same as data.

    Raises:
        ModelError: A joint or a mass cannot be represented, or a parameter has no value.
    """
    writer = _Writer(robot)
    return writer.write(), writer.lost


@final
class _Writer:
    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.single: dict[str, str] = {
            b.joint.speeds[0]: b.joint.name
            for b in robot.bodies
            if isinstance(b.joint, (Revolute, Prismatic))
        }  # {speed: name of the joint} of joints with one degree of freedom
        self.followers: set[str] = set()  # names of joints that mimic another
        self.values = {
            symbol(n): float(x) for n, x in robot.values.items() if x is not None
        }  # {parameter: number}
        self.lost = Losses()
        names = [b.joint.name for b in robot.bodies if b.joint.name]
        self.taken: set[str] = set(names)  # names of joints

    def write(self) -> str:
        lines = self._body()
        head = ['<?xml version="1.0"?>', f"<robot{_attributes(name=self.robot.name)}>"]
        whole = [*lines, "</robot>", ""]
        self._compare("\n".join([*head, *whole]))
        comments = [f"  <!-- not in URDF: {_comment(x)} -->" for x in self.lost]
        return "\n".join([*head, *comments, *whole])

    def _compare(self, text: str) -> None:
        """Read the text back, and note what has changed."""
        mimic = "follow" if self.followers else "free"
        try:
            again = robot_of_urdf(text, "URDF", mimic=mimic, meshes=False)
        except FileFormatError as error:
            raise ModelError(
                f"URDF cannot represent robot {self.robot.name!r}: the text would not read back: {error}"
            ) from None
        changes_of_reading(self.robot, again, self.lost, self._numbers)

    def _body(self) -> list[str]:
        robot, lost = self.robot, self.lost
        if tuple(self._numbers(list(robot.gravity))) != _GRAVITY:
            lost.model.append(
                f"gravity {' '.join(map(str, robot.gravity))} (readers assume 0 0 -9.81)"
            )
        if not robot.base.is_zero:
            lost.model.append("a moving base")
        lost.model += [f"the loop {x.name}" for x in robot.loops]
        lost.model += [f"the contact {x.name}" for x in robot.contacts]
        if robot.description:
            lost.names.append(f"the description {robot.description}")
        if robot.notation:
            lost.names.append(f"the notation of {', '.join(robot.notation)}")
        lines: list[str] = []
        roots = [b for b in robot.bodies if b.parent == WORLD]
        drawn = self._visuals(WORLD)
        grounded = len(roots) == 1 and _is_ground(roots[0]) and not drawn
        if not grounded:
            name = _attributes(name=WORLD)
            lines += [f"  <link{name}>", *drawn, "  </link>"] if drawn else [f"  <link{name}/>"]
        mimics = self._mimics()
        forces = self._forces()
        for b in robot.bodies:
            lines += self._link(b)
            if not (grounded and b is roots[0]):
                lines += self._joint(b, mimics, forces)
        lines += self._transmissions()
        self._inputs()
        return lines

    # -- parts -----------------------------------------------------------------------------------------
    def _link(self, b: Body) -> list[str]:
        name = _attributes(name=b.name)
        shapes = self._visuals(b.name)
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

    def _visuals(self, body: str) -> list[str]:
        """Shapes and meshes of a body; shapes that a mesh replaces are those of collisions."""
        meshes = [m for m in self.robot.meshes.get(body, ()) if not m.surfaces]
        if len(meshes) < len(self.robot.meshes.get(body, ())):
            self.lost.data.append(f"the meshes of {body} that MuJoCo has read")
        tag = "collision" if any(m.replaces_shapes for m in meshes) else "visual"
        shapes: list[str] = []
        for s in self.robot.shapes.get(body, ()):
            if set(symbols([*s.size, *s.at, *s.turned.entries])) <= self.values.keys():
                shapes += self._shape(s, tag)  # else `changes_of_reading` notes it
        return [*shapes, *(x for m in meshes for x in self._mesh(m))]

    def _mesh(self, mesh: MeshFile) -> list[str]:
        if mesh.color is not None:
            self.lost.names.append(f"the colour of mesh {mesh.name}")
        origin = _attributes(xyz=self._numbers(list(mesh.at)), rpy=_rpy(self._matrix(mesh.turned)))
        return [
            "    <visual>",
            f"      <origin{origin}/>",
            f"      <geometry><mesh{_attributes(filename=mesh.name, scale=mesh.scale)}/></geometry>",
            "    </visual>",
        ]

    def _shape(self, shape: Shape, tag: str) -> list[str]:
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
            f"    <{tag}>",
            f"      <origin{origin}/>",
            f"      <geometry><{shape.kind}{_attributes(**dimensions)}/></geometry>",
            f"    </{tag}>",
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
        name = joint.name or free_name(f"{b.name}_joint", self.taken)
        self.taken.add(name)
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
        elif isinstance(joint, Planar):
            lines.append(f"    <axis{_attributes(xyz=self._numbers(list(joint.normal)))}/>")
            if joint.plane != "xy":  # URDF defines the plane, not the directions of its coordinates
                self.lost.model.append(f"the directions of the lengths of joint {name}")
        if limits:
            lines.append(f"    <limit{_attributes(**limits)}/>")
        if len(joint.speeds) == 1 and joint.speeds[0] in forces:
            lines.append(f"    <dynamics{_attributes(**forces[joint.speeds[0]])}/>")
        if joint.coordinates and joint.coordinates[0] in mimics:
            leader, k, c = mimics[joint.coordinates[0]]
            lines.append(f"    <mimic{_attributes(joint=leader, multiplier=k, offset=c)}/>")
        return [*lines, "  </joint>"]

    def _limits(self, joint: Joint) -> dict[str, float]:
        if len(joint.coordinates) != 1 or joint.coordinates[0] not in self.robot.limits:
            return {}  # `changes_of_reading` notes limits of other coordinates
        limits = self.robot.limits[joint.coordinates[0]]
        names = {"lower": limits.lower, "upper": limits.upper, "velocity": limits.speed,
                 "effort": limits.effort}  # fmt: skip
        return {n: self._numbers([x])[0] for n, x in names.items() if x is not None}

    def _forces(self) -> dict[str, dict[str, float]]:
        """Damping and friction by joint speed; other force elements cannot be represented."""
        forces: dict[str, dict[str, float]] = {}
        for f in self.robot.forces:
            if isinstance(f, JointActuator):
                continue  # see `_inputs`
            if isinstance(f, RotorInertia) and f.speed in self.single:
                continue  # see `_transmissions`
            speed, parts = "", dict[str, Expr]()
            if isinstance(f, JointDamper):
                speed, parts = f.speed, {"damping": f.damping}
            elif isinstance(f, JointFriction) and f.width is None:
                speed, parts = f.speed, {"friction": f.coulomb, "damping": f.viscous}
            if not self._fits(speed, parts.values()):
                self.lost.model.append(f"the force element {f.name} ({type(f).__name__})")
                continue
            entry = forces.setdefault(speed, {})
            for name, x in parts.items():
                entry[name] = entry.get(name, 0.0) + self._numbers([x])[0]
        return forces

    def _fits(self, speed: str, quantities: Iterable[Expr]) -> bool:
        """Whether quantities at a joint are numbers, and the joint has one degree of freedom."""
        constant = set(self.robot.parameters)
        return speed in self.single and set(symbols(list(quantities))) <= constant

    def _transmissions(self) -> list[str]:
        """One transmission per joint with rotors; several are combined, with the same N² J."""
        by_speed: dict[str, list[RotorInertia]] = {}
        for f in self.robot.forces:
            if isinstance(f, RotorInertia) and f.speed in self.single:
                by_speed.setdefault(f.speed, []).append(f)
        lines: list[str] = []
        for speed, rotors in by_speed.items():
            joint = self.single[speed]
            numbers = [self._numbers([f.rotor, f.ratio]) for f in rotors]
            rotor, ratio = numbers[0]
            if len(numbers) > 1:
                rotor, ratio = sum(J * N**2 for J, N in numbers), 1.0
            lines += [
                f"  <transmission{_attributes(name=rotors[0].name)}>",
                f"    <joint{_attributes(name=joint)}/>",
                f"    <actuator{_attributes(name=f'motor_{joint}')}>",
                f"      <mechanicalReduction>{_number(ratio)}</mechanicalReduction>",
                f"      <rotorInertia>{_number(rotor)}</rotorInertia>",
                "    </actuator>",
                "  </transmission>",
            ]
        return lines

    def _inputs(self) -> None:
        """Note actuators that readers do not make: they drive each single joint by its own torque."""
        lost, driven = self.lost, list[str]()
        actuators = [f for f in self.robot.forces if isinstance(f, JointActuator)]
        used = [f.input for f in actuators]
        for f in actuators:
            joint = self.single.get(f.speed)
            if joint is None or joint in self.followers or f.speed in driven:
                lost.inputs.append(f"the input {f.input} along the speed {f.speed}")
                continue
            driven.append(f.speed)
            if not self._fits(f.speed, [f.gear]) or self._numbers([f.gear])[0] != 1:
                lost.inputs.append(f"the gear {f.gear} of the input {f.input}")
            elif used.count(f.input) > 1:
                lost.inputs.append(f"that {used.count(f.input)} joints have the input {f.input}")
        passive = [j for u, j in self.single.items() if u not in driven and j not in self.followers]
        if passive:
            lost.inputs.append(f"that no input drives {', '.join(passive)}")

    def _mimics(self) -> dict[str, tuple[str, float, float]]:
        """{coordinate: (leading joint, multiplier, offset)} if chosen speeds only express mimics."""
        chosen = self.robot.speed_map
        if chosen is None:
            return {}
        try:
            mimics = self._relations()
        except (EquamoError, ArithmeticError):
            mimics = None  # W depends on the state, or a relation is not linear
        if mimics is None:
            self.lost.model.append("the chosen speeds")
            self.lost.model += [f"the constraint {c.name}" for c in chosen.constraints]
            return {}
        joints = {b.joint.coordinates[0]: b.joint.name for b in self.robot.bodies if b.joint.q}
        self.followers = {joints[n] for n in mimics}
        self.lost.names.append("mimic joints follow only if the file is read with mimic='follow'")
        return {n: (joints[leader], k, c) for n, (leader, k, c) in mimics.items()}

    def _relations(self) -> dict[str, tuple[str, float, float]] | None:
        """{coordinate: (leader, multiplier, offset)}; None if the speeds have another meaning."""
        chosen, q = self.robot.speed_map, list(self.robot.q)
        assert chosen is not None
        speeds = {b.joint.coordinates[0]: b.joint.speeds[0] for b in self.robot.bodies
                  if isinstance(b.joint, (Revolute, Prismatic))}  # fmt: skip
        mimics: dict[str, tuple[str, float, float]] = {}
        rows = {u: {u: 1.0} for u in (x.name for x in self.robot.joint_speeds)}
        for name, e in chosen.dependent:
            A, rest = linear_coefficients([e], q)
            used = [(x.name, a) for x, a in zip(q, A[0], strict=True) if a.value != 0]
            if len(used) != 1 or not {name, used[0][0]} <= speeds.keys():
                return None
            k, c = self._numbers([used[0][1], rest[0]])
            mimics[name] = used[0][0], k, c
            rows[speeds[name]] = {speeds[used[0][0]]: k}
        for u, row in rows.items():  # readers make exactly this W
            numbers = self._numbers([chosen.W[u, v] for v in chosen.names])
            if numbers != [row.get(v, 0.0) for v in chosen.names]:
                return None
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
    """Roll, pitch and yaw of A = Rz Ry Rx.

    Near pitch ±π/2 only the sum or difference of roll and yaw is well conditioned. So the yaw is that of
    A Rxᵀ = Rz Ry for the computed roll, whatever its error.
    """
    roll = atan2(A[2][1], A[2][2])
    c, s = cos(roll), sin(roll)
    yaw = atan2(s * A[0][2] - c * A[0][1], c * A[1][1] - s * A[1][2])
    return [roll, atan2(-A[2][0], hypot(A[0][0], A[1][0])), yaw]


def _comment(x: str) -> str:
    """Text that may stand in a comment of XML."""
    plain = "".join(c if c.isprintable() else " " for c in x)
    return plain.replace("--", "- -").replace("--", "- -").removesuffix("-")


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
