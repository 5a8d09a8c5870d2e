"""`fast.to_casadi()`: functions of a robot for CasADi, with exact derivatives of any order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isnan
from pathlib import Path
from typing import Any, cast, final

from ...basics.wording import brief
from ...code.ir.lookup import whole_functions
from ...code.ir.program import Argument
from ...code.jit.compiled import Compiled
from ...code.jit.compiled_function import CompiledFunction
from ...code.jit.machine_code import DEFAULTS
from ...code.jit.origin import Equations
from ...errors import EvaluationError, UnknownFunctionError, UnknownNameError
from ...mechanics.equations.state_reader import Reader, no_value
from .arguments import arguments_by_name
from .casadi_arguments import check_together, column, entries
from .casadi_external import external
from .casadi_graph import graph
from .framework import framework


def to_casadi(fast: Compiled) -> CasadiFunctions:
    """Functions of a robot for CasADi, as graphs that CasADi differentiates.

    Each is a `casadi.Function` built from the program that `fast` compiles, so Jacobians and Hessians
    are exact, and no compiler is needed. `external` returns the same functions as compiled C, whose
    derivatives are separate programs.

    Args:
        fast: The compiled functions. With `parameters="numeric"`, parameter values are constants here
            too.

    Returns:
        An object with the functions of `fast` as methods.

    Raises:
        EquamoError: CasADi is not installed.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.jit.compiled import compile
    >>> from equamo.robot.library import load
    >>> arm = to_casadi(compile(derive(load("rr_arm"))))
    >>> arm.gravity([0, 0])
    DM([19.62, 4.905])
    >>> import casadi
    >>> q = casadi.SX.sym("q", 2)
    >>> casadi.jacobian(arm.gravity(q), q).shape
    (2, 2)
    """
    return CasadiFunctions(fast, framework("casadi", "to_casadi()"))


@final
class CasadiFunctions:
    """Functions of a robot in CasADi: `arm.inverse_dynamics(q, v, vdot)` …

    Arguments are numbers, DM, SX or MX: columns of n entries; n×N is a batch, one state per column.
    `values=` replaces default parameter values, by a vector in their order or as {name: expression};
    `external=` passes wrenches in the same way. Derivatives are with respect to coordinates: functions
    of a unit quaternion x are those of x/|x|.
    """

    fast: Compiled
    casadi: Any

    def __init__(self, fast: Compiled, casadi: Any) -> None:
        self.fast, self.casadi = fast, casadi
        self._made: dict[tuple[str, str | None], Any] = {}

    @property
    def parameters(self) -> tuple[str, ...]:
        """Names of the parameters, in the order of `values`."""
        return self.fast.eom.robot.state_space.values.names

    def parameter_values(self) -> Any:
        """Default values of all parameters, as a DM for `values=`; NaN for those without one."""
        numbers = self.fast.eom.robot.state_space.values.numbers
        return self.casadi.DM([float("nan") if x is None else float(x) for x in numbers])

    def function(self, name: str, frame: str | None = None) -> Any:
        """The `casadi.Function` of this name; wrenches and parameters are its last arguments.

        Args:
            name: Name of a function of `fast`.
            frame: Name of the frame, for a function of a frame.

        Raises:
            UnknownNameError: Unknown function or frame.

        >>> from equamo.mechanics.equations import derive
        >>> from equamo.code.jit.compiled import compile
        >>> from equamo.robot.library import load
        >>> to_casadi(compile(derive(load("rr_arm")))).function("inverse_dynamics")
        Function(inverse_dynamics:(q[2],v[2],vdot[2],parameters[8])->(tau[2]) SXFunction)
        """
        source = self.fast.function(name, frame)  # unknown names are reported here
        if (name, frame) not in self._made:
            groups = self.fast.eom.robot.unit_groups
            self._made[name, frame] = graph(self.casadi, source.program, groups)
        return self._made[name, frame]

    def external(
        self,
        name: str,
        frame: str | None = None,
        *,
        folder: str | Path | None = None,
        compiler: str | None = None,
        flags: Sequence[str] = ("-O1",),
        prove: bool = True,
    ) -> Any:
        """The function as C (`generate(to="casadi")`), compiled and loaded by `casadi.external`.

        Its arguments and results are those of `function`. Its Jacobian, adjoint and Hessian are
        functions of the library as well: faster than a graph that CasADi differentiates and interprets.

        Args:
            name: Name of a function of `fast`.
            frame: Name of the frame, for a function of a frame.
            folder: Where the C file and the library are kept; by default in a temporary folder.
            compiler: Command of a C compiler; by default the first of cc, gcc and clang that is
                installed.
            flags: Options for the compiler.
            prove: Whether to prove the robot, the programs and the text.

        Returns:
            A `casadi.Function`; use it with MX.

        Raises:
            EquamoError: There is no compiler, or it fails.
            UnknownNameError: Unknown function or frame.
        """
        source = self.fast.function(name, frame)
        own = source.origin.own(name)
        return external(
            self.casadi,
            self.fast.eom,
            source.name,
            None if own is None else {name: own},
            parameters=self.fast.options.parameters,
            folder=folder,
            compiler=compiler,
            flags=flags,
            prove=prove,
        )

    def __getattr__(self, name: str) -> CasadiCall:
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        try:
            self.fast.function(name)
        except UnknownNameError as error:
            place = f"robot {self.fast.eom.robot.name!r}"
            raise UnknownFunctionError("function", name, error.valid, place) from None
        return CasadiCall(self, name)

    def __dir__(self) -> list[str]:
        origin = self.fast.function("gravity").origin
        assert isinstance(origin, Equations)
        return [*super().__dir__(), *whole_functions(self.fast.eom, origin.more)]

    def pose(self, frame: str, q: Any, **options: Any) -> Any:
        """Pose of a frame in the world, 4×4; `options` are the keywords of every function."""
        return CasadiCall(self, "pose", frame)(q, **options)

    def jacobian(self, frame: str, q: Any, **options: Any) -> Any:
        """Jacobian of a frame's origin, 6×n, angular first, in the world frame."""
        return CasadiCall(self, "jacobian", frame)(q, **options)

    def jacobian_dot_v(self, frame: str, q: Any, v: Any, **options: Any) -> Any:
        """J̇ v of a frame's origin: its acceleration at v̇ = 0, angular first."""
        return CasadiCall(self, "jacobian_dot_v", frame)(q, v, **options)

    def __repr__(self) -> str:
        return f"<CasADi functions of robot {self.fast.eom.robot.name!r}>"


