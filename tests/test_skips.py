"""Under CI a skipped test is a failure, with and without workers."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

FILES = {
    "tests/test_one.py": "import pytest\ndef test_skipped(): pytest.skip()\ndef test_good(): pass",
    "tests/test_file.py": "import pytest\npytest.importorskip('no_such_module')",
    "tests/test_xfail.py": "import pytest\n@pytest.mark.xfail\ndef test_bad(): assert False",
    "src/one.py": '"""\n>>> 1 / 0  # doctest: +SKIP\n"""',
}


@pytest.mark.parametrize("workers", ["0", "2"])
@pytest.mark.parametrize("ci", ["", "true"])
def test_a_skip_fails_under_ci(ci: str, workers: str, tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name in ("conftest.py", "core_only.py", "platform_needs.py", "ptxas.py", "raise_sites.py"):
        shutil.copy(ROOT / "tests" / name, tmp_path / "tests")
    # A worker of the outer run must not be taken for one of the inner run.
    outer = ("PYTEST_", "CI", "EQUAMO_")
    clean = {k: v for k, v in os.environ.items() if not k.startswith(outer)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-n", workers, "--continue-on-collection-errors"],
        cwd=tmp_path,
        env={**clean, "CI": ci},
        capture_output=True,
        text=True,
    )
    summary = done.stdout.splitlines()[-1]
    expected = "2 failed, 1 passed, 1 xfailed, 1 error" if ci else "1 passed, 3 skipped, 1 xfailed"
    assert expected in summary, done.stdout
    assert done.returncode == (1 if ci else 0)
