"""The static site of the studio, served as any web server would serve it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

SITE: Final = Path(__file__).parents[1] / "build" / "studio"


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        """Say nothing."""


@contextmanager
def served_site() -> Iterator[str]:
    """Address of the site, which ends with a slash."""
    assert (SITE / "index.html").is_file(), "run: make studio-site"

    def handler(*given: Any) -> _Quiet:
        return _Quiet(*given, directory=str(SITE))

    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
