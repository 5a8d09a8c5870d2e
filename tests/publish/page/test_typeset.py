"""Names on the page: trees made from the parts of a name; only a user's own LaTeX is read."""

import pytest

from equamo.algebra.expr.printing.symbol_name import given_latex, rate_of, symbol_name
from equamo.publish.page.typeset import Tree, typeset, typeset_name


@pytest.mark.parametrize(
    ("name", "tree"),
    [
        ("q", ["i", "q"]),
        ("dq_1l", ["sub", ["over", ["i", "q"], "˙"], ["t", "1l"]]),
        ("theta12", ["sub", ["i", "θ"], ["n", "12"]]),
        ("mass", ["t", "mass"]),
        ("joint-1", ["t", "joint-1"]),
        ("panda_joint1", ["t", "panda_joint1"]),
        # Words beside Greek letters stay words.
        ("q_th_LF", ["sub", ["i", "q"], ["row", ["i", "θ"], ["t", ","], ["t", "LF"]]]),
    ],
)
def test_tree_of_a_name(name: str, tree: Tree) -> None:
    assert typeset_name(name) == tree


@pytest.mark.parametrize(
    "name", ["q_imu", "ddq_1l", "theta_R", "Lc1", "qLF_HAA", "Ixx", "x_θ", "α2"]
)
def test_parts_and_their_latex_give_the_same_tree(name: str) -> None:
    parts = symbol_name(name)
    assert typeset(parts, name) == typeset(given_latex(parts.latex), name)


def test_given_latex() -> None:
    assert typeset(given_latex(r"\bar q_{1}"), "a") == [
        "sub",
        ["over", ["i", "q"], "¯"],
        ["n", "1"],
    ]
    assert typeset(given_latex(r"\frac{a}{b}"), "a over b") == ["t", "a over b"]
    assert typeset(rate_of(given_latex("s")), "du") == ["over", ["i", "s"], "˙"]


@pytest.mark.parametrize(
    "latex",
    [r"\frac{a}{b}", r"\mathrm{a", "q_{1", r"\bar", "q_", "a}", r"\nu\unknown", "a & b"],
)
def test_latex_beyond_names_is_shown_as_the_name(latex: str) -> None:
    assert typeset(given_latex(latex), "the name") == ["t", "the name"]
