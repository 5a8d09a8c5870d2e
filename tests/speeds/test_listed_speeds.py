"""Joint speeds listed next to constraints are the speeds to keep."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

import equamo as eq
from equamo.robot.formats.toml import parse_robot
from equamo.robot.formats.toml_writer import write_toml

CONSTRAINTS = ["dq2 = 2*dq1"]


def chain(speeds: str | Sequence[str] | dict[str, str]) -> eq.Robot:
    bodies = [
        eq.Body(f"b{k}", eq.revolute(f"q{k}", axis="y", at="1 0 0"), mass=f"m{k}", com="1/2 0 0",
                inertia=f"0 I{k} I{k}", parent=f"b{k - 1}" if k > 1 else "world")
        for k in (1, 2, 3)
    ]  # fmt: skip
    return eq.Robot("chain", bodies, constraints=CONSTRAINTS, speeds=speeds)


@pytest.mark.parametrize("speeds", ["dq1 dq3", "dq1, dq3", ["dq1", "dq3"], ("dq1", "dq3")])
def test_a_list_is_the_speeds_to_keep(speeds: str | Sequence[str]) -> None:
    listed, named = chain(speeds), chain({"dq1": "dq1", "dq3": "dq3"})
    assert listed.speed_map == named.speed_map
    assert [x.name for x in listed.v] == ["dq1", "dq3"]
    assert eq.derive(listed).mass_matrix == eq.derive(named).mass_matrix
    assert list(eq.derive(listed).constraint_forces) == ["dq2 - 2*dq1"]
    assert eq.prove(listed).ok


def test_in_a_model_file() -> None:
    text = write_toml(chain("dq1 dq3"))
    head, _, _ = text.partition("[speeds]")
    assert head != text
    listed = text.replace('[speeds]\ndq1 = "dq1"\ndq3 = "dq3"\n', "")
    assert listed != text
    listed = listed.replace('name = "chain"', 'name = "chain"\nspeeds = "dq1 dq3"', 1)
    assert parse_robot(listed).speed_map == chain("dq1 dq3").speed_map
