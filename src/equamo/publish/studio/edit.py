"""`edit`: change one field of the model from a form; comments and layout of the text are kept."""

from __future__ import annotations

import json
import re
import tomllib
from math import isfinite
from typing import Any, Final, cast

from ...basics.wording import brief
from ...errors import EquamoError
from ...robot.formats.toml_positions import Path, Positions
from .messages import Request, Say
from .model_text import ModelText

_NUMBER: Final = re.compile(r"[+-]?(?:0|[1-9][0-9_]*)(?:\.[0-9_]+)?(?:[eE][+-]?[0-9]+)?")
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `edit`: the text with `value` at `path`; null removes what is there."""
    path = tuple(request.array("path"))
    if not path or not all(isinstance(x, str) or type(x) is int for x in path):
        raise EquamoError(f"edit: 'path' must be keys and indices, got {brief(list(path))}.")
    text = edited(model, path, request.fields.get("value"))
    try:
        tomllib.loads(text)
    except ValueError as error:
        raise EquamoError(
            f"edit: the text could not be changed at {_shown(path)}: {error}."
        ) from None
    return {"text": text}


def edited(model: ModelText, path: Path, value: Any) -> str:
    """Text with another value at a path.

    >>> edited(ModelText('a = { b = 1 } # c'), ("a", "d"), "x")
    'a = { b = 1, d = "x" } # c'
    """
    positions, text = model.positions, model.text
    is_item = len(path) == 2 and isinstance(path[1], int)  # an element of [[bodies]], say
    if path in positions.spots and not _is_header(positions, path):
        if value is None:
            return _removed(positions, path)
        spot = positions.spots[path]
        end = positions.end(path)
        was_text = text[spot.value] in "\"'"
        return text[: spot.value] + written(value, was_text) + text[end:]
    if value is None:
        if path in positions.spots and is_item:
            start, end = _block(positions, path)
            return (
                text[:start] + text[end:] if end < len(text) else text[:start].rstrip("\n") + "\n"
            )
        raise EquamoError(
            f"edit: {_shown(path)} must be a key of the text; there is nothing to remove."
        )
    if is_item and isinstance(value, dict):
        rows = [f"{_key(k)} = {written(x)}" for k, x in cast(dict[str, Any], value).items()]
        return "\n".join([text.rstrip("\n"), "", f"[[{_key(str(path[0]))}]]", *rows, ""])
    return _inserted(positions, path, written(value))


def written(value: Any, was_text: bool = True) -> str:
    """Value as TOML; text that replaces a number is written as a number.

    >>> written("2.5", was_text=False), written("2.5"), written({"q": "q1"})
    ('2.5', '"2.5"', '{ q = "q1" }')
    """
    if isinstance(value, str):
        if not was_text and _NUMBER.fullmatch(value.strip()):
            return value.strip()
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int) or (isinstance(value, float) and isfinite(value)):
        return repr(value)
    if isinstance(value, list):
        return f"[{', '.join(written(x) for x in cast(list[Any], value))}]"
    if isinstance(value, dict):
        pairs = (f"{_key(k)} = {written(x)}" for k, x in cast(dict[str, Any], value).items())
        return f"{{ {', '.join(pairs)} }}"
    raise EquamoError(
        f"edit: a value must be text, a number, an array or a table, got {brief(value)}."
    )


def _inserted(positions: Positions, path: Path, value: str) -> str:
    """Text with a new key: in an inline table, below a header, or in a new table at the end."""
    text, table, key = positions.text, path[:-1], path[-1]
    if not isinstance(key, str):
        raise EquamoError(f"edit: {_shown(path)} must name a key, got an index.")
    line = f"{_key(key)} = {value}"
    if not table:  # before the first header
        headers = [s.key for p, s in positions.spots.items() if _is_header(positions, p)]
        at = min(headers, default=len(text))
        return f"{text[:at].rstrip()}\n{line}\n\n{text[at:]}"
    if table not in positions.spots:
        first = table[0] if len(table) == 1 else None
        if not isinstance(first, str):
            raise EquamoError(
                f"edit: {_shown(table)} must be a table of the text, but it is missing."
            )
        return f"{text.rstrip()}\n\n[{_key(first)}]\n{line}\n"
    if _is_header(positions, table):
        at = _last_line(positions, table)
        return f"{text[:at]}\n{line}{text[at:]}"
    start, end = positions.spots[table].value, positions.end(table)
    if text[start] != "{":
        raise EquamoError(f"edit: {_shown(table)} must be a table, got a value.")
    inside = text[start + 1 : end - 1].rstrip()
    return f"{text[: start + 1]}{inside}{',' if inside.strip() else ''} {line} }}{text[end:]}"


def _last_line(positions: Positions, table: Path) -> int:
    """Offset of the end of the last line of a table's own keys."""
    at = positions.spots[table].key
    for path, spot in positions.spots.items():
        if path[: len(table)] == table and path != table and not _is_header(positions, path):
            at = max(at, positions.end(path) if spot.value > at else at)
    end = positions.text.find("\n", at)
    return len(positions.text) if end < 0 else end


def _removed(positions: Positions, path: Path) -> str:
    """Text without a key: its whole line, or its part of an inline table."""
    text = positions.text
    start, end = positions.spots[path].key, positions.end(path)
    parent = positions.spots.get(path[:-1])
    if parent is not None and text[parent.value] == "{":
        after = re.compile(r"\s*,\s*").match(text, end)
        if after:
            return text[:start] + text[after.end() :]
        before = re.compile(r"\s*,\s*$").search(text[:start])
        return text[: before.start() if before else start] + text[end:]
    line = text.rfind("\n", 0, start) + 1
    stop = text.find("\n", end)
    return text[:line] + ("" if stop < 0 else text[stop + 1 :])


def _block(positions: Positions, path: Path) -> tuple[int, int]:
    """Offsets of an element of an array of tables, up to the next header."""
    start = positions.spots[path].key
    headers = [s.key for p, s in positions.spots.items()
               if _is_header(positions, p) and s.key > start and p[:2] != path]  # fmt: skip
    return start, min(headers, default=len(positions.text))


def _is_header(positions: Positions, path: Path) -> bool:
    """Whether a path is a table with a header of its own: [parameters] or [[bodies]]."""
    spot = positions.spots[path]
    before = positions.text[positions.text.rfind("\n", 0, spot.key) + 1 : spot.key]
    return spot.key == spot.value and not before.strip() and positions.text[spot.key] == "["


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name, ensure_ascii=False)


def _shown(path: Path) -> str:
    return ".".join(map(str, path))
