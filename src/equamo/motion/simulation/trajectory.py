"""Trajectory: the result of a simulation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib import import_module
from pathlib import Path
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr, symbol
from ...basics.arguments import is_one_of
from ...basics.wording import brief, counted
from ...errors import EvaluationError, UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion
from .closure_errors import ClosureErrors, closure_errors
from .columns import columns, known_columns
from .constraint_forces import constraint_forces
from .interpolation import hermite
from .ledger import EnergyLedger, ledger
from .limit_violations import LimitViolation, limit_violations
from .projection import projection
from .solve import Steps
from .torques import Torques, torques
from .violation import constraint_rates

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True, eq=False, repr=False)
class Trajectory:
    """Motion of a robot: t (T,) [s], q (T, n_q), v, vdot (T, n_v), inputs (T, m), external (T, k).

    `traj["q1"]` is one of them by name, (T,); joint speeds of a robot with chosen speeds and dependent
    coordinates also have names. The time is `traj.t`, and also `traj["t"]` unless the robot has a
    coordinate, speed or input t.
    """

    eom: EquationsOfMotion  # equations that were integrated
    method: str  # integration method
    t: Floats  # times (T,) [s]
    q: Floats  # coordinates (T, n_q)
    v: Floats  # speeds (T, n_v)
    vdot: Floats  # derivatives of the speeds (T, n_v)
    inputs: Floats  # inputs (T, m)
    external: Floats  # components of external wrenches (T, k)
    values: Mapping[str, float]  # values of all parameters
    work: Mapping[str, Floats]  # work of each element that is not a spring, since t = 0 [J]
    lengths: Floats  # lengths of quaternions as integrated, (T, number); q has them normalised
    signs: tuple[Expr, ...] = ()  # every sign(a) of dry friction, smoothed or not
    directions: Floats = field(
        default_factory=lambda: np.empty((0, 0))
    )  # values of signs, (T, number)
    events: Mapping[str, Floats] = field(default_factory=dict[str, Floats])  # times of each event
    stopped_by: str | None = None  # the event that ended the run
    steps: Steps | None = None  # interpolants of the solver
    projections: Floats | None = None  # energy of projections onto loops since t = 0, (T,) [J]

    # -- derived quantities ----------------------------------------------------------------------------
    @cached_property
    def parameters(self) -> Floats:
        """Values of `eom.parameters`, in their order."""
        return np.array([self.values[s.name] for s in self.eom.parameters])

    @cached_property
    def energy(self) -> EnergyLedger:
        """Kinetic and potential energy, the work of every force element, and the drift."""
        closure = self.closure_errors
        return ledger(self.eom, self.t, self.q, self.v, self.parameters, self.work, closure)

    @cached_property
    def closure_errors(self) -> ClosureErrors | None:
        """φ and A v of the loops and sticking contacts; None for a tree."""
        return closure_errors(self.eom, self.q, self.v, self.parameters, self.projections)

    @cached_property
    def torques(self) -> Torques:
        """Terms of the equations of motion: inertia, Coriolis, gravity, passive, inputs, external."""
        return torques(self.eom, self.vdot, self._known, len(self))

    @cached_property
    def constraint_forces(self) -> Mapping[str, Floats]:
        """Force λ of each independent row of loops, sticking contacts and constraints, (T,).

        Its generalized force is Aᵀ λ. For positions of a loop, λ is the force of `to` on `body`, in the
        frame of `to` [N]; for a contact, it is the force of the ground on the body.
        """
        return constraint_forces(self.eom, self.vdot, self._known, len(self))

    @cached_property
    def constraint_violation(self) -> dict[str, Floats]:
        """Violation of each constraint, (T,).

        φ of loops and sticking contacts, rolling constraints in q̇, and |q| − 1 of quaternions.
        """
        N = columns(self.eom.kinematic_map.entries, self._known, len(self))
        N = N.reshape(len(self), len(self.eom.q), len(self.eom.v))
        q_dot = np.einsum("tij,tj->ti", N, self.v)
        errors = self.closure_errors
        rows = {} if errors is None else dict(zip(errors.names, errors.phi.T, strict=True))
        rates = constraint_rates(self.eom, self.q, q_dot, self.parameters)
        violation = rates | rows
        for k, group in enumerate(self.eom.robot.unit_groups):
            violation[f"|{', '.join(s.name for s in group)}| = 1"] = self.lengths[:, k] - 1
        return violation

    @cached_property
    def limit_violations(self) -> tuple[LimitViolation, ...]:
        """Joint limits that the motion exceeds: of coordinates, speeds and actuator efforts."""
        return limit_violations(self.eom, self.t, self._known)

    @cached_property
    def _known(self) -> dict[Expr, Any]:
        """Values of all symbols and of signs at the samples."""
        eom = self.eom
        known = known_columns(eom, self.q, self.v, self.parameters)
        known |= {s: self.inputs[:, k] for k, s in enumerate(eom.inputs)}
        known |= {s: self.external[:, k] for k, s in enumerate(eom.external)}
        return known | {s: self.directions[:, k] for k, s in enumerate(self.signs)}

    def __getitem__(self, name: str) -> Floats:
        eom, robot = self.eom, self.eom.robot
        tables = (
            (eom.q, self.q), (eom.v, self.v), (eom.vdot, self.vdot), (eom.inputs, self.inputs),
            (eom.external, self.external),
        )  # fmt: skip
        for symbols, array in tables:
            for k, s in enumerate(symbols):
                if is_one_of(name, (s.name,)):
                    return array[:, k]
        if is_one_of(name, ("t",)):
            return self.t
        others = {x.name for x in (*robot.joint_coordinates, *robot.joint_speeds)}
        if not isinstance(name, str) or name not in others:  # pyright: ignore[reportUnnecessaryIsInstance]
            plain = [s.name for symbols, _ in tables for s in symbols]
            choices = [*plain, *sorted(others), "t"]
            raise UnknownNameError("name", name, choices, f"the trajectory of {robot.name!r}")
        from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds

        dependent = ChosenSpeeds(robot).insert([symbol(name)])
        return columns(dependent, self._known, len(self))[:, 0]

    def at(self, t: Any) -> tuple[Floats, Floats]:
        """State between the samples, by the solver's own interpolation.

        Args:
            t: A time [s], or a sequence of T times.

        Returns:
            (q, v) at one time, or arrays (T, n) of them.

        Raises:
            EvaluationError: A time is outside the trajectory.
        """
        try:
            times = np.atleast_1d(np.asarray(t, dtype=np.float64))
        except (TypeError, ValueError, OverflowError):
            raise EvaluationError(f"at(): t must be a time in seconds, got {brief(t)}.") from None
        first, last = (self.t[0], self.t[-1]) if len(self) else (np.nan, np.nan)
        if self.steps is not None:
            first, last = self.steps.edges[0], self.steps.edges[-1]
        if times.ndim != 1 or not ((times >= first) & (times <= last)).all():
            raise EvaluationError(
                f"at(): t must be between {first:g} and {last:g} s, got {brief(t)}."
            )
        q, v = self._interpolated(times)
        at = {s: k for k, s in enumerate(self.eom.q)}
        for group in self.eom.robot.unit_groups:
            k = [at[s] for s in group]
            q[:, k] /= np.linalg.norm(q[:, k], axis=1, keepdims=True)
        self._close(times, q, v)
        return (q, v) if np.ndim(t) else (q[0], v[0])

    def _close(self, times: Floats, q: Floats, v: Floats) -> None:
        """Project interpolated states onto loops and sticking contacts, in place."""
        found = projection(self.eom, self.parameters)
        if found is None:
            return
        found.rows.hold(self.q[0])
        for t, x, y in zip(times, q, v, strict=True):
            state = found(x, y)
            if state.failure is not None:
                raise EvaluationError(
                    f"at(): the state must be on the loops of robot {self.eom.robot.name!r}, but at "
                    f"t = {t:.9g} s {state.failure}; use a smaller rtol or step."
                )
            x[:], y[:] = state.q, state.v

    def _interpolated(self, times: Floats) -> tuple[Floats, Floats]:
        n, m = len(self.eom.q), len(self.eom.q) + len(self.eom.v)
        if self.steps is not None:
            y = self.steps(times)
            return y[:, :n].copy(), y[:, n:m].copy()
        if len(self) == 1:
            return np.repeat(self.q, len(times), 0), np.repeat(self.v, len(times), 0)
        N = columns(self.eom.kinematic_map.entries, self._known, len(self)).reshape(-1, n, m - n)
        rates = np.hstack([np.einsum("tij,tj->ti", N, self.v), self.vdot])
        y = hermite(self.t, np.hstack([self.q, self.v]), rates, times)
        return y[:, :n], y[:, n:]

    # -- output ----------------------------------------------------------------------------------------
    def plot(self, *names: str) -> Any:
        """Draw the motion over time; notebooks display the figure.

        Args:
            *names: Quantities to draw, such as "q1", "dq1", "tau1"; names with the same unit share a
                panel. Without names, all coordinates, speeds, energies and inputs are drawn.

        Returns:
            The matplotlib figure.

        Raises:
            UnknownNameError: The trajectory has no such name.

        >>> import equamo as eq
        >>> swing = eq.simulate(eq.derive(eq.load("rr_arm")), q={"q1": 1}, duration=0.1)
        >>> [ax.get_ylabel() for ax in swing.plot("q1", "q2", "tau1").axes]
        ['q1, q2 [rad]', 'tau1 [N m]']
        """
        from .plot import plot, plot_named

        return plot_named(self, names) if names else plot(self)

    def show(self) -> Path:
        """Write the page of the robot with this motion, and open it if there is a display."""
        # The page is a higher layer; this is the only import upwards, and it is by name.
        return import_module("equamo.publish.page.show").show(self)

    def _repr_html_(self) -> str:
        return str(import_module("equamo.publish.page.notebook").trajectory_html(self))

    def save(self, path: str | Path, **options: Any) -> None:
        """Write the trajectory to a file.

        Args:
            path: A path ending in .npz (everything, for `load`), .csv, or .gif (an animated stick
                figure).
            **options: For a gif: fps=25, speed=1 (2: twice as fast), size=5 [inches].

        Raises:
            UnknownNameError: The suffix or an option is unknown.
            FileFormatError: The file cannot be written.
        """
        from .trajectory_files import save

        save(self, path, **options)

    @staticmethod
    def load(path: str | Path) -> Trajectory:
        """Read a .npz file written by `save`.

        Raises:
            FileFormatError: The file is damaged or of another kind.
        """
        from .trajectory_files import load

        return load(path)

    def to_dataframe(self) -> Any:
        """Pandas DataFrame with one column per coordinate, speed and input, indexed by time."""
        from .trajectory_files import to_dataframe

        return to_dataframe(self)

    def __len__(self) -> int:
        return len(self.t)

    def __repr__(self) -> str:
        samples = counted(len(self), "sample")
        span = f"{self.t[0]:g} to {self.t[-1]:g} s" if len(self) else "empty"
        stopped = f", stopped by {self.stopped_by!r}" if self.stopped_by else ""
        beyond = ", ".join(dict.fromkeys(x.coordinate for x in self.limit_violations))
        limits = f", beyond the limits of {_cut(beyond)}" if beyond else ""
        return (
            f"<trajectory of robot {self.eom.robot.name!r} by {self.method}: {samples}, "
            f"{span}{stopped}{limits}>"
        )


def _cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"
