"""Lagrange's equations with multipliers: φ written again, in the world, for every kind of cut joint."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal, prove_zero
from equamo.mechanics.equations import derive
from equamo.mechanics.equations.derive import formulate
from equamo.mechanics.formulations.lagrange_multipliers import multiplier_equations, solve
from loops_examples import bennett, four_bar

CUTS = (
    "revolute", "spherical", "cylindrical", "universal", "fixed", "prismatic", "planar", "distance",
)  # fmt: skip


@pytest.mark.parametrize("cut", CUTS)
def test_rows_of_every_cut(cut: str) -> None:
    """A from φ in the world equals A from φ relative to the other body, for all q."""
    robot = four_bar(cut)
    found = multiplier_equations(robot)
    assert found.A.row_names == tuple(r.name for r in robot.rows)
    assert prove_equal(Matrix(found.A.rows), Matrix([r.A for r in robot.rows]))


def test_rows_of_a_spatial_loop() -> None:
    robot = bennett()
    A = Matrix([r.A for r in robot.rows])
    assert prove_equal(Matrix(multiplier_equations(robot).A.rows), A)


@pytest.mark.parametrize("normal", ["z", "y", "-z", "3/5 0 4/5"])
def test_rows_of_a_contact(normal: str) -> None:
    body = eq.Body("box", eq.free("b"), mass="m", com="a b c", inertia="1 2 3")
    contacts = [eq.contact("foot", "box", "1 2 3", normal)]
    robot = eq.Robot("box", [body], contacts=contacts).in_mode(foot="stick")
    found, eom = multiplier_equations(robot), derive(robot)
    unit = robot.unit_groups
    assert prove_equal(Matrix(found.A.rows), Matrix([r.A for r in robot.rows]), unit=unit)
    assert prove_equal(list(found.bias), list(eom.constraint_bias), unit=unit)


def test_a_pendulum_held_by_its_rod() -> None:
    """A point mass in the plane on a rod of length L is a pendulum: tension m (L θ̇² + g cos θ)."""
    slides = [
        eq.Body("rail", eq.prismatic("x", axis="x")),
        eq.Body("bob", eq.prismatic("y", axis="y"), mass="m", parent="rail"),
    ]
    rod = eq.loop("rod", "bob", joint="distance", length="L")
    robot = eq.Robot("bob", slides, gravity="0 -g 0", forces=[], loops=[rod])
    found = multiplier_equations(robot)
    u_dot, force = solve(formulate(robot, "lagrange"), Matrix(found.A.rows), found.bias)
    at = {"x": "L*sin(theta)", "y": "-L*cos(theta)", "dx": "L*w*cos(theta)", "dy": "L*w*sin(theta)"}
    # φ = (d·d − L²)/2, so λ is the force per length of the rod.
    assert prove_equal(force.subs(at)[0], "-m*(L*w**2 + g*cos(theta))/L")
    along = Vector(["cos(theta)", "sin(theta)"])  # of increasing θ
    assert prove_equal(along @ u_dot.subs(at), "-g*sin(theta)")


def test_a_joint_without_inertia() -> None:
    """The pin of a welded four-bar has no mass, so M is singular and [M Aᵀ; A 0] is not."""
    robot = four_bar("fixed")
    found = multiplier_equations(robot)
    rows = [found.A.row_names.index(n) for n in ("closure x", "closure y", "closure rz")]
    A, bias = Matrix([found.A.rows[i] for i in rows]), Vector([found.bias[i] for i in rows])
    tree = formulate(robot, "lagrange")
    u_dot, force = solve(tree, A, bias)
    assert prove_zero(A @ u_dot + bias)
    rest = tree.mass_matrix @ u_dot + tree.bias + tree.gravity - A.T @ force
    for f in tree.forces.values():
        rest = rest - f
    assert prove_zero(rest)
