"""Text of equations: textbook M, C, g, B and forces if they are short, otherwise a summary."""

from __future__ import annotations

from ...algebra.expr.count import count
from ...algebra.expr.graph import ZERO, Expr
from ...algebra.expr.matrix import Matrix
from ...basics.wording import counted
from .closed_parts import Part, closed_parts, has_unit_inputs, parts_of, passive_forces
from .constrained import is_augmented
from .equations import EquationsOfMotion

ORDER = ("M", "C", "g", "B", "f", "A", "φ", "N")


def to_text(eom: EquationsOfMotion) -> str:
    """Text that `print(eom)` writes."""
    augmented = is_augmented(eom.robot)
    forces = passive_forces(eom)
    lines = [
        f"{eom.robot.name}: equations of motion by {eom.by.replace('_', ' ')}",
        f"M(q) v̇ + C(q, v) v + g(q) = {_right_hand_side(eom, bool(forces), augmented)}",
        f"q = {_names(eom.q)}",
        f"v = {_names(eom.v)}",
    ]
    if eom.inputs:
        lines.append(f"τ = {_names(eom.inputs)}")
    if forces:
        lines.append(f"f = {', '.join(forces)}")
    if eom.external:
        lines.append(f"external = {_names(eom.external)}")
    if augmented:
        lines.append(f"λ = {', '.join(r.name for r in eom.robot.rows)}")
    closed = closed_parts(eom, parts_of(eom))
    if closed is None:
        return "\n".join([*lines, "", *_sizes(eom)])
    lines.append("")
    for letter in sorted(closed, key=lambda x: ORDER.index(x[0])):
        if letter == "B" and has_unit_inputs(eom):
            lines.append("B = identity")
        elif letter != "B" or eom.inputs:
            lines += _entries(letter.removeprefix("f "), closed[letter])
    return "\n".join(lines)


def _right_hand_side(eom: EquationsOfMotion, forces: bool, augmented: bool) -> str:
    terms = ["B τ"] * bool(eom.inputs) + ["Σ f"] * forces + ["A(q)ᵀ λ"] * augmented
    constraints = [",  A(q) v = 0"] * augmented + [",  q̇ = N(q) v"] * (not eom.robot.has_unit_map)
    return (" + ".join(terms) or "0") + "".join(constraints)


def _names(symbols: tuple[Expr, ...]) -> str:
    return ", ".join(x.name for x in symbols)


def _entries(letter: str, part: Part) -> list[str]:
    """Lines `M[q1, q2] = …` of nonzero entries."""
    lines: list[str] = []
    for k, (x, name) in enumerate(zip(part.entries, part.entry_names, strict=True)):
        if isinstance(part, Matrix):
            i, j = divmod(k, part.shape[1])
            if letter == "M" and j < i:
                continue  # symmetric
        if x is not ZERO:
            lines.append(f"{letter}{name} = {x}")
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
