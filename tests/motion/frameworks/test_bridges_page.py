"""Every code block of docs/guide/bridges.md runs, and prints what the page shows."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]


def readme_check() -> Any:
    """`check` of test_readme.py, which does the same for the README."""
    spec = importlib.util.spec_from_file_location("readme", ROOT / "tests" / "test_readme.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["readme"] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module.check


def test_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    readme_check()((ROOT / "docs" / "guide" / "bridges.md").read_text(encoding="utf-8"), tmp_path)
