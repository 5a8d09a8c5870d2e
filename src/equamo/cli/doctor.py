"""`equamo doctor`: show installed packages and extras, the processor, and the available GPUs."""

from __future__ import annotations

import platform
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import typer
from rich.console import Console
from rich.text import Text

from .._version import __version__
from ..basics.extras import EXTRAS
from .output import Json, print_json

# Required packages: their names for `pip install` and for `import`.
NEEDED = {
    "numpy": "numpy",
    "llvmlite": "llvmlite",
    "python-flint": "flint",
    "mpmath": "mpmath",
    "typer": "typer",
    "rich": "rich",
}
# Packages of the extras, and others that only comparisons, tests and benchmarks use.
OPTIONAL = (
    *(name for extra in EXTRAS.values() for name in extra.packages),
    "pin", "example-robot-data", "symengine",
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


def cpu_line() -> tuple[str, str]:
    """Line about the processor that machine code is made for, and its style."""
    from ..code.jit import engine, processor
    from ..errors import EquamoError

    try:
        name = processor.selected()
        machine = processor.machine(name)
    except EquamoError as problem:
        return str(problem), "bold red"
    model = f" ({machine.cpu})" if name == processor.HOST else f" (by {processor.VARIABLE})"
    fused = "with" if engine.fuses(machine) else "without"
    numbers = engine.widest("float64", machine)
    return f"{name}{model}: {numbers} float64 per vector, {fused} multiply-add", ""


def gpu_lines() -> list[tuple[str, str]]:
    """Line about the GPUs, and its style."""
    from ..code.jit.cuda.selftest import gpus
    from ..errors import DeviceError

    try:
        found = gpus()
    except DeviceError as missing:
        return [(f"none: {missing}", "dim")]
    return [(text, "green" if text.endswith("passed") else "bold red") for text in found]


def facts() -> dict[str, Any]:
    """What a report of a problem needs; no names of users, hosts or folders.

    >>> facts()["equamo"] == __version__
    True
    """
    packages = {name: installed(name) for name in (*NEEDED, *OPTIONAL)}
    return {
        "equamo": __version__,
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "packages": packages,
        "missing": [name for name, module in NEEDED.items() if not imports(module)],
        "extras": {x: all(packages[n] for n in about.packages) for x, about in EXTRAS.items()},
        "cpu": cpu_line()[0],
        "gpus": [text for text, _ in gpu_lines()],
    }


def run(json: Json = False) -> None:
    """Show installed and missing packages with versions, extras, the processor and available GPUs.

    \b
    Example:
      equamo doctor
      equamo doctor --json
    """
    if json:
        found = facts()
        print_json(found)
        if found["missing"]:
            raise typer.Exit(1)
        return
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
    for name, extra in EXTRAS.items():
        absent = [x for x in extra.packages if installed(x) is None]
        state = f'not available; pip install "equamo[{name}]"' if absent else "available"
        line(f"[{name}]", f"{state}: {extra.purpose}", "dim" if absent else "green")
    line("processor", *cpu_line())
    for text, style in gpu_lines():
        line("gpu (optional)", text, style)
    if missing:
        console.print(f"\nmissing packages; run: pip install {' '.join(missing)}", soft_wrap=True)
        raise typer.Exit(1)
    console.print("\nall required packages are installed")
