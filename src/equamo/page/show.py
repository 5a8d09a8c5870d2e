"""`traj.show()`: the page of a motion in a browser, where there is one."""

from __future__ import annotations

import os
import sys
import tempfile
import webbrowser
from pathlib import Path

from ..motion.trajectory import Trajectory
from .report import report


def show(trajectory: Trajectory) -> Path:
    """Write the page of a motion to a temporary file and open it; without a display, say where it is."""
    folder = Path(tempfile.mkdtemp(prefix="equamo-"))
    path = report(trajectory.eom, folder / "motion.html", trajectory=trajectory, time=False)
    if not open_page(path):
        print(f"the page of this motion: {path}")
    return path


def open_page(path: Path) -> bool:
    """Open a page in the browser; False where there is no display."""
    return has_display() and webbrowser.open(path.absolute().as_uri())


def has_display() -> bool:
    """Whether a browser would have somewhere to appear."""
    if os.environ.get("CI"):
        return False
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
