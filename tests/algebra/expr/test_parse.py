"""Text becomes the expression that Python's own grammar gives it; anything else a placed error."""

import math
import re
import sys
from fractions import Fraction

import pytest
from hypothesis import given, strategies as st

from equamo.algebra.expr import ONE, Expr, atan2, constant, cos, parse, sin, sqrt, symbol, symbols
from equamo.algebra.expr.evaluate import RATIONALS, evaluate, evaluate_floats
from equamo.algebra.expr.functions import BY_NAME
from equamo.algebra.expr.graph import PI_NODE
from equamo.algebra.expr.parse import MAX_DIGITS, MAX_NESTING, is_plain_name, parse_with_domain
from equamo.errors import ParseError

a, b, c, x = symbols("a b c x")


# -- what is read ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b*c", a + b * c),
        ("(a + b)*c", (a + b) * c),
        ("a - b - c", (a - b) - c),
        ("a - (b - c)", a - (b - c)),
        ("a/b/c", (a / b) / c),
        ("a/b*c", (a / b) * c),
        ("-x**2", -(x**2)),
        ("(-x)**2", x**2),
        ("x**2**3", x**8),
        ("2**-1", constant(Fraction(1, 2))),
        ("x**-2*a", ONE / x**2 * a),
        ("x**(1/2)", sqrt(x)),
        ("x^0.5", sqrt(x)),
        ("a*-b", -(a * b)),
        ("a - -b", a + b),
        ("+-+a", -a),
        ("sin(a + b)*cos (c)", sin(a + b) * cos(c)),
        ("atan2(a - b, c)", atan2(a - b, c)),
        ("2*pi", 2 * PI_NODE),
        ("π", PI_NODE),
        ("a·b × c − a⋅b", a * b * c - a * b),
        ("  a\n + \tb ", a + b),
    ],
)
def test_text_is_read_with_the_precedence_of_python(text: str, expected: Expr) -> None:
    assert parse(text) is expected


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.1", Fraction(1, 10)),
        ("1e-3", Fraction(1, 1000)),
        ("1.5e3", Fraction(1500)),
        (".5", Fraction(1, 2)),
        ("2.", Fraction(2)),
        ("1E+2", Fraction(100)),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("007", Fraction(7)),
        ("123456789123456789.000000001", Fraction(123456789123456789000000001, 10**9)),
    ],
)
def test_decimal_text_is_exact(text: str, value: Fraction) -> None:
    assert parse(text).value == value


@pytest.mark.parametrize(
    "name",
    [
        "q1",
        "q_1l",
        "_x",
        "θ",
        "φ_R",
        "q̇",
        "q̈_2",
        "q₁",
        "été",
        "joint-1",
        "a b",
        "sin",
        "π",
        "2x",
        "x*y",
        "naïve name",
        "关节1",
        "a·b",
    ],
)
def test_every_name_can_be_read(name: str) -> None:
    text = name if is_plain_name(name) else f"`{name}`"
    assert parse(f"2*{text} + 1") is 2 * symbol(name) + 1


def test_every_function_of_the_table_can_be_read() -> None:
    for name in BY_NAME:
        node = parse(f"{name}(x)")
        assert node.op == BY_NAME[name].opcode
        assert node.a is x


def raised(base_and_exponent: tuple[str, str]) -> str:
    base, exponent = base_and_exponent
    return f"({base})**{exponent}" if "**" in base else f"{base}**{exponent}"


numbers = st.integers(0, 9).map(str)
arithmetic = st.recursive(
    numbers,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["+", "-", "*", "/", " - ", "*-"]), inner).map("".join),
        inner.map(lambda t: f"({t})"),
        inner.map(lambda t: f"-{t}"),
        st.tuples(inner, st.sampled_from(["2", "3", "-1"])).map(raised),
    ),
    max_leaves=12,
)


@given(arithmetic)
def test_arithmetic_has_the_value_that_python_gives_it(text: str) -> None:
    # Numbers of Python made exact: the same text with every digit a Fraction.
    exact = "".join(f"Fraction({c})" if c.isdigit() else c for c in text)
    exact = exact.replace("**Fraction(2)", "**2").replace("**Fraction(3)", "**3")
    exact = exact.replace("**-Fraction(1)", "**-1")
    try:
        expected = eval(exact, {"Fraction": Fraction})  # text that this test made
    except ZeroDivisionError:
        with pytest.raises(ParseError, match="zero"):
            parse(text)
    else:
        assert parse(text).value == expected


