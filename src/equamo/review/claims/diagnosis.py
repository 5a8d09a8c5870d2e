"""Diagnosis of conventions before an entry counts as wrong: signs, order, gravity, inertia, splitting.

Each convention gives other derived equations. The one under which most entries hold is reported, if more
hold than without it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations, product
from typing import Final, NamedTuple, final

from ...algebra.expr import Expr
from ...algebra.expr.graph import NEG
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...algebra.identity import prove_zero
from ...errors import EquamoError
from ...mechanics.equations import EquationsOfMotion, derive
from ...robot.model import Body, Inertia, Robot
from ...robot.model.edits import copy_with
from .claim import Claim
from .comparison import Comparison, Unit, compare
from .context import Context
from .field import field_values
from .values import Value, entries_of

MAX_ORDER: Final = 6  # up to this many rows, every order is tried
_SPLITTINGS: Final = {
    "split": "coriolis_split, the splitting C = ½ ∂(C v)/∂v",
    "christoffel": "Christoffel's C",
}
MAX_FLIPS: Final = 6  # up to this many coordinates, every set is flipped; beyond, single ones
Other = tuple[str, str, EquationsOfMotion]  # kind of diagnosis, its text, equations
Change = str | tuple[str, ...]  # text of other equations, or the flipped coordinates
Derived = Callable[[Context], Value]  # the claimed quantity under other conventions


class Variant(NamedTuple):
    """Quantity under a convention."""

    kind: str
    text: str
    value: Value
    change: Change | None = None
    is_sign: bool = False


@final
@dataclass(frozen=True)
class Diagnosis:
    """Convention, its description, and the comparison under it."""

    kind: str  # of claim.DIAGNOSES
    text: str
    comparison: Comparison
    change: Change | None = None  # None if the convention belongs to the claim alone
    is_sign: bool = False

    def under(self, context: Context, others: OtherEquations) -> Context | None:
        """Context of any claim under this convention; None if it does not apply there."""
        if self.change is None or context.eom is None:
            return None
        if not isinstance(self.change, str):
            return context.with_setting(
                flip=tuple(sorted({*context.setting.flip} ^ {*self.change}))
            )
        for _, text, eom in others.of(context.eom):
            if text == self.change:
                return replace(context, eom=eom)
        return None


def diagnose(
    claim: Claim, context: Context, printed: Value, plain: Comparison, derived: Derived, unit: Unit,
    others: OtherEquations, seed: int,
) -> Diagnosis | None:  # fmt: skip
    """Convention that explains the most entries; None if none explains more than `plain`."""
    best: Diagnosis | None = None
    for variant in _variants(claim, context, printed, derived, others):
        kind, text, value, change, is_sign = variant
        if [type(value), getattr(value, "shape", ())] != [
            type(printed),
            getattr(printed, "shape", ()),
        ]:
            continue
        if not _promising(printed, value, plain, best):
            continue
        comparison = compare(printed, value, unit, seed, plain.labels, context.positive)
        least = plain.score if best is None else best.comparison.score
        enough = comparison.score >= 2 and 2 * comparison.score > comparison.weight
        if comparison.score > least and (comparison.proved or enough or kind == "splitting"):
            best = Diagnosis(kind, text, comparison, change, is_sign)
        if best is not None and best.comparison.proved:
            return best
    return best


def _promising(printed: Value, value: Value, plain: Comparison, best: Diagnosis | None) -> bool:
    """Whether more entries than before agree at a point of a finite field."""
    left, right = entries_of(printed), entries_of(value)
    values = field_values([*left, *right])
    pairs = zip(left, right, values[: len(left)], values[len(left) :], strict=True)
    agree = sum(x is not None and x == y and (a.value != 0 or b.value != 0) for a, b, x, y in pairs)
    return agree > (plain.score if best is None else best.comparison.score)


def _variants(
    claim: Claim, context: Context, printed: Value, derived: Derived, others: OtherEquations
) -> Iterator[Variant]:
    """Quantity under each convention, the simplest convention first."""
    plain = derived(context)
    yield Variant("negated", "with the other sign throughout", -plain, None, True)
    yield from _splittings(claim, context, printed, plain, derived)
    rest = [] if context.eom is None else others.of(context.eom)
    yield from _by_equations(context, derived, [o for o in rest if o[0] == "gravity"])
    yield from _flips(context, derived)
    yield from _orders(printed, plain)
    yield from _by_equations(context, derived, [o for o in rest if o[0] != "gravity"])


def _by_equations(context: Context, derived: Derived, others: Sequence[Other]) -> Iterator[Variant]:
    if context.eom is None:
        return
    for kind, text, eom in others:
        try:
            value = derived(replace(context, eom=eom))
        except EquamoError:  # a frame or force that this robot does not have
            continue
        opposite = kind == "gravity" and (eom.robot.gravity + context.eom.robot.gravity).is_zero
        yield Variant(kind, text, value, text, opposite)
        both = f"{text}, and with the other sign throughout"
        yield Variant(kind, both, -value, text, opposite)


@final
class OtherEquations:
    """Equations of the same robot with other inertias or gravity, derived once."""

    def __init__(self) -> None:
        self._cache: dict[int, tuple[EquationsOfMotion, list[Other]]] = {}

    def of(self, eom: EquationsOfMotion) -> list[Other]:
        """(kind of diagnosis, its text, equations) of all variants."""
        if id(eom) not in self._cache:
            others: list[Other] = []
            for kind, text, robot in _other_robots(eom.robot):
                other = derive(robot, by=eom.by, coriolis=eom.coriolis)
                for step in () if eom.replaced is None else eom.replaced.steps:
                    other = other.subs(step)
                others.append((kind, text, other))
            self._cache[id(eom)] = (eom, others)
        return self._cache[id(eom)][1]


# -- single conventions ----------------------------------------------------------------------------
def _concerns_coriolis(claim: Claim, context: Context) -> bool:
    parts = claim.quantity.parts if claim.quantity else []
    nodes = [n for p in parts for n in context.source(p).tree.walk()]
    names = {n.value for n in nodes if n.kind in ("name", "call", "quantity")}
    return context.eom is not None and bool(names & {"coriolis_matrix", "coriolis_split"})


def _rows_of_coriolis(
    claim: Claim, context: Context, printed: Value, derived: Value
) -> tuple[Matrix, Matrix, Vector] | None:
    """(printed rows of C, derived ones, the document's v); None if the claim has no rows of C."""
    if not _concerns_coriolis(claim, context) or context.eom is None:
        return None
    v = context.image(context.robot.quantities.arrangement.arranged(_speeds(context.eom)))
    if claim.entries and claim.entries[0].startswith("row "):
        printed, derived = (
            Matrix([x.entries]) if isinstance(x, Vector) else x for x in (printed, derived)
        )
    if not isinstance(printed, Matrix) or not isinstance(derived, Matrix):
        return None
    if derived.shape != printed.shape or not isinstance(v, Vector) or len(v) != derived.shape[1]:
        return None
    return printed, derived, v


def _splittings(
    claim: Claim, context: Context, printed: Value, plain: Value, derived: Derived
) -> Iterator[Variant]:
    """Derived C with the printed rows that give the same C v, and the nearest splitting elsewhere."""
    if not _concerns_coriolis(claim, context) or context.eom is None:
        return
    eom = context.eom
    kind = "christoffel" if eom.coriolis == "split" else "split"
    other = EquationsOfMotion(eom.robot, eom.by, eom.derivation, kind, eom.replaced)
    value = derived(replace(context, eom=other))
    matrices = _rows_of_coriolis(claim, context, printed, plain)
    if matrices is None:
        if "splitting" not in context.setting.accept:  # C v cannot be judged by single entries
            yield Variant("splitting", f"as an entry of {_SPLITTINGS[kind]}", value)
        return
    P, D, v = matrices
    S = value if isinstance(value, Matrix) else Matrix([entries_of(value)])
    for text, factor in (("", 1), (", and with the other sign throughout", -1)):
        gap = (P - D * factor) @ v
        good = [i for i, x in enumerate(field_values(list(gap))) if x == 0]
        if good and not prove_zero(Vector([gap[i] for i in good])):
            continue
        rows, second = list[Sequence[Expr]](), list[int]()
        for i, p in enumerate(P.rows):
            d, s = ([e * factor for e in X.rows[i]] for X in (D, S))
            agree = _agreeing(p, d)
            if i in good:
                rows.append([y if same else x for x, y, same in zip(p, d, agree, strict=True)])
            elif _exceeds(_agreeing(p, s), agree):
                rows.append(s)
                second.append(i)
            else:
                rows.append(d)
        where = "" if len(good) == len(gap) else f" in row {_list(good)}"
        names = [f"as another splitting of C with the same C v{where}"] if good else []
        names += [f"in row {_list(second)} as {_SPLITTINGS[kind]}"] if second else []
        if names:
            block = Matrix(rows) if isinstance(printed, Matrix) else Vector(rows[0])
            yield Variant("splitting", f"{', and '.join(names)}{text}", block)


def _exceeds(first: Sequence[bool], second: Sequence[bool]) -> bool:
    """Whether all entries that agree in the second splitting, and others, agree in the first.

    A row with entries of both splittings would have a wrong C v, although each entry is that of one.
    """
    return sum(first) > sum(second) and all(a or not b for a, b in zip(first, second, strict=True))


def _agreeing(printed: Sequence[Expr], derived: Sequence[Expr]) -> list[bool]:
    """Whether each entry agrees at a point of a finite field."""
    values = field_values([*printed, *derived])
    n = len(printed)
    return [x is not None and x == y for x, y in zip(values[:n], values[n:], strict=True)]


def rows_that_differ(
    claim: Claim, context: Context, printed: Value, derived: Value
) -> list[tuple[int, Expr]]:
    """Rows of C v, from 1, that differ for any splitting, and the difference."""
    matrices = _rows_of_coriolis(claim, context, printed, derived)
    if matrices is None:
        return []
    P, D, v = matrices
    gap = (P - D) @ v
    return [(i + 1, e) for i, e in enumerate(gap) if not prove_zero(e)]


def _speeds(eom: EquationsOfMotion) -> Vector:
    return Vector(eom.v, [x.name for x in eom.v])


def _flips(context: Context, derived: Derived) -> Iterator[Variant]:
    if context.eom is None:
        return
    names = [x.name for x in context.eom.v]
    if len(names) <= MAX_FLIPS:
        sets = [s for s in product((False, True), repeat=len(names)) if any(s)]
        chosen = sorted(([n for n, f in zip(names, s, strict=True) if f] for s in sets), key=len)
    else:
        chosen = [[n] for n in names]
    before = set(context.setting.flip)
    for flip in chosen:
        chosen_flip = tuple(sorted(before ^ set(flip)))
        try:
            value = derived(context.with_setting(flip=chosen_flip))
        except EquamoError:
            return
        text = f"with the opposite sign of {', '.join(flip)}"
        change = tuple(flip)
        yield Variant("flipped", text, value, change, True)
        both = f"{text}, and with the other sign throughout"
        yield Variant("flipped", both, -value, change, True)


def _orders(printed: Value, derived: Value) -> Iterator[Variant]:
    """Orders of rows, columns or both for which most entries agree in a finite field."""
    if isinstance(derived, Expr) or isinstance(printed, Expr) or derived.shape != printed.shape:
        return
    size = len(derived.entries)
    values = field_values([*printed.entries, *derived.entries])
    m = 1 if isinstance(derived, Vector) else derived.shape[1]
    p = [values[i : i + m] for i in range(0, size, m)]
    d = [values[size + i : size + i + m] for i in range(0, size, m)]

    def agree(rows: Sequence[int], columns: Sequence[int]) -> int:
        pairs = ((p[i][j], d[r][c]) for i, r in enumerate(rows) for j, c in enumerate(columns))
        return sum(x == y and x != 0 for x, y in pairs)

    n = len(p)
    same_rows, same_columns = tuple(range(n)), tuple(range(m))
    options: list[tuple[str, list[tuple[Sequence[int], Sequence[int]]]]] = []
    if n <= MAX_ORDER:
        orders = list(permutations(range(n)))[1:]
        if n == m:
            options.append(("rows and columns", [(q, q) for q in orders]))
        options.append(("rows", [(q, same_columns) for q in orders]))
    if 1 < m <= MAX_ORDER:
        options.append(("columns", [(same_rows, q) for q in list(permutations(range(m)))[1:]]))
    for what, choices in options:
        if not choices:
            continue
        rows, columns = max(choices, key=lambda c: agree(*c))
        text = f"with its {what} in the order {_list(columns if what == 'columns' else rows)}"
        if isinstance(derived, Vector):
            yield Variant("reordered", text, Vector([derived[i] for i in rows]))
        else:
            block = Matrix([[derived[i, j] for j in columns] for i in rows])
            yield Variant("reordered", text, block)
    if isinstance(derived, Matrix) and n == m:
        yield Variant("reordered", "transposed", derived.T)


def _list(p: Sequence[int]) -> str:
    return ", ".join(str(i + 1) for i in p)


def _other_robots(robot: Robot) -> Iterator[tuple[str, str, Robot]]:
    """Robots with inertias about another point, or gravity in another direction."""
    movable = [b for b in robot.bodies if not b.inertia.first_moment.is_zero]
    sets = [movable] if len(movable) <= 1 else [movable, *([b] for b in movable[:8])]
    for bodies in sets:
        chosen = {b.name for b in bodies}
        if not chosen:
            break
        new = [_with_inertia(b, _other_point(b.inertia)) if b.name in chosen else b
               for b in robot.bodies]  # fmt: skip
        which = "every body" if bodies is movable else next(iter(chosen))
        central = bodies[0].inertia.central_tensor is not None
        point = "the origin of its frame" if central else "the centre of mass"
        yield (
            "inertia_point",
            f"with the inertia of {which} about {point}",
            copy_with(robot, bodies=new),
        )
    g = robot.gravity
    if g.is_zero:
        return
    size = next(x for x in g if x.value != 0)
    size = -size if size.op == NEG else size
    for axis, sign in product(range(3), (1, -1)):
        other = Vector([size * sign if i == axis else 0 for i in range(3)])
        if other != g:
            direction = ("x", "y", "z")[axis]
            yield (
                "gravity",
                f"with gravity along {_signed(other[axis])}{direction}",
                copy_with(robot, gravity=other),
            )


def _signed(g: Expr) -> str:
    return "−" if str(g).startswith("-") else "+"


def _other_point(I: Inertia) -> Inertia:
    """Same tensor about the origin instead of the centre of mass, or vice versa."""
    if I.central_tensor is not None:
        return Inertia(I.mass, I.first_moment, I.central_tensor)
    return Inertia.central(I.mass, I.center, I.tensor)


def _with_inertia(body: Body, inertia: Inertia) -> Body:
    return Body(body.name, body.joint, inertia=inertia, parent=body.parent)
