"""LaTeX says what the expression says: a small reader of LaTeX gives its value back."""

import math
import re
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given, strategies as st

from equamo.algebra.expr import Expr, atan2, constant, cos, parse, sin, symbol, symbols
from equamo.algebra.expr.evaluate import FLOATS, Tape, evaluate_floats
from equamo.algebra.expr.functions import BY_NAME, TABLE, Function, apply
from equamo.algebra.expr.graph import FIRST_FUNCTION, ONE
from equamo.algebra.expr.printing.latex import (
    MAX_NOTEBOOK_LENGTH,
    latex_lines,
    repr_latex,
    shared_latex,
    to_latex,
)
from equamo.algebra.expr.printing.notation import name_to_latex
from equamo.errors import ExpressionError

# -- a reader of the LaTeX that we write: values, not expressions ------------------------------------
STATE = {"a": 1.25, "b": -0.75, "q1": 0.5, "q2": 1.75, "theta": 0.3, "dq1": 2.5}
SYMBOLS = {name_to_latex(name): value for name, value in STATE.items()}
ANGLES = {"1": 0.5, "2": 1.75, r"\theta": 0.3, "a": 1.25, "b": -0.75}
FUNCTIONS = {
    r"\sin": math.sin, r"\cos": math.cos, r"\tan": math.tan, r"\tanh": math.tanh,
    r"\exp": math.exp, r"\log": math.log, r"\arcsin": math.asin, r"\arccos": math.acos,
    r"\arctan": math.atan, r"\operatorname{sgn}": lambda x: float((x > 0) - (x < 0)),
}  # fmt: skip
TOKEN = re.compile(
    r"\\left[(|]|\\right[)|]|\\frac|\\sqrt|\\operatorname\{\w+\}|[sc]_\{[^}]*\}|\\d?dot \w_\{\w+\}"
    r"|\\[a-z]+|[a-z](?:_\{\w+\})?|\d+|[-+{}^,]"
)


class Reader:
    def __init__(self, latex: str) -> None:
        self.tokens = TOKEN.findall(latex)
        assert "".join(self.tokens).replace(" ", "") == latex.replace(" ", "")
        self.at = 0

    def peek(self) -> str:
        return self.tokens[self.at] if self.at < len(self.tokens) else ""

    def take(self, expected: str | None = None) -> str:
        token = self.peek()
        assert token
        assert expected in (None, token)
        self.at += 1
        return token

    def sum(self) -> float:
        value = -self.product() if self.peek() == "-" and self.take() else self.product()
        while self.peek() in ("+", "-"):
            value += self.product() if self.take() == "+" else -self.product()
        return value

    def product(self) -> float:
        value = self.power()
        while self.peek() not in ("", "+", "-", "}", ",", r"\right)", r"\right|"):
            value *= self.power()
        return value

    def power(self) -> float:
        value = self.atom()
        return value ** self.exponent() if self.peek() == "^" else value

    def exponent(self) -> int:
        self.take("^")
        return int(self.group())

    def group(self) -> float:
        self.take("{")
        value = self.sum()
        self.take("}")
        return value

    def atom(self) -> float:
        token = self.take()
        if token == r"\frac":
            return self.group() / self.group()
        if token == r"\sqrt":
            return math.sqrt(self.group())
        if token in (r"\left(", r"\left|"):
            value = self.sum()
            self.take({r"\left(": r"\right)", r"\left|": r"\right|"}[token])
            return value if token == r"\left(" else abs(value)
        if token == r"\operatorname{atan2}":
            self.take(r"\left(")
            y = self.sum()
            self.take(",")
            x = self.sum()
            self.take(r"\right)")
            return math.atan2(y, x)
        if token in FUNCTIONS:
            power = self.exponent() if self.peek() == "^" else 1
            return FUNCTIONS[token](self.atom()) ** power
        if token[1:3] == "_{" and token[0] in "sc":
            terms = re.findall(r"(-?)\+?(\\theta|[12ab])", token[3:-1])
            angle = sum(-ANGLES[t] if minus else ANGLES[t] for minus, t in terms)
            return math.sin(angle) if token[0] == "s" else math.cos(angle)
        return math.pi if token == r"\pi" else SYMBOLS[token] if token in SYMBOLS else float(token)