@given(arithmetic)
def test_symbols_in_place_of_digits_do_not_change_the_value(text: str) -> None:
    for power in ("**2", "**3", "**-1"):
        text = text.replace(power, "^" + power[2:])
    lifted = text
    for digit in "0456789":
        lifted = lifted.replace(digit, f"d{chr(97 + int(digit))}")
    values = {symbol(f"d{chr(97 + int(d))}"): Fraction(d) for d in "0456789"}
    try:
        expected = parse(text).value
        value = evaluate([parse(lifted)], RATIONALS, values)[0]
    except (ParseError, ZeroDivisionError):
        return
    assert value == expected


@pytest.mark.ci
def test_long_text_is_read() -> None:
    text = "+".join(f"m{i}*sin(q{i})" for i in range(20_000))
    e = parse(text)
    values = {symbol(f"{s}{i}"): 1.0 for s in "mq" for i in range(20_000)}
    assert evaluate_floats([e], values)[0] == pytest.approx(20_000 * math.sin(1))


# -- what is not -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("before", "after", "shown"),
    [
        (40, 30, f"{'a' * 39}*?{'b' * 29}"),
        (41, 30, f"…{'a' * 39}*?{'b' * 29}"),
        (40, 31, f"{'a' * 39}*?{'b' * 29}…"),
        (80, 80, f"…{'a' * 39}*?{'b' * 29}…"),
    ],
)
def test_an_error_shows_a_part_of_a_long_line(before: int, after: int, shown: str) -> None:
    """40 characters before the place and 30 from there, with a caret below it."""
    line = f"{'a' * (before - 1)}*?{'b' * (after - 1)}"
    for text in (line, f"x +\n{line}\n+ y"):
        with pytest.raises(ParseError) as caught:
            parse(text)
        _, *excerpt = str(caught.value).splitlines()
        assert excerpt == [f"  {shown}", " " * (shown.index("?") + 2) + "^"]


