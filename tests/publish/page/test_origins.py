"""Names of intermediate quantities on the page: each names the node that it says."""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

import equamo as eq
from equamo.algebra.expr import Expr
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.algebra.expr.walk import symbols, walk
from equamo.mechanics.kinematics.poses import poses
from equamo.publish.page.origins import _put, named_nodes, symbol_bodies
from equamo.review.referee.link_inertias import LinkInertia
from equamo.robot.model import BaseMotion, edits


def test_composite_bodies() -> None:
    """Mass, first moment and tensor of a body with all it carries, against sums of moved inertias."""
    eom = eq.derive(eq.load("rx90"))
    robot, named = eom.robot, named_nodes(eom)
    pose = poses(robot)
    ten = {b.name: b.inertia.ten for b in robot.bodies}
    every = [*named, *(x for t in ten.values() for x in t)]
    every += [x for p in pose.values() for x in (*p.rotation.entries, *p.position)]
    random = Random(1)
    values = {s: random.uniform(0.5, 1.5) for s in symbols(every)}
    known = dict(zip(every, evaluate_floats(every, values), strict=True))

    def numbers(e: Any) -> np.ndarray:
        return np.array([float(known[x]) for x in e])

    def composite(name: str) -> LinkInertia:
        """Body `name` with those after it, since the arm is a chain, in the frame of `name`."""
        total, first = LinkInertia.zero(), [b.name for b in robot.bodies].index(name)
        A = numbers(pose[name].rotation.entries).reshape(3, 3)
        r = numbers(pose[name].position)
        for b in robot.bodies[first:]:
            B = numbers(pose[b.name].rotation.entries).reshape(3, 3)
            m, *rest = numbers(ten[b.name])
            (xx, xy, xz, yy, yz, zz) = rest[3:]
            J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            own = LinkInertia(m, np.array(rest[:3]), J)
            total = total + own.moved(A.T @ B, A.T @ (numbers(pose[b.name].position) - r))
        return total

    expected = {}
    for b in robot.bodies[:-1]:  # the last one consists of its own parameters
        I = composite(b.name)
        own = {"mc": I.mass} | {f"hc{c}": x for c, x in zip("xyz", I.first_moment, strict=True)}
        own |= {f"Jc{'xyz'[i]}{'xyz'[j]}": I.tensor[i, j] for i in range(3) for j in range(i, 3)}
        expected |= {f"{name} {b.name}": x for name, x in own.items()}
    found = {
        f"{name.letter}{name.component} {name.body}": numbers([node])[0] * (-1 if name.minus else 1)
        for node, name in named.items()
        if name.letter in ("mc", "hc", "Jc")
    }
    assert found.keys() == expected.keys()
    assert len(found) == 50
    for key, x in expected.items():
        np.testing.assert_allclose(found[key], x, rtol=1e-9, atol=1e-9, err_msg=key)


def test_only_recursive_equations_have_names() -> None:
    robot = eq.load("rr_arm")
    assert named_nodes(eq.derive(robot))
    assert named_nodes(eq.derive(robot, by="kane")) == {}
    assert named_nodes(eq.derive(robot).subs({"m1": 2})) == {}


def test_symbols_numbers_and_signs_are_not_named() -> None:
    named: dict[Expr, Any] = {}
    a, b = eq.parse("a + b"), eq.parse("a*b")
    _put(named, "F", [eq.parse("a"), -a, b], "arm")
    _put(named, "N", [a, eq.parse("2"), eq.parse("-c")], "arm")
    assert {x: (n.letter, n.body, n.component, n.minus) for x, n in named.items()} == {
        a: ("F", "arm", "y", True),  # the first name stays
        b: ("F", "arm", "z", False),
    }


def test_bodies_of_symbols() -> None:
    """A length of a joint belongs to the joint, even if an inertia has it too."""
    found = {s.name: x for s, x in symbol_bodies(eq.load("rr_arm")).items()}
    assert found == {
        "q1": (["upper"], False), "dq1": (["upper"], False), "ddq1": (["upper"], False),
        "q2": (["fore"], False), "dq2": (["fore"], False), "ddq2": (["fore"], False),
        "L1": (["fore"], False),
        "m1": (["upper"], True), "Lc1": (["upper"], True), "I1": (["upper"], True),
        "m2": (["fore"], True), "Lc2": (["fore"], True), "I2": (["fore"], True),
    }  # fmt: skip


def test_intermediates_of_the_equations() -> None:
    """Forces of gravity at rest, those of speeds on a moving base, and composite bodies in M."""
    base = BaseMotion(w="0 0 w0", alpha="0 0 a0", a="b0 0 0")
    eom = eq.derive(edits.copy_with(eq.load("rr_arm"), base=base))
    forces = {"N_upper_z", "n_upper_z", "n_fore_z", "f_fore_x", "f_fore_y"}
    forces |= {f"a_{body}_{c}" for body in ("upper", "fore") for c in "xy"}
    assert _names_in(eom, eom.gravity) == forces
    assert _names_in(eom, eom.bias) == forces | {"w_upper_z", "w_fore_z"}
    assert _names_in(eom, eom.mass_matrix.entries) == {"Jc_upper_zz"}


def test_intermediates_with_chosen_speeds() -> None:
    """Joint speeds are replaced in the named nodes as they are in the equations."""
    eom = eq.derive(eq.load("rolling_disc"))
    found = _names_in(eom, eom.bias)
    assert {"w_disc_y", "w_disc_z", "w_leaning_y", "w_leaning_z", "n_disc_y", "a_disc_y"} <= found


def _names_in(eom: eq.EquationsOfMotion, part: Any) -> set[str]:
    nodes = set(walk(list(part)))
    return {x.text.removeprefix("minus_") for node, x in named_nodes(eom).items() if node in nodes}
