"""Build sdist and wheel, install the wheel into an empty environment and use it: `make wheel`.

    python scripts/try_wheel [folder for the archives, by default dist]

The wheel is built from the sdist, so both are tested. Only the dependencies of a plain installation are
installed, in the versions of requirements/run.txt.
"""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
from pathlib import Path

if __package__ in (None, ""):  # started as a folder
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from try_wheel.contents import ROOT, wrong_sdist, wrong_wheel
from try_wheel.environment import install, megabytes, run

SMOKE = Path(__file__).with_name("smoke.py")


def main(dist: Path) -> int:
    """Build, check, install and use; the number of complaints."""
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        sdist, wheel = build(folder / "dist")
        dist.mkdir(parents=True, exist_ok=True)
        for path in (sdist, wheel):
            shutil.copy(path, dist)
            print(f"{dist / path.name}: {path.stat().st_size / 1e6:.2f} MB")
        wrong = wrong_sdist(sdist) + wrong_wheel(wheel)
        for line in wrong:
            print(line)
        use(folder, wheel)
    return len(wrong)


def build(folder: Path) -> tuple[Path, Path]:
    """Build the sdist, and the wheel from it, with the tools of this environment."""
    folder.mkdir(parents=True)
    run(
        *(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT),
        cwd=folder,
    )
    (sdist,) = folder.glob("*.tar.gz")
    (wheel,) = folder.glob("*.whl")
    return sdist, wheel


def use(folder: Path, wheel: Path) -> None:
    """Install the wheel into an empty environment, and use it from another folder."""
    home, elsewhere = folder / "empty", folder / "elsewhere"
    elsewhere.mkdir()
    home.mkdir()
    start = time.monotonic()
    install(home, wheel, ROOT / "requirements" / "run.txt")
    seconds = time.monotonic() - start
    packages = next(home.glob("lib/python3*/site-packages"))
    print(f"installed in {seconds:.0f} s: {megabytes(packages / 'equamo'):.1f} MB of equamo, "
          f"{megabytes(packages):.0f} MB with its dependencies")  # fmt: skip
    where = run(home / "bin/python", "-c", "import equamo; print(equamo.__file__)", cwd=elsewhere)
    assert Path(where.strip()).is_relative_to(home), where
    print(run(home / "bin/python", SMOKE, cwd=elsewhere), end="")
    assert "all required packages" in run(home / "bin/equamo", "doctor", cwd=elsewhere)
    print(
        run(home / "bin/equamo", "demo", "--no-open", "--out", "demo.html", cwd=elsewhere), end=""
    )


if __name__ == "__main__":
    sys.exit(min(1, main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "dist")))
