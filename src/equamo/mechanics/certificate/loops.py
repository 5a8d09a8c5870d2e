"""Identities of robots with loops, held contacts or velocity constraints, both sides of each.

With the rows A u = 0 in the joint speeds u, the multipliers λ and chosen speeds u = W v, these are, for
all q (not only where the loops are closed):

    rows         A and Ȧ u are the same from φ in the frame of `to`, φ in the world, and the recursions
    motion       M u̇ + C u + g = Σ f + Aᵀ λ and A u̇ + Ȧ u = 0 for u̇ and λ of the augmented form
    no work      u·Aᵀ λ = 0 if A u = 0: the applied forces alone change the energy
    projected    Nᵀ (M u̇ + C u + g − Σ f) = 0, A N = 0
    minimal      u̇ of the augmented form at u = W v equals W v̇ + Ẇ v of the minimal form
    multipliers  the same for v̇ by Kane's equations and u̇ by Lagrange's equations with multipliers
    impact       ½ v⁻·M v⁻ − ½ v⁺·M v⁺ = ½ (1 − e²) (A v⁻)·Λ (A v⁻), A v⁺ = −e A v⁻

`cuts` has the identity that needs closed loops.
"""

from __future__ import annotations

from ...algebra.expr import HALF, Expr, internal
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...robot.model import Robot
from ...robot.model.edits import copy_with
from ..equations import EquationsOfMotion, derive
from ..equations.constrained import row_bias
from ..equations.constraint_space import ConstraintSpace
from ..equations.derive import formulate
from ..equations.impact import jump
from ..equations.stance import projected
from ..formulations.lagrange_multipliers import multiplier_equations, solve
from ..kinematics import closure
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..recursions.factorisation import ltdl
from .sides import Sides, sides, vanishing


def rows(robot: Robot) -> list[Sides]:
    """A and Ȧ u of loops and contacts: by the model, from φ in the world, and from the joint axes."""
    own = robot.closure_rows
    bare = copy_with(robot, speeds=None)
    A, in_world = Matrix([r.A for r in own]), multiplier_equations(bare)
    both = sides(A, in_world.A) + sides(A, closure.constraint_matrix(bare))
    both += sides(row_bias(bare, own), list(in_world.bias))
    return both + sides(list(in_world.bias), list(closure.constraint_bias(bare)))


def applied(eom: EquationsOfMotion) -> Vector:
    """Sum of the generalized forces of all elements."""
    total = Vector([0] * len(eom.v))
    for f in eom.forces.values():
        total = total + f
    return total


def accelerations(eom: EquationsOfMotion) -> Vector:
    """v̇ of the state derivative."""
    return Vector(eom.state_derivative[len(eom.q) :])


def motion(eom: EquationsOfMotion) -> list[Sides]:
    """M v̇ + C v + g = Σ f + Aᵀ λ, A v̇ + Ȧ v = 0 and q̇ = N v at the state derivative."""
    space, v_dot = ConstraintSpace(eom, "prove()"), accelerations(eom)
    force = Vector([eom.constraint_forces[n] for n in space.rows])
    whole = eom.mass_matrix @ v_dot + eom.bias + eom.gravity
    both = sides(list(whole), list(applied(eom) + space.A.T @ force))
    both += sides(list(space.A @ v_dot), list(-space.bias))
    rates = Vector(eom.state_derivative[: len(eom.q)])
    return [*sides(rates, eom.kinematic_map @ Vector(eom.v)), *both]


def no_work(eom: EquationsOfMotion) -> list[Sides]:
    """v·(M v̇ + C v + g) = v·Σ f at the state derivative, for v projected onto A v = 0."""
    space = ConstraintSpace(eom, "prove()")
    v = space.projector @ Vector(eom.v)
    whole = eom.mass_matrix @ accelerations(eom) + eom.bias + eom.gravity
    allowed = dict(zip(eom.v, v, strict=True))
    left, right = (Vector(substitute(list(x), allowed)) for x in (whole, applied(eom)))
    return [(v @ left, v @ right)]


def projected_form(eom: EquationsOfMotion) -> list[Sides]:
    """Nᵀ (M v̇ + C v + g − Σ f) = 0 at the state derivative, and A N = 0 (so that N N = N)."""
    form = projected(eom)
    held = form.constraint_matrix @ form.projector
    return vanishing([*form.residual(accelerations(eom), eom.inputs), *held.entries])


def minimal(eom: EquationsOfMotion, chosen: EquationsOfMotion) -> list[Sides]:
    """u̇ of the augmented form at u = W v, and W v̇ + Ẇ v of the minimal form."""
    return _same_accelerations(chosen, accelerations(chosen), list(accelerations(eom)))


def multipliers(robot: Robot, held: EquationsOfMotion | None) -> list[Sides]:
    """W v̇ + Ẇ v by Kane in chosen speeds, and u̇ by Lagrange with multipliers at u = W v.

    The multipliers are the constraint forces of the augmented form, if there is one.
    """
    kane = derive(robot, by="kane")
    v_dot = ltdl(kane.mass_matrix).solve(list(applied(kane) - kane.bias - kane.gravity))
    found, tree = multiplier_equations(robot), formulate(robot.tree, "lagrange")
    assert robot.speed_map is not None
    used = [c.name for c in robot.speed_map.constraints if c.name not in robot.speed_map.redundant]
    A, bias = Matrix([found.A.row(n) for n in used]), Vector([found.bias[n] for n in used])
    u_dot, force = solve(tree, A, bias)
    both = _same_accelerations(kane, Vector(v_dot), list(u_dot))
    if held is not None and [*held.constraint_forces] == used:
        both += sides(list(force), list(held.constraint_forces.values()))
    return both


def _same_accelerations(chosen: EquationsOfMotion, v_dot: Vector, u_dot: list[Expr]) -> list[Sides]:
    """u̇ in the joint speeds, at u = W v, and W v̇ + Ẇ v."""
    speeds = ChosenSpeeds(chosen.robot)
    return sides(speeds.insert(u_dot), list(speeds.W @ v_dot + speeds.bias))


def impact(eom: EquationsOfMotion) -> list[Sides]:
    """Energy loss and impulses of an impact with any coefficient of restitution."""
    e = internal("restitution", "e")
    space, v, M = ConstraintSpace(eom, "prove()"), Vector(eom.v), eom.mass_matrix
    after, impulses, loss = jump(space, v, e)
    both = [(HALF * (v @ (M @ v)), HALF * (after @ (M @ after)) + loss)]
    both += sides(list(space.A @ after), list(space.A @ v * -e))
    return both + sides(list(M @ (after - v)), list(space.A.T @ impulses))
