"""Runs of pytest with the plugins of `conftest.py`, on test files made for them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
PLUGINS = ("conftest.py", "core_only.py", "platform_needs.py", "ptxas.py", "raise_sites.py")


def inner_pytest(
    folder: Path, files: Mapping[str, str], *options: str, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run pytest in a folder with these files, some of them in tests/."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    shutil.copy(ROOT / "pyproject.toml", folder)
    for name in PLUGINS:
        shutil.copy(ROOT / "tests" / name, folder / "tests")
    # A worker of the outer run must not be taken for one of the inner run.
    outer = ("PYTEST_", "CI", "EQUAMO_")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(outer)}
    return subprocess.run(
        [sys.executable, "-m", "pytest", *options],
        cwd=folder,
        env={**clean, **environment},
        capture_output=True,
        encoding="utf-8",
    )
