"""Extras: pyproject.toml, the table in the package, and the message about each library."""

import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import equamo as eq
from equamo.cli import doctor
from equamo.extras import EXTRAS, install, library

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def names(lines: list[str]) -> list[str]:
    return [line.split(">=")[0] for line in lines]


def test_the_table_is_that_of_the_project() -> None:
    listed = dict(PROJECT["optional-dependencies"])
    (everything,) = listed.pop("all")
    assert everything == f"equamo[{','.join(sorted(listed))}]"
    assert {x: sorted(names(lines)) for x, lines in listed.items()} == {
        x: sorted(extra.packages) for x, extra in EXTRAS.items()
    }


def test_doctor_knows_every_dependency() -> None:
    assert set(names(PROJECT["dependencies"])) == set(doctor.NEEDED)


@pytest.mark.parametrize(
    "module", [m for extra in EXTRAS.values() for m in extra.packages.values()]
)
def test_a_missing_library_names_its_extra(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    (extra,) = (x for x, about in EXTRAS.items() if module in about.packages.values())
    with pytest.raises(eq.MissingLibraryError) as error:
        library(module, "f()", "Use g().")
    assert str(error.value).endswith(
        f', which is not installed; run pip install "equamo[{extra}]". Use g().'
    )
    assert install(module) == f'"equamo[{extra}]"'


# The libraries of all extras are blocked, as if they were not installed.
PROGRAM = """
import sys
from equamo.extras import EXTRAS

BLOCKED = {m for extra in EXTRAS.values() for m in extra.packages.values()}

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in BLOCKED:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Blocked())
"""


def test_a_plain_installation(tmp_path: Path) -> None:
    smoke = ROOT / "scripts" / "try_wheel" / "smoke.py"
    program = PROGRAM + f"import runpy; runpy.run_path({str(smoke)!r}, run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("13 steps; loaded optional libraries: none\n")
