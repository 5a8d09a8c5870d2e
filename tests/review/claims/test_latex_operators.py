"""LaTeX operators: derivatives, sums, braces, rows and lines; ambiguous text is an error."""

import pytest

from equamo.algebra.expr import symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.identity import prove_equal
from equamo.errors import ParseError
from equamo.review.claims.evaluation import Evaluation
from equamo.review.claims.latex_reader import read_latex
from equamo.review.claims.scopes import PlainScope
from equamo.review.claims.text_reader import read_text
from equamo.review.claims.values import Value

KNOWN = ("L", "d", "m", "x", "y", "q1", "q2", "dq1", "m1", "m2", "v1", "v2", "Iz1", "g")


class Moving(PlainScope.__mro__[1]):  # type: ignore[misc]
    """Every name is a symbol; x has the rate dx, dx the rate ddx."""

    def name(self, name: str) -> Value:
        return symbol(name)

    def quantity(self, node: object, evaluation: object) -> Value:
        raise AssertionError

    def rates(self) -> dict[object, object]:
        return {symbol("x"): symbol("dx"), symbol("dx"): symbol("ddx")}


def value(latex: str, **more: object) -> Value:
    return Evaluation(Moving()).value(read_latex(latex, KNOWN, **more).tree)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"\frac{\partial x^2 y}{\partial x}", "2*x*y"),
        (r"\frac{\partial}{\partial x} x^3", "3*x**2"),
        (r"\frac{\partial^2 (x^2 y^3)}{\partial x \partial y}", "6*x*y**2"),
        (r"\frac{\partial^{2} x^3}{\partial x^2}", "6*x"),
        (r"\frac{d}{dt}(x^2) - \frac{\partial x}{\partial x}", "2*x*dx - 1"),
        (r"\frac{d x}{dt} \frac{d}{2}", "dx*d/2"),
        (r"\frac{d^2 x}{dt^2}", "ddx"),
        (r"\frac{\partial x}{\partial t}", "dx"),
        (r"\frac{d}{dt} \frac{\partial (x^2/2)}{\partial x}", "dx"),
        (r"\sum_{i=1}^{2} m_i v_i^2 + 1", "m1*v1**2 + m2*v2**2 + 1"),
        (r"\sum_{i=1}^2 i q_{i}", "q1 + 2*q2"),
        (r"\sum_{i=1}^{2}\sum_{j=1}^{i} q_i q_j", "q1*q1 + q2*q1 + q2*q2"),
        (r"\sum_{i=0}^{1} q_{i+1}", "q1 + q2"),
        (r"\sum_{i=2}^{3} q_{i-1}", "q1 + q2"),
        (r"3 + \sum_{i=1}^{0} q_i", "3"),
        (r"\sum_{i=0}^{1} q_{ i + 1 } m_{1i}", "q1*m_10 + q2*m_11"),
        (r"\sum_{i=1}^{2}\sum_{j=2}^{2} q_{ij} v_{j i} q_{i+1j-1}", "q_12*v_21*q_21 + q_22*v_22*q_31"),
        (r"\sum_{i=1}^{2} I_{z_i} q_{x_{i}}", "Iz1*q_x1 + I_z2*q_x2"),
        (r"\underbrace{x + y}_{\text{sum}} m", "(x + y)*m"),
        (r"\overbrace{x}^{2} m", "x*m"),
        (r"I_{z_1} \dot q_1", "Iz1*dq1"),
        (r"[x \ y \ -g]^T", "[x, y, -g]"),
        (r"[x \quad y] \begin{bmatrix} x \\ y \end{bmatrix}", "x**2 + y**2"),
        (r"\begin{bmatrix} x & y \end{bmatrix} \begin{pmatrix} x \\ y \end{pmatrix}", "x**2 + y**2"),
        (r"[x + y]^2", "(x + y)**2"),
        (r"\frac12 x + \frac43", "x/2 + 4/3"),
        (r"x^2 \quad (12)", "x**2"),
        (r"x^2, \tag{1.2}", "x**2"),
        (r"\begin{aligned} x &+ y \\ &\quad - m \end{aligned} \quad (3)", "x + y - m"),
        (r"\text{sign}(x) + \operatorname{atan2}(x, y)", "sign(x) + atan2(x, y)"),
        (r"[x \ 0 \ 0]^T \times \frac{1}{m} [0 \ y \ 0]^T", "[0, 0, x*y/m]"),
        (r"[0 \ 0 \ g]^T \cdot [x \ 0 \ 0]^T \times [0 \ y \ 0]^T", "g*x*y"),
    ],
)  # fmt: skip
def test_operators_mean_the_same_as_text(latex: str, text: str) -> None:
    assert prove_equal(value(latex), Evaluation(PlainScope()).value(read_text(text).tree))


