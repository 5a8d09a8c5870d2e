"""Random primes ≡ 7 mod 8 and what the bound needs to know of them."""

from itertools import combinations
from math import gcd, inf, log2
from random import Random

import pytest
import sympy

from equamo.algebra.identity.primes import (
    SIZES,
    _is_prime,  # pyright: ignore[reportPrivateUsage]
    composite_bits,
    coprime_base,
    count_bits,
    jacobi_symbol,
    prime_with_roots,
    random_prime,
    rounds_for,
    square_root,
)

pytestmark = pytest.mark.needs("sympy")


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


def test_pseudoprimes_do_not_pass() -> None:
    """Composites that pass for the bases 2, 3, 5, 7, and for the first eight primes."""
    for n in (3215031751, 341550071728321):
        assert not sympy.isprime(n)
        assert not _is_prime(n, Random(1), rounds=0)


def test_short_primes_are_proved() -> None:
    assert composite_bits(61, 1) == -inf
    assert rounds_for(61, 10_000) == 1


@pytest.mark.parametrize("bits", SIZES[1:])
@pytest.mark.parametrize("wanted", [20, 128, 1000])
def test_enough_rounds(bits: int, wanted: int) -> None:
    rounds = rounds_for(bits, wanted)
    assert composite_bits(bits, rounds) <= -wanted
    assert rounds == 1 or composite_bits(bits, rounds - 1) > -wanted


def test_the_bound_is_one_of_the_loop() -> None:
    """The loop draws about b/3 candidates of b bits, and each of them may pass: with a test that
    lets a share c of all composites pass, the share among what is returned is c·b/2 at most."""
    bits, share, random = 16, 1 / 64, Random(3)
    composites = 0
    for _ in range(3000):
        while True:
            n = random.getrandbits(bits) | 1 << (bits - 1) | 7
            if sympy.isprime(n):
                break
            if random.random() < share:
                composites += 1
                break
    assert share < composites / 3000 <= share * bits / 2
    assert composite_bits(127, 20) == pytest.approx(log2(4**-20 * 127 / 2))


def test_the_average_case_of_damgard_landrock_and_pomerance() -> None:
    k, t = 521, 16
    bound = k**1.5 * 2**t / t**0.5 * 4 ** (2 - (t * k) ** 0.5)
    assert composite_bits(k, t) == pytest.approx(log2(4 * bound * k / 2))
    assert composite_bits(k, 100) == pytest.approx(log2(4**-100 * k / 2))  # only for t ≤ k/9


def test_the_same_seed_gives_the_same_prime() -> None:
    assert random_prime(127, Random(7)) == random_prime(127, Random(7))


def test_the_jacobi_symbol() -> None:
    for n in (1, 3, 9, 15, 1155, 10**9 + 7, (10**9 + 7) * 21):
        for a in (*range(-5, 30), 10**12 + 39):
            assert jacobi_symbol(a, n) == sympy.jacobi_symbol(a, n)


def test_a_coprime_base() -> None:
    random = Random(3)
    for _ in range(20):
        numbers = [random.randrange(1, 10**6) * random.choice((1, 12, 49)) for _ in range(6)]
        base = coprime_base(numbers)
        assert all(gcd(a, b) == 1 for a, b in combinations(base, 2))
        for x in numbers:
            for b in base:
                while x % b == 0:
                    x //= b
            assert x == 1


@pytest.mark.parametrize("seed", range(4))
def test_a_prime_with_roots(seed: int) -> None:
    """Of many numbers, large ones, powers and products; roots of products are products of roots."""
    random = Random(seed)
    large = random.getrandbits(90) | 1
    numbers = [3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 9, 8, 12, 1, large, 7 * large, large**2, 125]
    p, roots = prime_with_roots(numbers, 127, random)
    assert sympy.isprime(p)
    assert p % 8 == 7
    assert p.bit_length() > 127
    assert [r * r % p for r in roots] == [x % p for x in numbers]
    known = dict(zip(numbers, roots, strict=True))
    assert known[7 * large] == known[7] * known[large] % p
    assert known[12] == 2 * known[3] % p
    assert known[125] == 5 * known[5] % p
    assert (known[9], known[large**2]) == (3, large)
