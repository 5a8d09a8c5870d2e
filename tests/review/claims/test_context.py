"""Symbols of a document on the motion of a robot."""

import pytest

from equamo.review.claims import audit, claim


@pytest.mark.parametrize(
    "text",
    ["dt(psi) = dpsi", "dt(sin(psi)*theta_L) = cos(psi)*dpsi*theta_L + sin(psi)*dtheta_L"],
)
def test_a_dependent_coordinate_has_the_rate_of_its_joint(text: str) -> None:
    """psi is not a coordinate of the wheeled robot: it follows from the wheels."""
    one = claim("x", "p", text, on_motion=True)
    assert audit([one], "wheeled_inverted_pendulum", seed=1).ok