def test_a_row_is_a_row() -> None:
    assert isinstance(value(r"[x \ y]"), Matrix)
    assert isinstance(value(r"\begin{bmatrix} x & y \end{bmatrix}"), Matrix)


def test_a_dot_over_an_abbreviation_is_its_derivative() -> None:
    tree = read_latex(r"\dot{A} + \ddot{\mathbf{A}}", ("A",), composite=("A",)).tree
    rate, second = tree.children
    assert (rate.kind, rate.value) == ("call", "dt")
    assert second.children[0].value == "dt"
    tree = read_latex(r"\ddot{A}", ("A", "dA"), composite=("A",)).tree  # dA has a name of its own
    assert (tree.value, tree.children[0].value) == ("dt", "dA")
    assert read_latex(r"\dot{x}", ("x",), composite=("A",)).tree.value == "dx"


def test_lines_are_one_chain() -> None:
    lines = r"x &= y \\ &= \begin{bmatrix} x & y \\ y & x \end{bmatrix}"
    text = r"\begin{aligned}" + lines + r"\end{aligned} \quad (4)"
    assert [s.kind for s in read_latex(text).sides] == ["name", "name", "list"]


@pytest.mark.parametrize(
    ("latex", "words"),
    [
        (r"\frac{d}{dt} x y", "is ambiguous; it may be read as"),
        (r"\frac{\partial}{\partial x} x \cdot y", "is ambiguous; it may be read as"),
        (r"\frac{\partial^2 x}{\partial x}", "order 2 needs as many variables, got 1"),
        (r"\frac{\partial^5 x}{\partial x}", "order of a derivative must be a number from 1 to 4"),
        (r"\frac{\partial x}{y}", "expected 'partial' before each variable"),
        (r"\sum_i q_i", "needs an index and two bounds"),
        (r"\sum_{i=1} q_i", "needs an index and two bounds"),
        (r"\sum_{i}^{2} q_i", "needs an index and two bounds"),
        (r"\sum_{i=1}^{n} q_i", "bounds of a sum must be whole numbers"),
        (r"\sum_{i=3}^{1} q_i", "must have terms, got the bounds 3 and 1"),
        (r"\sum_{i=1}^{500} x", "at most 400 terms in all"),
        (r"\sum_{i=1}^{2} q_{imu}", "the index 'i' of a sum must be separated"),
        (r"\sum_{i=1}^{2} q_{i+x}", "expected a whole number in the subscript"),
        (r"x \times y \times m", "is ambiguous; it may be read as"),
        (r"\begin{bmatrix} x & y ] \end{bmatrix}", "expected '&', '\\\\' or \\end, found ']'"),
        (r"\begin{bmatrix} x & y \end{pmatrix}", r"\begin{bmatrix} needs \end{bmatrix}"),
        (r"\dot{2}", "expected a name, found '2'"),
        (r"x_+", "expected a subscript, found '+'"),
        (r"x^+", "expected an exponent, found '+'"),
        (r"x \quad y", "expected an operator, '=' or the end"),
        (r"x \quad (3) y", "expected an operator, '=' or the end"),
        (
            r"\begin{aligned} x &= y \\ m &= x \end{aligned}",
            "a new line must begin with an operator",
        ),
    ],
)
def test_what_has_two_meanings_is_an_error(latex: str, words: str) -> None:
    with pytest.raises(ParseError) as caught:
        read_latex(latex, KNOWN)
    assert words in str(caught.value)


@pytest.mark.parametrize("subscript", ["xi", "x i", "ix", "i x", "xij", "jix", "xi+1"])
def test_an_index_beside_another_letter_is_an_error_at_the_index(subscript: str) -> None:
    """White space does not show in print, so it separates nothing."""
    text = r"\sum_{i=1}^{2} \sum_{j=1}^{2} q_{" + subscript + "}"
    with pytest.raises(ParseError, match="the index 'i' of a sum must be separated") as caught:
        read_latex(text, KNOWN)
    assert caught.value.position == text.index("q_{") + 3 + subscript.index("i")


def test_d_over_dt_of_two_known_names_is_not_guessed() -> None:
    with pytest.raises(ParseError, match="but d and t are known names"):
        read_latex(r"\frac{d x}{dt}", ("d", "t", "x"))
