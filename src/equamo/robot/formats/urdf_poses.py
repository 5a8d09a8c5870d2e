"""Convert the numbers of a URDF file to exact expressions; each choice is noted in the report."""

from __future__ import annotations

from fractions import Fraction
from math import ceil, floor, log10
from typing import Final, final

from ...algebra.expr import Expr, as_expr, symbol
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import Vector
from ..model.inertia import NAMES, Inertia
from ..model.parameter import Parameter
from ..spatial.frame import Frame
from ..spatial.pose import Pose
from .rational_rotation import Turn, rotation_rpy, unit_vector
from .short_numbers import short_rotation, short_vector
from .urdf_elements import Inertial, Origin, UrdfJoint, UrdfLink
from .urdf_text import UrdfText

_NEAR: Final = Fraction(1, 1000)  # angles this close to a quarter turn are probably meant to be one
_MOST: Final = 10**6  # [rad]
_QUARTERS: Final = ("0", "pi/2", "pi", "-pi/2")
_UNITS: Final = {"m": "kg", "M": "kg m"}


def shortened(X: Pose) -> Pose:
    """The pose itself, or one of short numbers close to it; see `short_numbers`."""
    A, p = short_rotation(X.rotation), short_vector(X.position)
    unchanged = A is X.rotation and p == X.position
    return X if unchanged else Pose(X.frame, X.reference, A, p)


@final
class Quantities:
    """Converter of numbers to expressions: the numbers, or symbols with these values."""

    text: UrdfText
    snap: Fraction
    symbolic: bool

    def __init__(self, text: UrdfText, snap: Fraction, symbolic: bool) -> None:
        self.text, self.snap, self.symbolic = text, snap, symbolic
        self.parameters: list[Parameter] = []

    def _named(
        self, name: str, value: Expr, unit: str, description: str, nonnegative: bool = False
    ) -> Expr:
        number = value.value
        assert number is not None
        self.parameters.append(Parameter(name, number, unit, description, nonnegative))
        return symbol(name)

    def gravity(self) -> Vector:
        """Gravity of 9.81 m/s² along −z."""
        g = as_expr("9.81")
        if self.symbolic:
            g = self._named("g", g, "m/s²", "gravity")
        return Vector([0, 0, -g])

    # -- rotations and axes ----------------------------------------------------------------------------
    def rotation(self, origin: Origin, what: str) -> Matrix:
        """Exactly orthonormal rotation A = Rz(yaw) Ry(pitch) Rx(roll)."""
        if not any(origin.rpy):
            return identity(3)
        turns: list[Turn] = []
        for name, angle in zip(("roll", "pitch", "yaw"), origin.rpy, strict=True):
            if abs(angle) > _MOST:
                raise self.text.error(origin.line, f"{what}: {name} must be at most {_MOST:,} rad, got "
                                      f"{float(angle)!r}.")  # fmt: skip
            t = Turn.of(angle, self.snap)
            turns.append(t)
            if not t.distance or t.distance > _NEAR:
                continue
            near = f"{what}: {name} {float(angle)!r}"
            quarter = _QUARTERS[t.quarters]
            if t.is_quarter:
                self.text.notes.add("snapped", origin.line, f"{near} read as {quarter}")
            else:
                need = _round_up(t.distance)
                self.text.notes.add("near", origin.line, f"{near} is {float(t.distance):.1e} from "
                                    f"{quarter}; pass snap={need} to read it as {quarter}")  # fmt: skip
        return rotation_rpy(turns[0], turns[1], turns[2])

    def axis(self, joint: UrdfJoint) -> Vector:
        """Axis of a joint with length exactly 1; URDF's default is x."""
        notes = self.text.notes
        if joint.axis is None:
            notes.add("defaulted", joint.line, f"joint {joint.name}: no axis, using 1 0 0")
            return Vector([1, 0, 0])
        if not any(joint.axis):
            raise self.text.error(joint.line, f"the axis of joint {joint.name!r} must not be 0 0 0; use "
                                  "three numbers such as 0 0 1.")  # fmt: skip
        length = sum(float(x) ** 2 for x in joint.axis) ** 0.5
        if abs(length - 1) > 1e-6:
            notes.add("suspicious", joint.line, f"joint {joint.name}: the axis has length {length:.6g}; "
                      "only its direction is used")  # fmt: skip
        e = unit_vector(joint.axis, self.snap)
        small = sum(1 for x in joint.axis if x) - sum(1 for x in e if x.value)
        if small:
            numbers = " ".join(repr(float(x)) for x in joint.axis)
            notes.add("snapped", joint.line, f"joint {joint.name}: axis {numbers} read as "
                      f"{' '.join(map(str, e))}")  # fmt: skip
        return e

    def place(self, joint: UrdfJoint, child: Frame, parent: Frame) -> Pose:
        """Pose of the child link in the parent link at q = 0, in symbols x_<joint> … if symbolic."""
        p: list[Expr] = []
        for name, x in zip("xyz", joint.origin.xyz, strict=True):
            value = as_expr(x)
            if self.symbolic and x:
                value = self._named(f"{name}_{joint.name}", value, "m", f"joint {joint.name}")
            p.append(value)
        return Pose(child, parent, self.rotation(joint.origin, f"joint {joint.name}"), Vector(p))

    def resistance(self, joint: UrdfJoint, what: str, x: Fraction) -> Expr:
        """Damping or friction of a joint; a symbol such as damping_<joint> if symbolic."""
        value = as_expr(x)
        if not self.symbolic or x < 0:  # the force element refuses negative numbers
            return value
        unit = "N" if joint.kind == "prismatic" else "N m"
        if what == "damping":
            unit += " s/m" if joint.kind == "prismatic" else " s/rad"
        return self._named(
            f"{what}_{joint.name}", value, unit, f"joint {joint.name}", nonnegative=True
        )

    # -- inertias --------------------------------------------------------------------------------------
    def inertia(self, link: UrdfLink, moves: bool) -> Inertia:
        """Inertia of a link about its own frame: numbers, or ten symbols m_<link> … ZZ_<link>."""
        notes, data = self.text.notes, link.inertial
        if data is None:
            notes.add("defaulted", link.line, f"link {link.name}: no inertial, massless")
            return Inertia.zero()
        notes.add("used", data.line, f"link {link.name}: {float(data.mass):.6g} kg")
        J = Matrix([[data.tensor[i] for i in row] for row in ((0, 1, 2), (1, 3, 4), (2, 4, 5))])
        if any(data.origin.rpy):
            A = self.rotation(data.origin, f"inertial of link {link.name}")
            J = A @ J @ A.T
        inertia = Inertia.central(data.mass, list(data.origin.xyz), J)
        for problem in _problems(data, J):
            notes.add("suspicious", data.line, f"link {link.name}: {problem}")
        if moves and data.mass and not link.has_geometry:
            text = f"link {link.name}: mass without geometry (no visual or collision); is it real?"
            notes.add("suspicious", data.line, text)
        if not self.symbolic or inertia.is_zero:
            return inertia
        ten = [
            self._named(f"{n}_{link.name}", x, _UNITS.get(n[0], "kg m²"), f"link {link.name}")
            for n, x in zip(NAMES, inertia.ten, strict=True)
        ]
        return Inertia.about_origin(ten)


