"""Claim: a printed formula, the quantity it is claimed to be, and its conventions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, cast, final, get_args

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...basics.wording import brief, counted
from ...errors import FileFormatError, ParseError, UnknownNameError
from ...mechanics.equations import EquationsOfMotion
from ...robot.model import Robot
from .latex_reader import read_latex
from .syntax import Node, Source
from .text_reader import read_text

# "proved as read" and "agrees to rounding" are verdicts on programs, whose readers are not proved.
Verdict = Literal[
    "proved", "proved as read", "agrees to rounding", "convention", "wrong (sign)", "wrong",
    "undecided", "unreadable", "says nothing",
]  # fmt: skip
VERDICTS: Final[tuple[Verdict, ...]] = get_args(Verdict)
DIAGNOSES: Final = (
    "negated", "reordered", "flipped", "splitting", "inertia_point", "gravity",
)  # fmt: skip
CORIOLIS: Final = ("christoffel", "split")


@dataclass(frozen=True)
class Place:
    """Place of a formula, named in errors; in Python only a name."""

    name: str

    def error(self, message: str, position: int | None = None, text: str = "") -> FileFormatError:
        """Error that names the place and shows the text around a position."""
        where = self.name if position is None else f"{self.name}, column {position + 1}"
        return FileFormatError(f"{where}: {message}{excerpt(text, position)}")


def excerpt(text: str, position: int | None) -> str:
    """Line of the text with a caret below the position; empty without a position."""
    if position is None or not text:
        return ""
    start = text.rfind("\n", 0, position) + 1
    stop = text.find("\n", position)
    stop = len(text) if stop < 0 else stop
    left, right = max(start, position - 40), min(stop, position + 30)
    before = ("…" if left > start else "") + text[left:position]
    after = text[position:right] + ("…" if right < stop else "")
    line = "".join(c if c.isprintable() else " " for c in before + after)
    return f"\n  {line.rstrip()}\n  {' ' * len(before)}^"


@final
@dataclass(frozen=True)
class Part:
    """One text of a formula; LaTeX is read later, when the names are known."""

    text: str
    place: Place
    source: Source | None  # None for LaTeX
    labelled: bool = False  # whether `name = formula` is allowed, as the claim has a quantity
    problem: FileFormatError | None = None  # why the text cannot be read


@final
@dataclass(frozen=True)
class Formula:
    """Formula: one text, a list of texts (a vector), or a list of lists (a matrix)."""

    rows: tuple[tuple[Part, ...], ...]
    shape: Literal["single", "vector", "matrix"]
    place: Place

    @property
    def parts(self) -> list[Part]:
        return [p for row in self.rows for p in row]

    @staticmethod
    def unreadable(text: str, place: Place, problem: FileFormatError) -> Formula:
        """Formula of a text that cannot be read; using it raises the error."""
        return Formula(((Part(text, place, None, problem=problem),),), "single", place)

    def labelled(self) -> Formula:
        """Copy in which every text may begin with a name, `tau_1 = …`, that is not compared."""
        rows = tuple(tuple(replace(p, labelled=True) for p in row) for row in self.rows)
        return replace(self, rows=rows)


def formula(content: Any, name: str = "formula", latex: bool = False) -> Formula:
    """Formula from text, numbers, expressions, or lists of them.

    >>> formula([["m", 0], [0, "m"]]).shape
    'matrix'
    """
    place = Place(name)
    if isinstance(content, (Vector, Matrix)):
        return Formula(((part_of(content, place, False),),), "single", place)
    if isinstance(content, (list, tuple)):
        items = cast(Sequence[Any], content)
        if not items:
            raise place.error("expected a formula, found an empty list.")
        if any(isinstance(x, (list, tuple)) for x in items):
            rows = tuple(tuple(part_of(x, place, latex) for x in row) for row in items)
            if not all(rows):
                raise place.error("expected formulas, found an empty row.")
            if len({len(r) for r in rows}) > 1:
                sizes = ", ".join(str(len(r)) for r in rows)
                raise place.error(f"rows must have the same number of entries, got {sizes}.")
            return Formula(rows, "matrix", place)
        return Formula((tuple(part_of(x, place, latex) for x in items),), "vector", place)
    return Formula(((part_of(content, place, latex),),), "single", place)


def part_of(x: Any, place: Place, latex: bool) -> Part:
    """Part of a formula from a text, number or expression."""
    if isinstance(x, str):
        if latex:
            return Part(x, place, None)
        try:
            return Part(x, place, read_text(x))
        except ParseError as error:
            raise place.error(str(error), error.position, x) from None
    from ...algebra.expr import as_expr

    value = x if isinstance(x, (Expr, Vector, Matrix)) else as_expr(x)
    return Part(str(value), place, Source(str(value), (Node("value", 0, value),)))


def renaming(content: Any, place: Place, latex: bool = False) -> Formula | None:
    """Formula of a symbol written in LaTeX, such as \\theta_1; None for anything else.

    LaTeX of claims is read once the names are known. These formulas define names, so they are read at
    once, and every name must be a single letter or command with its subscript.

    >>> renaming(r"L_{c2}", Place("symbols")).parts[0].source.tree.value
    'L_c2'
    """
    if not isinstance(content, str) or not (latex or {"\\", "{"} & set(content)):
        return None
    try:
        part = Part(content, place, read_latex(content))
    except ParseError as error:
        raise place.error(str(error), error.position, content) from None
    return Formula(((part,),), "single", place)


def plain_name(text: str, place: Place) -> str:
    """Name that a document defines, which may be written in LaTeX.

    >>> plain_name(r"\\theta_1", Place("definitions")), plain_name("h", Place("definitions"))
    ('theta_1', 'h')
    """
    formula = renaming(text, place)
    source = None if formula is None else formula.parts[0].source
    if source is None:
        return text
    if source.is_equation or source.tree.kind != "name":
        raise place.error("expected one name.", 0, text)
    return str(source.tree.value)


def by_plain_name(table: Mapping[str, Any], place: Callable[[str], Place]) -> dict[str, Any]:
    """Table whose keys may be written in LaTeX, with plain names as keys."""
    plain: dict[str, Any] = {}
    for key, x in table.items():
        name = plain_name(key, place(key))
        if name in plain:
            raise place(key).error(f"a name must be defined once, got {brief(name)} twice.")
        plain[name] = x
    return plain


@final
@dataclass(frozen=True)
class Setting:
    """Conventions of a claim: robot, symbols, order and signs."""

    robot: str | Robot | EquationsOfMotion | None = None
    by: str = "kane"
    coriolis: Literal["christoffel", "split"] = "christoffel"
    order: tuple[str, ...] = ()
    flip: tuple[str, ...] = ()
    sign: int = 1
    accept: tuple[str, ...] = ()
    symbols: Mapping[str, Formula] = field(default_factory=dict[str, Formula])
    definitions: Mapping[str, Formula] = field(default_factory=dict[str, Formula])
    vectors: Mapping[str, int] = field(default_factory=dict[str, int])
    matrices: Mapping[str, Any] = field(default_factory=dict[str, Any])
    rates: Mapping[str, Formula] = field(default_factory=dict[str, Formula])
    known: tuple[str, ...] = ()
    accents: tuple[str, ...] = ()  # that mark vectors of the document: ("bar",)
    positive: tuple[str, ...] = ()  # symbols of the document; counterexamples respect it
    aliases: Mapping[str, Formula] = field(default_factory=dict[str, Formula])


@final
@dataclass(frozen=True)
class Claim:
    """Printed formula and the quantity it is claimed to be, or a printed chain of equations."""

    id: str  # unique in the document
    place: tuple[str, ...]  # where it is printed
    setting: Setting  # conventions of the document
    printed: Formula | None = None  # what is printed
    quantity: Formula | None = None  # claimed quantity; None for a chain of equations
    name: str = ""  # by which other formulas refer to what is printed
    entries: tuple[str, ...] = ()  # ("2", "3"), ("row 2",): the printed part of the quantity
    made_from: Formula | None = None  # how the document computes it from other claims
    on_motion: bool | Literal["equations"] = False  # whether it holds only on motions
    check_rotation: bool = False  # whether the printed matrix must be a rotation
    axis: Formula | None = None  # required axis of a printed rotation
    coordinate: str = ""  # coordinate of the rotation
    expect: Mapping[str, str] = field(default_factory=dict[str, str])  # "" stands for all entries
    note: str = ""  # remark for the report
    where: Place = field(default_factory=lambda: Place("claim"))  # line of its file
    repairs: Mapping[str, str] = field(default_factory=dict[str, str])  # {pasted: what is read}
    statement: str = ""  # what is printed once and claimed for several frames; "" stands for the id
    quoted_from: str = ""  # another paper, which contains this error according to the document
    side: str = "printed"  # name of the left side in reports; "code" for a program


def claim(
    id: str, place: str | Sequence[str], printed: Any = None, quantity: Any = None, *,
    latex: bool = False, setting: Setting | None = None, robot: Any = None, name: str = "",
    symbols: Mapping[str, Any] | None = None, definitions: Mapping[str, Any] | None = None,
    made_from: Any = None, axis: Any = None, coordinate: str = "",
    on_motion: bool | Literal["equations"] = False,
    entries: Sequence[int | str] | int | str = (), expect: str | Mapping[str, str] = "proved",
    note: str = "", statement: str = "", quoted_from: str = "", **conventions: Any,
) -> Claim:  # fmt: skip
    """Make a claim in Python.

    Args:
        id: Unique name of the claim.
        place: Where it is printed, such as "eq. 3".
        printed: The printed formula: text, a list (vector) or a list of lists (matrix).
        quantity: The quantity that it is claimed to be, such as "mass_matrix[2, 2]". Without it,
            `printed` is a chain of equations.
        latex: Whether `printed` is LaTeX.
        setting: Conventions to start from.
        robot: The robot: a name, a Robot or its equations.
        name: Name by which other formulas refer to the printed value.
        symbols: {symbol of the robot: formula in the document's symbols}.
        definitions: {abbreviation of the document: formula}.
        made_from: How the document computes the claim from other claims.
        axis: Axis of a printed rotation.
        coordinate: Coordinate of a printed rotation.
        on_motion: Whether to insert the rates that the constraints allow; "equations" also inserts
            the forces, or accelerations, that follow from the equations of motion.
        entries: Indices of the printed part of the quantity, or "row 2".
        expect: Expected verdict, or {entry: verdict}.
        note: A note for the report.
        statement: Name of the printed statement, if it is claimed several times; by default the id.
        quoted_from: Another paper, which contains this formula as an error according to the document.
        **conventions: Further fields of Setting: order, flip, sign, accept …

    Returns:
        The claim, for `eq.audit`.

    Raises:
        FileFormatError: A formula cannot be read.
        UnknownNameError: A convention is unknown.

    >>> claim("d22", "step 2", "m2*Lc2**2 + I2", "mass_matrix[2, 2]", robot="rr_arm").id
    'd22'
    """
    base = setting or Setting()
    if robot is not None:
        conventions["robot"] = robot
    for key, table in (("symbols", symbols), ("definitions", definitions)):
        if table is not None:
            names = {k: f"{key} of claim {brief(id)}, {k}" for k in table}
            new = {k: (renaming(x, Place(names[k])) if key == "symbols" else None)
                   or formula(x, names[k]) for k, x in table.items()}  # fmt: skip
            if key == "definitions":
                new = by_plain_name(new, lambda k: Place(names[k]))  # noqa: B023
            conventions[key] = {**getattr(base, key), **new}
    for key in conventions:
        if key not in Setting.__dataclass_fields__:
            raise UnknownNameError(
                "convention", key, Setting.__dataclass_fields__, f"claim {brief(id)}"
            )

    def read(x: Any, what: str, in_latex: bool = False) -> Formula | None:
        return None if x is None else formula(x, f"{what} of claim {brief(id)}", in_latex)

    formulas = read(printed, "printed", latex)
    if formulas is not None and quantity is not None:
        formulas = formulas.labelled()
    marks = (entries,) if isinstance(entries, (int, str)) else entries
    return Claim(
        id, (place,) if isinstance(place, str) else tuple(place), replace(base, **conventions),
        formulas, read(quantity, "quantity"), name,
        tuple(str(e) for e in marks if e != ""), read(made_from, "from"), on_motion, False,
        read(axis, "axis"), coordinate, {"": expect} if isinstance(expect, str) else dict(expect),
        note, Place(f"claim {brief(id)}"), statement=statement, quoted_from=quoted_from,
    )  # fmt: skip


@final
@dataclass(frozen=True)
class NotClaim:
    """Printed equation that is not a claim, with the reason."""

    place: tuple[str, ...]
    reason: str


@final
@dataclass(frozen=True)
class Claims:
    """Claims of a document, and its equations that are not claims."""

    claims: tuple[Claim, ...]  # in the order of the document
    not_claims: tuple[NotClaim, ...] = ()  # printed statements that are not claims
    robots: Mapping[str, tuple[Robot, Mapping[str, Any]]] = field(
        default_factory=dict[str, tuple[Robot, Mapping[str, Any]]]
    )  # robots defined in the file, each with substitutions made after the derivation
    document: str = ""  # short name of the document
    title: str = ""  # its title
    file: str = ""  # file from which they were read
    robot: str | None = None  # default robot of the claims

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for c in self.claims:
            if c.id in seen:
                raise c.where.error(f"ids must be unique, got {brief(c.id)} twice.")
            seen.add(c.id)

    def __repr__(self) -> str:
        name = self.document or self.file or "a document"
        return f"<{counted(len(self.claims), 'claim')} of {name}>"
