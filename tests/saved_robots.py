"""Robots that together have every field of every class of the model, to be saved and loaded."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

import equamo as eq
from equamo.algebra.expr.matrix import identity
from equamo.algebra.expr.vector import Vector
from equamo.robot.formats.urdf import robot_of_urdf
from equamo.robot.library.registry import NAMES
from equamo.robot.model import BaseMotion, ForceElement
from equamo.robot.model.shape import Shape
from loops_examples import bennett, double_parallelogram, four_bar, parallelogram, watt
from planted_zoo import ZOO
from random_trees import Tree, random_tree

_UNITS: Final = ("", "kg", "m", "N m s/rad")


def drivable(robot: eq.Robot) -> list[str]:
    """Coordinates of joints with q̇ = u."""
    return [
        c for b in robot.bodies if b.joint.map() == identity(len(b.joint.q)) for c in b.joint.coordinates
    ]  # fmt: skip


def extra_forces(robot: eq.Robot, r: random.Random) -> list[ForceElement]:
    """One element of every kind, where there is room; coefficients are symbols or numbers."""
    made: list[ForceElement] = []
    for c in drivable(robot):
        gear, width = r.choice(["3", "n_gear", f"2 + cos({c})"]), r.choice([None, "w_1"])
        made += [
            eq.joint_actuator(c, f"in_{c}", gear=gear, name=f"motor {c}"),
            eq.joint_damper(c, r.choice(["d_1", "1/7"]), name=f"damper {c}"),
            eq.joint_friction(c, "Fc", r.choice(["Fv", 0]), smoothing=width, name=f"friction {c}"),
            eq.joint_spring(c, "k_1", rest=r.choice([0, "rest_1", "-1/3"]), name=f"spring {c}"),
            eq.rotor_inertia(c, "Jm", ratio=r.choice([1, "N_r", "-50"]), name=f"rotor {c}"),
        ]  # fmt: skip
    r.shuffle(made)
    made = made[:6]
    names = ["world", *(b.name for b in robot.bodies)]
    one, two = r.sample(names, 2)
    if one == "world":
        one, two = two, one
    made += [
        eq.spring(one, two, "k_2", rest=r.choice([0, "l_0"]), at="1/3 2 a_1", to_at="a_2 -1 1/5",
                  name=r.choice(["coil", ""])),
        eq.damper(one, two, "d_2", at="1/2 1 a_1", to_at="0 b_2 3", name=r.choice(["dashpot", ""])),
        eq.cylinder(one, two, "F_c", at="3 1/7 a_1", to_at="1 b_2 -2", name="cylinder"),
        eq.wrench(one, "Wx 0 1", "0 Wt 0", at="1/9 0 a_1", expressed_in=two,
                  point_in=r.choice(names), name="push it"),
        eq.torque_actuator(one, two, "T_1 0 2*T_2", name="twist"),
        eq.force_actuator(one, two, "0 F_1 0", at="a_1 0 0", to_at="0 1 a_2", name="pull"),
    ]  # fmt: skip
    return made


def adorned(seed: int, **options: Any) -> eq.Robot:
    """A random tree with all that a robot can have; base, speeds, loops and contacts take turns."""
    r = random.Random(seed)
    tree: Tree = random_tree(seed, **{"most": 4, **options})
    plain = tree.robot()
    forces = [*plain.forces, *extra_forces(plain, r)]
    home = {x.name: Fraction(r.randint(-9, 9), 10) for x in (*plain.q, *plain.v)}
    for group in plain.unit_groups:
        three, four = r.sample([x.name for x in group], 2)
        home |= {x.name: Fraction(0) for x in group}
        home |= {three: Fraction(3, 5), four: Fraction(-4, 5)}
    bodies = [b.name for b in plain.bodies]
    limits: dict[str, Any] = {
        c: {"lower": -2, "upper": "7/2", "speed": "w_max", "effort": 9} for c in drivable(plain)[:2]
    }
    other: dict[str, Any] = {}
    kind = seed % 4
    if kind == 0:
        other["base"] = BaseMotion("0 w_0 1/10", "v_0 0 -1", "0 sin(t) 0", "a_0 2 t")
    elif kind == 1 and plain.v:
        names = [f"s{k}" for k in range(len(plain.v))]
        other["speeds"] = names
        other["rates"] = {
            u.name: f"{k + 2}*s{k}" + (f" + cos({plain.q[0].name})*s{k - 1}" if k else "")
            for k, u in enumerate(plain.v)
        }
        home = {n: x for n, x in home.items() if n not in {u.name for u in plain.v}} | {"s0": 1}
    elif kind == 2 and len(bodies) > 1:
        other["loops"] = [
            eq.loop("tie", bodies[0], "1/2 0 l_1", to=bodies[-1], to_at="0 1 0",
                    joint="distance", length="l_2"),
            eq.loop("cut", bodies[-1], "0 1 1/4", to="world", joint="universal",
                    axis="3/5 0 4/5", to_at="1 0 0", to_axis="y"),
        ]  # fmt: skip
    else:
        other["contacts"] = [
            eq.contact("foot", bodies[-1], "0 0 -l_f", normal="3/5 0 4/5"), eq.contact("toe", bodies[0]),
        ]  # fmt: skip
        other["mode"] = {"foot": "stick"}
    turned = eq.revolute("a").rotation.subs({"a": 1})
    made = eq.Robot(
        f"tree {seed}", plain.bodies, plain.gravity, forces=forces,
        parameters={**plain.parameter_info, "l_3": "1/2", "r_1": "1/3"},
        home=home, limits=limits, description=f'a "random" tree, \\ {seed}',
        notation={plain.q[0].name: r"\theta", "k_1": "k'"} if plain.q else {},
        shapes={bodies[0]: [Shape("box", Vector([1, "l_3", "1/3"]), Vector([0, 0, 1])),
                            Shape("sphere", Vector(["r_1"]))],
                "world": [Shape("capsule", Vector(["1/8", 2]), turned=turned)]},
        **other,
    )  # fmt: skip
    info = {
        n: replace(p, unit=r.choice(_UNITS), nonnegative=r.random() < 0.3 and (p.value or 0) >= 0,
                   description=r.choice(["", "a parameter, 'odd' \"name\"\n"]),
                   value=p.value if r.random() < 0.8 else None)
        for n, p in made.parameter_info.items()
    }  # fmt: skip
    return _with(made, parameters=list(info.values()))


def _with(robot: eq.Robot, **changes: Any) -> eq.Robot:
    from equamo.robot.model.edits import copy_with

    return copy_with(robot, **changes)


def hostile() -> eq.Robot:
    """Names of bodies, coordinates, speeds, parameters and force elements that need quotes."""
    joint = replace(
        eq.revolute('`q"1`', at=["`l 1`", 0, 0], name="the joint"), speeds=("rate of q",)
    )  # type: ignore[arg-type]
    hinge = replace(eq.planar("x y a"), speeds=("ux", "uy", "ua"))  # type: ignore[arg-type]
    bodies = [
        eq.Body("a & b", joint, mass="`m 1`", com="0 1 0"),
        eq.Body("\"'<c>", hinge, mass=2, parent="a & b", inertia="1 2 3"),
        eq.Body("d # e = [f]", eq.fixed("1 0 0", name="weld"), parent="\"'<c>"),
    ]
    forces = [replace(eq.joint_damper("`rate`", "`d 1`", name="d = 1 # x"), speed="rate of q")]
    return eq.Robot("<robot> \u00e9\u4e2d", bodies, forces=forces, parameters={"m 1": 3},
                    home={'q"1': "1/3", "ux": 0.1})  # fmt: skip


PLANAR: Final = """<robot name="planar"><link name="base"/><link name="puck"><inertial>
<origin xyz="0.1 0.2 0.3"/><mass value="2"/>
<inertia ixx="1" ixy="0.1" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="p" type="planar"><parent link="base"/><child link="puck"/>
<origin xyz="1 2 3" rpy="0.1 0.2 0.3"/><axis xyz="0.6 0 0.8"/></joint></robot>"""


def welded(angle: str = "1/3") -> eq.Robot:
    """Two bodies that a fixed joint with a rotation closes."""
    bodies = [
        eq.Body(n, eq.revolute(q), mass=1, com="1 0 0") for n, q in (("a", "q1"), ("b", "q2"))
    ]
    tie = eq.loop("weld", "a", "1 0 0", to="b", joint="fixed", rotation=f"0 0 {angle}")
    return eq.Robot("welded", bodies, loops=[tie])


def planes() -> eq.Robot:
    """Planar joints in every plane, helical and cylindrical joints, and joints with Euler angles."""
    bodies = [
        eq.Body("a", eq.planar("p", plane="yz"), mass=1, com="1 2 3"),
        eq.Body("b", eq.planar("r", plane="zx", rotation="0 1/2 0"), mass=1, parent="a"),
        eq.Body("c", eq.helical("h", "pitch_1", axis="-y", name="screw"), mass=1, parent="b"),
        eq.Body("e", eq.cylindrical("screw travel", axis="3/5 0 4/5", name="rod"), mass=1),
        eq.Body("f", eq.cylindrical("y", at="1 l 0", rotation="1/3 0 0"), mass=1),
        eq.Body("d", eq.spherical("s", rotation="euler", orientation="1 2 3"), mass=1, parent="c"),
    ]
    return eq.Robot("planes", bodies, gravity="0 0 0", forces=[], notation={"h": "h"})


ROBOTS: Final[dict[str, Callable[[], eq.Robot]]] = {
    **ZOO,
    **{n: lambda n=n: eq.load(n) for n in NAMES},
    "parallelogram": parallelogram,
    "double parallelogram": double_parallelogram,
    "bennett": bennett,
    "watt": watt,
    "four_bar with speeds": lambda: four_bar(speeds="auto"),
    "hostile names": hostile,
    "planes": planes,
    "planar of URDF": lambda: robot_of_urdf(PLANAR),
    "welded": welded,
    "locked": lambda: eq.load("wheeled_inverted_pendulum").lock(q_imu=0),
    "floats at home": lambda: eq.load("rr_arm").with_home(q1=0.1, q2="pi/3", tau1=1e-9),
    "parameter with a pole": lambda: eq.load("rp_arm").with_values(m1="1/3"),
}
