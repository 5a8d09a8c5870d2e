"""Recorded steps of a derivation: the rule, the quantity, the earlier steps it uses, and the result.

A derivation passes each quantity to its record in the line that computes it, or in the next one, with
the value that the derivation itself uses: a displayed step is the step that was computed.

    w = record("(3)", of("w", body), A @ w_parent + w_rel, of("w", parent))

returns the value. So the same lines run whether a `Recorder` keeps the steps or `NO_RECORD` drops
them; names are made by the recorder only.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Concatenate, Final, ParamSpec, TypeVar, final

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...robot.model.body import WORLD
from ...robot.model.robot import Robot
from .quantity_name import QuantityName
from .step_latex import step_latex

Value = Expr | Vector | Matrix
# One name, or letters (separated by blanks), bodies, index and case of several: see `of`.
Names = QuantityName | tuple[str, str | Iterable[str], str | tuple[str, ...], str]
Rule = str | tuple[str, ...]  # of all quantities that are recorded together, or one of each
V = TypeVar("V", bound=Value | tuple[Value, ...])
P = ParamSpec("P")


def of(
    letters: str, body: str | Iterable[str] = "", by: str | tuple[str, ...] = "", case: str = ""
) -> Names:
    """Quantities of a body or of several; none of the world, whose motion is not derived.

    Args:
        letters: Letters of the quantities, separated by blanks; "-U" is U with its sign changed.
        body: Body or bodies; empty for quantities of the whole robot.
        by: Force element, coordinate or speed that indexes them, or several.
        case: "bias" at v̇ = 0, "gravity" at rest, "load" of a force element; empty: all terms.

    >>> [x.text for x in names_of(of("F T", "fore", "dq1"))]
    ['F_fore_dq1', 'T_fore_dq1']
    """
    return letters, body, by, case


def names_of(names: Names) -> list[QuantityName]:
    """The names one by one, body by body."""
    if isinstance(names, QuantityName):
        return [names]
    letters, body, by, case = names
    bodies = (body,) if isinstance(body, str) else body
    index = by if isinstance(by, tuple) else (by,) if by else ()
    return [
        QuantityName(x.removeprefix("-"), k, "", x.startswith("-"), index, case)
        for k in bodies
        if k != WORLD
        for x in letters.split()
    ]


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


class Record(ABC):
    """Abstract: takes the quantities of a derivation, and returns the values."""

    @abstractmethod
    def __call__(self, rule: Rule, names: Names, value: V, *inputs: Names) -> V:
        """Take one quantity, or a tuple of several with the same inputs, and return it."""

    @abstractmethod
    def sum(self, rule: Rule, names: Names, value: V, robot: Robot, *own: Names) -> V:
        """Take a sum over a body and all that it carries.

        Inputs are `own` of the body, and the same sums of the bodies that it carries directly: those of
        them that were recorded, because a massless body adds nothing.
        """

    @abstractmethod
    def aside(
        self, steps: Callable[Concatenate[Recorder, P], None], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        """Call a function that records steps, with the recorder first, if there is one."""


@final
class NoRecord(Record):
    """Drops everything: a derivation whose steps nobody reads.

    >>> NO_RECORD("(3)", of("w", "fore"), Vector([0, 0, "dq1"]), of("w", "upper"))
    Vector([0, 0, dq1])
    """

    def __call__(self, rule: Rule, names: Names, value: V, *inputs: Names) -> V:
        return value

    def sum(self, rule: Rule, names: Names, value: V, robot: Robot, *own: Names) -> V:
        return value

    def aside(
        self, steps: Callable[Concatenate[Recorder, P], None], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        pass


NO_RECORD: Final = NoRecord()


@final
class Recorder(Record):
    """Steps of one derivation, in the order in which they are computed.

    >>> from equamo.algebra.expr import parse
    >>> record = Recorder("kane")
    >>> w = record("(3)", of("w", "upper"), Vector([0, 0, parse("dq1")]))
    >>> record("(3)", of("w", "fore"), w + Vector([0, 0, parse("dq2")]), of("w", "upper"))
    Vector([0, 0, dq1 + dq2])
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

    def __call__(self, rule: Rule, names: Names, value: V, *inputs: Names) -> V:
        """Record each quantity, unless it has exactly this value already; return the value.

        A quantity may get a new value, as M does if rotors are added; the name of an input refers to the
        latest step of that name. An input that was not recorded before raises a KeyError.
        """
        values = value if isinstance(value, tuple) else (value,)
        rules = rule if isinstance(rule, tuple) else (rule,) * len(values)
        earlier = [x for each in inputs for x in names_of(each)]
        rows = zip(rules, names_of(names), values, strict=True)
        self.together([(*row, earlier) for row in rows])
        return value

    def sum(self, rule: Rule, names: Names, value: V, robot: Robot, *own: Names) -> V:
        sums = names_of(names)
        carried = [b.name for b in robot.bodies if b.parent == sums[0].body]
        below = [replace(x, body=k) for k in carried for x in sums]
        return self(rule, names, value, *self.known(*own, *below))

    def together(self, rows: Iterable[tuple[str, Names, Value, Iterable[Names]]]) -> None:
        """Record (rule, name, value, inputs) of quantities with inputs from before this call."""
        new: list[Step] = []
        for rule, names, value, inputs in rows:
            (quantity,) = names_of(names)
            last = self._latest.get(quantity)
            if last is None or not _same(last.result, value):
                unique = dict.fromkeys(x for each in inputs for x in names_of(each))
                earlier = tuple(self._latest[x] for x in unique)
                new.append(Step(self._formulation, rule, quantity, value, earlier))
        self._steps += new
        self._latest |= {step.quantity: step for step in new}

    def aside(
        self, steps: Callable[Concatenate[Recorder, P], None], *args: P.args, **kwargs: P.kwargs
    ) -> None:
        steps(self, *args, **kwargs)

    def known(self, *names: Names) -> list[QuantityName]:
        """The names for which a step was recorded."""
        return [x for each in names for x in names_of(each) if x in self._latest]


def matrix_entry(letter: str, a: str, b: str) -> QuantityName:
    """Name of an entry of a symmetric matrix; a comes before b in the order of the speeds."""
    return QuantityName(letter, by=(a, b))


def _same(a: Value, b: Value) -> bool:
    """Whether two values consist of the same nodes of the graph."""
    if isinstance(a, Expr) or isinstance(b, Expr):
        return a is b
    x, y = a.entries, b.entries
    return a.shape == b.shape and all(p is q for p, q in zip(x, y, strict=True))
