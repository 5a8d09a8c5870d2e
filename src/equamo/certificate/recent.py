"""Cache of the certificates of this process, so that nothing is proved twice.

`eq.generate` looks here: a robot that `eq.prove` has proved is not derived by five formulations again.
Only the newest certificate is kept with its derivations, which are large; the others keep theirs as
long as something else refers to them.
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

KEPT: Final = 16  # number of certificates; each refers to its robot


@final
@dataclass(frozen=True, slots=True)
class _Kept:
    """Cached certificate, complete as long as something else refers to it."""

    whole: ref[Certificate]
    light: Certificate  # without its derivations
    proved: Mapping[str, str]  # digests of the derivations, by formulation
    of_robot: bool  # proved for a robot, not for equations that a user built

    @property
    def certificate(self) -> Certificate:
        found = self.whole()
        return self.light if found is None else found


_recent: deque[_Kept] = deque(maxlen=KEPT)
_newest: list[Certificate] = []


def remember(certificate: Certificate, of_robot: bool = True) -> None:
    """Cache a certificate for `recall`; the oldest is dropped.

    `of_robot=False` means that equations replaced a formulation that did not derive them here.
    """
    proved = {by: _digest(d) for by, d in certificate.derivations.items()}
    _recent.append(_Kept(ref(certificate), replace(certificate, derivations={}), proved, of_robot))
    _newest[:] = [certificate]


def recall(subject: Robot | EquationsOfMotion) -> Certificate | None:
    """Last certificate of this robot, or of one with the same data; None if there is none.

    For equations, the last certificate in which their own expressions were proved.
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
    """Digest of the structural hashes; equal for derivations with the same expressions."""
    return digest([e.h for e in derivation.entries])
