"""Numbers of a model that may change without deriving it again.

A literal such as `mass = 2.5` becomes a parameter "mass of arm" with the value 2.5. Programs that are
made from this model take the number as an input, so editing it only runs them again. A zero stays a
zero, because the equations are shorter with it; so do axes, rotations and the geometry of closed loops.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from copy import deepcopy
from fractions import Fraction
from typing import Any, Final, cast, final

from ...robot.formats.toml import FORCES

_NUMBER: Final = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?")
_OF_BODY: Final = ("mass", "com", "inertia", "ten")
_OF_JOINT: Final = ("at", "pitch")

Data = dict[str, Any]


@final
class _Values(dict[str, Fraction]):
    """Values of new parameters, whose names occur nowhere in the file."""

    def __init__(self, content: str) -> None:
        super().__init__()
        self._content = content

    def new(self, name: str, value: Fraction) -> str:
        """Name of a new parameter with a value."""
        free = name.replace("`", "'")
        while free in self or free in self._content:
            free += "*"
        self[free] = value
        return free


def lifted(data: Mapping[str, Any]) -> tuple[Data, dict[str, Fraction]]:
    """Data of a model with its literals as parameters, and the values of these.

    >>> arm = {"bodies": [{"name": "arm", "mass": 2, "com": "0.1 0 L"}]}
    >>> found, values = lifted(arm)
    >>> found["bodies"][0]
    {'name': 'arm', 'mass': '`mass of arm`', 'com': ['`com x of arm`', '0', 'L']}
    """
    copy: Data = deepcopy(dict(data))
    values = _Values(str(copy))
    if "loops" in copy:
        return copy, values
    for table, key, owner in _places(copy):
        table[key] = _lifted(table[key], key, owner, values)
    parameters = copy.setdefault("parameters", {})
    if not isinstance(parameters, dict):  # an error that is reported when the robot is read
        return deepcopy(dict(data)), {}
    cast(Data, parameters).update(values)
    return copy, values


def _places(data: Data) -> Iterator[tuple[Data, str, str]]:
    """(table, key, name of its owner) of each quantity whose numbers may be inputs."""
    if "gravity" in data:
        yield data, "gravity", ""
    for k, body in enumerate(_tables(data, "bodies")):
        owner = str(body.get("name", k + 1))
        yield from ((body, key, owner) for key in _OF_BODY if key in body)
        joint = body.get("joint")
        if isinstance(joint, dict):
            found = cast(Data, joint)
            yield from ((found, key, owner) for key in _OF_JOINT if key in found)
    for k, force in enumerate(_tables(data, "forces")):
        keys = FORCES.get(str(force.get("kind")), {})
        owner = str(force.get("name") or f"force {k + 1}")
        yield from (
            (force, key, owner) for key, form in keys.items() if form[0] in "qv" and key in force
        )


def _tables(data: Data, key: str) -> list[Data]:
    found = data.get(key)
    items = cast(list[Any], found) if isinstance(found, list) else []
    return [cast(Data, x) for x in items if isinstance(x, dict)]


def _lifted(value: Any, key: str, owner: str, values: _Values) -> Any:
    of = f" of {owner}" if owner else ""
    if isinstance(value, str) and key in ("mass", "pitch"):
        return _quantity(value, f"{key}{of}", values)
    parts: list[Any]
    if isinstance(value, str):
        parts = value.split(",") if "," in value else value.split()
        if len(parts) < 2:
            return _quantity(value, f"{key}{of}", values)
    elif isinstance(value, list):
        parts = cast(list[Any], value)
    else:
        return _quantity(value, f"{key}{of}", values)
    labels = "xyz" if len(parts) == 3 else [str(k + 1) for k in range(len(parts))]
    pairs = zip(parts, labels, strict=True)
    return [_quantity(x, f"{key} {label}{of}", values) for x, label in pairs]


def _quantity(value: Any, name: str, values: _Values) -> Any:
    """Symbol of a number that is not zero; any other value unchanged."""
    if isinstance(value, str):
        if not _NUMBER.fullmatch(value.strip()):
            return value
        number = Fraction(value.strip())
    elif isinstance(value, (int, Fraction)) and not isinstance(value, bool):
        number = Fraction(value)
    else:
        return value
    if number == 0:
        return value
    return f"`{values.new(name, number)}`"
