"""LinearSystem: ẋ = A x + B u + drift near an operating point, or its discrete form."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from math import isfinite
from numbers import Integral
from typing import TYPE_CHECKING, Any, Final, cast, final

from ...algebra.arrays import np
from ...algebra.expr.printing.latex_arrays import bmatrix
from ...algebra.expr.printing.latex_number import number_latex
from ...basics.arguments import as_float, items_of
from ...basics.wording import brief, counted
from ...errors import EvaluationError, ShapeError, UnknownNameError
from .balls import ball, from_floats, to_floats, with_enough_bits
from .listed_names import listed_names
from .operating_point import Array, OperatingPoint
from .precise_system import Given, PreciseSystem, Restated, Sampled, held
from .state_chart import StateChart, rate_near, state_sizes
from .system_latex import notebook_text, system_latex

if TYPE_CHECKING:
    from .controllability import Controllability
    from .transfer_function import TransferFunction

FEW: Final = 2  # attempts to evaluate a source, which may have a function without a value in balls
SAME: Final = 1e-6  # largest difference from the exact matrices, as a fraction of the largest entry
MOVES: Final = 1e-9  # a drift above this fraction of the rates of the states is shown
MOST_DIGITS: Final = 17  # a double has no more


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
    # where A and B come from, with copies of them: see `precise_form`
    _source: tuple[PreciseSystem, Array, Array] | None = field(default=None, init=False, repr=False)

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

    def _moves(self) -> bool:
        """Whether the drift is more than rounding."""
        return bool(drifting(self, MOVES).any())

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
        m = self.B.shape[1]
        forced = [[*b, d] for b, d in zip(self.B.tolist(), self.drift.tolist(), strict=True)]

        def rows() -> list[list[float]]:
            A, B = from_floats(self.A), from_floats(forced)
            return to_floats(held(A, B, ball(step)))

        n = len(self.states)
        found = with_enough_bits(rows)
        if not all(isfinite(x) for row in found for x in row):
            raise EvaluationError(
                f"discrete: the states must stay below 1.8e308 during a step, got dt={step:g} s and the "
                f"pole {complex(max(self.poles, key=np.real)):.3g}; choose a smaller dt."
            )
        moved = np.array(found).reshape(n, n + m + 1)
        parts = moved[:, :n], moved[:, n : n + m], moved[:, n + m]
        system = replace(self, A=parts[0], B=parts[1], drift=parts[2], dt=step)
        return _from(system, Sampled(precise_form(self), self.states, step))

    def in_terms_of(self, states: Mapping[str, Any] | Iterable[str]) -> LinearSystem:
        """The system in other states, or in some of its own.

            lin.in_terms_of({"x": "R*(theta_L + theta_R)/2", "psi": "psi", "lean": "q_imu", …})

        Args:
            states: {name: expression in q, v and parameters}, linearized at the operating point; or
                names of states of this system. Their rates must depend on these states and the inputs
                only; this is decided by the equations of the robot, however small a dependence is.

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
        source = Restated(precise_form(self), tuple(table), tuple(table.values()))
        dependence = with_enough_bits(source.dependence)
        if dependence is not None:
            i, j = dependence
            raise EvaluationError(
                f"in_terms_of: the rates of {', '.join(table)} must depend on these states only, but "
                f"the rate of {list(table)[i]!r} depends on {self.states[j]!r}; keep it too."
            )
        own = {e for e in table.values() if isinstance(e, str) and e in self.states}
        if len(own) == len(table):
            A, B = T @ self.A @ T.T, T @ self.B  # some of the entries, as they are
        else:
            rows = with_enough_bits(lambda: [to_floats(x) for x in source.matrices()])
            A, B = np.array(rows[0]), np.array(rows[1]).reshape(len(table), len(self.inputs))
        drift = T @ self.drift
        system = replace(self, A=A, B=B, drift=drift, states=tuple(table), chart=chart)
        return _from(system, source)

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

    def response(self, input: str, output: Any, s: Any) -> Any:
        """Value of a transfer function at complex numbers, by solving (s 1 − A) x = b.

        Args:
            input: Name of an input.
            output: Name of a state, or an expression in q, v and parameters, linearized at the point.
            s: One number or several; 2j is the frequency 2 rad/s. In discrete time this is z.

        Returns:
            A complex number, or an array of them, with the accuracy of A and B.

        Raises:
            UnknownNameError: Unknown input, or an unknown name in the output.
            EvaluationError: s is a pole, or not a finite number.

        >>> double = LinearSystem([[0, 1], [0, 0]], [[0], [2]], ["x", "v"], ["f"])
        >>> double.response("f", "x", 2j)
        (-0.5+0j)
        """
        from .numeric_transfer_function import response

        return response(self, input, output, s)

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
        discrete = self.dt is not None
        return system_latex(
            self.states, self.inputs, A, B, drift if self._moves() else "", discrete
        )

    def _repr_latex_(self) -> str | None:
        return notebook_text(self.latex())

    def __str__(self) -> str:
        largest = float(np.abs(self.drift).max(initial=0))
        drift = f", drift up to {largest:.3g}" if self._moves() else ""
        states, inputs = ", ".join(self.states), ", ".join(self.inputs)
        return f"{self._equation}{drift}\nstates {states}\ninputs {inputs}"

    @property
    def _equation(self) -> str:
        return "ẋ = A x + B u" if self.dt is None else f"x⁺ = A x + B u every {self.dt:g} s"

    def __repr__(self) -> str:
        states, inputs = counted(len(self.states), "state"), counted(len(self.inputs), "input")
        return f"<linear system {self._equation}: {states}, {inputs}>"


