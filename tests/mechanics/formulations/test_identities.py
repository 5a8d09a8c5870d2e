"""Identities of mechanics, proved on random trees. What each says is in tests/identities.py."""

from __future__ import annotations

from functools import cache

import pytest

from equamo.errors import ModelError
from equamo.mechanics.formulations.kane import simplified_right_hand_side
from equamo.robot.library import load
from equamo.robot.library.krang import krang
from equamo.robot.model import check
from identities import IDENTITIES, Derived, failures, simplified_right_hand_sides
from random_trees import KINDS, WHOLE_SWEEPS, random_tree

SEEDS = range(24 if WHOLE_SWEEPS else 7)
SPEEDS = 16 if WHOLE_SWEEPS else 12


@cache
def derived(seed: int) -> Derived:
    return Derived(random_tree(seed, bodies=4, speeds=SPEEDS).robot(), seed)


def test_every_kind_of_joint_occurs() -> None:
    assert {k for s in range(7) for k in random_tree(s, bodies=4, speeds=12).kinds} == set(KINDS)


@pytest.mark.parametrize("name", IDENTITIES)
def test_identity(name: str) -> None:
    for seed in SEEDS:
        d = derived(seed)
        assert not failures(d.robot, {f"{name}, tree {seed}": IDENTITIES[name](d)})


def test_check_finds_nothing_wrong() -> None:
    """Rotations are orthonormal, axes match them, inertias are physical."""
    for seed in SEEDS:
        assert check(derived(seed).robot).ok


@pytest.mark.parametrize("seed", SEEDS)
def test_simplified_right_hand_side_on_revolute_trees(seed: int) -> None:
    """Document 000 leaves the comparison of (15), (19), (23) with (13), (16), (21) undone."""
    robot = random_tree(seed, kinds=("revolute", "revolute", "fixed"), bodies=7).robot()
    assert not failures(robot, {"": simplified_right_hand_sides(Derived(robot))})


def test_simplified_right_hand_side_on_krang() -> None:
    robot = krang()
    d = Derived(robot)
    assert len(robot.forces) == 19
    assert not failures(robot, {"": simplified_right_hand_sides(d)})


def test_simplified_right_hand_side_is_for_revolute_joints() -> None:
    with pytest.raises(
        ModelError, match="all joints must be revolute, got a sliding joint at body"
    ):
        simplified_right_hand_side(load("rp_arm"))


@pytest.mark.parametrize("name", ["velocities", "relative_motion", "jacobian_route", "momentum"])
def test_identity_on_krang(name: str) -> None:
    d = Derived(krang(frames=6))
    assert not failures(d.robot, {name: IDENTITIES[name](d)})
