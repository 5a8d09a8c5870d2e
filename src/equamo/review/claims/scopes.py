"""Scopes: the meaning of names in formulas of the document, in quantities of the robot, or alone."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import final

from ...algebra.expr import Expr, symbol
from ...algebra.expr.walk import symbols
from ...basics.wording import brief
from ...errors import EquamoError, ParseError, UnknownNameError
from ...robot.model.parameter import Parameter
from ...robot.model.robot import Robot
from .claim import Formula
from .evaluation import Evaluation, Scope
from .quantities import NAMES, Quantities
from .syntax import Node
from .values import Value, replaced

Read = Callable[[Formula, Scope], Value]


def symbols_of_robot(robot: Robot) -> dict[str, Expr]:
    """{name: symbol} of all symbols of a robot."""
    return {
        x.name: x
        for x in (
            *robot.joint_coordinates, *robot.joint_speeds, *robot.joint_accelerations,
            *robot.q, *robot.v, *robot.vdot, *robot.inputs, *robot.external, *robot.parameters,
        )
    }  # fmt: skip


@final
class PlainScope(Scope):
    """Scope without a robot: every name is a symbol."""

    def name(self, name: str) -> Value:
        return symbol(name)

    def quantity(self, node: Node, evaluation: Evaluation) -> Value:
        raise ParseError(f"the quantity {brief(node.value)} needs a robot.", node.position)

    def rates(self) -> Mapping[Expr, Expr]:
        return {}


@final
class RobotScope(Scope):
    """Scope of the robot's symbols and quantities, and of constants defined by the document."""

    quantities: Quantities

    def __init__(
        self, quantities: Quantities, rates: Mapping[Expr, Expr],
        defined: Callable[[str], Value | None], image: Callable[[], Mapping[Expr, Expr]],
    ) -> None:  # fmt: skip
        self.quantities, self._rates, self._defined = quantities, rates, defined
        self._image = image  # {symbol of the robot: the document's expression}
        self.symbols: dict[str, Expr] = symbols_of_robot(quantities.eom.robot)

    def is_quantity(self, name: str) -> bool:
        return name in NAMES and name not in self.symbols

    def name(self, name: str) -> Value:
        if name in self.symbols:
            return self.symbols[name]
        value = self._defined(name)
        if value is None:
            own = [x.name for x, y in self._image().items() if symbol(name) in symbols([y])]
            if own:
                raise EquamoError(
                    f"{brief(name)} is a symbol of the document; a quantity must be written in the "
                    f"robot's symbols, here {brief(own[0])}."
                )
            raise UnknownNameError("symbol, quantity or definition", name, (*self.symbols, *NAMES))
        return value

    def renamed(self, name: str) -> Expr | None:
        """The document's expression for a symbol of the robot; None if the document has none."""
        return self._image().get(self.symbols[name]) if name in self.symbols else None

    def quantity(self, node: Node, evaluation: Evaluation) -> Value:
        return self.quantities.value(node, evaluation.within(self))

    def rates(self) -> Mapping[Expr, Expr]:
        return self._rates

    def is_constant(self, x: Expr) -> bool:
        return x in self._constants

    @cached_property
    def _constants(self) -> frozenset[Expr]:
        """Parameters, but not those of a prescribed motion, and no `t` that may be the time."""
        robot = self.quantities.eom.robot
        may_be_time = robot.parameter_info.get("t") == Parameter("t")
        moving = {*symbols(robot.base.expressions()), *([symbol("t")] if may_be_time else [])}
        return frozenset(robot.parameters) - moving

    def constants_of_document(self) -> frozenset[Expr]:
        """Symbols of the document that stand for parameters of the robot."""
        image = self._image()
        return frozenset(symbols([image.get(x, x) for x in self._constants]))


@final
class PaperScope(Scope):
    """Scope of the document's symbols, abbreviations, general vectors and named claims.

    `overrides` takes precedence: values of named claims other than the printed ones. With `opaque`,
    scalar abbreviations remain symbols, and `abbreviations` has their values.
    """

    def __init__(
        self, definitions: Mapping[str, Formula], named: Mapping[str, Callable[[], Value]],
        declared: Mapping[str, Value], rates: Callable[[], Mapping[Expr, Expr]],
        robot: Callable[[], RobotScope] | None, image: Callable[[Value], Value], read: Read,
        known: Callable[[], Collection[str]], declared_names: Callable[[], Collection[str]],
        overrides: Mapping[str, Value] | None = None, opaque: bool = False,
    ) -> None:  # fmt: skip
        self._definitions, self._named, self._declared = definitions, named, declared
        self._rates, self._robot, self._image, self._read = rates, robot, image, read
        self._known, self._declared_names = known, declared_names
        self._overrides = dict(overrides or {})
        self._values: dict[str, Value] = {}
        self._open: list[str] = []
        self.opaque = opaque
        self.abbreviations: dict[Expr, Expr] = {}
        self.used: set[str] = set()  # named claims that were looked up

    def with_values(self, overrides: Mapping[str, Value], opaque: bool = False) -> PaperScope:
        """Copy of the scope with other values for some names."""
        return PaperScope(
            self._definitions, self._named, self._declared, self._rates, self._robot, self._image,
            self._read, self._known, self._declared_names, {**self._overrides, **overrides}, opaque,
        )  # fmt: skip

    def defined(self, name: str) -> Value | None:
        """Value that the document defines for a name; None for a plain symbol."""
        if name in self._overrides:
            self.used.add(name)
            return self._overrides[name]
        if name in self._named:
            self.used.add(name)
            return self._named[name]()
        if name in self._definitions:
            return self._definition(name)
        return self._declared.get(name)

    def name(self, name: str) -> Value:
        value = self.defined(name)
        if value is None:
            # A misspelt symbol is a constant to `diff`, and would make false equations true. Without a
            # robot there is nothing to compare names with.
            if self._robot is not None and name not in self._known():
                if (other := self._robot().renamed(name)) is not None:
                    raise EquamoError(
                        f"{brief(name)} is a symbol of the robot; printed formulas must be written in "
                        f"the document's symbols, here {brief(str(other))}."
                    )
                unknown = UnknownNameError("symbol", name, sorted(self._known()), "the document")
                raise EquamoError(f"{unknown} List a new symbol in `known`.")
            return symbol(name)
        if self.opaque and name in self._definitions and isinstance(value, Expr):
            self.abbreviations[symbol(name)] = value
            return symbol(name)
        return value

    def is_merely_known(self, x: Expr) -> bool:
        return x.name not in self._declared_names()

    def _definition(self, name: str) -> Value:
        if name not in self._values:
            if name in self._open:
                circle = " → ".join([*self._open[self._open.index(name) :], name])
                raise EquamoError(f"Definitions must not depend on themselves, got {circle}.")
            self._open.append(name)
            try:
                value = self._read(self._definitions[name], self)
            finally:
                self._open.pop()
            if self.opaque:  # expand abbreviations inside an abbreviation
                value = replaced(value, self.abbreviations)
            self._values[name] = value
        return self._values[name]

    def quantity(self, node: Node, evaluation: Evaluation) -> Value:
        if self._robot is None:
            raise ParseError(
                f"the quantity {brief(node.value)} needs a robot; set `robot`.",
                node.position,
            )
        return self._image(self._robot().quantity(node, evaluation))

    def rates(self) -> Mapping[Expr, Expr]:
        return self._rates()

    def is_constant(self, x: Expr) -> bool:
        return self._robot is not None and x in self._robot().constants_of_document()
