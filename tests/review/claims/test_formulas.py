"""Formulas as text: vectors and matrices against SymPy, errors with their places."""

import pytest
import sympy

from equamo.algebra.expr.sympy_bridge import to_sympy
from equamo.algebra.identity import prove_equal
from equamo.errors import ParseError
from equamo.review.claims.evaluation import Evaluation
from equamo.review.claims.scopes import PlainScope
from equamo.review.claims.text_reader import read_text
from equamo.review.claims.values import Value, entries_of

pytestmark = pytest.mark.needs("sympy")

a, b, c, x, y, z = sympy.symbols("a b c x y z")
A = sympy.Matrix([[a, b, 0], [x, sympy.sin(y), c], [z, 1, a * b]])
u, w = sympy.Matrix([a, b, c]), sympy.Matrix([x, y**2, sympy.cos(z)])
TEXT_A = "[a, b, 0; x, sin(y), c; z, 1, a*b]"
TEXT_U, TEXT_W = "[a, b, c]", "[x; y**2; cos(z)]"


def value(text: str) -> Value:
    return Evaluation(PlainScope()).value(read_text(text).tree)


def same(text: str, expected: sympy.MatrixBase | sympy.Expr) -> bool:
    found = entries_of(value(text))
    wanted = list(expected) if isinstance(expected, sympy.MatrixBase) else [expected]
    assert len(found) == len(wanted)
    return all(sympy.expand(to_sympy(f) - e) == 0 for f, e in zip(found, wanted, strict=True))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"cross({TEXT_U}, {TEXT_W})", u.cross(w)),
        (f"dot({TEXT_U}, {TEXT_W})", u.dot(w)),
        (f"{TEXT_U}'*{TEXT_W}", u.dot(w)),
        (f"{TEXT_U}*{TEXT_W}'", u * w.T),
        (f"{TEXT_A}*{TEXT_U}", A * u),
        (f"{TEXT_A}'*{TEXT_A}/2 - {TEXT_A}", A.T * A / 2 - A),
        (f"det({TEXT_A})", A.det()),
        (f"trace({TEXT_A})", A.trace()),
        (f"skew({TEXT_U})*{TEXT_W}", u.cross(w)),
        (f"diff({TEXT_A}, y)", A.diff(y)),
        (f"jacobian({TEXT_W}, [x, y])", w.jacobian([x, y])),
        (f"{TEXT_A}[2, :]", A[1, :]),
        (f"{TEXT_A}[:, 3]", A[:, 2]),
        (f"{TEXT_A}[1:2, 2:3]", A[:2, 1:]),
        (f"block([{TEXT_A}, {TEXT_U}], [0, 0, 0, 1])",
         A.row_join(u).col_join(sympy.Matrix([[0, 0, 0, 1]]))),
        ("coefficient((x + y)**3, x, 2)", 3 * y),
        ("diag(a, b)", sympy.diag(a, b)),
        ("-a**2 + 2^x/1 - a", None),
    ],
)  # fmt: skip
def test_the_language_agrees_with_sympy(text: str, expected: sympy.Expr | None) -> None:
    if expected is None:
        with pytest.raises(ParseError):  # 2^x: powers are whole numbers
            value(text)
    else:
        assert same(text, expected)


def test_scalar_text_is_that_of_parse() -> None:
    from equamo.algebra.expr import parse

    for text in (
        "m1*l1**2*cos(q1)/2 - 0.1",
        "-x**2",
        "2**-1*x",
        "atan2(y, x)",
        "a - b - c",
        "a/b/c",
    ):
        assert value(text) == parse(text)


def test_rotations_are_rotations() -> None:
    assert prove_equal(value("euler_xyz(a, b, c)'*euler_xyz(a, b, c)"), value("identity(3)"))
    assert prove_equal(
        value(
            "inverse_transform(transform_of(rot_x(a), [x, y, z]))*transform_of(rot_x(a), [x, y, z])"
        ),
        value("identity(4)"),
    )


def test_sums_insert_their_index_into_names() -> None:
    assert prove_equal(
        value("sum(k, 1, 3, m_{k}*k*v_{k}**2)"), value("m_1*v_1**2 + 2*m_2*v_2**2 + 3*m_3*v_3**2")
    )


@pytest.mark.parametrize(
    ("text", "position", "words"),
    [
        ("a + ", 4, "expected a number"),
        ("2x", 1, "write *"),
        ("cross(a", 7, "','"),
        ("[a, b; c]", 0, "rows must have the same number of entries, got 2, 1"),
        ("[a, b]*[c, d]", 6, "dot(a, b)"),
        ("cros([1,0,0], [0,1,0])", 0, "cross"),
        ("a + [1, 2]", 2, "a scalar and a vector of 2 cannot be added"),
        ("diff(a, 2*b)", 0, "symbol"),
        ("A[1]", 1, "indices"),
        ("[a, b][3]", 7, "from 1 to 2"),
        ("@mass_matrix", 0, "'mass_matrix' needs a robot"),
        ("sin(a, b)", 0, "takes 1"),
        ("dot(a=1)", 6, "no named arguments, got 'a'"),
        ("x²", 1, "x**2"),
        ("sin([1, 2])", 0, "argument of sin must be a scalar, got a vector of 2"),
        ("det(a)", 0, "argument of det must be a matrix, got a scalar"),
        ("det([1, 2; 3, 4; 5, 6])", 0, "must be a 2×2 or 3×3 matrix, got a 3×2 matrix"),
        ("cross(a, b)", 0, "must be a vector of 3, got a scalar"),
        ("position_of(identity(3))", 0, "a transform must be a 4×4 matrix, got a 3×3 matrix"),
        ("[identity(2), [1, 2, 3]]", 0, "must have the same number of rows, got"),
        ("[1, 2]*identity(2)", 6, "a vector of 2 and a 2×2 matrix cannot be multiplied"),
        ("identity(2)*[1, 2, 3]", 11, "a 2×2 matrix and a vector of 3 cannot be multiplied"),
        ("[1, 2]**2", 6, "a vector of 2 has no power 2"),
        ("sum(k, 1, x, k)", 7, "limits of sum must be whole numbers"),
        ("sum(k, 3, 1, k)", 7, "a sum must have 1 to 1000 terms"),
        ("(" * 70 + "x" + ")" * 70, 61, "at most 60 parentheses, powers or signs can be nested"),
    ],
)  # fmt: skip
def test_errors_name_their_place(text: str, position: int, words: str) -> None:
    with pytest.raises(ParseError) as caught:
        value(text)
    assert caught.value.position == position
    assert words in str(caught.value)


def test_a_long_sum_is_not_a_deep_one() -> None:
    text = " + ".join(f"x{i}" for i in range(5000))
    assert len(entries_of(value(text))[0].symbols()) == 5000
