"""LaTeX to trees, and trees to MathML."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given, strategies as st

import equamo as eq
from equamo.algebra.expr.printing.maths import (
    Accent,
    Fence,
    Fraction,
    Grid,
    Letter,
    Number,
    Root,
    Row,
    Scripts,
    Sign,
    Space,
    Word,
)
from equamo.algebra.expr.printing.maths_reader import read_maths
from equamo.errors import ParseError

q = Letter("q")


@pytest.mark.parametrize(
    ("latex", "tree"),
    [
        ("q", q),
        (r"\dot q_{1}", Scripts(Accent(q, "dot"), Number("1"))),
        (r"{\dot q_{1}}^{2}", Scripts(Scripts(Accent(q, "dot"), Number("1")), None, Number("2"))),
        (r"\frac{1}{2}", Fraction(Number("1"), Number("2"))),
        (r"\frac12", Fraction(Number("1"), Number("2"))),
        ("q^23", Row((Scripts(q, None, Number("2")), Number("3")))),
        (r"\sqrt{q}", Root(q)),
        (r"\left(q\right)", Fence("(", q, ")")),
        (r"\left.q\right|", Fence("", q, "|")),
        (r"\left\{q\right\}", Fence("{", q, "}")),
        (r"\bigl(q\bigr)", Row((Sign("("), q, Sign(")")))),
        ("q - 1", Row((q, Sign("−"), Number("1")))),
        ("q''", Scripts(q, None, Row((Sign("′"), Sign("′"))))),
        ("q^{2}'", Scripts(q, None, Row((Number("2"), Sign("′"))))),
        ("q_{imu}", Scripts(q, Word("imu"))),
        ("q_{1l}", Scripts(q, Row((Number("1"), Letter("l"))))),
        ("q_{G,j}", Scripts(q, Row((Letter("G"), Sign(","), Letter("j"))))),
        (r"q_{\mathrm{trans},1}", Scripts(q, Row((Word("trans"), Sign(","), Number("1"))))),
        (r"\mathrm{d}", Letter("d", "upright")),
        (r"\mathrm{q_{1}}", Scripts(Letter("q", "upright"), Number("1"))),
        (r"\boldsymbol{\omega}", Letter("ω", "bold italic")),
        (r"\mathbf{0}", Number("0", "bold")),
        (r"\text{joint\_1}", Word("joint_1")),
        (r"\operatorname{atan2}", Word("atan2", function=True)),
        (r"\sin", Word("sin", function=True)),
        (r"q \, q", Row((q, Space(0.17), q))),
        ("q~q", Row((q, Space(0.25), q))),
        (r"\begin{bmatrix} q & 1 \\ 2 & 3 \end{bmatrix}",
         Grid("bmatrix", ((q, Number("1")), (Number("2"), Number("3"))))),
        (r"\begin{array}{cc} q & 1 \end{array}", Grid("matrix", ((q, Number("1")),))),
        (r"\begin{split} q \\ 1 \\ \end{split}", Grid("aligned", ((q,), (Number("1"),)))),
        (r"q &= 1", Grid("aligned", ((q, Row((Sign("="), Number("1")))),))),
        (r"\displaystyle q", q),
        ("", Row(())),
    ],
)  # fmt: skip
def test_trees(latex: str, tree: object) -> None:
    assert read_maths(latex) == tree


@pytest.mark.parametrize(
    ("latex", "said"),
    [
        (r"\foo", r"known commands, got \foo"),
        (r"\frac{1}", "must not end here"),
        ("{q", "must have '}' here"),
        ("q}", "must end here, got '}'"),
        ("q_1_2", "one subscript"),
        (r"\begin{figure} q \end{figure}", "known environment, got 'figure'"),
        (r"\begin{bmatrix} q \end{pmatrix}", r"must have \end{bmatrix}, got \end{pmatrix}"),
        (r"\left( q", r"must have '\\right' here"),
        (r"\text{q", "must have a closing brace"),
        ("{" * 100, "at most 60 nested groups"),
    ],
)
def test_errors_say_where(latex: str, said: str) -> None:
    with pytest.raises(ParseError, match="LaTeX of a formula") as error:
        read_maths(latex)
    assert said in str(error.value)
    assert error.value.position is not None


@given(st.text(alphabet="q1{}_^\\ &+-()'~leftrighfacsn.", max_size=30))
def test_any_text_is_read_or_refused(text: str) -> None:
    with contextlib.suppress(ParseError):
        read_maths(text)


@pytest.mark.parametrize("robot", ["krang", "starleth", "wheeled_inverted_pendulum"])
def test_names_of_robots_are_read(robot: str) -> None:
    for x in eq.load(robot).parameters:
        read_maths(x.latex())
