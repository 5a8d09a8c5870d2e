"""`fast.to_jax()`: functions of a robot for JAX, with jit, vmap, jvp and grad, to any order."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from ...basics.wording import brief
from ...code.ir.lookup import whole_functions
from ...code.ir.parameter_derivatives import derivative_name
from ...code.jit.compiled import Compiled
from ...code.jit.origin import Equations, frame_name
from ...errors import EquamoError, EvaluationError, UnknownFunctionError, UnknownNameError
from ...robot.model.wrt import Wrt, check_wrt
from .framework import framework
from .jax_arrays import NUMBERS, PLACE
from .jax_configurations import JaxConfigurations
from .jax_function import JaxFunction
from .jax_primitive import Routine


def to_jax(fast: Compiled) -> JaxFunctions:
    """Functions of a robot for JAX, on the CPU and on NVIDIA GPUs.

    Args:
        fast: The compiled functions, from `eq.compile`.

    Returns:
        An object with the functions of `fast` as methods.

    Raises:
        EquamoError: JAX is not installed, or has an unsupported foreign function interface.

    >>> import equamo as eq, jax
    >>> arm = eq.compile(eq.derive(eq.load("rr_arm"))).to_jax()
    >>> energy = jax.grad(lambda q: arm.potential_energy(q))
    >>> bool(abs(energy(jax.numpy.array([0.3, 0.5])) - arm.gravity([0.3, 0.5])).max() < 1e-5)
    True
    """
    jax = framework("jax", PLACE)
    if not hasattr(jax, "ffi"):
        raise EquamoError(
            f"to_jax() needs JAX 0.5 or later, got {jax.__version__}; run pip install -U 'equamo[jax]'."
        )
    values = fast.eom.robot.state_space.values
    if fast.options.parameters == "numeric" and None in values.home:
        raise EquamoError(
            'to_jax(): every parameter must have a value with parameters="numeric", got '
            f'no value for {values.names[values.home.index(None)]!r}; compile with "symbolic".'
        )
    return JaxFunctions(fast)


@final
class JaxFunctions:
    """Functions of a robot for JAX: `arm.inverse_dynamics(q, v, vdot)` …

    Names, arguments and their order are those of `eq.compile`. A state is (n,), or (…, n) with any
    leading dimensions; `jax.vmap` works too. Keywords of every function: `values=` replaces
    default parameter values, by an array in the order of `parameters` or by {name: number}, and
    `external=` passes wrenches. Results are float64 if an argument is, otherwise float32. Derivatives
    are with respect to coordinates: a quaternion x in q is read as x/|x|.
    """

    def __init__(self, fast: Compiled) -> None:
        self.fast = fast
        self._functions: dict[tuple[str, str | None], JaxFunction] = {}
        self._configurations = JaxConfigurations(fast.eom.robot)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters, in the order of an array passed as `values`."""
        return self.fast.eom.robot.state_space.values.names

    def parameter_values(self, dtype: Any = None) -> Any:
        """Default values of all parameters, as an array for `values=`; NaN for those without one.

        Args:
            dtype: By default that of `jax.numpy.zeros`.
        """
        numbers = self.fast.eom.robot.state_space.values.numbers
        jnp = framework("jax", PLACE).numpy
        given = [float("nan") if x is None else float(x) for x in numbers]
        try:
            name = np.dtype(dtype or float).name
        except TypeError:
            name = ""
        if name not in NUMBERS:
            raise EvaluationError(
                f"parameter_values: dtype must be {' or '.join(NUMBERS)}, got {brief(dtype)}."
            )
        return jnp.array(given, dtype or float)

    def function(self, name: str, frame: str | None = None) -> JaxFunction:
        """Look up a function by its name, and that of the frame for a function of a frame."""
        self.fast.function(name, frame)  # unknown names are reported here
        key = name, frame
        if key not in self._functions:
            self._functions[key] = JaxFunction(Routine(self.fast, name, frame))
        return self._functions[key]

    def __getattr__(self, name: str) -> JaxFunction:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        try:
            found = self.function(name)
        except UnknownNameError as error:
            place = f"robot {self.fast.eom.robot.name!r}"
            raise UnknownFunctionError("compiled function", name, error.valid, place) from None
        self.__dict__[name] = found
        return found

    def __dir__(self) -> list[str]:
        origin = self.fast.function("gravity").origin
        assert isinstance(origin, Equations)
        return [*super().__dir__(), *whole_functions(self.fast.eom, origin.more)]

    def pose(self, frame: str, q: Any, **options: Any) -> Any:
        """Pose of a frame in the world, 4×4."""
        return self.function("pose", frame)(q, **options)

    def jacobian(self, frame: str, q: Any, **options: Any) -> Any:
        """Jacobian of a frame's origin, 6×n, angular first, in the world frame."""
        return self.function("jacobian", frame)(q, **options)

    def jacobian_dot_v(self, frame: str, q: Any, v: Any, **options: Any) -> Any:
        """J̇ v of a frame's origin: its acceleration at v̇ = 0, angular first."""
        return self.function("jacobian_dot_v", frame)(q, v, **options)

    def pose_derivatives(self, frame: str, q: Any, wrt: Wrt = "tangent", **options: Any) -> Any:
        """∂/∂q of the pose of a frame, (…, 4, 4, n_u); as `fast.pose_derivatives`."""
        return self._frame_derivatives("pose_derivatives", frame, q, wrt, 4, options)

    def jacobian_derivatives(self, frame: str, q: Any, wrt: Wrt = "tangent", **options: Any) -> Any:
        """∂/∂q of the Jacobian of a frame, (…, 6, n, n_u)."""
        return self._frame_derivatives("jacobian_derivatives", frame, q, wrt, 6, options)

    def _frame_derivatives(
        self, kind: str, frame: str, q: Any, wrt: Wrt, rows: int, options: dict[str, Any]
    ) -> Any:
        check_wrt(wrt, kind)
        name = frame_name(self.fast.eom, frame)
        flat = self.function(kind if wrt == "tangent" else f"{kind}_{wrt}", name)(q, **options)
        *batch, entries, columns = flat.shape
        return flat.reshape((*batch, rows, entries // rows, columns))

    def derivative(self, function: str, by: Any, frame: str | None = None) -> JaxFunction:
        """Derivative of a function with respect to parameters, as `Compiled.derivative`."""
        eom = self.fast.eom
        whole = function if frame is None else f"{function}_{frame_name(eom, frame)}"
        self.function(function, frame)
        return self.function(derivative_name(eom, whole, by))

    def integrate(self, q: Any, delta: Any) -> Any:
        """q displaced by δ, (…, k): every joint moves with the constant speeds δ for one second."""
        return self._configurations.integrate(q, delta)

    def difference(self, start: Any, end: Any) -> Any:
        """δ with integrate(start, δ) = end, (…, n_u), the short way for rotations."""
        return self._configurations.difference(start, end)

    def __repr__(self) -> str:
        return f"<functions of robot {self.fast.eom.robot.name!r} for JAX>"

    def __reduce__(self) -> tuple[Any, ...]:
        return JaxFunctions, (self.fast,)
