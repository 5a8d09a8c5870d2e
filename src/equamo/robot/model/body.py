"""Body: a rigid link with a frame, a parent, a joint to the parent and an inertia."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...basics.wording import brief
from ...errors import ModelError
from ..spatial.acceleration import Acceleration
from ..spatial.frame import Frame
from ..spatial.inertia import Inertia as SpatialInertia
from ..spatial.motion import Motion
from ..spatial.pose import Pose
from .inertia import Inertia
from .joint import Joint
from .joints.fixed import fixed

WORLD = "world"


@final
@dataclass(frozen=True, init=False)
class Body:
    """Rigid link. Its frame has the name of the body; `world` is the root.

    Args:
        name: Name of the body and its frame.
        joint: Joint to the parent; by default the body is fixed to it.
        mass: Mass [kg], by default 0.
        com: Centre of mass in the body frame [m], by default 0.
        inertia: Inertia about the centre of mass [kg m²]: three principal moments, six entries
            XX XY XZ YY YZ ZZ, or a 3×3 matrix; or an `Inertia` instead of mass, com and inertia.
        parent: Name of the parent body.

    Raises:
        ModelError: An argument is not valid, or both an `Inertia` and a mass are given.

    >>> from equamo.robot.model.joints import revolute
    >>> Body("upper", revolute("q1"), mass="m1", com="Lc1 0 0", inertia="0 0 I1").parent
    'world'
    """

    name: str
    joint: Joint
    inertia: Inertia
    parent: str

    def __init__(
        self,
        name: str,
        joint: Joint | None = None,
        mass: Any = None,
        com: Any = None,
        inertia: Any = None,
        parent: str = WORLD,
    ) -> None:
        if not isinstance(name, str) or not name:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(f"The name of a body must be non-empty text, got {brief(name)}.")
        if name == WORLD:
            raise ModelError(
                "The name of a body must not be 'world', which is the root; rename it."
            )
        if joint is not None and not isinstance(joint, Joint):  # pyright: ignore
            raise ModelError(f"The joint of body {name!r} must be made by revolute(), prismatic() …, "
                             f"got {brief(joint)}.")  # fmt: skip
        if not isinstance(parent, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(
                f"The parent of body {name!r} must be the name of a body, got {brief(parent)}."
            )
        if isinstance(inertia, Inertia):
            for key, value in (("mass", mass), ("com", com)):
                if value is not None:
                    raise ModelError(
                        f"Body {name!r}: {key} must not be passed with an Inertia, which contains it, "
                        f"got {brief(value)}; pass inertia=Inertia.central(mass, com, tensor), or "
                        "mass, com and the tensor as inertia."
                    )
        else:
            m = 0 if mass is None else mass
            c, J = ("0 0 0" if x is None else x for x in (com, inertia))
            try:
                inertia = Inertia.central(m, c, J)
            except ModelError as error:
                raise ModelError(f"Body {name!r}: {error}") from None
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "joint", fixed() if joint is None else joint)
        object.__setattr__(self, "inertia", inertia)
        object.__setattr__(self, "parent", parent)
        _ = self.frame  # made now: two threads that ask for it later must get the same one

    # -- spatial quantities, in the body's own frame ---------------------------------------------------
    @cached_property
    def frame(self) -> Frame:
        """The frame of this body, an object of its own; a copy of the body has another."""
        return Frame(self.name)

    def pose_in(self, parent: Frame) -> Pose:
        """Pose in the frame of the parent, as a function of the coordinates of the joint."""
        return Pose(self.frame, parent, self.joint.rotation, self.joint.position)

    @cached_property
    def spatial_inertia(self) -> SpatialInertia:
        """The inertia, in the frame of the body."""
        return self.inertia.in_frame(self.frame)

    @cached_property
    def subspace(self) -> tuple[Motion, ...]:
        """Columns of S: motion relative to the parent per unit of each joint speed."""
        return self._columns(self.joint.subspace)

    @cached_property
    def subspace_rate(self) -> tuple[Motion, ...]:
        """Columns of Ṡ."""
        return self._columns(self.joint.subspace_rate)

    def _columns(self, S: tuple[Matrix, Matrix]) -> tuple[Motion, ...]:
        S_w, S_v = S
        n = range(len(self.joint.speeds))
        return tuple(Motion(self.frame, S_w.column(j), S_v.column(j)) for j in n)

    def motion(self, speeds: Sequence[Expr]) -> Motion:
        """S u: motion relative to the parent at given joint speeds; at u̇ what they add to α and a."""
        S_w, S_v = self.joint.subspace
        u = Vector(speeds)
        return Motion(self.frame, S_w @ u, S_v @ u)

    @cached_property
    def relative_velocity(self) -> Motion:
        """S v: velocity of the body relative to its parent."""
        return self.motion(self.joint.v)

    @cached_property
    def bias_acceleration(self) -> Acceleration:
        """Ṡ v: acceleration relative to the parent at v̇ = 0, in components of the body."""
        return Acceleration(self.frame, *self.joint.bias_acceleration)

    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of the body."""
        return (*self.joint.expressions(), *self.inertia.entries())
