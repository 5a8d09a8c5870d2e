"""The Coriolis matrix by recursion is Christoffel's, for every kind of joint."""

import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity.prove import prove_equal, prove_zero
from equamo.mechanics.equations import derive
from equamo.mechanics.equations.coriolis import christoffel, prefers_recursion
from equamo.mechanics.recursions.coriolis import coriolis_matrix
from equamo.mechanics.recursions.energy import kinetic_energy
from equamo.robot.catalog import load
from equamo.robot.model import BaseMotion, Robot
from equamo.robot.model.edits import copy_with
from random_trees import random_tree


def check(robot: Robot) -> None:
    eom = derive(robot, by="lagrange")
    C = coriolis_matrix(robot)
    assert prove_equal(C, eom.coriolis_matrix, unit=robot.unit_groups, seed=1)
    assert prove_zero(list(C @ Vector(robot.v) - eom.bias), unit=robot.unit_groups, seed=1)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", range(1, 200, 8 if WHOLE_SWEEPS else 50))
def test_equal_on_random_trees(seed: int) -> None:
    check(random_tree(seed, most=5).robot())


@pytest.mark.parametrize("name", ["three_link_prismatic_arm", "puma560"])
def test_equal_on_robots(name: str) -> None:
    check(load(name))


@pytest.mark.parametrize("name", ["krang", "starleth"])
def test_kinetic_energy_by_recursion(name: str) -> None:
    robot = load(name)
    assert prove_equal(kinetic_energy(robot), derive(robot).kinetic_energy, seed=1)


def test_the_equations_of_a_larger_tree_have_the_matrix_of_the_recursion() -> None:
    robot = load("krang")
    eom = derive(robot)
    assert eom.coriolis_matrix.rows == coriolis_matrix(robot).rows
    assert prove_equal(eom.coriolis_matrix, christoffel(robot, eom.mass_matrix), seed=1)
    assert prefers_recursion(robot)
    assert not prefers_recursion(load("puma560"))
    assert not prefers_recursion(load("krang_on_wheels"))
    assert not prefers_recursion(
        copy_with(robot, base=BaseMotion("0 0 w0", "0 0 0", "0 0 0", "0 0 0"))
    )
