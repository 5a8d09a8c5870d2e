"""LLVM's own printout of a module, taken apart: definitions by name, and nothing that is not known.

What is read is not the text that `llvm`, `block` and `entry` write, but what LLVM prints of the module
that it made of that text. Every line of the printout belongs to one of the kinds below; a line of any
other kind is an error. Attribute groups are put in where they are used, so that two printouts can be
compared function by function.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, final

from ...basics.wording import brief
from ...errors import EquamoError

_ATTRIBUTES: Final = re.compile(r"attributes (#\d+) = \{ (.*) \}")
_GROUP: Final = re.compile(r"#\d+")
_DEFINE: Final = re.compile(r"define .*?@([\w.]+)\(.*\{")
_GLOBAL: Final = re.compile(r"@([\w.]+) = .*")
_DECLARE: Final = re.compile(r"declare .*?@([\w.]+)\(.*")
_IGNORED: Final = ("source_filename = ", "target datalayout = ", "target triple = ")
_EMPTY_NODE: Final = "!0 = !{}"  # what !invariant.load refers to


@final
@dataclass(frozen=True)
class Printout:
    """A module: functions (the line of the definition, then the body), variables, declarations."""

    functions: dict[str, list[str]]
    variables: dict[str, str]
    declarations: dict[str, str]


def read(printout: str) -> Printout:
    """The parts of a printout.

    >>> from equamo.code.jit import engine
    >>> found = read(engine.printout("define void @f(ptr %p) nounwind { ret void }"))
    >>> found.functions["f"]
    ['define void @f(ptr %p) nounwind {', '  ret void']
    >>> found.variables
    {'equamo_anchor': '@equamo_anchor = global i8 0'}
    """
    lines = printout.split("\n")
    given = (_ATTRIBUTES.fullmatch(x) for x in lines if x.startswith("attributes"))
    groups = {m[1]: m[2] for m in given if m}
    functions: dict[str, list[str]] = {}
    variables: dict[str, str] = {}
    declared: dict[str, str] = {}

    def expanded(line: str) -> str:
        return _GROUP.sub(lambda m: groups.get(m[0], m[0]), line)

    i = 0
    while i < len(lines):
        line = lines[i]
        if m := _DEFINE.fullmatch(line):
            try:
                end = lines.index("}", i)
            except ValueError:
                raise EquamoError(
                    f"IR: the definition of {brief(m[1])} must end with a line '}}'."
                ) from None
            body = [x for x in lines[i + 1 : end] if x]
            functions[m[1]] = [expanded(line), *body]
            i = end
        elif m := _GLOBAL.fullmatch(line):
            variables[m[1]] = line
        elif m := _DECLARE.fullmatch(line):
            declared[m[1]] = expanded(line)
        elif not (
            not line
            or line[0] == ";"
            or line == _EMPTY_NODE
            or line.startswith(_IGNORED)
            or _ATTRIBUTES.fullmatch(line)
        ):
            raise EquamoError(f"IR: unknown kind of line {brief(line)}.")
        i += 1
    return Printout(functions, variables, declared)
