"""SymPy and back: the same value, the same names, and a named error for what the language lacks."""

import math
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
import sympy
from hypothesis import given, settings, strategies as st
from sympy.physics.vector import dynamicsymbols

from equamo.algebra.expr import (
    ONE,
    Expr,
    as_expr,
    atan2,
    constant,
    cos,
    exp,
    parse,
    sin,
    symbol,
    symbols,
    sympy_bridge,
)
from equamo.algebra.expr.evaluate import FLOATS, Tape, evaluate_floats
from equamo.algebra.expr.functions import BY_NAME, TABLE, apply
from equamo.algebra.expr.graph import PI_NODE
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.sympy_bridge import from_sympy, to_sympy
from equamo.algebra.expr.vector import Vector
from equamo.algebra.expr.walk import walk
from equamo.errors import ExpressionError

pytestmark = pytest.mark.needs("sympy")

STATE = {"a": 0.6, "b": -0.45, "x": 1.3, "joint-1": 0.2}
X, Y, T = sympy.symbols("x y t")

steps = st.tuples(
    st.sampled_from(("+", "-", "*", "/", "**", "atan2", "+", "-", "*", *BY_NAME)),
    st.integers(0, 40),
    st.integers(0, 40),
)


def operate(op: str, a: Expr, b: Expr, n: int) -> Expr:
    if op in BY_NAME:
        return apply(BY_NAME[op].opcode, a)
    if op == "**":
        return a ** (n % 6 - 2)
    if op == "atan2":
        return atan2(a, b)
    return {"+": a.__add__, "-": a.__sub__, "*": a.__mul__, "/": a.__truediv__}[op](b)


@st.composite
def expressions(draw: Any) -> Expr:
    made = [constant(draw(st.fractions(-3, 3, max_denominator=4))), PI_NODE]
    made += [symbol(n) for n in STATE]
    for op, i, j in draw(st.lists(steps, min_size=1, max_size=12)):
        try:
            made.append(operate(op, made[-1 - i % len(made)], made[-1 - j % len(made)], j))
        except ExpressionError:
            continue
    return made[-1]


def value(e: Expr) -> float | None:
    """The value at STATE; None if there is none, or if rounding spoils it."""
    tape = Tape([e])
    try:
        values = tape.run_all(FLOATS, {symbol(n): v for n, v in STATE.items()})
    except (ArithmeticError, ValueError):
        return None
    return values[tape.outputs[0]] if all(1e-6 < abs(v) < 1e6 for v in values if v) else None


@given(expressions())
@settings(max_examples=150)
def test_there_and_back_keeps_the_value(e: Expr) -> None:
    expected = value(e)
    if expected is None:
        return
    try:
        back = value(from_sympy(to_sympy(e)))
    except ExpressionError:
        # SymPy sees sqrt(-2), log(-1) or 1/0 where the whole has no real value.
        raise AssertionError(f"{e} has the value {expected}") from None
    if back is not None:
        assert back == pytest.approx(expected, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "sympy_text"),
    [
        ("sqrt(sqrt(x))", "x**(1/4)"),
        ("sqrt(sqrt(sqrt(x)))**3", "x**(3/8)"),
        ("1/sqrt(sqrt(x))", "x**(-1/4)"),
        ("atan2(0, 0)", "atan2(0, 0)"),
    ],
)
def test_what_sympy_writes_in_another_way_comes_back(text: str, sympy_text: str) -> None:
    e = parse(text)
    made = to_sympy(e)
    assert str(made) == sympy_text
    assert value(from_sympy(made)) == pytest.approx(value(e))


POLYNOMIALS = [
    "m1*l1**2*cos(q1)", "x + y - 2*z/3", "x**3/(y + 1)**2", "sin(a + b)*cos(a - b)", "sqrt(x)*exp(-y)",
    "atan2(y, x)", "abs(x)*sign(y)", "tanh(x)/log(y)", "pi*x/180", "asin(x) + acos(y)*atan(z)",
]  # fmt: skip


