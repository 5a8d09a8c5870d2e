"""Reader of claims files (TOML); every error names file, line, column and the valid choices."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path as FilePath
from typing import Any, Final, Literal, cast, final

from ...basics.wording import brief
from ...errors import EquamoError, FileFormatError
from ...mechanics.equations import FORMULATIONS
from ...robot.catalog import load
from ...robot.formats.text_file import read_text
from ...robot.formats.toml import parse_robot
from ...robot.formats.toml_positions import Path, Positions
from ...robot.formats.toml_table import parse_toml
from ...robot.model import Robot
from .claim import (
    CORIOLIS,
    DIAGNOSES,
    VERDICTS,
    Claim,
    Claims,
    Formula,
    NotClaim,
    Setting,
    by_plain_name,
    plain_name,
)  # fmt: skip
from .claims_table import ClaimsTable
from .latex_tokens import ACCENTS
from .limits import whole_number

_TABLES: Final = ("symbols", "definitions", "rates", "aliases", "vectors", "matrices")
_SETTING: Final = (
    "robot",
    "by",
    "coriolis",
    "order",
    "flip",
    "sign",
    "accept",
    "known",
    "accents",
    "positive",
    *_TABLES,
)
_FILE: Final = (
    "document",
    "title",
    "robots",
    "settings",
    "claims",
    "not_claims",
    "note",
    *_SETTING,
)
_CLAIM: Final = (
    "id",
    "place",
    "for",
    "printed",
    "latex",
    "repairs",
    "quantity",
    "name",
    "setting",
    "entries",
    "from",
    "on_motion",
    "check",
    "axis",
    "coordinate",
    "expect",
    "note",
    "quoted_from",
    *_SETTING,
)


def read_claims(path: str | os.PathLike[str]) -> Claims:
    """Read a claims file.

    Args:
        path: Path of a TOML file.

    Returns:
        Its claims.

    Raises:
        FileFormatError: The file cannot be read; the message names line and column.
    """
    return parse_claims(read_text(path), os.fspath(path))


def parse_claims(text: str, file: str = "claims") -> Claims:
    """Read claims from TOML text.

    Args:
        text: The text.
        file: Name of the file in errors; paths in the text are relative to it.

    Returns:
        Its claims.

    Raises:
        FileFormatError: The text cannot be read; the message names line and column.

    >>> parse_claims('''
    ... [[claims]]
    ... id = "sum"
    ... place = "eq. 1"
    ... printed = "cos(a + b) = cos(a)*cos(b) - sin(a)*sin(b)"
    ... ''').claims[0].id
    'sum'
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n")
    data = parse_toml(text, file)
    return _Reader(file, Positions(text)).claims(data)


def read_setting(file: str, positions: Positions, data: Mapping[str, Any]) -> Setting:
    """Conventions at the top of a file, for other files that share them."""
    return _Reader(file, positions).setting(Setting(), data, ())


