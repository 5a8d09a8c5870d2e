"""Files of the studio's page, by their address below the token; nothing else is served.

""               studio.html
"assets/…"       scripts and styles of the studio
"page/…"         those that the studio shares with the page of `eq.report`
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Final

TYPES: Final = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".json": "application/json",
}
# Modules of generated functions are loaded from blob addresses; nothing is evaluated from text.
POLICY: Final = (
    "default-src 'none'; script-src 'self' blob:; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; worker-src 'self' blob:; font-src 'self'; manifest-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


@cache
def addresses() -> dict[str, Traversable]:
    """All files by address.

    >>> "page/style.css" in addresses()
    True
    """
    studio = files("equamo.studio") / "assets"
    found = {f"assets/{name}": x for name, x in _below(studio).items()}
    found |= {f"page/{name}": x for name, x in _below(files("equamo.page") / "assets").items()}
    if "assets/studio.html" in found:
        found[""] = found.pop("assets/studio.html")
    return found


def content_type(address: str) -> str:
    """Media type of a file.

    >>> content_type("page/style.css")
    'text/css; charset=utf-8'
    """
    suffix = "." + (address.rpartition(".")[2] if address else "html")
    return TYPES.get(suffix, "application/octet-stream")


def _below(folder: Traversable, prefix: str = "") -> dict[str, Traversable]:
    found: dict[str, Traversable] = {}
    for item in folder.iterdir():
        if item.is_dir():
            found |= _below(item, f"{prefix}{item.name}/")
        elif "." + item.name.rpartition(".")[2] in TYPES:
            found[prefix + item.name] = item
    return found
