"""Pictures of the page for docs/pictures, taken in a headless Chromium.

python scripts/screenshots.py [folder [name …]]

Robots with meshes come from example-robot-data, which the tests install; their pictures are in the
repository, their meshes are not.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Picture:
    """A robot, the window, and what is done in the page before the picture is taken."""

    name: str
    robot: str  # built in, or the end of a path in example-robot-data
    script: str
    scheme: str = "light"
    width: int = 1480
    height: int = 1080
    free: bool = False  # base of a URDF file


PICTURES = (
    Picture(
        "page-panda",
        "panda_description/urdf/panda.urdf",
        """document.querySelector("[data-option=axes]").click();
        equamo.player.seek(1.1); equamo.equations.open("M", 1, 3); equamo.state.light(4)""",
    ),
    Picture(
        "page-g1",
        "g1_description/urdf/g1_29dof_rev_1_0.urdf",
        "equamo.player.seek(0.8)",
        scheme="dark",
        height=900,
        free=True,
    ),
    Picture(
        "page-quadrotor",
        "hector_description/robots/quadrotor_base.urdf",
        "equamo.equations.open('b', 3, 0)",
        height=760,
        free=True,
    ),
    Picture(
        "page-phone",
        "anymal_b_simple_description/robots/anymal.urdf",
        "equamo.player.seek(1)",
        width=400,
        height=860,
        free=True,
    ),
    Picture(
        "page-krang",
        "krang",
        """document.querySelector("[data-option=axes]").click();
        equamo.player.seek(1.1); equamo.equations.open("M", 4, 6); equamo.state.light(6)""",
    ),
    Picture(
        "page-entry",
        "three_link_arm",
        """equamo.player.seek(0.9); equamo.equations.open("M", 0, 0);
        equamo.state.light(2)""",
        scheme="dark",
        height=860,
    ),
)


def main(folder: Path, *names: str) -> None:
    """Write all pictures, or those that are named."""
    sys.path.insert(0, str(ROOT / "tests"))
    from chromium import browser
    from equamo.catalog import load
    from equamo.page.report import report
    from peer_urdf import file

    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as scratch:
        for x in PICTURES:
            if names and x.name not in names:
                continue
            options: dict[str, Any] = {"base": "free"} if x.free else {}
            robot = load(file(x.robot) if x.robot.endswith(".urdf") else x.robot, **options)
            path = report(robot, Path(scratch) / f"{x.name}.html")
            page = browser().open(path, x.width, x.height)
            page.scheme(x.scheme)
            page.wait_for("window.equamo")
            page.evaluate(f"(() => {{ {x.script} }})()")
            page.browser.events(1.0)
            print(page.screenshot(folder / f"{x.name}.png"))
            page.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures", *sys.argv[2:])
