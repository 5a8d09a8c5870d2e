"""C as the reader sees it: tokens, and the declarations that a header and a source share."""

from __future__ import annotations

import re
from typing import Final

from ...ir.program import Output, Program
from .code_file import Meant, arguments_of
from .source import Source, shown

# A comment begins wherever /* stands, and // has no place. A directive is a line of its own. A number
# is all that C takes for one token, so that what follows it cannot be cut off.
TOKEN: Final = re.compile(
    r"[A-Za-z_]\w*|\d(?:(?<=[eEpP])[+-]|[\w.])*|/\*(?s:.*?)\*/|^ *#[^\n]*|\"[^\"\n]*\"|[^ \n]",
    re.MULTILINE | re.ASCII,
)
# A line that ends with a backslash (or a trigraph for one) goes on in the next: such a line in a
# comment must not hide its end.
_JOINED: Final = re.compile(r"(?:\\|\?\?/) *\n(?! )")


def comment(source: Source, i: int) -> int:
    """The position behind the comment that must stand at position i."""
    token = source.tokens[i]
    if not token.startswith("/*"):
        source.fail(i, f"expected a comment, got {shown(token)}")
    if _JOINED.search(token):
        source.fail(
            i, "a line of a comment must not end with a backslash, which joins it to the next"
        )
    return i + 1


def shape_of(output: Output) -> tuple[int, ...]:
    """The shape of a result as an array of C."""
    return output.shape or (1,)


def signature(source: Source, i: int, real: str, meant: Meant) -> tuple[str, Program, int]:
    """`void name(const real q[2], …, real M[2][2], …)`: the name, its program, the next position."""
    i = source.next(["void"], i)
    name, start = source.tokens[i], i
    program = meant(name)
    if program is None:
        source.fail(i, f"{shown(name)} is not the name of a function of this robot")
    i = source.next(["("], i + 1)
    for a in arguments_of(program):
        i = source.next(["const", real, a.name, "[", f"{len(a)}", "]", ","], i)
    for k, y in enumerate(program.outputs, 1):
        i = source.next([real, y.name], i)
        for n in shape_of(y):
            i = source.next(["[", f"{n}", "]"], i)
        i = source.next([")" if k == len(program.outputs) else ","], i)
    return source.tokens[start], program, i
