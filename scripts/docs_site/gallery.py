"""Gallery: a picture, a live page and a paper of every built-in robot."""

from __future__ import annotations

import hashlib
import shutil
from html import escape
from pathlib import Path
from typing import Final

import matplotlib

matplotlib.use("Agg")

import equamo as eq
from equamo.robot.library.registry import robots

from .repository_links import ROOT

KEPT: Final = ROOT / "build" / "gallery"
LOOPED: Final = 6  # most joint speeds of a robot with loops that gets a paper
_HEAD: Final = """# Gallery

Every built-in robot: `eq.load("{first}")` is the first. *Live page* is what `eq.report(robot)` writes:
the robot in motion, its equations, and numbers that follow the sliders. *Paper* is what
`eq.paper(robot)` writes: the derivation by Lagrange's method, each line proved. Both were made when this
site was built; the paper of a parallel robot with many joints takes minutes, and is left out here. A
robot of your own gets the same: [how to add a robot](/guide/add_a_robot.md).
"""


def _version() -> str:
    """Changes with any file of the package."""
    found = hashlib.sha256()
    for file in sorted((ROOT / "src" / "equamo").rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            found.update(file.read_bytes())
    return found.hexdigest()[:16]


def make(name: str, folder: Path) -> None:
    """Write the picture, the page and the paper of one robot."""
    from matplotlib import pyplot

    robot = eq.load(name)
    axes = eq.view(robot, save=folder / f"{name}.svg")
    pyplot.close(axes.figure)  # pyright: ignore[reportArgumentType]
    if _has_paper(robot):
        eq.paper(robot, folder / f"{name}_paper.html")
    eq.report(robot, folder / f"{name}.html")


def _has_paper(robot: eq.Robot) -> bool:
    """Whether the paper takes seconds: not with many speeds in closed loops."""
    return not robot.loops or len(robot.joint_speeds) <= LOOPED


def write_gallery(sources: Path, extra: Path) -> None:
    """Write the page of the gallery into `sources` and its files into `extra`/gallery.

    Files that were made from the same version of the package are used again.
    """
    kept = KEPT / _version()
    if not kept.is_dir():
        shutil.rmtree(KEPT, ignore_errors=True)
        kept.mkdir(parents=True)
    cards: list[str] = []
    entries = robots()
    for entry in entries:
        name = entry.name
        if not (kept / f"{name}.html").is_file():
            print(f"gallery: {name}", flush=True)
            make(name, kept)
        written = (kept / f"{name}_paper.html").is_file()
        paper = f'<a href="gallery/{name}_paper.html">paper</a>' if written else ""
        cards.append(
            f'<figure><a href="gallery/{name}.html"><img src="gallery/{name}.svg" alt="{name}" '
            f'loading="lazy"></a><figcaption><b>{name}</b>{escape(entry.description)}'
            f'<br>{entry.degrees_of_freedom} degrees of freedom<br><span class="links">'
            f'<a href="gallery/{name}.html">live page</a>{paper}</span></figcaption></figure>'
        )
    head = _HEAD.format(first=entries[0].name)
    body = '```{raw} html\n<div class="gallery">\n' + "\n".join(cards) + "\n</div>\n```\n"
    (sources / "gallery.md").write_text(f"{head}\n{body}", encoding="utf-8")
    shutil.copytree(kept, extra / "gallery", dirs_exist_ok=True)
