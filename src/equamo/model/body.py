"""Body: a rigid link with a frame, a parent, a joint to the parent and an inertia."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ..errors import ModelError
from ..expr import Expr
from ..wording import brief
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

    >>> from equamo.model.joints import revolute
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

    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of the body."""
        return (*self.joint.expressions(), *self.inertia.entries())