@pytest.mark.parametrize("text", POLYNOMIALS)
def test_sympy_reads_the_same_text(text: str) -> None:
    e = parse(text)
    names: dict[str, Any] = {s.name: sympy.Symbol(s.name) for s in e.symbols()}
    assert to_sympy(e) == sympy.sympify(text.replace("abs", "Abs"), locals=names)
    assert as_expr(e.sympy(simplify=False)) is from_sympy(e.sympy(simplify=False))
    assert from_sympy(e.sympy(simplify=False)).sympy(simplify=False) == e.sympy(simplify=False)


def test_symbols_have_no_assumptions() -> None:
    assert to_sympy(symbol("x")) == X
    assert (parse("x**2 + 2*x").sympy(simplify=False) - (X**2 + 2 * X)) == 0


def test_nothing_is_expanded() -> None:
    x, y, z = symbols("x y z")
    assert to_sympy((x + y) ** 3 * (x - z)).func is sympy.Mul
    assert to_sympy(sin(x + y)).args == (to_sympy(x + y),)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (sympy.Rational(3, 7), constant(Fraction(3, 7))),
        (sympy.Float(0.1), constant(Fraction(1, 10))),
        (sympy.Float("0.1", 40), constant(Fraction(1, 10))),
        (sympy.Float("1e-400"), constant(Fraction(1, 10**400))),
        (sympy.Float(0.0), constant(0)),
        (X**0.5, parse("sqrt(x)")),
        (X ** sympy.Rational(-3, 2), parse("x**(-3/2)")),
        (sympy.sqrt(2) * sympy.pi, parse("sqrt(2)*pi")),
        (X / Y, parse("x/y")),
        (sympy.E, exp(ONE)),
        (sympy.Pow(sympy.E, X, evaluate=False), parse("exp(x)")),
        (sympy.cot(X), parse("cos(x)/sin(x)")),
        (sympy.sec(X) + sympy.csc(X), parse("1/cos(x) + 1/sin(x)")),
        (sympy.Abs(X) * sympy.sign(Y), parse("abs(x)*sign(y)")),
        (sympy.atan2(Y, X), parse("atan2(y, x)")),
        (sympy.log(X, 2), parse("log(x)/log(2)")),
        (sympy.Symbol("x", positive=True), parse("x")),
        (sympy.Mul(2, X + Y, evaluate=False), parse("2*(x + y)")),
    ],
)
def test_what_sympy_writes(given: Any, expected: Expr) -> None:
    assert from_sympy(given) is expected


def test_functions_of_time_are_coordinates_and_speeds() -> None:
    q1 = dynamicsymbols("q1")
    assert from_sympy(q1) is symbol("q1")
    assert from_sympy(q1.diff(T)) is symbol("dq1")
    assert from_sympy(q1.diff(T, 2) * sympy.sin(q1)) is parse("ddq1*sin(q1)")
    kinetic = sympy.Symbol("m") * (sympy.sin(q1).diff(T)) ** 2 / 2
    state = {symbol("q1"): 0.3, symbol("dq1"): 2.0, symbol("m"): 1.5}
    expected = 1.5 * (2 * math.cos(0.3)) ** 2 / 2
    assert evaluate_floats([from_sympy(kinetic)], state)[0] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("given", "named"),
    [
        (X**Y, r"x\*\*y"),
        (X ** sympy.Rational(1, 3), "1/3"),
        (sympy.sinh(X), r"sinh\(x\)"),
        (1 + sympy.sinh(sympy.sin(X)), "sinh"),
        (sympy.I * X, "I"),
        (sympy.oo, "oo"),
        (sympy.nan, "nan"),
        (sympy.zoo, "zoo"),
        (sympy.Dummy("x"), "_x"),
        (sympy.Function("f")(X), r"f\(x\)"),
        (sympy.Function("f")(X, T), r"f\(x, t\)"),
        (sympy.Function("sin")(X, Y), "sin"),
        (dynamicsymbols("q").diff(T, 3), "Derivative"),
        (sympy.Derivative(X**2, X), "Derivative"),
        (sympy.Integral(X, X), "Integral"),
        (sympy.Piecewise((X, X > 0), (Y, True)), "Piecewise"),
        (sympy.Eq(X, Y), "Eq"),
        (sympy.true, "True"),
        (sympy.Tuple(X, Y), "x, y"),
        (sympy.Matrix([X]), "Matrix"),
        (3.5, "float"),
        ("x", "str"),
    ],
)
def test_anything_else_is_an_error_that_names_it(given: Any, named: str) -> None:
    with pytest.raises(ExpressionError, match=named):
        from_sympy(given)


