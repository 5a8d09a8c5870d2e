"""The HTML file: data and scripts that cannot be embedded are refused."""

from typing import Any

import pytest

from equamo.algebra.expr import parse, symbol
from equamo.errors import EquamoError, UnknownNameError
from equamo.publish.page import document
from equamo.publish.page.tape import Tape


@pytest.mark.parametrize("number", [float("nan"), float("inf")])
def test_data_must_be_finite(number: float) -> None:
    with pytest.raises(EquamoError, match="'motion' must be finite numbers"):
        document.island("motion", {"q": [number]})


@pytest.mark.parametrize("text", ["</SCRIPT>", "<!-- x"])
def test_a_script_must_not_end_its_element(text: str) -> None:
    with pytest.raises(EquamoError, match="must not contain text that ends its element"):
        document.script(f"export function poses() {{ return '{text}'; }}")


def test_a_missing_file_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    scripts: Any = ("no_such_file.js", *document.SCRIPTS)
    monkeypatch.setattr(document, "SCRIPTS", scripts)
    with pytest.raises(EquamoError, match=r"no_such_file\.js of the page is missing; install"):
        document.script("")


def test_a_symbol_that_the_page_does_not_have() -> None:
    with pytest.raises(UnknownNameError, match=r"Unknown symbol 'b' in the page.* Valid: a"):
        Tape([symbol("a")]).add([parse("a + b")])
