"""Local server of the studio: 127.0.0.1 only, one secret token, its own files only.

Every address starts with the token, so that no other page can guess it. Requests must name this host, to
stop DNS rebinding, and must come from this origin. The page may load nothing from elsewhere. Replies to
`POST message` are streamed as lines of JSON.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock
from typing import Any, ClassVar, Final, Protocol, cast, final

from ...errors import EquamoError
from .folder import Folder
from .messages import Reply, decode, encode, failure, identity, read_request, result
from .processes import Processes
from .site import POLICY, addresses, content_type

HOST: Final = "127.0.0.1"
LARGEST: Final = 16_000_000  # bytes of a request, at most 9 digits
BEAT: Final = 1.0  # [s] between signs of life
OF_FOLDER: Final = ("files", "open", "save")


class LocalKernel(Protocol):
    """Answers requests: `Processes`, or a stand-in for tests."""

    def ask(self, request: dict[str, Any], /) -> Iterator[Reply]: ...
    def cancel(self, number: int, /) -> bool: ...
    def close(self) -> None: ...


@final
class StudioServer(ThreadingHTTPServer):
    """Server with its token, its folder and its processes."""

    daemon_threads = True
    allow_reuse_address = False

    def __init__(
        self,
        folder: Folder,
        port: int = 0,
        start: dict[str, Any] | None = None,
        kernel: LocalKernel | None = None,
    ) -> None:
        super().__init__((HOST, port), Handler)
        self.token: str = secrets.token_urlsafe(32)
        self._ticket: str | None = secrets.token_urlsafe(32)
        self.folder = folder
        self.start: dict[str, Any] = start or {}
        self.kernel: LocalKernel | Processes = kernel or Processes()
        self._lock = Lock()
        self._pages = 0
        self._last_seen: float | None = None

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        """Address of the page, with the token."""
        return f"http://{HOST}:{self.port}/{self.token}/"

    @property
    def url_once(self) -> str:
        """Address that leads to the page once: other users see it in the browser's command line."""
        return f"http://{HOST}:{self.port}/{self._ticket}"

    def admits(self, path: str) -> bool:
        """Whether a path is that of `url_once`; it is then used up."""
        with self._lock:
            ticket = self._ticket or ""
            found = bool(ticket) and secrets.compare_digest(path.encode(), f"/{ticket}".encode())
            self._ticket = None if found else self._ticket
        return found

    def close(self) -> None:
        """Stop serving and end all processes."""
        self.server_close()
        self.kernel.close()

    # -- whether a page is open ------------------------------------------------------------------------
    def page_opened(self) -> None:
        with self._lock:
            self._pages += 1

    def page_closed(self) -> None:
        with self._lock:
            self._pages -= 1
            self._last_seen = time.monotonic()

    def deserted_for(self) -> float:
        """Seconds since the last page was closed; 0 if one is open or none was ever opened."""
        with self._lock:
            if self._pages or self._last_seen is None:
                return 0.0
            return time.monotonic() - self._last_seen

    # -- messages --------------------------------------------------------------------------------------
    def replies(self, data: Any) -> Iterator[Reply]:
        """Replies to a message."""
        number = None
        try:
            number = identity(data)
            kind = data.get("kind")
            if kind == "cancel":
                found = self.kernel.cancel(identity({"id": data.get("request")}))
                yield result(number, {"cancelled": found})
            elif kind in OF_FOLDER:
                yield result(number, self.folder.answer(data))
            elif kind == "start":
                yield result(number, self._started())
            else:
                read_request(data)
                yield from self.kernel.ask(data)
        except EquamoError as error:
            yield failure(number, str(error))

    def _started(self) -> dict[str, Any]:
        """Model to start with; a reloaded page must show the current content of its file."""
        file = self.start.get("file")
        if file is None or not self.folder.path(file).is_file():
            return self.start
        return {**self.start, "text": self.folder.read(file)}

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connections that the browser closed."""


@final
class Handler(BaseHTTPRequestHandler):
    """Answers of the server, each with the headers that protect the page."""

    protocol_version = "HTTP/1.1"
    server_version = "equamo"
    sys_version = ""
    timeout: ClassVar[float | None] = 60
    close_connection: bool

    @property
    def studio(self) -> StudioServer:
        return cast(StudioServer, self.server)

    def do_GET(self) -> None:
        """Serve a file of the page, or the sign of life."""
        if self.path == "/favicon.ico":  # browsers ask for it without the token
            self._send(204, b"", "image/x-icon")
            return
        if self.headers.get("Host") in self._hosts() and self.studio.admits(self.path):
            self._send(303, b"", "text/plain", Location=f"/{self.studio.token}/")
            return
        address = self._address()
        if address is None:
            return
        if address == "alive":
            self._stay()
            return
        found = addresses().get(address)
        if found is None:
            self._refuse(404, "unknown address")
            return
        self._send(200, found, content_type(address))

    def do_POST(self) -> None:
        """Answer a message."""
        address = self._address()
        if address is None:
            return
        if address != "message":
            self._refuse(404, "unknown address")
            return
        if self.headers.get("Origin") not in self._origins():
            self._refuse(403, "wrong origin")
            return
        if self.headers.get_content_type() != "application/json":
            self._refuse(415, "not JSON")
            return
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or len(length) > 9 or int(length) > LARGEST:
            self._refuse(413, f"a message must have at most {LARGEST:,} bytes")
            return
        try:
            data = decode(self.rfile.read(int(length)))
        except EquamoError as error:
            self._stream(iter([failure(None, str(error))]))
            return
        self._stream(self.studio.replies(data))

    # -- checks ----------------------------------------------------------------------------------------
    def _hosts(self) -> tuple[str, ...]:
        port = self.studio.port
        return f"{HOST}:{port}", f"localhost:{port}"

    def _origins(self) -> tuple[str, ...]:
        return tuple(f"http://{host}" for host in self._hosts())

    def _address(self) -> str | None:
        """Address below the token; None if the request was rejected."""
        if self.headers.get("Host") not in self._hosts():
            self._refuse(403, "wrong host")
            return None
        if self.headers.get("Origin", self._origins()[0]) not in self._origins():
            self._refuse(403, "wrong origin")
            return None
        if self.headers.get("Sec-Fetch-Site", "none") not in ("none", "same-origin"):
            self._refuse(403, "wrong origin")
            return None
        path = self.path.partition("?")[0]
        token, slash, rest = path.removeprefix("/").partition("/")
        if not secrets.compare_digest(token.encode(), self.studio.token.encode()) or not slash:
            self._refuse(403, "wrong token")
            return None
        return rest

    # -- answers ---------------------------------------------------------------------------------------
    def _refuse(self, status: int, reason: str) -> None:
        self.close_connection = True
        self._send(status, f"{status} {reason}\n".encode(), "text/plain; charset=utf-8")

    def _send(self, status: int, body: bytes, kind: str, **headers: str) -> None:
        self._head(status, kind)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _head(self, status: int, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Security-Policy", POLICY)
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("Referrer-Policy", "no-referrer")
        self.send_header("Cross-Origin-Opener-Policy", "same-origin")
        self.send_header("Cross-Origin-Resource-Policy", "same-origin")
        self.send_header("Cache-Control", "no-store")
        if self.close_connection:
            self.send_header("Connection", "close")

    def _stream(self, replies: Iterator[Reply]) -> None:
        """Write replies as they come, in chunks; a page that is gone cancels its request."""
        self._head(200, "application/x-ndjson")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        number = None
        try:
            for reply in replies:
                number = reply["id"]
                self._chunk(encode(reply).encode())
            self._chunk(b"")
        except OSError:
            if number is not None:
                self.studio.kernel.cancel(number)
            for _ in replies:  # the process must be free for the next request
                pass
            self.close_connection = True

    def _chunk(self, data: bytes) -> None:
        self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))
        self.wfile.flush()

    def _stay(self) -> None:
        """Write a byte now and then, until the page is closed."""
        self.studio.page_opened()
        self.close_connection = True
        try:
            self._head(200, "text/plain")
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            with contextlib.suppress(OSError):
                while True:
                    self._chunk(b".")
                    time.sleep(BEAT)
        finally:
            self.studio.page_closed()

    def log_message(self, format: str, *args: Any) -> None:
        """Write no log: addresses contain the token."""
