"""Equations as text: entries have names by which they are addressed."""

import re

import pytest

import equamo as eq


@pytest.mark.parametrize("robot", ["rr_arm", "rp_arm", "wheeled_inverted_pendulum"])
def test_an_entry_is_printed_by_the_name_that_addresses_it(robot: str) -> None:
    eom = eq.derive(eq.load(robot))
    parts = {"M": eom.mass_matrix, "C": eom.coriolis_matrix, "g": eom.gravity}
    lines = re.findall(r"^([MCg])\[(.*)\] = (.*)$", str(eom), re.MULTILINE)
    assert {letter for letter, _, _ in lines} == set(parts)
    for letter, names, text in lines:
        place = tuple(names.split(", "))
        entry = parts[letter][place if len(place) > 1 else place[0]]  # type: ignore[index]
        assert eq.prove_equal(entry, text)
