"""Every code block of the pages in docs/ runs, and prints what the page shows.

The page of the bridges runs in `make test-bridges`, which has the frameworks.
"""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.ci

ROOT = Path(__file__).parents[1]
PAGES = [
    p
    for p in sorted((ROOT / "docs").rglob("*.md"))
    if "```" in p.read_text(encoding="utf-8") and p.name != "bridges.md"
]


def readme_check() -> Any:
    """`check` of test_readme.py, which does the same for the README."""
    spec = importlib.util.spec_from_file_location(
        "readme", Path(__file__).with_name("test_readme.py")
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["readme"] = module  # dataclasses look there
    spec.loader.exec_module(module)
    return module.check


@pytest.mark.needs(
    "bash", cases=r"^(generate_code|install|page|paper|proofs|quickstart|referee)\.md"
)
@pytest.mark.needs("mujoco", cases="coming_from_mujoco|referee")
@pytest.mark.needs("pinocchio", cases="coming_from_pinocchio|referee")
@pytest.mark.needs("pybullet", cases="referee")
@pytest.mark.needs("pcpp", "pycparser", cases="audit_code")
@pytest.mark.needs("scipy", cases="^control")
@pytest.mark.needs("sympy", cases="coming_from_sympy")
@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.relative_to(ROOT / "docs").as_posix())
def test_page(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    readme_check()(page.read_text(encoding="utf-8"), tmp_path)
