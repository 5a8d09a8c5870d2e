"""Origin of terms: names of the recursions' intermediate quantities, with their bodies.

The graph is hash-consed: running a recursion again gives the very nodes of the equations, so they can
be named here without a trace in the derivation.

    m, h, J with index c   mass, first moment and tensor of a body with all bodies it carries
    F, N                   force and moment that a joint passes to its parent
    w alpha a f n          Newton-Euler: ω, ω̇, acceleration, force and moment of a body
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ...algebra.expr.graph import LAST_LEAF, NEG, ZERO, Expr
from ...algebra.expr.vector import ZERO3, Vector
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...mechanics.kinematics.quantity_name import QuantityName
from ...mechanics.recursions.newton_euler import inverse_dynamics, required_forces
from ...robot.model.body import WORLD
from ...robot.model.robot import Robot

_TENSOR: Final = (
    (0, 0, "xx"),
    (0, 1, "xy"),
    (0, 2, "xz"),
    (1, 1, "yy"),
    (1, 2, "yz"),
    (2, 2, "zz"),
)


def named_nodes(eom: EquationsOfMotion) -> dict[Expr, QuantityName]:
    """Names of intermediates in M, C v and g; empty for equations not derived by recursion.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> found = named_nodes(derive(load("krang")))
    >>> {"Jc_3_xx", "a_10l_x", "F_3_x"} <= {x.text for x in found.values()}
    True
    """
    named: dict[Expr, QuantityName] = {}
    if eom.by != "recursive" or eom.replaced is not None:
        return named
    tree = eom.robot.tree
    still = [ZERO] * len(tree.v)
    _newton_euler(tree, named, still, tree.gravity, still_base=True)
    _newton_euler(tree, named, list(tree.v), ZERO3, still_base=False)
    _composite_bodies(tree, named)
    speeds = ChosenSpeeds(eom.robot)
    if speeds.trivial:
        return named
    return dict(zip(speeds.insert(named), named.values(), strict=True))


def _newton_euler(
    tree: Robot, named: dict[Expr, QuantityName], v: list[Expr], gravity: Vector, still_base: bool
) -> None:
    """Name the forward pass as `recursive.inverse_dynamics` does, and forces of the backward pass."""
    names: dict[Expr, QuantityName] = {}
    vdot = [ZERO] * len(tree.v)
    inverse_dynamics(tree, v, vdot, gravity, still_base=still_base, names=names)
    for node, name in names.items():
        named.setdefault(node, name)
    F = required_forces(tree, v, vdot, gravity, still_base)
    for b in reversed(tree.bodies):
        _put(named, "F", F[b.name].force, b.name)
        _put(named, "N", F[b.name].moment, b.name)
        if b.parent != WORLD:
            F[b.parent] = F[b.parent].plus(tree.joint_pose(b), F[b.name])


def _composite_bodies(tree: Robot, named: dict[Expr, QuantityName]) -> None:
    """Name the composite bodies: each body with all bodies it carries."""
    composite = {b.name: b.spatial_inertia for b in tree.bodies}
    carries = {b.parent for b in tree.bodies}
    for b in reversed(tree.bodies):
        I = composite[b.name]
        if b.name in carries:  # a body that carries nothing consists of its own parameters
            _put(named, "mc", [I.mass], b.name, axes=("",))
            _put(named, "hc", I.first_moment, b.name)
            for i, j, axes in _TENSOR:
                _put(named, "Jc", [I.tensor[i, j]], b.name, axes=(axes,))
        if b.parent != WORLD:
            composite[b.parent] = composite[b.parent] + tree.joint_pose(b) @ I


def _put(
    named: dict[Expr, QuantityName],
    letter: str,
    parts: Iterable[Expr],
    body: str,
    axes: tuple[str, ...] = ("x", "y", "z"),
) -> None:
    """Name the nodes that are not symbols, numbers or signs."""
    for c, x in zip(axes, parts, strict=True):
        minus = x.op == NEG
        node = x.a if minus else x
        if node.op > LAST_LEAF:
            named.setdefault(node, QuantityName(letter, body, c, minus))


def symbol_bodies(robot: Robot) -> dict[Expr, tuple[list[str], bool]]:
    """For each symbol, the bodies it belongs to, and whether it is part of their inertia."""
    inertial: dict[Expr, list[str]] = {}
    geometric: dict[Expr, list[str]] = {}
    for b in robot.bodies:
        for table, expressions in (
            (inertial, b.inertia.entries()),
            (geometric, (*b.joint.expressions(), *b.joint.q, *b.joint.v, *b.joint.vdot)),
        ):
            for e in expressions:
                for s in e.symbols():
                    names = table.setdefault(s, [])
                    if b.name not in names:
                        names.append(b.name)
    owners = {s: (names, False) for s, names in geometric.items()}
    # A length that occurs in a joint and in an inertia belongs to the joint.
    return owners | {s: (names, True) for s, names in inertial.items() if s not in geometric}
