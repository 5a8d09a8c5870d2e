"""Certificates of robots with loops and held contacts: each new line is refuted if it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

import equamo as eq
from equamo.algebra.identity import prove_zero
from equamo.mechanics.certificate import Certificate, check_file, loops, prove
from equamo.mechanics.certificate.export import export_data
from equamo.mechanics.certificate.identities import HELD, MINIMAL, MULTIPLIERS, TWO_CUTS
from equamo.mechanics.certificate.sides import residuals
from equamo.mechanics.equations import derive
from equamo.robot.model import Robot
from equamo.robot.model.edits import copy_with
from equamo.robot.model.loop import ROWS as ROWS_OF
from loops_examples import bennett, double_parallelogram, four_bar, parallelogram
from random_trees import WHOLE_SWEEPS, random_tree

ROWS = "A u = φ̇, Ȧ u: three routes"
NO_WORK = "constraint forces do no work"
PROJECTED = "Nᵀ (M v̇ + C v + g − f) = 0, A N = 0"
IMPACT = "T⁻ − T⁺ = ½ (1 − e²) A v⁻·Λ A v⁻"
FORWARD = "M v̇ + C v + g = all forces at ẋ"


def names(certificate: Certificate) -> list[str]:
    return [line.name for line in certificate.lines]


def test_lines_of_a_loop() -> None:
    certificate = prove(four_bar())
    assert certificate.ok
    new = {ROWS, HELD, NO_WORK, PROJECTED, IMPACT, MINIMAL, MULTIPLIERS, TWO_CUTS}
    assert new <= {*names(certificate)}
    assert FORWARD not in names(certificate)  # HELD replaces it
    assert "3 joint speeds" in str(certificate).splitlines()[0]


def test_lines_of_chosen_speeds() -> None:
    certificate = prove(four_bar(speeds="dq1"))
    assert certificate.ok
    assert {FORWARD, HELD, MINIMAL, MULTIPLIERS, "N keeps every constraint"} <= {
        *names(certificate)
    }
    assert "1 degree of freedom" in str(certificate).splitlines()[0]


def test_lines_of_a_stance() -> None:
    certificate = prove(eq.load("starleth").in_mode(LF="stick", RH="stick"))
    assert certificate.ok
    assert {ROWS, HELD, NO_WORK, PROJECTED, IMPACT, MINIMAL, MULTIPLIERS} <= {*names(certificate)}
    assert TWO_CUTS not in names(certificate)
    assert not [x for x in certificate.not_applicable if x.startswith(TWO_CUTS)]


def test_velocity_constraints_have_multipliers_too() -> None:
    certificate = prove(eq.load("rolling_disc"))
    assert certificate.ok
    assert MULTIPLIERS in names(certificate)
    assert HELD not in names(certificate)


def test_a_joint_without_inertia() -> None:
    certificate = prove(four_bar("fixed"))
    assert certificate.ok
    assert HELD in names(certificate)
    remark = certificate.remarks[0]
    assert remark.startswith(
        "M is singular along dq4; M + AᵀA positive definite at 20 random states"
    )


def test_a_structure_has_no_minimal_form() -> None:
    """Two loops between the same bars leave no motion."""
    robot = four_bar()
    more = eq.loop("brace", "crank", "L1 0 0", to="rocker", joint="distance", length="b")
    held = copy_with(robot, loops=[*robot.loops, more], parameters={**robot.values, "b": 1})
    certificate = prove(held)
    assert certificate.ok
    assert f"{MINIMAL}: no degree of freedom" in certificate.not_applicable
    assert MULTIPLIERS not in names(certificate)


@pytest.mark.parametrize("robot", [bennett(), double_parallelogram()], ids=lambda r: r.name)
def test_overconstrained_by_closure(robot: Robot) -> None:
    certificate = prove(robot)
    assert certificate.ok
    assert MULTIPLIERS in names(certificate)


# -- each line finds what it is there for --------------------------------------------------------------
def refuted(sides: list[loops.Sides], robot: Robot) -> bool:
    return prove_zero(residuals(sides), unit=robot.unit_groups).verdict == "refuted"


def test_wrong_rows_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    robot = four_bar()
    wrong = [replace(r, A=tuple(a * 2 for a in r.A)) for r in robot.rows]
    monkeypatch.setitem(robot.__dict__, "closure_rows", tuple(wrong))
    assert refuted(loops.rows(robot), robot)


@pytest.mark.parametrize("line", [loops.motion, loops.no_work, loops.projected_form])
def test_wrong_accelerations_are_refuted(
    line: Callable[[eq.EquationsOfMotion], list[loops.Sides]], monkeypatch: pytest.MonkeyPatch
) -> None:
    eom = derive(four_bar())
    assert prove_zero(residuals(line(eom)))
    right = eom.state_derivative
    changed = [*right[:4], right[4] + 1, right[5]]
    monkeypatch.setitem(eom.__dict__, "state_derivative", eq.Vector(changed))
    assert refuted(line(eom), eom.robot)


def test_a_wrong_minimal_form_is_refuted() -> None:
    eom, other = derive(four_bar()), derive(four_bar(speeds="dq1", values={}))
    assert prove_zero(residuals(loops.minimal(eom, other)))
    heavier = other.subs({"m2": "2*m2"})
    assert refuted(loops.minimal(eom, heavier), eom.robot)


def test_wrong_multipliers_are_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    robot, held = four_bar(speeds="dq1"), derive(four_bar())
    assert prove_zero(residuals(loops.multipliers(robot, held)))
    honest = loops.multiplier_equations(robot)
    monkeypatch.setattr(
        loops, "multiplier_equations", lambda _: replace(honest, bias=honest.bias * 2)
    )
    assert refuted(loops.multipliers(robot, None), robot)


def test_a_wrong_impact_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    eom = derive(four_bar())
    assert prove_zero(residuals(loops.impact(eom)))
    honest = loops.jump
    monkeypatch.setattr(loops, "jump", lambda *x: (*honest(*x)[:2], honest(*x)[2] * 2))
    assert refuted(loops.impact(eom), eom.robot)


def test_export_and_file(tmp_path: Path) -> None:
    """The new lines are written for the checker and recomputed from the file."""
    certificate = prove(four_bar(speeds="dq1"))
    data = export_data(certificate)
    written = {x["name"] for x in data["identities"]}
    assert {ROWS, HELD, MINIMAL, MULTIPLIERS, TWO_CUTS} <= written
    path = tmp_path / "four_bar.json"
    certificate.save(path)
    assert check_file(path).ok


def test_closed_forms_close_the_loops() -> None:
    """φ = 0 is a line of the explicit form, and refuted for a formula that misses the loop."""
    robot = derive(parallelogram()).explicit().robot
    certificate = prove(robot)
    assert certificate.ok
    assert "φ = 0 in closed form" in names(certificate)
    assert robot.speed_map is not None
    (name, e), *rest = robot.speed_map.dependent
    wrong = copy_with(robot, speeds=replace(robot.speed_map, dependent=((name, e + 1), *rest)))
    assert "φ = 0 in closed form" in [line.name for line in prove(wrong).lines if not line.proof]


@pytest.mark.ci
@pytest.mark.parametrize("k", range(len(ROWS_OF) if WHOLE_SWEEPS else 1))
def test_random_trees(k: int) -> None:
    """A loop of each kind, with oblique axes, and a held point in a random tree: all lines hold."""
    random, kind = Random(k), list(ROWS_OF)[(k + 4) % len(ROWS_OF)]
    robot = random_tree(3 + 10 * k).robot()
    moving = [b.name for b in robot.bodies if any(x.joint.speeds for x in robot.path(b.name))]
    body, to = random.sample([*moving, "world"], 2)
    if body == "world":
        body, to = to, body
    length = "l" if kind == "distance" else None
    cut = eq.loop("cut", body, "1/2 h 1/3", "3/5 0 4/5", to=to, to_at="a 1 b", to_axis="0 4/5 3/5",
                  joint=kind, length=length)  # fmt: skip
    foot = eq.contact("one foot", moving[-1], "1/2 h 1/3", "3/5 0 4/5")
    assert prove(copy_with(robot, loops=[cut])).ok
    assert prove(copy_with(robot, contacts=[foot], mode={"one foot": "stick"})).ok
