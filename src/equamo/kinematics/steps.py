"""Recorded steps of a derivation: the rule, the quantity, the earlier steps it uses, and the result.

A derivation that gets a `Recorder` passes each quantity to it on the line that computes it, with the
value that the derivation itself uses: a displayed step is the step that was computed. Without a
recorder, nothing is made.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import final

from ..expr import Expr
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..model.body import WORLD
from .quantity_name import QuantityName
from .step_latex import step_latex

Value = Expr | Vector | Matrix
Inputs = dict[QuantityName, list[QuantityName]]  # of each quantity, what it is computed from


@final
@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One quantity of a derivation, computed by one rule. Steps are compared by identity."""

    formulation: str
    rule: str  # the number of an equation in the source, such as "(12)", or the equation itself
    quantity: QuantityName
    result: Value = field(repr=False)
    inputs: tuple[Step, ...] = field(
        repr=False
    )  # earlier steps; quantities of the model are not listed

    @property
    def body(self) -> str:
        """The body that the quantity belongs to; empty for one of the whole robot."""
        return self.quantity.body

    def latex(self, labels: Mapping[str, str] | None = None) -> str:
        """LaTeX of the step; components of its inputs are written by their names.

        Args:
            labels: LaTeX of bodies and speeds, by name; others are written by their name.
        """
        return step_latex(self, labels)


@final
class Recorder:
    """Steps of one derivation, in the order in which they are computed.

    >>> from equamo.expr import parse
    >>> record = Recorder("kane")
    >>> record("(3)", QuantityName("w", "upper"), Vector([0, 0, parse("dq1")]))
    >>> record("(3)", QuantityName("w", "fore"), Vector([0, 0, parse("dq1 + dq2")]),
    ...        [QuantityName("w", "upper")])
    >>> [(s.quantity.text, [x.quantity.text for x in s.inputs]) for s in record.steps]
    [('w_upper', []), ('w_fore', ['w_upper'])]
    """

    def __init__(self, formulation: str) -> None:
        self._formulation = formulation
        self._steps: list[Step] = []
        self._latest: dict[QuantityName, Step] = {}

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps so far."""
        return tuple(self._steps)

    def __call__(
        self,
        rule: str,
        quantity: QuantityName,
        result: Value,
        inputs: Iterable[QuantityName] = (),
    ) -> None:
        """Record a step, unless the quantity has exactly this value already.

        A quantity may get a new value, as M does if rotors are added; the name of an input refers to the
        latest step of that name. An input that was not recorded before raises a KeyError.
        """
        self.together([(rule, quantity, result, inputs)])

    def together(
        self, rows: Iterable[tuple[str, QuantityName, Value, Iterable[QuantityName]]]
    ) -> None:
        """Record steps whose inputs were all recorded before this call."""
        new: list[Step] = []
        for rule, quantity, result, inputs in rows:
            last = self._latest.get(quantity)
            if last is None or not _same(last.result, result):
                earlier = tuple(self._latest[x] for x in dict.fromkeys(inputs))
                new.append(Step(self._formulation, rule, quantity, result, earlier))
        self._steps += new
        self._latest |= {step.quantity: step for step in new}

    def known(self, names: Iterable[QuantityName]) -> list[QuantityName]:
        """The names for which a step was recorded."""
        return [x for x in names if x in self._latest]


def of(
    letters: Iterable[str], body: str, by: tuple[str, ...] = (), case: str = ""
) -> list[QuantityName]:
    """Names of several quantities of a body; none for the world, whose motion is not derived."""
    return [] if body == WORLD else [QuantityName(x, body, by=by, case=case) for x in letters]


def matrix_entry(letter: str, a: str, b: str) -> QuantityName:
    """Name of an entry of a symmetric matrix; a comes before b in the order of the speeds."""
    return QuantityName(letter, by=(a, b))


def matrix_inputs(
    columns: Mapping[str, Iterable[int]], names: Sequence[str], left: str, right: str
) -> Inputs:
    """Inputs of the M_ji = Σ_k left_ki · right_kj: letters of a body k, by the speeds i and j ≤ i."""
    inputs: Inputs = {}
    for k, indices in columns.items():
        for i in indices:
            for j in indices:
                if j <= i:
                    parts = inputs.setdefault(matrix_entry("M", names[j], names[i]), [])
                    parts += of(left.split(), k, (names[i],)) + of(right.split(), k, (names[j],))
    return inputs


def vector_inputs(
    letter: str,
    columns: Mapping[str, Iterable[int]],
    names: Sequence[str],
    left: str,
    right: str,
    case: str = "",
) -> Inputs:
    """Inputs of the x_j = Σ_k left_k · right_kj: letters of a body k, in a case and by the speed j."""
    inputs: Inputs = {}
    for k, indices in columns.items():
        for j in indices:
            parts = inputs.setdefault(QuantityName(letter, by=(names[j],)), [])
            parts += of(left.split(), k, case=case) + of(right.split(), k, (names[j],))
    return inputs


def _same(a: Value, b: Value) -> bool:
    """Whether two values consist of the same nodes of the graph."""
    if isinstance(a, Expr) or isinstance(b, Expr):
        return a is b
    x, y = a.entries, b.entries
    return a.shape == b.shape and all(p is q for p, q in zip(x, y, strict=True))
