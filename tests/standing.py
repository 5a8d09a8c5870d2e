"""A standing robot: its points are held to the ground."""

from __future__ import annotations

import equamo as eq


def standing() -> eq.Robot:
    """A floating body with a leg, two points of which are held: quaternions, and no loop."""
    body = eq.Body("body", eq.free("b"), mass="m", com="0 0 c", inertia="I 2*I 3*I")
    leg = eq.Body(
        "leg", eq.revolute("q", axis="y", at="a 0 0"), mass="k", com="0 0 -a", parent="body"
    )
    contacts = [eq.contact("hand", "body", "0 a c"), eq.contact("foot", "leg", "0 0 -2*a")]
    values = {"m": 5, "c": "0.1", "I": "0.2", "a": "0.3", "k": 1}
    mode = {"hand": "stick", "foot": "stick"}
    return eq.Robot("standing", [body, leg], parameters=values, contacts=contacts, mode=mode)
