"""Body: mass, centre of mass and tensor, or an Inertia that has all three."""

import pytest

import equamo as eq
from equamo.errors import ModelError
from equamo.robot.model.inertia import Inertia

RING = Inertia.central("m", "c 0 0", "0 0 J")


@pytest.mark.parametrize(
    "extra", [{"mass": 2}, {"mass": 0}, {"com": "0 0 1"}, {"mass": "m", "com": 0}]
)
def test_an_inertia_has_its_mass_already(extra: dict) -> None:
    with pytest.raises(ModelError, match=r"'b': (mass|com) must not be passed .*=Inertia\.central"):
        eq.Body("b", eq.revolute("q"), inertia=RING, **extra)


def test_both_ways_to_give_it() -> None:
    assert eq.Body("b", inertia=RING).inertia == RING
    assert eq.Body("b", mass="m", com="c 0 0", inertia="0 0 J").inertia == RING
    assert eq.Body("b", mass="m").inertia == Inertia.central("m")
    assert eq.Body("b").inertia == Inertia.central(0)
    assert eq.Body("b", mass=0, com="1 0 0").inertia.is_zero


def test_the_world_is_not_a_body() -> None:
    with pytest.raises(ModelError, match="must not be 'world', which is the root; rename it"):
        eq.Body("world")
