"""A release is tagged with its version, and has a section in the changelog."""

import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.ci

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_tag.py"
VERSION = '"""The version."""\n\n__version__ = "0.2.0"\n'
CHANGES = "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-11-16\n"


@pytest.mark.parametrize(
    ("tag", "version", "changes", "expected"),
    [
        ("v0.2.0", VERSION, CHANGES, ""),
        ("0.2.0", VERSION, CHANGES, "the tag of version 0.2.0 must be v0.2.0, got 0.2.0"),
        ("", VERSION, CHANGES, "the tag of version 0.2.0 must be v0.2.0, got none"),
        ("v0.2.0", VERSION, "## [0.1.0] - 2026-11-15", "CHANGELOG.md must have a line ## [0.2.0]"),
        ("v0.2.0", "", CHANGES, "_version.py must have a line"),
    ],
)
def test_tag(tag: str, version: str, changes: str, expected: str) -> None:
    found = runpy.run_path(str(SCRIPT))["complaint"](tag, version, changes)
    assert expected in found
    assert bool(expected) == bool(found)
