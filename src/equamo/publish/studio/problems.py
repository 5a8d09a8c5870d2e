"""Problems in the text of a model: each error becomes a message with its line and columns."""

from __future__ import annotations

import re
from typing import Any, Final

from ...errors import EquamoError, ParseError
from ...robot.formats.toml_positions import Path, Positions

FILE: Final = "model"  # how messages name the text
_SYNTAX: Final = re.compile(r" \(at (?:line (\d+), column (\d+)|end of document)\)")
_PLACE: Final = re.compile(rf"^{FILE}(?:, line \d+)?(?:, [^:]*)?: ")
_IN: Final = re.compile(rf" in {FILE}(?:, line \d+)?(?:, [\w.\[\]'-]+)?(?=\.)")
_COLUMN: Final = re.compile(r"^Column \d+: ")
_QUOTED: Final = re.compile(r"'([^']+)'")

Problem = dict[str, Any]


def problem(
    message: str, line: int, column: int, end_column: int, severity: str = "error"
) -> Problem:
    """Problem as data of a reply."""
    return {"line": line, "column": column, "end_column": max(end_column, column + 1),
            "message": message, "severity": severity}  # fmt: skip


def syntax_problem(error: EquamoError, text: str) -> Problem:
    """Problem of a text that is not TOML; the parser's message names the place."""
    message = str(error)
    lines = text.split("\n")
    match = _SYNTAX.search(message)
    line, column = len(lines), len(lines[-1]) + 1
    if match and match[1]:
        line, column = int(match[1]), int(match[2])
    plain = _PLACE.sub("", _SYNTAX.sub("", message))
    return problem(plain, line, column, column + 1)


def problem_of(error: EquamoError, positions: Positions, severity: str = "error") -> Problem:
    """Problem of an error in a TOML text, at the key or character that it is about."""
    message = _IN.sub("", _PLACE.sub("", str(error)))
    message = _COLUMN.sub("", message.split("\n")[0])  # the page shows the place itself
    path = error.path or _mentioned(message, positions)
    start, end = _span(path, error, positions)
    line, column = positions.line_and_column(start)
    last, end_column = positions.line_and_column(end)
    if last != line:  # underline the first line only
        end_column = len(positions.text[start:].split("\n", 1)[0]) + column
    return problem(message, line, column, end_column, severity)


def _span(path: Path, error: EquamoError, positions: Positions) -> tuple[int, int]:
    """Offsets of the wrong part of the text."""
    spot, found = None, path
    while found and spot is None:
        spot = positions.spots.get(found)
        found = found if spot else found[:-1]
    if spot is None:
        return 0, 1
    if positions.text[spot.value : spot.value + 1] == "[" and spot.key == spot.value:
        header = positions.text[spot.key :].split("\n", 1)[0].rstrip()
        return spot.key, spot.key + len(header)
    if found == path and spot.key != spot.value and "Unknown key" in str(error):
        return spot.key, spot.value
    end = positions.end(found)
    cause = error.__cause__
    position = cause.position if isinstance(cause, ParseError) else None
    rest = path[len(found) :]
    if len(rest) == 1 and isinstance(rest[0], int):  # a part of a text such as "L1 0 0"
        first, token = _token(positions, found, rest[0])
        if token:
            start = positions.content(found, first + (position or 0))
            last = positions.content(found, first + len(token))
            if start is not None and last is not None:
                return min(start, last - 1), last
    if position is not None:
        start = positions.content(found, position)
        if start is not None:
            return start, max(start + 1, end - 1)
    return spot.value, end


def _token(positions: Positions, path: Path, index: int) -> tuple[int, str]:
    """Start, in a text value, and text of one of its quantities."""
    start = positions.content(path, 0)
    if start is None:
        return 0, ""
    text = positions.text[start : positions.end(path) - 1]
    pattern = r"[^,]+" if "," in text else r"\S+"
    tokens = list(re.finditer(pattern, text))
    return (tokens[index].start(), tokens[index][0]) if index < len(tokens) else (0, "")


def _mentioned(message: str, positions: Positions) -> Path:
    """Key whose value is a name that a message about the whole model mentions; () if none is."""
    for name in _QUOTED.findall(message):
        for path, spot in positions.spots.items():
            value = positions.text[spot.value : spot.value + len(name) + 2]
            if value in (f'"{name}"', f"'{name}'"):
                return path
            if path[-1] == name:
                return path
    return ()
