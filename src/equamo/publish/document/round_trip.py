r"""Round trip: the LaTeX of a document is read back by the audit's reader and proved line by line.

The formulas and the meaning of their letters come from the text alone: symbols of the robot by what the
text says of them, quantities of earlier lines by their left sides. The document says which recorded
value each right side must equal. The middle members of an equation are also checked if they consist of
quantities from earlier equations.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, final

from ...algebra.expr import Expr
from ...algebra.expr.vector import Vector
from ...algebra.identity.proof import Proof
from ...algebra.identity.prove import differences, prove_all
from ...basics.wording import brief, counted
from ...errors import EquamoError, ParseError
from ...mechanics.kinematics.steps import Value
from ...review.claims.evaluation import Evaluation, Scope
from ...review.claims.latex_reader import read_latex
from ...review.claims.syntax import Node
from ...robot.model.body import Body
from .blocks import Equation
from .edited_text import changed_lines, check_surroundings, printed_part
from .latex_members import bare, members_by_number, plain
from .latex_text import escaped
from .printed_symbols import PrintedSymbols, readable
from .short_names import short_name

if TYPE_CHECKING:
    from .paper import Paper

BUDGET: Final = 80_000  # characters of the lines that are read: some seconds
_SHORT: Final = re.compile(r"(?<![A-Za-z\\])[sc]_\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}")
_BODIES: Final = re.compile(
    r"\\caption\{Bodies and joints\.\}.*?\\endhead\n(.*?)\\hline", re.DOTALL
)
_BOLD: Final = re.compile(
    r"(?P<accent>\\d?dot\{)?\\boldsymbol\{(?P<letter>[^{}]+)\}(?P<end>\})?"
    r"(?:_\{(?P<index>[^{}]*(?:\{[^{}]*\}[^{}]*)*)\})?(?P<above>\^\{.*\})?"
)


@final
@dataclass(frozen=True, slots=True)
class ReadBack:
    """Line of the text and the verdict on it."""

    number: int
    problem: str = ""  # why it cannot be read or differs from the document; empty if it agrees
    members: int = 0  # middle members that were proved, besides the right side
    proof: Proof | None = field(default=None, repr=False)  # None if it was not read
    was_read: bool = True  # False if it is longer than the budget or than the reader allows

    def __bool__(self) -> bool:
        return not self.problem and bool(self.proof)

    @property
    def is_wrong(self) -> bool:
        """Whether the line was read and says something else than the document."""
        refuted = self.proof is not None and self.proof.verdict == "refuted"
        return self.was_read and (bool(self.problem) or refuted)

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
        """Lines that are not proved: refuted, undecided or not read."""
        return tuple(x for x in self.lines if not x)

    def __str__(self) -> str:
        if self:
            return f"{counted(len(self.lines), 'line')} read back and proved"
        listed = "\n".join(f"  {x}" for x in self.wrong)
        return f"{counted(len(self.wrong), 'line')} of {len(self.lines)} wrong:\n{listed}"


@final
class _UnreadError(ParseError):
    """A formula that the reader cannot read, as it is too long or not in its language."""


def read_back(paper: Paper, latex: str | None = None, budget: int = BUDGET) -> RoundTrip:
    r"""Read the LaTeX of a document and prove each line that has a recorded value.

    Args:
        paper: The document.
        latex: Its LaTeX, possibly edited; by default `paper.latex()`. Sentences may be changed; the
            preamble, tables, formulas in sentences, lines without a value and the notes behind all
            lines must be those of the document.
        budget: Most characters of all lines that are read; a line that exceeds what is left is not read.

    Raises:
        ParseError: What is not read in an edited text differs from the document.

    >>> from equamo.publish.document.write import paper
    >>> from equamo.robot.library import load
    >>> document = paper(load("rr_arm"), quantities=["M"])
    >>> bool(read_back(document))
    True
    >>> changed = document.latex().replace(r"\sin q_{1}", r"\cos q_{1}")
    >>> read_back(document, changed).wrong[0].number
    6
    """
    own = paper.latex()
    text = own if latex is None else latex
    wrong: dict[int, str] = {}
    if latex is not None:
        check_surroundings(own, latex)
        wrong = changed_lines(paper.equations, own, latex)
        text = printed_part(latex)
    texts = members_by_number(text)
    reader = _Reader(paper, text)
    results: list[ReadBack] = []
    claims: list[list[Expr]] = []
    for chapter, equation in ((s.title, x) for s in paper.sections for x in s.equations()):
        if equation.value is None and equation.left_value is None:
            continue
        reader.enter(chapter)
        number, members = equation.number, texts.get(equation.number)
        length = sum(map(len, members or ()))
        try:
            if number in wrong:
                raise ParseError(wrong.pop(number))
            if length > budget:
                raise _UnreadError(
                    f"the budget must be at least {length} characters for this line."
                )
            budget -= length
            zeros, checked = reader.differences(equation, members)
            results.append(ReadBack(number, members=checked))
            claims.append(zeros)
        except _UnreadError as error:
            results.append(ReadBack(number, str(error), was_read=False))
        except EquamoError as error:
            results.append(ReadBack(number, str(error)))
        reader.define(equation)
    results += (ReadBack(number, problem) for number, problem in sorted(wrong.items()))
    proofs = iter(prove_all(claims, unit=paper.robot.unit_groups))
    return RoundTrip(tuple(x if x.problem else replace(x, proof=next(proofs)) for x in results))


@final
class _Reader:
    """Reader of the lines in order; quantities of earlier lines are known."""

    def __init__(self, paper: Paper, text: str) -> None:
        self._paper = paper
        self._text = text
        robot = paper.robot
        self._symbols = PrintedSymbols(robot, text)
        self._bodies = dict(_quantities(robot.bodies, text))
        self._bodies[r"\boldsymbol{g}_{0}"] = robot.gravity
        self._chapter = ""
        self._earlier: dict[str, Value] = {}
        self._fixed: dict[str, Value] = {}  # of these, names that may not get another meaning
        rates = {
            **dict(zip(robot.q, robot.v, strict=False)),
            **dict(zip(robot.v, robot.vdot, strict=False)),
        }
        self._scope = _ClosedScope(rates if robot.has_unit_map else {})

    def enter(self, chapter: str) -> None:
        """Start or continue a chapter; in a paper of two methods, each has letters of its own."""
        if chapter != self._chapter:
            self._chapter = chapter
            if len(self._paper.formulations) > 1:
                self._fixed.clear()

    def define(self, equation: Equation) -> None:
        """Give the left side of an equation its meaning in later ones."""
        if equation.value is not None:
            for left in equation.left.split(" = "):
                self._earlier[left] = self._fixed[left] = equation.value
                self._earlier |= _components(left, equation.value)

    def differences(self, equation: Equation, members: list[str] | None) -> tuple[list[Expr], int]:
        """What must be zero if a line of the text is right, and the number of middle members in it."""
        if members is None:
            raise ParseError("every equation must be in the text, but this one is missing.")
        lefts = equation.left.split(" = ") if equation.left else []
        expected = len(lefts) + bool(equation.rule) + 1
        if len(members) != expected:
            raise ParseError(f"the equation must have {expected} members, got {len(members)}.")
        names, members = members[: len(lefts)], members[len(lefts) :]
        zeros = self._left(equation, names, lefts)
        if equation.value is None:
            return zeros, 0
        meaning = self._meaning(equation, members[-1], zeros)
        zeros += differences(self._value(members[-1], meaning), equation.value)
        checked = 0
        for member in members[:-1]:
            try:
                earlier = self._nodes(_within(self._earlier, member))
                meaning = self._meaning(equation, member, zeros) | earlier
                zeros += differences(self._value(member, meaning), equation.value)
            except EquamoError:
                # general symbols, such as the derivative of a vector; it must be the document's
                if member != plain(equation.rule):
                    raise ParseError(
                        f"the middle member must be {brief(equation.rule)}, got {brief(member)}."
                    ) from None
                continue
            checked += 1
        return zeros, checked

    def _left(self, equation: Equation, names: list[str], lefts: list[str]) -> list[Expr]:
        """What must be zero if the left side of a line is right; names must be those of the document."""
        if equation.left_value is not None:
            [left] = names
            meaning = self._meaning(equation, left, [])
            return differences(self._value(left, meaning), equation.left_value)
        if list(map(bare, names)) != list(map(bare, lefts)):
            raise ParseError(
                f"the left side must be {brief(equation.left)}, got {brief(' = '.join(names))}."
            )
        zeros: list[Expr] = []
        for name in lefts:  # one name, one meaning
            if equation.value is not None and name in self._fixed:
                zeros += differences(self._fixed[name], equation.value)
        return zeros

    def _meaning(self, equation: Equation, text: str, zeros: list[Expr]) -> dict[str, Node]:
        """What the names of a formula stand for; two meanings of one name must be equal."""
        meaning: dict[str, Value] = {**_within(self._bodies, text), **self._symbols(text)}
        for latex, x in equation.names:
            if (known := self._earlier.get(latex, x)) is not x:
                zeros += differences(known, x)
            meaning[latex] = x
        if self._paper.short:
            for name in set(_SHORT.findall(text)) - set(meaning):
                angle = short_name(name, self._symbols)
                if angle is not None:
                    meaning[name] = angle
        return self._nodes(meaning)

    @staticmethod
    def _nodes(meaning: Mapping[str, Value]) -> dict[str, Node]:
        return {readable(latex): Node("value", 0, x) for latex, x in meaning.items()}

    def _value(self, text: str, meaning: Mapping[str, Node]) -> Value:
        try:
            source = read_latex(readable(text), (), meaning)
        except ParseError as error:
            raise _UnreadError(str(error)) from None
        return Evaluation(self._scope).value(source.tree)


def _within(table: Mapping[str, Value], text: str) -> dict[str, Value]:
    """The part of a table whose names occur in a text."""
    return {latex: x for latex, x in table.items() if latex in text}


def _quantities(bodies: tuple[Body, ...], text: str) -> Iterator[tuple[str, Value]]:
    """Mass, centre of mass and inertia tensors of the bodies, by the labels that the text gives them."""
    table = _BODIES.search(text)
    for b in bodies:
        for label in re.findall(
            rf"^\$([^$]+)\$ & {re.escape(escaped(b.name))} & ",
            table[1] if table else "",
            re.MULTILINE,
        ):
            yield f"m_{{{label}}}", b.inertia.mass
            yield rf"\boldsymbol{{J}}_{{{label}}}", b.inertia.tensor
            if b.inertia.com is not None:
                yield rf"\boldsymbol{{s}}_{{{label}}}", b.inertia.center
                yield rf"\boldsymbol{{I}}_{{{label}}}", b.inertia.tensor_at_center


def _components(left: str, value: Value) -> dict[str, Value]:
    r"""Components of a vector: \boldsymbol{\omega}_{2} has \omega_{2,x}, \omega_{2,y} and \omega_{2,z}.

    >>> from equamo.algebra.expr.vector import Vector
    >>> list(_components(r"\boldsymbol{F}_{1}^{(2)}", Vector([1, 2, 3])))
    ['F_{1,x}^{(2)}', 'F_{1,y}^{(2)}', 'F_{1,z}^{(2)}']
    """
    match = _BOLD.fullmatch(left)
    if match is None or not isinstance(value, Vector) or len(value) != 3:
        return {}
    letter = f"{match['accent'] or ''}{match['letter']}{match['end'] or ''}"
    index = f"{match['index']}," if match["index"] else ""
    return {
        f"{letter}_{{{index}{axis}}}{match['above'] or ''}": x
        for axis, x in zip("xyz", value, strict=True)
    }


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
