"""The build of the static site: third-party files are pinned, and the page allows its own files only."""

from __future__ import annotations

import base64
import hashlib
import importlib.util
import json
import re
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.ci

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def build() -> ModuleType:
    spec = importlib.util.spec_from_file_location(
        "studio_site_build", ROOT / "scripts/studio_site.py"
    )
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_of_others_are_pinned_by_hash(build: ModuleType) -> None:
    lock = json.loads(build.LOCK.read_text(encoding="utf-8"))
    assert set(lock) == {"pyodide", "python-flint", "mpmath"}
    for entry in lock.values():
        kind, _, digest = entry["integrity"].partition("-")
        assert len(base64.b64decode(digest)) == hashlib.new(kind).digest_size
        assert re.fullmatch(r"[a-z-]+(@|==)\d+(\.\d+)+", entry.get("npm") or entry["pip"])


def test_wheels_are_fetched_for_their_platform(build: ModuleType) -> None:
    file = "python_flint-0.9.0-cp314-cp314-pyemscripten_2026_0_wasm32.whl"
    command = " ".join(build.pip_download({"pip": "python-flint==0.9.0", "file": file})[3:])
    assert "--implementation cp --python-version 314 --abi cp314" in command
    assert command.endswith("--platform pyemscripten_2026_0_wasm32 python-flint==0.9.0")


def test_a_damaged_file_is_refused(build: ModuleType) -> None:
    integrity = "sha256-" + base64.b64encode(hashlib.sha256(b"text").digest()).decode()
    build.check(b"text", integrity, "file")
    with pytest.raises(SystemExit, match="file: the sha256 hash must be"):
        build.check(b"other", integrity, "file")


def test_the_page_has_a_policy_and_its_worker(build: ModuleType, tmp_path: Path) -> None:
    build.put_page(tmp_path)
    page = (tmp_path / "index.html").read_text(encoding="utf-8")
    assert page.index("Content-Security-Policy") < page.index("<link")
    assert "default-src 'none'; script-src 'self' 'wasm-unsafe-eval';" in page
    assert "unsafe-inline" not in page
    assert '<meta name="equamo-worker" content="worker.js">' in page
    assert {p.name for p in tmp_path.iterdir()} >= {*build.WORKER, "studio.js"}


def test_the_versions_are_those_of_the_tests(build: ModuleType) -> None:
    lock = json.loads(build.LOCK.read_text(encoding="utf-8"))
    pinned = (ROOT / "requirements" / "run.txt").read_text(encoding="utf-8")
    for name in ("python-flint", "mpmath"):
        assert lock[name]["pip"].startswith(f"{name}==")
        assert f"{lock[name]['pip']}\n" in pinned


def test_every_part_has_its_licence(
    build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = {"python-flint": "x.dist-info/licenses/LICENSE", "mpmath": "x.dist-info/LICENSE"}
    for name, path in files.items():
        with zipfile.ZipFile(tmp_path / name, "w") as wheel:
            wheel.writestr(path, f"licence of {name}")
    monkeypatch.setattr(build, "fetch", lambda name: tmp_path / name)
    build.put_licenses(tmp_path / "licenses")
    found = {p.name: p.read_text("utf-8") for p in (tmp_path / "licenses").iterdir()}
    assert found["python-flint-LICENSE"] == "licence of python-flint"
    assert found["mpmath-LICENSE"] == "licence of mpmath"
    assert "BSD 3-Clause" in found["equamo-LICENSE"]
    for name in ("pyodide", "python-flint", "mpmath", "cpython"):
        assert f"/{name}\n" in found["README.txt"]


def test_an_older_site_is_replaced_and_nothing_else(
    build: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("put_pyodide", "put_packages", "put_gallery", "put_licenses"):
        monkeypatch.setattr(build, name, lambda _: None)
    monkeypatch.setattr(build.subprocess, "run", lambda *_, **__: None)
    for _ in range(2):
        build.build(tmp_path / "site")
    assert (tmp_path / "site" / "index.html").exists()
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.txt").touch()
    with pytest.raises(SystemExit, match="must be new or have an older site"):
        build.build(tmp_path / "mine")
    assert (tmp_path / "mine" / "thesis.txt").exists()
