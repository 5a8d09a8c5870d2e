"""Optional libraries, the extras of this package that install them, and their import at first use."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Final, final

from ..errors import EquamoError, MissingLibraryError
from .wording import brief


@final
@dataclass(frozen=True)
class Extra:
    """What an extra is for, and its packages: {name for pip: module to import}."""

    purpose: str
    packages: dict[str, str]


# As [project.optional-dependencies] in pyproject.toml; a test compares them.
EXTRAS: Final = {
    "draw": Extra(
        "eq.view, eq.animate, plots and .gif files", {"matplotlib": "matplotlib", "pillow": "PIL"}
    ),
    "control": Extra(
        "eq.lqr, eq.controllability, eq.equilibria, stiff solvers, lin.to_control()",
        {"scipy": "scipy", "control": "control"},
    ),
    "sympy": Extra("expressions to and from SymPy", {"sympy": "sympy"}),
    "torch": Extra("fast.to_torch()", {"torch": "torch"}),
    "jax": Extra("fast.to_jax()", {"jax": "jax"}),
    "casadi": Extra("fast.to_casadi()", {"casadi": "casadi"}),
    "paper": Extra("eq.paper as PDF", {"typst": "typst"}),
    "mjcf": Extra("MJCF files", {"mujoco": "mujoco"}),
    "xacro": Extra("xacro files", {"xacro": "xacro"}),
    "audit": Extra("audits of C code", {"pcpp": "pcpp", "pycparser": "pycparser"}),
    "pandas": Extra("trajectories as data frames", {"pandas": "pandas"}),
    "dask": Extra("eq.sweep on a cluster", {"distributed": "distributed"}),
    "mesh": Extra("meshes in pictures (no package needed)", {}),
    "studio": Extra("the studio (no package needed)", {}),
}
# How people write the names of libraries.
NAMES: Final = {
    "casadi": "CasADi", "control": "python-control", "jax": "JAX", "mujoco": "MuJoCo",
    "numpy": "NumPy", "PIL": "Pillow", "scipy": "SciPy", "sympy": "SymPy", "torch": "PyTorch",
}  # fmt: skip


def library(module: str, place: str, advice: str = "") -> Any:
    """Import an optional library, or a module of it.

    Args:
        module: What to import: "scipy.linalg".
        place: What needs it, for the message: "lqr".
        advice: What to do without it, for the message.

    Raises:
        MissingLibraryError: It, or a library that it needs, is not installed.
        EquamoError: It is installed, but broken.

    >>> library("scipy.linalg", "lqr").__name__
    'scipy.linalg'
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise missing(error.name or module, place, advice) from error
    except ImportError as error:
        root = module.partition(".")[0]
        raise EquamoError(
            f"{place} needs {NAMES.get(root, root)}, which is installed but cannot be imported "
            f"({brief(str(error))}); install it again."
        ) from error


def missing(module: str, place: str, advice: str = "") -> MissingLibraryError:
    """Error that says which extra installs a library.

    >>> print(missing("matplotlib.figure", "plot()"))
    plot() needs matplotlib, which is not installed; run pip install "equamo[draw]".
    """
    root = module.partition(".")[0]
    return MissingLibraryError(place, NAMES.get(root, root), install(root), advice)


def install(module: str) -> str:
    """What to pass to pip for a module: an extra of this package, or the module itself.

    >>> install("scipy"), install("numpy")
    ('"equamo[control]"', 'numpy')
    """
    for name, extra in EXTRAS.items():
        if module in extra.packages.values():
            return f'"equamo[{name}]"'
    return module
