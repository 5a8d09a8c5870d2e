"""What the tests of all bridges share: a cache of machine code of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="session", autouse=True)
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("EQUAMO_CACHE", str(tmp_path_factory.mktemp("cache") / "equamo"))
        yield
