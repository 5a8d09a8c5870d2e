"""`import equamo` is light: everything is imported when it is first needed.

Compared are the modules that are imported; seconds would depend on the machine.
"""

import json
import subprocess
import sys

import pytest

import equamo as eq
from test_layers import unit

HEAVY = {"numpy", "sympy", "scipy", "matplotlib", "llvmlite", "typer", "rich"}

# Of the standard library, what is slow to import and needed by few.
SLOW = {"asyncio", "concurrent.futures", "decimal", "email", "json", "multiprocessing", "random"}
SLOW |= {"dataclasses", "hashlib", "logging", "socket", "subprocess", "tempfile", "tomllib", "xml"}


def modules_after(program: str) -> set[str]:
    """Modules that a new process has imported after a program."""
    program += "\nimport sys; found = sorted(sys.modules)\nimport json; print(json.dumps(found))"
    command = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path[:] = {sys.path}\n{program}"]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout))


def packages(modules: set[str]) -> set[str]:
    return {unit(x) for x in modules if x.startswith("equamo.")}


def test_import_loads_the_errors_alone() -> None:
    found = modules_after("import equamo")
    assert packages(found) == {"_version", "errors", "basics", "basics.moved", "basics.wording"}
    assert not (HEAVY | SLOW) & found


def test_a_derivation_loads_no_heavy_library_and_no_layer_above_it() -> None:
    found = modules_after(
        "import equamo as eq\nprint(eq.derive(eq.load('rr_arm')), file=sys.stderr)"
    )
    assert {"robot.catalog", "robot.model", "mechanics.equations"} <= packages(found)
    above = {"mechanics.certificate", "code", "motion", "review", "publish"}
    assert not packages(found) & above
    assert not HEAVY & found


def test_a_package_is_imported_when_it_is_named() -> None:
    found = modules_after("import equamo as eq\nassert eq.robot.__name__ == 'equamo.robot'")
    assert "robot" in packages(found)
    with pytest.raises(AttributeError, match="module 'equamo' has no attribute 'modle'"):
        eq.modle  # type: ignore[attr-defined]  # noqa: B018
