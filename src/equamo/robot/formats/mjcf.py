"""Read MJCF files through MuJoCo, from the model that it compiles.

MuJoCo (the extra `mujoco`) reads the file, applies its defaults and computes inertias from geometry.
Bodies, joints (hinge, slide, ball, free), armature, damping, friction loss, springs, gears, gravity and
equality constraints (`mjcf_equality`) are imported; parts that do not enter the equations (contacts,
tendons …) are listed in the import report.

Coordinates are those of `qpos` and speeds those of `qvel`, except for the linear velocity of a free
joint: MuJoCo expresses it in world axes, equamo in body axes.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from math import isfinite, isnan
from pathlib import Path
from typing import Any, Final

from ...algebra.expr import Expr, as_expr, symbol
from ...algebra.expr.matrix import Matrix, diagonal
from ...algebra.expr.vector import ZERO3, Vector
from ...basics.extras import missing
from ...errors import FileFormatError
from ..model import Body, Inertia, Joint, Robot, custom, fixed, free, prismatic, revolute, spherical
from ..model.body import WORLD
from ..model.force import ForceElement
from ..model.forces import JointDamper, RotorInertia, joint_actuator, joint_friction, joint_spring
from ..model.joint import acceleration_name
from ..model.rotation import about
from .import_report import Notes
from .mjcf_equality import Numbers, read_equalities
from .mjcf_geometry import read_geometry
from .mjcf_includes import Includes, check_includes
from .rational_rotation import rotation_of_quaternion, unit_vector
from .text_file import read_bytes

_SNAP: Final = Fraction(1, 10**11)
# Arrays of the compiled model that enter the equations, by MuJoCo's names.
_NUMBERS: Final = (
    "gravity", "body_pos", "body_quat", "body_mass", "body_ipos", "body_iquat", "body_inertia",
    "jnt_pos", "jnt_axis", "jnt_stiffness", "qpos0", "qpos_spring", "dof_armature", "dof_damping",
    "dof_frictionloss", "actuator_gear", "actuator_gainprm", "eq_data", "site_pos", "site_quat",
)  # fmt: skip
_FREE, _BALL, _SLIDE, _HINGE = range(4)  # mjtJoint


def read_mjcf(path: str | Path, includes: Includes = "folder") -> Robot:
    """Read a robot from an MJCF file; requires the package `mujoco`.

    Args:
        path: Path of the file.
        includes: "folder": included files must lie in the folder of the file, or below it;
            "anywhere": they may lie anywhere. Meshes, textures and height fields are not confined.

    Returns:
        The robot; its `import_report` lists what happened to each part of the file.

    Raises:
        FileFormatError: The file or an included one is damaged.
        MissingLibraryError: MuJoCo is not installed.
        UnknownNameError: `includes` is neither "folder" nor "anywhere".
    """
    try:
        import mujoco
    except ImportError as error:
        raise missing("mujoco", f"{path}: reading MJCF") from error
    data = read_bytes(path)
    check_includes(path, data, includes)
    try:
        model: Any = mujoco.MjModel.from_xml_path(str(path))  # pyright: ignore
    except ValueError as error:
        reason = " ".join(str(error).split()).rstrip(".")
        raise FileFormatError(f"{path}: MuJoCo could not read the file: {reason}.") from None
    _check_finite(model, str(path))
    # If it refers to other files (includes, meshes), its digest alone does not identify the input.
    digest = "" if re.search(rb"\bfile\s*=", data) else sha256(data).hexdigest()
    return _Reader(model, str(path), digest).robot(Path(path).stem)


class _Reader:
    def __init__(self, model: Any, file: str, sha256: str) -> None:
        self.m = model
        self.notes = Notes(file, sha256)
        self.forces: list[ForceElement] = []
        self.bodies: list[Body] = []
        self.limits: dict[str, dict[str, Fraction]] = {}
        self.home: dict[str, Fraction] = {}
        self.names = {0: WORLD}
        self._taken = {WORLD}
        self.coordinates: dict[int, str] = {}  # of hinges and slides, by MuJoCo's number

    def robot(self, name: str) -> Robot:
        """Build the tree body by body (MuJoCo also lists parents first), then the actuators."""
        for i in range(1, self.m.nbody):
            self.names[i] = self._unique(self.m.body(i).name or f"body{i}")
        for i in range(1, self.m.nbody):
            self._body(i)
        self._actuators()
        numbers = Numbers(_exact, _vector, _rotation)
        equal = read_equalities(self.m, self.names, self.coordinates, numbers, self.notes)
        chosen = equal.arguments([b.joint for b in self.bodies], self.notes)
        gone = {} if "constraints" in chosen and "eliminate" not in chosen else equal.followers
        self._not_represented()
        drawn = read_geometry(self.m, self.names, numbers, self.notes)
        return Robot(
            name,
            self.bodies,
            gravity=[_exact(x) for x in self.m.opt.gravity],
            forces=self.forces,
            home={n: x for n, x in self.home.items() if n not in gone},
            limits=self.limits,
            import_report=self.notes.report(),
            description=f"read from {Path(self.notes.file).name}",
            **chosen,
            **drawn,
        )

    def _unique(self, name: str) -> str:
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name

    # -- bodies ------------------------------------------------------------------------------------
    def _body(self, i: int) -> None:
        m, name = self.m, self.names[i]
        parent = self.names[int(m.body_parentid[i])]
        A, p = _rotation(m.body_quat[i]), _vector(m.body_pos[i])
        inertia = self._inertia(i)
        first, count = int(m.body_jntadr[i]), int(m.body_jntnum[i])
        anchor = ZERO3
        for j in range(first, first + count):
            joint, own = self._joint(j, A, p - A @ anchor)
            last = j == first + count - 1
            is_body = last and own.is_zero
            frame = name if is_body else self._unique(f"{name}:{joint.name}")
            self.bodies.append(
                Body(frame, joint, inertia=inertia if is_body else Inertia.zero(), parent=parent)
            )
            if is_body:
                return
            # The next joint is placed in the frame of this one, at its anchor.
            parent, A, p, anchor = frame, _rotation((1, 0, 0, 0)), ZERO3, own
        self.bodies.append(
            Body(name, fixed(at=p - A @ anchor, rotation=A), inertia=inertia, parent=parent)
        )

    def _inertia(self, i: int) -> Inertia:
        m = self.m
        R = _rotation(m.body_iquat[i])
        moments = diagonal([_exact(x) for x in m.body_inertia[i]])
        self.notes.add("used", 1, f"body {self.names[i]}: {m.body_mass[i]:.6g} kg")
        return Inertia.central(_exact(m.body_mass[i]), _vector(m.body_ipos[i]), R @ moments @ R.T)

    def _joint(self, j: int, A: Matrix, p: Vector) -> tuple[Joint, Vector]:
        """Joint in a frame at p with rotation A, and its anchor in the body frame."""
        m = self.m
        kind = int(m.jnt_type[j])
        name = m.joint(j).name or f"{self.names[int(m.jnt_bodyid[j])]}_joint{j}"
        start = int(m.jnt_qposadr[j])
        if kind == _FREE:  # its coordinates are the pose of the body in the world
            joint: Joint = free(symbol(name))
            self.home |= {n: _exact(m.qpos0[start + k]) for k, n in enumerate(joint.coordinates)}
            self._passive(j, joint)
            return joint, ZERO3
        anchor = _vector(m.jnt_pos[j])
        at = p + A @ anchor
        if kind == _BALL:
            joint = spherical(symbol(name), at=at, orientation=A)
            self._passive(j, joint)
            return joint, anchor
        axis = unit_vector([_exact(x) for x in m.jnt_axis[j]], _SNAP)
        zero = _exact(m.qpos0[start])  # `ref`: the coordinate in the pose of the file
        self.home[name] = zero
        self.coordinates[j] = name
        if kind == _SLIDE:
            at = p  # a slide has no anchor
            anchor = ZERO3
            joint = prismatic(symbol(name), axis, at=at - A @ axis * as_expr(zero), rotation=A)
        elif zero:
            turn = about(axis, symbol(name) - zero)
            joint = custom(symbol(name), rotation=A @ turn, position=at, axis=axis)
        else:
            joint = revolute(symbol(name), axis, at=at, rotation=A)
        if m.jnt_limited[j]:
            ends = {"lower": m.jnt_range[j][0], "upper": m.jnt_range[j][1]}
            self.limits[name] = {n: _exact(x) for n, x in ends.items() if isfinite(x)}
            for n in ends.keys() - self.limits[name].keys():
                self.notes.add("unlimited", 1, f"joint {name}: {n} limit {ends[n]}")
        self._passive(j, joint)
        return joint, anchor

    # -- forces ------------------------------------------------------------------------------------
    def _passive(self, j: int, joint: Joint) -> None:
        m, dof = self.m, int(self.m.jnt_dofadr[j])
        stiffness = _exact(m.jnt_stiffness[j])
        scalar = len(joint.speeds) == 1
        if stiffness and scalar:
            rest = _exact(m.qpos_spring[int(m.jnt_qposadr[j])])
            self.forces.append(
                joint_spring(joint.q[0], stiffness, rest, name=f"spring_{joint.name}")
            )
        elif stiffness:
            self.notes.add("ignored", 1, f"joint {joint.name}: the spring of a ball or free joint")
        for k, speed in enumerate(joint.speeds):
            armature, damping = _exact(m.dof_armature[dof + k]), _exact(m.dof_damping[dof + k])
            loss = _exact(m.dof_frictionloss[dof + k])
            if len(joint.speeds) == 6 and (armature or damping or loss):
                self.notes.add("ignored", 1, f"joint {joint.name}: armature, damping or friction of a "
                               "free joint")  # fmt: skip
                return
            if armature:
                rotor = RotorInertia(f"rotor_{speed}", speed, as_expr(1), as_expr(armature))
                self.forces.append(rotor)
            if damping:
                self.forces.append(JointDamper(f"damper_{speed}", speed, as_expr(damping)))
            if loss and scalar:
                self.forces.append(joint_friction(joint.q[0], loss, name=f"friction_{joint.name}"))
            elif loss:
                self.notes.add("ignored", 1, f"joint {joint.name}: friction loss of a ball joint")

    def _actuators(self) -> None:
        m = self.m
        joints = [b.joint for b in self.bodies]
        taken = {n for j in joints for n in (*j.coordinates, *j.speeds)}
        taken |= {acceleration_name(n) for j in joints for n in j.speeds}
        for a in range(m.nu):
            name = m.actuator(a).name or f"actuator{a}"
            joint = int(m.actuator_trnid[a][0])
            on_joint = int(m.actuator_trntype[a]) in (0, 1) and int(m.jnt_type[joint]) in (
                _SLIDE,
                _HINGE,
            )
            plain = int(m.actuator_gaintype[a]) == 0 and int(m.actuator_biastype[a]) == 0
            if not on_joint or not plain or int(m.actuator_dyntype[a]) != 0:
                self.notes.add(
                    "ignored", 1, f"actuator {name}: only motors on hinges and slides are imported"
                )
                continue
            gear = _exact(m.actuator_gear[a][0]) * _exact(m.actuator_gainprm[a][0])
            coordinate = (
                m.joint(joint).name or f"{self.names[int(m.jnt_bodyid[joint])]}_joint{joint}"
            )
            label = name
            while label in taken:
                label = f"ctrl_{label}"
            taken.add(label)
            self.forces.append(
                joint_actuator(
                    symbol(coordinate), input=symbol(label), name=f"motor_{label}", gear=gear
                )
            )
            self.notes.add("used", 1, f"actuator {name}: motor on {coordinate}, gear {gear}")

    def _not_represented(self) -> None:
        m = self.m
        for count, what in (
            (m.ntendon, "tendons"),
            (m.nflex, "flexible bodies"),
            (sum(m.geom_contype > 0), "colliding geometries: contacts are not in the equations"),
            (sum(m.body_gravcomp != 0), "bodies with gravity compensation"),
            (int(m.opt.density > 0 or m.opt.viscosity > 0), "medium (density, viscosity)"),
        ):
            if count:
                self.notes.add("ignored", 1, f"{count} {what}")


def _check_finite(model: Any, path: str) -> None:
    """Refuse inf and nan: MuJoCo reads them everywhere, but equations need finite numbers."""
    for name in _NUMBERS:
        array = model.opt.gravity if name == "gravity" else getattr(model, name)
        bad = [x for x in array.flat if not isfinite(x)]
        if bad:
            raise FileFormatError(f"{path}: {name} must be finite numbers, got {bad[0]}.")
    if any(isnan(x) for x in model.jnt_range.flat):
        raise FileFormatError(f"{path}: jnt_range must be numbers, got nan.")


def _exact(x: Any) -> Fraction:
    """Shortest decimal number that reads as this float."""
    return Fraction(repr(float(x)))


def _vector(x: Sequence[float]) -> Vector:
    return Vector([_exact(e) for e in x])


def _rotation(quaternion: Sequence[float]) -> Matrix:
    """Exactly orthonormal rational matrix; snapped if all entries are close to 0 or ±1."""
    w, x, y, z = (Fraction(round(_exact(e) * 2**54)) for e in quaternion)
    A = rotation_of_quaternion(w, x, y, z)
    near = [round(_number(e)) for e in A.entries]
    if all(abs(_number(e) - n) <= _SNAP for e, n in zip(A.entries, near, strict=True)):
        return Matrix([near[0:3], near[3:6], near[6:9]])
    return A


def _number(e: Expr) -> Fraction:
    return Fraction(e.value or 0)
