"""Figures of a trajectory: coordinates, speeds, energy, inputs and constraint forces over time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...basics.extras import library
from ...robot.model.robot import Robot
from .constraint_rows import closing_rows
from .input_units import input_units
from .ledger import EnergyLedger, ledger

if TYPE_CHECKING:
    from .trajectory import Trajectory

Floats = NDArray[np.float64]

POINTS: Final = 600  # points of a curve
LEGEND: Final = 10  # most entries of a legend
SHORT: Final = 4  # most names on an axis


def matplotlib(module: str) -> Any:
    """Import a module of matplotlib; raise an error that says what to install."""
    advice = "Without it, use traj.save('motion.csv') or the arrays traj.t, traj.q and traj.v."
    return library(f"matplotlib.{module}", "plot", advice)


def plain(name: str) -> str:
    """Name with `$` escaped, which would start a formula.

    >>> print(plain("q$1"))
    q\\$1
    """
    return name.replace("$", r"\$")


def plot(trajectory: Trajectory, figure: Any = None) -> Any:
    """Figure with panels for q, v and energy and, if there are any, inputs and constraint forces.

    A notebook displays it if it is the result of a cell. `figure` is an existing figure to draw on.
    """
    eom = trajectory.eom
    t, q, v, energy = smooth(trajectory)
    units = _units(eom.robot)
    panels: list[tuple[str, Floats, Mapping[str, Floats]]] = [
        (_label("q", eom.q, units), t, {s.name: q[:, k] for k, s in enumerate(eom.q)}),
        (_label("v", eom.v, units), t, {s.name: v[:, k] for k, s in enumerate(eom.v)}),
        ("energy [J]", t, curves(energy)),
    ]
    if len(eom.inputs):
        inputs = {s.name: trajectory.inputs[:, k] for k, s in enumerate(eom.inputs)}
        panels.append((_label("inputs", eom.inputs, units), trajectory.t, inputs))
    if closing_rows(eom):
        forces = trajectory.constraint_forces
        panels.append(("constraint forces [N, N m]", trajectory.t, forces))
    if figure is None:
        matplotlib("figure")  # raises an error that says what to install
        from .notebook_figure import NotebookFigure

        figure = NotebookFigure(figsize=(8, 2.2 * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True)
    for ax, (label, x, lines) in zip(axes, panels, strict=True):
        for name, y in lines.items():
            ax.plot(x, y, label=plain(name), linewidth=1.2)
        ax.set_ylabel(label)
        ax.grid(alpha=0.3)
        if 0 < len(lines) <= LEGEND:
            ax.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    _mark_events(axes, trajectory)
    axes[0].set_title(plain(eom.robot.name))
    axes[-1].set_xlabel("t [s]")
    return figure


def _label(letter: str, symbols: Iterable[Expr], units: Mapping[str, str]) -> str:
    """Letter and the units of its entries, each once: "q [m, rad]"."""
    listed = ", ".join(dict.fromkeys(u for u in (units.get(s.name, "") for s in symbols) if u))
    return f"{letter} [{listed}]" if listed else letter


def plot_named(trajectory: Trajectory, names: Sequence[str]) -> Any:
    """Figure of chosen quantities; those with the same unit share a panel, in the order of the names."""
    units = _units(trajectory.eom.robot)
    t, q, v, _ = smooth(trajectory)
    fine = {s.name: q[:, k] for k, s in enumerate(trajectory.eom.q)}
    fine |= {s.name: v[:, k] for k, s in enumerate(trajectory.eom.v)}
    panels: dict[str, dict[str, tuple[Floats, Floats]]] = {}
    for name in names:
        samples = trajectory[name]  # an error if the name is unknown
        curve = (t, fine[name]) if name in fine else (trajectory.t, samples)
        panels.setdefault(units.get(name, ""), {})[name] = curve
    matplotlib("figure")  # raises an error with installation advice
    from .notebook_figure import NotebookFigure

    figure: Any = NotebookFigure(figsize=(8, 2.2 * len(panels) + 0.4), layout="constrained")
    axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
    for ax, (unit, curves_) in zip(axes, panels.items(), strict=True):
        for name, (x, y) in curves_.items():
            ax.plot(x, y, label=plain(name), linewidth=1.2)
        listed = ", ".join(map(plain, curves_)) if len(curves_) <= SHORT else ""
        ax.set_ylabel(" ".join(x for x in (listed, unit and f"[{unit}]") if x))
        ax.grid(alpha=0.3)
        if 1 < len(curves_) <= LEGEND:
            ax.legend(fontsize="small", loc="center left", bbox_to_anchor=(1, 0.5))
    _mark_events(axes, trajectory)
    axes[0].set_title(plain(trajectory.eom.robot.name))
    axes[-1].set_xlabel("t [s]")
    return figure


def _units(robot: Robot) -> dict[str, str]:
    """Unit of each coordinate, speed, acceleration, input and external load, by name."""
    space = robot.state_space
    parts = (space.q, space.v, space.vdot)
    units = {n: u for part in parts for n, u in zip(part.names, part.units, strict=True)}
    return {n: u.replace("^2", "²") for n, u in units.items()} | input_units(robot) | {"t": "s"}


def _mark_events(axes: Any, trajectory: Trajectory) -> None:
    for time in (x for times in trajectory.events.values() for x in times):
        for ax in axes:
            ax.axvline(time, color="grey", linewidth=0.6, linestyle=":")


def smooth(trajectory: Trajectory) -> tuple[Floats, Floats, Floats, EnergyLedger]:
    """(t, q, v, energy) at enough points for a smooth curve if the solver's steps are far apart."""
    T, steps = trajectory, trajectory.steps
    if steps is None or len(T) >= POINTS or len(T) < 2:
        return T.t, T.q, T.v, T.energy
    between: Floats = np.linspace(float(T.t[0]), float(T.t[-1]), POINTS)
    t: Floats = np.unique(np.concatenate([between, T.t]))
    q, v = T.at(t)
    integrated = steps(t)[:, q.shape[1] + v.shape[1] :]
    work = dict(zip(T.work, integrated.T, strict=False))  # elements that do work come first
    return t, q, v, ledger(T.eom, t, q, v, T.parameters, work)


def curves(energy: EnergyLedger) -> dict[str, Floats]:
    """Curves of a ledger by label: energies, and the work of elements that do any."""
    energies = {"kinetic": energy.kinetic, "potential": energy.potential, "total": energy.total}
    done = energy.done.items()
    return energies | {f"work of {name}": x for name, x in done if np.any(x != x[:1])}


def show(trajectory: Trajectory) -> None:
    """Show the plot in a window."""
    pyplot = matplotlib("pyplot")
    figure = pyplot.figure(figsize=(8, 9), layout="constrained")
    plot(trajectory, figure)
    pyplot.show()