@final
class _Reader(ClaimsTable):
    def __init__(self, file: str, positions: Positions) -> None:
        super().__init__(file, positions)
        self.robots: dict[str, tuple[Robot, Mapping[str, Any]]] = {}
        self.settings: dict[str, Mapping[str, Any]] = {}

    # -- the file --------------------------------------------------------------------------------
    def claims(self, data: Mapping[str, Any]) -> Claims:
        self.keys(data, (), _FILE)
        for name, entry in self.names(data.get("robots", {}), ("robots",)).items():
            self.robots[name] = self.robot(entry, ("robots", name))
        base = self.setting(Setting(), data, ())
        for name, entry in self.names(data.get("settings", {}), ("settings",)).items():
            table = self.table(entry, ("settings", name))
            self.keys(table, ("settings", name), ("replace", *_SETTING))
            self.settings[name] = table
        claims = [
            replace(self.claim(base, table, ("claims", i)), statement=str(x["id"]))
            for i, x in enumerate(self.items(data.get("claims", []), ("claims",), "tables"))
            for table in self.repeated(self.table(x, ("claims", i)), ("claims", i))
        ]
        rest = [
            self.not_claim(self.table(x, ("not_claims", i)), ("not_claims", i))
            for i, x in enumerate(self.items(data.get("not_claims", []), ("not_claims",), "tables"))
        ]
        document = self.text(data.get("document", ""), ("document",))
        title = self.text(data.get("title", ""), ("title",))
        robot = base.robot if isinstance(base.robot, str) else None
        return Claims(tuple(claims), tuple(rest), self.robots, document, title, self.file, robot)

    def not_claim(self, data: Mapping[str, Any], path: Path) -> NotClaim:
        self.keys(data, path, ("place", "reason"))
        for key in ("place", "reason"):
            if key not in data:
                raise self.error(path, f"the required key {brief(key)} is missing.")
        place = self.texts(data["place"], (*path, "place"))
        return NotClaim(place, self.text(data["reason"], (*path, "reason")))

    def robot(self, entry: Any, path: Path) -> tuple[Robot, Mapping[str, Any]]:
        data = self.table(entry, path)
        self.keys(data, path, ("load", "options", "toml", "subs"))
        if ("load" in data) == ("toml" in data):
            both = "both" if "load" in data else "neither"
            raise self.error(path, f"a robot must have either `load` or `toml`, got {both}.")
        key = "load" if "load" in data else "toml"
        text = self.text(data[key], (*path, key))
        options = self.table(data.get("options", {}), (*path, "options"))
        subs = self.table(data.get("subs", {}), (*path, "subs"))
        place = self.place((*path, key))
        try:
            robot = self.loaded(text, options) if key == "load" else parse_robot(text, "toml")
        except EquamoError as error:
            raise place.error(str(error)) from None
        return robot, subs

    def loaded(self, name: str, options: Mapping[str, Any]) -> Robot:
        """Robot by name or file; a claims file is data, so nothing that it names may run code."""
        path = self.beside(name)
        if FilePath(path).suffix.lower() == ".xacro":
            raise FileFormatError(
                f"{path}: a claims file cannot load xacro, which can run code; expand it to URDF first."
            )
        if "includes" in options:
            raise FileFormatError("the option 'includes' cannot be set by a claims file.")
        return load(path, **options)

    def beside(self, name: str) -> str:
        """Path relative to the claims file, if such a file exists."""
        here = FilePath(self.file).parent / name
        return str(here) if here.suffix and here.exists() else name

    # -- conventions -----------------------------------------------------------------------------
    def setting(self, base: Setting, data: Mapping[str, Any], path: Path) -> Setting:
        """Conventions of a table, with `base` as default."""
        new: dict[str, Any] = {}
        fresh = self.texts(data.get("replace", []), (*path, "replace"))
        for i, name in enumerate(fresh):
            self.choice(name, (*path, "replace", i), _TABLES)
        for key in _TABLES:
            if key not in data:
                if key in fresh:
                    new[key] = {}
                continue
            here = (*path, key)
            old: dict[str, Any] = {} if key in fresh else dict(getattr(base, key))
            if key == "vectors":
                table: Mapping[str, Any] = self.vectors(data[key], here)
            elif key == "matrices":
                table = self.matrices(data[key], here)
            else:
                table = self.formulas(data[key], here, key == "symbols")
            if key not in ("symbols", "aliases"):  # keys of the robot, and LaTeX as it stands
                table = by_plain_name(table, lambda k: self.place((*here, k)))  # noqa: B023
            new[key] = {**old, **table}
        for key in ("order", "flip", "known", "positive"):
            if key in data:
                words = self.texts(data[key], (*path, key))
                new[key] = tuple(self.name(w, (*path, key)) for w in words)
                if key in ("known", "positive"):
                    new[key] = tuple(plain_name(w, self.place((*path, key))) for w in new[key])
        if "accents" in data:
            here = (*path, "accents")
            words = self.texts(data["accents"], here)
            new["accents"] = tuple(
                self.choice(w, (*here, i), sorted(ACCENTS)) for i, w in enumerate(words)
            )
        if "accept" in data:
            here = (*path, "accept")
            words = self.texts(data["accept"], here)
            new["accept"] = tuple(
                self.choice(w, (*here, i), DIAGNOSES) for i, w in enumerate(words)
            )
        if "sign" in data:
            sign = data["sign"]
            if type(sign) is not int or sign not in (1, -1):
                raise self.error((*path, "sign"), f"sign must be 1 or -1, got {brief(sign)}.")
            new["sign"] = sign
        if "by" in data:
            new["by"] = self.choice(data["by"], (*path, "by"), FORMULATIONS)
        if "coriolis" in data:
            new["coriolis"] = self.choice(data["coriolis"], (*path, "coriolis"), CORIOLIS)
        if "robot" in data:
            new["robot"] = self.robot_name(data["robot"], (*path, "robot"))
        return replace(base, **new) if new else base

    def robot_name(self, x: Any, path: Path) -> str | None:
        name = self.text(x, path)
        if name == "none":
            return None
        if name not in self.robots:
            try:
                self.robots[name] = (self.loaded(name, {}), {})
            except EquamoError as error:
                own = f" Robots of this file: {', '.join(self.robots)}." if self.robots else ""
                raise self.error(path, f"{error}{own}") from None
        return name

    def vectors(self, x: Any, path: Path) -> dict[str, int]:
        table = self.names(x, path)
        for k, n in table.items():
            if type(n) is not int or not 1 <= n <= 50:
                raise self.error((*path, k), f"expected a length from 1 to 50, found {brief(n)}.")
        return dict(table)

    def matrices(self, x: Any, path: Path) -> dict[str, Any]:
        table = self.names(x, path)
        for k, kind in table.items():
            if not _is_matrix_kind(kind):
                raise self.error(
                    (*path, k), 'expected [rows, columns], "symmetric n", "skew 3", "diagonal n" or '
                    f'"rotation", found {brief(kind)}.')  # fmt: skip
        return dict(table)

    # -- a claim ---------------------------------------------------------------------------------
    def repeated(self, data: Mapping[str, Any], path: Path) -> list[Mapping[str, Any]]:
        """Copies of a claim with `for = { j = ["5l", "5r"], i = ["4l", "4r"] }` and {j}, {i} in it."""
        if "for" not in data:
            return [data]
        here = (*path, "for")
        lists = {
            k: self.items(x, (*here, k), "texts") for k, x in self.names(data["for"], here).items()
        }
        sizes = {len(x) for x in lists.values()}
        if len(sizes) != 1:
            raise self.error(
                here, "`for` needs at least one list, and all must have the same length."
            )
        rest = {k: x for k, x in data.items() if k != "for"}
        copies: list[Mapping[str, Any]] = []
        for i in range(sizes.pop()):
            words = {f"{{{k}}}": str(x[i]) for k, x in lists.items()}
            copies.append(_with_words(rest, words))
        return copies

    def claim(self, base: Setting, data: Mapping[str, Any], path: Path) -> Claim:
        self.keys(data, path, _CLAIM)
        for key in ("id", "place"):
            if key not in data:
                raise self.error(path, f"the required key {brief(key)} is missing.")
        setting = base
        if "setting" in data:
            here = (*path, "setting")
            name = self.choice(data["setting"], here, self.settings)
            setting = self.setting(base, self.settings[name], ("settings", name))
        setting = self.setting(setting, data, path)
        id = self.name(data["id"], (*path, "id"))
        if "printed" in data and "latex" in data:
            raise self.error((*path, "latex"), "a claim takes `printed` or `latex`, not both.")

        here = (*path, "repairs")
        repairs = self.repairs(data.get("repairs", {}), here)
        pasted = self.repaired(data.get("latex", []), repairs, here)

        def read(key: str, latex: bool = False) -> Formula | None:
            if key not in data:
                return None
            content = pasted if latex else data[key]
            try:
                return self.formula(content, (*path, key), latex)
            except FileFormatError as error:  # reported with the verdicts on the other claims
                return Formula.unreadable(str(content), self.place((*path, key)), error)

        printed = read("latex", True) if "latex" in data else read("printed")
        quantity, made_from = read("quantity"), read("from")
        if printed is not None and quantity is not None:
            printed = printed.labelled()
        check = data.get("check", "")
        if check:
            self.choice(check, (*path, "check"), ("rotation",))
        if printed is None and made_from is None:
            raise self.error(path, "a claim needs 'printed', 'latex' or 'from'; all are missing.")
        if made_from is not None and quantity is None and printed is None:
            raise self.error(path, "a claim with `from` needs `printed` or `quantity`, too.")
        return Claim(
            id, self.texts(data["place"], (*path, "place")), setting, printed, quantity,
            self.text(data.get("name", ""), (*path, "name")), self.entries(data, path), made_from,
            self.on_motion(data, path), bool(check),
            read("axis"), self.text(data.get("coordinate", ""), (*path, "coordinate")),
            self.expect(data, path), self.text(data.get("note", ""), (*path, "note")),
            self.place(path), repairs,
            quoted_from=self.text(data.get("quoted_from", ""), (*path, "quoted_from")),
        )  # fmt: skip

    def on_motion(self, data: Mapping[str, Any], path: Path) -> bool | Literal["equations"]:
        x = data.get("on_motion", False)
        if x == "equations":
            return "equations"
        if not isinstance(x, bool):
            raise self.error(
                (*path, "on_motion"), f'expected true, false or "equations", found {brief(x)}.'
            )
        return x

    def entries(self, data: Mapping[str, Any], path: Path) -> tuple[str, ...]:
        x = data.get("entries", [])
        marks = cast(list[Any], x) if isinstance(x, list) else [x]
        for i, m in enumerate(marks):
            if type(m) not in (int, str):
                raise self.error((*path, "entries", i), "expected a number or a name.")
        if len(marks) > 2:
            raise self.error((*path, "entries"), 'expected one or two indices, or "row 2".')
        return tuple(str(m) for m in marks)

    def expect(self, data: Mapping[str, Any], path: Path) -> dict[str, str]:
        x = data.get("expect", "proved")
        here = (*path, "expect")
        if not isinstance(x, dict):
            return {"": self.choice(x, here, VERDICTS)}
        table = cast(dict[str, Any], x)
        return {k: self.choice(v, (*here, k), VERDICTS) for k, v in table.items()}


def _with_words(x: Any, words: Mapping[str, str]) -> Any:
    """Value with words replaced in all its texts and keys."""
    if isinstance(x, str):
        for mark, word in words.items():
            x = x.replace(mark, word)
        return x
    if isinstance(x, list):
        return [_with_words(e, words) for e in cast(list[Any], x)]
    if isinstance(x, dict):
        table = cast(dict[str, Any], x)
        return {_with_words(k, words): _with_words(e, words) for k, e in table.items()}
    return x


def _is_matrix_kind(kind: Any) -> bool:
    """Whether `kind` is [2, 3], "rotation", "skew 3", "symmetric n" or "diagonal n"."""
    if isinstance(kind, list):
        sizes = cast(list[Any], kind)
        return len(sizes) == 2 and all(type(n) is int and 1 <= n <= 50 for n in sizes)
    if not isinstance(kind, str) or kind in ("rotation", "skew 3"):
        return isinstance(kind, str)
    word, _, size = kind.partition(" ")
    return word in ("symmetric", "diagonal") and whole_number(size, 20) is not None
