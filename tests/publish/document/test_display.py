"""Lines of equations: prose in spans, widths, breaks, alignment, notes."""

from __future__ import annotations

from dataclasses import replace

import pytest

import equamo as eq
from equamo.publish.document.blocks import Equation
from equamo.publish.document.display import Line, lines, note, total_width
from equamo.publish.document.line_breaks import broken
from equamo.publish.document.matrix_breaks import narrowed
from equamo.publish.document.prose import Span, spans
from equamo.publish.document.widths import LINE, width

TERM = r"m_{2} L_{1} \dot q_{1}^{2} \cos\left(q_{1} + q_{2}\right)"


def test_spans() -> None:
    assert spans("By (3) and (9), $a (3)$ in `x (3)`.", {3}) == [
        Span("plain", "By "), Span("reference", "3"), Span("plain", " and (9), "),
        Span("maths", "a (3)"), Span("plain", " in "), Span("code", "x (3)"), Span("plain", "."),
    ]  # fmt: skip
    assert spans("") == []


@pytest.mark.parametrize(
    ("narrow", "wide"),
    [
        ("q", "q_{1}"), ("q", "qq"), ("a", r"\sqrt{a}"), (r"\frac{a}{b}", r"\frac{a b}{b}"),
        ("a", r"\left(a\right)"), ("a, b", "a + b"), ("a + b", "a = b"), (r"\dot q", r"\dot q \,"),
        (r"\begin{bmatrix} a \end{bmatrix}", r"\begin{bmatrix} a & a \end{bmatrix}"),
        (r"\begin{matrix} a \end{matrix}", r"\begin{bmatrix} a \end{bmatrix}"),
        (r"\begin{aligned} a & a \end{aligned}", r"\begin{matrix} a & a \end{matrix}"),
        ("x", r"\text{word}"), ("1", "12"),
    ],
)  # fmt: skip
def test_widths(narrow: str, wide: str) -> None:
    assert 0 < width(narrow) < width(wide)


def test_a_sum_is_broken_at_its_signs() -> None:
    text = " + ".join([TERM] * 6)
    found = broken(text, LINE)
    assert len(found) > 1
    assert all(width(x) <= LINE for x in found)
    assert all(x.startswith("+ ") for x in found[1:])
    assert " ".join(found) == text


def test_signs_in_braces_and_brackets_do_not_break() -> None:
    text = r"\frac{a + b}{c - d} + q_{1+2} - e^{-1} \left[a + b\right] (c + d)"
    assert broken(text, 6) == [
        r"\frac{a + b}{c - d}", "+ q_{1+2}", r"- e^{-1} \left[a + b\right] (c + d)"
    ]  # fmt: skip


def nested(depth: int) -> str:
    text = "a + b"
    for k in range(depth):
        text = rf"x_{k} \left({text}\right) + y_{k}"
    return text


@pytest.mark.parametrize(
    ("text", "limit", "found"),
    [
        (nested(3), 3, [
            r"x_2 \bigl(x_1 \bigl(x_0 \bigl(a",
            r"\quad \quad \quad + b\bigr)", r"\quad \quad + y_0\bigr)",
            r"\quad + y_1\bigr)", "+ y_2",
        ]),
        (nested(7), 3, [  # six brackets are opened, not the seventh
            r"x_6 \bigl(x_5 \bigl(x_4 \bigl(x_3 \bigl(x_2 \bigl(x_1 \bigl(x_0 \left(a + b\right)",
            *(" ".join([r"\quad"] * (6 - k) + [rf"+ y_{k}\bigr)"]) for k in range(6)), "+ y_6",
        ]),
        # the widest bracket is broken, with its exponent and what follows
        (r"m \left(a + b\right) \left(c + d + e\right)^{2} f", 5,
         [r"m \left(a + b\right) \bigl(c + d", r"\quad + e\bigr)^{2} f"]),
        (r"m \left(a + b\right) f g h i j", 6, [r"m \bigl(a + b\bigr)", r"\quad \cdot f g h i j"]),
        (r"\frac{a + b + c + d}{2 e}", 4,
         [r"\frac{1}{2 e} \bigl(a", r"\quad + b", r"\quad + c", r"\quad + d\bigr)"]),
        (r"\frac{a b c d e f g}{2 e}", 4, [r"\frac{1}{2 e} a b c d e f g"]),
        (r"\frac{1}{a + b + c + d + e}", 3, [r"\frac{1}{a + b + c + d + e}"]),
        # arguments of functions are not broken
        (r"\sin\left(a + b + c\right) d + \operatorname{f}\left(a + b\right)^{2} + "
         r"\cos^{2}\left(a + b + c\right)", 3,
         [r"\sin\left(a + b + c\right) d", r"+ \operatorname{f}\left(a + b\right)^{2}",
          r"+ \cos^{2}\left(a + b + c\right)"]),
        # a sign after = or in an exponent does not begin a term
        (r"a = - b + c^{-1} e^-1 - \left(d + e\right) + (f - g)", 1,
         ["a = - b", "+ c^{-1} e^-1", r"- \bigl(d", r"\quad + e\bigr)", "+ (f - g)"]),
        ("a + b", 100, ["a + b"]),
    ],
)  # fmt: skip
def test_the_lines_of_broken_formulas(text: str, limit: float, found: list[str]) -> None:
    assert broken(text, limit) == found


