"""Certificates of this process, so that what was proved is not proved again.

`eq.generate` asks here: a robot that `eq.prove` has seen is not derived five times once more. Only the
newest certificate is kept with its derivations, which are large; the others have theirs as long as
somebody else holds them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, final
from weakref import ref

from ..equations import EquationsOfMotion
from ..formats.json_file import digest
from ..formulations.derivation import Derivation
from ..model import Robot
from ..model.storage import robot_to_data
from .certificate import Certificate

KEPT: Final = 16  # certificates; each holds its robot


@final
@dataclass(frozen=True, slots=True)
class _Kept:
    """A certificate, whole as long as somebody holds it."""

    whole: ref[Certificate]
    light: Certificate  # without its derivations
    proved: Mapping[str, str]  # digests of the derivations, by formulation
    of_robot: bool  # not of equations that somebody put together

    @property
    def certificate(self) -> Certificate:
        found = self.whole()
        return self.light if found is None else found


_recent: deque[_Kept] = deque(maxlen=KEPT)
_newest: list[Certificate] = []


def remember(certificate: Certificate, of_robot: bool = True) -> None:
    """Keep a certificate for `recall`; the oldest goes.

    `of_robot=False`: equations stood for a formulation that it did not derive in this process.
    """
    proved = {by: _digest(d) for by, d in certificate.derivations.items()}
    _recent.append(_Kept(ref(certificate), replace(certificate, derivations={}), proved, of_robot))
    _newest[:] = [certificate]


def recall(subject: Robot | EquationsOfMotion) -> Certificate | None:
    """The last certificate of this robot, or of one with the same data; None if there is none.

    Of equations: the last one in which their own expressions were proved.
    """
    if isinstance(subject, EquationsOfMotion):
        whole = subject if subject.replaced is None else subject.replaced.whole
        robot, by, derived = whole.robot, whole.by, _digest(whole.derivation)
        candidates = [k for k in reversed(_recent) if k.proved.get(by) == derived]
    else:
        robot = subject
        candidates = [k for k in reversed(_recent) if k.of_robot]
    candidates = [k for k in candidates if k.light.robot.name == robot.name]
    if not candidates:
        return None
    for kept in candidates:
        if kept.light.robot is robot:
            return kept.certificate
    data = digest(robot_to_data(robot))
    same = (k for k in candidates if digest(robot_to_data(k.light.robot)) == data)
    return next((k.certificate for k in same), None)


def _digest(derivation: Derivation) -> str:
    """Of the structural hashes: two derivations of the same expressions have one."""
    return digest([e.h for e in derivation.entries])
