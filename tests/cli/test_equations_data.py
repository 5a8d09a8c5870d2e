"""`equamo derive --json` has the equations: read back, they are those that were derived."""

from __future__ import annotations

import json
from typing import Any

import pytest

import equamo as eq
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.cli.equations_data import PARTS, equations_data
from equamo.robot.model import Body, Robot, revolute


def read_back(data: dict[str, Any]) -> dict[str, Matrix | Vector]:
    """Expressions of the texts, intermediates put in."""
    known: dict[str, eq.Expr] = {}

    def read(text: str) -> eq.Expr:
        e = eq.parse(text)
        return e.subs({x: known[x.name] for x in e.symbols() if x.name in known})

    for name, text in data["intermediates"]:
        known[name] = read(text)
    found: dict[str, Matrix | Vector] = {}
    for name in PARTS:
        x = data["equations"][name]
        is_matrix = bool(x) and isinstance(x[0], list)
        found[name] = (
            Matrix([[*map(read, row)] for row in x]) if is_matrix else Vector(map(read, x))
        )
    return found


@pytest.mark.sweep(2)
@pytest.mark.parametrize(
    ("name", "by"),
    [("rr_arm", "recursive"), ("rr_arm", "lagrange"), ("wheeled_inverted_pendulum", "kane"),
     ("iiwa", "recursive"), ("krang", "recursive")],
)  # fmt: skip
def test_texts_are_the_equations(name: str, by: Any) -> None:
    eom = eq.derive(eq.load(name), by=by)
    data = json.loads(json.dumps(equations_data(eom)))
    assert bool(data["intermediates"]) == (len(eom.v) > 3)
    for part, found in read_back(data).items():
        assert eq.prove_equal(getattr(eom, part), found), part
    assert data["rows"] == list(eom.mass_matrix.row_names or ())
    assert data["operations"]["mass_matrix"]["multiplications"] >= 4


def test_symbols_of_the_texts_are_named() -> None:
    """Every symbol is one of the lists or an intermediate that was defined before it is used."""
    data = equations_data(eq.derive(eq.load("iiwa")))
    known = {n for k in ("q", "v", "inputs", "external", "parameters") for n in data[k]}
    for name, text in data["intermediates"]:
        assert {x.name for x in eq.parse(text).symbols()} <= known
        assert name not in known
        known.add(name)


@pytest.mark.ci
def test_no_intermediate_has_the_name_of_a_symbol() -> None:
    """A coordinate t1 does not occur in the equations of a first joint about the vertical."""
    axes = ("z", "y", "y", "y")
    bodies = [
        Body(f"b{k}", revolute(f"t{k}", axis=axis, at="0 0 1"), mass=f"m{k}", com="0 0 1/2",
             inertia="1 1 1", parent=f"b{k - 1}" if k > 1 else "world")
        for k, axis in enumerate(axes, 1)
    ]  # fmt: skip
    data = equations_data(eq.derive(Robot("r", bodies)))
    names = {name for name, _ in data["intermediates"]}
    assert names
    assert not names & {*data["q"], *data["v"], *data["parameters"]}
