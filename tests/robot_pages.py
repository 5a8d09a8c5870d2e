"""Pages of robots for tests, each written once in a run, and opened in the one browser."""

from __future__ import annotations

from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import equamo as eq
from chromium import Page, browser
from conftest import WHOLE_SWEEPS
from equamo.publish.page.report import report
from equamo.robot.catalog import robots
from peer_urdf import file

SAMPLED = ("krang", "rr_arm", "starleth", "wheeled_inverted_pendulum")
FILES = {
    "panda": "panda_description/urdf/panda.urdf",
    "g1": "g1_description/urdf/g1_29dof_rev_1_0.urdf",
}
ROBOTS = (*(r.name for r in robots()), *FILES) if WHOLE_SWEEPS else SAMPLED

_FOLDER = TemporaryDirectory(prefix="equamo-pages-")


@cache
def equations(name: str) -> eq.EquationsOfMotion:
    return eq.derive(eq.load(file(FILES[name]) if name in FILES else name))


@cache
def written(name: str) -> Path:
    """The page of a robot; calls are not timed, and only small robots are proved."""
    small = len(equations(name).v) <= 3
    return report(equations(name), Path(_FOLDER.name) / f"{name}.html", time=False, prove=small)


@contextmanager
def opened(place: str | Path, width: int = 1200, height: int = 800, before: str = ""):
    """A page that has started; `before` is a script that runs ahead of the page's own."""
    path = written(place) if isinstance(place, str) else place
    page: Page = browser().open("about:blank", width, height)
    try:
        if before:
            page.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        page.go(path.resolve().as_uri())
        page.wait_for("window.equamo")
        yield page
    finally:
        page.close()