def structured(lin: LinearSystem, source: PreciseSystem) -> LinearSystem:
    """The system with exact zeros, and with the source of its matrices if that can be evaluated."""
    try:
        exact = with_enough_bits(source.matrices, attempts=FEW)
    except EvaluationError:
        return lin
    parts: list[Array] = []
    for array, rows in zip((lin.A, lin.B), exact, strict=True):
        found = np.array(to_floats(rows)).reshape(array.shape)
        if np.abs(found - array).max(initial=0) > SAME * np.abs(array).max(initial=0):
            return lin
        pairs = zip(array.tolist(), rows, strict=True)
        cleaned = [[0.0 if y.is_zero() else x for x, y in zip(a, b, strict=True)] for a, b in pairs]
        parts.append(np.array(cleaned).reshape(array.shape))
    return _from(replace(lin, A=parts[0], B=parts[1]), source)


def _from(lin: LinearSystem, source: PreciseSystem) -> LinearSystem:
    """The same system, which remembers where its matrices come from."""
    object.__setattr__(lin, "_source", (source, lin.A.copy(), lin.B.copy()))
    return lin


def precise_form(lin: LinearSystem) -> PreciseSystem:
    """Exact form of a system: that of its source, or of its matrices if they were changed since."""
    remembered = lin._source  # pyright: ignore[reportPrivateUsage]
    if remembered is not None:
        source, A, B = remembered
        if A.tolist() == lin.A.tolist() and B.tolist() == lin.B.tolist():
            return source
    return Given(lin.A, lin.B, lin.states, lin.chart)


def characteristic_rate(lin: LinearSystem) -> float:
    """How fast a system changes: its largest pole, or the rate of the robot [1/s]."""
    own = 0.0 if lin.chart is None else rate_near(lin.chart)
    poles = np.abs(lin.poles) if lin.dt is None else np.zeros(0)
    return max(own, float(poles.max(initial=0)))


def drifting(lin: LinearSystem, share: float) -> Array:
    """Whether the drift of each state is more than a share of its characteristic rate."""
    rate, drift = characteristic_rate(lin), np.abs(lin.drift)
    sizes = np.ones(len(drift)) if lin.chart is None else state_sizes(lin.chart, rate)
    per_step = rate if lin.dt is None else min(1.0, rate * lin.dt)
    return np.asarray(drift > share * per_step * sizes)


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
        if type(dt).__name__ in ("bool", "bool_"):  # also of NumPy; float(True) is 1
            raise TypeError
        step = as_float(dt)
    except (TypeError, ValueError, OverflowError):
        raise EvaluationError(f"dt must be a time step in seconds, got {brief(dt)}.") from None
    if not 0 < step < np.inf:
        raise EvaluationError(f"dt must be finite and greater than 0 s, got {step:g}.")
    return step
