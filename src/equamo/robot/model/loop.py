"""Loop: a cut joint between two bodies of the tree, which closes a kinematic loop.

The joints of the bodies span a tree. A loop adds one more joint between two bodies as equations
φ(q) = 0 instead of coordinates. With the axis z₁ of `body`, the axes x₂, y₂, z₂ of `to` (z₂ = to_axis),
d from the point of `to` to the point of `body`, and E the rotation of `body` relative to `to` (E = 1
when assembled):

    spherical     d = 0                       3 equations
    revolute      d = 0, z₂ × z₁ = 0          3 + 2; z₁·z₂ > 0
    universal     d = 0, z₁·z₂ = 0            3 + 1
    cylindrical   x₂·d = y₂·d = 0, z₂ × z₁ = 0     2 + 2; z₁·z₂ > 0
    prismatic     x₂·d = y₂·d = 0, E = Eᵀ     2 + 3; trace E > 0
    planar        z₂·d = 0, z₂ × z₁ = 0       1 + 2; z₁·z₂ > 0
    fixed         d = 0, E = Eᵀ               3 + 3; trace E > 0
    distance      d·d = length²               1

The equations of orientation are polynomial in rotations, so they also hold for antiparallel axes and
for half-turns; the inequality next to each excludes these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

from ...algebra.expr import Expr, as_expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector, vector3
from ...basics.arguments import is_one_of
from ...basics.wording import brief
from ...errors import ModelError, UnknownNameError
from .arguments import body_name
from .body import WORLD
from .rotation import as_rotation, unit_axis

# Names of the equations of each kind of cut joint.
ROWS: Final[dict[str, tuple[str, ...]]] = {
    "revolute": ("x", "y", "z", "rx", "ry"),
    "spherical": ("x", "y", "z"),
    "universal": ("x", "y", "z", "r"),
    "prismatic": ("x", "y", "rx", "ry", "rz"),
    "cylindrical": ("x", "y", "rx", "ry"),
    "planar": ("z", "rx", "ry"),
    "fixed": ("x", "y", "z", "rx", "ry", "rz"),
    "distance": ("",),
}
# Power of a length that φ of each row is: 1 along an axis, 0 of an orientation, 2 of a distance.
POWERS: Final = {
    kind: tuple(2 if not name else 0 if name.startswith("r") else 1 for name in names)
    for kind, names in ROWS.items()
}
TURNED: Final = ("fixed", "prismatic")  # kinds that have a rotation when assembled


@final
@dataclass(frozen=True, slots=True)
class Loop:
    """Cut joint between `body` and `to`."""

    name: str  # unique in the robot
    body: str  # first body of the cut joint
    at: Vector  # point of `body`, in its frame [m]
    axis: Vector  # unit vector z₁ in the frame of `body`
    to: str  # another body, or the world
    to_at: Vector  # point of `to`, in its frame [m]
    to_axis: Vector  # unit vector z₂ in the frame of `to`
    joint: str  # key of ROWS
    length: Expr | None = None  # of a distance [m]
    rotation: Matrix | None = None  # of `body` in `to` when assembled; None: unrotated

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore
            raise ModelError(f"The name of a loop must be non-empty text, got {brief(self.name)}.")
        place = f"loop {self.name!r}"
        if not isinstance(self.joint, str) or self.joint not in ROWS:  # pyright: ignore
            raise UnknownNameError("kind of joint", self.joint, ROWS, place)
        for n in (self.body, self.to):
            body_name(place, n)
        if self.body == self.to:
            raise ModelError(
                f"Loop {self.name!r} must join two bodies, got {self.body!r} for both; pass another "
                "body, or 'world', as `to`."
            )
        if self.joint == "distance" and self.length is None:
            raise ModelError(f"Loop {self.name!r}: a distance must have a length; pass length=….")
        number = None if self.length is None else self.length.value
        if self.joint == "distance" and number is not None and number <= 0:
            raise ModelError(
                f"Loop {self.name!r}: the length of a distance must be greater than 0, got "
                f"{brief(self.length)}; to join the points, pass joint='spherical'."
            )
        if self.joint != "distance" and self.length is not None:
            raise ModelError(
                f"Loop {self.name!r}: only a distance has a length, got joint={self.joint!r} with "
                f"length {brief(self.length)}; remove the length, or pass joint='distance'."
            )
        if self.joint not in TURNED and self.rotation is not None:
            raise ModelError(
                f"Loop {self.name!r}: only fixed and prismatic joints have a rotation, got "
                f"joint={self.joint!r}; remove the rotation, or choose the axes instead."
            )

    @property
    def row_names(self) -> tuple[str, ...]:
        """Names of its equations: "closure x" …; the name of the loop if there is only one."""
        return tuple(f"{self.name} {r}" if r else self.name for r in ROWS[self.joint])

    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of the loop."""
        more = () if self.length is None else (self.length,)
        turned = () if self.rotation is None else self.rotation.entries
        return (*self.at, *self.axis, *self.to_at, *self.to_axis, *more, *turned)


def loop(
    name: str,
    body: str,
    at: Any = "0 0 0",
    axis: Any = "z",
    to: str = WORLD,
    to_at: Any = "0 0 0",
    to_axis: Any = None,
    joint: str = "revolute",
    length: Any = None,
    rotation: Any = None,
) -> Loop:
    """Close a kinematic loop by a joint between two bodies of the tree.

    Args:
        name: Name of the loop.
        body: Body on one side.
        at: Point of the joint in the frame of `body` [m].
        axis: Axis of the joint in the frame of `body`.
        to: Body on the other side, or "world".
        to_at: Point of the joint in the frame of `to` [m].
        to_axis: Axis of the joint in the frame of `to`; by default the components of `axis`. The axes of
            a universal joint are perpendicular, so it needs both.
        joint: "revolute", "spherical", "universal", "prismatic", "cylindrical", "planar", "fixed" or
            "distance" (a massless rod of constant length between the points).
        length: Length of a distance [m].
        rotation: Orientation of the frame of `body` in that of `to` when assembled, for fixed and
            prismatic joints: 3×3 matrix, or angles "α β γ" of Rx(α) Ry(β) Rz(γ); by default none.

    Returns:
        The loop, for Robot(..., loops=[...]).

    Raises:
        ModelError: An axis has length 0, both bodies are the same, or length, rotation or to_axis do not
            fit the joint.
        UnknownNameError: Unknown kind of joint.

    >>> loop("closure", body="coupler", at="L2 0 0", to="rocker", to_at="L3 0 0").row_names
    ('closure x', 'closure y', 'closure z', 'closure rx', 'closure ry')
    """
    if is_one_of(joint, ("universal",)) and to_axis is None:
        raise ModelError(
            f"Loop {name!r}: a universal joint must have two perpendicular axes, got only the one of "
            f"{body!r}; pass to_axis=…."
        )
    try:
        z1 = unit_axis(axis)
        z2 = z1 if to_axis is None else unit_axis(to_axis)
        turned = None if rotation is None else as_rotation(rotation)
    except ModelError as error:
        raise ModelError(f"Loop {name!r}: {error}") from None
    l = None if length is None else as_expr(length)
    return Loop(name, body, vector3(at), z1, to, vector3(to_at), z2, joint, l, turned)
