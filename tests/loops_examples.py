"""Mechanisms with closed loops: small ones in symbols, and those compared with other programs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import equamo as eq

BUILT_IN = ("four_bar", "five_bar", "delta", "stewart", "cassie_leg")
NAMES = (*BUILT_IN, "parallelogram", "watt")
# Rows of all loops, and how many of them are independent.
RANKS = {
    "four_bar": (5, 2), "five_bar": (5, 2), "delta": (12, 12), "stewart": (18, 18),
    "cassie_leg": (6, 5), "parallelogram": (5, 2), "watt": (10, 4),
}  # fmt: skip

FOUR_BAR_VALUES = {
    "L1": "0.2", "L2": "0.5", "L3": "0.4", "L4": "0.45", "m1": "0.3", "m2": "0.7", "m3": "0.5",
    "I1": "0.01", "I2": "0.03", "I3": "0.02", "Ix": "0.004",
}  # fmt: skip


def _bar(name: str, q: str, number: int, parent: str = "world", at: str = "0 0 0") -> eq.Body:
    """Bar of length L along x that turns about z."""
    k = number
    return eq.Body(
        name,
        eq.revolute(q, axis="z", at=at),
        mass=f"m{k}",
        com=f"L{k}/2 0 0",
        inertia=f"Ix I{k} I{k}",
        parent=parent,
    )


def four_bar_home(q1: float = 1.0, sign: int = 1) -> dict[str, float]:
    """Assembled coordinates of `four_bar` with its default lengths; sign −1: the other assembly."""
    L1, L2, L3, L4 = (float(FOUR_BAR_VALUES[f"L{k}"]) for k in (1, 2, 3, 4))
    x, y = L1 * math.cos(q1), L1 * math.sin(q1)  # end of the crank
    reach = math.hypot(L4 - x, y)
    inside = math.acos((L2**2 + reach**2 - L3**2) / (2 * L2 * reach))
    angle = math.atan2(-y, L4 - x) + sign * inside  # of the coupler, in the world
    end = x + L2 * math.cos(angle), y + L2 * math.sin(angle)
    q3 = math.atan2(end[1], end[0] - L4)
    return {"q1": q1, "q2": angle - q1, "q3": q3, "q4": angle - q3}


def four_bar(
    cut: str = "revolute",
    speeds: Any = None,
    values: dict[str, Any] | None = None,
    **other: Any,
) -> eq.Robot:
    """Planar four-bar in 3D: crank q1 and rocker q3 on the ground, coupler q2 on the crank.

    The coupler is cut from the rocker by a "revolute", "spherical", "cylindrical" or "universal" joint.
    A "fixed" or "prismatic" joint (along z), or two "planar" ones (normals y and x), cut it from a pin
    that a fourth joint q4 turns on the rocker. "distance" replaces the coupler by a rod of length L2
    between crank and rocker. The bars move in the plane x-y, gravity is along −y.
    """
    bodies, second = [_bar("crank", "q1", 1)], None
    if cut != "distance":
        bodies.append(_bar("coupler", "q2", 2, "crank", "L1 0 0"))
    bodies.append(_bar("rocker", "q3", 3, at="L4 0 0"))
    options: dict[str, Any] = {"to": "rocker", "to_at": "L3 0 0", "joint": cut}
    if cut == "distance":
        loop = eq.loop("closure", "crank", "L1 0 0", length="L2", **options)
    elif cut == "universal":
        loop = eq.loop("closure", "coupler", "L2 0 0", axis="z", to_axis="x", **options)
    elif cut in ("fixed", "prismatic"):
        bodies.append(eq.Body("pin", eq.revolute("q4", at="L3 0 0"), parent="rocker"))
        options |= {"to": "pin", "to_at": "0 0 0"}
        loop = eq.loop("closure", "coupler", "L2 0 0", **options)
    elif cut == "planar":  # a second one, across it, leaves the pin
        bodies.append(eq.Body("pin", eq.revolute("q4", at="L3 0 0"), parent="rocker"))
        options |= {"to": "pin", "to_at": "0 0 0"}
        second = eq.loop("across", "coupler", "L2 0 0", axis="x", **options)
        loop = eq.loop("closure", "coupler", "L2 0 0", axis="y", **options)
    else:
        loop = eq.loop("closure", "coupler", "L2 0 0", **options)
    used = {n: x for n, x in FOUR_BAR_VALUES.items() if cut != "distance" or n not in ("m2", "I2")}
    if "home" not in other:
        other["home"] = {
            b.joint.coordinates[0]: four_bar_home()[b.joint.coordinates[0]] for b in bodies
        }
    return eq.Robot(
        f"four_bar_{cut}",
        bodies,
        gravity="0 -g 0",
        parameters=used | (values or {}),
        loops=[loop] if second is None else [loop, second],
        speeds=speeds,
        **other,
    )


def parallelogram(cut: str = "revolute", speeds: Any = None) -> eq.Robot:
    """Four-bar with equal opposite bars: L1 = L3, L2 = L4, written with two lengths a and b."""
    bodies = [
        eq.Body("crank", eq.revolute("q1"), mass="m1", com="a/2 0 0", inertia="0 I1 I1"),
        eq.Body(
            "coupler",
            eq.revolute("q2", at="a 0 0"),
            mass="m2",
            com="b/2 0 0",
            inertia="0 I2 I2",
            parent="crank",
        ),
        eq.Body(
            "rocker", eq.revolute("q3", at="b 0 0"), mass="m3", com="a/2 0 0", inertia="0 I3 I3"
        ),
    ]
    loop = eq.loop("closure", "coupler", "b 0 0", to="rocker", to_at="a 0 0", joint=cut)
    values = {"a": "0.3", "b": "0.5", "m1": 1, "m2": 2, "m3": 1, "I1": "0.01", "I2": "0.05",
              "I3": "0.01"}  # fmt: skip
    return eq.Robot(
        "parallelogram", bodies, gravity="0 -g 0", parameters=values, loops=[loop], speeds=speeds,
        home={"q1": 1, "q2": -1, "q3": 1},
    )  # fmt: skip


def double_parallelogram(speeds: Any = None) -> eq.Robot:
    """Three equal cranks of length a under one coupler: one row more than a free q shows.

    Overconstrained by closure: rank 4 for free q, rank 3 if all cranks are parallel (φ = 0).
    """
    bodies = [
        eq.Body("left", eq.revolute("q1"), mass="m", com="a/2 0 0", inertia="0 0 I"),
        eq.Body("coupler", eq.revolute("q2", at="a 0 0"), mass="M", com="b 0 0", inertia="0 0 J",
                parent="left"),
        eq.Body("middle", eq.revolute("q3", at="b 0 0"), mass="m", com="a/2 0 0", inertia="0 0 I"),
        eq.Body("right", eq.revolute("q4", at="c 0 0"), mass="m", com="a/2 0 0", inertia="0 0 I"),
    ]  # fmt: skip
    loops = [
        eq.loop("one", "coupler", "b 0 0", to="middle", to_at="a 0 0"),
        eq.loop("two", "coupler", "c 0 0", to="right", to_at="a 0 0"),
    ]
    values = {"a": "0.3", "b": "0.5", "c": "0.9", "m": 1, "M": 2, "I": "0.01", "J": "0.05"}
    return eq.Robot(
        "double_parallelogram", bodies, gravity="0 -g 0", parameters=values, loops=loops,
        speeds=speeds, home={"q1": 1, "q2": -1, "q3": 1, "q4": 1},
    )  # fmt: skip


def bennett(speeds: Any = None) -> eq.Robot:
    """Bennett's linkage: four skew revolute joints, a/sin α = b/sin β; rank 3 for free q, 2 on φ = 0.

    Bars by Denavit and Hartenberg: along x by a or b after turning about z, then about x by α or β.
    sin α = 3/5 and sin β = 4/5, so the lengths are 3 and 4 units.
    """
    turn_a = [[1, 0, 0], [0, "4/5", "-3/5"], [0, "3/5", "4/5"]]  # α
    turn_b = [[1, 0, 0], [0, "3/5", "-4/5"], [0, "4/5", "3/5"]]  # β
    bodies = [
        eq.Body("one", eq.revolute("q1"), mass="m", com="3*l/2 0 0", inertia="I I I"),
        eq.Body("two", eq.revolute("q2", at="3*l 0 0", rotation=turn_a), mass="m", com="2*l 0 0",
                inertia="I I I", parent="one"),
        eq.Body("three", eq.revolute("q3", at="4*l 0 0", rotation=turn_b), mass="m",
                com="3*l/2 0 0", inertia="I I I", parent="two"),
    ]  # fmt: skip
    # The fourth bar, 4 l long and turned by β, is the ground.
    closure = eq.loop(
        "closure", "three", "3*l 0 0", axis="0 -3/5 4/5", to_at="-4*l 0 0", to_axis="0 4/5 3/5"
    )
    q1 = math.pi / 2
    q2 = 2 * math.atan(5 / math.tan(q1 / 2))  # tan(q1/2) tan(q2/2) = 5 = sin((β+α)/2)/sin((β−α)/2)
    return eq.Robot(
        "bennett", bodies, gravity="0 0 -g", parameters={"l": "0.1", "m": 1, "I": "0.01"},
        loops=[closure], speeds=speeds, home={"q1": q1, "q2": q2, "q3": -q1},
    )  # fmt: skip


# -- compared with other programs ----------------------------------------------------------------------
def mechanism(name: str) -> eq.Robot:
    """Mechanism of one of NAMES, with numbers for all parameters."""
    if name == "parallelogram":
        return parallelogram()
    return watt() if name == "watt" else eq.load(name)


def watt() -> eq.Robot:
    """Watt's six-bar linkage: a four-bar, and a second loop on its coupler and its rocker."""

    def bar(name: str, q: str, length: str, at: str = "0 0 0", parent: str = "world") -> eq.Body:
        return eq.Body(
            name, eq.revolute(q, axis="z", at=at), mass=length, com=f"{length}/2 0.01 0",
            inertia="0.001 0.01 0.01", parent=parent,
        )  # fmt: skip

    bodies = [
        bar("crank", "q1", "0.2"),
        bar("coupler", "q2", "0.5", "0.2 0 0", "crank"),
        bar("upper", "q3", "0.4", "0.2 0.3 0", "coupler"),
        bar("rocker", "q4", "0.4", "0.45 0 0"),
        bar("lower", "q5", "0.45", "0.3 -0.25 0", "rocker"),
    ]
    loops = [
        eq.loop("first", body="coupler", at="0.5 0 0", to="rocker", to_at="0.4 0 0"),
        eq.loop("second", body="upper", at="0.4 0 0", to="lower", to_at="0.45 0 0"),
    ]
    guess = {"q1": 1.0, "q2": -0.2, "q3": -0.5, "q4": 1.2, "q5": 0.3}
    robot = eq.Robot("watt", bodies, gravity="0 -9.81 0", loops=loops, home=guess)
    home = dict(zip(guess, eq.assemble(robot).q, strict=True))
    return eq.Robot("watt", bodies, gravity="0 -9.81 0", loops=loops, home=home)


def closed_states(
    robot: eq.Robot, count: int, seed: int, spread: float = 0.15
) -> list[tuple[np.ndarray, np.ndarray]]:
    """States near home with φ(q) = 0 and A(q) v = 0."""
    random = np.random.default_rng(seed)
    home = np.array([float(x) for x in robot.home.q.values()])
    states: list[tuple[np.ndarray, np.ndarray]] = []
    while len(states) < count:
        q = home + random.uniform(-spread, spread, len(home))
        for group in robot.unit_groups:
            at = [robot.joint_coordinates.index(x) for x in group]
            q[at] /= np.linalg.norm(q[at])
        try:
            state = eq.assemble(robot, q, random.uniform(-1, 1, len(robot.v)))
        except eq.AssemblyError:  # too far away: draw another one
            continue
        states.append((state.q, state.v))
    return states
