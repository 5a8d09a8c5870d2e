"""Five formulations proved equal on random trees: M, bias, gravity and every force."""

from __future__ import annotations

from collections import Counter

import pytest

from identities import Derived, agreement, failures
from random_trees import KINDS, WHOLE_SWEEPS, random_tree

TREES = range(200)


@pytest.mark.ci
def test_every_kind_of_joint_occurs_often() -> None:
    trees = [random_tree(seed) for seed in TREES]
    kinds = sum((tree.kinds for tree in trees), Counter[str]())
    assert set(kinds) == set(KINDS)
    assert min(kinds.values()) >= 20, kinds
    assert max(len(tree.links) for tree in trees) == 12
    branching = [t for t in trees if len({x.parent for x in t.links}) < len(t.links)]
    assert len(branching) > 100


@pytest.mark.sweep(5)
@pytest.mark.parametrize("seed", TREES if WHOLE_SWEEPS else TREES[::16])
def test_five_formulations_agree(seed: int) -> None:
    robot = random_tree(seed).robot()
    groups = agreement(Derived(robot))
    assert len(groups) == 4 * (3 + len(robot.forces))
    assert not failures(robot, groups)
