r"""Meaning of the printed symbols of a robot, read from the text of a paper.

Nothing is asked of the writer: a printed letter means what the text says, `$L_{\ast}$ is the robot's L`,
and otherwise the symbol whose name the reader of the audit finds in it: `\dot q_{1}` is dq1 or dq_1.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from typing import Final, final

from ...algebra.expr import Expr
from ...basics.wording import brief
from ...errors import ParseError
from ...review.claims.latex_reader import read_latex
from ...robot.model.robot import Robot
from .latex_text import escaped

SAYS: Final = "is the robot's"  # between a printed symbol and its name
_SAID: Final = re.compile(
    rf"\$((?:\\.|[^$\\])+)\$ {SAYS} \\texttt\{{((?:[^{{}}]|\{{[^{{}}]*\}})*)\}}"
)
_INDEX: Final = r"(?:_\{[^{}]*\})?"
_LETTER: Final = re.compile(
    r"(?:\\boldsymbol|\\operatorname|\\begin|\\end|\\mathsf|\\mathrm)\{[^{}]*\}"
    rf"|(?P<letter>(?:\\d?dot(?: |(?=\\|\{{)))?"
    rf"(?:\{{\\mathit\{{\w+\}}\}}|\\mathit\{{\w+\}}|\\[A-Za-z]+|[A-Za-z]){_INDEX})"
)
# Characters in the printed name of a symbol that the reader of formulas does not know.
_UNREAD: Final = re.compile(r"(?<!\\)[^\sA-Za-z0-9\\{}\-+*/=^_&,.()\[\]|']")


def symbols_of(robot: Robot) -> dict[str, Expr]:
    """All symbols that a paper of a robot may print, by their name."""
    return {
        x.name: x
        for x in (
            *robot.parameters, *robot.joint_coordinates, *robot.joint_speeds,
            *robot.joint_accelerations, *robot.q, *robot.v, *robot.vdot, *robot.inputs,
            *robot.external,
        )
    }  # fmt: skip


def spelled(names: Iterable[str]) -> dict[str, str]:
    r"""Text that names each symbol: its name, or that in ASCII if LaTeX writes two names the same.

    >>> list(spelled(["q1", "b'", "b’"]).values())
    ['q1', "b'", 'b\\u2019']
    """
    known = list(names)
    count = Counter(map(escaped, known))
    return {x: x if count[escaped(x)] == 1 else ascii(x)[1:-1] for x in known}


def readable(latex: str) -> str:
    r"""LaTeX in characters that the reader of formulas knows; others become commands.

    >>> readable(r"\text{größe}")
    '\\text{gr\\char246 \\char223 e}'
    """
    return _UNREAD.sub(lambda x: rf"\char{ord(x[0])} ", latex)


def unexplained(notation: Mapping[str, str]) -> list[str]:
    """Names of symbols that a reader would not recognise from their LaTeX, so that the text names them.

    >>> unexplained({"q1": "q_{1}", "dq1": r"\\dot q_{1}", "L": r"L_{\\ast}"})
    ['L']
    """
    named: set[str] = set()
    while True:
        known = notation.keys() - named
        wrong = [x for x in notation if x in known and _name(notation[x], known) != x]
        if not wrong:
            return [x for x in notation if x in named]
        named.update(wrong)


def _name(latex: str, known: Collection[str]) -> str | None:
    """Name that a printed letter spells; None if it spells none of them."""
    match = _LETTER.fullmatch(latex)
    if match is None or match["letter"] is None:
        return None
    try:
        tree = read_latex(latex, known).tree
    except ParseError:
        return None
    name = str(tree.value)
    return name if tree.kind == "name" and name in known else None


@final
class PrintedSymbols:
    """What the letters of a text mean, of those that are symbols of the robot."""

    def __init__(self, robot: Robot, latex: str) -> None:
        symbols = symbols_of(robot)
        named = {escaped(text): symbols[name] for name, text in spelled(symbols).items()}
        self._said: dict[str, Expr] = {}
        for printed, text in _SAID.findall(latex):
            if text not in named or self._said.setdefault(printed, named[text]) is not named[text]:
                raise ParseError(
                    f"the text must name one symbol of the robot for {brief(printed)}, "
                    f"got {brief(text)}."
                )
        self._known = {n: x for n, x in symbols.items() if x not in self._said.values()}
        self._read: dict[str, Expr | None] = {}

    def __call__(self, latex: str) -> dict[str, Expr]:
        """Symbols in a formula, by their LaTeX."""
        found = {printed: x for printed, x in self._said.items() if printed in latex}
        for match in _LETTER.finditer(latex):
            letter = match["letter"]
            if letter is None or letter in found:
                continue
            if letter not in self._read:
                name = _name(letter, self._known)
                self._read[letter] = None if name is None else self._known[name]
            if (x := self._read[letter]) is not None:
                found[letter] = x
        return found
