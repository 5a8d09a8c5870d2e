"""LaTeX of the symbols of a robot: no two look alike, and rates are dotted coordinates and speeds.

Sines and cosines have short names, c_{12}, only if these have one meaning in all formulas of a robot.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence, Set as AbstractSet

from ...algebra.expr import Expr
from ...algebra.expr.functions import COS, SIN
from ...algebra.expr.printing.appearance import appearance
from ...algebra.expr.printing.notation import symbol_table
from ...algebra.expr.printing.symbol_name import SymbolName, given_latex, rate_of, symbol_name
from ...algebra.expr.walk import symbols, walk
from ...robot.model.robot import Robot


def notation_of(robot: Robot, taken: AbstractSet[str] = frozenset()) -> dict[str, str]:
    r"""LaTeX of every symbol of a robot by its name: the robot's own notation, or by rule.

    A symbol that would look like another one, or like a letter that is taken, is written differently.

    Args:
        robot: The robot.
        taken: Appearances of letters with another meaning.

    >>> from equamo.robot.library import load
    >>> notation_of(load("rolling_disc"))["du1"]
    '\\dot u_{1}'
    """

    def forms(name: str, *rules: SymbolName) -> list[SymbolName]:
        own = [given_latex(robot.notation[name])] if name in robot.notation else []
        return [*own, *rules, symbol_name(name)]

    wanted = {x.name: forms(x.name) for x in (*robot.joint_coordinates, *robot.q)}
    wanted |= {f"d{q}": forms(f"d{q}", rate_of(x[0])) for q, x in wanted.items()}
    for x in (*robot.joint_speeds, *robot.v):
        wanted.setdefault(x.name, forms(x.name))
    rates = (
        *zip(robot.joint_speeds, robot.joint_accelerations, strict=True),
        *zip(robot.v, robot.vdot, strict=True),
    )
    for v, rate in rates:
        wanted.setdefault(rate.name, forms(rate.name, rate_of(wanted[v.name][0])))
    for x in (*robot.parameters, *robot.inputs, *robot.external):
        wanted.setdefault(x.name, forms(x.name))
    found = {name: x.latex for name, x in symbol_table(wanted, taken).items()}
    return dict(robot.notation) | found


def angles(robot: Robot) -> list[Expr]:
    """Symbols that occur in sines and cosines: the coordinates, and parameters that are angles."""
    inside = [x.a for x in walk(robot.expressions()) if x.op in (SIN, COS)]
    return list(dict.fromkeys((*robot.joint_coordinates, *robot.q, *symbols(inside))))


def are_clear(symbols: Sequence[Expr], notation: Mapping[str, str]) -> bool:
    r"""Whether c_{1} and c_{12} have one meaning: indices differ, none looks like several others, and
    no symbol looks like a short name.

    >>> from equamo.algebra.expr import symbol
    >>> q = [symbol("q1"), symbol("q2"), symbol("q12")]
    >>> notation = {"q1": "q_{1}", "q2": "q_{2}", "q12": "q_{12}"}
    >>> are_clear(q[:2], notation), are_clear(q, notation)
    (True, False)
    """
    labels = [appearance(_label(notation[x.name])) for x in symbols]
    known = set(labels)
    indices = {x[3:-1] for x in map(appearance, notation.values()) if x[:3] in ("c_{", "s_{")}
    sums = [x for x in known if len(x) > 1 and set(x) <= known]
    names = [x for x in indices if all(y in known or set(y) <= known for y in re.split("[+−]", x))]
    return len(known) == len(labels) and not sums and not names


def _label(latex: str) -> str:
    """Index of an angle q or theta; any other coordinate stands for itself."""
    parts = given_latex(latex)
    if parts.subscripts and parts.base in ("q", "theta"):
        return parts.subscript
    return latex
