"""A robot on a base that moves as given, and the same robot on a free joint: the same motion.

The base motion has components in frame 0: w0, v0, ẇ0 = alpha0 and v̇0 = a0 − w0 × v0. A free joint
with a quaternion has just these speeds (linear, then angular, in the body frame), so that the rows of
the free robot that belong to the joints, at these speeds and rates of the base, are the equations on
the moving base. Gravity is constant in frame 0: at the unit quaternion the two are the same.
"""

from __future__ import annotations

import pytest

from equamo.algebra.expr import ZERO, Expr
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity.prove import differences
from equamo.mechanics.equations import FORMULATIONS, EquationsOfMotion, derive
from equamo.robot.model import BaseMotion, Body, Robot, free
from equamo.robot.model.edits import copy_with
from identities import Derived, agreement, failures
from random_trees import WHOLE_SWEEPS, random_tree

NAMES = ("w0", "v0", "alpha0", "a0")
MOVING = BaseMotion(*(" ".join(f"{n}_{c}" for c in "xyz") for n in NAMES))
SEEDS = range(12 if WHOLE_SWEEPS else 5)


def on_moving_base(seed: int) -> Robot:
    return random_tree(seed, most=6, speeds=9).robot(base=MOVING)


def on_free_joint(robot: Robot) -> tuple[Robot, dict[Expr, Expr]]:
    """The robot on a massless body with a free joint, and the base's motion for its speeds."""
    root = Body("root", free("root"))
    bodies = [root] + [
        Body(b.name, b.joint, inertia=b.inertia, parent="root" if b.parent == "world" else b.parent)
        for b in robot.bodies
    ]
    free_robot = copy_with(robot, bodies=bodies, base=BaseMotion())
    w, v, alpha, a = MOVING.w, MOVING.v, MOVING.alpha, MOVING.a
    motion = dict(zip(free_robot.v[:6], (*v, *w), strict=True))
    motion |= dict(zip(free_robot.vdot[:6], (*(a - w.cross(v)), *alpha), strict=True))
    return free_robot, motion


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_five_formulations_agree(seed: int) -> None:
    robot = on_moving_base(seed)
    assert not failures(robot, agreement(Derived(robot)))


@pytest.mark.parametrize("by", FORMULATIONS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_as_on_a_free_joint(seed: int, by: str) -> None:
    robot = on_moving_base(seed)
    free_robot, motion = on_free_joint(robot)
    moving, floating = derive(robot, by=by), derive(free_robot)
    groups = {
        "mass matrix": differences(moving.mass_matrix, floating.mass_matrix[6:, 6:]),
        "bias": differences(moving.bias, _bias(floating, motion)),
        "gravity": differences(moving.gravity, floating.gravity[6:].subs(_upright(free_robot))),
    }
    for name, f in moving.forces.items():
        if name == "push" or "world" in _frames(robot, name):
            continue  # components or a reaction in the world: there is another world now
        groups[f"force {name!r}"] = differences(f, floating.forces[name][6:])
    assert not failures(free_robot, groups)


def _bias(floating: EquationsOfMotion, motion: dict[Expr, Expr]) -> Vector:
    """Rows of M v̇ + C v that belong to the joints, for the base's v̇ and no other."""
    base = floating.vdot[:6]
    rows = floating.mass_matrix[6:, :6] @ Vector(base) + floating.bias[6:]
    return rows.subs(motion)


def _upright(robot: Robot) -> dict[Expr, int]:
    return dict(zip(robot.q[:7], (0, 0, 0, 1, 0, 0, 0), strict=True))


def _frames(robot: Robot, name: str) -> tuple[str, ...]:
    return next(f.bodies() for f in robot.forces if f.name == name)


@pytest.mark.parametrize("seed", SEEDS)
def test_kinematics(seed: int) -> None:
    """Velocity and acceleration of frames, in the axes of frame 0, carry the base's motion."""
    robot = on_moving_base(seed)
    free_robot, motion = on_free_joint(robot)
    moving, floating = derive(robot), derive(free_robot)
    name = robot.bodies[-1].name
    a, b = moving.frame(name), floating.frame(name)
    groups: dict[str, list[Expr]] = {}
    for what in ("velocity", "acceleration"):
        mine = getattr(a, what)(at="1 s2 0")
        other = getattr(b, what)(at="1 s2 0", expressed_in="root").subs(motion)
        groups[what] = differences(mine, other)
        mine = getattr(a, what)(at="com", expressed_in=name)
        groups[f"{what} in {name}"] = differences(
            mine, getattr(b, what)(at="com", expressed_in=name).subs(motion)
        )
    J = a.jacobian()
    base = Vector([*MOVING.w, *(MOVING.v + MOVING.w.cross(a.position()))])
    groups["jacobian"] = differences(a.velocity(), J @ Vector(robot.v) + base)
    # Angular momentum is about the centre of mass, linear momentum in the axes of frame 0.
    A = floating.frame("root").rotation()
    p = floating.momentum.subs(motion)
    groups["momentum"] = differences(moving.momentum, Vector([*(A.T @ p[:3]), *(A.T @ p[3:])]))
    assert not failures(free_robot, groups)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("seed", SEEDS)
def test_coriolis_matrix_has_only_what_is_quadratic(seed: int) -> None:
    robot = on_moving_base(seed)
    still = copy_with(robot, base=BaseMotion())
    groups: dict[str, list[Expr]] = {}
    for coriolis in ("christoffel", "split"):
        moving = derive(robot, coriolis=coriolis)  # type: ignore[arg-type]
        C = moving.coriolis_matrix
        groups[coriolis] = differences(C, derive(still, coriolis=coriolis).coriolis_matrix)  # type: ignore[arg-type]
        at_rest = dict.fromkeys((*MOVING.w, *MOVING.v, *MOVING.alpha, *MOVING.a), ZERO)
        quadratic = moving.bias.subs(at_rest)
        groups[f"{coriolis}: C v"] = differences(C @ Vector(robot.v), quadratic)
    assert not failures(robot, groups)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    "motion",
    [
        {"a": "0 0 1"},  # a lift: at rest, and accelerating
        {"w": "0 0 1/2", "alpha": "0 0 1"},
        {"w": "0 0 1", "v": "1 0 0"},
        {"w": "s s 0", "alpha": "a b 0"},
        {"w": "0 0 2*s", "v": "s 0 1", "alpha": "0 0 a", "a": "q1_0 s 0"},
    ],
)
def test_a_motion_given_by_numbers_or_shared_symbols(motion: dict[str, str]) -> None:
    """It need not be symbols: Lagrange differentiates in symbols of its own."""
    robot = random_tree(1).robot(base=BaseMotion(**motion))
    d = Derived(robot)
    assert not failures(robot, agreement(d))
    symbolic = derive(random_tree(1).robot(base=MOVING), by="lagrange")
    names = dict(zip(MOVING.expressions(), robot.base.expressions(), strict=True))
    assert not failures(robot, {"": differences(symbolic.bias.subs(names), d.eom.bias)})
    # C is that of the robot at rest
    still = random_tree(1).robot()
    split = [derive(x, coriolis="split").coriolis_matrix for x in (robot, still)]
    assert not failures(robot, {"": differences(*split)})
