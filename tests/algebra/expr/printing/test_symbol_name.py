"""Names of symbols in parts: read once, the same parts for LaTeX, short angles and the page."""

import pytest
from hypothesis import given, strategies as st

from equamo.algebra.expr import parse
from equamo.algebra.expr.printing.latex import to_latex
from equamo.algebra.expr.printing.notation import name_to_latex
from equamo.algebra.expr.printing.symbol_name import SymbolName, given_latex, rate_of, symbol_name


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("q_imu", SymbolName("q", "letter", ("imu",))),
        ("ddq_1l", SymbolName("q", "letter", ("1l",), "ddot")),
        ("dth1", SymbolName("theta", "greek", ("1",), "dot")),
        ("θ₁", SymbolName("theta", "greek", ("1",))),
        ("qLF_HAA", SymbolName("q", "letter", ("LF", "HAA"))),
        ("panda_joint1", SymbolName("panda", "word", ("joint1",))),
        ("d1", SymbolName("d", "letter", ("1",))),
        ("joint-1", SymbolName("joint-1", "text")),
    ],
)
def test_parts(name: str, parts: SymbolName) -> None:
    assert symbol_name(name) == parts
    assert name_to_latex(name) == parts.latex


@given(st.text("adqx_θ12 {\\th", min_size=1, max_size=8))
def test_every_name_has_parts_and_balanced_latex(name: str) -> None:
    latex = symbol_name(name).latex
    plain = latex.replace(r"\{", "").replace(r"\}", "")
    assert plain.count("{") == plain.count("}")
    if symbol_name(name).form == "text":
        assert symbol_name(name).base == name


@pytest.mark.parametrize("latex", ["q_1", r"\theta_{12}", "q", r"\vec{x}", r"\dot s", "x^{*}_3"])
def test_latex_that_a_user_gives_is_printed_as_it_is(latex: str) -> None:
    assert given_latex(latex).latex == latex
    assert to_latex(parse("a"), notation={"a": latex}) == latex


def test_given_latex_has_the_parts_of_a_name() -> None:
    assert given_latex("q_1").subscripts == given_latex("q_{1}").subscripts == ("1",)
    assert given_latex(r"\dot s").accent == "dot"
    assert given_latex(r"\vec{x}").form == "latex"
    # c_{1} for the cosine of a coordinate whose LaTeX is given
    assert to_latex(parse("cos(a)"), short=True, notation={"a": "q_1"}) == "c_{1}"


def test_rates() -> None:
    assert rate_of(symbol_name("u2")) == SymbolName("u", "letter", ("2",), "dot")
    assert rate_of(symbol_name("dq1")).latex == r"\ddot q_{1}"
    assert rate_of(given_latex(r"\vec{x}")).latex == r"\dot \vec{x}"
