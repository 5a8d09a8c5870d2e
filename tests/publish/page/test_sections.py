"""What the sections of a page are made of: closed forms, bounds, LaTeX of symbols."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo.algebra.expr.walk import walk
from equamo.errors import EquamoError
from equamo.publish.page.context import Context
from equamo.publish.page.report import report
from equamo.publish.page.sections.equations import NODES_OF_BIG, _closed_forms, parts
from equamo.publish.page.sections.proof import bound_of
from equamo.publish.page.sections.robot import data as robot_data


def context(name: str) -> Context:
    return Context(eq.derive(eq.load(name)), None, (), None, "", False)


@pytest.mark.ci
def test_long_entries_of_three_joints_are_tried_in_closed_form() -> None:
    """A robot of three degrees of freedom is a small one."""
    arm = context("three_link_arm")
    entries = arm.eom.mass_matrix.entries
    assert len(arm.eom.v) == 3
    assert len(walk([entries[0]])) > NODES_OF_BIG
    assert "0" in _closed_forms(arm, entries)


def test_the_coriolis_matrix_of_a_big_robot_needs_no_derivatives() -> None:
    """Christoffel's matrix by differentiation takes n² derivatives; the page has the recursion's."""
    arm = context("krang").eom
    shown = {part.id: part for part in parts(arm)}["C"]
    assert "coriolis_matrix" not in vars(arm)
    assert shown.rows == shown.columns == arm.mass_matrix.row_names
    assert shown.rows == arm.coriolis_matrix.row_names
    assert eq.prove_equal(shown.entries[0], arm.coriolis_matrix.entries[0])


def test_numbers_of_bodies_are_those_of_single_evaluations() -> None:
    arm = context("krang")
    bodies = robot_data(arm)["bodies"]
    masses = [arm.eom.evaluate(b.inertia.mass) for b in arm.robot.bodies]
    assert [b["mass"] for b in bodies] == masses
    assert [b["com"] for b in bodies] == [
        arm.eom.evaluate(b.inertia.center).tolist() for b in arm.robot.bodies
    ]


def test_only_what_is_proved_has_a_bound() -> None:
    x, y = eq.parse("x"), eq.parse("y")
    assert bound_of(eq.prove_equal(x, y)) == "–"
    assert bound_of(eq.prove_equal(x, x)) == "exact: the same node"
    assert bound_of(eq.prove_equal("sin(x)**2 + cos(x)**2", "1")).startswith("2⁻")


def test_the_rate_of_a_chosen_speed_has_a_dot() -> None:
    latex = {s.name: name.latex for s, name in context("rolling_disc").symbol_names.items()}
    assert {n: latex[n] for n in ("u2", "du2")} == {"u2": "u_{2}", "du2": r"\dot u_{2}"}


@pytest.mark.parametrize("what", ["trajectory", "certificate"])
def test_results_of_another_robot_are_refused(what: str) -> None:
    other = eq.derive(eq.load("rp_arm"))
    given = eq.simulate(other, duration=0.1) if what == "trajectory" else eq.prove(other.robot)
    with pytest.raises(EquamoError, match=f"the {what} must .*, got one of .*'rp_arm'"):
        report(eq.load("rr_arm"), "never.html", time=False, **{what: given})
