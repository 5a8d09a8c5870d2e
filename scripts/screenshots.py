"""Pictures of the page and of the studio for docs/pictures, taken in a headless Chromium.

python scripts/screenshots.py [folder]
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from equamo.catalog import load
from equamo.page.report import report

ROOT = Path(__file__).parents[1]

# name, robot, scheme, width, height, what is done in the page first
PICTURES = (
    (
        "page-krang",
        "krang",
        "light",
        1480,
        1080,
        """document.querySelector("[data-option=axes]").click();
        equamo.player.seek(1.1); equamo.equations.open("M", 4, 6); equamo.state.light(6)""",
    ),
    (
        "page-entry",
        "three_link_arm",
        "dark",
        1480,
        860,
        """equamo.player.seek(0.9); equamo.equations.open("M", 0, 0);
        equamo.state.light(2)""",
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


def main(folder: Path) -> None:
    """Write all pictures."""
    sys.path.insert(0, str(ROOT / "tests"))
    folder.mkdir(parents=True, exist_ok=True)
    page_pictures(folder)
    studio_pictures(folder)


def page_pictures(folder: Path) -> None:
    """Write the pictures of the page."""
    from chromium import browser

    with TemporaryDirectory() as scratch:
        for name, robot, scheme, width, height, script in PICTURES:
            path = report(load(robot), Path(scratch) / f"{robot}.html")
            page = browser().open(path, width, height)
            page.scheme(scheme)
            page.wait_for("window.equamo")
            page.evaluate(f"(() => {{ {script} }})()")
            page.browser.events(1.0)
            print(page.screenshot(folder / f"{name}.png"))
            page.close()


def studio_pictures(folder: Path) -> None:
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
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures")
