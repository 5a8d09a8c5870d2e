"""Claim: a formula that somebody printed, what it is claimed to be, and under which conventions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, cast, final

from ..equations import EquationsOfMotion
from ..errors import FileFormatError, ParseError, UnknownNameError
from ..expr import Expr
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..model import Robot
from ..wording import brief, counted
from .syntax import Node, Source
from .text_reader import read_text

Verdict = Literal["proved", "convention", "wrong", "undecided"]
VERDICTS: Final = ("proved", "convention", "wrong", "undecided")
DIAGNOSES: Final = (
    "negated", "reordered", "flipped", "splitting", "inertia_point", "gravity",
)  # fmt: skip
CORIOLIS: Final = ("christoffel", "split")


@dataclass(frozen=True)
class Place:
    """Where a formula stands; `error` says it. Of a formula given in Python: its name only."""

    name: str

    def error(self, message: str, position: int | None = None, text: str = "") -> FileFormatError:
        """An error that names the place, and shows the text around a position in it."""
        where = self.name if position is None else f"{self.name}, column {position + 1}"
        return FileFormatError(f"{where}: {message}{excerpt(text, position)}")


def excerpt(text: str, position: int | None) -> str:
    """The line of the text with a caret below the position; nothing if there is no position."""
    if position is None or not text:
        return ""
    start = text.rfind("\n", 0, position) + 1
    stop = text.find("\n", position)
    stop = len(text) if stop < 0 else stop
    left, right = max(start, position - 40), min(stop, position + 30)
    before = ("…" if left > start else "") + text[left:position]
    after = text[position:right] + ("…" if right < stop else "")
    shown = "".join(c if c.isprintable() else " " for c in before + after)
    return f"\n  {shown.rstrip()}\n  {' ' * len(before)}^"


@final
@dataclass(frozen=True)
class Part:
    """One text of a formula: read at once, or LaTeX, read when the names are known."""

    text: str
    place: Place
    source: Source | None  # None: LaTeX


@final
@dataclass(frozen=True)
class Formula:
    """One text, a list of texts (a vector), or a list of lists (a matrix)."""

    rows: tuple[tuple[Part, ...], ...]
    shape: Literal["single", "vector", "matrix"]
    place: Place

    @property
    def parts(self) -> list[Part]:
        return [p for row in self.rows for p in row]


def formula(given: Any, name: str = "formula", latex: bool = False) -> Formula:
    """A formula from text, numbers, expressions, or lists of them.

    >>> formula([["m", 0], [0, "m"]]).shape
    'matrix'
    """
    place = Place(name)
    if isinstance(given, (Vector, Matrix)):
        return Formula(((part_of(given, place, False),),), "single", place)
    if isinstance(given, (list, tuple)):
        items = cast(Sequence[Any], given)
        if not items:
            raise place.error("expected a formula, found an empty list.")
        if any(isinstance(x, (list, tuple)) for x in items):
            rows = tuple(tuple(part_of(x, place, latex) for x in row) for row in items)
            if not all(rows):
                raise place.error("expected formulas, found an empty row.")
            if len({len(r) for r in rows}) > 1:
                raise place.error(f"rows of {', '.join(str(len(r)) for r in rows)} entries.")
            return Formula(rows, "matrix", place)
        return Formula((tuple(part_of(x, place, latex) for x in items),), "vector", place)
    return Formula(((part_of(given, place, latex),),), "single", place)


def part_of(x: Any, place: Place, latex: bool) -> Part:
    """A text, number or expression at a place."""
    if isinstance(x, str):
        if latex:
            return Part(x, place, None)
        try:
            return Part(x, place, read_text(x))
        except ParseError as error:
            raise place.error(str(error), error.position, x) from None
    from ..expr import as_expr

    value = x if isinstance(x, (Expr, Vector, Matrix)) else as_expr(x)
    return Part(str(value), place, Source(str(value), (Node("value", 0, value),)))


@final
@dataclass(frozen=True)
class Setting:
    """Conventions: which robot, which symbols, which order and signs."""

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
    aliases: Mapping[str, Formula] = field(default_factory=dict[str, Formula])


@final
@dataclass(frozen=True)
class Claim:
    """A printed formula and the quantity it is claimed to be; without one, a chain of equations."""

    id: str
    place: tuple[str, ...]
    setting: Setting
    printed: Formula | None = None
    quantity: Formula | None = None
    name: str = ""  # by which later formulas call what is printed
    entries: tuple[str, ...] = ()  # ("2", "3"), ("row 2",): the printed part of the quantity
    made_from: Formula | None = None  # how the document makes it out of other claims
    on_motion: bool = False
    check_rotation: bool = False
    axis: Formula | None = None
    coordinate: str = ""
    expect: Mapping[str, str] = field(default_factory=dict[str, str])  # "" is for all entries
    note: str = ""
    where: Place = field(default_factory=lambda: Place("claim"))


def claim(
    id: str, place: str | Sequence[str], printed: Any = None, quantity: Any = None, *,
    latex: bool = False, setting: Setting | None = None, robot: Any = None, name: str = "",
    symbols: Mapping[str, Any] | None = None, definitions: Mapping[str, Any] | None = None,
    made_from: Any = None, axis: Any = None, coordinate: str = "", on_motion: bool = False,
    entries: Sequence[int | str] | int | str = (), expect: str | Mapping[str, str] = "proved",
    note: str = "", **conventions: Any,
) -> Claim:  # fmt: skip
    """A claim in Python; `conventions` are further fields of Setting (order, flip, sign, accept …).

    >>> claim("d22", "step 2", "m2*Lc2**2 + I2", "mass_matrix[2, 2]", robot="rr_arm").id
    'd22'
    """
    from dataclasses import replace

    base = setting or Setting()
    if robot is not None:
        conventions["robot"] = robot
    for key, table in (("symbols", symbols), ("definitions", definitions)):
        if table is not None:
            new = {k: formula(x, f"{key} of claim {brief(id)}, {k}") for k, x in table.items()}
            conventions[key] = {**getattr(base, key), **new}
    for key in conventions:
        if key not in Setting.__dataclass_fields__:
            raise UnknownNameError("convention", key, Setting.__dataclass_fields__)

    def read(x: Any, what: str, in_latex: bool = False) -> Formula | None:
        return None if x is None else formula(x, f"{what} of claim {brief(id)}", in_latex)

    marks = (entries,) if isinstance(entries, (int, str)) else entries
    return Claim(
        id, (place,) if isinstance(place, str) else tuple(place), replace(base, **conventions),
        read(printed, "printed", latex), read(quantity, "quantity"), name,
        tuple(str(e) for e in marks if e != ""), read(made_from, "from"), on_motion, False,
        read(axis, "axis"), coordinate, {"": expect} if isinstance(expect, str) else dict(expect),
        note, Place(f"claim {brief(id)}"),
    )  # fmt: skip


@final
@dataclass(frozen=True)
class NotClaim:
    """A printed equation that is no claim, and why."""

    place: tuple[str, ...]
    reason: str


@final
@dataclass(frozen=True)
class Claims:
    """What a document prints: claims, and what is none."""

    claims: tuple[Claim, ...]
    not_claims: tuple[NotClaim, ...] = ()
    robots: Mapping[str, tuple[Robot, Mapping[str, Any]]] = field(
        default_factory=dict[str, tuple[Robot, Mapping[str, Any]]]
    )
    document: str = ""
    title: str = ""
    file: str = ""
    robot: str | None = None  # which one claims are about unless they say another

    def __post_init__(self) -> None:
        seen: set[str] = set()
        for c in self.claims:
            if c.id in seen:
                raise c.where.error(f"the id {brief(c.id)} is given twice.")
            seen.add(c.id)

    def __repr__(self) -> str:
        name = self.document or self.file or "a document"
        return f"<{counted(len(self.claims), 'claim')} of {name}>"
