"""Files of the studio's page, by their address below the token; nothing else is served.

""             the page
"studio.js"    its script, one module
"studio.css"   its style
"""

from __future__ import annotations

from functools import cache
from typing import Final

from .bundle import page, script, style

TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
}
# Numbers are computed on a tape, so the page runs no code except that of the studio.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def addresses() -> dict[str, bytes]:
    """All files by address.

    >>> sorted(addresses())
    ['', 'studio.css', 'studio.js']
    """
    return {"": page().encode(), "studio.js": script().encode(), "studio.css": style().encode()}


def content_type(address: str) -> str:
    """Media type of a file.

    >>> content_type("studio.css")
    'text/css; charset=utf-8'
    """
    return TYPES["." + (address.rpartition(".")[2] if address else "html")]
