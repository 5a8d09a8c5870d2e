"""Every example for a framework runs as it stands."""

import subprocess
import sys
from pathlib import Path

import pytest

from bridge_robots import FILES, robot_file

EXAMPLES = sorted((Path(__file__).parents[3] / "examples" / "bridges").glob("*.py"))
PANDA = robot_file(FILES["panda"][0])


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example_runs_and_prints(path: Path, tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, str(path), str(PANDA)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.strip()
    assert not run.stderr.strip()


def test_there_are_examples() -> None:
    assert EXAMPLES
