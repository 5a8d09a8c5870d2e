"""Cache of the certificates of this process, so that nothing is proved twice.

`eq.generate` looks here: a robot that `eq.prove` has proved is not derived by five formulations again.
Only the newest certificate is kept with its derivations, which are large; the others keep theirs as
long as something else refers to them.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from typing import Final, final
from weakref import ref

from ...robot.model import Robot
from ..equations import EquationsOfMotion
from ..equations.digests import equations_digest, robot_digest
from .certificate import Certificate

KEPT: Final = 16  # number of certificates; each refers to its robot


@final
@dataclass(frozen=True, slots=True)
class _Kept:
    """Cached certificate, complete as long as something else refers to it."""

    whole: ref[Certificate]
    light: Certificate  # without its derivations
    only: str | None  # digest of equations that a user built; None if proved for a robot

    @property
    def certificate(self) -> Certificate:
        found = self.whole()
        return self.light if found is None else found


_recent: deque[_Kept] = deque(maxlen=KEPT)
_newest: list[Certificate] = []


def remember(certificate: Certificate, only: EquationsOfMotion | None = None) -> None:
    """Cache a certificate for `recall`; the oldest is dropped.

    `only` are equations that took the place of those that a formulation derives here. If they are wrong,
    so is the certificate, which says nothing of the equations by the other formulations.
    """
    digest = None if only is None else equations_digest(only)
    _recent.append(_Kept(ref(certificate), replace(certificate, derivations={}), digest))
    _newest[:] = [certificate]


def recall(subject: Robot | EquationsOfMotion) -> Certificate | None:
    """Last certificate of this robot, or of one with the same data; None if there is none.

    For equations, the last certificate of exactly these equations.
    """
    if isinstance(subject, EquationsOfMotion):
        meant = equations_digest(subject)
        of_equations = (
            k
            for k in reversed(_recent)
            if (meant in k.light.equations.values() if k.only is None else meant == k.only)
        )
        return next((k.certificate for k in of_equations), None)
    candidates = [k for k in reversed(_recent) if k.only is None]
    for kept in candidates:
        if kept.light.robot is subject:
            return kept.certificate
    data = robot_digest(subject)
    same = (k for k in candidates if robot_digest(k.light.robot) == data)
    return next((k.certificate for k in same), None)
