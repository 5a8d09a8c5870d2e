"""Regrouping rules: each relation is proved, and each rule is seen to be used."""

from __future__ import annotations

import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import ONE, ZERO, Expr, symbol
from equamo.algebra.identity.prove import prove_all
from equamo.mechanics.equations import derive
from equamo.mechanics.equations.base_parameters import column_keys
from equamo.mechanics.equations.regressor import owners
from equamo.mechanics.recursions.regrouping import Elimination, Relation, movable, regrouping
from equamo.robot.library import load, names
from equamo.robot.model import (
    BaseMotion,
    Body,
    Inertia,
    Robot,
    fixed,
    prismatic,
    revolute,
    rotor_inertia,
    spherical,
)
from equamo.robot.model.inertia import NAMES
from random_trees import random_tree

SEEDS = range(0, 200, 4 if WHOLE_SWEEPS else 20)


def ten(name: str) -> Inertia:
    return Inertia.about_origin([symbol(f"{n}_{name}") for n in NAMES])


def relations(robot: Robot) -> list[Relation]:
    parts = regrouping(robot.tree, [b.name for b in owners(robot)])
    return [r for part in parts for r in (*part.relations, *part.rotors)]


def all_hold(robot: Robot) -> bool:
    """Whether Σ coefficient · column = 0 is proved for every relation."""
    Y = derive(robot).regressor
    position = {key: k for k, key in enumerate(column_keys(Y))}
    groups: list[list[Expr]] = []
    for relation in relations(robot):
        group: list[Expr] = []
        for row in Y.matrix.rows:
            total = ZERO
            for key, x in relation.items():
                total = total + x * row[position[key]]
            group.append(total)
        groups.append(group)
    assert groups
    return all(prove_all(groups, unit=robot.unit_groups, seed=1))


@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", names())
def test_relations_of_robots_hold(name: str) -> None:
    assert all_hold(load(name))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_relations_of_random_trees_hold(seed: int) -> None:
    assert all_hold(random_tree(seed, speeds=12, forces=False).robot())


def nulls(robot: Robot, body: str) -> set[str]:
    """Parameters of a body that have no effect by a rule."""
    found = [r for r in relations(robot) if len(r) == 1]
    return {n for r in found for n, owner in r if owner == body}


def test_a_body_that_never_rotates_has_its_mass_only() -> None:
    robot = Robot("gantry", [
        Body("x", prismatic("a", "x"), inertia=ten("x")),
        Body("y", prismatic("b", "y", at="1 2 3"), inertia=ten("y"), parent="x"),
    ])  # fmt: skip
    assert nulls(robot, "x") == nulls(robot, "y") == set(NAMES) - {"m"}
    assert all_hold(robot)


def test_a_planar_chain_has_three_parameters_per_body() -> None:
    robot = Robot("planar", gravity="0 -g 0", bodies=[
        Body("one", revolute("a"), inertia=ten("one")),
        Body("slide", prismatic("s", "x"), inertia=ten("slide"), parent="one"),
        Body("two", revolute("b", at="L 0 0"), inertia=ten("two"), parent="slide"),
    ])  # fmt: skip
    unseen = {"MZ", "XX", "XY", "XZ", "YY", "YZ"}
    assert nulls(robot, "two") == unseen
    assert nulls(robot, "one") == {*unseen, "m"}
    assert all_hold(robot)


def test_an_axis_that_is_no_coordinate_axis() -> None:
    e = "3/5 0 4/5"
    robot = Robot("oblique", [
        Body("one", revolute("a", e), inertia=ten("one")),
        Body("two", revolute("b", e, at="L 0 d"), inertia=ten("two"), parent="one"),
        Body("three", revolute("c", e, rotation="0 0 pi/2"), inertia=ten("three"), parent="two"),
    ])  # fmt: skip
    assert derive(robot).base_parameters.count == 3 + 3 + 7
    assert all_hold(robot)


def test_a_first_body_along_gravity_has_one_parameter() -> None:
    for gravity, unseen in (("0 0 -g", {"MX", "MY"}), ("0 -g 0", set()), ("0 0 0", {"MX", "MY"})):
        robot = Robot("top", gravity=gravity, bodies=[Body("b", revolute("a"), inertia=ten("b"))])
        assert nulls(robot, "b") & {"MX", "MY"} == unseen
        assert all_hold(robot)
    ball = Robot("ball", gravity="0 0 0", bodies=[Body("b", spherical("a"), inertia=ten("b"))])
    assert nulls(ball, "b") == {"m", "MX", "MY", "MZ"}
    assert all_hold(ball)


def test_a_moving_base_shows_more() -> None:
    """No direction is fixed any more, and gravity is not alone."""
    robot = Robot(
        "top", [Body("b", revolute("a"), inertia=ten("b"))], base=BaseMotion(w="0 0 w0", a="a0 0 0")
    )
    assert nulls(robot, "b") == {"m", "MZ"}
    assert all_hold(robot)


def test_rotors_that_are_not_told_from_their_body() -> None:
    """The first joint, and a second one across it; not a parallel one, nor a third one."""

    def robot(second: str, third: str) -> Robot:
        return Robot("rotors", [
            Body("one", revolute("a", "z"), inertia=ten("one")),
            Body("two", revolute("b", second, at="L 0 0"), inertia=ten("two"), parent="one"),
            Body("three", revolute("c", third, at="d 0 0"), inertia=ten("three"), parent="two"),
        ], forces=[rotor_inertia(q, f"J{q}") for q in "abc"])  # fmt: skip

    def found(r: Robot) -> set[str]:
        return {owner for x in relations(r) for n, owner in x if n == "Ia"}

    assert found(robot("y", "x")) == {"rotor_a", "rotor_b"}
    assert found(robot("z", "x")) == {"rotor_a", "rotor_c"}
    assert found(robot("3/5 0 4/5", "y")) == {"rotor_a"}
    assert all_hold(robot("y", "x"))
    assert all_hold(robot("z", "x"))


def test_frames_without_mass_are_passed_over() -> None:
    robot = Robot("tool", [
        Body("arm", revolute("a", "x"), inertia=ten("arm")),
        Body("flange", fixed("0 0 1", "0 pi/2 0"), parent="arm"),
        Body("tool", fixed("1 0 0"), inertia=ten("tool"), parent="flange"),
        Body("stand", fixed("1 0 0"), inertia=ten("stand")),
    ])  # fmt: skip
    owned = {owner for r in relations(robot) for _, owner in r}
    assert owned == {"arm", "tool", "stand"}
    assert nulls(robot, "stand") == set(NAMES)
    assert all_hold(robot)


def test_movable_inertias_of_joints() -> None:
    assert len(movable(fixed("1 0 0"))) == 10
    assert len(movable(prismatic("q"))) == 6
    assert len(movable(revolute("q"))) == 3
    assert [x.ten[0] for x in movable(spherical("q"))] == [ONE]


def test_elimination_expresses_each_column_by_kept_ones() -> None:
    a, b, c, d = (("m", n) for n in "abcd")
    two, x = symbol("t"), symbol("x")
    elimination = Elimination([a, b, c, d])
    elimination.add({a: ONE, b: two}, "a")  # a = −t b
    elimination.add({b: ONE, c: -x}, "b")  # b = x c, so a = −t x c
    elimination.add({a: ONE, c: two * x}, "a")  # nothing new
    assert elimination.kept == [c, d]
    assert elimination.expressed == {a: {c: -(two * x)}, b: {c: x}}
