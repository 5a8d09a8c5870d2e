"""`traj.show()`: open the page of a motion in a browser."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from pathlib import Path

from ...motion.simulation.trajectory import Trajectory
from .report import report


def show(trajectory: Trajectory) -> Path:
    """Write the page of a motion to a temporary file and open it; without a display, print its path."""
    folder = Path(tempfile.mkdtemp(prefix="equamo-"))
    path = report(trajectory.eom, folder / "motion.html", trajectory=trajectory, time=False)
    if not open_page(path):
        print(f"page of this motion: {path}")
    return path


def open_page(path: Path) -> bool:
    """Open a page in the browser; False without a display."""
    return has_display() and webbrowser.open(path.absolute().as_uri())


def has_display() -> bool:
    """Whether a browser window can be shown."""
    if os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
