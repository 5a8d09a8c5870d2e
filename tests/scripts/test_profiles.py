"""scripts/profiles.py: each profile takes effect, and a failing test is a failing run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).parents[2] / "scripts" / "profiles.py"


def profiles(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(SCRIPT), *arguments]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def test_every_profile_takes_effect() -> None:
    """The script ends with an error if a setting has none."""
    done = profiles("--list", "--", "-q")
    assert done.returncode == 0, done.stderr
    for name in ("host", "v2", "v3", "v4", "elsewhere"):
        assert f"{name}: " in done.stdout
    assert " TZ=Pacific/Kiritimati " in done.stdout


def test_a_failed_test_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "test_two.py"
    path.write_text(
        "import os\ndef test_good(): assert os.environ['COLUMNS'] == '40'\ndef test_bad(): assert 0\n"
    )
    done = profiles("--only", "elsewhere", "--", "-q", "-p", "no:cacheprovider", str(path))
    assert done.returncode == 1
    assert done.stdout.splitlines()[-1].split()[:3] == ["elsewhere", "1", "1"]


def test_an_unknown_profile() -> None:
    done = profiles("--only", "v5")
    assert done.returncode == 2
    assert "valid: host, v2, v3, v4, elsewhere" in done.stderr
