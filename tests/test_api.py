"""tests/api.txt holds every public signature, and the changelog tells of every change of it."""

from __future__ import annotations

import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from public_api import FILE, api

ROOT = Path(__file__).parents[1]
COMMAND = "python tests/public_api.py"


def test_the_file_is_up_to_date() -> None:
    stored = FILE.read_text(encoding="utf-8").splitlines()
    now = api().splitlines()
    changed = [f"- {x}" for x in stored if x not in now] + [
        f"+ {x}" for x in now if x not in stored
    ]
    message = f"Public names changed; write them with `{COMMAND}`, and a line in CHANGELOG.md:\n"
    assert stored == now, message + "\n".join(changed)


def unreleased(changelog: str) -> str:
    """What the changelog says of the next version."""
    return changelog.partition("## [Unreleased]")[2].partition("\n## [")[0].strip()


def undocumented(before: tuple[str, str], now: tuple[str, str]) -> bool:
    """Whether (signatures, changelog) changed in the signatures alone."""
    return before[0] != now[0] and unreleased(before[1]) == unreleased(now[1])


def _git(*arguments: str) -> str | None:
    try:
        run = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True)
    except FileNotFoundError:
        return None
    return run.stdout if run.returncode == 0 else None


def test_a_change_has_a_line_in_the_changelog() -> None:
    """Against the last commit, and of that against the one before; without git there is no before."""

    def at(commit: str) -> tuple[str, str] | None:
        names = _git("show", f"{commit}:tests/api.txt"), _git("show", f"{commit}:CHANGELOG.md")
        return None if names[0] is None or names[1] is None else (names[0], names[1])

    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    states = [at("HEAD~1"), at("HEAD"), (FILE.read_text(encoding="utf-8"), changelog)]
    for before, now in pairwise(states):
        if before is not None and now is not None:
            assert not undocumented(before, now), "tests/api.txt changed, [Unreleased] did not."


@pytest.mark.parametrize(
    ("api_now", "changelog_now", "expected"),
    [
        ("f(x)", "## [Unreleased]\n- a\n## [0.1]\n- b", False),
        ("f(y)", "## [Unreleased]\n- a\n## [0.1]\n- b", True),
        ("f(y)", "## [Unreleased]\n- a\n- f\n## [0.1]\n- b", False),
        ("f(y)", "## [Unreleased]\n- a\n## [0.1]\n- b\n- f", True),  # not in an old version
    ],
)
def test_changes_without_a_line_are_found(api_now: str, changelog_now: str, expected: bool) -> None:
    before = ("f(x)", "## [Unreleased]\n- a\n## [0.1]\n- b")
    assert undocumented(before, (api_now, changelog_now)) is expected
