"""What tests need beyond the core, and which of them `make test-core` runs.

A test, or a module by its `pytestmark`, says what it needs:

    pytestmark = pytest.mark.needs("pinocchio", "octave-cli")  # libraries, by import name, and programs
    @pytest.mark.needs("scipy", cases="Radau|BDF")  # only the cases whose id this expression finds

With EQUAMO_CORE=1 (`make test-core`) tests whose needs are not met are deselected, and modules are left
out before they are imported. Otherwise such a test fails: an incomplete environment must not hide tests.
The markers `posix` and `linux` deselect a test on other platforms.
"""

from __future__ import annotations

import ast
import os
import re
import shutil
import sys
from collections.abc import Generator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from zlib import crc32

import pytest

CORE_ONLY = os.environ.get("EQUAMO_CORE", "") not in ("", "0")
ONE_IN = 8  # of the tests that need only the core, if they are sampled
PROGRAMS = frozenset(("bash", "cc", "gcc", "make", "mkoctfile", "node", "octave-cli", "sh"))
MARKERS = (
    "needs(*names, cases=''): libraries and programs beyond the core that a test uses",
    "posix: uses signals, modes, links or pipes",
    "linux: uses /proc or resource limits",
)
PLATFORMS = {"linux": (), "win32": ("posix", "linux")}  # markers that do not apply; others: linux

# Doctests have no markers: what those of the package need, by their names.
DOCTESTS: dict[str, tuple[str, ...]] = {
    "equamo.review.programs.c_language.file.CFile": ("pcpp", "pycparser"),
    "equamo.review.programs.c_language.text.preprocessed": ("pcpp", "pycparser"),
    "equamo.review.programs.read.open_code": ("pcpp", "pycparser"),
    "equamo.review.programs.read.read_code": ("pcpp", "pycparser"),
    "equamo.motion.control.controllability.Controllability": ("scipy",),
    "equamo.motion.control.controllability.controllability": ("scipy",),
    "equamo.motion.control.equilibria.equilibria": ("scipy",),
    "equamo.motion.control.linear_system.LinearSystem": ("scipy",),
    "equamo.motion.control.linear_system.LinearSystem.transfer_function": ("scipy",),
    "equamo.motion.control.lqr.lqr": ("scipy",),
    "equamo.algebra.expr.sympy_bridge.from_sympy": ("sympy",),
    "equamo.algebra.expr.sympy_bridge.from_sympy_with_domain": ("sympy",),
    "equamo.algebra.expr.sympy_bridge.to_sympy": ("sympy",),
    "equamo.basics.extras.library": ("scipy",),
    "equamo.motion.simulation.trajectory.Trajectory.plot": ("matplotlib",),
    "equamo.publish.picture.animate.animate": ("matplotlib", "PIL"),
    "equamo.publish.picture.view.view": ("matplotlib",),
    "equamo.review.referee.compare.compare_with": ("pinocchio",),
}


@cache
def is_met(need: str) -> bool:
    """Whether a program is on the path, or a library is installed."""
    if need in PROGRAMS:
        return shutil.which(need) is not None
    spec = find_spec(need)
    return spec is not None and spec.origin is not None  # a folder such as build/ is not a library


@cache
def module_needs(path: Path) -> tuple[str, ...]:
    """What the `pytestmark` of a test file names, read without importing the file."""
    if path.suffix != ".py" or "pytestmark" not in (text := path.read_text(encoding="utf-8")):
        return ()
    marks = (
        node.value
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "pytestmark"
    )
    return tuple(
        ast.literal_eval(name)
        for mark in marks
        for call in ast.walk(mark)
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "pytest.mark.needs"
        for name in call.args
    )


def needed(item: pytest.Item) -> list[str]:
    """Needs of a test and its module, or of a doctest."""
    names = list(DOCTESTS.get(item.name, ()))
    case = getattr(getattr(item, "callspec", None), "id", "")
    for mark in item.iter_markers("needs"):
        if re.search(mark.kwargs.get("cases", ""), case):
            names += mark.args
    return names


def unmet(item: pytest.Item) -> list[str]:
    """Those of the needs that are not installed."""
    return [name for name in needed(item) if not is_met(name)]


class LeftOut(pytest.File):
    """A module whose needs are not met: it is not imported, and has no tests."""

    def collect(self) -> list[pytest.Item]:
        return []


class Needs:
    """Plugin: leaves out what cannot run here; samples what can, in a run of the core."""

    def __init__(self, core: bool, sampled: bool) -> None:
        self.core, self.sampled = core, core and sampled

    def pytest_configure(self, config: pytest.Config) -> None:
        for marker in MARKERS:
            config.addinivalue_line("markers", marker)
        if self.core:  # as on a machine without compilers
            os.environ["PATH"] = str(Path(sys.executable).parent)

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(
        self, file_path: Path, parent: pytest.Collector
    ) -> Generator[None, list[pytest.Collector], list[pytest.Collector]]:
        found = yield
        if not self.core or all(map(is_met, module_needs(file_path))):
            return found
        return [LeftOut.from_parent(parent, path=file_path)]

    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        foreign = PLATFORMS.get(sys.platform, ("linux",))
        chosen = [x for x in items if not any(map(x.get_closest_marker, foreign))]
        if self.core:
            chosen = [x for x in chosen if not unmet(x)]
        if self.sampled:
            first = set({x.path: x for x in reversed(chosen)}.values())  # of each file
            chosen = [x for x in chosen if x in first or is_sampled(x.nodeid)]
        left_out = set(items) - set(chosen)
        config.hook.pytest_deselected(items=[x for x in items if x in left_out])
        items[:] = chosen

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        if missing := unmet(item):
            pytest.fail(f"needs {', '.join(missing)}: not installed", pytrace=False)


def is_sampled(node_id: str) -> bool:
    """Whether a test is in the sample; the same ones on every platform."""
    return crc32(node_id.replace("\\", "/").encode()) % ONE_IN == 0
