"""A framework that is not installed: an error with the command to type."""

import sys

import pytest

from equamo.bridges.framework import FRAMEWORKS, framework
from equamo.errors import EquamoError


@pytest.mark.parametrize("module", FRAMEWORKS)
def test_a_missing_framework(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    name, extra = FRAMEWORKS[module]
    with pytest.raises(EquamoError, match=rf"{name}.*not installed.*equamo\[{extra}\]'"):
        framework(module, f"to_{module}()")