def _round_up(x: Fraction) -> str:
    """Next number above x with one digit: a snap that includes this distance."""
    power = floor(log10(x))
    return f"{ceil(x / Fraction(10) ** power)}e{power}"


def _problems(inertial: Inertial, J: Matrix) -> list[str]:
    """Properties that no body has: negative mass or moments, a violated triangle inequality.

    Σ = ½ tr(J) 1 − J = ∫ r rᵀ dm is positive semidefinite if and only if the principal moments are not
    negative and each is at most the sum of the others.
    """
    if inertial.mass < 0:
        return [f"mass {float(inertial.mass):.6g} kg is negative"]
    entries = [Fraction(x.value or 0) for x in J.entries]
    trace = entries[0] + entries[4] + entries[8]
    if inertial.mass == 0:
        return ["mass is 0, but inertia is not"] if any(entries) else ["mass is 0"]
    if not any(entries):
        return ["inertia is 0, but mass is not"]
    slack = abs(trace) / 10**6
    S = [[-entries[3 * i + j] for j in range(3)] for i in range(3)]
    for i in range(3):
        S[i][i] += trace / 2 + slack
    minors = [S[i][i] for i in range(3)]
    minors += [S[i][i] * S[j][j] - S[i][j] ** 2 for i, j in ((0, 1), (0, 2), (1, 2))]
    minors.append(
        S[0][0] * minors[5]
        - S[0][1] * (S[0][1] * S[2][2] - S[1][2] * S[0][2])
        + S[0][2] * (S[0][1] * S[1][2] - S[1][1] * S[0][2])
    )
    if min(minors) < 0:
        return ["inertia is not physical: a negative moment or a violated triangle inequality"]
    return []
