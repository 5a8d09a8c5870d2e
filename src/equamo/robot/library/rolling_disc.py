"""Thin disc that rolls on a horizontal plane without slipping.

Source: T. R. Kane and D. A. Levinson, Dynamics: Theory and Applications, McGraw-Hill 1985. The rolling
disc example in the documentation of SymPy's mechanics has the same coordinates and speeds; the tests
prove its result:

    u̇1 = (6 r u2 u3 − r u3² tan(lean) + 4 g sin(lean)) / (5 r)
    u̇2 = −2 u1 u3 / 3
    u̇3 = u1 (u3 tan(lean) − 2 u2)

The frame `contact` is at the contact point and follows the heading (x, y, yaw); `leaning` is rotated by
`lean` about x of `contact`. In `leaning` the centre of the disc is at distance r along z, and the disc
spins about y. The speeds u1, u2, u3 are the components of the disc's angular velocity in `leaning`.
They are singular if the disc lies flat (cos(lean) = 0).
"""

from __future__ import annotations

from fractions import Fraction

from ..model import Body, Parameter, Robot, constraint, planar, revolute

# The velocity of the material point of the disc at the contact is zero, along the heading and across it.
ROLLING = (
    constraint("dx*cos(yaw) + dy*sin(yaw) = r*dspin", "disc rolls"),
    constraint("dy*cos(yaw) - dx*sin(yaw)", "no skidding"),
)


def rolling_disc() -> Robot:
    """Build the rolling disc, thin and homogeneous.

    >>> rolling_disc().q
    (x, y, yaw, lean, spin)
    >>> rolling_disc().v
    (u1, u2, u3)
    """
    return Robot(
        "rolling_disc",
        [
            Body("contact", planar("x y yaw")),
            Body("leaning", revolute("lean", "x"), parent="contact"),
            Body("disc", revolute("spin", "y", at="0 0 r"), mass="m",
                 inertia="m*r**2/4 m*r**2/2 m*r**2/4", parent="leaning"),
        ],
        forces=[],
        parameters=[
            Parameter("m", 1, "kg", "mass of the disc (plausible)"),
            Parameter("r", Fraction("0.3"), "m", "radius of the disc (plausible)"),
            Parameter("g", Fraction("9.81"), "m/s²", "gravity, along −z"),
        ],
        constraints=ROLLING,
        speeds={"u1": "dlean", "u2": "dspin + dyaw*sin(lean)", "u3": "dyaw*cos(lean)"},
        home={"u2": 10},
        description="thin disc rolling on a plane (Kane and Levinson 1985)",
    )  # fmt: skip
