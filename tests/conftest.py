"""What all tests share: reproducible hypothesis, no skips under CI, sampled or whole sweeps."""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import settings

import suites
from needs import CORE_ONLY, Needs
from ptxas import ptxas
from raise_sites import RaiseSites
from skip_is_failure import SkipIsFailure

DOCUMENTS = Path(__file__).parents[2] / "shared" / "seeds"
UNDER_CI = os.environ.get("CI", "").lower() not in ("", "0", "false")
PAGES = os.environ.get("EQUAMO_PAGES", "") not in ("", "0")
STUDIO = os.environ.get("EQUAMO_STUDIO", "") not in ("", "0")
WHOLE_SWEEPS = os.environ.get("EQUAMO_TEST_ALL", "") not in ("", "0")

settings.register_profile("ci", derandomize=True, deadline=None, database=None)
settings.register_profile("all", deadline=None, max_examples=2000, print_blob=True)
settings.register_profile("core", derandomize=True, deadline=None, database=None, max_examples=25)
settings.load_profile("all" if WHOLE_SWEEPS else "core" if CORE_ONLY else "ci")


@pytest.fixture(scope="session")
def whole_sweeps() -> bool:
    """True under `make test-all`: run every case instead of a sample with a fixed seed."""
    return WHOLE_SWEEPS


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect tests that need what is not here: documents, NVIDIA's assembler, a GPU, a browser."""
    missing = ["gpu", *([] if STUDIO else ["studio"]), *([] if PAGES else ["browser"])]
    if not DOCUMENTS.is_dir():
        missing.append("documents")
    if ptxas() is None or CORE_ONLY:
        missing.append("ptxas")
    without = {x for x in items if any(map(x.get_closest_marker, missing))}
    config.hook.pytest_deselected(items=[x for x in items if x in without])
    items[:] = [x for x in items if x not in without]


def pytest_collection_finish() -> None:
    """Keep what was collected out of Python's collector of cycles: it took a second per collection."""
    gc.enable()
    gc.collect()
    gc.freeze()
    gc.set_threshold(
        50_000, 20, 20
    )  # expressions have no cycles; tests of lifetimes collect themselves


def _share_machine_code(config: pytest.Config) -> None:
    """Give all workers of this run one new cache of machine code, instead of the user's."""
    if "EQUAMO_CACHE" not in os.environ:  # else a worker, or the caller has chosen
        folder = tempfile.mkdtemp(prefix="equamo-tests-")
        os.environ["EQUAMO_CACHE"] = os.path.join(folder, "cache")
        config.add_cleanup(lambda: shutil.rmtree(folder, ignore_errors=True))


def pytest_configure(config: pytest.Config) -> None:
    _share_machine_code(config)
    if hasattr(config, "workerinput") or not config.getoption("numprocesses", None):
        gc.disable()  # until the tests are collected: what that makes stays
    for line in suites.MARKERS:
        config.addinivalue_line("markers", line)
    config.pluginmanager.register(suites.Suites(), "suites")
    config.addinivalue_line("markers", "documents: reads the documents beside the repository")
    config.addinivalue_line("markers", "ptxas: needs NVIDIA's assembler (wheel nvidia-cuda-nvcc)")
    config.addinivalue_line("markers", "browser: needs Chromium; `make test-pages` runs it")
    config.addinivalue_line(
        "markers", "studio: needs Chromium or Pyodide; `make test-studio` runs it"
    )
    config.addinivalue_line("markers", "gpu: needs a GPU; benchmarks/gpu.py runs such checks")
    # Registered as a plugin: hooks of this file would not see the doctests in src.
    if UNDER_CI:
        config.pluginmanager.register(SkipIsFailure())
    config.pluginmanager.register(Needs(CORE_ONLY, sampled=not WHOLE_SWEEPS), "needs")
    if not CORE_ONLY:
        config.pluginmanager.register(RaiseSites(), "raise-sites")
