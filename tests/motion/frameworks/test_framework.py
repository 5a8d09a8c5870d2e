"""A framework that is not installed: an error with the command to type."""

import sys

import pytest

from equamo.basics.extras import NAMES
from equamo.errors import MissingLibraryError
from equamo.motion.frameworks.framework import FRAMEWORKS, framework


@pytest.mark.parametrize("module", FRAMEWORKS)
def test_a_missing_framework(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    message = rf'{NAMES[module]}.*not installed.*"equamo\[{module}\]"'
    with pytest.raises(MissingLibraryError, match=message):
        framework(module, f"to_{module}()")
