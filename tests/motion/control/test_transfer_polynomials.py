"""Polynomials from Markov parameters: of the states that the input reaches and the output shows."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from equamo.motion.control.balls import from_floats, unit_rows, with_enough_bits, working
from equamo.motion.control.precise_system import Given
from equamo.motion.control.transfer_polynomials import between, transfer_polynomials


def system(A: object, b: object) -> Given:
    array = np.array(A, dtype=float)
    names = tuple(f"x{k}" for k in range(len(array)))
    return Given(array, np.array(b, dtype=float)[:, None], names, None)


def test_textbook_systems() -> None:
    spring = system([[0, 1], [-4, -1]], [0, 2])
    assert transfer_polynomials(spring, 0, "x0") == ([2], [1, 1, 4])
    assert transfer_polynomials(spring, 0, "x1") == ([2, 0], [1, 1, 4])
    no_effect = system([[1, 0], [1, 2]], [0, 1])
    assert transfer_polynomials(no_effect, 0, "x0") == ([], [1])


def test_poles_and_zeros_cancel_exactly() -> None:
    """Coupled states of which only a combination is reached: x1 − x0 decays by itself."""
    pair = system([[-3, 1], [1, -3]], [1, 1])
    assert transfer_polynomials(pair, 0, "x0") == ([1], [1, 2])
    nearly = system([[-3, 1], [1, -3 - 2.0**-40]], [1, 1])
    assert len(transfer_polynomials(nearly, 0, "x0")[1]) == 3


def test_doubles_are_exact() -> None:
    found = transfer_polynomials(system([[-0.1]], [0.3]), 0, "x0")
    assert found == ([Fraction(0.3)], [1, Fraction(0.1)])


def test_time_scales_that_need_more_bits() -> None:
    scales = 10.0 ** np.arange(-12, 13, 3)
    chain = np.diag(-scales) + np.diag(np.sqrt(scales[1:] * scales[:-1]), -1)
    stiff = system(chain, np.eye(len(scales))[0])
    _, bottom = transfer_polynomials(stiff, 0, f"x{len(scales) - 1}")
    np.testing.assert_allclose([float(c) for c in bottom], np.poly(-scales), rtol=1e-12)


def test_states_between_input_and_output() -> None:
    A = [[1.0, 0, 0, 0], [1, 2, 0, 0], [0, 1, 3, 0], [0, 0, 1, 4]]
    with working(100):
        b, c = unit_rows(4, [1, 2])
        kept, *_ = between(from_floats(A), b, c)
        assert [[float(x) for x in row] for row in kept] == [[2, 0], [1, 3]]


def test_low_precision_is_noticed() -> None:
    """Coefficients keep 256 bits, so 100 are not enough."""
    from equamo.motion.control.transfer_polynomials import _polynomials

    A, b, c = [[-1 / 3, 1], [1, -3]], [1, 0], [0, 1]

    def found() -> object:
        return _polynomials(from_floats(A), *(from_floats([x])[0] for x in (b, c)))

    assert with_enough_bits(found, 40) == with_enough_bits(found, 1000)