def value_of_latex(latex: str) -> float:
    reader = Reader(latex)
    value = reader.sum()
    assert reader.peek() == ""
    return value


# -- random expressions ------------------------------------------------------------------------------
steps = st.tuples(
    st.sampled_from(
        ("+", "-", "*", "/", "**", "atan2", "-", "*", "-", "*", "sin", "cos", *BY_NAME)
    ),
    st.integers(0, 40),
    st.integers(0, 40),
)


def operate(op: str, a: Expr, b: Expr, n: int) -> Expr:
    if op in BY_NAME:
        return apply(BY_NAME[op].opcode, a)
    if op == "**":
        return a ** (n % 5 - 1)
    if op == "atan2":
        return atan2(a, b)
    return {"+": a.__add__, "-": a.__sub__, "*": a.__mul__, "/": a.__truediv__}[op](b)


@st.composite
def expressions(draw: Any) -> Expr:
    made = [constant(draw(st.fractions(-3, 3, max_denominator=4))), parse("pi")]
    made += [symbol(n) for n in STATE]
    for op, i, j in draw(st.lists(steps, min_size=1, max_size=12)):
        try:
            made.append(operate(op, made[-1 - i % len(made)], made[-1 - j % len(made)], j))
        except ExpressionError:
            continue
    return made[-1]


def check_value(e: Expr, latex: str) -> bool:
    """Compare the values; False where the expression has none, or only roughly."""
    tape = Tape([e])
    try:
        values = tape.run_all(FLOATS, {symbol(n): v for n, v in STATE.items()})
        if not all(1e-9 < abs(v) < 1e9 for v in values if v):
            return False
        expected = values[tape.outputs[0]]
        assert value_of_latex(latex) == pytest.approx(expected, rel=1e-5, abs=1e-7)
    except (ArithmeticError, ValueError):
        return False
    return True


@given(expressions())
def test_latex_has_the_value_of_the_expression(e: Expr) -> None:
    check_value(e, to_latex(e))


@given(expressions())
def test_short_latex_has_the_value_of_the_expression(e: Expr) -> None:
    check_value(e, to_latex(e, short=True))


@pytest.mark.parametrize(
    "text",
    [
        "a - b*(q1 - q2)", "a - b*(q2 - q1)", "-b*(q2 - q1)/(a - b)", "a - sin(q1 - q2)*cos(q2 - q1)",
        "a - sin(q2 - q1)*cos(q1 - q2)", "-sin(q1 - q2)**3/(q2 - q1)**2", "sin(q2 - q1)**2*(b - a)",
        "a - (b - a)*q1*((b - a)*q2)", "a - (a - b)*q1*((a - b)*q2)", "-(a/(b - a))*(b - a)**2",
        "-(a/(a - b))*(a - b)**2", "-3*(a - b)/(2*dq1*pi)", "b - 1/(a - b)", "b - 1/(b - a)",
        "(a*b/q1)**2/(a + q1)**3", "sqrt(a**2 + b**2)*abs(b)**3*sign(b)", "a - (q1 - (q2 - b))",
        "-sin(q1 - q2) + tanh(theta - q1)*tan(q2 - theta)", "exp(-a)**2*log(a)**2*atan2(b, a)**2",
        "cos(q1 + q2 - theta)*sin(theta - q1 - q2)", "sin(a)*(b + a)*cos(q1)*sqrt(2)", "-(a + b)",
    ],
)  # fmt: skip
def test_signs_and_brackets(text: str) -> None:
    e = parse(text)
    assert check_value(e, to_latex(e))
    assert check_value(e, to_latex(e, short=True))


@pytest.mark.parametrize(
    "text",
    [
        "-m*({})/2", "-m*({})**3", "1 - m*({})**2", "-(m/({}))*({})**2", "-(m/({}))*(({})*dq1)",
        "-(m/({})**2)*({})",
        "1 - ({})*m*(({})*dq1)", "1 - sin({})*m*(sin({})*dq1)", "1 - sin({})**3", "-2*tanh({})/cos({})",
    ],
)  # fmt: skip
def test_a_difference_keeps_its_sign(text: str) -> None:
    # Which of x - y and y - x is the node depends on the names.
    for x, y in permutations(["a", "b", "q1", "q2", "theta"], 2):
        e = parse(text.replace("m", "pi").format(*[f"{x} - {y}"] * 2))
        for short in (False, True):
            latex = to_latex(e, short=short)
            assert "+ -" not in latex
            assert check_value(e, latex)


