"""Equations section: matrices as grids of entries, each as intermediates or in closed form."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final, final

from ....algebra.expr import ZERO, Expr
from ....algebra.expr.closed_form.closed_form import closed_form_or_none
from ....algebra.expr.graph import CONST
from ....algebra.expr.matrix import Matrix
from ....algebra.expr.printing.mathml import to_mathml
from ....algebra.expr.vector import Vector
from ....algebra.expr.walk import has_at_most, walk
from ....mechanics.equations.constrained import is_augmented
from ....mechanics.equations.equations import EquationsOfMotion
from ..abbreviations import body_labels
from ..context import Context
from ..document import Section
from ..markup import Markup, dotted, element
from ..tips import tip_jacobians

SMALL: Final = 3  # most degrees of freedom of a small robot
NODES: Final = 600  # most nodes of an entry of a small robot for which a closed form is tried
NODES_OF_BIG: Final = 40  # the same for bigger robots
LARGE: Final = Fraction(10**5)  # a number that is not easy to read
BUDGET: Final = 400_000
BUDGET_OF_BIG: Final = 40_000


@final
@dataclass(frozen=True, slots=True)
class Part:
    """Matrix or vector of the equations."""

    id: str
    letter: str  # as in the equations
    title: str
    description: str  # dots on letters become formulas
    rows: tuple[str, ...]
    columns: tuple[str, ...]  # empty for a vector
    entries: tuple[Expr, ...]


def section(context: Context) -> Section:
    """Put all parts on the tape; the script draws them."""
    listed = parts(context.eom)
    data = parts_data(context)
    descriptions = [
        element("span", element("strong", x.title), ". ", dotted(x.description), data_part=x.id,
                hidden=True)
        for x in listed
    ]  # fmt: skip
    html = element(
        "div",
        element("p", Markup(to_mathml(_formula(context.eom))), class_="formula"),
        element("div", id="sheet"),
        element("div", id="tabs", class_="tabs", role="tablist"),
        element("p", descriptions, id="description", class_="description"),
        element("div", id="grid", role="tabpanel"),
        element("div", id="entry", class_="entry", aria_live="off"),
    )
    return Section("equations", "Equations", html, {"parts": data})


def parts_data(context: Context, closed: bool = True) -> list[dict[str, Any]]:
    """Data of all parts, with short closed forms of their entries if `closed`."""
    return [_data(context, part, closed) for part in parts(context.eom)]


def _formula(eom: EquationsOfMotion) -> str:
    """LaTeX of the equations, with the terms that this robot has."""
    still = eom.passive_force.subs(dict.fromkeys(eom.external, ZERO))
    terms = [
        (r"B \tau", bool(eom.inputs)),
        ("f(q, v)", not still.is_zero),
        (r"\sum J^\top f", bool(eom.external)),
        (r"A^\top \lambda", is_augmented(eom.robot)),
    ]
    right = " + ".join(latex for latex, there in terms if there)
    return rf"M(q) \dot v + C(q, v) v + g(q) = {right or '0'}"


def parts(eom: EquationsOfMotion) -> list[Part]:
    """Parts of the equations in order, without empty or trivial ones."""
    names = eom.mass_matrix.row_names or tuple(x.name for x in eom.v)
    listed = [
        _part("M", "M", "mass matrix", "Joint-space inertia, symmetric, positive definite.",
              eom.mass_matrix),
        _part("C", "C", "Coriolis matrix", "Christoffel’s factorisation: Ṁ − 2C is skew."
              if eom.coriolis == "christoffel" else "The documents’ splitting of C v.",
              _coriolis(eom)),
        _part("b", "C v", "Coriolis and centrifugal forces", "Quadratic in the speeds.", eom.bias),
        _part("g", "g", "gravity", "Generalized force of gravity, on the left-hand side.",
              eom.gravity),
    ]  # fmt: skip
    if eom.inputs:
        listed.append(
            _part("B", "B", "input matrix", "Generalized force = B · inputs.", eom.input_matrix)
        )
    if not eom.passive_force.is_zero:
        listed.append(_part("f", "f", "passive forces", "Springs, dampers, friction and external "
                           "wrenches, on the right-hand side.", eom.passive_force))  # fmt: skip
    if not eom.robot.has_unit_map or eom.robot.speed_map is not None:
        listed.append(_part("N", "N", "kinematic map", "q̇ = N v.", eom.kinematic_map))
    constraints = eom.robot.speed_map.constraints if eom.robot.speed_map else ()
    if constraints:
        forces = eom.constraint_forces
        listed.append(Part("lambda", "λ", "constraint forces", "Force that maintains each constraint.",
                          tuple(forces), (), tuple(forces.values())))  # fmt: skip
    rows = ("ω x", "ω y", "ω z", "v x", "v y", "v z")
    labels = body_labels(eom.robot)
    for k, (tip, J) in enumerate(tip_jacobians(eom).items()):
        listed.append(Part(f"J{k}", f"J {' '.join(labels[tip])}", f"Jacobian of {tip}",
                          "At the frame’s origin, in the world frame; angular first.",
                          rows, tuple(J.column_names or names), tuple(J.entries)))  # fmt: skip
    energies = (eom.kinetic_energy, eom.potential_energy)
    listed.append(Part("E", "T, U", "energies", "Kinetic energy, and potential energy of gravity [J].",
                      ("T", "U"), (), energies))  # fmt: skip
    return listed


def _coriolis(eom: EquationsOfMotion) -> Matrix:
    """Coriolis matrix by recursion if programs use it: the same matrix with shorter chains."""
    if len(eom.v) <= SMALL or not eom.is_recursive or eom.coriolis != "christoffel":
        return eom.coriolis_matrix
    if eom.replaced is not None or eom.robot.speed_map is not None:
        return eom.coriolis_matrix
    from ....mechanics.recursions.coriolis import coriolis_matrix

    M = eom.mass_matrix  # has the names of eom.coriolis_matrix, which takes n² derivatives
    return Matrix(coriolis_matrix(eom.robot.tree).rows, M.row_names, M.column_names)


def _part(id: str, letter: str, title: str, description: str, value: Matrix | Vector) -> Part:
    if isinstance(value, Matrix):
        n, m = value.shape
        rows = value.row_names or tuple(str(k + 1) for k in range(n))
        columns = value.column_names or tuple(str(k + 1) for k in range(m))
        return Part(
            id, letter, title, description, tuple(rows), tuple(columns), tuple(value.entries)
        )
    names = value.names or tuple(str(k + 1) for k in range(len(value.entries)))
    return Part(id, letter, title, description, tuple(names), (), tuple(value.entries))


def _data(context: Context, part: Part, closed: bool) -> dict[str, Any]:
    places = context.places(part.entries)
    zero = context.places([ZERO])[0]
    return {
        "id": part.id,
        "letter": part.letter,
        "title": part.title,
        "description": part.description,
        "rows": part.rows,
        "columns": part.columns,
        "rowHeads": context.heads(part.rows),
        "columnHeads": context.heads(part.columns),
        "entries": [-1 if k == zero else k for k in places],
        "closed": _closed_forms(context, part.entries) if closed else {},
        "symmetric": part.id == "M",
    }


def _closed_forms(context: Context, entries: Iterable[Expr]) -> dict[str, int]:
    """Short closed forms on the tape, by entry."""
    small = len(context.eom.v) <= SMALL
    most, budget = (NODES, BUDGET) if small else (NODES_OF_BIG, BUDGET_OF_BIG)
    known: dict[Expr, Expr | None] = {}
    forms: dict[str, int] = {}
    for k, e in enumerate(entries):
        if not e.args:
            continue
        if e not in known:
            form = closed_form_or_none(e, budget) if has_at_most(e, most) else None
            known[e] = form if form is not None and _largest(form) <= _limit(e) else None
        form = known[e]
        if form is not None:
            forms[str(k)] = context.places([form])[0]
    return forms


def _limit(e: Expr) -> Fraction:
    """Largest number of a form that is easy to read.

    The content of a polynomial with long decimals is a quotient of large whole numbers; such a form is
    exact, but harder to read than the chain.
    """
    return max(LARGE, 10 * _largest(e))


def _largest(e: Expr) -> Fraction:
    """Largest constant; exact, because one may be beyond all floating-point numbers."""
    return max((abs(Fraction(x.a)) for x in walk([e]) if x.op == CONST), default=Fraction(0))
