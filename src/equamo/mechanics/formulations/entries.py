"""Recorded entries of M, bias, gravity and Q: the rule of each, and what it is computed from.

Entries are sums of products over the bodies k, such as M_ji = Σ_k F_k(v̇_i)·(V_k)_j. A formulation says
which quantities are multiplied; here they are collected by entry. Nothing of a result is computed here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ...algebra.expr import ZERO
from ...algebra.expr.matrix import Matrix
from ...robot.model.force import ForceElement
from ...robot.model.robot import Robot
from ..kinematics.quantity_name import QuantityName
from ..kinematics.steps import Names, Recorder, Value, matrix_entry
from .derivation import Derivation

Rules = Mapping[str, str] | str  # by letter: M, bias, gravity, Q; or one for all
Speeds = Mapping[str, Iterable[int]]  # body -> positions of speeds
Factors = Sequence[Names]  # of one product


def record_entries(
    record: Recorder,
    rules: Rules,
    names: Sequence[str],
    D: Derivation,
    inputs: Callable[[QuantityName], Iterable[Names]],
) -> None:
    """Record the entries of M, bias, gravity and forces over the speeds `names`.

    Args:
        record: Takes the steps.
        rules: Rule by letter, or one for all.
        names: Names of the speeds.
        D: The derivation.
        inputs: Gives the inputs of each entry, all of which were recorded before this call.
    """
    rows: list[tuple[QuantityName, Value]] = []
    for j, name in enumerate(names):
        for i in range(j, len(names)):
            rows.append((matrix_entry("M", name, names[i]), D.mass_matrix[j, i]))
    for letter, vector in (("bias", D.bias), ("gravity", D.gravity)):
        rows += [(QuantityName(letter, by=(n,)), x) for n, x in zip(names, vector, strict=True)]
    for element, f in D.forces.items():
        rows += [(QuantityName("Q", by=(element, n)), x) for n, x in zip(names, f, strict=True)]
    record.together(
        (rules if isinstance(rules, str) else rules[q.letter], q, x, inputs(q)) for q, x in rows
    )


def record_sums(
    record: Recorder,
    rules: Rules,
    names: Sequence[str],
    D: Derivation,
    robot: Robot,
    bodies: Speeds,
    M: Callable[[str, str, str], Factors],
    bias: Callable[[str, str], Factors],
    gravity: Callable[[str, str], Factors],
    Q: Callable[[ForceElement, str], Names],
    others: Speeds | None = None,
) -> None:
    """Record entries that are sums of products over the bodies k.

    A product is left out if one of its factors was not recorded: it is zero, or was never formed.

    Args:
        record: Takes the steps.
        rules: Rule by letter, or one for all.
        names: Names of the speeds.
        D: The derivation.
        robot: Has the force elements.
        bodies: Speeds j to whose equation each body contributes.
        M: Factors of M_ji from the names of k, j and i ≥ j.
        bias: Factors of the bias of j, from k and j.
        gravity: Factors of the gravity of j, from k and j.
        Q: What the generalized force of an element along j is computed from; what was recorded counts.
        others: Speeds i that contribute to M_ji on each body, if they are not those of `bodies`.
    """
    inputs: dict[QuantityName, list[QuantityName]] = {}

    def add(entry: QuantityName, factors: Factors) -> None:
        known = [record.known(x) for x in factors]
        if all(known):
            inputs.setdefault(entry, []).extend(x for each in known for x in each)

    for k, columns in bodies.items():
        for j in columns:
            v_j = names[j]
            add(QuantityName("bias", by=(v_j,)), bias(k, v_j))
            add(QuantityName("gravity", by=(v_j,)), gravity(k, v_j))
            for i in (bodies if others is None else others)[k]:
                if j <= i:
                    add(matrix_entry("M", v_j, names[i]), M(k, v_j, names[i]))
    for f in robot.forces:
        for v_j in names:
            inputs[QuantityName("Q", by=(f.name, v_j))] = record.known(Q(f, v_j))
    record_entries(record, rules, names, D, lambda x: inputs.get(x, ()))


def record_projected(
    record: Recorder,
    rules: Rules,
    W: Matrix,
    old: Sequence[str],
    new: Sequence[str],
    D: Derivation,
    Q: Callable[[str, Iterable[str]], Iterable[Names]] | None = None,
) -> None:
    """Record Wᵀ M W, Wᵀ (bias + M …), Wᵀ gravity and Wᵀ Q: entries over `old` projected by W.

    Args:
        record: Takes the steps; the entries over `old` are recorded.
        rules: Rule by letter, or one for all.
        W: old = W new.
        old: Names of the speeds, or rates of coordinates, before.
        new: Names of the speeds after.
        D: The projected derivation.
        Q: Inputs of a generalized force, from the names of the element and the rows of the column of W;
            by default the forces of the element along them.
    """
    rows = {
        v: [u for u, x in zip(old, W.column(j), strict=True) if x is not ZERO]
        for j, v in enumerate(new)
    }
    position = {u: i for i, u in enumerate(old)}

    def M(left: Iterable[str], right: Iterable[str]) -> Iterator[Names]:
        for a in left:
            for b in right:
                yield matrix_entry("M", *sorted((a, b), key=position.__getitem__))

    def inputs(x: QuantityName) -> Iterable[Names]:
        own = rows[x.by[-1]]
        if x.letter == "M":
            return M(rows[x.by[0]], own)
        if x.letter == "Q" and Q is not None:
            return Q(x.by[0], own)
        used = [replace(x, by=(*x.by[:-1], u)) for u in own]
        return [*used, *M(own, old)] if x.letter == "bias" else used

    record_entries(record, rules, new, D, inputs)


def bodies_by_speed(robot: Robot) -> dict[str, str]:
    """Name of the body whose joint has a speed, by the name of the speed."""
    return {robot.v[j].name: b.name for b in robot.bodies for j in robot.columns(b)}


def joint_speeds(robot: Robot) -> Speeds:
    """Speeds of each body's own joint."""
    return {b.name: robot.columns(b) for b in robot.bodies}


def path_speeds(robot: Robot) -> Speeds:
    """Speeds of all joints between each body and the world."""
    own = joint_speeds(robot)
    return {
        b.name: sorted(j for c in robot.path(b.name) for j in own[c.name]) for b in robot.bodies
    }
