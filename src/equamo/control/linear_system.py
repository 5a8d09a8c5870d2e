"""LinearSystem: ẋ = A x + B u + drift near an operating point, or its discrete form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final, cast, final

from ..arguments import as_float, items_of
from ..arrays import np
from ..errors import EvaluationError, ShapeError, UnknownNameError
from ..expr.printing.latex_arrays import bmatrix
from ..expr.printing.latex_number import number_latex
from ..extras import library
from ..wording import brief, counted
from .listed_names import listed_names
from .operating_point import Array, OperatingPoint
from .state_chart import StateChart, pinv
from .system_latex import notebook_text, system_latex

if TYPE_CHECKING:
    from .controllability import Controllability
    from .transfer_function import TransferFunction

# Relative size of a dependence on omitted states that counts as rounding error.
MOST_DIGITS: Final = 17  # a double has no more
CLOSED: Final = 1e-8

MOVES: Final = 1e-9  # a drift above this is shown


@final
@dataclass(frozen=True, eq=False)
class LinearSystem:
    """Linear system in the deviations x of the states and u of the inputs from an operating point.

    `dt` is None in continuous time; otherwise it is the step [s] during which inputs are constant.
    `drift` is ẋ at the point itself (in discrete time, the change over one step): 0 at an equilibrium.

    >>> double = LinearSystem(np.array([[0., 1], [0, 0]]), np.array([[0.], [1]]), ("x", "v"), ("f",))
    >>> double.discrete(0.5).B
    array([[0.125],
           [0.5  ]])
    """

    A: Array  # matrix of the states
    B: Array  # matrix of the inputs
    states: tuple[str, ...]  # names of the states
    inputs: tuple[str, ...]  # names of the inputs
    drift: Array = field(default_factory=lambda: np.zeros(0))  # ẋ at the operating point
    dt: float | None = None  # step [s]; None in continuous time
    chart: StateChart | None = field(default=None, repr=False)  # relates x to states of the robot

    def __post_init__(self) -> None:
        def put(name: str, value: Any) -> None:
            object.__setattr__(self, name, value)

        for name in ("states", "inputs"):
            put(name, _names(name, getattr(self, name)))
        n, m = len(self.states), len(self.inputs)
        for name in ("A", "B", "drift"):
            put(name, _numbers(name, getattr(self, name)))
        drift = self.drift
        put("drift", np.zeros(n) if drift.size == 0 else drift)
        if self.A.shape != (n, n) or self.B.shape != (n, m) or self.drift.shape != (n,):
            raise ShapeError(
                f"LinearSystem with {counted(n, 'state')} and {counted(m, 'input')}: A, B and drift "
                f"must have shapes ({n}, {n}), ({n}, {m}) and ({n},), got {self.A.shape}, "
                f"{self.B.shape} and {self.drift.shape}."
            )

    @property
    def C(self) -> Array:
        """Output matrix: the identity, as all states are outputs."""
        return np.eye(len(self.states))

    @property
    def D(self) -> Array:
        """Feedthrough matrix: zero."""
        return np.zeros(self.B.shape)

    @property
    def point(self) -> OperatingPoint:
        """The state and inputs that x and u are deviations from."""
        return self._of_robot().point

    @property
    def poles(self) -> Any:
        """Eigenvalues of A."""
        return np.linalg.eigvals(self.A)

    def deviation(self, q: Any, v: Any) -> Array:
        """Deviation x of a state (q, v) of the robot from the operating point."""
        return self._of_robot().deviation(q, v)

    def _of_robot(self) -> StateChart:
        if self.chart is None:
            raise EvaluationError(
                "A linear system has an operating point only if it comes from the equations of a robot; "
                "make it with eq.linearize(eom)."
            )
        return self.chart

    # -- other systems ---------------------------------------------------------------------------------
    def discrete(self, dt: float) -> LinearSystem:
        """Discrete system, exact for inputs that are constant during each step.

        Args:
            dt: Step [s].

        Returns:
            A new `LinearSystem`.

        Raises:
            EvaluationError: dt is not a positive number, or this system is already discrete.
        """
        if self.dt is not None:
            raise EvaluationError(
                f"discrete: the system is already discrete (dt={self.dt:g} s); start from the "
                "continuous one."
            )
        step = _step(dt)
        n, m = self.B.shape
        whole = np.zeros((n + m + 1, n + m + 1))
        whole[:n, :n], whole[:n, n : n + m], whole[:n, -1] = self.A, self.B, self.drift
        # exp [[A, B, d], [0, 0, 0]] dt = [[A_d, B_d, d_d], [0, 1, 1]]
        moved: Array = np.asarray(library("scipy.linalg", "discrete").expm(whole * step))
        return replace(self, A=moved[:n, :n], B=moved[:n, n : n + m], drift=moved[:n, -1], dt=step)

    def in_terms_of(self, states: Mapping[str, Any] | Iterable[str]) -> LinearSystem:
        """The system in other states, or in some of its own.

            lin.in_terms_of({"x": "R*(theta_L + theta_R)/2", "psi": "psi", "lean": "q_imu", …})

        Args:
            states: {name: expression in q, v and parameters}, linearized at the operating point; or
                names of states of this system. Their rates must depend on these states and the inputs
                only.

        Returns:
            A new `LinearSystem`.

        Raises:
            EvaluationError: The rate of a chosen state depends on another state.
            UnknownNameError: An expression contains an unknown name.
        """
        table: dict[str, Any]
        if isinstance(states, Mapping):
            table = dict(cast(Mapping[str, Any], states))
        else:
            table = {str(n): n for n in listed_names("in_terms_of", "states", states)}
        chart, T = self._selected(table)
        back = pinv(T)
        A = T @ self.A @ back
        lost = T @ self.A - A @ T  # dependence of the rates on omitted states
        size = max(1.0, float(np.abs(self.A).max(initial=0)))
        if np.abs(lost).max(initial=0) > CLOSED * size:
            i, j = np.unravel_index(int(np.abs(lost).argmax()), lost.shape)
            raise EvaluationError(
                f"in_terms_of: the rates of {', '.join(table)} must depend on these states only, but "
                f"the rate of {list(table)[int(i)]!r} depends on {self.states[int(j)]!r}; keep it too."
            )
        return replace(
            self, A=A, B=T @ self.B, drift=T @ self.drift, states=tuple(table), chart=chart
        )

    def without(self, states: Iterable[str]) -> LinearSystem:
        """The system without the named states, which the rates of the others must not depend on."""
        dropped = listed_names("without", "states", states)
        for name in dropped:
            if name not in self.states:
                raise UnknownNameError("state", name, self.states, "the linear system")
        return self.in_terms_of([n for n in self.states if n not in dropped])

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

    def transfer_function(self, input: str, output: Any) -> TransferFunction:
        """Transfer function from an input to an output, by the states between them.

        Args:
            input: Name of an input.
            output: Name of a state, or an expression in q, v and parameters, linearized at the point.

        Returns:
            Numerator and denominator in s (in z for a discrete system), the denominator with leading
            coefficient 1.

        Raises:
            UnknownNameError: Unknown input, or an unknown name in the output.

        >>> double = LinearSystem([[0, 1], [0, 0]], [[0], [2]], ["x", "v"], ["f"])
        >>> double.transfer_function("f", "x")
        x/f = 2/s**2
        """
        from .numeric_transfer_function import numeric_transfer_function

        return numeric_transfer_function(self, input, output)

    def to_control(self) -> Any:
        """State-space system of python-control with all states as outputs; the drift is dropped."""
        from .transfer_function import python_control

        states, inputs = (
            [n.replace(".", "_") for n in names] for names in (self.states, self.inputs)
        )
        return python_control().ss(
            self.A, self.B, self.C, self.D, self.dt or 0, states=states, inputs=inputs,
            outputs=[f"{n}_out" for n in states],
        )  # fmt: skip

    def latex(self, digits: int = 4) -> str:
        r"""LaTeX of ẋ = A x + B u with all entries, rounded to `digits` digits.

        >>> LinearSystem([[0.5]], [[2]], ["x"], ["F"]).latex().split(" = ")[0]
        '\\frac{d}{dt} \\begin{bmatrix} x \\end{bmatrix}'
        """
        if not isinstance(digits, Integral) or not 1 <= digits <= MOST_DIGITS:  # pyright: ignore
            raise EvaluationError(f"latex: digits must be a whole number ≥ 1, got {brief(digits)}.")
        A, B, drift = (
            bmatrix([[number_latex(float(x), int(digits)) for x in row] for row in array])
            for array in (self.A, self.B, self.drift[:, np.newaxis])
        )
        moves = float(np.abs(self.drift).max(initial=0)) > MOVES
        discrete = self.dt is not None
        return system_latex(self.states, self.inputs, A, B, drift if moves else "", discrete)

    def _repr_latex_(self) -> str | None:
        return notebook_text(self.latex())

    def __str__(self) -> str:
        largest = float(np.abs(self.drift).max(initial=0))
        drift = f", drift up to {largest:.3g}" if largest > MOVES else ""
        states, inputs = ", ".join(self.states), ", ".join(self.inputs)
        return f"{self._equation}{drift}\nstates {states}\ninputs {inputs}"

    @property
    def _equation(self) -> str:
        return "ẋ = A x + B u" if self.dt is None else f"x⁺ = A x + B u every {self.dt:g} s"

    def __repr__(self) -> str:
        states, inputs = counted(len(self.states), "state"), counted(len(self.inputs), "input")
        return f"<linear system {self._equation}: {states}, {inputs}>"


def _names(argument: str, names: Any) -> tuple[str, ...]:
    listed = None if isinstance(names, str) else items_of(names)
    if listed is None or any(not isinstance(n, str) for n in listed):
        raise EvaluationError(
            f"LinearSystem: {argument} must be a list of names, got {brief(names)}."
        )
    return tuple(listed)


def _numbers(argument: str, numbers: Any) -> Array:
    try:
        return np.asarray(numbers, dtype=np.float64)
    except (TypeError, ValueError, OverflowError, RuntimeError):  # RuntimeError: of a user's object
        raise EvaluationError(
            f"LinearSystem: {argument} must be an array of real numbers, got {brief(numbers)}."
        ) from None


def _step(dt: Any) -> float:
    try:
        step = as_float(dt)
    except (TypeError, ValueError, OverflowError):
        raise EvaluationError(f"dt must be a time step in seconds, got {brief(dt)}.") from None
    if not 0 < step < np.inf:
        raise EvaluationError(f"dt must be finite and greater than 0 s, got {step:g}.")
    return step
