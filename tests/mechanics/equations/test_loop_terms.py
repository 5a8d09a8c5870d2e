"""Terms of planar loops, against sums of their values as numbers."""

from collections.abc import Iterable
from math import cos, pi, sin

import pytest

from equamo.algebra.expr import ONE, ZERO, Expr, parse, symbols
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.mechanics.equations.loop_terms import (
    coefficient,
    collected,
    group_vector,
    grouped,
    inserted,
    merged,
    parallelogram,
    same_direction,
    term_symbols,
    unknown_coordinates,
)
from equamo.mechanics.equations.planar_loop import Term, Vector2

A, B, S, C, L = symbols("a b s c l")
AT = {A: 0.3, B: 1.1, S: 0.7, C: -0.4, L: 1.9}


def term(angle: str, x: str, y: str, slide: Expr | None = None) -> Term:
    return Term(parse(angle), (parse(x), parse(y)), slide)


def numbers(v: Iterable[Expr]) -> list[float]:
    return [float(x) for x in evaluate_floats(list(v), AT)]


def total(terms: Iterable[Term]) -> list[float]:
    """Sum of R(angle) · vector · slide, computed with numbers."""
    result = [0.0, 0.0]
    for t in terms:
        angle, x, y, slide = numbers([t.angle, *t.vector, t.slide or ONE])
        result[0] += slide * (cos(angle) * x - sin(angle) * y)
        result[1] += slide * (sin(angle) * x + cos(angle) * y)
    return result


def test_value() -> None:
    for t in (term("a - b", "l", "2"), term("a", "l", "2", S)):
        assert numbers(t.value()) == pytest.approx(total([t]), rel=1e-14)


def test_symbols_of_a_term() -> None:
    assert term_symbols(term("a - b", "l", "0", S)) == {A, B, S}
    assert term_symbols(term("a", "l", "0")) == {A}


def test_known_coordinates_are_inserted() -> None:
    """A known angle is replaced; a known slide becomes part of the vector, an unknown one stays."""
    terms = [term("a + b", "1", "l", S), term("a", "l", "2", C), term("b", "1", "2")]
    assert inserted(terms, {A: parse("2*b"), S: parse("b + l")}) == [
        term("2*b + b", "b + l", "l*(b + l)"),
        term("2*b", "l", "2", C),
        term("b", "1", "2"),
    ]


def test_terms_of_equal_angles_are_merged() -> None:
    terms = [
        term("a + b", "l", "0"),
        term("a", "1", "2"),
        term("b + a", "1", "3"),
        term("a", "1", "2", S),
        term("a", "-1", "-2"),  # cancels, but not with the one that slides
        term("a", "2", "0", S),
    ]
    assert merged(terms) == [term("a + b", "l + 1", "3"), term("a", "3", "2", S)]
    assert total(merged(terms)) == pytest.approx(total(terms), rel=1e-14)


def test_terms_are_grouped_by_the_unknowns_in_their_angles() -> None:
    one, two, three, four = (term(x, "1", "0", S) for x in ("a", "b + a", "a + c", "c"))
    assert grouped([one, two, three, four], [B, S]) == [
        (frozenset(), [one, three, four]),
        (frozenset({B}), [two]),
    ]


@pytest.mark.parametrize(
    "terms",
    [
        [term("a + b", "l", "0")],
        [term("a + b", "l", "2", S)],
        [
            term("a + b", "l", "2", S),
            term("a + b", "1", "3"),
            term("b", "1", "2"),
            term("b - c", "0", "l", S),
        ],
    ],
)
def test_vector_of_a_group(terms: list[Term]) -> None:
    """One turned vector equals the sum of all, also with slides; its angle has the unknowns."""
    unknown = frozenset({B})
    vector, angle, same = group_vector((unknown, terms))
    assert (angle, same) == (terms[0].angle, unknown)
    assert B not in {s for x in vector for s in x.symbols()}
    assert total([Term(angle, vector)]) == pytest.approx(total(terms), rel=1e-13)


def test_unknown_coordinates() -> None:
    """b from a + b, then c from its negative; the angle with the fewest unknowns is solved first."""
    value, other = parse("l + 2"), parse("3*a")
    found = unknown_coordinates(
        [(value, parse("b - c + s"), frozenset({B, C})), (other, parse("a + b"), frozenset({B}))]
    )
    assert list(found) == [B, C]
    assert found[B] is parse("2*a")
    b, c, l, s, a = numbers([found[B], found[C], L, S, A])
    assert (b - c + s, a + b) == pytest.approx((l + 2, 3 * a))
    assert [coefficient(parse("b - c + s"), x) for x in (B, C)] == [1, -1]


@pytest.mark.parametrize(
    ("e", "expected"),
    [
        ("a + b - a + 2*b", "3*b"),
        ("a - a", "0"),
        ("2 + a - 1", "a + 1"),
        ("sin(l) + a - 2*sin(l)", "a - sin(l)"),
        ("a*b + a - a", "a*b + a - a"),
        ("a**2 - b + b", "a**2 - b + b"),
    ],
)
def test_collected(e: str, expected: str) -> None:
    assert collected(parse(e)) is parse(expected)


def test_directions() -> None:
    one, two = term("a", "l", "1"), term("b", "0", "2")
    v: Vector2 = one.vector
    minus: Vector2 = (-v[0], -v[1])
    w: Vector2 = two.vector
    assert same_direction(v, one) is A
    assert same_direction(minus, one) is parse("a + pi")
    assert same_direction(v, two) is None
    assert same_direction((v[0], ZERO), one) is None
    assert parallelogram(v, w, [one, two]) == (A, B)
    assert parallelogram(w, minus, [one, two]) == (B, parse("a + pi"))
    assert parallelogram(v, v, [one, two]) is None
    assert parallelogram(v, w, [one]) is None
    assert parallelogram(v, w, [one, term("b", "0", "2", S)]) is None
    assert numbers([parse("a + pi")]) == pytest.approx([AT[A] + pi])
