"""Numbers are rounded once: against NumPy where its way by a double is exact, and where it is not."""

from fractions import Fraction
from random import Random

import numpy as np
import pytest

from equamo.catalog import load
from equamo.equations import derive
from equamo.errors import EquamoError
from equamo.ir.rounding import nearest
from equamo.jit.compiled import compile


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
