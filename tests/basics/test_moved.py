"""Old paths of modules lead to the modules, with a warning."""

from __future__ import annotations

import subprocess
import sys
import warnings
from importlib import import_module
from pathlib import Path

import pytest

import equamo as eq
from equamo.basics import moved

PACKAGE = Path(eq.__file__).parent


@pytest.mark.parametrize("old", sorted(set(moved.NOW) - {"motion"}))
def test_an_old_path_is_the_module_of_today(old: str, monkeypatch: pytest.MonkeyPatch) -> None:
    now = import_module(f"equamo.{moved.NOW[old]}")
    spec = now.__spec__
    for name in [x for x in sys.modules if moved.where(x)]:
        monkeypatch.delitem(sys.modules, name)
    with warnings.catch_warnings(record=True, action="always") as caught:
        assert import_module(f"equamo.{old}") is now
    said = f"equamo.{old} is now {now.__name__}; the old name will be removed in version 0.4."
    assert said in [str(x.message) for x in caught if x.category is DeprecationWarning]
    assert now.__spec__ is spec
    assert now.__name__ == f"equamo.{moved.NOW[old]}"


def test_a_module_is_loaded_once_and_the_import_is_named() -> None:
    """In a new process, as an import leaves its names in the packages."""
    program = """
import warnings
with warnings.catch_warnings(record=True, action="always") as caught:
    from equamo.motion.simulate import simulate
    import equamo.expr.graph
    import equamo.claims.code.function
    import equamo as eq
    assert eq.model.Body is eq.Body
import sys
import equamo.algebra.expr.graph
assert sys.modules["equamo.expr.graph"] is equamo.algebra.expr.graph
assert simulate is eq.simulate
assert {x.filename for x in caught} == {"<string>"} and {x.lineno for x in caught} == {4, 5, 6, 8}
print(*(str(x.message).split(";")[0] for x in caught), sep="\\n")
"""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert "equamo.motion.simulate is now equamo.motion.simulation.simulate" in run.stdout
    assert "equamo.expr.graph is now equamo.algebra.expr.graph" in run.stdout
    assert "equamo.claims.code.function is now equamo.review.programs.function" in run.stdout


@pytest.mark.parametrize(
    "name",
    ["equamo.expr.nothing", "equamo.motion.nothing", "equamo.nothing", "equamo.robots.nothing"],
)
def test_a_path_that_never_was_is_not_found(name: str) -> None:
    with pytest.raises(ModuleNotFoundError, match=f"No module named '{name}'"):
        import_module(name)


def test_every_package_of_today_is_where_an_old_one_was_or_new() -> None:
    """A package that moves again takes its old name along."""
    for now in moved.NOW.values():
        place = PACKAGE / now.replace(".", "/")
        assert place.is_dir() or place.with_suffix(".py").exists()
