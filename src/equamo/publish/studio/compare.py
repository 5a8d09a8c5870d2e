"""`compare`: two versions of a model: lines of text, fields, and entries of the equations."""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Final, cast

from ...basics.wording import counted
from ...mechanics.certificate import compare
from ...robot.formats.toml_positions import Path
from .messages import Request, Say
from .model_text import ModelText

MOST: Final = 300  # differences in one reply
LONGEST: Final = 400  # characters of a verdict


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `compare` with the text `other`, which is the older version."""
    other = ModelText(request.text("other"))
    lines = difflib.unified_diff(
        other.text.split("\n"), model.text.split("\n"), "before", "after", lineterm=""
    )
    fields = list(differences(other.data, model.data))
    say("the equations")
    return {"text": list(lines), "model": fields[:MOST], "equations": _equations(other, model)}


def differences(before: Any, after: Any, path: Path = ()) -> Iterator[dict[str, Any]]:
    """Fields that were added, removed or changed.

    >>> list(differences({"a": 1, "b": [2]}, {"a": 1, "b": [3]}))
    [{'path': ['b', 0], 'change': 'changed', 'before': '2', 'after': '3'}]
    """
    if isinstance(before, dict) and isinstance(after, dict):
        old, new = cast(dict[str, Any], before), cast(dict[str, Any], after)
        for key in dict.fromkeys((*old, *new)):
            yield from _of_key(old, new, key, (*path, key))
    elif isinstance(before, list) and isinstance(after, list):
        one, two = cast(list[Any], before), cast(list[Any], after)
        old, new = dict(enumerate(one)), dict(enumerate(two))
        for key in dict.fromkeys((*old, *new)):
            yield from _of_key(old, new, key, (*path, key))
    elif before != after:
        yield _row(path, "changed", before, after)


def _of_key(
    old: dict[Any, Any], new: dict[Any, Any], key: Any, path: Path
) -> Iterator[dict[str, Any]]:
    if key not in new:
        yield _row(path, "removed", old[key], None)
    elif key not in old:
        yield _row(path, "added", None, new[key])
    else:
        yield from differences(old[key], new[key], path)


def _row(path: Path, change: str, before: Any, after: Any) -> dict[str, Any]:
    return {"path": list(path), "change": change, "before": _shown(before), "after": _shown(after)}


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        found = cast(dict[str, Any], value)
        return str(found.get("name") or counted(len(found), "field"))
    if isinstance(value, Fraction):
        return str(float(value))
    return "" if value is None else str(value)


def _equations(before: ModelText, after: ModelText) -> dict[str, Any]:
    """Entries that are not proved equal; a sentence if the robots have different speeds."""
    first, second = before.equations(), after.equations()
    if len(first.v) != len(second.v):
        counts = f"{counted(len(first.v), 'speed')} before, {len(second.v)} after"
        return {"summary": f"The equations have different sizes: {counts}.", "differences": []}
    found = compare(first, second)
    changed = len(found.differences)
    summary = f"{changed} of {counted(found.compared, 'entry')} changed."
    rows = [
        {"quantity": d.quantity, "entry": list(d.entry), "verdict": str(d.proof)[:LONGEST]}
        for d in found.differences[:MOST]
    ]
    return {"summary": summary, "differences": rows}
