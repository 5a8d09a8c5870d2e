"""Packages that an installation of equamo needs, and why, from the metadata of an environment.

python scripts/sbom/closure.py        prints JSON; for the interpreter of the environment itself
"""

from __future__ import annotations

import json
import tomllib
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parents[2]


def needed(lines: list[str], reason: str, found: dict[str, list[str]], absent: set[str]) -> None:
    """Add the packages of some requirements, and those that they need, each with its reasons."""
    for line in lines:
        requirement = Requirement(line)
        name = canonicalize_name(requirement.name)
        if name == "equamo" or not _applies(requirement, set()):
            continue
        try:
            metadata = distribution(name)
        except PackageNotFoundError:
            absent.add(f"{name} ({reason})")
            continue
        reasons = found.setdefault(name, [])
        if reason in reasons:
            continue
        reasons.append(reason)  # a package that is needed again may be needed with an extra
        wanted = [
            x for x in metadata.requires or () if _applies(Requirement(x), requirement.extras)
        ]
        needed([x.partition(";")[0] for x in wanted], name, found, absent)


def _applies(requirement: Requirement, extras: set[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": x}) for x in ("", *extras))


def closures() -> dict[str, Any]:
    """{"core": {package: reasons}, "extras": the same with all extras, "absent": not installed}."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    core: dict[str, list[str]] = {}
    absent: set[str] = set()
    needed(project["dependencies"], "equamo", core, absent)
    extras = {name: list(reasons) for name, reasons in core.items()}
    for extra, lines in project["optional-dependencies"].items():
        needed(lines, f"equamo[{extra}]", extras, absent)
    return {"core": core, "extras": extras, "absent": sorted(absent)}


if __name__ == "__main__":
    print(json.dumps(closures()))
