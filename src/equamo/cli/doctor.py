"""`equamo doctor`: show which packages are installed or missing, and the available GPUs."""

from __future__ import annotations

import platform
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version

import typer
from rich.console import Console
from rich.text import Text

# Required packages: their names for `pip install` and for `import`.
NEEDED = {
    "numpy": "numpy",
    "scipy": "scipy",
    "llvmlite": "llvmlite",
    "matplotlib": "matplotlib",
    "python-flint": "flint",
    "mpmath": "mpmath",
    "sympy": "sympy",
    "typer": "typer",
    "rich": "rich",
}
# Packages for bridges to other libraries, and those that only tests and benchmarks use.
OPTIONAL = (
    "torch", "jax", "casadi", "control", "mujoco", "pin", "example-robot-data", "symengine",
)  # fmt: skip


def installed(name: str) -> str | None:
    """Version of an installed package; None if it is not installed.

    >>> installed("no-such-package") is None
    True
    """
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def imports(module: str) -> bool:
    """Whether a module can be imported.

    >>> imports("math"), imports("no_such_module")
    (True, False)
    """
    try:
        import_module(module)
    except ImportError:
        return False
    return True


def gpu_lines() -> list[tuple[str, str]]:
    """Line about the GPUs, and its style."""
    from ..errors import DeviceError
    from ..jit.cuda.selftest import gpus

    try:
        found = gpus()
    except DeviceError as missing:
        return [(f"none: {missing}", "dim")]
    return [(text, "green" if text.endswith("passed") else "bold red") for text in found]


def run() -> None:
    """Show installed and missing packages with their versions, and the available GPUs.

    \b
    Example:
      equamo doctor
    """
    console = Console(highlight=False)

    def line(name: str, state: str, style: str = "") -> None:
        console.print(Text(f"{name:<20}").append(state, style), soft_wrap=True)

    line("python", platform.python_version())
    line("equamo", installed("equamo") or "not installed")
    missing: list[str] = []
    for name, module in NEEDED.items():
        if imports(module):
            line(name, installed(name) or "unknown version", "green")
        else:
            line(name, "missing", "bold red")
            missing.append(name)
    for name in OPTIONAL:
        line(name, installed(name) or "not installed (optional)", "dim")
    for text, style in gpu_lines():
        line("gpu (optional)", text, style)
    if missing:
        console.print(f"\nmissing packages; run: pip install {' '.join(missing)}", soft_wrap=True)
        raise typer.Exit(1)
    console.print("\nall required packages are installed")