@final
class CasadiCall:
    """A function of a robot that takes CasADi's numbers and expressions."""

    owner: CasadiFunctions
    name: str
    frame: str | None

    def __init__(self, owner: CasadiFunctions, name: str, frame: str | None = None) -> None:
        self.owner, self.name, self.frame = owner, name, frame

    def __call__(self, *given: Any, values: Any = None, external: Any = None, **named: Any) -> Any:
        """Call the function; several results are a tuple."""
        name = self._variant(named)
        if name != self.name:
            other = CasadiCall(self.owner, name, self.frame)
            return other(*given, values=values, external=external, **named)
        source = self.owner.fast.function(name, self.frame)
        sizes = {a.name: len(a) for a in source.source.arguments}
        call = f"{self.name}({', '.join(source.states)})"
        chosen = arguments_by_name(call, source.states, given, named)
        arguments = {n: self._column(n, sizes[n], x) for n, x in chosen.items()}
        table = {"external": external, "parameters": values}
        for n in DEFAULTS:
            if n in sizes:
                arguments[n] = self._defaults(source, n, table[n])
            elif table[n] is not None:
                word = "values" if n == "parameters" else n
                raise EvaluationError(
                    f"{self.name}: {word} must be left out, because the function has no such "
                    f"arguments, got {brief(table[n])}."
                )
        shown = {"values" if n == "parameters" else n: x for n, x in arguments.items()}
        check_together(self.name, shown)
        return self.owner.function(name, self.frame)(*arguments.values())

    def _variant(self, named: dict[str, Any]) -> str:
        """Name of the function selected by the keywords, which are then removed."""
        source = self.owner.fast.function(self.name, self.frame)
        chosen = dict.fromkeys(n for n in named if n != "packed")  # graphs have no packed form
        return source.variant_name({**chosen, "wrt": named.pop("wrt", "tangent")})

    def _defaults(self, source: CompiledFunction, name: str, x: Any) -> Any:
        """External loads or parameters, with defaults for those that are not passed."""
        (argument,) = (a for a in source.source.arguments if a.name == name)
        reader = Reader(self.name, source.origin.part(argument))
        if x is not None and not isinstance(x, Mapping):
            return self._column(reader.name, reader.part.size, x)
        table = cast(Mapping[Any, Any], x or {})
        given = {
            reader.entry(k): self._column(f"{reader.name}[{k!r}]", 1, e) for k, e in table.items()
        }
        numbers = dict(zip(reader.part.names, reader.default(), strict=True))
        used = self._used(source, argument)
        missing = [n for n in used if isnan(numbers[n]) and n not in given]
        if missing:
            raise no_value(self.name, source.origin.name, missing)
        return entries(self.owner.casadi, self.name, given, numbers)

    def _column(self, name: str, size: int, x: Any) -> Any:
        return column(self.owner.casadi, self.name, name, size, x)

    def _used(self, source: CompiledFunction, argument: Argument) -> list[str]:
        """Names of those entries of an argument that the program reads."""
        place = source.source.arguments.index(argument)
        read = {x.leaf for x in source.program.instructions}
        return [s.name for k, s in enumerate(argument.symbols) if (place, k) in read]
