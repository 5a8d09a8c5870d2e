"""sdist and wheel are complete: `make wheel` installs them into an empty environment and uses them."""

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

pytestmark = [pytest.mark.ci, pytest.mark.needs("build")]

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "scripts"))

from try_wheel.contents import wrong_sdist, wrong_wheel  # noqa: E402


def test_wheel_works_in_an_empty_environment(tmp_path: Path, whole_sweeps: bool) -> None:
    assert ROOT not in tmp_path.parents
    demo = [] if whole_sweeps else ["--no-demo"]
    command = [sys.executable, ROOT / "scripts" / "try_wheel", tmp_path / "dist", *demo]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "13 steps; loaded optional libraries: none\n" in done.stdout
    assert ("all proved" in done.stdout) is whole_sweeps
    (sdist,) = (tmp_path / "dist").glob("*.tar.gz")
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    assert sdist.name.removesuffix(".tar.gz") == wheel.name.split("-py3")[0]
    complaints_are_made(sdist, wheel, tmp_path)


def complaints_are_made(sdist: Path, wheel: Path, folder: Path) -> None:
    """A file that is missing, or one too many, is found."""
    with zipfile.ZipFile(wheel) as given, zipfile.ZipFile(folder / wheel.name, "w") as changed:
        for name in given.namelist():
            if name != "equamo/publish/page/assets/page.js":
                changed.writestr(name, given.read(name))
        changed.writestr("tests/test_x.py", "")
    assert wrong_wheel(folder / wheel.name) == [
        "missing: equamo/publish/page/assets/page.js",
        "must not be there: tests/test_x.py",
    ]
    with tarfile.open(sdist) as given, tarfile.open(folder / sdist.name, "w:gz") as changed:
        for member in given.getmembers():
            if not member.name.endswith("/LICENSE"):
                member.name = member.name.replace("README.md", "build/README.md")
                changed.addfile(member, given.extractfile(member))
    assert wrong_sdist(folder / sdist.name)[:2] == ["missing: README.md", "missing: LICENSE"]
