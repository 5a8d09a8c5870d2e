"""Certificates of this process, so that what was proved is not proved again.

`eq.generate` asks here: a robot that `eq.prove` has seen is not derived five times once more.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from ..formats.json_file import digest
from ..model import Robot
from ..model.storage import robot_to_data
from .certificate import Certificate

KEPT: Final = 16  # certificates; each holds its robot

_recent: deque[Certificate] = deque(maxlen=KEPT)


def remember(certificate: Certificate) -> None:
    """Keep a certificate for `recall`; the oldest goes."""
    _recent.append(certificate)


def recall(robot: Robot) -> Certificate | None:
    """The last certificate of this robot, or of one with the same data; None if there is none."""
    candidates = [c for c in reversed(_recent) if c.robot is robot or c.robot.name == robot.name]
    if not candidates:
        return None
    for c in candidates:
        if c.robot is robot:
            return c
    data = digest(robot_to_data(robot))
    return next((c for c in candidates if digest(robot_to_data(c.robot)) == data), None)
