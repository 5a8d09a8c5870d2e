"""Why the inertia in a library differs from ours: one cause per moving body."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, final

import numpy as np

from ...robot.model.body import WORLD
from ...robot.model.robot import Robot
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
    found: list[ChangedInertia] = []
    for body, own in ours.items():
        other = theirs[body]
        if body in moving and own.difference(other) > _ROUNDING:
            cause = _cause(robot, library.description, body, own, other, links)
            found.append(ChangedInertia(body, cause, own, other))
    return found


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
        own = links.get(name)
        if link.mass is None and own is not None and own.ten.any() and theirs.mass > ours.mass:
            is_default = own.mass == 1.0 and np.array_equal(own.tensor, np.eye(3))  # of PyBullet
            known = link.has_geometry and not is_default
            return "inertia from geometry" if known else "default inertia"
    if not all(link.is_possible for link in facts.values()):
        return "impossible inertia"
    missing = sum(link.mass or 0.0 for n, link in facts.items() if n != body)
    if missing and abs(ours.mass - theirs.mass - missing) <= 1e-9 * ours.mass:
        return "inertia of fixed joints"
    return "principal axes" if ours.difference(theirs) < _NEAR else "changed inertia"