def test_a_long_bracket_is_broken_inside() -> None:
    text = rf"m \left({' + '.join([TERM] * 4)}\right)^{{2}} \left(a + b\right)"
    found = broken(text, LINE)
    assert found[0].startswith(r"m \bigl(m_{2}")
    assert found[-1].endswith(r"\bigr)^{2} \left(a + b\right)")
    assert all(width(x) < 1.1 * LINE for x in found)
    whole = " ".join(found).replace(r"\bigl", r"\left").replace(r"\bigr", r"\right")
    assert "".join(whole.replace(r"\quad", "").split()) == "".join(text.split())


def test_a_factor_after_a_broken_bracket_gets_a_line() -> None:
    text = rf"\left({TERM} + {TERM}\right) {TERM} {TERM}"
    *_, last = broken(text, 30)
    assert last == rf"\quad \cdot {TERM} {TERM}"


def test_a_long_numerator_is_broken() -> None:
    text = rf"- \frac{{{TERM} + {TERM} - \frac{{a}}{{b}} {TERM} + {TERM}}}{{2 m}} \frac{{c}}{{d}}"
    first, second = broken(text, LINE)
    assert first.startswith(rf"- \frac{{1}}{{2 m}} \bigl({TERM} + {TERM} - \frac{{a}}{{b}} ")
    assert second == rf"\quad + {TERM}\bigr) \frac{{c}}{{d}}"
    product = rf"\frac{{\left({TERM} + {TERM}\right) \left({TERM} + {TERM} + {TERM}\right)}}{{2}}"
    assert broken(product, LINE)[0].startswith(
        rf"\frac{{1}}{{2}} \left({TERM} + {TERM}\right) \bigl("
    )


def test_matrices_are_not_broken() -> None:
    long = f"{TERM} + {TERM} + {TERM} + {TERM} + {TERM}"
    for entry in (rf"\frac{{{long}}}{{2}}", rf"m \left({long}\right)"):
        text = rf"\begin{{bmatrix}} {entry} & - a \end{{bmatrix}}"
        assert broken(text, LINE) == [text]


def test_a_space_before_a_sign_is_not_a_term() -> None:
    text = rf"\quad + {TERM} {TERM} {TERM} \left({TERM} + {TERM}\right)"
    assert r"\quad" not in broken(text, LINE)


def test_what_has_no_sign_is_not_broken() -> None:
    text = " ".join([TERM] * 6)
    assert broken(text, LINE) == [text]


def test_members_share_a_line_if_they_fit() -> None:
    assert lines(Equation(1, "a", ("b",), rule="c")) == [Line("a", "= c = b")]
    assert lines(Equation(1, "a", ("b", "+ d"), rule="c")) == [
        Line("a", "= c"), Line("", "= b"), Line("", r"\quad + d")
    ]  # fmt: skip
    assert lines(Equation(1, "", ("b",))) == [Line("", "b")]
    found = lines(Equation(1, "a", (f"{TERM} + {TERM}",), rule=f"{TERM} + {TERM}"))
    assert [x.left for x in found] == ["a", ""]
    assert total_width(found) <= LINE


def test_a_wide_left_side_has_its_own_line() -> None:
    left = f"{TERM} + {TERM}"
    right = f"{TERM} {TERM} {TERM}"
    found = lines(Equation(1, left, (right, "+ a")))
    assert found == [Line("", left), Line("", rf"\quad = {right}"), Line("", r"\quad \quad + a")]


def test_notes() -> None:
    value = eq.parse("b")
    line = Equation(3, "a", ("b",), follows=(1, 2), how="closed form", value=value)
    assert note(line) == "from (1), (2): proved, closed form"
    assert note(Equation(3, "a", ("b",), value=value)) == "proved"
    assert note(Equation(3, "a", ("0",), left_value=value)) == "proved"
    assert note(Equation(3, "a", ("b",))) == "instances proved"  # its text has no value
    assert note(replace(line, standing="not read back")) == (
        "from (1), (2): not read back, closed form"
    )
    assert note(Equation(3, "a", ("b",), standing="law", follows=(1,), how="x")) == "from (1)"
    assert note(Equation(3, "a", ("b",), standing="definition")) == ""


def test_long_entries_of_a_matrix_are_broken() -> None:
    text = rf"\begin{{bmatrix}} a & {TERM} + {TERM} \\ {TERM} + {TERM} + {TERM} & b \end{{bmatrix}}"
    found = narrowed(text, 30)
    assert width(found) <= 30
    assert found.count(r"\begin{aligned}") == 2
    assert narrowed(text, 80) == text
    assert narrowed(TERM, 1) == TERM
    assert lines(Equation(1, "a", (text,)))[0].right == f"= {narrowed(text, LINE - width('a'))}"
