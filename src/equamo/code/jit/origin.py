"""Origin of compiled functions: the equations of a robot, or any expressions."""

from __future__ import annotations

import hashlib
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Final, final

from ..._version import __version__
from ...algebra.expr import as_expr, symbol
from ...errors import UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.formats.json_file import digest
from ...robot.model.arguments import Number
from ...robot.model.state_space import StatePart
from ...robot.model.storage import robot_to_data
from ..ir.differentials import split_differential
from ..ir.expressions import Expressions
from ..ir.function import Function, Names
from ..ir.functions import FRAME_FUNCTIONS, frames
from ..ir.lookup import NONE, function_named, whole_functions
from ..ir.non_smooth import remarks
from ..ir.packing import SUFFIX, packed
from ..ir.parameter_derivatives import split_names
from ..ir.program import Argument
from ..ir.user_functions import expressions_of
from . import engine

LAYERS: Final = (  # packages that `jit` and `motion` import: their sources determine the machine code
    "algebra/arrays", "algebra/expr", "algebra/identity", "robot/spatial", "robot/model",
    "robot/formats", "robot/library", "mechanics/kinematics", "mechanics/recursions",
    "mechanics/formulations", "mechanics/equations", "mechanics/certificate", "code/ir", "code/jit",
    "code/steps", "motion/simulation",
)  # fmt: skip


class Origin(ABC):
    """Origin of compiled functions: finds them by name and knows their arguments."""

    name: str  # of the robot; empty without one

    @abstractmethod
    def function(self, kind: str, frame: str | None) -> Function:
        """Look up a function; UnknownNameError if it does not exist."""

    @abstractmethod
    def has(self, kind: str) -> bool:
        """Whether a function of this name exists."""

    @abstractmethod
    def part(self, argument: Argument) -> StatePart:
        """Names and defaults of the numbers of an argument."""

    @cached_property
    @abstractmethod
    def values(self) -> StatePart:
        """All parameters."""

    @cached_property
    @abstractmethod
    def data(self) -> dict[str, Any]:
        """Plain data that determine a program, with the name of a function and its `own`."""

    @abstractmethod
    def own(self, kind: str) -> Expressions | None:
        """Expressions of a function that is not built in."""

    @abstractmethod
    def own_name(self, kind: str) -> str | None:
        """Name of the user's function behind a function or its derivative."""

    @abstractmethod
    def remarks(self, function: Function) -> tuple[str, ...]:
        """Remarks on a derivative at jumps."""

    @property
    def title(self) -> str:
        """Title in descriptions: robot 'arm'"""
        return f"robot {self.name!r}" if self.name else "expressions"


@final
class Equations(Origin):
    """Equations of a robot, and functions that the user has added."""

    eom: EquationsOfMotion
    more: Mapping[str, Function]
    name: str

    def __init__(self, eom: EquationsOfMotion, more: Mapping[str, Function] = NONE) -> None:
        self.eom, self.more, self.name = eom, more, eom.robot.name

    def function(self, kind: str, frame: str | None) -> Function:
        of_frame = isinstance(kind, str) and kind.removesuffix(SUFFIX) in FRAME_FUNCTIONS  # pyright: ignore[reportUnnecessaryIsInstance]
        if of_frame:
            frame = frame_name(self.eom, frame)
        return function_named(self.eom, kind, frame, self.more, "compiled function")

    def has(self, kind: str) -> bool:
        return kind in whole_functions(self.eom, self.more)

    def part(self, argument: Argument) -> StatePart:
        space = self.eom.robot.state_space
        if argument.name == "parameters":
            return space.values.only(argument.symbols)
        for part in (space.q, space.v, space.vdot, space.inputs, space.external):
            if part.argument == argument.name and part.symbols == argument.symbols:
                return part
        return StatePart.of_zeros(argument.name, "entry", argument.symbols)

    @cached_property
    def values(self) -> StatePart:
        return self.eom.robot.state_space.values

    @cached_property
    def data(self) -> dict[str, Any]:
        eom, d = self.eom, self.eom.derivation
        derived = [*d.mass_matrix.entries, *d.bias, *d.gravity]
        derived += [x for f in d.forces.values() for x in f]
        steps = eom.replaced.steps if eom.replaced else ()
        return {
            "version": [__version__, sources(), engine.version()],
            "robot": digest(robot_to_data(eom.robot)),
            "equations": [eom.by, eom.coriolis, digest([e.h for e in derived])],
            "replaced": [[(_text(k), _text(x)) for k, x in step.items()] for step in steps],
        }

    def own(self, kind: str) -> Expressions | None:
        name = self.own_name(kind)
        return None if name is None else expressions_of(self.more[name])

    def own_name(self, kind: str) -> str | None:
        for name in (kind, kind.removesuffix(SUFFIX)):
            if name in self.more:
                return name
            for parts in (split_differential(name), *split_names(self.eom, name)):
                found = None if parts is None else self.own_name(parts[0])
                if found is not None:
                    return found
        return None

    def remarks(self, function: Function) -> tuple[str, ...]:
        return remarks(function, self.eom)

    def __reduce__(self) -> tuple[Any, ...]:
        return Equations, (self.eom, dict(self.more))


