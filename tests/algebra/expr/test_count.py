"""Operations counted by hand."""

import pytest

from equamo.algebra.expr import parse
from equamo.algebra.expr.count import Count, count


# multiplications, additions, divisions, sincos, functions, instructions
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x", (0, 0, 0, 0, 0, 0)),
        ("-x", (0, 0, 0, 0, 0, 0)),
        ("2*x", (1, 0, 0, 0, 0, 1)),
        ("x - y", (0, 1, 0, 0, 0, 1)),
        ("a*b + c", (1, 1, 0, 0, 0, 1)),  # one fused multiply-add
        ("c - a*b", (1, 1, 0, 0, 0, 1)),
        ("a*b + c*d", (2, 1, 0, 0, 0, 2)),
        ("a*b + sin(a*b)", (1, 1, 0, 1, 0, 2)),  # the product is needed by itself
        ("sin(x)*cos(x)", (1, 0, 0, 1, 0, 1)),  # one pair
        ("sin(x)*cos(y)", (1, 0, 0, 2, 0, 1)),
        ("x/y", (0, 0, 1, 0, 0, 1)),
        ("x**2", (1, 0, 0, 0, 0, 1)),
        ("x**7", (4, 0, 0, 0, 0, 4)),  # x² x³ x⁶ x⁷
        ("x**8", (3, 0, 0, 0, 0, 3)),
        ("tanh(x)*sqrt(y)", (1, 0, 0, 0, 2, 3)),
        ("atan2(y, x)", (0, 0, 0, 0, 1, 1)),
        ("tan(x)", (0, 0, 0, 0, 1, 1)),
    ],
)
def test_by_hand(text: str, expected: tuple[int, ...]) -> None:
    assert parse(text).count() == Count(*expected)


def test_shared_work_is_counted_once() -> None:
    a, b = parse("sin(x)*y + z"), parse("sin(x)*y - w")
    assert count([a, b]).multiplications == 1
    assert count([a, b]).additions == 2
    assert count([a, a]) == count([a])
    # The product feeds two sums: it is computed by itself, nothing is fused.
    assert count([a, b]).instructions == 3


def test_an_output_is_needed_by_itself() -> None:
    product, total = parse("a*b"), parse("a*b + c")
    assert count([total]).instructions == 1
    assert count([total, product]).instructions == 2


def test_total() -> None:
    assert parse("a*b + c/d").count().total == 2
    assert count([]) == Count(0, 0, 0, 0, 0, 0)