def test_a_function_that_sympy_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    row = BY_NAME["tanh"]
    monkeypatch.setitem(TABLE, row.opcode, replace(row, sympy="missing"))
    with pytest.raises(ExpressionError, match="SymPy has no function for 'tanh'"):
        to_sympy(parse("tanh(x)"))


@pytest.mark.ci
def test_deep_expressions_do_not_recurse() -> None:
    x, y = symbols("x y")
    for make in (
        sin,
        lambda e: e * sin(e) + y,
        lambda e: ONE / (e + y),
        lambda e: apply_tanh(e + 1),
    ):
        e = x
        for _ in range(3_000):
            e = make(e)
        back = from_sympy(to_sympy(e))
        assert len(walk([back])) >= 3_000


def apply_tanh(e: Expr) -> Expr:
    return apply(BY_NAME["tanh"].opcode, e)


def test_a_shared_graph_does_not_explode() -> None:
    x, y = symbols("x y")
    e = x
    for _ in range(60):
        e = cos(e) * exp(e) + y / (e + 1)
    back = from_sympy(to_sympy(e))
    assert len(walk([back])) < 20 * len(walk([e]))


def test_long_sums_take_linear_time() -> None:
    e = sum((symbol(f"a{i}") * symbol(f"b{i}") for i in range(3_000)), constant(0))
    s = to_sympy(e)
    assert len(s.args) == 3_000
    assert len(from_sympy(s).symbols()) == 6_000


def test_importing_expressions_does_not_import_sympy() -> None:
    code = "import sys, equamo.algebra.expr.sympy_bridge; print('sympy' in sys.modules)"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "False"


def test_a_matrix_is_converted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """What its entries share is made once, not once for each entry."""
    made: list[Expr] = []
    make = sympy_bridge._make

    def counted(n: Expr, *rest: Any) -> Any:
        made.append(n)
        return make(n, *rest)

    monkeypatch.setattr(sympy_bridge, "_make", counted)
    shared = parse("sin(x + y)*cos(x)**2")
    m = Matrix([[shared + k, shared * k] for k in range(2, 6)] + [[shared, shared]])
    converted = m.sympy(simplify=False)
    assert len(made) == len(set(made))
    assert converted.shape == (5, 2)
    for k, e in enumerate(m.entries):
        assert converted[k] == to_sympy(e)
    assert Vector(m.entries).sympy(simplify=False) == converted.reshape(10, 1)


def test_a_product_of_symbols_that_do_not_commute_is_refused() -> None:
    """A*B = B*A was proved of them."""
    A, B = sympy.symbols("A B", commutative=False)
    with pytest.raises(ExpressionError, match=r"symbol of SymPy must be commutative, got '[AB]'"):
        from_sympy(A * B)


def test_two_things_of_one_name_are_refused() -> None:
    """Their difference, which is not zero in SymPy, was proved to be zero."""
    t, x = sympy.Symbol("t"), sympy.Symbol("x")
    q, dq = (sympy.Function(n)(t) for n in ("q", "dq"))
    for one, other in (
        (x, sympy.Symbol("x", positive=True)),
        (q, sympy.Symbol("q")),
        (q.diff(t), dq),
        (dq.diff(t), sympy.Symbol("ddq")),
    ):
        with pytest.raises(ExpressionError, match="two different things that are called"):
            from_sympy(one - other)
    assert from_sympy(sympy.Symbol("x", positive=True) ** 2 + q * q.diff(t)) is parse("x**2 + q*dq")


@pytest.mark.parametrize(("digits", "step"), [(3, "0.0001"), (30, "1e-30"), (60, "1e-60")])
def test_floats_of_another_precision_stay_different(digits: int, step: str) -> None:
    one = sympy.Float("0.1", digits)
    other = one + sympy.Float(step, digits)
    assert one != other
    assert from_sympy(one) is constant(Fraction(1, 10))
    assert from_sympy(other) is not from_sympy(one)