@pytest.mark.parametrize(
    ("text", "position", "expected"),
    [
        ("", 0, "empty"),
        ("  \n ", 0, "empty"),
        ("a +", 3, "expected a number, a name, a function or '(', found the end"),
        ("a + * b", 4, "found '*'"),
        ("2x", 1, "write 2*x"),
        ("2 sin(x)", 2, "write 2*sin"),
        ("a b", 2, "write a*b"),
        ("2(a)", 1, "expected an operator"),
        ("(a)(b)", 3, "expected an operator"),
        ("1.2.3", 3, "expected an operator"),
        ("(a + b", 0, "not closed; expected ')'"),
        ("a + b)", 5, "was not opened"),
        ("sin(a", 3, "is not closed"),
        ("sin", 0, "expected sin(…)"),
        ("sin()", 4, "found ')'"),
        ("sin(a, b)", 5, "one argument; expected ')'"),
        ("atan2(a)", 7, "two arguments; expected ','"),
        ("atan2(a, b, c)", 10, "two arguments; expected ')'"),
        ("a, b", 1, "found ','"),
        ("(a, b)", 2, "found ','"),
        ("foo(x)", 0, "sin, cos, tan"),
        ("a + arcsin(x)", 4, "Did you mean asin?"),
        ("__import__('os')", 0, "unknown function '__import__'"),
        ("x.__class__", 1, "found the character '.'"),
        ("x²", 1, "x**2"),
        ("a = b", 2, "an equation is not an expression"),
        ("a $ b", 2, "'$'"),
        ("`abc", 0, "backquote"),
        ("``", 0, "non-empty"),
        ("`pi`", 0, "3.14"),
        ("1/0", 1, "Division by zero"),
        ("a/(b - b)", 1, "Division by zero"),
        ("0**-1", 1, "zero"),
        ("a**b", 1, "exponent"),
        ("a**(1/3)", 1, "exponent"),
        ("a**100000", 1, "exponent"),
        ("a\ud800", 1, "expected an operator"),
        ("a\0", 1, "expected an operator"),
    ],
)
def test_an_error_says_where_and_what_was_expected(text: str, position: int, expected: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert expected in str(caught.value)
    assert caught.value.position == position
    if position:
        first, _, caret = str(caught.value).splitlines()
        assert first.startswith(f"Column {position + 1}: ")
        assert caret.index("^") == position + 2


def test_an_error_in_the_second_line_counts_lines() -> None:
    with pytest.raises(ParseError) as caught:
        parse("a +\n b c")
    lines = str(caught.value).splitlines()
    assert lines[0].startswith("Line 2, column 4: ")
    assert lines[1:] == ["   b c", "     ^"]


@pytest.mark.parametrize("thing", [None, 3, b"x", ["x"], x])
def test_only_text_is_parsed(thing: object) -> None:
    with pytest.raises(ParseError, match=type(thing).__name__):
        parse(thing)  # pyright: ignore[reportArgumentType]


@pytest.mark.sweep(14)
@pytest.mark.parametrize(
    "text",
    [
        "(" * 10**5,
        "(" * 10**5 + "x" + ")" * 10**5,
        "sin(" * 10**5 + "x" + ")" * 10**5,
        ")" * 10**5,
        "x**" + "9" * 10**6,
        "9" * 10**6,
        "0." + "1" * 10**6,
        "1e999999999",
        "1e-999999",
        "1e5000",
        "9**9999",
        "2**9999*2**9999",
        "9**9**9**9",
        "((9**99)**99)**99",
        "2**" * 10**5 + "2",
        "-" * 10**6,
        "x" * 10**6,
        "`" + "x" * 10**6,
        "a " * 10**5,
        "x" + "+" * 10**6,
        "1" * (MAX_DIGITS + 1),
        " " * (10**7 + 1),
    ],
)
def test_hostile_text_is_an_error_at_once(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text)
    assert len(str(caught.value)) < 500


def test_a_lower_limit_of_python_on_digits_is_an_error_of_ours() -> None:
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(1000)
    try:
        with pytest.raises(ParseError, match="a number must have at most"):
            parse("10**2000 + x")
    finally:
        sys.set_int_max_str_digits(limit)


def test_nesting_just_within_the_limit_is_read() -> None:
    text = "(" * MAX_NESTING + "x" + ")" * MAX_NESTING
    assert parse(text) is x
    with pytest.raises(ParseError, match="parentheses"):
        parse(f"({text})")
    assert parse("-" * 100_000 + "x") is x


@given(st.text("ab12.+-*/^(),` eθ²\n", max_size=30))
def test_any_text_is_an_expression_or_a_parse_error(text: str) -> None:
    try:
        position = 0 if isinstance(parse(text), Expr) else None
    except ParseError as error:  # no other error comes through
        position = error.position
    assert position is not None
    assert 0 <= position <= len(text)


@pytest.mark.parametrize(
    ("text", "domain"),
    [
        ("x + y*z", []),
        ("sqrt(x)**2", ["sqrt(x)"]),
        ("x**2/x", ["1/x"]),
        ("x/3", []),
        ("0/x", ["1/x"]),
        ("0*log(x)", ["log(x)"]),
        ("log(x) - log(x)", ["log(x)"]),
        ("x**0.5*x**0.5", ["sqrt(x)"]),
        ("x**(-1)*x", ["1/x"]),
        ("x**(-3/2)", ["sqrt(x)", "1/sqrt(x)"]),
        ("asin(x)**0", ["asin(x)"]),
        ("atan2(y, x) - atan2(y, x)", ["atan2(y, x)"]),
        ("tan(sqrt(x))/tan(sqrt(x))", ["sqrt(x)", "tan(sqrt(x))", "1/tan(sqrt(x))"]),
        ("sqrt(4)*sin(pi)", []),
    ],
)
def test_the_domain_of_a_text(text: str, domain: list[str]) -> None:
    """What a rule removed is kept: every function, root and reciprocal that is written."""
    e, needed = parse_with_domain(text)
    assert e is parse(text)
    assert list(needed) == [parse(t) for t in domain]


def test_a_domain_needs_a_text() -> None:
    for wrong in ("", "2x", "1/(x - x)"):
        with pytest.raises(ParseError) as plain:
            parse(wrong)
        with pytest.raises(ParseError, match=re.escape(str(plain.value))):
            parse_with_domain(wrong)
