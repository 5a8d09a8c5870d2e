"""The studio: messages of its page, requests of HTTP, names of files."""

import io
import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from equamo.errors import EquamoError
from equamo.publish.studio.folder import Folder
from equamo.publish.studio.kernel import Kernel
from equamo.publish.studio.server import Handler, StudioServer
from fuzz.documents import documents, texts
from fuzz.edits import edit_json, edit_text, edit_words
from fuzz.reader import Reader, folder, text
from raise_sites import off_pattern
from studio_requests import PENDULUM

QUICK = (
    "hello", "templates", "check", "edit", "derive", "scene", "closed_form", "steps", "code", "compare",
    "linearize", "import", "programs", "audit", "export",
)  # fmt: skip
FIELDS: dict[str, dict[str, Any]] = {
    "edit": {"path": ["bodies", 0, "joint", "axis"], "value": "x"},
    "closed_form": {"part": "g", "entry": 0},
    "steps": {"method": "lagrange", "first": 0},
    "code": {"language": "c"},
    "compare": {"other": PENDULUM.replace("0 0 -L", "0 0 -2*L")},
    "templates": {"name": "rr_arm"},
    "import": {"name": "a.csv", "text": "theta | d | a | alpha\nq1 | 0 | L | 0\n"},
    "audit": {"claims": "m*L**2", "quantity": "M[1,1]"},
    "export": {"what": "project", "format": "toml"},
    "programs": {"functions": ["mass_matrix"]},
}
MESSAGES = tuple(
    json.dumps({"id": 1, "kind": kind, "model": PENDULUM, **FIELDS.get(kind, {})}).encode()
    for kind in QUICK
)


def read_message(data: bytes) -> None:
    """Every message is answered, and never by an internal error."""
    replies: list[str] = []
    Kernel().answer_text(text(data), replies.append)
    last = json.loads(replies[-1])
    assert last["kind"] in ("result", "error")
    message = last.get("message", "")
    assert not message.startswith("Internal error"), message
    if last["kind"] == "error" and last["where"] == "request":
        assert not off_pattern(message), message


# -- HTTP --------------------------------------------------------------------------------------------
class _Kernel:
    """Answers at once."""

    def ask(self, request: dict[str, Any], /) -> Iterator[dict[str, Any]]:
        yield {"id": request["id"], "kind": "result", "data": {}}

    def cancel(self, number: int, /) -> bool:
        return True

    def close(self) -> None:
        pass


class _Connection:
    """A socket that has received these bytes."""

    def __init__(self, data: bytes) -> None:
        self.received, self.sent = io.BytesIO(data), bytearray()

    def makefile(self, *_: Any, **__: Any) -> io.BytesIO:
        return self.received

    def sendall(self, data: bytes) -> None:
        self.sent += data

    def settimeout(self, _: Any) -> None:
        pass

    def setsockopt(self, *_: Any) -> None:
        pass


@cache
def _server() -> StudioServer:
    here = folder() / "studio"
    here.mkdir(exist_ok=True)
    (here / "a.toml").write_text(PENDULUM, encoding="utf-8")
    server = StudioServer(Folder(here), kernel=_Kernel())
    server.server_close()  # the port is known; nobody shall connect
    return server


BODIES = (
    b'{"id": 1, "kind": "files"}',
    b'{"id": 2, "kind": "open", "name": "a.toml"}',
    b'{"id": 3, "kind": "save", "name": "b.toml", "text": "x", "before": null}',
    b'{"id": 4, "kind": "check", "model": ""}',
    b'{"id": 5, "kind": "cancel", "cancel": 4}',
)
POST = (
    b"POST /TOKEN/message HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nOrigin: http://127.0.0.1:PORT\r\n"
    b"Content-Type: application/json\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
)
GET = b"GET /TOKEN/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nConnection: close\r\n\r\n"
REQUESTS = (GET, *(POST % (len(x), x) for x in BODIES))


def read_request(data: bytes) -> None:
    """Every request is answered, and nothing escapes the folder."""
    server = _server()
    data = data.replace(b"TOKEN", server.token.encode()).replace(b"PORT", str(server.port).encode())
    connection = _Connection(data)
    Handler(connection, ("127.0.0.1", 1), server)  # type: ignore[arg-type]
    assert b"root:x:" not in connection.sent
    assert not [x for x in folder().iterdir() if x.name in ("a.toml", "b.toml")]


def read_name(data: bytes) -> None:
    """Text of a file in the folder, or a refusal."""
    here = _server().folder
    path = here.path(text(data))
    assert path.is_relative_to(here.root)
    try:
        here.read(text(data))
    except EquamoError:
        return


NAMES = (b"a.toml", b"../a.toml", b"x/../../a.urdf")
READERS = [
    Reader("studio_message", read_message, documents(MESSAGES, edit_json), MESSAGES, 6),
    Reader("studio_request", read_request, documents(REQUESTS, edit_text, edit_words), REQUESTS),
    Reader("studio_name", read_name, texts(NAMES), NAMES[:1]),
]
