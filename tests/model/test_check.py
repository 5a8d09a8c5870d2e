"""`check`: what a model cannot be."""

import pytest

import equamo as eq
from equamo.errors import ModelError, UnknownNameError


def test_a_reflection_is_not_a_rotation() -> None:
    """Orthonormal unit vectors that are left-handed: only the determinant tells."""
    mirror = eq.unit_vectors("q", x="cos(q) sin(q) 0", y="sin(q) -cos(q) 0", z="0 0 1")
    robot = eq.Robot("mirror", [eq.Body("a", mirror, mass=1, inertia="1 1 1")])
    found = {f.entry: f.problem for f in eq.check(robot).findings}
    assert "the determinant is not +1: not a rotation" in found["det A"]
    assert not [entry for entry in found if entry.startswith("A Aᵀ")]


def test_an_inertia_is_a_sequence() -> None:
    with pytest.raises(ModelError, match="text or a sequence of quantities, not 5"):
        eq.Body("a", eq.revolute("q"), mass=1, inertia=5)


def test_limits_by_name() -> None:
    body = eq.Body("a", eq.revolute("q"), mass=1)
    limits = eq.Robot("arm", [body], limits={"q": {"upper": 1, "speed": 2}}).limits["q"]
    assert (limits.lower, limits.upper, limits.speed, limits.effort) == (None, 1, 2, None)
    with pytest.raises(UnknownNameError, match=r"no limit 'lowr'.*Did you mean 'lower'"):
        eq.Robot("arm", [body], limits={"q": {"lowr": 1}})
