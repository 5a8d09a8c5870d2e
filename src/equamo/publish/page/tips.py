"""Bodies whose Jacobians the page shows: feet and hands first, and only bodies that can move."""

from __future__ import annotations

import re
from typing import Final

from ...algebra.expr.matrix import Matrix
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.model.body import WORLD
from ...robot.model.robot import Robot

TIPS: Final = 4  # most bodies whose Jacobians are shown
_LIMBS: Final = re.compile(
    "foot|feet|sole|toe|hand|palm|gripper|tool|tcp|ee$|ee_|effector|flange|finger|tip",
    re.IGNORECASE,
)


def tip_jacobians(eom: EquationsOfMotion) -> dict[str, Matrix]:
    """Jacobians of some tips of the tree, by body.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> list(tip_jacobians(derive(load("starleth"))))
    ['LF_Foot', 'RF_Foot', 'LH_Foot', 'RH_Foot']
    """
    found: dict[str, Matrix] = {}
    for tip in _ranked(eom.robot):
        J = eom.frame(tip).jacobian()
        if any(e.value != 0 for e in J.entries):
            found[tip] = J
        if len(found) == TIPS:
            break
    return found


def _ranked(robot: Robot) -> list[str]:
    """Bodies that carry nothing: first those named as limbs, then by the number of joints below them."""
    parents = {b.parent for b in robot.bodies}
    joints = {WORLD: 0}
    for b in robot.bodies:
        joints[b.name] = joints[b.parent] + bool(b.joint.v)
    tips = [b.name for b in robot.bodies if b.name not in parents]
    return sorted(tips, key=lambda name: (not _LIMBS.search(name), -joints[name]))
