"""Random primes p ≡ 7 mod 8: 1 + t² is never 0 modulo p, and 2 has a square root."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import gcd, inf, isqrt, log2, prod, sqrt
from random import Random
from typing import Any, Final, cast

# Sizes in bits from which a proof chooses by the degree.
SIZES: Final = (61, 127, 521, 1279, 2203)
ROUNDS: Final = 64  # of the Miller-Rabin test, unless the caller has its own bound
_SMALL: Final = prod(n for n in range(3, 1000, 2) if all(n % d for d in range(3, 32, 2) if d < n))
# No composite below 3·10²³ passes for all of these bases (Sorenson and Webster 2017).
_BASES: Final = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37)
_EXACT: Final = 78  # bits: below this size the test is a proof


def random_prime(bits: int, random: Random, rounds: int = ROUNDS) -> int:
    """Draw a prime ≡ 7 mod 8 of exactly this many bits, all equally likely.

    >>> random_prime(61, Random(1)) % 8
    7
    """
    while True:
        p = random.getrandbits(bits) | 1 << (bits - 1) | 7
        if gcd(p, _SMALL) == 1 and _is_prime(p, random, rounds):
            return p


def _is_prime(p: int, random: Random, rounds: int) -> bool:
    modulus = _integer_type()(p)
    # p − 1 = 2·d with d odd (p ≡ 3 mod 4): p passes for base a if aᵈ = ±1
    d = (modulus - 1) // 2

    def passes(base: int) -> bool:
        return pow(_integer_type()(base), d, modulus) in (1, modulus - 1)

    if p.bit_length() <= _EXACT:
        return all(passes(base) for base in _BASES)
    return passes(2) and all(passes(random.randrange(2, p - 1)) for _ in range(rounds))


@cache
def _integer_type() -> Any:
    """FLINT's integers, whose modular powers are several times faster than Python's."""
    from flint import fmpz

    return fmpz


def composite_bits(bits: int, rounds: int) -> float:
    """log₂ of an upper bound on the probability that `random_prime` returns a composite number.

    The loop draws until a candidate passes. A candidate is composite and passes with probability c,
    and is prime with probability at least 2/bits (`count_bits`), so the result is composite with
    probability at most c·bits/2. c ≤ 4⁻ʳ for r rounds (Rabin 1980). For random odd numbers of
    k bits and 3 ≤ r ≤ k/9 also c ≤ k^(3/2)·2ʳ·r^(−1/2)·4^(2 − √(r·k)) (Damgård, Landrock and
    Pomerance 1993, theorem 2); candidates are a quarter of those numbers, which costs a factor of 4.

    >>> composite_bits(61, 1), round(composite_bits(127, 64))
    (-inf, -122)
    """
    if bits <= _EXACT:
        return -inf
    passes = -2.0 * rounds
    if 3 <= rounds <= bits / 9:
        average = 1.5 * log2(bits) + rounds - log2(rounds) / 2 + 4 - 2 * sqrt(rounds * bits)
        passes = min(passes, average + 2)
    return passes + log2(bits) - 1


def rounds_for(bits: int, wanted: float) -> int:
    """Fewest rounds for which the probability of a composite result is at most 2⁻ʷᵃⁿᵗᵉᵈ.

    >>> [rounds_for(b, 128) for b in SIZES]
    [1, 67, 14, 6, 4]
    """
    rounds = 1
    while composite_bits(bits, rounds) > -wanted:
        rounds += 1
    return rounds


def count_bits(bits: int) -> float:
    """log₂ of a lower bound on the number of such primes.

    By the prime number theorem for progressions, with explicit constants (Bennett, Martin, O'Bryant
    and Rechnitzer 2018, theorem 1.3), a quarter of the primes between 2ᵇ⁻¹ and 2ᵇ, which are at
    least 2ᵇ⁻¹/b.
    """
    return bits - 1 - log2(bits) - 2


def square_root(a: int, p: int) -> int | None:
    """r with r² = a modulo p ≡ 3 mod 4; None if a is not a square."""
    Integer = _integer_type()
    r = int(cast(Any, pow(Integer(a), (p + 1) // 4, Integer(p))))
    return r if r * r % p == a % p else None


def prime_with_roots(
    numbers: Sequence[int], bits: int, random: Random, rounds: int = ROUNDS
) -> tuple[int, list[int]]:
    """Draw a prime ≡ 7 mod 8 modulo which positive numbers have square roots, and such roots.

    With k independent numbers only one prime in 2ᵏ is of this kind, too few to search for. By
    reciprocity, an odd b is a square modulo p ≡ 3 mod 4 if (p/b) = (−1)^((b−1)/2), so p is drawn from a
    class modulo 8·∏b. It is longer than `bits` by the bits of this modulus, so that there are as many
    such primes as of `bits` bits without the condition.

    Roots are products of roots of coprime factors, so that √a·√b = √(a·b), as for real numbers.

    >>> p, roots = prime_with_roots([3, 5, 15], 61, Random(1))
    >>> p % 8, [r * r % p for r in roots], (roots[0] * roots[1] - roots[2]) % p
    (7, [3, 5, 15], 0)
    """
    base = coprime_base([2, *numbers])
    residue, modulus = 7, 8  # 2 is a square
    for b in base:
        if b % 2 and isqrt(b) ** 2 != b:
            r = _residue(b, random)
            residue += modulus * ((r - residue) * pow(modulus, -1, b) % b)
            modulus *= b
    while True:
        p = residue + modulus * (random.getrandbits(bits) | 1 << (bits - 1))
        if gcd(p, _SMALL) == 1 and _is_prime(p, random, rounds):
            break
    signs = [random.choice((1, -1)) for _ in base]
    roots = [1] * len(numbers)
    for b, sign in zip(base, signs, strict=True):
        exact = isqrt(b)
        root = exact if exact**2 == b else square_root(b, p)
        assert root is not None
        for k, number in enumerate(numbers):
            while number % b == 0:
                number //= b
                roots[k] = roots[k] * root * (1 if exact**2 == b else sign) % p
    return p, roots


def coprime_base(numbers: Iterable[int]) -> list[int]:
    """Pairwise coprime numbers of whose powers all the given positive numbers are products.

    >>> sorted(coprime_base([12, 18, 35]))
    [2, 3, 35]
    """
    base: list[int] = []
    rest = list(numbers)
    while rest:
        a = rest.pop()
        shared = next((b for b in base if gcd(a, b) > 1), None)
        if a > 1 and shared is None:
            base.append(a)
        elif shared is not None:
            divisor = gcd(a, shared)
            base.remove(shared)
            rest += [a // divisor, divisor, shared // divisor]
    return base


def _residue(b: int, random: Random) -> int:
    """Residue p of b, odd and no square, with (p/b) = (−1)^((b−1)/2): half of all residues."""
    wanted = 1 if b % 4 == 1 else -1
    while True:
        r = random.randrange(1, b)
        if jacobi_symbol(r, b) == wanted:
            return r


def jacobi_symbol(a: int, n: int) -> int:
    """Jacobi symbol (a/n) for odd n > 0; 0 if they have a common factor.

    >>> [jacobi_symbol(a, 15) for a in range(6)]
    [0, 1, 1, 0, 1, 0]
    """
    a, sign = a % n, 1
    while a:
        while a % 2 == 0:
            a //= 2
            if n % 8 in (3, 5):
                sign = -sign
        a, n = n, a
        if a % 4 == n % 4 == 3:
            sign = -sign
        a %= n
    return sign if n == 1 else 0
