"""Numbers are rounded once: against NumPy where its way by a double is exact, and where it is not."""

import math
from fractions import Fraction
from random import Random

import numpy as np
import pytest

from equamo.algebra.expr import parse, symbol
from equamo.code.ir.lower import lower
from equamo.code.ir.program import DTYPES, Argument, Dtype
from equamo.code.ir.proof import prove_same
from equamo.code.ir.rebuild import rebuild
from equamo.code.ir.rounding import PI, is_nearest, nearest, rounded
from equamo.code.jit.compiled import compile
from equamo.errors import EquamoError
from equamo.mechanics.equations import derive
from equamo.robot.catalog import load


def test_floats_of_both_types_stay_themselves() -> None:
    random = Random(1)
    for _ in range(2000):
        bits = random.randrange(1 << 32)
        x = np.array(bits, np.uint32).view(np.float32).item()
        if np.isfinite(x):
            assert nearest(Fraction(x), "float32") == x
            assert nearest(Fraction(x), "float64") == x


def test_no_float32_is_nearer() -> None:
    random = Random(2)
    for _ in range(2000):
        x = Fraction(random.getrandbits(80) - (1 << 79), 1 + random.getrandbits(60))
        found = np.float32(nearest(x, "float32"))
        below, above = (
            np.nextafter(found, np.float32(-np.inf)),
            np.nextafter(found, np.float32(np.inf)),
        )
        error = abs(Fraction(float(found)) - x)
        assert all(error <= abs(Fraction(float(y)) - x) for y in (below, above))


@pytest.mark.parametrize("sign", [1, -1])
def test_not_by_way_of_a_double(sign: int) -> None:
    x = sign * (1 + Fraction(1, 2**24) + Fraction(1, 2**60))
    assert nearest(x, "float32") == sign * (1 + 2**-23)
    assert np.float32(float(x)) == sign  # what rounding twice would give


def test_too_large_is_an_error_and_tiny_is_zero() -> None:
    for x, dtype in ((10**39, "float32"), (-(10**39), "float32"), (10**400, "float64")):
        with pytest.raises(EquamoError, match=f"must be in the range of {dtype}"):
            nearest(Fraction(x), dtype)
    assert nearest(Fraction(1, 10**60), "float32") == 0
    assert nearest(Fraction(3, 2**150), "float32") == 2**-148  # the last subnormals


def test_compile_says_what_does_not_fit() -> None:
    eom = derive(load("rr_arm")).subs({"g": 10**60})
    with pytest.raises(EquamoError, match="must be in the range of float32"):
        compile(eom, dtype="float32").gravity([0, 1])


# -- the definition ------------------------------------------------------------------------------------
NUMPY = {"float64": np.float64, "float32": np.float32}


def neighbours(y: float, dtype: Dtype) -> list[float]:
    real = NUMPY[dtype]
    return [float(np.nextafter(real(y), real(end))) for end in (-np.inf, np.inf)]


def numbers(dtype: Dtype, seed: int) -> list[Fraction]:
    """Of all sizes; near powers of two; halfway between two numbers; below the least."""
    random = Random(seed)
    found = [Fraction(0), PI, -PI, Fraction(1, 3)]
    low = 1074 if dtype == "float64" else 149
    for _ in range(300):
        size = Fraction(2) ** random.randint(-low - 3, 120)
        found += [size, size * Fraction(random.getrandbits(90), 2**88), -size * Fraction(1, 7)]
        y = nearest(found[-2], dtype)
        above = max(neighbours(abs(y), dtype))
        found.append((Fraction(abs(y)) + Fraction(above)) / 2)
        found.append(found[-1] * (1 + Fraction(1, 10**40)))
        found.append(size * (1 - Fraction(1, 2 ** random.randint(20, 60))))
    return found


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_nearest_number_is_nearest_by_definition_and_no_other_is(dtype: Dtype) -> None:
    for x in numbers(dtype, 3):
        y = nearest(x, dtype)
        assert is_nearest(y, x, dtype), (x, y)
        assert not any(is_nearest(other, x, dtype) for other in neighbours(y, dtype)), (x, y)


def test_only_numbers_of_the_type_are_nearest() -> None:
    assert not is_nearest(0.1, Fraction(0.1), "float32")
    assert not is_nearest(2.0**128, Fraction(2) ** 128, "float32")
    assert not is_nearest(-1.0, Fraction(1), "float64")


def test_pi_has_enough_digits() -> None:
    """The next float32 and float64 are the same for every number that begins like π."""
    for dtype in DTYPES:
        assert nearest(PI, dtype) == nearest(PI + Fraction(1, 10**49), dtype)
    assert nearest(PI, "float64") == np.pi


def test_wrong_rounding_is_not_taken_for_right(monkeypatch: pytest.MonkeyPatch) -> None:
    program = lower("f", [Argument("x", (symbol("a"),))], {"y": parse("a/3")})
    monkeypatch.setattr(
        "equamo.code.ir.rounding.nearest", lambda x, dtype: math.nextafter(float(x), 1)
    )
    with pytest.raises(EquamoError, match="must be rounded to the nearest float64, got 0"):
        rounded(program, "float64")
    proof = prove_same(program, rebuild(program), "float64")
    assert proof.verdict == "undecided"
