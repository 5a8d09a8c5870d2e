"""The LaTeX of a document after it was edited: what could give its lines another meaning in print.

The lines are read one by one (`round_trip`). What TeX makes of them also depends on the preamble, on
commands that are defined anew, and on text that is not printed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ...basics.wording import brief
from ...errors import ParseError
from .blocks import Equation
from .latex_members import bare, members_by_number, tails, twice

_BODY: Final = r"\begin{document}"
_TABLE: Final = re.compile(r"\\begin\{longtable\}.*?\\end\{longtable\}", re.DOTALL)
_INLINE: Final = re.compile(r"(?<![\\$])\$((?:\\.|[^$\\])+)\$")
_COMMENT: Final = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*\n?")
_BEGIN: Final = re.compile(r"\\begin\s*\{([^{}]*)\}|(\\\[|\\\(|\$\$)")
# Commands that change what others mean, or whether text is printed.
_MEANING: Final = re.compile(
    r"\\(?:[egx]?def|(?:future)?let|(?:re|provide)?newcommand|(?:re)?newenvironment|Declare[A-Za-z]*"
    r"|(?:cat|math|del|lc|uc|sf)code|(?:math)?chardef|mathchar|input|include|usepackage|csname"
    r"|expandafter|every[a-z]*|make(?:at)?[a-z]*|(?:un)?less|if[A-Za-z@]*|else|or|fi|begingroup"
    r"|scantokens|active|global|long|outer|protected|endinput|enddocument|newif|loop|repeat"
    r"|lowercase|uppercase|string|aftergroup|afterassignment|verb)(?![A-Za-z])"
)


def printed_part(latex: str) -> str:
    """A text without its comments, which end with their line.

    >>> printed_part("a % b\\nc \\\\% d")
    'a c \\\\% d'
    """
    return _COMMENT.sub(r"\1", latex)


def check_surroundings(own: str, text: str) -> None:
    """Check that commands mean what they mean in the document, and that what is not read is the same.

    Raises:
        ParseError: They may mean something else, or formulas that are not read differ.
    """
    (own_head, _, own_body), (head, begins, body) = own.partition(_BODY), text.partition(_BODY)
    if head != own_head or not begins:
        raise ParseError(
            "the preamble must be that of the document, since it may change the meaning of commands; "
            f"copy everything before {_BODY} from paper.latex()."
        )
    own_body, body = printed_part(own_body), printed_part(body)
    changed = sorted(set(_MEANING.findall(body)) - set(_MEANING.findall(own_body)))
    if changed:
        raise ParseError(
            f"the text must not change the meaning of commands, got {brief(changed[0])}."
        )
    tables = list(map(bare, _TABLE.findall(own_body)))
    if list(map(bare, _TABLE.findall(body))) != tables:
        raise ParseError("the tables must be those of the document; copy them from paper.latex().")
    known = set(map(bare, _INLINE.findall(own_body)))
    strange = [x for x in _INLINE.findall(body) if bare(x) not in known]
    if strange:
        raise ParseError(
            "formulas in sentences are not read, so they must be those of the document, got "
            f"{brief(strange[0])}."
        )
    places = {"".join(x) for x in _BEGIN.findall(own_body)}
    unread = [x for x in map("".join, _BEGIN.findall(body)) if x not in places]
    if unread:
        raise ParseError(
            f"displayed formulas must be numbered equations of the document, got {brief(unread[0])}."
        )


def changed_lines(equations: Iterable[Equation], own: str, text: str) -> dict[int, str]:
    """{number: what is wrong} of lines that differ from the document in what is not a value."""
    own, text = printed_part(own), printed_part(text)
    wrong = dict.fromkeys(
        twice(text), "a number must belong to one equation, this one is used twice."
    )
    mine, theirs = members_by_number(own), members_by_number(text)
    for number in theirs.keys() - mine.keys():
        wrong[number] = "the document has no equation with this number."
    behind, found = tails(own), tails(text)
    for number in mine.keys() & theirs.keys():
        if behind[number] != found[number]:
            wrong.setdefault(
                number,
                f"behind the line must stand {brief(behind[number])}, got {brief(found[number])}.",
            )
    for x in equations:
        has_value = x.value is not None or x.left_value is not None
        if has_value or x.number not in mine:
            continue
        members = theirs.get(x.number)
        if members is None or list(map(bare, members)) != list(map(bare, mine[x.number])):
            said = "nothing" if members is None else brief(" = ".join(members))
            expected = brief(" = ".join(mine[x.number]))
            wrong.setdefault(x.number, f"this law must be {expected}, got {said}.")
    return wrong
