"""Whether a tag is the one of this version: python scripts/check_tag.py v0.2.0

A release has the tag v and the version of src/equamo/_version.py, and a section in CHANGELOG.md.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def complaint(tag: str, version_file: str, changelog: str) -> str:
    """What is wrong with a tag, as one line; empty if nothing is."""
    found = re.search(r'^__version__ = "(.+)"$', version_file, re.MULTILINE)
    if found is None:
        return 'src/equamo/_version.py must have a line __version__ = "…"'
    version = found[1]
    if tag != f"v{version}":
        return f"the tag of version {version} must be v{version}, got {tag or 'none'}"
    if not re.search(
        rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changelog, re.MULTILINE
    ):
        return f"CHANGELOG.md must have a line ## [{version}] - and the date"
    return ""


if __name__ == "__main__":
    files = ("src/equamo/_version.py", "CHANGELOG.md")
    sys.exit(complaint(sys.argv[1], *((ROOT / x).read_text(encoding="utf-8") for x in files)) or 0)
