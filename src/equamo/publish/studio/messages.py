"""Messages between the studio's page and its kernel: version 1 of the protocol, as JSON objects.

A request is `{"id": n, "kind": K, "model": "text of the model", ...}`. Its replies are any number of

    {"id": n, "kind": "progress", "text": "...", "fraction": 0.3 or null}

and then exactly one of

    {"id": n, "kind": "result", "data": {...}}
    {"id": n, "kind": "error", "message": "...", "line": 3, "column": 7, "where": "model"}
    {"id": n, "kind": "cancelled"}

Lines and columns count from 1 and are null if they are unknown. docs/guide/studio.md lists the kinds of
requests with their fields and results.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol, cast, final

from ...basics.wording import brief
from ...errors import EquamoError, UnknownNameError

PROTOCOL: Final = 1
KINDS: Final = (
    "hello", "templates", "import", "check", "edit", "derive", "programs", "scene", "closed_form",
    "prove", "code", "steps", "linearize", "audit", "compare", "export",
)  # fmt: skip
LARGEST_ID: Final = 2**53  # larger integers are not exact in JavaScript

Reply = dict[str, Any]
Send = Callable[[Reply], None]


class Say(Protocol):
    """Function that reports progress, with the fraction that is done if it is known."""

    def __call__(self, text: str, fraction: float | None = None, /) -> None: ...


@final
@dataclass(frozen=True, slots=True)
class Request:
    """Request whose head was checked; `fields` are read and checked by its kind."""

    id: int
    kind: str
    model: str
    fields: Mapping[str, Any]

    def text(self, key: str, default: str | None = None) -> str:
        """Text of a field."""
        value = self.fields.get(key, default)
        if not isinstance(value, str):
            raise EquamoError(f"{self.kind}: {key!r} must be text, got {brief(value)}.")
        return value

    def choice(self, key: str, valid: Collection[str], default: str | None = None) -> str:
        """Text of a field that must be one of the given words."""
        value = self.text(key, default)
        if value not in valid:
            raise UnknownNameError(key, value, valid, f"the request {self.kind!r}")
        return value

    def flag(self, key: str) -> bool:
        """Truth value of a field, by default false."""
        value = self.fields.get(key, False)
        if not isinstance(value, bool):
            raise EquamoError(f"{self.kind}: {key!r} must be true or false, got {brief(value)}.")
        return value

    def table(self, key: str) -> dict[str, Any]:
        """Object of a field, by default empty."""
        value = self.fields.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            raise EquamoError(f"{self.kind}: {key!r} must be an object, got {brief(value)}.")
        return cast(dict[str, Any], value)

    def array(self, key: str) -> list[Any]:
        """Array of a field."""
        value = self.fields.get(key)
        if not isinstance(value, list):
            raise EquamoError(f"{self.kind}: {key!r} must be an array, got {brief(value)}.")
        return cast(list[Any], value)


def read_request(data: object) -> Request:
    """Check the head of a request.

    >>> read_request({"id": 1, "kind": "check", "model": "equamo = 1"}).kind
    'check'
    """
    if not isinstance(data, dict):
        raise EquamoError(f"A request must be a JSON object, got {brief(data)}.")
    fields = cast(dict[str, Any], data)
    kind = fields.get("kind")
    if kind not in KINDS:
        raise UnknownNameError("kind of request", kind, KINDS)
    model = fields.get("model", "")
    if not isinstance(model, str):
        raise EquamoError(f"{kind}: 'model' must be text, got {brief(model)}.")
    return Request(identity(fields), kind, model, fields)


def identity(data: object) -> int:
    """Number of a request.

    >>> identity({"id": 7})
    7
    """
    value = cast(dict[str, Any], data).get("id") if isinstance(data, dict) else None
    if type(value) is not int or not 0 <= value <= LARGEST_ID:
        raise EquamoError(
            f"The id of a request must be an integer from 0 to 2**53, got {brief(value)}."
        )
    return value


# -- replies -----------------------------------------------------------------------------------------
def progress(number: int, text: str, fraction: float | None = None) -> Reply:
    """Report on a request that is still running."""
    return {"id": number, "kind": "progress", "text": text, "fraction": fraction}


def result(number: int, data: Mapping[str, Any]) -> Reply:
    """Final reply with the result of a request."""
    return {"id": number, "kind": "result", "data": dict(data)}


def failure(
    number: int | None,
    message: str,
    where: str = "request",
    line: int | None = None,
    column: int | None = None,
) -> Reply:
    """Final reply to a request that failed; `where` names the source of the error."""
    return {"id": number, "kind": "error", "message": message, "line": line, "column": column,
            "where": where}  # fmt: skip


def cancelled(number: int) -> Reply:
    """Final reply to a request that was cancelled."""
    return {"id": number, "kind": "cancelled"}


def is_final(reply: Mapping[str, Any]) -> bool:
    """Whether no other reply to the same request follows."""
    return reply.get("kind") != "progress"


def encode(message: Mapping[str, Any]) -> str:
    r"""Write a message as one line of JSON; a number that is not finite is an error.

    >>> encode({"id": 1, "kind": "cancelled"})
    '{"id":1,"kind":"cancelled"}\n'
    """
    try:
        return (
            json.dumps(message, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"
        )
    except ValueError:
        raise EquamoError(
            f"The numbers of a message must be finite, got infinity or NaN in a {message.get('kind')!r}."
        ) from None


def decode(text: str | bytes) -> Any:
    """Read a message; half a character (a lone surrogate) or NaN is an error.

    >>> decode('{"id": 1}')
    {'id': 1}
    """
    try:
        data = json.loads(text, parse_constant=_not_a_number)
        if (b"\\u" if isinstance(text, bytes) else "\\u") in text:  # pyright: ignore
            json.dumps(data, ensure_ascii=False).encode()
        return data
    except (ValueError, RecursionError):
        raise EquamoError(f"A message must be valid JSON, got {brief(text)}.") from None


def _not_a_number(name: str) -> float:
    raise ValueError(name)
