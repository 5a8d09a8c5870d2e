"""Pictures of the page and of the studio for docs/pictures, taken in a headless Chromium.

python scripts/screenshots.py [folder [name …]]

Robots with meshes come from example-robot-data, which the tests install; their pictures are in the
repository, their meshes are not.
"""

from __future__ import annotations

import json
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

# The studio: name, robot, scheme, width, height, what is done in it first, what it waits for then
CLAIMS = (
    "M[1,1] = I1 + I2 + m1*Lc1^2 + m2*(L1^2 + Lc2^2 + 2*L1*Lc2*cos(q2))",
    r"M_{22} = I_2 + m_2 L_{c2}^2",
    "M[1,2] = I2 + m2*(Lc2^2 + L1*Lc2*sin(q2))",
)
STUDIO = (
    (
        "studio-krang",
        "krang",
        "light",
        1560,
        1000,
        """equamo.equations.open("M", 4, 6); equamo.state.light(6);
        const { q, v } = equamo.state, turn = [0.1, -0.3, 0.4, 1.1, -0.7];
        equamo.state.set(q.map((x, k) => x + turn[k % 5]), v)""",
        "true",
    ),
    (
        "studio-check",
        "rr_arm",
        "dark",
        1480,
        860,
        f"""document.getElementById("tab-check").click(); equamo.state.set([0.5, 0.9], [0, 0]);
        document.getElementById("claims").value = {json.dumps(chr(10).join(CLAIMS))};
        document.getElementById("check-claims").click()""",
        "document.querySelectorAll('.claim').length === 3",
    ),
    (
        "studio-motion",
        "three_link_arm",
        "light",
        1480,
        900,
        """document.getElementById("tab-motion").click(); document.getElementById("tab-bodies").click();
        document.querySelectorAll(".body-form summary")[1].click();
        document.getElementById("simulate").click()""",
        "equamo.motion.last",
    ),
    (
        "studio-narrow",
        "rr_arm",
        "light",
        400,
        820,
        """document.querySelectorAll("#panels button")[2].click(); equamo.equations.open("M", 0, 0)""",
        "true",
    ),
)
PATIENCE = 120.0  # [s]


def main(folder: Path, *names: str) -> None:
    """Write all pictures, or those that are named."""
    sys.path.insert(0, str(ROOT / "tests"))
    folder.mkdir(parents=True, exist_ok=True)
    page_pictures(folder, *names)
    studio_pictures(folder, *names)


def page_pictures(folder: Path, *names: str) -> None:
    """Write the pictures of the page."""
    from chromium import browser
    from equamo.publish.page.report import report
    from equamo.robot.catalog import load
    from peer_urdf import file

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


def studio_pictures(folder: Path, *names: str) -> None:
    """Write the pictures of the studio, with a server for each."""
    from studio_pages import open_studio

    with TemporaryDirectory() as scratch:
        for name, robot, scheme, width, height, script, condition in STUDIO:
            studio = open_studio(robot, Path(scratch), width=width, height=height)
            studio.page.scheme(scheme)
            studio.page.evaluate(f"(() => {{ {script} }})()")
            studio.page.wait_for(f"Boolean({condition}) && !equamo.session.task", PATIENCE)
            studio.page.evaluate("document.getElementById('state').textContent = ''")  # times
            studio.page.browser.events(1.0)
            print(studio.page.screenshot(folder / f"{name}.png"))
            studio.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures", *sys.argv[2:])
