"""LinearSystem: ẋ = A x + B u + drift near an operating point, or x⁺ = A x + B u + drift by steps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final, cast, final

import numpy as np

from ..errors import EquamoError, EvaluationError, ShapeError, UnknownNameError
from ..wording import brief, counted
from .operating_point import Array, OperatingPoint
from .state_chart import StateChart, pinv

if TYPE_CHECKING:
    from .controllability import Controllability

CLOSED: Final = 1e-8  # what the rates of chosen states may depend on states that were left out


@final
@dataclass(frozen=True, eq=False)
class LinearSystem:
    """x are deviations of the named states, u of the named inputs, from the operating point.

    `dt` is None in continuous time, else the step [s], over which inputs are held. `drift` is ẋ at the
    point itself, or what a step from it changes: 0 at an equilibrium.

    >>> double = LinearSystem(np.array([[0., 1], [0, 0]]), np.array([[0.], [1]]), ("x", "v"), ("f",))
    >>> double.discrete(0.5).B
    array([[0.125],
           [0.5  ]])
    """

    A: Array
    B: Array
    states: tuple[str, ...]
    inputs: tuple[str, ...]
    drift: Array = field(default_factory=lambda: np.zeros(0))
    dt: float | None = None
    chart: StateChart | None = field(default=None, repr=False)  # which states x stands for

    def __post_init__(self) -> None:
        def put(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        n, m = len(tuple(self.states)), len(tuple(self.inputs))
        put("states", tuple(self.states))
        put("inputs", tuple(self.inputs))
        put("A", np.asarray(self.A, dtype=np.float64))
        put("B", np.asarray(self.B, dtype=np.float64))
        drift = np.asarray(self.drift, dtype=np.float64)
        put("drift", np.zeros(n) if drift.size == 0 else drift)
        if self.A.shape != (n, n) or self.B.shape != (n, m) or self.drift.shape != (n,):
            raise ShapeError(
                f"A linear system with {counted(n, 'state')} and {counted(m, 'input')} has A of shape "
                f"({n}, {n}), B of ({n}, {m}) and a drift of ({n},), not {self.A.shape}, "
                f"{self.B.shape} and {self.drift.shape}."
            )

    @property
    def C(self) -> Array:
        """All states are outputs."""
        return np.eye(len(self.states))

    @property
    def D(self) -> Array:
        return np.zeros(self.B.shape)

    @property
    def point(self) -> OperatingPoint:
        """The state and inputs that x and u are deviations from."""
        if self.chart is None:
            raise EvaluationError("This linear system does not come from the equations of a robot.")
        return self.chart.point

    @property
    def poles(self) -> Any:
        """Eigenvalues of A."""
        return np.linalg.eigvals(self.A)

    def deviation(self, q: Any, v: Any) -> Array:
        """x of a state of the robot."""
        if self.chart is None:
            raise EvaluationError("This linear system does not come from the equations of a robot.")
        return self.chart.deviation(q, v)

    # -- other systems ---------------------------------------------------------------------------------
    def discrete(self, dt: float) -> LinearSystem:
        """Step by step with inputs held over each (exact: exp of the system with its inputs)."""
        import scipy.linalg

        if self.dt is not None:
            raise EvaluationError(f"This system is discrete already, with dt={self.dt:g} s.")
        step = _step(dt)
        n, m = self.B.shape
        whole = np.zeros((n + m + 1, n + m + 1))
        whole[:n, :n], whole[:n, n : n + m], whole[:n, -1] = self.A, self.B, self.drift
        # exp [[A, B, d], [0, 0, 0]] dt = [[A_d, B_d, d_d], [0, 1, 1]]
        moved: Array = np.asarray(scipy.linalg.expm(whole * step))  # pyright: ignore
        return replace(self, A=moved[:n, :n], B=moved[:n, n : n + m], drift=moved[:n, -1], dt=step)

    def in_terms_of(self, states: Mapping[str, Any] | Iterable[str]) -> LinearSystem:
        """The system in other states, {name: expression in q, v and parameters}, or in some of its own.

        Their rates must depend on nothing but them and the inputs; an error names a state that they do
        depend on. Expressions are taken linearly at the point.

            lin.in_terms_of({"x": "R*(theta_L + theta_R)/2", "psi": "psi", "lean": "q_imu", …})
        """
        named = cast(Mapping[str, Any], states if isinstance(states, Mapping) else {})
        table = dict(named) or {n: n for n in states}
        chart, T = self._selected(table)
        back = pinv(T)
        A = T @ self.A @ back
        lost = T @ self.A - A @ T  # of the rates, what depends on states that are left out
        size = max(1.0, float(np.abs(self.A).max(initial=0)))
        if np.abs(lost).max(initial=0) > CLOSED * size:
            i, j = np.unravel_index(int(np.abs(lost).argmax()), lost.shape)
            raise EvaluationError(
                f"The states {', '.join(table)} are no system of their own: the rate of "
                f"{list(table)[int(i)]!r} depends on {self.states[int(j)]!r} too."
            )
        return replace(
            self, A=A, B=T @ self.B, drift=T @ self.drift, states=tuple(table), chart=chart
        )

    def without(self, states: Iterable[str]) -> LinearSystem:
        """The system without some of its states: those that nothing kept depends on."""
        gone = [states] if isinstance(states, str) else list(states)
        for name in gone:
            if name not in self.states:
                raise UnknownNameError("state", name, self.states, "the linear system")
        return self.in_terms_of([n for n in self.states if n not in gone])

    def _selected(self, table: Mapping[str, Any]) -> tuple[StateChart | None, Array]:
        if self.chart is not None:
            return self.chart.select(table)
        for e in table.values():
            if e not in self.states:
                raise UnknownNameError("state", e, self.states, "the linear system")
        unit = np.eye(len(self.states))
        return None, np.array([unit[self.states.index(e)] for e in table.values()])

    # -- verbs -----------------------------------------------------------------------------------------
    def controllability(self) -> Controllability:
        """Which states the inputs reach: see `controllability`."""
        from .controllability import controllability

        return controllability(self)

    def to_control(self) -> Any:
        """A state-space system of python-control, all states as outputs. The drift is left behind."""
        try:
            import control
        except ImportError as error:
            raise EquamoError(
                "to_control() needs python-control, which is not installed: pip install control."
            ) from error
        states, inputs = (
            [n.replace(".", "_") for n in names] for names in (self.states, self.inputs)
        )
        return control.ss(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            self.A, self.B, self.C, self.D, self.dt or 0, states=states, inputs=inputs,
            outputs=[f"{n}_out" for n in states],
        )  # fmt: skip

    def __str__(self) -> str:
        largest = float(np.abs(self.drift).max(initial=0))
        drift = f", drift up to {largest:.3g}" if largest > 1e-9 else ""
        states, inputs = ", ".join(self.states), ", ".join(self.inputs)
        return f"{self._equation}{drift}\nstates {states}\ninputs {inputs}"

    @property
    def _equation(self) -> str:
        return "ẋ = A x + B u" if self.dt is None else f"x⁺ = A x + B u every {self.dt:g} s"

    def __repr__(self) -> str:
        states, inputs = counted(len(self.states), "state"), counted(len(self.inputs), "input")
        return f"<linear system {self._equation}: {states}, {inputs}>"


def _step(dt: Any) -> float:
    try:
        step = float(dt)
    except (TypeError, ValueError):
        raise EvaluationError(f"dt is a time step in seconds, not {brief(dt)}.") from None
    if not 0 < step < np.inf:
        raise EvaluationError(f"dt is a time step above 0 s, not {step:g}.")
    return step
