"""Why a library has another inertia than we have: one cause per moving body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

from ..model.body import WORLD
from ..model.robot import Robot
from .description import Description
from .library import Library
from .link_inertias import LinkInertia, carriers, merged, own_inertias

CAUSES: Final = {
    "default inertia": "links without <inertial> get an inertia",
    "inertia from geometry": "links without <inertial> get the inertia of their collision shapes",
    "inertia of fixed joints": "the inertia of links that are fixed to another link is missing",
    "impossible inertia": "an inertia that no body can have is replaced by another",
    "principal axes": "principal moments and axes are stored, and found only approximately",
    "changed inertia": "the inertia differs from that of the file",
}
_ROUNDING: Final = 1e-12  # relative difference of equal inertias
_NEAR: Final = 1e-5  # largest relative error of approximate principal axes


@final
@dataclass(frozen=True)
class ChangedInertia:
    """Body whose inertia a library changed."""

    body: str
    cause: str  # one of CAUSES
    ours: LinkInertia
    theirs: LinkInertia

    def __str__(self) -> str:
        """Body with both masses, or with the relative difference if the masses are equal."""
        a, b = self.ours.mass, self.theirs.mass
        if abs(a - b) > _ROUNDING * abs(a):
            return f"{self.body} ({a:.6g} kg, theirs {b:.6g} kg)"
        return f"{self.body} (relative difference {self.ours.difference(self.theirs):.1e})"


def changed_inertias(library: Library) -> list[ChangedInertia]:
    """Moving bodies that have another inertia in the library."""
    robot, links = library.eom.robot, library.inertias()
    ours = merged(robot, own_inertias(robot))
    theirs = links if library.merged() else merged(robot, links)
    moving = {b.name for b in robot.bodies if b.joint.speeds}
    return [
        ChangedInertia(body, _cause(robot, library.description, body, own, theirs[body], links), own, theirs[body])  # fmt: skip
        for body, own in ours.items()
        if body in moving and own.difference(theirs[body]) > _ROUNDING
    ]


def _cause(
    robot: Robot,
    description: Description,
    body: str,
    ours: LinkInertia,
    theirs: LinkInertia,
    links: Mapping[str, LinkInertia],
) -> str:
    group = [n for n, (carrier, _, _) in carriers(robot).items() if carrier == body and n != WORLD]
    facts = {n: description.links[description.link(n)] for n in group}
    for name, link in facts.items():
        if link.mass is None and name in links and links[name].ten.any() and theirs.mass > ours.mass:
            return "inertia from geometry" if link.has_geometry else "default inertia"
    if not all(link.is_possible for link in facts.values()):
        return "impossible inertia"
    missing = sum(link.mass or 0.0 for n, link in facts.items() if n != body)
    if missing and abs(ours.mass - theirs.mass - missing) <= 1e-9 * ours.mass:
        return "inertia of fixed joints"
    return "principal axes" if ours.difference(theirs) < _NEAR else "changed inertia"
