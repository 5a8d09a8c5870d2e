"""Contact: a point of a body that may be held to the ground, and the mode of all contacts.

A contact is open (no constraint) or it sticks: the velocity of its point relative to the world is zero.
Where the point is held depends on the motion before, so the model has no equation for its position.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final, final

from ...algebra.expr import Expr
from ...algebra.expr.vector import Vector, vector3
from ...basics.arguments import is_one_of
from ...basics.wording import brief
from ...errors import ModelError, UnknownNameError
from .read_only import ReadOnly
from .rotation import unit_axis

OPEN: Final = "open"
STICK: Final = "stick"


@final
@dataclass(frozen=True, slots=True)
class Contact:
    """Point of a body that may be held to the ground."""

    name: str  # unique in the robot
    body: str  # body with the point
    at: Vector  # in the frame of the body [m]
    normal: Vector  # unit vector in the world frame, out of the ground

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not self.name:  # pyright: ignore
            raise ModelError(
                f"The name of a contact must be non-empty text, got {brief(self.name)}."
            )

    @property
    def row_names(self) -> tuple[str, ...]:
        """Names of its equations if it sticks: "LF x", "LF y", "LF z" for a normal along z.

        For other normals two tangents and the normal: "LF t1", "LF t2", "LF n".
        """
        vertical = tuple(x.value for x in self.normal) == (0, 0, 1)
        return tuple(
            f"{self.name} {r}" for r in (("x", "y", "z") if vertical else ("t1", "t2", "n"))
        )

    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of the contact."""
        return (*self.at, *self.normal)


def contact(name: str, body: str, at: Any = "0 0 0", normal: Any = "z") -> Contact:
    """Declare a point of a body that may be held to the ground.

    Args:
        name: Name of the contact, as for `in_mode`.
        body: Body with the point.
        at: Point in the frame of the body [m].
        normal: Normal of the ground in the world frame.

    Returns:
        The contact, for Robot(..., contacts=[...]).

    Raises:
        ModelError: The normal has length 0, or the name is not text.

    >>> contact("LF", body="LF_shank", at="0 0 -l").row_names
    ('LF x', 'LF y', 'LF z')
    """
    try:
        n = unit_axis(normal)
    except ModelError as error:
        raise ModelError(f"Contact {name!r}: {error}") from None
    return Contact(name, body, vector3(at), n)


def contact_mode(
    contacts: Iterable[Contact], words: Mapping[str, str], robot: str
) -> ReadOnly[str, str]:
    """Mode of every contact, "open" or "stick"; contacts that are not named are open.

    Args:
        contacts: Contacts of the robot.
        words: "open" or "stick" by contact.
        robot: Name of the robot, for messages.

    Returns:
        The mode by contact.

    Raises:
        UnknownNameError: Unknown contact or mode.
        ModelError: The mode is "slide", which is not supported.
    """
    names = [c.name for c in contacts]
    for n, word in words.items():
        if n not in names:
            raise UnknownNameError("contact", n, names, f"robot {robot!r}")
        if is_one_of(word, ("slide",)):
            raise ModelError(
                f"The mode of contact {n!r} must be 'open' or 'stick', got 'slide'; sliding contacts "
                "are not supported yet."
            )
        if not is_one_of(word, (OPEN, STICK)):
            raise UnknownNameError("mode", word, (OPEN, STICK), f"contact {n!r}")
    return ReadOnly({n: words.get(n, OPEN) for n in names})
