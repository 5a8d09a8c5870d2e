"""Conversion of expressions, vectors, matrices, tuples, numbers and objects to plain data and back.

Everything that is read is checked: only classes of one table are allowed, and every field must have the
type that its class declares.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Union, cast, get_args, get_origin, get_type_hints

from ...algebra.expr import Expr, parse
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...basics.wording import brief
from ...errors import FileFormatError
from . import forces, joints
from .base_motion import BaseMotion
from .constraint import Constraint
from .contact import Contact
from .inertia import Inertia
from .limits import Limits
from .loop import Loop
from .parameter import Parameter
from .shape import Shape
from .speeds import SpeedMap

_CLASSES: Final[dict[str, type]] = {
    c.__name__: c
    for module in (joints, forces)
    for c in vars(module).values()
    if isinstance(c, type) and is_dataclass(c)
} | {
    c.__name__: c
    for c in (
        Inertia, Parameter, BaseMotion, SpeedMap, Constraint, Limits, Shape, Loop, Contact,
    )
}  # fmt: skip

_NUMBER: Final = re.compile(r"-?[0-9]+(/[0-9]+)?")
_DIGITS: Final = 4_300  # Python's own limit
_ANY_SIZE: Final = {("Shape", "size"), ("SpeedMap", "W")}  # all others have shape 3 or 3×3


def encode(x: Any) -> Any:
    """Convert a value to plain data: strings, lists and dicts only."""
    if x is None or isinstance(x, (bool, str)):
        return x
    if isinstance(x, Expr):
        return {"expr": str(x)}
    if isinstance(x, (int, Fraction)):
        return {"number": str(x)}
    if isinstance(x, float):
        return {"number": str(Fraction(repr(x)))}
    if isinstance(x, Vector):
        return {"vector": [str(e) for e in x]}
    if isinstance(x, Matrix):
        names = [None if n is None else list(n) for n in (x.row_names, x.column_names)]
        return {"matrix": [[str(e) for e in row] for row in x.rows], "names": names}
    if isinstance(x, tuple):
        return {"tuple": [encode(e) for e in x]}  # pyright: ignore[reportUnknownVariableType]
    name = type(x).__name__
    if name in _CLASSES:
        return {"class": name, **{f.name: encode(getattr(x, f.name)) for f in fields(x)}}
    raise FileFormatError(
        f"{brief(x)} cannot be stored: its class must be one of {', '.join(_CLASSES)}."
    )


def decode(x: Any) -> Any:
    """Convert data of `encode` back to the value; FileFormatError if the data is damaged."""
    if x is None or isinstance(x, (bool, str)):
        return x
    if not isinstance(x, dict):
        raise damaged(f"expected a value, got {brief(cast(object, x))}")
    data = cast(dict[str, Any], x)
    if "class" in data:
        return _object(data)
    kind = next(iter(data), "")
    content = data.get(kind)
    if kind == "expr" and len(data) == 1:
        return _expression(content)
    if kind == "number" and len(data) == 1:
        return _number(content)
    if kind == "vector" and len(data) == 1:
        return Vector([_expression(e) for e in items(content)])
    if kind == "tuple" and len(data) == 1:
        return tuple(decode(e) for e in items(content))
    if kind == "matrix" and set(data) == {"matrix", "names"}:
        return _matrix(content, data["names"])
    raise damaged(f"expected a value, got {brief(cast(object, x))}")


def of_type(x: Any, kind: type, what: str) -> Any:
    """Decoded value, which must be of a type."""
    value = decode(x)
    if not isinstance(value, kind):
        raise damaged(f"{what} must be of type {kind.__name__}, got {brief(value)}")
    return value


def items(x: Any) -> list[Any]:
    """Data that must be a list."""
    if not isinstance(x, list):
        raise damaged(f"expected a list, got {brief(x)}")
    return cast(list[Any], x)


def text(x: Any, what: str) -> str:
    """Data that must be text."""
    if not isinstance(x, str):
        raise damaged(f"{what} must be text, got {brief(x)}")
    return x


def damaged(problem: str) -> FileFormatError:
    """Error for data that `robot_to_data` cannot have written."""
    return FileFormatError(f"The stored robot is damaged: {problem}.")


def _expression(x: Any) -> Expr:
    return parse(text(x, "an expression"))


def _number(x: Any) -> int | Fraction:
    if not isinstance(x, str) or not _NUMBER.fullmatch(x) or len(x) > 2 * _DIGITS:
        raise damaged(f"expected a number, got {brief(x)}")
    try:
        value = Fraction(x)
    except (ValueError, ZeroDivisionError):  # too many digits, or a denominator of 0
        raise damaged(f"expected a number, got {brief(x)}") from None
    return int(value) if value.denominator == 1 else value


def _matrix(rows: Any, names: Any) -> Matrix:
    entries = [[_expression(e) for e in items(row)] for row in items(rows)]
    both = [None if n is None else [text(x, "a name") for x in items(n)] for n in items(names)]
    matrix = Matrix(entries)
    fits = [n is None or len(n) == size for n, size in zip(both, matrix.shape, strict=False)]
    if len(both) != 2 or not all(fits):
        raise damaged(f"expected the names of rows and columns, got {brief(names)}")
    return Matrix(entries, both[0], both[1])


def _object(data: dict[str, Any]) -> Any:
    name = data["class"]
    if not isinstance(name, str) or name not in _CLASSES:
        raise damaged(f"unknown class {brief(name)}")
    own, hints = _CLASSES[name], _hints(name)
    values = {k: decode(v) for k, v in data.items() if k != "class"}
    for field in fields(own):
        if field.name in values:
            _check_field(name, field.name, values[field.name], hints[field.name])
        elif field.default is MISSING and field.default_factory is MISSING:
            raise damaged(f"field {field.name!r} of a {name} is missing")
    unknown = values.keys() - {field.name for field in fields(own)}
    if unknown:
        raise damaged(f"unknown field {brief(sorted(unknown)[0])} of a {name}")
    return own(**values)


def _check_field(name: str, field: str, value: Any, hint: Any) -> None:
    if not _has_type(value, hint):
        raise damaged(f"field {field!r} of a {name} cannot be {brief(value)}")
    in_space = not isinstance(value, (Vector, Matrix)) or value.shape in ((3,), (3, 3))
    if not in_space and (name, field) not in _ANY_SIZE:
        raise damaged(f"field {field!r} of a {name} must have shape 3 or 3×3, got {value.shape}")


@cache
def _hints(name: str) -> dict[str, Any]:
    return get_type_hints(_CLASSES[name])


def _has_type(value: Any, hint: Any) -> bool:
    """Whether a value has a declared type: a class, a union, or a tuple of them."""
    origin = get_origin(hint)
    if origin in (Union, UnionType):
        return any(_has_type(value, x) for x in get_args(hint))
    if origin is tuple:
        inner = get_args(hint)
        if not isinstance(value, tuple):
            return False
        parts = cast(tuple[Any, ...], value)
        if len(inner) == 2 and inner[1] is Ellipsis:
            return all(_has_type(x, inner[0]) for x in parts)
        return len(parts) == len(inner) and all(map(_has_type, parts, inner))
    if hint in (None, NoneType):
        return value is None
    return isinstance(value, hint) and not (hint is int and isinstance(value, bool))
