"""docs/project/layout.md and CONTRIBUTING.md name every folder, in the order of the layers."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from test_layers import LAYERS

ROOT = Path(__file__).parents[1]


def folders() -> set[str]:
    """Folders of the package, and those beside it, as git knows them; without git those on disk."""
    try:
        listed = subprocess.run(
            ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.splitlines()
    except (FileNotFoundError, subprocess.CalledProcessError):
        listed = [p.relative_to(ROOT).as_posix() for p in (ROOT / "src").rglob("*.py")]
        listed += [f"{p.parent.name}/{p.name}" for p in ROOT.glob("[a-z]*/*") if p.is_file()]
    package = {Path(x).parent.as_posix() for x in listed if x.startswith("src/equamo/")}
    beside = {x.split("/")[0] for x in listed if "/" in x}
    return (package | beside) - {"src", "src/equamo", "build", "dist"}


def test_the_layout_page_names_every_folder() -> None:
    page = (ROOT / "docs" / "project" / "layout.md").read_text("utf-8")
    links = {x.removeprefix("../../") for x in re.findall(r"\]\((.+?)\)", page)}
    named = links | {x.split("/")[0] for x in links} | {"docs"}
    assert folders() - named == set()


def test_contributing_has_the_layers_in_their_order() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    block = text.partition("## The layout")[2].split("```")[1]
    shown: list[tuple[str, ...]] = []
    wing = ""
    for line in block.strip().splitlines():
        head, names = line[:12].strip(), re.split(r" {3,}", line[12:].strip())[0].split()
        wing = head or wing
        inside = tuple(f"{wing[:-1]}.{x}" for x in names)
        shown.append(inside if wing.endswith("/") else (wing,))
    assert shown == [x for x in LAYERS if x != ("_version",)]


@pytest.mark.parametrize("folder", ["src/equamo/algebra/expr/printing", "checker", "requirements"])
def test_folders_at_every_level_are_looked_for(folder: str) -> None:
    assert folder in folders()
