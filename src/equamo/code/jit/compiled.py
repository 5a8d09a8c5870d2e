"""`eq.compile`: functions of a robot as machine code in this process, compiled at first use."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any, Literal, cast, final

import numpy as np

from ...algebra.identity.prove import ERROR_BITS
from ...basics.arguments import whole_number
from ...basics.attached import METHODS, attached
from ...errors import UnknownFunctionError, UnknownNameError
from ...mechanics.certificate import Certificate
from ...mechanics.equations.configuration_space import ConfigurationSpace
from ...mechanics.equations.equations import EquationsOfMotion, expect_equations
from ...robot.model.wrt import Wrt, check_wrt
from ..ir.function import Function
from ..ir.functions import derivation_text
from ..ir.lookup import NONE, whole_functions
from ..ir.parameter_derivatives import derivative_name
from ..ir.program import DTYPES, Dtype
from ..ir.user_functions import user_functions
from . import engine
from .arrays import copy_back, flat_out
from .compiled_function import CompiledFunction
from .machine_code import Options
from .origin import Equations, frame_name


def compile(
    eom: EquationsOfMotion,
    dtype: Any = None,
    lanes: int | None = None,
    threads: int | None = None,
    cache: bool = True,
    parameters: Literal["symbolic", "numeric"] = "symbolic",
    functions: Mapping[str, Any] | None = None,
    device: str = "cpu",
    cpu: str | None = None,
) -> Compiled:
    """Compile the equations to machine code for this processor or a GPU, with LLVM; no compiler is
    needed.

    Args:
        eom: Equations of motion.
        dtype: "float32" or "float64" for all calls; by default float32 if all inputs are, else
            float64.
        lanes: States per vector in a batch; by default as many as the processor supports.
        threads: Threads for big batches; by default one per processor.
        cache: Whether to keep the machine code on disk.
        parameters: "symbolic" parameters can be changed in every call; "numeric" ones are folded in
            at their default values, for fewer instructions.
        functions: Further functions as {name: expression, vector or matrix, {result: one of these}, a
            controller, or a function from `eq.function`}; `fast.NAME` calls them.
        device: "cpu", or "cuda" ("cuda:1" …) for an NVIDIA GPU: functions then take arrays of PyTorch,
            CuPy and JAX on that device, without a copy, and return such arrays. Only the NVIDIA driver
            is needed.
        cpu: Processor to make code for: "host" (this machine's), "x86-64-v2" (no multiply-add, 128-bit
            vectors), "x86-64-v3" (AVX2), "x86-64-v4" (AVX-512) or "armv8-a". Code for a level is the
            same, byte for byte, on every machine. By default that in EQUAMO_CPU, else "host".

    Returns:
        The compiled functions; each is compiled at its first use.

    Raises:
        EquamoError: `eom` is not EquationsOfMotion, an option is not valid, or code for `cpu` cannot
            run on this machine.
        UnknownNameError: Unknown dtype, number of lanes, kind of parameters, device or processor.
        DeviceError: The GPU or its driver is missing.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> fast = compile(derive(load("rr_arm")))
    >>> fast.gravity([0, 0], values={"g": 0})
    array([0., 0.])
    >>> fast.mass_matrix(np.zeros((5, 2))).shape
    (5, 2, 2)
    >>> eom = derive(load("rr_arm"))
    >>> compile(eom, functions={"double": 2 * eom.gravity}).double([0, 0])
    array([39.24,  9.81])
    """
    expect_equations(eom, "compile")
    try:
        name = None if dtype is None else cast(Dtype, np.dtype(dtype).name)
    except Exception:  # NumPy reads almost anything as a dtype, and raises what it likes
        raise UnknownNameError("dtype", dtype, DTYPES, "compile") from None
    more = user_functions(eom, "compile", functions)
    options = Options(name, lanes, threads, cache, parameters, device, cpu)
    found = Compiled(eom, options, more)
    if options.gpu is not None:
        found.gpu(options.gpu)  # a missing device is reported now
    return found


@final
class Compiled:
    """Functions of a robot in machine code: `fast.inverse_dynamics(q, v, vdot)` …

    A state is (n,), a batch (N, n); in {name: number} the others are at `robot.home`. Keywords of every
    function: `values={name: number}` replaces defaults of parameters, `external=` gives wrenches, and
    `out=` an array for the result. A function with several results returns a tuple, and takes one as
    `out`. `packed=True` returns only the entries of matrices that can differ from zero (`eq.Packed`).
    """

    eom: EquationsOfMotion  # equations that the functions were made from
    options: Options  # type of numbers, lanes, threads, cache, processor

    def __init__(
        self, eom: EquationsOfMotion, options: Options, more: Mapping[str, Function] = NONE
    ) -> None:
        self.eom, self.options = eom, options
        self._origin = Equations(eom, more)
        self._made: dict[tuple[str, str | None], CompiledFunction] = {}
        self._frame_entries: dict[tuple[str, str], Any] = {}

    def function(self, name: str, frame: str | None = None) -> CompiledFunction:
        """Look up a function, with its `program`, `cost` and `address`.

        Args:
            name: Name of the function.
            frame: Name of the frame, for a function of a frame.

        Raises:
            UnknownNameError: Unknown function or frame.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.robot.library import load
        >>> compile(derive(load("rr_arm"))).function("pose", "fore")
        <machine code of pose_fore(q) -> T (4, 4), robot 'rr_arm'>
        """
        with engine.LOCK:
            known = isinstance(name, str) and isinstance(frame, str | None)  # pyright: ignore
            found = self._made.get((name, frame)) if known else None
            if found is None:
                found = CompiledFunction(self._origin, self.options, name, frame)
                self._made[name, frame] = found
            return found

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        method = attached(self, name)
        if method is not None:
            return method
        try:
            found = self.function(name)
        except UnknownNameError as error:
            place, valid = f"robot {self.eom.robot.name!r}", (*error.valid, *METHODS["Compiled"])
            raise UnknownFunctionError("compiled function", name, valid, place) from None
        entry = self._entry(found)
        self.__dict__[name] = entry  # the next access does not come here
        return entry

    def _entry(self, found: CompiledFunction) -> Any:
        """The callable for users: a builtin function, or a function on a GPU."""
        if self.options.gpu is None:
            return found.entry
        from .cuda.device_function import DeviceFunction

        return DeviceFunction(found, self.gpu(self.options.gpu))

    @staticmethod
    def gpu(number: int) -> Any:
        """The GPU of this number; a DeviceError says what is missing."""
        from .cuda.device import device

        return device(whole_number("gpu: number", number, 0))

    def __dir__(self) -> list[str]:
        own = self._origin.more
        return [*super().__dir__(), *whole_functions(self.eom, own), *METHODS["Compiled"]]

    def pose(self, frame: str, q: Any, **options: Any) -> Any:
        """Pose of a frame in the world, 4×4; `options` are the keywords of every function."""
        entry = self._of_frame("pose", frame)
        return entry(q, **options) if options else entry(q)  # five times faster without keywords

    def jacobian(self, frame: str, q: Any, **options: Any) -> Any:
        """Jacobian of a frame's origin, 6×n, angular first, in the world frame."""
        entry = self._of_frame("jacobian", frame)
        return entry(q, **options) if options else entry(q)

    def jacobian_dot_v(self, frame: str, q: Any, v: Any, **options: Any) -> Any:
        """J̇ v of a frame's origin: its acceleration at v̇ = 0, angular first."""
        entry = self._of_frame("jacobian_dot_v", frame)
        return entry(q, v, **options) if options else entry(q, v)

    def pose_derivatives(self, frame: str, q: Any, wrt: Wrt = "tangent", **options: Any) -> Any:
        """Derivatives of the pose of a frame with respect to q, 4×4×n_u: one 4×4 matrix per joint speed.

        Args:
            frame: Name of the frame.
            q: Coordinates, (k,) or (N, k).
            wrt: "tangent", or "coordinates" for one matrix per coordinate.
            **options: Keywords of every function.

        Returns:
            An array (4, 4, n_u), or (N, 4, 4, n_u) for a batch. With `packed=True`, the entries of the
            matrix (16, n_u), whose rows are the entries of the pose row by row.
        """
        return self._frame_derivatives("pose_derivatives", frame, q, wrt, 4, options)

    def jacobian_derivatives(self, frame: str, q: Any, wrt: Wrt = "tangent", **options: Any) -> Any:
        """Derivatives of the Jacobian of a frame with respect to q, 6×n×n_u: one 6×n matrix per joint
        speed.

        Args:
            frame: Name of the frame.
            q: Coordinates, (k,) or (N, k).
            wrt: "tangent", or "coordinates" for one matrix per coordinate.
            **options: Keywords of every function.

        Returns:
            An array (6, n, n_u), or (N, 6, n, n_u) for a batch. With `packed=True`, the entries of the
            matrix (6 n, n_u), whose rows are the entries of the Jacobian row by row.
        """
        return self._frame_derivatives("jacobian_derivatives", frame, q, wrt, 6, options)

    def _frame_derivatives(
        self, kind: str, frame: str, q: Any, wrt: Wrt, rows: int, options: dict[str, Any]
    ) -> Any:
        check_wrt(wrt, kind)
        whole = kind if wrt == "tangent" else f"{kind}_{wrt}"
        entry = self._of_frame(whole, frame)
        if options.get("packed", False) is not False:
            return entry(q, **options)  # of the matrix (entries, n_u)
        entries, columns = self.function(whole, frame_name(self.eom, frame)).shape
        shape = rows, entries // rows, columns
        out = options.pop("out", None)
        if out is not None:
            flat = flat_out(f"{kind}(frame, q)", out, shape)
            entry(q, **options, out=flat)
            copy_back(flat, out)
            return out
        found = entry(q, **options)
        return found.reshape(*found.shape[:-2], *shape)

    def derivative(self, function: str, by: Any, frame: str | None = None) -> Any:
        """Derivative of a function with respect to parameters: masses, lengths, placements, friction,
        gravity …

        Derivatives with respect to q, v, v̇, τ and inputs are separate functions, such as
        `inverse_dynamics_derivatives`.

        Args:
            function: Name of the function.
            by: Names of parameters (or of external loads), or one name.
            frame: Name of the frame, for a function of a frame.

        Returns:
            The compiled function, with the arguments of `function`. Its result has one column per
            parameter, or one matrix per parameter if `function` returns a matrix.

        Raises:
            UnknownNameError: Unknown function, parameter or frame.
            EquamoError: `by` names no parameter, or one of them twice.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.robot.library import load
        >>> fast = compile(derive(load("rr_arm")))
        >>> fast.derivative("kinetic_energy", by="I2")([0, 0], [0, 2])
        array([2.])
        """
        whole = function if frame is None else f"{function}_{frame_name(self.eom, frame)}"
        self.function(function, frame)  # an unknown name is reported as the user wrote it
        return self._entry(self.function(derivative_name(self.eom, whole, by)))

    def _of_frame(self, kind: str, frame: str) -> Any:
        try:
            return self._frame_entries[kind, frame]
        except (KeyError, TypeError):  # new, or not a name
            name = frame_name(self.eom, frame)
        entry = self._entry(self.function(kind, name))
        self._frame_entries[kind, name] = entry
        return entry

    def integrate(self, q: Any, delta: Any) -> Any:
        """q displaced by δ: every joint moves with the constant speeds δ for one second.

        Args:
            q: Configuration, (k,) or (N, k).
            delta: Displacement, (n_u,) or (N, n_u): one entry per joint speed.

        Returns:
            The configuration, (k,) or (N, k): q + δ if q̇ = v, the exponential map for quaternions.

        Raises:
            EvaluationError: A shape or a number is not valid.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.robot.library import load
        >>> compile(derive(load("rr_arm"))).integrate([1.0, 0.0], [0.5, 0.25])
        array([1.5 , 0.25])
        """
        return self.configurations.integrate(q, delta)

    def difference(self, start: Any, end: Any) -> Any:
        """Displacement δ with integrate(start, δ) = end, by the shorter rotation.

        Args:
            start: Configuration, (k,) or (N, k).
            end: Configuration, (k,) or (N, k).

        Returns:
            The displacement, (n_u,) or (N, n_u): one entry per joint speed.

        Raises:
            EvaluationError: A shape or a number is not valid.
        """
        return self.configurations.difference(start, end)

    def integrate_derivatives(self, q: Any, delta: Any, wrt: Wrt = "tangent") -> Any:
        """(∂/∂q, ∂/∂δ) of `integrate`: see `ConfigurationSpace.integrate_derivatives`."""
        return self.configurations.integrate_derivatives(q, delta, wrt)

    def difference_derivatives(self, start: Any, end: Any, wrt: Wrt = "tangent") -> Any:
        """(∂/∂start, ∂/∂end) of `difference`: see `ConfigurationSpace.difference_derivatives`."""
        return self.configurations.difference_derivatives(start, end, wrt)

    @cached_property
    def configurations(self) -> ConfigurationSpace:
        """Displacements of configurations."""
        return ConfigurationSpace(self.eom.robot)

    def certificate(self, *, error_bits: int = ERROR_BITS, seed: int | None = None) -> Certificate:
        """Prove what was compiled so far: see `code/jit/certificate.py` for each line.

        Args:
            error_bits: n for a probability of a wrong verdict of at most 2⁻ⁿ, all lines together.
            seed: Seed of the random points; by default they are different every time.

        Returns:
            The certificate. It can be saved, and `eq.check_file` proves all of it again.

        Raises:
            EquamoError: If no function has been compiled yet.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.robot.library import load
        >>> fast = compile(derive(load("rr_arm")))
        >>> _ = fast.gravity([0, 0])
        >>> [line.name for line in fast.certificate().lines]
        ['gravity: program = equations', 'gravity, float64: constants rounded once',
         'gravity, float64: LLVM IR = program']
        """
        from .certificate import certify

        with engine.LOCK:
            codes = {c.source.name: c for f in self._made.values() for c in f.codes}
            return certify(self.eom, list(codes.values()), error_bits, seed)

    def __repr__(self) -> str:
        usual = asdict(Options())
        chosen = {n: x for n, x in asdict(self.options).items() if x not in (usual[n], None)}
        more = "".join(f", {n}={x!r}" for n, x in chosen.items())
        source = derivation_text(self.eom)
        return f"<machine code of robot {self.eom.robot.name!r} by {source}{more}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Compiled, (self.eom, self.options, dict(self._origin.more))
