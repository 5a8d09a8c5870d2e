"""Formulas as text (`eq.parse`) and the LaTeX that pages and papers are set from."""

from equamo.algebra.expr import parse
from equamo.algebra.expr.parse import parse_with_domain
from equamo.algebra.expr.printing.maths_reader import read_maths
from fuzz.documents import texts
from fuzz.edits import words_of
from fuzz.reader import Reader, accepted, text

FORMULAS = (
    b"m*g*sin(q1) - 1/2*I2*dq1**2",
    b"sqrt(x^2 + 1) + atan2(y, x)*`a b` - 1.5e-3",
    b"abs(-theta)/(1 - cos(q1 + q2)**2)**2 + pi + log(exp(x))",
)
WORDS = (
    "a b q1 1 2 0 0.1 1e9 1e-9 + - * / ** ^ ( ) , sin( sqrt( atan2( pi ` 'x' ² θ abs( log( tanh( sign("
    " ** -1 **0.5 **1/2 e i . 10**99 _ [ ] ="
)
LATEX = (
    rb"\frac{1}{2} m_{1} \dot{q}_{1}^{2} + \sin\left(q_{1} + q_{2}\right)",
    rb"\begin{bmatrix} a & \ddot{\theta} \\ \mathbf{R}^{\mathsf{T}} & \sqrt{x} \end{bmatrix}",
    rb"\text{joint\_1}\,\cdot\,\bar{x}_{\mathrm{base}} \leq \sum_{i=1}^{n} 3.5",
)
LATEX_WORDS = (
    r"\frac \sin { } ( ) [ ] ^ _ x 2 + = & \\ \begin{bmatrix} \end{bmatrix} \theta \mathbf \left \right "
    r"\sqrt \text \, \begin{aligned} \end{aligned} \dot \quad ' \mathrm \bar \left( \right) \sum \middle"
)


def read_formula(data: bytes) -> None:
    """What is printed reads as the same node."""
    expression = parse(text(data))
    with accepted():
        assert parse(str(expression)) is expression
        assert parse_with_domain(text(data))[0] is expression


def read_typeset(data: bytes) -> None:
    read_maths(text(data))


READERS = [
    Reader(
        "formula", read_formula, texts(FORMULAS, words_of(WORDS), words_of(WORDS)), FORMULAS, 20
    ),
    Reader("typeset", read_typeset, texts(LATEX, words_of(LATEX_WORDS)), LATEX, 20),
]
