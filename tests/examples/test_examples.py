"""Every example runs as it stands; every second one in `make test`."""

import subprocess
import sys
from pathlib import Path

import pytest

from conftest import WHOLE_SWEEPS

pytestmark = pytest.mark.ci

EXAMPLES = sorted((Path(__file__).parents[2] / "examples").glob("*.py"))


SAMPLE = EXAMPLES if WHOLE_SWEEPS else EXAMPLES[::2]


@pytest.mark.needs("scipy", cases="balance_krang")
@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
def test_example_runs_and_prints(path: Path, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-W", "error", str(path)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()


def test_there_are_examples() -> None:
    assert EXAMPLES
