"""Equations of motion as replacements, to prove printed ones: τ or v̇ in terms of the others."""

from __future__ import annotations

from collections.abc import Mapping

from ...algebra.expr import Expr
from ...algebra.expr.walk import symbols
from ...errors import EquamoError
from ...mechanics.equations import EquationsOfMotion
from ...mechanics.equations.constrained import is_augmented


def solved(eom: EquationsOfMotion) -> dict[Expr, Expr]:
    """{symbol: value} on every motion that obeys the equations B τ = inverse dynamics.

    If every row has a separate input with a constant factor, the inputs are replaced; otherwise, and
    if loops or contacts have forces, the accelerations. A printed equation holds if its two sides agree
    after the replacement.

    >>> from ...robot.catalog import load
    >>> from ...mechanics.equations import derive
    >>> sorted(x.name for x in solved(derive(load("rr_arm"))))
    ['tau1', 'tau2']
    """
    B, total = eom.input_matrix, eom.inverse_dynamics
    table: dict[Expr, Expr] = {}
    # Constraint forces are part of augmented equations, so τ does not follow from v̇ alone.
    for i, force in enumerate([] if is_augmented(eom.robot) else total):
        driven = [j for j in range(len(eom.inputs)) if B[i, j].value != 0]
        if len(driven) != 1 or eom.inputs[driven[0]] in table or B[i, driven[0]].value is None:
            break
        table[eom.inputs[driven[0]]] = force / B[i, driven[0]]
    if len(table) == len(total) and not is_augmented(eom.robot):  # loops restrict v̇
        return table
    accelerations = list(eom.state_derivative)[len(eom.q) :]
    return dict(zip(eom.vdot, accelerations, strict=True))


def check_determined(table: Mapping[Expr, Expr]) -> None:
    """Check that no value contains a symbol that is replaced, as a force that depends on v̇ would."""
    left = table.keys() & set(symbols(table.values()))
    if left:
        names = ", ".join(sorted(x.name for x in left))
        raise EquamoError(
            f"The equations of motion must not contain what they determine, got {names} in [symbols]; "
            "write the claim without on_motion."
        )
