"""Kernel of the studio: a request in, its replies out.

The same kernel runs in a subprocess of the local server (`worker`) and in a Web Worker under Pyodide. It
opens no connections and no user files. It imports the module for a kind of request when the first
one arrives, so that it starts fast and needs NumPy only where numbers are computed.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from importlib import import_module
from typing import Any, Final, cast, final

from ..._version import __version__
from ...errors import EquamoError
from .messages import (
    KINDS,
    PROTOCOL,
    Reply,
    Request,
    Send,
    decode,
    encode,
    failure,
    identity,
    progress,
    read_request,
    result,
)
from .model_text import ModelText

KEPT: Final = 4  # models whose equations are kept, for an edit that is undone
# Modules whose names differ from the kind of request.
_MODULES: Final = {"import": "imports"}
_WITHOUT_MODEL: Final = ("hello", "import", "templates")


@final
class Kernel:
    """Answers requests; the equations of the last models are kept.

    >>> replies = []
    >>> Kernel().answer({"id": 1, "kind": "hello"}, replies.append)
    >>> replies[0]["kind"], replies[0]["data"]["protocol"]
    ('result', 1)
    """

    def __init__(self) -> None:
        self._models: OrderedDict[str, ModelText] = OrderedDict()

    def answer(self, data: object, send: Send) -> None:
        """Answer a request; every error becomes a reply."""
        number = None
        try:
            number = identity(data)
            request = read_request(data)
            reply = result(number, self._result(request, send))
        except EquamoError as error:
            reply = self._failure(number, error, data)
        except Exception as error:  # an error of equamo itself must not end the kernel
            kind = type(error).__name__
            reply = failure(number, f"Internal error in equamo, {kind}: {error}", "kernel")
        send(reply)

    def _failure(self, number: int | None, error: EquamoError, data: Any) -> Reply:
        """Reply for an error; an error in the model has a position in the text."""
        fields = cast(dict[str, Any], data) if isinstance(data, dict) else {}
        text = None if fields.get("kind") in _WITHOUT_MODEL else fields.get("model")
        model = self._models.get(text) if isinstance(text, str) else None
        found = None if model is None else model.problem
        if found is None:
            return failure(number, str(error))
        return failure(number, found["message"], "model", found["line"], found["column"])

    def answer_text(self, text: str, send: Any) -> None:
        """Answer a request given as JSON; `send` is called with the JSON of each reply."""

        def write(reply: Reply) -> None:
            try:
                line = encode(reply)
            except EquamoError as error:
                line = encode(failure(reply["id"], str(error)))
            send(line)

        try:
            data = decode(text)
        except EquamoError as error:
            write(failure(None, str(error)))
            return
        self.answer(data, write)

    def model(self, text: str) -> ModelText:
        """Model of a text; recent ones are kept with their equations."""
        found = self._models.pop(text, None)
        if found is None:
            found = ModelText(text)
        self._models[text] = found
        while len(self._models) > KEPT:
            self._models.popitem(last=False)
        return found

    def _result(self, request: Request, send: Send) -> dict[str, Any]:
        if request.kind == "hello":
            return {"protocol": PROTOCOL, "equamo": __version__, "kinds": list(KINDS)}

        def say(text: str, fraction: float | None = None) -> None:
            send(progress(request.id, text, fraction))

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they name lines of Python, not of the model
            try:
                module = import_module(f".{_MODULES.get(request.kind, request.kind)}", __package__)
                return module.answer(self.model(request.model), request, say)
            except ModuleNotFoundError as error:
                raise EquamoError(
                    f"{request.kind} needs the package {error.name!r}, which is not installed; "
                    "install it, or use 'equamo studio' if this is the studio in the browser."
                ) from None
