"""`make sbom`: the packages that are needed, and the policy on licences."""

from __future__ import annotations

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.ci

ROOT = Path(__file__).parents[2]
sys.path.append(str(ROOT / "scripts"))

from sbom.closure import closures, needed  # noqa: E402
from sbom.licences import is_compatible, licence  # noqa: E402


def test_the_core_is_small_and_has_reasons() -> None:
    found = closures()
    direct = {name for name, reasons in found["core"].items() if "equamo" in reasons}
    assert direct == {"llvmlite", "mpmath", "numpy", "python-flint", "rich", "typer"}
    assert not {"scipy", "matplotlib", "sympy"} & set(found["core"])
    assert set(found["core"]) <= set(found["extras"])


@pytest.mark.needs("matplotlib")
def test_extras_have_reasons() -> None:
    import matplotlib  # noqa: F401  # by this `make test-core` sees what the test needs

    found = closures()
    assert "equamo[draw]" in found["extras"]["matplotlib"]
    assert "pytest" not in found["extras"], "python-control needs it for its own tests only"


def test_what_is_not_installed_is_listed() -> None:
    found: dict[str, list[str]] = {}
    absent: set[str] = set()
    lines = ["no-such-package>=1", "mpmath; sys_platform == 'none'", "rich"]
    needed(lines, "equamo[x]", found, absent)
    assert absent == {"no-such-package (equamo[x])"}
    assert "mpmath" not in found
    assert found["pygments"] == ["rich"]


def test_a_package_that_is_needed_again_with_an_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    requires = {
        "one": ["three"],
        "two": ["three[more]"],
        "three": ["four", "five; extra == 'more'", "one"],
        "four": [],
        "five": [],
    }
    metadata = {name: SimpleNamespace(requires=lines) for name, lines in requires.items()}
    monkeypatch.setattr("sbom.closure.distribution", metadata.__getitem__)
    found: dict[str, list[str]] = {}
    needed(["one", "two"], "equamo", found, set())
    assert found == {
        "one": ["equamo", "three"],
        "two": ["equamo"],
        "three": ["one", "two"],
        "four": ["three"],
        "five": ["three"],
    }


@pytest.mark.parametrize(
    ("expression", "compatible"),
    [
        ("MIT", True),
        ("BSD-2-Clause AND Apache-2.0 WITH LLVM-exception", True),
        ("MIT AND LGPL-3.0-or-later", True),
        ("GPL-3.0-only OR MIT", True),
        ("GPL-2.0-or-later", False),
        ("MIT AND AGPL-3.0-only", False),
        ("AGPL-3.0-only AND (MIT OR ISC)", False),
        ("(MIT OR GPL-3.0-only) AND (ISC AND (BSD OR AGPL-3.0-only))", True),
        ("(MIT", False),
        ("LicenseRef-Proprietary", False),
        ("", False),
    ],
)
def test_policy(expression: str, compatible: bool) -> None:
    assert is_compatible(expression) is compatible


def test_a_licence_is_read_from_what_a_package_states() -> None:
    classifier = {"license": {"name": "License :: OSI Approved :: BSD License"}}
    assert licence("x", {"licenses": [{"expression": "MIT OR ISC"}]}) == "MIT OR ISC"
    assert licence("x", {"licenses": [{"license": {"id": "ISC"}}]}) == "ISC"
    assert licence("x", {"licenses": [classifier]}) == "BSD"
    assert licence("casadi", {"licenses": [{"license": {"name": "?"}}]}) == "LGPL-3.0-or-later"
    assert licence("x", {}) == ""
