"""What the sdist and the wheel hold: everything of the package, and nothing else."""

from __future__ import annotations

import tarfile
import zipfile
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
PACKAGE: Final = ROOT / "src" / "equamo"
MEGABYTES: Final = 8.0  # most that an archive may have
FOREIGN: Final = (".whl", ".so", ".pyd", ".dll", ".pyc", ".min.js")  # compiled, or of third parties
OUTPUTS: Final = ("build/", "dist/", ".venv", "node_modules/", ".hypothesis/", "__pycache__/")


def wrong_wheel(wheel: Path) -> list[str]:
    """Complaints about a wheel: it must have each file of src/equamo, its licence, and no more."""
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    expected = {
        path.relative_to(PACKAGE.parent).as_posix()
        for path in PACKAGE.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    (info,) = {name.split("/")[0] for name in names if ".dist-info/" in name}
    own = {f"{info}/{name}" for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt")}
    own.add(f"{info}/licenses/LICENSE")
    wrong = [f"missing: {name}" for name in sorted((expected | own) - names)]
    wrong += [f"must not be there: {name}" for name in sorted(names - expected - own)]
    wrong += [f"missing: {name}" for name in ("equamo/py.typed",) if name not in names]
    return wrong + _foreign(names) + _size(wheel)


def wrong_sdist(sdist: Path) -> list[str]:
    """Complaints about an sdist: it must build the wheel, and have no outputs."""
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    needed = ("pyproject.toml", "README.md", "LICENSE", "PKG-INFO", "src/equamo/py.typed")
    wrong = [f"missing: {name}" for name in needed if name not in names]
    outputs = [n for n in names if any(f"/{n}/".find(f"/{x}") >= 0 for x in OUTPUTS)]
    wrong += [f"must not be there: {name}" for name in sorted(outputs)]
    return wrong + _foreign(names) + _size(sdist)


def _foreign(names: set[str]) -> list[str]:
    return [f"must not be there: {name}" for name in sorted(names) if name.endswith(FOREIGN)]


def _size(path: Path) -> list[str]:
    size = path.stat().st_size / 1e6
    return [f"{path.name} must have at most {MEGABYTES} MB, got {size:.1f}"] * (size > MEGABYTES)
