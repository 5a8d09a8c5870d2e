"""An empty environment: made, filled with a wheel and its dependencies, measured and used."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
from pathlib import Path


def run(*command: str | Path, cwd: Path) -> str:
    """Output of a command that does not see the environment of this process; an error if it fails."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=clean, capture_output=True, text=True
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))}\n{done.stdout}\n{done.stderr}")
    return done.stdout


def install(home: Path, wheel: Path, constraints: Path) -> None:
    """Make an environment and install a wheel there, with the versions of a lock file."""
    venv.create(home)
    # With the pip that is here, and without bytecode of everything: only what runs is compiled.
    pip = (sys.executable, "-m", "pip", "--python", home / "bin/python", "install", "-q")
    run(*pip, "--no-compile", "-c", constraints, wheel, cwd=home)


def megabytes(folder: Path) -> float:
    """Size of the files in a folder without bytecode, which depends on what has been run [MB]."""
    files = (p for p in folder.rglob("*") if p.is_file() and not p.is_symlink())
    return sum(p.stat().st_size for p in files if p.suffix != ".pyc") / 1e6
