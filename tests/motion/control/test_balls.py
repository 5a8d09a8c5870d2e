"""Balls: what counts as zero, and when more bits are asked for."""

from __future__ import annotations

from fractions import Fraction

import pytest

from equamo.errors import EvaluationError
from equamo.motion.control.balls import (
    UndecidedError,
    as_fraction,
    ball,
    bits,
    combined,
    decided,
    exponential,
    from_floats,
    product,
    solved,
    to_floats,
    unit_rows,
    with_enough_bits,
    working,
)


def third() -> object:
    return ball(1) / ball(3)


def test_sums_that_cancel_are_zero_and_small_numbers_are_not() -> None:
    with working(300):
        assert combined([ball(3), ball(-1)], [third(), ball(1)]).is_zero()
        tiny = combined([ball(3), ball(-1)], [third(), 1 - ball(Fraction(1, 2**200))])
        assert float(tiny) == pytest.approx(2.0**-200)
    with working(64), pytest.raises(UndecidedError):
        decided(ball(1).union(ball(-1)), [ball(1)])  # a ball as large as the number
    with pytest.raises(UndecidedError):
        decided(ball(1) / ball(0), [ball(1)])


def test_more_bits_are_tried() -> None:
    tried: list[int] = []

    def needs(enough: int) -> int:
        tried.append(bits())
        if bits() < enough:
            raise UndecidedError
        return bits()

    assert with_enough_bits(lambda: needs(1000), 512) == 1536
    assert tried == [512, 1536]
    with pytest.raises(EvaluationError, match=r"numbers that 2,700 bits can tell from 0"):
        with_enough_bits(lambda: needs(3000), 100)
    small = Fraction(1, 2**150)
    assert float(with_enough_bits(lambda: 1 - third() * 3 + ball(small), 300)) == 2.0**-150


def test_matrices() -> None:
    with working(200):
        A = from_floats([[2.0, 1.0], [4.0, 3.0]])
        assert to_floats(solved(A, unit_rows(2, [0, 1]))) == [[1.5, -0.5], [-2.0, 1.0]]
        assert to_floats(solved(A, [[ball(0), ball(1)], [ball(0), ball(2)]])) == [[0, 0.5], [0, 0]]
        assert to_floats(product(A, A)) == [[8.0, 5.0], [20.0, 13.0]]
        assert solved([], []) == []
        moved = exponential(from_floats([[0.0, 1.0], [0.0, 0.0]]))
        assert to_floats(moved) == [[1.0, 1.0], [0.0, 1.0]]
        assert moved[1][0].is_zero()


def test_numbers_are_short_if_they_can_be() -> None:
    with working(300):
        assert as_fraction(third() * 3, 256) == 1
        assert as_fraction(ball(Fraction("0.1")), 256) == Fraction(1, 10)
        assert as_fraction(ball(0), 256) == 0
        error = as_fraction(third(), 256) - Fraction(1, 3)
        assert 0 < abs(error) < Fraction(1, 2**256)
