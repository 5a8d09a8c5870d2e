r"""Round trip: the LaTeX of a document is read back by the audit's reader and proved line by line.

The formulas come from the text alone. The document says what the names in them stand for, and which
recorded value each right side must equal. The middle members of an equation are also checked if they
consist of quantities from earlier equations.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, final

from ..claims.evaluation import Evaluation, Scope
from ..claims.latex_reader import read_latex
from ..claims.syntax import Node
from ..errors import EquamoError, ParseError
from ..expr import Expr
from ..identity.proof import Proof
from ..identity.prove import differences, prove_all
from ..kinematics.steps import Value
from ..wording import brief, counted
from .blocks import Equation
from .latex_members import members_by_number, plain
from .short_names import short_name

if TYPE_CHECKING:
    from .paper import Paper

_SHORT: Final = re.compile(r"(?<![A-Za-z\\])[sc]_\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")


@final
@dataclass(frozen=True, slots=True)
class ReadBack:
    """Line of the text and the verdict on it."""

    number: int
    problem: str = ""  # why it cannot be read or differs from the document; empty if it agrees
    members: int = 0  # middle members that were proved, besides the right side
    proof: Proof | None = field(default=None, repr=False)  # None if it was not read

    def __bool__(self) -> bool:
        return not self.problem and bool(self.proof)

    def __str__(self) -> str:
        return f"({self.number}) {self.problem or self.proof}"


@final
@dataclass(frozen=True, slots=True)
class RoundTrip:
    """Verdicts on all lines that have a recorded value; true if every one of them is proved."""

    lines: tuple[ReadBack, ...]

    def __bool__(self) -> bool:
        return all(self.lines)

    @property
    def wrong(self) -> tuple[ReadBack, ...]:
        """Lines that are refuted or cannot be read."""
        return tuple(x for x in self.lines if not x)

    def __str__(self) -> str:
        if self:
            return f"{counted(len(self.lines), 'line')} read back and proved"
        listed = "\n".join(f"  {x}" for x in self.wrong)
        return f"{counted(len(self.wrong), 'line')} of {len(self.lines)} wrong:\n{listed}"


def read_back(paper: Paper, latex: str | None = None) -> RoundTrip:
    r"""Read the LaTeX of a document and prove each line that has a recorded value.

    Args:
        paper: The document.
        latex: Its LaTeX, possibly edited; by default `paper.latex()`.

    >>> from equamo.document.write import paper
    >>> from equamo.robots import load
    >>> document = paper(load("rr_arm"), quantities=["M"])
    >>> bool(read_back(document))
    True
    >>> changed = document.latex().replace(r"\sin q_{1}", r"\cos q_{1}")
    >>> read_back(document, changed).wrong[0].number
    6
    """
    text = paper.latex() if latex is None else latex
    texts = members_by_number(text)
    reader = _Reader(paper)
    results: list[ReadBack] = []
    claims: list[list[Expr]] = []
    for equation in paper.equations:
        if equation.value is None:
            continue
        try:
            zeros, members = reader.differences(equation, texts.get(equation.number))
            results.append(ReadBack(equation.number, members=members))
            claims.append(zeros)
        except EquamoError as error:
            results.append(ReadBack(equation.number, str(error)))
        reader.define(equation)
    proofs = iter(prove_all(claims, unit=paper.robot.unit_groups))
    return RoundTrip(
        tuple(x if x.problem else ReadBack(x.number, "", x.members, next(proofs)) for x in results)
    )


@final
class _Reader:
    """Reader of the lines in order; quantities of earlier lines are known."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        robot = paper.robot
        known = (
            *robot.parameters, *robot.joint_coordinates, *robot.joint_speeds,
            *robot.joint_accelerations, *robot.q, *robot.v, *robot.vdot, *robot.inputs,
            *robot.external,
        )  # fmt: skip
        self._symbols = {paper.notation[x.name]: x for x in known if x.name in paper.notation}
        self._earlier: dict[str, Value] = {}
        rates = {
            **dict(zip(robot.q, robot.v, strict=False)),
            **dict(zip(robot.v, robot.vdot, strict=False)),
        }
        self._scope = _ClosedScope(rates if robot.has_unit_map else {})

    def define(self, equation: Equation) -> None:
        """Give the left side of an equation its meaning in later ones."""
        if equation.value is not None:
            for left in equation.left.split(" = "):
                self._earlier[left] = equation.value

    def differences(self, equation: Equation, members: list[str] | None) -> tuple[list[Expr], int]:
        """What must be zero if a line of the text is right, and the number of middle members in it."""
        if members is None:
            raise ParseError("every equation must be in the text, but this one is missing.")
        names = [plain(x) for x in equation.left.split(" = ")] if equation.left else []
        expected = len(names) + bool(equation.rule) + 1
        if len(members) != expected:
            raise ParseError(f"the equation must have {expected} members, got {len(members)}.")
        if members[: len(names)] != names:
            found = " = ".join(members[: len(names)])
            raise ParseError(f"the left side must be {brief(equation.left)}, got {brief(found)}.")
        members = members[len(names) :]
        assert equation.value is not None
        meaning = self._meaning(equation, members[-1])
        zeros = differences(self._value(members[-1], meaning), equation.value)
        checked = 0
        for member in members[:-1]:
            try:
                middle = self._value(member, {**meaning, **self._nodes(self._earlier)})
                zeros = zeros + differences(middle, equation.value)
            except EquamoError:
                # general symbols, such as the derivative of a vector; it must be the document's
                if member != plain(equation.rule):
                    raise ParseError(
                        f"the middle member must be {brief(equation.rule)}, got {brief(member)}."
                    ) from None
                continue
            checked += 1
        return zeros, checked

    def _meaning(self, equation: Equation, text: str) -> dict[str, Node]:
        """What the names of a right side stand for."""
        meaning: dict[str, Value] = {**self._symbols, **dict(equation.names)}
        if self._paper.short:
            for name in set(_SHORT.findall(text)) - set(meaning):
                angle = short_name(name, self._paper.robot.q, self._paper.notation)
                if angle is not None:
                    meaning[name] = angle
        return self._nodes(meaning)

    @staticmethod
    def _nodes(meaning: Mapping[str, Value]) -> dict[str, Node]:
        return {latex: Node("value", 0, x) for latex, x in meaning.items()}

    def _value(self, text: str, meaning: Mapping[str, Node]) -> Value:
        source = read_latex(text, (), meaning)
        return Evaluation(self._scope).value(source.tree)


@final
class _ClosedScope(Scope):
    """Scope in which every name must be defined by the document."""

    def __init__(self, rates: Mapping[Expr, Expr]) -> None:
        self._rates = rates

    def name(self, name: str) -> Value:
        raise ParseError(f"every name must be defined by the document, but {brief(name)} is not.")

    def quantity(self, node: Node, evaluation: Evaluation) -> Value:
        return self.name(str(node.value))  # LaTeX has no quantities

    def rates(self) -> Mapping[Expr, Expr]:
        return self._rates
