"""The browser of the tests: a page behind another one goes on drawing."""

from __future__ import annotations

import pytest

from chromium import browser

pytestmark = pytest.mark.browser


def test_a_page_behind_another_one_draws() -> None:
    behind = browser().open("about:blank")
    front = browser().open("about:blank")
    assert behind.evaluate("new Promise((f) => requestAnimationFrame(() => f('drawn')))") == "drawn"
    assert [x.evaluate("document.visibilityState") for x in (behind, front)] == ["visible"] * 2
    behind.close()
    front.close()
