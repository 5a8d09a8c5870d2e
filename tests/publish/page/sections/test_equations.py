"""Equations on the page: parts, formula, and closed forms that are easier to read than the chain."""

import re
from fractions import Fraction
from typing import Any

import pytest

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.publish.page.context import Context
from equamo.publish.page.sections.equations import (
    LARGE,
    Part,
    _formula,
    _largest,
    _limit,
    _part,
    parts,
    parts_data,
    section,
)


def test_numbers_beyond_floating_point_are_compared() -> None:
    x = symbol("x")
    assert _largest(x) == 0
    assert _largest(Fraction(-7, 2) * x + 3) == Fraction(7, 2)
    assert _largest(10**400 * x) == 10**400
    assert _limit(x) == LARGE == 10**5
    assert _limit(10**400 * x) == 10**401


def context(robot: eq.Robot | str) -> Context:
    made = eq.load(robot) if isinstance(robot, str) else robot
    return Context(eq.derive(made), None, (), None, "", False)


def test_section() -> None:
    """Descriptions of all parts, each hidden until the script shows the one that is chosen."""
    found = section(context("rr_arm"))
    assert (found.id, found.title) == ("equations", "Equations")
    hidden = r'<span data-part="(\w+)" hidden><strong>(.*?)</strong>\. (.*?)</span>'
    shown = [(x.id, x.title) for x in parts(eq.derive(eq.load("rr_arm")))]
    assert [x[:2] for x in re.findall(hidden, found.html)] == shown
    assert found.html.count("<span") == len(shown)
    assert [x["id"] for x in found.data["parts"]] == [x for x, _ in shown]
    places = ["sheet", "tabs", "description", "grid", "entry"]
    assert re.findall(r' id="(\w+)"', found.html) == places
    assert found.html.startswith('<div><p class="formula"><math>')


NAMES, WRENCH = ("q1", "q2"), ("ω x", "ω y", "ω z", "v x", "v y", "v z")


def test_parts() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    found = {x.id: (x.letter, x.rows, x.columns, len(x.entries)) for x in parts(eom)}
    assert found == {
        "M": ("M", NAMES, NAMES, 4),
        "C": ("C", NAMES, NAMES, 4),
        "b": ("C v", NAMES, (), 2),
        "g": ("g", NAMES, (), 2),
        "B": ("B", NAMES, ("tau1", "tau2"), 4),
        "J0": ("J fore", WRENCH, ("dq1", "dq2"), 12),
        "E": ("T, U", ("T", "U"), (), 2),
    }
    entries = {x.id: x.entries for x in parts(eom)}
    assert entries["M"] == tuple(eom.mass_matrix.entries)
    assert entries["b"] == tuple(eom.bias)
    assert entries["g"] == tuple(eom.gravity)
    assert entries["E"] == (eom.kinetic_energy, eom.potential_energy)


def test_parts_of_other_robots() -> None:
    """Passive forces, chosen speeds with their constraints, and the other Coriolis matrix."""
    body = eq.Body("a", eq.revolute("q1"), mass="m", com="l 0 0")
    damped = eq.derive(eq.Robot("r", [body], forces=[eq.joint_damper("q1", "c")]))
    found = {x.id: x for x in parts(damped)}
    assert list(found) == ["M", "C", "b", "g", "f", "J0", "E"]
    assert (found["f"].letter, found["f"].title, found["f"].rows) == (
        "f",
        "passive forces",
        ("q1",),
    )
    assert found["f"].entries == tuple(damped.passive_force)
    assert found["C"].description == "Christoffel’s factorisation: Ṁ − 2C is skew."
    split = eq.derive(damped.robot, coriolis="split")
    assert parts(split)[1].description == "The documents’ splitting of C v."
    disc = eq.derive(eq.load("rolling_disc"))
    found = {x.id: x for x in parts(disc)}
    assert list(found) == ["M", "C", "b", "g", "N", "lambda", "J0", "E"]
    assert found["N"].entries == tuple(disc.kinematic_map.entries)
    forces = disc.constraint_forces
    assert (found["lambda"].rows, found["lambda"].columns) == (tuple(forces), ())
    assert found["lambda"].entries == tuple(forces.values())


def test_a_part_without_names_is_numbered() -> None:
    a, b = Matrix([[1, 2, 3], [4, 5, 6]]), Vector([7, 8])
    assert _part("i", "I", "title", "text", a) == Part(
        "i", "I", "title", "text", ("1", "2"), ("1", "2", "3"), tuple(a.entries)
    )
    assert _part("i", "I", "title", "text", b) == Part(
        "i", "I", "title", "text", ("1", "2"), (), tuple(b)
    )


def test_data_of_a_part() -> None:
    """Entries are places on the tape, −1 for zero; only M is symmetric, by construction."""
    c = context("rp_arm")
    (M, *others) = parts_data(c, closed=False)
    diagonal = c.places([c.eom.mass_matrix[k, k] for k in range(2)])
    assert {k: M[k] for k in M if k not in ("rowHeads", "columnHeads", "description")} == {
        "id": "M", "letter": "M", "title": "mass matrix", "rows": NAMES, "columns": NAMES,
        "entries": [diagonal[0], -1, -1, diagonal[1]], "closed": {}, "symmetric": True,
    }  # fmt: skip
    assert not any(x["symmetric"] for x in others)
    assert list(parts_data(c)[0]["closed"]) == ["0", "3"]


@pytest.mark.parametrize(
    ("more", "right"),
    [
        ({"forces": []}, "0"),
        ({}, r"B \tau"),
        ({"forces": [eq.joint_damper("q1", "c")]}, "f(q, v)"),
        ({"forces": [eq.joint_actuator("q1"), eq.joint_damper("q1", "c")]}, r"B \tau + f(q, v)"),
    ],
)
def test_formula(more: dict[str, Any], right: str) -> None:
    robot = eq.Robot("r", [eq.Body("a", eq.revolute("q1"), mass="m", com="l 0 0")], **more)
    assert _formula(eq.derive(robot)) == rf"M(q) \dot v + C(q, v) v + g(q) = {right}"
