"""MathML of formulas."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from equamo.algebra.expr.printing.mathml import styled, to_mathml

THIN = '<mspace width="0.17em"/>'
LOW = ['<mo stretchy="false">(</mo>', '<mo stretchy="false">)</mo>']
HIGH = ['<mo stretchy="true">(</mo>', '<mo stretchy="true">)</mo>']
TALL = f"<mrow>{HIGH[0]}<mfrac><mi>a</mi><mi>b</mi></mfrac>{HIGH[1]}</mrow>"


@pytest.mark.parametrize(
    ("latex", "inside"),
    [
        ("q", "<mi>q</mi>"),
        (r"\mathrm{d}", '<mi mathvariant="normal">d</mi>'),
        ("12.5", "<mn>12.5</mn>"),
        ("a < b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        ("-a", '<mo form="prefix">−</mo><mi>a</mi>'),
        ("a = -b", '<mi>a</mi><mo>=</mo><mo form="prefix">−</mo><mi>b</mi>'),
        ("a - b", "<mi>a</mi><mo>−</mo><mi>b</mi>"),
        (r"a \sin q", f"<mi>a</mi>{THIN}<mi>sin</mi>{THIN}<mi>q</mi>"),
        (r"\sin\left(q\right)", f"<mi>sin</mi><mrow>{LOW[0]}<mi>q</mi>{LOW[1]}</mrow>"),
        (r"\left(\frac{a}{b}\right)", TALL),
        (r"\left(\left(\frac{a}{b}\right)^{2}\right)",
         f"<mrow>{HIGH[0]}<msup>{TALL}<mn>2</mn></msup>{HIGH[1]}</mrow>"),
        (r"\sin^{2} q", '<msup><mi>sin</mi><mn>2</mn></msup><mspace width="0.17em"/><mi>q</mi>'),
        (r"\sum_{i} q", "<munder><mo>∑</mo><mi>i</mi></munder><mi>q</mi>"),
        (r"\sum_{i}^{n} q", "<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover><mi>q</mi>"),
        ("q_{1}^{2}", "<msubsup><mi>q</mi><mn>1</mn><mn>2</mn></msubsup>"),
        (r"\sqrt{q}", "<msqrt><mi>q</mi></msqrt>"),
        (r"\boldsymbol{\omega}", "<mi>𝝎</mi>"),
        (r"\text{a < b}", "<mtext>a &lt; b</mtext>"),
        (r"\begin{bmatrix} a \\ b \end{bmatrix}",
         '<mrow><mo stretchy="true">[</mo><mtable><mtr><mtd><mi>a</mi></mtd></mtr><mtr><mtd><mi>b</mi>'
         '</mtd></mtr></mtable><mo stretchy="true">]</mo></mrow>'),
        (r"\begin{matrix} a \end{matrix}", "<mtable><mtr><mtd><mi>a</mi></mtd></mtr></mtable>"),
    ],
)  # fmt: skip
def test_elements(latex: str, inside: str) -> None:
    assert to_mathml(latex) == f"<math>{inside}</math>"


def test_aligned_lines_are_right_and_left_of_the_sign() -> None:
    text = to_mathml(r"a &= b \\ &= c", display=True)
    table = ElementTree.fromstring(text)[0]
    assert table.get("class") == "aligned"
    assert [[cell.get("class") for cell in row] for row in table] == [["right", "left"]] * 2


def test_letters_of_fonts() -> None:
    assert styled("Ab1", "bold") == "𝐀𝐛𝟏"
    assert styled("Ωα", "bold italic") == "𝜴𝜶"
    assert styled("ϕ", "bold italic") == "𝝓"
    assert styled("T1", "sans") == "𝖳1"
    assert styled("L", "calligraphic") == "𝓛"
    assert styled("RA", "blackboard") == "ℝ𝔸"
    assert styled("q1", "upright") == "q1"
