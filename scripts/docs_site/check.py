"""Check a built site: all links work, and nothing is loaded from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

LOADED: Final = {
    ("script", "src"),
    ("link", "href"),
    ("img", "src"),
    ("iframe", "src"),
    ("source", "src"),
}


@dataclass
class Found:
    """Links of a page, what it loads, and what a link may name in it."""

    links: list[str] = field(default_factory=list[str])
    loaded: list[str] = field(default_factory=list[str])
    anchors: set[str] = field(default_factory=set[str])


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.found = Found()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is None:
                continue
            if name in ("id", "name"):
                self.found.anchors.add(value)
            if (tag, name) in LOADED:
                self.found.loaded.append(value)
            elif tag == "a" and name == "href":
                self.found.links.append(value)


def read(text: str) -> Found:
    """Links and anchors of a page.

    >>> read('<a href="b.html#c" id="d">').links
    ['b.html#c']
    """
    reader = _Reader()
    reader.feed(text)
    return reader.found


def wrong(site: Path) -> Iterator[str]:
    """What is wrong with a site, one line each."""
    pages = {x.resolve(): read(x.read_text(encoding="utf-8")) for x in sorted(site.rglob("*.html"))}
    for page, found in pages.items():
        here = page.relative_to(site.resolve()).as_posix()
        for target in (*found.links, *found.loaded):
            parts = urlsplit(target)
            if parts.scheme in ("http", "https", "mailto") or target.startswith("//"):
                if target in found.loaded:
                    yield f"{here}: loads {target}"
                continue
            if parts.scheme:  # data:, about:, javascript:
                continue
            file = (page.parent / unquote(parts.path)).resolve() if parts.path else page
            if not file.is_file():
                yield f"{here}: {target} does not exist"
            elif parts.fragment and file in pages:
                anchors = pages[file].anchors
                if unquote(parts.fragment) not in anchors and parts.fragment not in anchors:
                    yield f"{here}: {target} has no such place"
    for style in sorted(site.rglob("*.css")):
        text = style.read_text(encoding="utf-8")
        if re.search(r"url\(\s*['\"]?(?:https?:)?//|@import", text):
            yield f"{style.relative_to(site).as_posix()}: loads from elsewhere"