@final
class Formulas(Origin):
    """Expressions without a robot, as one function."""

    kind: str
    expressions: Expressions
    given: Mapping[str, Number]
    name: str

    def __init__(self, kind: str, expressions: Expressions, values: Mapping[str, Number]) -> None:
        self.kind, self.expressions, self.given, self.name = kind, expressions, values, ""
        rest = Argument("parameters", expressions.rest)
        arguments = (*expressions.arguments, *([rest] if len(rest) else []))
        ways, stated = (expressions.values,), expressions.stated
        results = expressions.results
        self._function = Function(kind, arguments, results, ways, _no_names, specified=stated)

    def function(self, kind: str, frame: str | None) -> Function:
        if kind == self.kind and frame is None:
            return self._function
        if kind == self.kind + SUFFIX and frame is None:
            return self._packed
        raise UnknownNameError("function", kind, [self.kind], "expressions")

    @cached_property
    def _packed(self) -> Function:
        return packed(self._function)

    def has(self, kind: str) -> bool:
        return kind == self.kind

    def part(self, argument: Argument) -> StatePart:
        if argument.name == "parameters":
            return self.values.only(argument.symbols)
        return StatePart.of_zeros(argument.name, "entry", argument.symbols)

    @cached_property
    def values(self) -> StatePart:
        symbols = self.expressions.rest
        home = tuple(self.given.get(s.name) for s in symbols)
        units, limits = ("",) * len(symbols), ((None, None),) * len(symbols)
        return StatePart("values", "parameter", symbols, home, units, limits)

    @cached_property
    def data(self) -> dict[str, Any]:
        return {
            "version": [__version__, sources(), engine.version()],
            "expressions": digest(self.expressions.to_data()),
            "values": [None if x is None else str(x) for x in self.values.home],
        }

    def own(self, kind: str) -> Expressions | None:
        return self.expressions

    def own_name(self, kind: str) -> str | None:
        return self.kind

    def remarks(self, function: Function) -> tuple[str, ...]:
        return ()

    def __reduce__(self) -> tuple[Any, ...]:
        return Formulas, (self.kind, self.expressions, dict(self.given))


def frame_name(eom: EquationsOfMotion, frame: object) -> str:
    """Check the name of a frame, and return it."""
    choices = frames(eom)
    if not isinstance(frame, str) or frame not in choices:
        raise UnknownNameError("frame", frame, choices, f"robot {eom.robot.name!r}")
    return frame


@cache
def sources() -> str:
    """Digest of the source files that determine the machine code."""
    found = hashlib.sha256()
    package = Path(__file__).parents[2]
    for layer in LAYERS:
        for path in sorted((package / layer).rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()


def _text(x: Any) -> str:
    return str(symbol(x) if isinstance(x, str) else as_expr(x))


def _no_names() -> Names:
    return {}
