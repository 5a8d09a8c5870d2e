"""Whether closed forms are shown depends on their length, not on the number of joints."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.identity import prove_equal
from equamo.mechanics.equations import closed_parts as module
from equamo.mechanics.equations.closed_parts import (
    closed_parts,
    has_unit_inputs,
    parts_of,
    passive_forces,
)


def gantry(n: int) -> eq.EquationsOfMotion:
    """n sliders, one on the other, with a damper in the first: short equations for any n."""
    bodies = [
        eq.Body(f"b{k}", eq.prismatic(f"x{k}", axis="xyz"[k % 3]), mass=f"m{k}",
                parent=f"b{k - 1}" if k else "world")
        for k in range(n)
    ]  # fmt: skip
    forces = [eq.joint_damper("x0", "d", name="bearing"), eq.joint_actuator("x0", "F")]
    return eq.derive(eq.Robot("gantry", bodies, gravity="0 0 -g", forces=forces))


@pytest.mark.ci
def test_parts_are_closed_forms_of_the_equations() -> None:
    eom = eq.derive(eq.load("four_bar"))
    closed = closed_parts(eom, parts_of(eom))
    assert closed is not None
    assert list(closed) == ["M", "g", "B", "A", "φ", "C"]
    for letter, part in parts_of(eom):
        assert prove_equal(part, closed[letter])
        assert part.entry_names == closed[letter].entry_names
    assert closed["M"] == eom.mass_matrix.closed_form()


def test_nine_sliders_are_short_and_two_long_links_are_not() -> None:
    many = gantry(9)
    assert closed_parts(many, parts_of(many)) is not None
    few = eq.derive(eq.load("rr_arm"))
    assert closed_parts(few, parts_of(few), length=200) is None
    assert closed_parts(few, parts_of(few), length=2_000) is not None


@pytest.mark.parametrize(
    ("limit", "value"), [("WORK", 1_000), ("NODES", 5), ("ALL_NODES", 30), ("MASS_MATRIX_SHARE", 0)]
)
def test_every_limit_counts(limit: str, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    monkeypatch.setattr(module, limit, value)
    assert closed_parts(eom, parts_of(eom)) is None


def test_what_was_closed_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    first = closed_parts(eom, parts_of(eom))
    monkeypatch.setattr(module, "closed_form_and_work", None)
    assert closed_parts(eom, parts_of(eom)) == first


def test_forces_and_inputs() -> None:
    eom = gantry(2)
    assert {name: list(map(str, f)) for name, f in passive_forces(eom).items()} == {
        "bearing": ["-d*dx0", "0"]
    }
    assert not has_unit_inputs(eom)
    assert eom.input_matrix == Matrix([[1], [0]])
    assert has_unit_inputs(eq.derive(eq.load("rr_arm")))
    assert not has_unit_inputs(eq.derive(eq.load("rolling_disc")))
