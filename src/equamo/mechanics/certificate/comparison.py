"""`eq.compare`: compare two derivations entry by entry and name the entries that differ."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product, zip_longest
from typing import final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.rules import sub
from ...algebra.expr.vector import Vector
from ...algebra.identity import Proof, prove_all
from ...basics.wording import brief, counted
from ...errors import ModelError, ShapeError
from ..equations import EquationsOfMotion
from ..equations.constrained import is_augmented


@final
@dataclass(frozen=True, slots=True)
class Difference:
    """Entry that is not proved equal."""

    quantity: str  # such as "mass_matrix"
    entry: tuple[str, ...]  # names of row and column
    proof: Proof  # verdict on this entry

    def __str__(self) -> str:
        return f"{self.quantity}[{', '.join(self.entry)}]: {self.proof}"


@final
@dataclass(frozen=True, slots=True)
class Comparison:
    """Result of `compare`; true if every entry is proved equal."""

    first: str  # name of the first equations
    second: str  # name of the second
    compared: int  # number of entries compared
    differences: tuple[Difference, ...]  # entries that are not proved equal

    def __bool__(self) -> bool:
        return not self.differences

    def __str__(self) -> str:
        if not self.differences:
            return self._head
        rows = "\n".join(f"  {d}" for d in self.differences[:20])
        more = len(self.differences) - 20
        tail = f"\n  … and {more} more" if more > 0 else ""
        return f"{self._head}\n{rows}{tail}"

    def __repr__(self) -> str:
        return f"<comparison of {self._head}>"

    @property
    def _head(self) -> str:
        compared, n = counted(self.compared, "entry"), len(self.differences)
        outcome = f"{n} {'differs' if n == 1 else 'differ'}" if n else "all proved equal"
        return f"{self.first} and {self.second}: {compared} compared, {outcome}"


def compare(first: EquationsOfMotion, second: EquationsOfMotion) -> Comparison:
    """Compare M, C v, g and the force elements of two derivations, entry by entry.

    So are the kinematic map N where it is not 1, and the rows of A and φ of loops, contacts and other
    constraints whose forces are in the equations. Coordinates and speeds must have the same names.

    Args:
        first: Equations of motion.
        second: Equations of motion with the same number of speeds.

    Returns:
        A Comparison that lists the entries that are not proved equal.

    Raises:
        ModelError: An argument is not EquationsOfMotion.
        ShapeError: The numbers of speeds differ.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> arm = load("rr_arm")
    >>> print(compare(derive(arm, by="kane"), derive(arm, by="lagrange")))
    rr_arm by kane and rr_arm by lagrange: 11 entries compared, all proved equal
    """
    for argument in (first, second):
        if not isinstance(argument, EquationsOfMotion):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ModelError(
                f"compare() takes two EquationsOfMotion, got {brief(argument)}; derive them with "
                "eq.derive(robot)."
            )
    labels: list[tuple[str, tuple[str, ...]]] = []
    groups: list[list[Expr]] = []
    n = len(first.v)
    if n != len(second.v):
        raise ShapeError(
            f"compare(): both must have the same number of speeds, got {n} and {len(second.v)}."
        )
    names = first.mass_matrix.row_names or ()
    A, B = first.mass_matrix, second.mass_matrix
    for i, j in product(range(n), range(n)):
        if i > j and A[i, j] is A[j, i] and B[i, j] is B[j, i]:
            continue  # compared already
        labels.append(("mass_matrix", (names[i], names[j])))
        groups.append([sub(A[i, j], B[i, j])])
    vectors = {"bias": (first.bias, second.bias), "gravity": (first.gravity, second.gravity)}
    nothing = Vector([0] * n)  # if only one of them has the element
    for name in dict.fromkeys((*first.forces, *second.forces)):
        both = (first.forces.get(name, nothing), second.forces.get(name, nothing))
        vectors[f"forces[{name}]"] = both
    for quantity, (a, b) in vectors.items():
        for i in range(n):
            labels.append((quantity, (names[i],)))
            groups.append([sub(a[i], b[i])])
    _compare_motions(first, second, labels, groups)
    unit = {*first.robot.unit_groups, *second.robot.unit_groups}
    proofs = prove_all(groups, unit=sorted(unit, key=lambda g: g[0].name))
    differences = [
        Difference(*label, proof) for label, proof in zip(labels, proofs, strict=True) if not proof
    ]
    unlike = _unlike_names(first, second)
    compared = len(groups) + len(unlike)
    return Comparison(_title(first), _title(second), compared, (*unlike, *differences))


def _compare_motions(
    first: EquationsOfMotion,
    second: EquationsOfMotion,
    labels: list[tuple[str, tuple[str, ...]]],
    groups: list[list[Expr]],
) -> None:
    """Add the entries of N, A and φ, which say what M, C v and g do not."""
    if first.kinematic_map.shape == second.kinematic_map.shape:
        for i, j in product(*map(range, first.kinematic_map.shape)):
            a, b = first.kinematic_map[i, j], second.kinematic_map[i, j]
            if a is not b:
                labels.append(("kinematic_map", (first.q[i].name, first.v[j].name)))
                groups.append([sub(a, b)])
    if not (is_augmented(first.robot) or is_augmented(second.robot)):
        return
    (rows, A, phi), (others, B, psi) = map(_constraint_rows, (first, second))
    for name in dict.fromkeys((*rows, *others)):
        nothing = [ZERO] * (len(first.v) + 1)  # if only one of them has the row
        left = [*A[name], phi.get(name, ZERO)] if name in A else nothing
        right = [*B[name], psi.get(name, ZERO)] if name in B else nothing
        for column, a, b in zip((*first.v, "φ"), left, right, strict=True):
            labels.append(("constraint_matrix", (name, str(column))))
            groups.append([sub(a, b)])


def _constraint_rows(
    eom: EquationsOfMotion,
) -> tuple[tuple[str, ...], dict[str, list[Expr]], dict[str, Expr]]:
    """Names of the rows of constraints that have forces, their rows of A, and their φ."""
    if not is_augmented(eom.robot):
        return (), {}, {}
    A, phi = eom.constraint_matrix, eom.closure
    names = A.row_names or ()
    rows = dict(zip(names, map(list, A.rows), strict=True))
    return names, rows, dict(zip(phi.names or (), phi, strict=True))


def _unlike_names(first: EquationsOfMotion, second: EquationsOfMotion) -> tuple[Difference, ...]:
    """Coordinates and speeds at the same place that have different names, or have no counterpart."""
    found: list[Difference] = []
    for kind, xs, ys in (("q", first.q, second.q), ("v", first.v, second.v)):
        for x, y in zip_longest((a.name for a in xs), (b.name for b in ys), fillvalue="nothing"):
            if x != y:
                reason = f"the second equations have {brief(y)} here"
                found.append(Difference(kind, (x,), Proof("refuted", reason=reason)))
    return tuple(found)


def _title(eom: EquationsOfMotion) -> str:
    return f"{eom.robot.name} by {eom.by}"
