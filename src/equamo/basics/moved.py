"""Old paths of modules: packages that moved into wings keep their old names for one version.

`equamo.expr.graph` is `equamo.algebra.expr.graph` now. A finder maps the old name to the module itself,
so that nothing is loaded twice, and warns whoever imports it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import FrameType, ModuleType
from typing import Any, Final, final

GONE: Final = "0.4"  # version in which the old paths are removed
NOW: Final = {  # package or module in version 0.2 -> where it is
    "arrays": "algebra.arrays", "expr": "algebra.expr", "identity": "algebra.identity",
    "spatial": "robot.spatial", "model": "robot.model", "formats": "robot.formats",
    "robots": "robot.library", "catalog": "robot.catalog",
    "kinematics": "mechanics.kinematics", "recursions": "mechanics.recursions",
    "formulations": "mechanics.formulations", "equations": "mechanics.equations",
    "certificate": "mechanics.certificate",
    "ir": "code.ir", "jit": "code.jit", "codegen": "code.codegen", "motion.integrators": "code.steps",
    "motion": "motion.simulation", "control": "motion.control", "bridges": "motion.frameworks",
    "claims.code": "review.programs", "claims": "review.claims", "referee": "review.referee",
    "picture": "publish.picture", "document": "publish.document", "page": "publish.page",
    "studio": "publish.studio",
    "attached": "basics.attached", "extras": "basics.extras", "renamed": "basics.renamed",
    "waiting": "basics.waiting", "wording": "basics.wording",
}  # fmt: skip
IN_MOTION: Final = ("simulation", "control", "frameworks")  # `motion` is the name of a wing, too


def where(name: str) -> str | None:
    """Name of a module today, given its full name in version 0.2; None if it is not an old name.

    >>> where("equamo.expr.graph"), where("equamo.motion.simulate")
    ('equamo.algebra.expr.graph', 'equamo.motion.simulation.simulate')
    >>> where("equamo.motion.simulation.simulate") is None and where("numpy") is None
    True
    """
    root, *parts = name.split(".")
    if root != "equamo" or (
        parts[:1] == ["motion"] and (parts[1:2] == [] or parts[1] in IN_MOTION)
    ):
        return None
    for n in (2, 1):
        now = NOW.get(".".join(parts[:n])) if len(parts) >= n else None
        if now is not None:
            return ".".join([root, now, *parts[n:]])
    return None


@final
class _Loader:
    """Returns a module that is imported by its name of today, and leaves it as it is."""

    def __init__(self, now: str) -> None:
        self.now = now
        self.spec: ModuleSpec | None = None

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = import_module(self.now)
        self.spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec  # the import system has just replaced it


@final
class _Finder:
    """Finds modules by their old names."""

    def find_spec(
        self, name: str, path: Any = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        now = where(name)
        if now is None or not _exists(now):
            return None
        _warn(name, now)
        return ModuleSpec(name, _Loader(now), is_package=True)  # pyright: ignore[reportArgumentType]


def install() -> None:
    """Let old names be imported. Called once, by `import equamo`.

    The finder comes first, because the import system would look for `equamo.expr.graph` in the folder of
    `equamo.expr`, find the file there, and load it a second time.
    """
    if not any(isinstance(x, _Finder) for x in sys.meta_path):
        sys.meta_path.insert(0, _Finder())


def _exists(name: str) -> bool:
    from importlib.util import find_spec

    try:
        return find_spec(name) is not None
    except ModuleNotFoundError:  # of a parent
        return False


def _warn(old: str, now: str) -> None:
    """Warn whoever imports an old name: the first frame outside equamo and the import system."""
    import inspect
    import warnings

    frame: FrameType | None = inspect.currentframe()
    while frame is not None and _passes_on(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    text = f"{old} is now {now}; the old name will be removed in version {GONE}."
    if frame is None:
        warnings.warn(text, DeprecationWarning, stacklevel=2)
    else:
        file, line, names = frame.f_code.co_filename, frame.f_lineno, frame.f_globals
        registry = names.setdefault("__warningregistry__", {})
        warnings.warn_explicit(
            text, DeprecationWarning, file, line, names.get("__name__"), registry
        )


def _passes_on(module: str) -> bool:
    return module.partition(".")[0] in ("importlib", "equamo", "_frozen_importlib")
