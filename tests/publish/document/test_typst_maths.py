"""Formulas in typst."""

from __future__ import annotations

import pytest

from equamo.publish.document.typst import to_pdf
from equamo.publish.document.typst_maths import quoted, to_typst

FORMULAS = (
    (r"\dot q_{1}", "attach(dot(q), b: 1)"),
    (r"\ddot \theta_{R}^{2}", "attach(dot.double(θ), t: 2, b: R)"),
    (r"\sin^{2} q", 'attach(op("sin"), t: 2) q'),
    (r"\boldsymbol{\omega} \mathbf{M} \mathbf{0}", "bold(ω) upright(bold(M)) upright(bold(0))"),
    (r"\text{a \_b}", '"a _b"'),
    (r"\mathit{mass} \mathrm{Rot}", 'm a s s "Rot"'),
    (r"\left(a, b\right)", r"lr(\( a \, b \))"),
    (r"\left.a\right|", r"lr( a \|)"),
    (r"a : b ; c / d # e", r"a \: b \; c \/ d \# e"),
    (r"\begin{bmatrix} a & b, c \\ d; & e \end{bmatrix}", r'mat(delim: "[", a, b \, c; d \;, e)'),
    (r"\begin{cases} a & b \\ c & d \end{cases}", "cases(a & b, c & d)"),
    (r"\begin{aligned} a &= b \end{aligned}",
     "mat(delim: #none, align: #left, column-gap: #0.1em, inline(a), inline(= b))"),
    (r"\sum_{i} \frac{a}{\sqrt{b}}", "attach(limits(∑), b: i) frac(a, sqrt(b))"),
    (r"\quad + m", '#h(1.0em) "" + m'),
    (r"\quad \quad - m", '#h(1.0em) #h(1.0em) "" − m'),
    (r"{}^{0}A", 'attach("", t: 0) A'),
    (r"\mathcal{L} \mathbb{R} \mathsf{T}", "cal(L) bb(R) upright(sans(T))"),
)  # fmt: skip


@pytest.mark.parametrize(("latex", "typst"), FORMULAS)
def test_source(latex: str, typst: str) -> None:
    assert to_typst(latex) == typst


@pytest.mark.needs("typst")
def test_typst_reads_all_of_them() -> None:
    assert to_pdf("\n".join(f"$ {typst} $" for _, typst in FORMULAS)).startswith(b"%PDF")


def test_strings() -> None:
    assert quoted('a\\b "c"\nd') == '"a\\\\b \\"c\\" d"'
