"""`eq.compare` of robots with more than one quaternion."""

from equamo.certificate import compare
from equamo.equations import derive
from equamo.model import Body, Robot, spherical


def two_balls(tail: str) -> Robot:
    return Robot("two balls", [
        Body("a", spherical("p"), mass=1, com="1 0 0", inertia="1 2 3"),
        Body("b", spherical(tail), mass=2, com="0 1 0", inertia="2 2 1", parent="a"),
    ])  # fmt: skip


def test_two_quaternion_joints() -> None:
    """Their unit groups are put in order: expressions have none of their own."""
    comparison = compare(derive(two_balls("r")), derive(two_balls("r"), by="kane"))
    assert comparison, str(comparison)
    assert comparison.compared == 33


def test_quaternions_of_two_robots() -> None:
    """The groups of both are known, each once."""
    comparison = compare(derive(two_balls("r")), derive(two_balls("s")))
    assert not comparison
    assert {d.proof.verdict for d in comparison.differences} == {"refuted"}
