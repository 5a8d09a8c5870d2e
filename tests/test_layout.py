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
    links = {x.removeprefix("../") for x in re.findall(r"\]\((.+?)\)", page)}
    named = links | {x.split("/")[0] for x in links} | {"docs"}
    assert folders() - named == set()


def test_contributing_has_the_layers_in_their_order() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    block = text.partition("## The layout")[2].split("```")[1]
    shown = [line[:32].split() for line in block.strip().splitlines()]  # names, then what they are
    packages = {p.name for p in (ROOT / "src" / "equamo").iterdir() if (p / "__init__.py").exists()}
    expected = [[x for x in layer if x in packages] for layer in LAYERS]
    assert [[x for x in y if x in packages] for y in shown if set(y) & packages] == [
        x for x in expected if x
    ]


@pytest.mark.parametrize("folder", ["src/equamo/algebra/expr/printing", "checker", "requirements"])
def test_folders_at_every_level_are_looked_for(folder: str) -> None:
    assert folder in folders()
