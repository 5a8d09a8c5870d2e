"""Tables of docs/project/performance.md: what dynamics.py measured, with targets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from .clock import Seconds
from .equamo_calls import LAYOUTS
from .models import Source
from .results import Results
from .tables import Table, nanoseconds, times

ARMS = ("UR5", "Panda", "Kinova")
PARTS = ("machine", "calls", "least", "python", "batches", "start")  # places on the page
PROGRAMS = ("Pinocchio", "MuJoCo", "CasADi", "equamo")
NOTHING = Seconds(math.nan, math.nan)


@dataclass
class Measured:
    """Seconds of a robot by function and program."""

    source: Source
    speeds: int
    in_c: dict[str, dict[str, Seconds]] = field(default_factory=dict)
    in_python: dict[str, dict[str, Seconds]] = field(default_factory=dict)
    batches: dict[str, dict[str, Seconds]] = field(default_factory=dict)


def reach(robot: str, function: str, batch: bool) -> float | None:
    """Target: how many times faster than Pinocchio."""
    inverse = function == "inverse_dynamics"
    if function == "mass_matrix":
        return None
    if not batch:
        return (8.0 if inverse else 10.0) if robot in ARMS else 5.0
    if robot in ARMS:
        return 40.0
    if robot == "ANYmal":
        return 20.0 if inverse else 14.0
    return 12.0 if inverse else 10.0


def label(function: str) -> str:
    return function.replace("_", " ")


def c_table(results: Sequence[Measured]) -> Table:
    rows: list[list[str]] = []
    for found in results:
        name = found.source.name
        for f, clocks in found.in_c.items():
            t = {program: x.median for program, x in clocks.items()}
            quick = min(t[f"batch, {way}"] for way in LAYOUTS)
            rows.append([
                f"{name} ({found.speeds})", label(f), *(nanoseconds(t[p]) for p in PROGRAMS),
                *(nanoseconds(t[f"batch, {way}"]) for way in LAYOUTS),
                times(t["Pinocchio"] / t["equamo"], reach(name, f, batch=False)),
                times(t["Pinocchio"] / quick, reach(name, f, batch=True)),
                times(t["CasADi"] / t["equamo"]),
            ])  # fmt: skip
    headings = (
        "robot (speeds)", "function", "Pinocchio C++", "MuJoCo C", "CasADi C", "equamo",
        "batch, rows", "batch, columns", "Pinocchio / equamo (target)", "Pinocchio / batch (target)",
        "CasADi / equamo",
    )  # fmt: skip
    return Table("C against C, one core: ns per state", headings, rows)


def least_table(results: Sequence[Measured]) -> Table:
    columns = [
        *("Pinocchio, rnea", "Pinocchio, crba local", "Pinocchio, crba world"),
        *("Pinocchio, aba local", "Pinocchio, aba world", "MuJoCo", "CasADi", "equamo"),
        *(f"batch, {way}" for way in LAYOUTS),
    ]
    rows = [
        [found.source.name, label(f), *(nanoseconds(t.get(c, NOTHING).least) for c in columns)]
        for found in results
        for f, t in found.in_c.items()
    ]
    return Table("The same, the least of all rounds", ["robot", "function", *columns], rows)


def python_table(results: Sequence[Measured]) -> Table:
    rows: list[list[str]] = []
    for found in results:
        for f, clocks in found.in_python.items():
            t = {program: clocks.get(program, NOTHING).median for program in PROGRAMS}
            rows.append([
                found.source.name, label(f), *(nanoseconds(t[p]) for p in PROGRAMS),
                nanoseconds(t["equamo"] - found.in_c[f]["equamo"].median),
                times(t["Pinocchio"] / t["equamo"]),
            ])  # fmt: skip
    headings = ("robot", "function", *PROGRAMS, "over the kernel", "Pinocchio / equamo")
    return Table("Python against Python, one state a call: ns", headings, rows)


def batch_table(results: Sequence[Measured], states: int) -> Table:
    rows: list[list[str]] = []
    for found in results:
        for f, clocks in found.batches.items():
            t = {program: clocks.get(program, NOTHING).median for program in PROGRAMS}
            ratio = times(t["Pinocchio"] / t["equamo"])
            rows.append(
                [found.source.name, label(f), *(nanoseconds(t[p]) for p in PROGRAMS), ratio]
            )
    headings = ("robot", "function", "Pinocchio, a loop", "MuJoCo", "CasADi, map", "equamo, one call",
                "Pinocchio / equamo")  # fmt: skip
    return Table(f"Python against Python, {states} states, one core: ns per state", headings, rows)


def start_table(seconds: dict[str, tuple[float, float]]) -> Table:
    rows = [[name, f"{cold:.2f}", f"{warm:.2f}"] for name, (cold, warm) in seconds.items()]
    headings = ("robot", "without cache", "with the disk cache")
    return Table("From eq.load to the first inverse dynamics: seconds", headings, rows, names=1)


def store(
    results: Results, measured: Sequence[Measured], start: dict[str, tuple[float, float]]
) -> None:
    """Add every median, and how many times faster than the others we are."""
    for found in measured:
        name = found.source.name
        places = {"C": found.in_c, "Python": found.in_python, "batches in Python": found.batches}
        for place, functions in places.items():
            for f, clocks in functions.items():
                where = f"{name}, {label(f)}, {place}"
                for program, seconds in clocks.items():
                    unit = "ns" if program.startswith(("equamo", "batch")) else "ns, peer"
                    results.add(f"{where}: {program}", 1e9 * seconds.median, unit)
                t = {program: clocks.get(program, NOTHING).median for program in PROGRAMS}
                for peer in PROGRAMS[:-1]:
                    results.add(f"{where}: against {peer}", t[peer] / t["equamo"], "times faster")
        for f, clocks in found.in_c.items():
            quick = min(clocks[f"batch, {way}"].median for way in LAYOUTS)
            ratio = clocks["Pinocchio"].median / quick
            results.add(f"{name}, {label(f)}, C: batch against Pinocchio", ratio, "times faster")
    for name, (cold, warm) in start.items():
        results.add(f"{name}, first number: without cache", cold, "s")
        results.add(f"{name}, first number: with the disk cache", warm, "s")
