"""Pictures of the page for docs/pictures, taken in a headless Chromium.

python scripts/screenshots.py [folder]
"""

from __future__ import annotations

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


def main(folder: Path) -> None:
    """Write all pictures."""
    sys.path.insert(0, str(ROOT / "tests"))
    from chromium import browser

    folder.mkdir(parents=True, exist_ok=True)
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


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pictures")
