"""Rules that explain differences: changes that turn our robot into the one that a library uses.

A rule explains a difference only if the difference disappears when our robot is changed accordingly.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, final

from ...basics.wording import counted
from ...robot.model.body import Body
from ...robot.model.edits import copy_with
from ...robot.model.force import ForceElement
from ...robot.model.forces import JointDamper, JointFriction, RotorInertia
from ...robot.model.inertia import Inertia
from ...robot.model.joints import Fixed
from ...robot.model.robot import Robot
from .inertia_causes import CAUSES, ChangedInertia, changed_inertias
from .library import Library
from .link_inertias import LinkInertia

SHOWN: Final = 4  # most names in the text of a rule
# Relative difference of poses that were composed in 32-bit floats: about 64 roundings to 24 bits.
SINGLE: Final = 2.0**-18
SINGLE_PRECISION: Final = "single precision"
SINGULAR: Final = "singular mass matrix"

_FORCES: Final[dict[str, tuple[type[ForceElement], str]]] = {
    "damping": (JointDamper, "equamo includes the damping of the file"),
    "friction": (JointFriction, "equamo includes the dry friction of the file"),
    "armature": (RotorInertia, "equamo includes the rotor inertia of the file's transmissions"),
}


@final
@dataclass(frozen=True)
class Rule:
    """A named difference between equamo's robot and that of a library."""

    name: str
    text: str  # what differs, and where
    change: Callable[[Robot], Robot]  # to the robot that the library uses

    @property
    def is_force(self) -> bool:
        """Whether it removes force elements instead of changing the inertia of a body."""
        return self.name in _FORCES


def rules_for(library: Library) -> list[Rule]:
    """Rules that can apply to a robot in a library."""
    robot = library.eom.robot
    found: list[Rule] = []
    for name, (kind, meaning) in _FORCES.items():
        elements = [f for f in robot.forces if isinstance(f, kind)]
        if elements:
            where = _listed([f.speeds()[0].removeprefix("d") for f in elements])
            text = (
                f"{meaning} ({counted(len(elements), 'joint')}: {where}), {library.name} does not"
            )
            found.append(Rule(name, text, _without(kind)))
    changed = changed_inertias(library)
    for cause, meaning in CAUSES.items():
        bodies = [x for x in changed if x.cause == cause]
        if bodies:
            text = f"in {library.name}, {meaning}: {_listed([str(x) for x in bodies])}"
            found.append(Rule(cause, text, _with_inertias(bodies)))
    return found


def single_precision(library: Library) -> str:
    """Text of the rule on 32-bit floats."""
    return f"{library.name} computes and returns these numbers in 32-bit floats"


def singular_mass_matrix() -> str:
    """Text of the rule on forward dynamics without a solution."""
    return (
        "the mass matrix is singular, because massless bodies move on their own: accelerations do not "
        "follow from forces"
    )


def _without(kind: type[ForceElement]) -> Callable[[Robot], Robot]:
    def change(robot: Robot) -> Robot:
        return copy_with(robot, forces=[f for f in robot.forces if not isinstance(f, kind)])

    return change


def _with_inertias(changed: list[ChangedInertia]) -> Callable[[Robot], Robot]:
    """Replace the inertia of moving bodies; that of the links fixed to them is part of it."""
    theirs = {x.body: x.theirs for x in changed}

    def change(robot: Robot) -> Robot:
        bodies: list[Body] = []
        carried: dict[str, str] = {}  # body -> moving body that carries it
        for b in robot.bodies:
            carried[b.name] = carried.get(b.parent, "") if isinstance(b.joint, Fixed) else b.name
            inertia = b.inertia
            if carried[b.name] in theirs:
                own = theirs[b.name] if b.name in theirs else LinkInertia.zero()
                inertia = Inertia.about_origin([Fraction(float(x)) for x in own.ten])
            bodies.append(Body(b.name, b.joint, inertia=inertia, parent=b.parent))
        return copy_with(robot, bodies=bodies)

    return change


def _listed(names: list[str]) -> str:
    more = "" if len(names) <= SHOWN else f" and {len(names) - SHOWN} more"
    return ", ".join(names[:SHOWN]) + more
