"""Random primes ≡ 7 mod 8 and what the bound needs to know of them."""

from math import log2
from random import Random

import pytest
import sympy

from equamo.identity.primes import SIZES, count_bits, random_prime, square_root


@pytest.mark.parametrize("bits", SIZES[:3])
def test_primes_of_exactly_so_many_bits(bits: int) -> None:
    random = Random(bits)
    found = {random_prime(bits, random) for _ in range(20 if bits < 500 else 2)}
    assert len(found) >= 2
    for p in found:
        assert p.bit_length() == bits
        assert p % 8 == 7
        assert sympy.isprime(p)


def test_minus_one_is_no_square_and_two_is() -> None:
    p = random_prime(61, Random(1))
    assert square_root(p - 1, p) is None
    assert square_root(2, p) is not None
    assert square_root(0, p) == 0


def test_square_roots() -> None:
    random = Random(2)
    for bits in (61, 127):
        p = random_prime(bits, random)
        squares = 0
        for _ in range(200):
            a = random.randrange(p)
            r = square_root(a, p)
            if r is not None:
                assert r * r % p == a
            assert (r is not None) == (sympy.jacobi_symbol(a, p) in (0, 1))
            squares += r is not None
        assert 70 < squares < 130


@pytest.mark.parametrize("bits", range(8, 20))
def test_there_are_at_least_so_many(bits: int) -> None:
    """The lower bound on the number of primes, counted where they can be counted."""
    number = sum(1 for p in sympy.primerange(1 << (bits - 1), 1 << bits) if p % 8 == 7)
    assert count_bits(bits) <= log2(number)


def test_the_same_seed_gives_the_same_prime() -> None:
    assert random_prime(127, Random(7)) == random_prime(127, Random(7))
