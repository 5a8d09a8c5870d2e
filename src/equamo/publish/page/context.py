"""Context of the sections: equations, shared tape, certificate, audits and trajectory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import hypot
from typing import TYPE_CHECKING, Any, final

from ...algebra.expr import Expr
from ...algebra.expr.printing.notation import distinct
from ...algebra.expr.printing.symbol_name import SymbolName, rate_of
from ...code.codegen.quantities import quantities
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.kinematics.quantity_name import QuantityName
from ...robot.model.robot import Robot
from .abbreviations import Label, abbreviated, body_labels, plain
from .origins import named_nodes, symbol_bodies
from .tape import Tape
from .typeset import typeset

if TYPE_CHECKING:  # these import NumPy, which the studio in the browser does not have
    from ...mechanics.certificate import Certificate
    from ...motion.simulation.trajectory import Trajectory
    from ...review.claims.report import Audit
    from ...review.referee.report import RefereeReport


@final
@dataclass(frozen=True)
class Context:
    """Data of one page; the tape grows as sections add their expressions."""

    eom: EquationsOfMotion
    certificate: Certificate | None
    audits: tuple[Audit, ...]
    trajectory: Trajectory | None
    motion: str  # description of the motion, one sentence
    timed: bool
    referee: RefereeReport | None = None
    assumed: tuple[str, ...] = ()  # parameters without values, which are taken to be 1

    @property
    def robot(self) -> Robot:
        return self.eom.robot

    @cached_property
    def values(self) -> dict[str, float]:
        """Parameter values: those of the motion, or the defaults."""
        if self.trajectory is not None:
            return dict(self.trajectory.values)
        if None not in self.robot.values.values():
            return {n: float(x) for n, x in self.robot.values.items() if x is not None}
        from ..picture.posture import parameter_values

        given = dict.fromkeys(self.assumed, 1.0)
        return {s.name: x for s, x in parameter_values(self.robot, given).items()}

    @cached_property
    def home(self) -> dict[str, float]:
        """Coordinates that the page starts with: the first ones of the motion, or the defaults.

        All loops are closed.
        """
        robot = self.robot
        if self.trajectory is not None:
            q = self.trajectory.q[0]
            return {s.name: float(x) for s, x in zip(robot.q, q, strict=True)}
        home = {n: float(x) for n, x in robot.home.q.items()}
        lengths = [hypot(*(home[s.name] for s in group)) for group in robot.unit_groups]
        if not robot.loops and all(lengths):
            for group, length in zip(robot.unit_groups, lengths, strict=True):
                home |= {s.name: home[s.name] / length for s in group}
            return home
        from ..picture.posture import coordinates

        q = coordinates(robot, values=self.values)
        return {s.name: float(x) for s, x in zip(robot.q, q, strict=True)}

    @cached_property
    def groups(self) -> dict[str, tuple[Expr, ...]]:
        """Symbols of the tape by kind, in the order of the tape."""
        eom = self.eom
        return {
            "q": eom.q,
            "v": eom.v,
            "vdot": eom.vdot,
            "inputs": eom.inputs,
            "external": eom.external,
            "parameters": eom.parameters,
        }

    @cached_property
    def tape(self) -> Tape:
        return Tape([s for group in self.groups.values() for s in group])

    @cached_property
    def named(self) -> dict[Expr, QuantityName]:
        """Names of intermediate quantities."""
        return named_nodes(self.eom)

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each body, in tree order."""
        return {b.name: k for k, b in enumerate(self.robot.bodies)}

    @cached_property
    def labels(self) -> dict[str, Label]:
        """Short names of the bodies, in words."""
        return body_labels(self.robot)

    @property
    def symbol_names(self) -> dict[Expr, SymbolName]:
        """Names of the symbols in formulas, in parts."""
        return self._abbreviated[0]

    @cached_property
    def _abbreviated(self) -> tuple[dict[Expr, SymbolName], set[Expr]]:
        return abbreviated(self.eom, self._whole_names())

    def heads(self, names: Iterable[str]) -> list[str]:
        """Short text of coordinates, speeds or inputs, for the head of a row or a column."""
        names_of, changed = self._abbreviated
        known = {s.name: plain(names_of[s]) for s in changed}
        return [known.get(n, n) for n in names]

    def _whole_names(self) -> dict[Expr, SymbolName]:
        symbols = [s for group in self.groups.values() for s in group]
        names = distinct({s: s.name for s in symbols}, self.robot.notation)
        for v, rate in zip(self.eom.v, self.eom.vdot, strict=True):
            if not names[rate].accent and rate.name not in self.robot.notation:
                names[rate] = rate_of(names[v])  # rate of a chosen speed, such as u2
        return names

    def symbols_data(self) -> list[dict[str, Any]]:
        """Symbols of the tape: name, kind, unit, default, typeset form and bodies."""
        known = quantities(self.robot)
        bodies = symbol_bodies(self.robot.tree)
        rows: list[dict[str, Any]] = []
        changed = self._abbreviated[1]
        for kind, group in self.groups.items():
            for s, quantity in zip(group, known.get(kind, ()), strict=True):
                names, inertial = bodies.get(s, ([], False))
                default = self.values.get(s.name, quantity.default)
                if kind == "q":
                    default = self.home[s.name]
                rows.append({
                    "name": s.name,
                    "kind": kind,
                    "unit": quantity.unit,
                    "value": 0.0 if default is None else float(default),
                    "latex": self.symbol_names[s].latex,
                    "tree": typeset(self.symbol_names[s], s.name, short=s in changed),
                    "short": s in changed,
                    "bodies": [self.index[n] for n in names],
                    "inertial": inertial,
                })  # fmt: skip
        return rows

    def names_data(self) -> list[list[Any]]:
        """Rows [node, letter, body, axis, minus] of the intermediates on the tape."""
        return [
            [
                self.tape[node],
                named.letter,
                self.index[named.body],
                named.component,
                int(named.minus),
            ]
            for node, named in self.named.items()
            if node in self.tape
        ]

    def places(self, exprs: Iterable[Expr]) -> list[int]:
        """Positions of expressions on the tape."""
        return self.tape.add(exprs)

    def unit(self, symbol: Expr) -> str:
        """Unit of a coordinate or speed (rad, m, rad/s …); empty for a quaternion entry."""
        return self._units.get(symbol.name, "")

    @cached_property
    def _units(self) -> dict[str, str]:
        return {x.name: x.unit for group in quantities(self.robot).values() for x in group}
