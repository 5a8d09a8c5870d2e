"""Text of equations: textbook M, C, g for a small robot, a summary for a big one."""

from __future__ import annotations

from typing import Final

from ..expr.closed_form.closed_form import DEFAULT_BUDGET, closed_form_or_none
from ..expr.count import count
from ..expr.graph import ZERO, Expr
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..wording import counted
from .constrained import is_augmented
from .equations import EquationsOfMotion

SMALL: Final = 3  # degrees of freedom shown in closed form


def to_text(eom: EquationsOfMotion) -> str:
    """Text that `print(eom)` writes."""
    augmented = is_augmented(eom.robot)
    lines = [
        f"{eom.robot.name}: equations of motion by {eom.by.replace('_', ' ')}",
        "M(q) v̇ + C(q, v) v + g(q) = B τ"
        + ("" if eom.passive_force.is_zero else " + Σ Jᵀ f")
        + (" + A(q)ᵀ λ,  A(q) v = 0" if augmented else ""),
        f"q = {_names(eom.q)}",
        f"v = {_names(eom.v)}",
    ]
    if eom.inputs:
        lines.append(f"τ = {_names(eom.inputs)}")
    if eom.external:
        lines.append(f"external = {_names(eom.external)}")
    if augmented:
        lines.append(f"λ = {', '.join(r.name for r in eom.robot.rows)}")
    if len(eom.v) <= SMALL:
        shown = [
            _entries("M", eom.mass_matrix),
            _entries("C", eom.coriolis_matrix),
            _entries("g", eom.gravity),
        ]
        if augmented:
            shown += [_entries("A", eom.constraint_matrix), _entries("φ", eom.closure)]
        if all(s is not None for s in shown):
            lines += [""]
            for s in shown:
                lines += s or []
            return "\n".join(lines)
    return "\n".join([*lines, "", *_sizes(eom)])


def _names(symbols: tuple[Expr, ...]) -> str:
    return ", ".join(x.name for x in symbols)


def _entries(letter: str, part: Matrix | Vector) -> list[str] | None:
    """Lines `M[q1, q2] = …` of nonzero entries; None if one exceeds the budget."""
    lines: list[str] = []
    for k, (x, name) in enumerate(zip(part.entries, part.entry_names, strict=True)):
        short = closed_form_or_none(x, DEFAULT_BUDGET)
        if short is None:
            return None
        if isinstance(part, Matrix):
            i, j = divmod(k, part.shape[1])
            if letter == "M" and j < i:
                continue  # symmetric
        if short is not ZERO:
            lines.append(f"{letter}{name} = {short}")
    return lines or [f"{letter} = 0"]


def _sizes(eom: EquationsOfMotion) -> list[str]:
    rows = [
        ("M", f"{len(eom.v)}×{len(eom.v)}", eom.mass_matrix.entries),
        ("C v", f"{len(eom.v)}", eom.bias.entries),
        ("g", f"{len(eom.v)}", eom.gravity.entries),
        ("inverse dynamics", f"{len(eom.v)}", eom.inverse_dynamics.entries),
    ]
    if is_augmented(eom.robot):
        A = eom.constraint_matrix
        rows.append(("A", f"{A.shape[0]}×{A.shape[1]}", A.entries))
    lines = ["quantity           size   multiplications  additions  sin/cos"]
    for name, size, entries in rows:
        c = count(entries)
        lines.append(
            f"{name:<17}  {size:<5}  {c.multiplications:>15,}  {c.additions:>9,}  {c.sincos:>7}"
        )
    first = (eom.mass_matrix.row_names or ("",))[0]
    lines.append(
        f"{counted(len(eom.parameters), 'parameter')}; entries by name: eom.mass_matrix[{first!r}, …]"
    )
    return lines
