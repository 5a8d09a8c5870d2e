"""Tables of what derivatives.py measured, with targets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .clock import Seconds
from .equamo_calls import LAYOUTS
from .models import Source
from .report import ARMS, NOTHING, label
from .results import Results
from .tables import Table, nanoseconds, times

DERIVATIVE_PARTS = ("derivatives", "products")  # places on the page


@dataclass
class Robot:
    """What was measured on one robot, by function."""

    source: Source
    speeds: int
    clocks: dict[str, dict[str, Seconds]] = field(default_factory=dict)
    instructions: dict[str, int] = field(default_factory=dict)
    seconds: dict[str, float] = field(default_factory=dict)  # until the code for one state is there
    products: dict[str, Seconds] = field(default_factory=dict)


def reach(robot: str, batch: bool) -> float:
    """Target: how many times faster than Pinocchio."""
    if robot in ARMS:
        return 30.0 if batch else 10.0
    if robot == "ANYmal":
        return 15.0 if batch else 6.0
    return 10.0 if batch else 4.0


def derivative_table(results: Sequence[Robot]) -> Table:
    rows: list[list[str]] = []
    for found in results:
        name = found.source.name
        for f, clocks in found.clocks.items():
            t = {program: x.median for program, x in clocks.items()}
            quick = min(t[f"batch, {way}"] for way in LAYOUTS)
            casadi = clocks.get("CasADi", NOTHING).median
            rows.append([
                f"{name} ({found.speeds})", label(f), f"{found.instructions[f]:,}",
                *(nanoseconds(x) for x in (t["Pinocchio"], casadi, t["equamo"])),
                *(nanoseconds(t[f"batch, {way}"]) for way in LAYOUTS),
                times(t["Pinocchio"] / t["equamo"], reach(name, batch=False)),
                times(t["Pinocchio"] / quick, reach(name, batch=True)),
                times(casadi / t["equamo"]), f"{found.seconds[f]:.1f}",
            ])  # fmt: skip
    headings = (
        "robot (speeds)", "function", "instructions", "Pinocchio C++", "CasADi C", "equamo",
        "batch, rows", "batch, columns", "Pinocchio / equamo (target)", "Pinocchio / batch (target)",
        "CasADi / equamo", "compiled in s",
    )  # fmt: skip
    return Table("Derivatives, C against C, one core: ns per state", headings, rows)


def product_table(results: Sequence[Robot]) -> Table:
    rows: list[list[str]] = []
    for found in results:
        if not found.products:
            continue
        t = {f: x.median for f, x in found.products.items()}
        hessian, sweep = t["inverse_dynamics_hessian_packed"], t["inverse_dynamics_vjp"]
        derivatives, tau = t["inverse_dynamics_derivatives_packed"], t["inverse_dynamics"]
        rows.append([
            f"{found.source.name} ({found.speeds})",
            *(nanoseconds(x) for x in (derivatives, hessian, tau, sweep)),
            times(hessian / derivatives, 3.0), times(sweep / tau, 5.0),
        ])  # fmt: skip
    headings = (
        "robot (speeds)", "∂ID", "λᵀ∂²ID", "ID", "λᵀ∂ID", "λᵀ∂²ID / ∂ID (at most)",
        "λᵀ∂ID / ID (at most)",
    )  # fmt: skip
    return Table("Products of derivatives, one call: ns", headings, rows, names=1)


def store_derivatives(results: Results, measured: Sequence[Robot]) -> None:
    """Add every median, instructions, and how many times faster than the others we are."""
    for found in measured:
        for f, clocks in found.clocks.items():
            where = f"{found.source.name}, {label(f)}"
            t = {program: x.median for program, x in clocks.items()}
            for program, seconds in t.items():
                unit = "ns" if program.startswith(("equamo", "batch")) else "ns, peer"
                results.add(f"{where}: {program}", 1e9 * seconds, unit)
            quick = min(t[f"batch, {way}"] for way in LAYOUTS)
            ratios = {
                "against Pinocchio": t["Pinocchio"] / t["equamo"],
                "batch against Pinocchio": t["Pinocchio"] / quick,
                "against CasADi": clocks.get("CasADi", NOTHING).median / t["equamo"],
            }
            for name, ratio in ratios.items():
                results.add(f"{where}: {name}", ratio, "times faster")
            results.add(f"{where}: program", found.instructions[f], "instructions")
            results.add(f"{where}: compiled", found.seconds[f], "s")
        for f, x in found.products.items():
            results.add(f"{found.source.name}, {label(f)}: one call", 1e9 * x.median, "ns")
