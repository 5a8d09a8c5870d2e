"""Typed values of a claims file; every error names file, line, column and the valid choices."""

from __future__ import annotations

from abc import ABC
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast, final

from ...basics.wording import brief, counted
from ...errors import EquamoError, FileFormatError
from ...robot.formats.toml_positions import Path, Positions
from .claim import Formula, Part, Place, excerpt, part_of, renaming

_KINDS: Final[tuple[tuple[type, str], ...]] = (
    (str, "text"), (bool, "true or false"), (list, "an array"), (dict, "a table"),
)  # fmt: skip


@final
@dataclass(frozen=True)
class FilePlace(Place):
    """Place in a claims file."""

    file: str = ""
    positions: Positions | None = field(default=None, repr=False)
    path: Path = ()

    def error(self, message: str, position: int | None = None, text: str = "") -> FileFormatError:
        assert self.positions is not None
        offset = None if position is None else self.positions.content(self.path, position)
        context = excerpt(text, position)
        if offset is None:
            spot = self.positions.nearest(self.path)
            offset = 0 if spot is None else spot.value
        line, column = self.positions.line_and_column(offset)
        return FileFormatError(
            f"{self.file}, line {line}, column {column}, {self.name}: {message}{context}"
        )


class ClaimsTable(ABC):
    """Abstract reader of typed values; a value of another type is an error with its place."""

    file: str
    positions: Positions

    def __init__(self, file: str, positions: Positions) -> None:
        self.file, self.positions = file, positions

    def place(self, path: Path) -> FilePlace:
        name = ""
        for part in path:
            name += f"[{part + 1}]" if isinstance(part, int) else f".{part}" if name else part
        return FilePlace(name, self.file, self.positions, path)

    def error(self, path: Path, message: str) -> FileFormatError:
        return self.place(path).error(message)

    # -- plain values ----------------------------------------------------------------------------
    def keys(self, data: Mapping[str, Any], path: Path, valid: Iterable[str]) -> None:
        choices = list(valid)
        for key in data:
            if key not in choices:
                self.key_error((*path, key), key, choices)

    def key_error(self, path: Path, key: str, choices: list[str]) -> None:
        import difflib

        near = difflib.get_close_matches(key, choices, n=1)
        hint = f" Did you mean {brief(near[0])}?" if near else ""
        spot = self.positions.nearest(path)
        line, column = self.positions.line_and_column(spot.key if spot else 0)
        raise FileFormatError(
            f"{self.file}, line {line}, column {column}: unknown key {brief(key)}.{hint} "
            f"Valid: {', '.join(choices)}."
        )

    def choice(self, x: Any, path: Path, valid: Iterable[str]) -> str:
        choices = list(valid)
        if x not in choices:
            raise self.error(path, f"expected one of {', '.join(choices)}, found {brief(x)}.")
        return x

    def text(self, x: Any, path: Path) -> str:
        if not isinstance(x, str):
            raise self.error(path, f"expected text, found {_kind(x)}.")
        return x

    def name(self, x: Any, path: Path) -> str:
        text = self.text(x, path)
        if not text.strip():
            raise self.error(path, f"expected a name, found {brief(text)}.")
        return text

    def texts(self, x: Any, path: Path) -> tuple[str, ...]:
        if isinstance(x, str):
            return (x,)
        if not isinstance(x, list):
            raise self.error(path, f"expected text, found {_kind(x)}.")
        return tuple(self.text(e, (*path, i)) for i, e in enumerate(self.items(x, path, "texts")))

    def items(self, x: Any, path: Path, what: str) -> list[Any]:
        if not isinstance(x, list):
            raise self.error(path, f"expected an array of {what}, found {_kind(x)}.")
        return cast(list[Any], x)

    def table(self, x: Any, path: Path) -> Mapping[str, Any]:
        if not isinstance(x, dict):
            raise self.error(path, f"expected a table, found {_kind(x)}.")
        return cast(dict[str, Any], x)

    def names(self, x: Any, path: Path) -> Mapping[str, Any]:
        """Table whose keys are names chosen by the file."""
        table = self.table(x, path)
        for key in table:
            self.name(key, (*path, key))
        return table

    # -- formulas --------------------------------------------------------------------------------
    def repairs(self, x: Any, path: Path) -> dict[str, str]:
        """Table of {pasted text: text that is read instead}."""
        return {k: self.text(v, (*path, k)) for k, v in self.names(x, path).items()}

    def repaired(self, x: Any, repairs: Mapping[str, str], path: Path) -> Any:
        """Pasted texts with their repairs; each repair must apply to one of them."""
        for old, new in repairs.items():
            count, x = _replaced(x, old, new)
            if not count:
                raise self.error(
                    (*path, old), f"a repair must occur in the pasted text, got {brief(old)}."
                )
        return x

    def formula(self, x: Any, path: Path, latex: bool = False) -> Formula:
        if isinstance(x, dict):
            table, here = cast(dict[str, Any], x), (*path, "repairs")
            self.keys(table, path, ["latex", "repairs"])
            repairs = self.repairs(table.get("repairs", {}), here)
            pasted = self.repaired(table.get("latex", ""), repairs, here)
            return self.formula(pasted, (*path, "latex"), True)
        place = self.place(path)
        if not isinstance(x, list):
            return Formula(((self.part(x, path, latex),),), "single", place)
        rows = cast(list[Any], x)
        if not rows:
            raise self.error(path, "expected a formula, found an empty array.")
        if not isinstance(rows[0], list):
            parts = tuple(self.part(e, (*path, i), latex) for i, e in enumerate(rows))
            return Formula((parts,), "vector", place)
        parts_of_rows: list[tuple[Part, ...]] = []
        for i, row in enumerate(rows):
            entries = self.items(row, (*path, i), "formulas")
            parts = tuple(self.part(e, (*path, i, j), latex) for j, e in enumerate(entries))
            parts_of_rows.append(parts)
            if not entries:
                raise self.error((*path, i), "expected formulas, found an empty array.")
            if len(parts) != len(parts_of_rows[0]):
                first = counted(len(parts_of_rows[0]), "entry")
                raise self.error(
                    (*path, i), f"this row must have {first} like the first, got {len(parts)}."
                )
        return Formula(tuple(parts_of_rows), "matrix", place)

    def part(self, x: Any, path: Path, latex: bool) -> Part:
        if isinstance(x, (bool, list, dict)):
            raise self.error(path, f"expected text or a number, found {_kind(x)}.")
        place = self.place(path)
        try:
            return part_of(x, place, latex)
        except FileFormatError:
            raise
        except EquamoError as error:
            raise place.error(str(error)) from None

    def formulas(self, x: Any, path: Path, renamings: bool = False) -> dict[str, Formula]:
        table: dict[str, Formula] = {}
        for k, v in self.names(x, path).items():
            here = (*path, k)
            inner = cast(dict[str, Any], v) if isinstance(v, dict) else {}
            latex = set(inner) == {"latex"}
            text = inner["latex"] if latex else cast(Any, v)
            formula = renaming(text, self.place(here), latex) if renamings else None
            table[k] = formula or self.formula(v, here)
        return table


def _kind(x: Any) -> str:
    return next((name for kind, name in _KINDS if isinstance(x, kind)), "a number")


def _replaced(x: Any, old: str, new: str) -> tuple[int, Any]:
    """Number of replacements in all texts, and the texts."""
    if isinstance(x, list):
        parts = [_replaced(e, old, new) for e in cast(list[Any], x)]
        return sum(n for n, _ in parts), [e for _, e in parts]
    return (x.count(old), x.replace(old, new)) if isinstance(x, str) else (0, x)
