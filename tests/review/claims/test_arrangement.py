"""Equations printed in an order of their own."""

import pytest

from equamo.errors import FileFormatError
from equamo.review.claims import audit, claim

G2 = "m2*Lc2*g*cos(q1 + q2)"
G1 = f"(m1*Lc1 + m2*L1)*g*cos(q1) + {G2}"


def test_an_order_names_every_equation_once() -> None:
    other = claim("x", "eq. 1", [G2, G1], "gravity", order=["q2", "q1"])
    assert audit([other], "rr_arm", seed=1).ok
    for order in (["q1", "q1"], ["q1"]):
        with pytest.raises(FileFormatError, match="order"):
            audit([claim("x", "eq. 1", [G2, G1], "gravity", order=order)], "rr_arm")
