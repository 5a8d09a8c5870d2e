"""sdist and wheel are complete: they work in an empty environment outside the checkout."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[1]


def run(*command: str | Path, cwd: Path) -> str:
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=clean, capture_output=True, text=True
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def test_wheel_works_in_an_empty_environment(tmp_path: Path) -> None:
    assert ROOT not in tmp_path.parents
    dist = tmp_path / "dist"
    # The wheel is built from the sdist, so both are tested.
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, ROOT, cwd=tmp_path)
    (sdist,) = dist.glob("*.tar.gz")
    (wheel,) = dist.glob("*.whl")
    assert sdist.name.removesuffix(".tar.gz") == wheel.name.split("-py3")[0]
    assert "equamo/py.typed" in zipfile.ZipFile(wheel).namelist()

    home = tmp_path / "empty"
    venv.create(home)
    lock = ROOT / "requirements" / "run.txt"
    # With the pip that is here, and without bytecode of everything: only what runs is compiled.
    pip = (sys.executable, "-m", "pip", "--python", home / "bin/python", "install", "-q")
    run(*pip, "--no-compile", "-c", lock, wheel, cwd=tmp_path)

    where = run(home / "bin/python", "-c", "import equamo; print(equamo.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(home)
    assert "all required packages are installed" in run(home / "bin/equamo", "doctor", cwd=tmp_path)
    assert "proved" in run(home / "bin/equamo", "demo", cwd=tmp_path)
