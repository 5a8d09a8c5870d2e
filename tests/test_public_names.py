"""Every public name is still there, and callable, after all submodules were imported."""

import importlib
import pkgutil
from types import ModuleType

import pytest

import equamo


@pytest.mark.needs("matplotlib")
def test_public_names_survive_the_import_of_every_submodule() -> None:
    def fail(name: str) -> None:
        raise ImportError(f"cannot import {name}")

    for module in pkgutil.walk_packages(equamo.__path__, "equamo.", onerror=fail):
        importlib.import_module(module.name)

    assert len(set(equamo.__all__)) == len(equamo.__all__)
    for name in equamo.__all__:
        value = getattr(equamo, name)
        assert not isinstance(value, ModuleType), f"equamo.{name} became a module"
        assert callable(value) or name.startswith("__"), f"equamo.{name} is not callable"
