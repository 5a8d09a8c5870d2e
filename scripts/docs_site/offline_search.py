"""Search the built site in a browser, opened as files: no server and no network."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from .repository_links import ROOT

# What a reader types, and a page that must be among the results.
QUESTIONS: Final = {
    "simulate": "reference/motion.html",
    "Christoffel": "formulations/coriolis.html",
    "base parameters": "regressor.html",
    "URDF": "load_a_file.html",
    "teaching": "teaching.html",
}


def wrong_results(site: Path) -> Iterator[str] | None:
    """Terms that the search does not find, and network requests of its page; None without Chromium."""
    sys.path.append(str(ROOT / "tests"))
    from shutil import which

    from chromium import NAMES, browser  # pyright: ignore[reportMissingImports]

    return _search(site, browser()) if any(which(x) for x in NAMES) else None


def _search(site: Path, browser: Any) -> Iterator[str]:
    page = browser.open("about:blank")
    for text, wanted in QUESTIONS.items():
        page.go(f"{(site / 'search.html').as_uri()}?q={text.replace(' ', '+')}")
        page.wait_for("document.querySelectorAll('#search-results li a').length")
        page.browser.events(1.0)  # results appear one after the other
        links = page.evaluate(
            "[...document.querySelectorAll('#search-results li a')].map(a => a.href)"
        )
        if not any(wanted in x for x in links):
            yield f"search for {text!r}: {wanted} is not among {len(links)} results"
    yield from (f"search.html: {x}" for x in page.messages)
    yield from (f"search.html asks for {x}" for x in page.requests if not x.startswith("file:"))
    page.close()
