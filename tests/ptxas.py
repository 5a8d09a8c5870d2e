"""NVIDIA's assembler for the tests: from the wheel nvidia-cuda-nvcc, or from the path."""

from __future__ import annotations

import shutil
import sysconfig
from functools import cache
from pathlib import Path


@cache
def ptxas() -> Path | None:
    """The assembler; None if there is none, and tests with the marker `ptxas` are deselected."""
    packages = Path(sysconfig.get_path("purelib")) / "nvidia"
    found = sorted(packages.glob("*/bin/ptxas")) if packages.is_dir() else []
    if found:
        return found[-1]
    on_path = shutil.which("ptxas")
    return None if on_path is None else Path(on_path)
