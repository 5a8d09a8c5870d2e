"""LaTeX of recorded steps: read back with the meaning of its names, it is the recorded value."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo.algebra.expr.printing.notation import name_to_latex
from equamo.algebra.expr.vector import Vector
from equamo.mechanics.kinematics.quantity_latex import quantity_latex
from equamo.mechanics.kinematics.quantity_name import QuantityName
from equamo.mechanics.kinematics.step_latex import components
from equamo.mechanics.kinematics.steps import Recorder
from equamo.review.claims.evaluation import Evaluation
from equamo.review.claims.latex_reader import read_latex
from equamo.review.claims.scopes import PlainScope
from equamo.review.claims.syntax import Node

LABELS = {"upper": "1", "fore": "2", "dq1": "1", "dq2": "2"}


@pytest.mark.parametrize("by", ["kane", "lagrange", "recursive"])
def test_a_step_is_read_back(by: str) -> None:
    robot = eq.load("rr_arm")
    symbols = (*robot.parameters, *robot.q, *robot.v, *robot.vdot, *robot.inputs)
    meaning = {name_to_latex(x.name): Node("value", 0, x) for x in symbols}
    claims: list[tuple[object, object]] = []
    for step in eq.derivation(robot, by=by).steps:
        right = step.latex(LABELS).partition(" = ")[2]
        value = Evaluation(PlainScope()).value(read_latex(right, (), meaning).tree)
        assert eq.prove_equal(value, step.result), step
        claims.append((value, step.result))
        for part, node in components(step.quantity, step.result):
            meaning[quantity_latex(part, LABELS)] = Node("value", 0, node)
    assert len(claims) > 20


def test_a_long_value_is_not_written() -> None:
    record = Recorder("kane")
    x = eq.parse("a")
    for _ in range(12):
        x = (x + 1) * (x + eq.parse("b"))
    record("(1)", QuantityName("w", "upper"), Vector([x, 0, 0]))
    record("(2)", QuantityName("w", "fore"), Vector([x * 2, 0, 0]), QuantityName("w", "upper"))
    first, second = record.steps
    assert first.latex().endswith(r"= \ldots")
    assert second.latex(LABELS) == (
        r"\boldsymbol{\omega}_{2} = \begin{bmatrix} 2 \omega_{1,x} \\ 0 \\ 0 \end{bmatrix}"
    )


def test_signs_and_whole_derivations() -> None:
    record = Recorder("kane")
    record("(1)", QuantityName("w", "upper", minus=True), Vector([eq.parse("a"), 0]))
    assert record.steps[0].latex(LABELS).startswith(r"-\boldsymbol{\omega}_{1} = ")
    text = eq.derivation(eq.load("rr_arm"), by="kane").latex()
    assert text.startswith("\\begin{align*}\n")
    assert text.count(r" &= ") == len(eq.derivation(eq.load("rr_arm"), by="kane").steps)