# -- names -------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("name", "latex"),
    [
        ("q_imu", "q_{imu}"), ("q1", "q_{1}"), ("Lc1", "L_{c1}"), ("m_4l", "m_{4l}"), ("g", "g"),
        ("phi", r"\phi"), ("theta_R", r"\theta_{R}"), ("theta1", r"\theta_{1}"), ("θ2", r"\theta_{2}"),
        ("Omega", r"\Omega"), ("q_phi", r"q_{\phi}"), ("delta", r"\delta"), ("beta", r"\beta"),
        ("dq_1l", r"\dot q_{1l}"), ("ddq_1l", r"\ddot q_{1l}"), ("dx", r"\dot x"), ("dq", r"\dot q"),
        ("dtheta", r"\dot \theta"), ("ddelta", r"\dot \delta"), ("dphi_2", r"\dot \phi_{2}"),
        ("q̇", r"\dot q"), ("q̈_1", r"\ddot q_{1}"), ("q₁", "q_{1}"),
        ("d", "d"), ("d1", "d_{1}"), ("dh", "d_{h}"), ("d_q", "d_{q}"), ("dist", r"\mathit{dist}"),
        ("qLF_HAA", "q_{LF,HAA}"), ("Th1_xx", r"\Theta_{1,xx}"), ("Ixx_1", "I_{xx,1}"),
        ("mass", r"\mathit{mass}"), ("XX_l3", r"\mathit{XX}_{l3}"),
        ("joint-1", r"\text{joint-1}"), ("a_b%c", r"\text{a\_b\%c}"), ("_x", r"\text{\_x}"),
        ("x{y}^2\\$#&~", r"\text{x\{y\}\textasciicircum{}2\textbackslash{}\$\#\&\textasciitilde{}}"),
    ],
)  # fmt: skip
def test_names(name: str, latex: str) -> None:
    assert name_to_latex(name) == latex
    assert to_latex(symbol(name)) == latex


def test_two_names_never_look_the_same() -> None:
    assert to_latex(parse("q1 + q_1")) == r"q_{1} + \text{q\_1}"
    assert to_latex(parse("x*q1"), notation={"x": "q_{1}"}) == r"\text{q1} q_{1}"


def test_notation_overrides_names() -> None:
    e = parse("q1**2 + cos(q1)")
    assert to_latex(e, notation={"q1": r"\alpha^{*}"}) == r"\cos \alpha^{*} + {\alpha^{*}}^{2}"
    assert to_latex(parse("cos(a + b)"), short=True, notation={"a": "q_1", "b": "q_2"}) == "c_{12}"


def test_named_nodes_are_shown_by_name() -> None:
    x, y = symbols("x y")
    assert to_latex(sin(x + y) * (x + y), names={x + y: "omega_3"}) == r"\omega_{3} \sin \omega_{3}"


# -- the short form ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "latex"),
    [
        ("cos(q1)", "c_{1}"), ("sin(q1 + q2)", "s_{12}"), ("cos(q_imu)", "c_{imu}"),
        ("cos(q1 - q2)", "c_{1-2}"), ("cos(q2 - q1)", "c_{1-2}"), ("sin(q2 - q1)", "s_{2-1}"),
        ("cos(q_imu + q1)", "c_{1+imu}"), ("cos(phi)", r"c_{\phi}"), ("l*cos(q1)**2", "l c_{1}^{2}"),
        ("-sin(q1 - q2)", "s_{2-1}"), ("a - sin(q1)", "a - s_{1}"), ("sin(theta1)", "s_{1}"),
        ("cos(2*q1)", r"\cos\left(2 q_{1}\right)"), ("tan(q1)", r"\tan q_{1}"),
        ("cos(dq1)", r"\cos \dot q_{1}"), ("cos(`joint-1`)", r"\cos \text{joint-1}"),
    ],
)  # fmt: skip
def test_short_form(text: str, latex: str) -> None:
    assert to_latex(parse(text), short=True) == latex


