"""Figures of a benchmark as a file: benchmarks/results/<benchmark>.json, one per script.

A whole run of a benchmark replaces its file; the last committed version is what later runs are compared
with (scripts/compare_benchmarks.py). A file has the machine and the versions that it was measured with:

    {"benchmark": "derive", "machine": "…", "versions": {"python": "3.12.3", "equamo": "0.1.0", …},
     "figures": {"Krang: certificate": {"value": 0.6, "unit": "s"}, …}}
"""

from __future__ import annotations

import importlib.metadata
import json
import math
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from .tables import machine

FOLDER = Path(__file__).parents[1] / "results"
DIGITS = 4  # significant; more would be noise
# Versions of these are stored, and of those that a benchmark compares us with.
PACKAGES = ("equamo", "llvmlite", "python-flint", "numpy")


class ResultsError(Exception):
    """A file of results that does not have the format, or a figure that cannot be stored."""


class Unit(NamedTuple):
    """How figures in a unit are compared."""

    larger_is_better: bool
    portable: bool  # comparable between machines: ratios and counts, not times
    exact: bool = False  # a count, which no noise changes
    resolution: float = 0.0  # differences up to this are the clock's
    peer: bool = False  # of another program: a change is reported, but is not ours


UNITS = {
    "s": Unit(larger_is_better=False, portable=False, resolution=0.005),
    "ns": Unit(larger_is_better=False, portable=False, resolution=1.0),
    "s, peer": Unit(larger_is_better=False, portable=False, resolution=0.005, peer=True),
    "ns, peer": Unit(larger_is_better=False, portable=False, resolution=1.0, peer=True),
    "MB": Unit(larger_is_better=False, portable=False),
    "per second": Unit(larger_is_better=True, portable=False),
    "per second, peer": Unit(larger_is_better=True, portable=False, peer=True),
    "times faster": Unit(larger_is_better=True, portable=True),
    "times as long": Unit(larger_is_better=False, portable=True),
    "times fewer": Unit(larger_is_better=True, portable=True, exact=True),
    "operations": Unit(larger_is_better=False, portable=True, exact=True),
    "instructions": Unit(larger_is_better=False, portable=True, exact=True),
    "identities": Unit(larger_is_better=True, portable=True, exact=True),
    "base parameters": Unit(larger_is_better=False, portable=True, exact=True),
}


class Figure(NamedTuple):
    """A number and its unit, a key of UNITS."""

    value: float
    unit: str


@dataclass
class Results:
    """Figures of one run of a benchmark, by name."""

    benchmark: str
    machine: str
    versions: Mapping[str, str]
    figures: dict[str, Figure] = field(default_factory=dict)

    def add(self, name: str, value: float, unit: str) -> None:
        """Add a figure; NaN, which stands for a program that was not built, is left out."""
        if unit not in UNITS:
            raise ResultsError(f"{name}: unit must be one of {', '.join(UNITS)}, got {unit!r}.")
        if name in self.figures:
            raise ResultsError(f"{self.benchmark}: the name of a figure must be new, got {name!r}.")
        if math.isnan(value):
            return
        if not math.isfinite(value) or value < 0:
            raise ResultsError(f"{name}: a figure must be finite and ≥ 0, got {value}.")
        self.figures[name] = Figure(rounded(value) if not UNITS[unit].exact else value, unit)

    def text(self) -> str:
        """The file: JSON with one line per figure, so that a difference of versions reads well."""

        def dumped(x: Any) -> str:
            return json.dumps(x, ensure_ascii=False)

        figures = [
            f"  {dumped(n)}: {dumped(figure._asdict())}" for n, figure in self.figures.items()
        ]
        return (
            f'{{\n "benchmark": {dumped(self.benchmark)},\n "machine": {dumped(self.machine)},\n'
            f' "versions": {dumped(dict(self.versions))},\n "figures": {{\n'
            + ",\n".join(figures)
            + "\n }\n}\n"
        )

    def write(self, folder: Path = FOLDER) -> Path:
        """Replace the stored results of this benchmark."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{self.benchmark}.json"
        path.write_text(self.text(), encoding="utf-8")
        print(f"written to {path.parent.name}/{path.name}")
        return path


def new_results(benchmark: str, peers: Sequence[str] = ()) -> Results:
    """Empty results of a run on this machine; `peers` are packages that we are compared with."""
    versions = {p: importlib.metadata.version(p) for p in (*PACKAGES, *peers)}
    return Results(benchmark, machine(), {"python": platform.python_version(), **versions})


def rounded(x: float) -> float:
    """To the significant digits that are stored."""
    return float(f"{x:.{DIGITS}g}")


def read_results(text: str, name: str) -> Results:
    """Results from the text of a file; `name` is for messages."""
    try:
        data: Any = json.loads(text)
    except ValueError as error:
        raise ResultsError(f"{name}: results must be JSON: {error}.") from None
    try:
        versions, figures = data["versions"], data["figures"]
        found = Results(str(data["benchmark"]), str(data["machine"]), dict(versions))
        for label, figure in figures.items():
            value = figure["value"]
            if not isinstance(value, int | float):
                raise TypeError(f"the value of {label!r} is not a number")
            found.add(label, value, figure["unit"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ResultsError(
            f"{name}: results must have benchmark, machine, versions and figures, each figure a value "
            f"and a unit: {type(error).__name__}: {error}. Run the benchmark again."
        ) from None
    return found
