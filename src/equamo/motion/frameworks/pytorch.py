"""`fast.to_torch()`: functions of a robot as PyTorch operators, with gradients."""

from __future__ import annotations

from typing import Any, final

from ...basics.wording import brief
from ...code.ir.lookup import whole_functions
from ...code.ir.parameter_derivatives import derivative_name
from ...code.jit.compiled import Compiled
from ...code.jit.origin import Equations, frame_name
from ...errors import EvaluationError, UnknownFunctionError, UnknownNameError
from ...robot.model.wrt import Wrt, check_wrt
from .framework import framework
from .pytorch_configurations import TorchConfigurations
from .pytorch_function import TorchFunction, call_while_tracing


def to_torch(fast: Compiled) -> TorchFunctions:
    """Functions of a robot for PyTorch: differentiable, batched, usable with vmap and compile.

    Gradients are exact: the backward pass of each function f is machine code for λᵀ ∂f, which has a
    backward pass too. They are with respect to coordinates; a quaternion x in q is read as x/|x|.

    Args:
        fast: Compiled functions; as a method, `fast.to_torch()`.

    Returns:
        An object with the functions of `fast` as methods. Tensors may have any leading dimensions. They
        must be all on the CPU or all on one NVIDIA GPU, all float64 or all float32.

    Raises:
        EquamoError: PyTorch is not installed.

    >>> import torch
    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.jit.compiled import compile
    >>> from equamo.robot.library import load
    >>> arm = to_torch(compile(derive(load("rr_arm"))))
    >>> q = torch.zeros(2, dtype=torch.float64, requires_grad=True)
    >>> arm.potential_energy(q).backward()
    >>> q.grad
    tensor([19.6200,  4.9050], dtype=torch.float64)
    """
    return TorchFunctions(fast, framework("torch", "to_torch()"))


@final
class TorchFunctions:
    """Functions of a robot as PyTorch operators: `arm.inverse_dynamics(q, v, vdot)` …

    Arguments are tensors whose leading dimensions are broadcast. Keywords of every function: `values=`
    is a tensor with all parameters in the order of `parameters`, or {name: number or tensor};
    `external=` a tensor or {name: number or tensor}. A function with several results returns a tuple.
    """

    fast: Compiled

    def __init__(self, fast: Compiled, torch: Any) -> None:
        self.fast, self._torch = fast, torch
        self._space = fast.eom.robot.state_space
        self._configurations = TorchConfigurations(torch, fast.eom.robot)

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters, in the order of `values`."""
        return self._space.values.names

    def parameter_values(self, dtype: Any = None) -> Any:
        """Default values of all parameters, as a tensor for `values=`; NaN for those without one.

        Args:
            dtype: torch.float64 (default) or torch.float32.
        """
        double = self._torch.float64
        chosen = double if dtype is None else dtype
        if chosen not in (double, self._torch.float32):
            raise EvaluationError(
                f"parameter_values: dtype must be torch.float64 or torch.float32, got {brief(dtype)}."
            )
        numbers = [float("nan") if x is None else float(x) for x in self._space.values.numbers]
        return self._torch.tensor(numbers, dtype=chosen)

    def function(self, name: str, frame: str | None = None) -> TorchFunction:
        """Look up a function by its name, and that of the frame for a function of a frame.

        Raises:
            UnknownNameError: Unknown function or frame.
        """
        return getattr(self, self.prepare(name, frame))

    def prepare(self, name: str, frame: str | None = None) -> str:
        """Create a function and return the name of its attribute.

        A dictionary would not do: torch.compile does not see entries added to it while tracing.
        """
        if frame is not None:
            name = self.fast.function(name, frame).name
        attribute = f"_function {name}"
        if attribute not in self.__dict__:
            made = TorchFunction(self.fast, name, self._torch, self.function)
            self.__dict__[attribute] = made
        return attribute

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        try:
            return self.function(name)
        except UnknownNameError as error:
            place = f"robot {self.fast.eom.robot.name!r}"
            raise UnknownFunctionError("function", name, error.valid, place) from None

    def __dir__(self) -> list[str]:
        origin = self.fast.function("gravity").origin
        assert isinstance(origin, Equations)
        return [*super().__dir__(), *whole_functions(self.fast.eom, origin.more)]

    # -- functions of a frame --------------------------------------------------------------------------
    def pose(self, frame: str, q: Any, **options: Any) -> Any:
        """Pose of a frame in the world, (…, 4, 4); `options` are the keywords of every function."""
        return self._of_frame("pose", frame)(q, **options)

    def jacobian(self, frame: str, q: Any, **options: Any) -> Any:
        """Jacobian of a frame's origin, (…, 6, n), angular first, in the world frame."""
        return self._of_frame("jacobian", frame)(q, **options)

    def jacobian_dot_v(self, frame: str, q: Any, v: Any, **options: Any) -> Any:
        """J̇ v of a frame's origin: its acceleration at v̇ = 0, (…, 6), angular first."""
        return self._of_frame("jacobian_dot_v", frame)(q, v, **options)

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
        flat = self._of_frame(kind if wrt == "tangent" else f"{kind}_{wrt}", frame)(q, **options)
        return flat.unflatten(-2, (rows, -1))

    def _of_frame(self, kind: str, frame: str) -> TorchFunction:
        return self.function(f"{kind}_{frame_name(self.fast.eom, frame)}")

    def derivative(self, function: str, by: Any, frame: str | None = None) -> TorchFunction:
        """Derivative of a function with respect to parameters, as a function: see `fast.derivative`."""
        whole = function if frame is None else f"{function}_{frame_name(self.fast.eom, frame)}"
        self.fast.function(whole)  # an unknown name is reported as the user wrote it
        return self.function(derivative_name(self.fast.eom, whole, by))

    # -- configurations --------------------------------------------------------------------------------
    def integrate(self, q: Any, delta: Any) -> Any:
        """q displaced by δ, (…, k): every joint moves with the constant speeds δ for one second."""
        return self._configurations.integrate(q, delta)

    def difference(self, start: Any, end: Any) -> Any:
        """Displacement δ with integrate(start, δ) = end, (…, n_u), the short way for rotations."""
        return self._configurations.difference(start, end)

    def __repr__(self) -> str:
        return f"<PyTorch operators of robot {self.fast.eom.robot.name!r}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return to_torch, (self.fast,)


call_while_tracing(TorchFunctions.prepare)