@pytest.mark.parametrize(
    "text", ["cos(q1)*cos(theta1)", "sin(q12)*cos(q1 + q2)", "c_1*cos(q1)", "s1 + sin(q1)"]
)
def test_ambiguous_short_forms_stay_long(text: str) -> None:
    assert to_latex(parse(text), short=True) == to_latex(parse(text))


# -- lines and limits --------------------------------------------------------------------------------
def test_long_sums_are_broken_into_lines() -> None:
    e = parse("+".join(f"m{i}*cos(q{i})" for i in range(12)) + "-x")
    one = to_latex(e)
    assert to_latex(e, width=1000) == one
    broken = to_latex(e, width=40)
    body = broken.removeprefix(r"\begin{aligned}& ").removesuffix(r"\end{aligned}")
    lines = body.split(" \\\\\n&\\quad ")
    assert len(lines) > 2
    assert " ".join(lines) == one
    assert all(line[0] in "+-" for line in lines[1:])


def test_latex_of_a_shared_graph_is_refused_not_built() -> None:
    x = y = symbol("x")
    product = x + 1
    for i in range(60):  # written out: 2⁶⁰ symbols
        y = sin(y) * cos(y) + symbol(f"a{i}")
        product = (product * symbol(f"a{i}")) * (product * symbol(f"b{i}"))
    for e in (y, product, parse("+".join(f"a{i}" for i in range(30_000)))):
        assert repr_latex(e) is None
        with pytest.raises(ExpressionError, match="closed_form"):
            to_latex(e)
        with pytest.raises(ExpressionError, match="closed_form"):
            to_latex(e, short=True, width=80)
        with pytest.raises(ExpressionError, match="closed_form"):
            latex_lines(e, 80)


def test_notebooks_show_short_latex_only() -> None:
    assert repr_latex(parse("x/2")) == r"$\displaystyle \frac{x}{2}$"
    terms = 10
    while (text := repr_latex(parse("+".join(f"a{i}" for i in range(terms))))) is not None:
        assert len(text) < MAX_NOTEBOOK_LENGTH + 20
        terms *= 2
    assert terms > 300


def test_deep_expressions_do_not_recurse() -> None:
    e = symbol("x")
    for _ in range(5_000):
        e = ONE / (e + 1)
    assert to_latex(e).count(r"\frac") == 5_000


def test_an_unknown_function_is_an_operator_name(monkeypatch: pytest.MonkeyPatch) -> None:
    opcode = FIRST_FUNCTION + len(TABLE)
    row = Function("sat", lambda x: ONE, latex=r"\sat", opcode=opcode, hash=7)
    monkeypatch.setitem(TABLE, opcode, row)
    assert to_latex(apply(opcode, symbol("x"))) == r"\operatorname{sat} x"


def test_shared_latex_says_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in its order, every intermediate once; a chain of squares would be 2^40 factors long."""
    a, b = symbols("a b")
    x = sin(a + b) + cos(a + b) / 4
    for _ in range(40):
        x = (x * x + b) / (2 + x * x)
    pairs = shared_latex([x, a + b, sin(a + b)])
    assert len(pairs) < 150
    for name, text in pairs:
        value = Reader(text).sum()
        if name:
            assert name not in SYMBOLS
            monkeypatch.setitem(SYMBOLS, name, value)
    found = [Reader(text).sum() for name, text in pairs if not name]
    state = {symbol(n): STATE[n] for n in ("a", "b")}
    expected = evaluate_floats([x, a + b, sin(a + b)], state)
    assert found == pytest.approx(expected, rel=1e-12)


def test_shared_latex_takes_no_name_of_a_symbol() -> None:
    x1, y = symbols("x1 y")
    pairs = shared_latex([sin(x1 + y) * (x1 + y)])
    assert pairs[0] == ("x_{2}", "x_{1} + y")


def test_words_have_a_visible_space_between_them() -> None:
    assert to_latex(parse("mass*length*x")) == r"\mathit{length} \, \mathit{mass} x"
    assert to_latex(parse("MX_B*MY_B")) == r"\mathit{MX}_{B} \mathit{MY}_{B}"
    assert to_latex(parse("mass*MX_B")) == r"\mathit{mass} \, \mathit{MX}_{B}"
