"""Parts of equations of motion in closed form, if they are short enough to read.

M(q) v̇ + C(q, v) v + g(q) = B(q) τ + Σ f (+ A(q)ᵀ λ, A v = 0, φ(q) = 0),   q̇ = N(q) v

Whether they are shown depends on the length of the closed forms and the work to find them, not on
the number of joints: a quadrotor has six degrees of freedom and short equations.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from ...algebra.expr.closed_form.closed_form import DEFAULT_BUDGET, closed_form_and_work
from ...algebra.expr.graph import LAST_LEAF, ZERO, Expr
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import has_at_most, walk
from ...basics.waiting import waiting
from .constrained import is_augmented
from .equations import EquationsOfMotion

Part = Matrix | Vector
Parts = dict[str, Part]

LENGTH: Final = 5_000  # characters of all entries that `print` shows
WORK: Final = 10_000_000  # for all entries: a few seconds
MASS_MATRIX_SHARE: Final = 0.4  # of both; the other parts are seldom shorter
NODES: Final = 300  # most nodes of an entry for which a closed form is tried
ALL_NODES: Final = 900  # most nodes of all parts but C


def passive_forces(eom: EquationsOfMotion) -> Parts:
    """Generalized forces of the elements that are not inputs, unless they are zero."""
    elements = [element for element in eom.robot.forces if not element.inputs()]
    forces = {element.name: eom.forces[element.name] for element in elements}
    return {name: f for name, f in forces.items() if not f.is_zero}


def has_unit_inputs(eom: EquationsOfMotion) -> bool:
    """Whether B is the identity: one input per equation."""
    B = eom.input_matrix
    return bool(eom.inputs) and identity(len(eom.v)) == B


def parts_of(eom: EquationsOfMotion, velocity_terms: str = "C") -> Iterator[tuple[str, Part]]:
    """(letter, part) of the equations; forces are named f and their name, and come after B.

    Args:
        eom: Equations of motion.
        velocity_terms: "C", or "Cv" for the vector C v.
    """
    yield "M", eom.mass_matrix
    yield "g", eom.gravity
    yield "B", eom.input_matrix
    for name, force in passive_forces(eom).items():
        yield f"f {name}", force
    if is_augmented(eom.robot):
        yield "A", eom.constraint_matrix
        yield "φ", eom.closure
    if not eom.robot.has_unit_map:
        yield "N", eom.kinematic_map
    # Last, since it takes longest: it is not computed if the others are already too long.
    yield velocity_terms, eom.coriolis_matrix if velocity_terms == "C" else eom.bias


def closed_parts(
    eom: EquationsOfMotion, parts: Iterable[tuple[str, Part]], length: int = LENGTH
) -> Parts | None:
    """Closed forms of the parts; None if they are too long or take too much work.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> rr_arm, krang = derive(load("rr_arm")), derive(load("krang"))
    >>> closed_parts(rr_arm, parts_of(rr_arm))["g"][1]
    g*Lc2*m2*cos(q1 + q2)
    >>> closed_parts(krang, parts_of(krang)) is None
    True
    """
    whole = [e for _, part in parts_of(eom, "Cv") for e in part.entries]
    if len(walk(whole)) > ALL_NODES:
        return None
    known: dict[Expr, tuple[Expr | None, int]] = eom.made.setdefault("closed forms", {})
    found: Parts = {}
    characters, work = 0, 0
    with waiting("closed forms") as say:
        for letter, part in parts:
            say(f"closed forms: {letter}")
            share = MASS_MATRIX_SHARE if letter == "M" else 1
            forms: dict[Expr, Expr] = {ZERO: ZERO}
            for e in part.entries:
                if e not in known:
                    known[e] = _closed_form(e)
                form, spent = known[e]
                if form is None:
                    return None
                if e not in forms:
                    forms[e] = form
                    work += spent
                characters += 0 if form is ZERO else len(str(form))
                if characters > share * length or work > share * WORK:
                    return None
            found[letter] = part.map(lambda entries, forms=forms: [forms[e] for e in entries])
    return found


def _closed_form(e: Expr) -> tuple[Expr | None, int]:
    if e.op <= LAST_LEAF:
        return e, 0
    return closed_form_and_work(e, DEFAULT_BUDGET) if has_at_most(e, NODES) else (None, 0)
