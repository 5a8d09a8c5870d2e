"""Names of a package: the robot, its functions, and the inputs and results of a user's functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import final

from ...robot.model import Robot
from ..ir.function import Function
from ..ir.program import Argument
from ..ir.user_functions import GROUPS
from .names import ARGUMENTS, field_names, package_name, routine_names


@final
@dataclass(frozen=True)
class PackageNames:
    """What everything is called in generated code; the same in all languages.

    >>> from equamo.algebra.expr import symbol
    >>> from equamo.code.ir.function import Result
    >>> from equamo.robot.library import load
    >>> x = Argument("for", (symbol("a"),), is_number=True)
    >>> f = Function("real", (x,), (Result("y", ()),), (), dict, specified=lambda: symbol("a"))
    >>> names = PackageNames.of(load("rr_arm"), [f])
    >>> names.package, names.functions, [a.name for a in names.renamed(f).arguments]
    ('rr_arm', {'real': 'real_2'}, ['for_'])
    >>> list(names.remarks())
    ["Renamed: function 'real' is real_2, 'for' is for_."]
    """

    robot: str
    package: str
    functions: Mapping[str, str]
    fields: Mapping[str, str]  # inputs and results of a user's functions

    @staticmethod
    def of(robot: Robot, functions: Iterable[Function]) -> PackageNames:
        """Names for the given functions of a robot."""
        functions = list(functions)
        package = package_name(robot.name)
        own = [f for f in functions if f.specified is not None]
        inputs = dict.fromkeys(a.name for f in own for a in _inputs(f))
        results = (y.name for f in own for y in f.results if y.name not in ARGUMENTS)
        fields = field_names((*inputs, *results), package)
        further = {x.name for f in functions for x in (*f.arguments, *f.results)}
        taken = {fields.get(n, n) for n in further}
        called = routine_names((f.name for f in functions), package, taken)
        return PackageNames(robot.name, package, called, fields)

    def renamed(self, f: Function) -> Function:
        """The function with these names of its inputs and results."""
        if f.specified is None:
            return f
        inputs = {a.name for a in _inputs(f)}
        arguments = (
            replace(a, name=self.fields[a.name]) if a.name in inputs else a for a in f.arguments
        )
        results = (replace(y, name=self.fields.get(y.name, y.name)) for y in f.results)
        return replace(f, arguments=tuple(arguments), results=tuple(results))

    def remarks(self) -> Iterator[str]:
        """Lines for the head of a file: what has another name there."""
        texts = [f"robot {self.robot!r} is {self.package}"] * (self.robot != self.package)
        texts += (f"function {n!r} is {x}" for n, x in self.functions.items() if n != x)
        texts += (f"{n!r} is {x}" for n, x in self.fields.items() if n != x)
        if texts:
            yield f"Renamed: {', '.join(texts)}."


def _inputs(f: Function) -> Sequence[Argument]:
    """Inputs that the user named: tau is no group of symbols that an expression can use."""
    return [a for a in f.arguments if a.name not in (*GROUPS, "external", "parameters")]
