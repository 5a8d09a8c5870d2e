"""Small robots that together have every line of a certificate and every function of a program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import equamo as eq
from force_robots import arm, one_of_each
from loops_examples import four_bar


def forces() -> eq.Robot:
    """Every kind of force element, in a plane."""
    return arm(*one_of_each())


def pendulum() -> eq.Robot:
    """Two joints in space, an actuator, a damper and a spring: a robot that is proved quickly."""
    bodies = [
        eq.Body("arm", eq.revolute("q1", axis="z"), mass="m0", com="1/4 0 b", inertia="1 1 2"),
        eq.Body("rod", eq.revolute("q2", axis="3/5 0 4/5", at="0 a 0"), mass="m1", com="b c 1/2",
                inertia=[["I1", "I4", "1/7"], ["I4", "I2", "1/9"], ["1/7", "1/9", "I3"]],
                parent="arm"),
    ]  # fmt: skip
    elements = [eq.joint_actuator("q1"), eq.joint_damper("q2", "d"), eq.joint_spring("q2", "k")]
    values = {"m0": 1, "a": "0.2", "m1": 2, "b": "0.1", "c": "0.3", "I1": 1, "I2": 2, "I3": "1.5",
              "I4": "0.1", "d": "0.4", "k": 3, "g": "9.81"}  # fmt: skip
    return eq.Robot("pendulum", bodies, forces=elements, gravity="0 g/3 -g", parameters=values)


def flying() -> eq.Robot:
    """A free body with a unit quaternion, and an arm on it."""
    base = eq.Body("base", eq.free("base"), mass="m", com="c 0 0", inertia="1 2 3")
    hand = eq.Body("hand", eq.revolute("q1", axis="z", at="a 0 0"), mass="m2", com="1/3 1/5 0",
                   inertia="1 1 2", parent="base")  # fmt: skip
    values = {"m": 2, "c": "0.1", "a": "0.6", "m2": 1, "g": "9.81"}
    return eq.Robot("flying", [base, hand], forces=[eq.joint_actuator("q1")], parameters=values)


def rolling() -> eq.Robot:
    """Chosen speeds and constraints."""
    return eq.load("rolling_disc")


def closed() -> eq.Robot:
    """A loop whose dependent coordinates are eliminated in closed form."""
    return eq.derive(four_bar()).explicit().robot


def held() -> eq.Robot:
    """A free body that stands on two points; some rows are redundant."""
    bodies = [
        eq.Body("base", eq.free("b", rotation="euler"), mass="m", com="0 0 c", inertia="1 2 3"),
        eq.Body("leg", eq.revolute("q", axis="y", at="0 1 0"), mass=1, com="0 0 -1", parent="base"),
    ]
    points = [eq.contact("left", "leg", "0 0 -2"), eq.contact("right", "base", "0 -1 -2", "y")]
    values = {"m": 2, "c": "0.1", "g": "9.81"}
    whole = eq.Robot("held", bodies, contacts=points, parameters=values)
    return whole.in_mode(left="stick", right="stick")


ZOO: Final[dict[str, Callable[[], Any]]] = {
    "forces": forces,
    "pendulum": pendulum,
    "flying": flying,
    "rolling": rolling,
    "four_bar": four_bar,
    "closed": closed,
    "held": held,
    "rr_arm": lambda: eq.load("rr_arm"),
}
