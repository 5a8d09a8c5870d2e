"""Count how often each formulation runs."""

from __future__ import annotations

from collections import Counter

import pytest

from equamo.mechanics.equations import FORMULATIONS
from equamo.mechanics.formulations.derivation import Derivation
from equamo.mechanics.kinematics.steps import NO_RECORD, Record
from equamo.robot.model import Robot


def counted_derivations(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """{formulation: times that it ran} from now on, without robots that a line of a proof makes."""
    ran: Counter[str] = Counter()
    for by, method in dict(FORMULATIONS).items():

        def counting(
            robot: Robot, record: Record = NO_RECORD, *, by: str = by, method=method
        ) -> Derivation:
            if not robot.name.startswith("inertias of "):
                ran[by] += 1
            return method(robot, record)

        monkeypatch.setitem(FORMULATIONS, by, counting)
    return ran
