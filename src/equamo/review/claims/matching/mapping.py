"""Mapping of names in a program to quantities and symbols of the robot.

From a file (TOML), from comments in the program, or from a dictionary:

    [outputs]                            /* equamo: M = mass_matrix; x = q, v */
    M = "mass_matrix"
    "dynamics.h" = "bias + gravity"      {"M": "mass_matrix", "x": ["q", "v"]}

    [inputs]
    x = ["q", "v"]
    "m, mass" = "m1"                     both are the same quantity
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, cast, final

from ....algebra.expr import Expr, as_expr
from ....basics.wording import brief
from ....errors import EquamoError, FileFormatError, ModelError
from ....robot.formats.text_file import read_text
from ....robot.formats.toml_positions import Path, Positions
from ....robot.formats.toml_table import parse_toml
from ...programs.read import comments_of
from ..claim import Formula, Place, Setting, formula
from ..claims_file import read_setting
from ..claims_table import ClaimsTable

CONVENTIONS: Final = ("by", "coriolis", "order", "flip", "sign", "accept")
_KEYS: Final = ("outputs", "inputs", "values", "unwritten", "rounding", *CONVENTIONS)
_COMMENT: Final = re.compile(r"(?:/\*+|//+|#+|%+)\s*equamo:(.*?)(?:\*/|$)", re.MULTILINE)
_NAME: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*\Z")


@final
@dataclass(frozen=True)
class Meaning:
    """Formulas in the robot's symbols, one after the other, for which a name stands.

    Names that share one Meaning are the same quantity, since they were listed together.
    """

    formulas: tuple[Formula, ...]
    place: Place
    source: str = "mapping"  # who says so, for the report
    in_program: bool = False  # whether it is a comment of the audited program


@final
@dataclass(frozen=True)
class CodeMapping:
    """Meanings of names; a name of one function is written `function.name`."""

    outputs: Mapping[str, Meaning] = field(default_factory=dict[str, Meaning])
    inputs: Mapping[str, Meaning] = field(default_factory=dict[str, Meaning])
    names: Mapping[str, Meaning] = field(default_factory=dict[str, Meaning])  # of either
    values: Mapping[str, Expr] = field(default_factory=dict[str, Expr])  # of folded parameters
    unwritten_is_zero: bool = False
    rounding: Fraction | None = None
    setting: Setting = field(default_factory=Setting)

    def meaning(self, kind: str, function: str, name: str) -> tuple[str, Meaning] | None:
        """(key, meaning) of an output or an input; that of the function takes precedence."""
        for table in (self.outputs if kind == "output" else self.inputs, self.names):
            for key in (f"{function}.{name}", name):
                if key in table:
                    return key, table[key]
        return None


def read_mapping(source: str | os.PathLike[str] | Mapping[str, Any] | None) -> CodeMapping:
    """Read a mapping file, or a dictionary {name in the program: formula or list of formulas}.

    >>> read_mapping({"x": ["q", "v"]}).names["x"].formulas[1].rows[0][0].text
    'v'
    """
    if source is None:
        return CodeMapping()
    if isinstance(source, Mapping):
        return CodeMapping(names=_by_name((str(k), _meaning(x, str(k))) for k, x in source.items()))
    if not isinstance(source, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(
            f"audit(): mapping must be the path of a TOML file or a dictionary, got {brief(source)}."
        )
    file, text = os.fspath(source), read_text(source)
    text = text.removeprefix("\ufeff")
    data = parse_toml(text, file)  # first: Positions relies on a text that was accepted
    return _Reader(file, Positions(text)).mapping(data)


def comments(text: str, file: str) -> dict[str, Meaning]:
    """Meanings in the comments of a program, as its language defines comments.

    >>> sorted(comments("/* equamo: M = mass_matrix; x = q, v */", "arm.c"))
    ['M', 'x']
    """
    table: dict[str, Meaning] = {}
    for line, comment in comments_of(text, file):
        match = _COMMENT.match(comment)
        if match is None:
            continue
        place = Place(f"{file}:{line}")
        for part in match[1].split(";"):
            name, equals, content = (x.strip() for x in part.partition("="))
            if not equals or not content or not _NAME.match(name):
                raise place.error(
                    f"a comment must be 'equamo: NAME = FORMULA; …', got {brief(part.strip())}."
                )
            if name in table:
                raise place.error(f"a name must be mapped once, got {brief(name)} twice.")
            formulas = _meaning(list(_listed(content)), place.name).formulas
            table[name] = Meaning(formulas, place, f"comment, {place.name}", in_program=True)
    return table


def _by_name(table: Iterable[tuple[str, Meaning]]) -> dict[str, Meaning]:
    """Meaning of each name; "a, b" lists names of the same quantity."""
    meanings: dict[str, Meaning] = {}
    for key, meaning in table:
        for name in (x.strip() for x in key.split(",")):
            if name in meanings:
                raise meaning.place.error(f"a name must be mapped once, got {brief(name)} twice.")
            meanings[name] = meaning
    return meanings


def _listed(text: str) -> Iterator[str]:
    """Parts of a text between commas outside parentheses."""
    depth, start = 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and not depth:
            yield text[start:i].strip()
            start = i + 1
    yield text[start:].strip()


def _meaning(content: Any, name: str) -> Meaning:
    items = cast(Sequence[Any], content) if isinstance(content, (list, tuple)) else [content]
    return Meaning(tuple(formula(x, name) for x in items), Place(name))


@final
class _Reader(ClaimsTable):
    def mapping(self, data: Mapping[str, Any]) -> CodeMapping:
        self.keys(data, (), _KEYS)
        conventions = {k: x for k, x in data.items() if k in CONVENTIONS}
        values = self.names(data.get("values", {}), ("values",))
        unwritten = self.choice(data.get("unwritten", "error"), ("unwritten",), ("error", "zero"))
        return CodeMapping(
            self.meanings(data.get("outputs", {}), ("outputs",)),
            self.meanings(data.get("inputs", {}), ("inputs",)),
            {},
            {k: self.number(x, ("values", k)) for k, x in values.items()},
            unwritten == "zero",
            self.unit(data["rounding"], ("rounding",)) if "rounding" in data else None,
            read_setting(self.file, self.positions, conventions),
        )

    def meanings(self, x: Any, path: Path) -> dict[str, Meaning]:
        table: list[tuple[str, Meaning]] = []
        for name, content in self.names(x, path).items():
            here = (*path, name)
            items = cast(list[Any], content) if isinstance(content, list) else [content]
            many = isinstance(content, list)
            parts = [self.formula(e, (*here, i) if many else here) for i, e in enumerate(items)]
            table.append((name, Meaning(tuple(parts), self.place(here), self.file)))
        return _by_name(table)

    def number(self, x: Any, path: Path) -> Expr:
        try:
            value = as_expr(x)
        except EquamoError as error:
            raise self.error(path, str(error)) from None
        if value.symbols():
            raise self.error(path, f"a value must be a number, got {brief(x)}.")
        return value

    def unit(self, x: Any, path: Path) -> Fraction:
        try:
            return relative_unit(x)
        except FileFormatError as error:
            raise self.error(path, str(error)) from None


def relative_unit(x: Any) -> Fraction:
    """Unit of the rounding errors, from 2⁻⁶⁰ to 1/1000.

    >>> relative_unit("1e-12")
    Fraction(1, 1000000000000)
    """
    try:
        unit = Fraction(repr(x) if isinstance(x, float) else x)
    except (TypeError, ValueError, ArithmeticError):
        unit = Fraction(0)
    if isinstance(x, bool) or not Fraction(1, 2**60) <= unit <= Fraction(1, 1000):
        raise FileFormatError(f"rounding must be a number from 2**-60 to 1/1000, got {brief(x)}.")
    return unit
