"""What a reader of the page sees is what is compared: powers of letters, lines and marks."""

import pytest

from equamo.errors import ParseError
from equamo.review.claims.latex_reader import read_latex
from equamo.review.claims.syntax import same
from equamo.review.claims.text_reader import read_text

KNOWN = ("m", "g", "L_1", "a", "b", "c", "m_1", "m_2", "q", "x", "d", "q_1", "dq_1")


@pytest.mark.parametrize(
    ("latex", "spaced"),
    [
        ("mg^2", "m g^{2}"),
        ("2mgL_1^2", "2 m g L_1^{2}"),
        (r"\sum_{m=1}^{2} mg", r"\sum_{m=1}^{2} m g"),
        (r"\sum_{m=1}^{2} gm", r"\sum_{m=1}^{2} g m"),
        (r"\begin{pmatrix} a \\[2mm] b \end{pmatrix}", r"\begin{pmatrix} a \\ b \end{pmatrix}"),
        (r"\begin{aligned} a &= b \\[-1.5ex] &= c \end{aligned}", "a = b = c"),
        (r"\begin{aligned} a &= b \\ &- c \\ &= q \end{aligned}", "a = b - c = q"),
        (r"\begin{aligned} a &= b + \\ c &= q \end{aligned}", "a = b + c = q"),
        (r"[0 \ 0 \ -g]", r"[0 \quad 0 \quad {-g}]"),
    ],
)
def test_latex_is_read_as_it_looks(latex: str, spaced: str) -> None:
    assert same(read_latex(latex, KNOWN).sides, read_latex(spaced, KNOWN).sides)


@pytest.mark.parametrize(
    "latex",
    [
        "a/mg",
        r"\sin mg",
        r"\sin 2mg",
        r"\frac{\partial}{\partial q} mg",
        "mL_1(a)",
        r"mg + \mathbf{g}",
        r"\begin{aligned} a &= b \\ -c &= q \end{aligned}",
        r"\begin{gathered} a = b \\ + c = q \end{gathered}",
        r"[a \ - \ b]",
        "dq_1",
    ],
)
def test_two_readings_are_an_error(latex: str) -> None:
    with pytest.raises(ParseError, match="ambiguous"):
        read_latex(latex, KNOWN)


def test_a_mark_on_the_other_side_of_a_brace_is_not_a_remark() -> None:
    brace = r"\underbrace{a + b}"
    assert same(read_latex(brace + "_{x}").sides, read_latex("a + b").sides)
    assert read_latex(brace + "^2").tree.kind == "**"


def test_a_bold_letter_is_not_the_index_of_a_sum() -> None:
    source = read_latex(r"\sum_{i=1}^{2} m_i \mathbf{i}")
    assert [n.value for n in source.tree.walk() if n.kind == "name"].count("i") == 2


@pytest.mark.parametrize("sign", ["+", "-", "−"])
def test_equations_on_lines_of_text(sign: str) -> None:
    with pytest.raises(ParseError, match="its own claim"):
        read_text(f"a = b\n {sign}c = d")
    assert len(read_text(f"\n{sign}a = b\n {sign}c\n = d").sides) == 3
