"""Extras: pyproject.toml, the table in the package, and the message about each library.

tests/test_wheel.py uses a plain installation, without any of them.
"""

import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import equamo as eq
from equamo.basics.extras import EXTRAS, install, library
from equamo.cli import doctor

ROOT = Path(__file__).parents[2]
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


def test_a_library_that_a_library_needs_is_the_one_that_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "incomplete_library.py").write_text("import no_such_library", encoding="utf-8")
    (tmp_path / "broken_library.py").write_text("from sys import no_such_name", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(eq.MissingLibraryError, match="f\\(\\) needs no_such_library, which is not"):
        library("incomplete_library", "f()")
    with pytest.raises(eq.EquamoError, match="broken_library, which is installed but cannot be"):
        library("broken_library", "f()")
