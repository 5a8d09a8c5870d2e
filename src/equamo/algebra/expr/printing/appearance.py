r"""What a reader sees of a formula: two spellings that look alike have one appearance.

`q_1` and `q_{1}`, \mathit{mass} and m a s s, é in one character or two, А of Cyrillic and A of Latin
look alike. Bold letters differ from thin ones; slanted and upright ones do not, as only their form
tells them apart.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Set as AbstractSet
from functools import lru_cache
from typing import Final

from ....errors import ParseError
from .maths import (
    BRACKETS,
    Accent,
    Fence,
    Fraction,
    Grid,
    Letter,
    Maths,
    Number,
    Root,
    Row,
    Scripts,
    Sign,
    Space,
    Word,
)
from .maths_reader import read_maths

_LONGEST: Final = 200  # characters of a name that is tried as a product of others
_OPERATORS: Final = "−+∗⋅×/=,()[]"
_NOT_A_NAME: Final = ("frac⟨", "sqrt⟨", "[grid⟨", "unread⟨")
_POWER: Final = re.compile(r"\^\{[0-9]+\}$")
_FONTS: Final = {"bold": "bold", "bold italic": "bold", "calligraphic": "cal", "blackboard": "bb"}
_MARKS: Final = {"dot": "\u0307", "ddot": "\u0308", "hat": "\u0302", "tilde": "\u0303",
                 "bar": "\u0304", "vec": "\u20d7"}  # fmt: skip
# Letters of other alphabets with the shape of a Latin letter, and signs with the shape of another one.
_ALIKE: Final = str.maketrans(
    dict(zip("АВЕКМНОРСТХУІЅЈаеорсухіѕј", "ABEKMHOPCTXYISJaeopcyxisj", strict=True))
    | dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo", strict=True))
    | dict.fromkeys("-–—‐‑", "−")
    | dict.fromkeys("'’ʹ`‘", "′")
    | {"*": "∗", "·": "⋅", "ε": "ϵ", "ϑ": "θ", "ϱ": "ρ", "φ": "ϕ", "|": "∣"}
    | dict.fromkeys(" \u00a0\u200b\u200c\u200d\u2009\u202f", None)
)


@lru_cache(maxsize=1 << 16)
def appearance(latex: str) -> str:
    r"""What a formula looks like, as a text that is equal for formulas that look alike.

    Args:
        latex: Formula without dollar signs. Spaces in it are seen if it is not in the subset of
            `read_maths`.

    >>> appearance("q_1") == appearance("q_{1}") == appearance(r"\mathrm{q}_{\text{1}}")
    True
    >>> appearance(r"\dot q_{1}") == appearance(r"\dot{q_1}"), appearance("m_1") == appearance("m1")
    (True, False)
    """
    try:
        return seen(read_maths(latex))
    except ParseError:
        return f"unread⟨{latex}⟩"


def is_formula(seen: str, known: AbstractSet[str]) -> bool:
    r"""Whether an appearance can be read as a formula in other ones: a product, difference or power.

    Args:
        seen: Appearance of one name.
        known: Appearances of other names.

    >>> is_formula("ab", {"a", "b"}), is_formula("a−1", {"a"}), is_formula("a", {"a"})
    (True, True, False)
    >>> is_formula(appearance("m^{2}"), {"m"})
    True
    """
    if seen.startswith(_NOT_A_NAME):
        return True
    if (base := _POWER.sub("", seen)) != seen and base in known:
        return True
    depth, cuts = 0, [-1]
    for k, c in enumerate(seen):
        depth += (c == "{") - (c == "}")
        if depth == 0 and c in _OPERATORS:
            cuts.append(k)
    pieces = [seen[a + 1 : b] for a, b in zip(cuts, [*cuts[1:], len(seen)], strict=True)]
    others = known if len(pieces) > 1 else known - {seen}
    return any(pieces) and all(_is_product(x, others) for x in pieces if x)


def _is_product(seen: str, known: AbstractSet[str]) -> bool:
    """Whether a text is a number, or known names side by side, after a number or not."""
    ends = {0}  # of texts that are products
    for end in range(1, len(seen) + 1 if len(seen) <= _LONGEST else 0):
        pieces = {seen[begin:end] for begin in ends}
        if not pieces.isdisjoint(known) or seen[:end].isdecimal():
            ends.add(end)
    return len(seen) in ends


def _plain(text: str) -> str:
    """Text in compatible characters with its marks separated, and letters of one shape merged."""
    return unicodedata.normalize("NFKD", text.translate(_ALIKE)).translate(_ALIKE)


def seen(maths: Maths) -> str:
    """Appearance of a formula that is given as a tree."""
    match maths:
        case Letter(text, font) | Number(text, font) | Word(text, font):
            mark = _FONTS.get(font, "")
            return f"{mark}⟨{_plain(text)}⟩" if mark else _plain(text)
        case Sign(text):
            return _plain(text)
        case Space():
            return ""
        case Row(parts):
            return "".join(map(seen, parts))
        case Accent(Scripts(base, below, above), mark):  # the mark stands above the letter
            return seen(Scripts(Accent(base, mark), below, above))
        case Accent(base, mark):
            return seen(base) + _MARKS[mark]
        case Scripts():
            return _scripts(maths)
        case Fraction(top, bottom):
            return f"frac⟨{seen(top)}⟩⟨{seen(bottom)}⟩"
        case Root(inside):
            return f"sqrt⟨{seen(inside)}⟩"
        case Fence(left, inside, right):
            return _plain(left) + seen(inside) + _plain(right)
        case Grid("aligned", rows):  # lines of one formula
            return "".join(seen(x) for row in rows for x in row)
        case Grid(environment, rows):
            left, right = BRACKETS[environment]
            cells = ";".join(",".join(map(seen, row)) for row in rows)
            return f"{_plain(left)}grid⟨{cells}⟩{_plain(right)}"


def _scripts(maths: Scripts) -> str:
    """Base, subscript, exponent; primes stand beside the letter."""
    below = "" if maths.below is None else seen(maths.below)
    above = "" if maths.above is None else seen(maths.above)
    primes = len(above) - len(above.lstrip("′"))
    text = seen(maths.base) + "′" * primes
    text += f"_{{{below}}}" if below else ""
    return text + (f"^{{{above[primes:]}}}" if above[primes:] else "")


def letters(latex: str) -> Iterator[str]:
    r"""Appearance of every thin letter of a formula with its indices; powers are not part of a letter.

    >>> list(letters(r"\frac{1}{2} m_{1} \dot q_{1}^{2} + \boldsymbol{g}_{0} \cos q_{1}"))
    ['m_{1}', 'q̇_{1}', 'q_{1}']
    """
    found: list[str] = []
    _walk(read_maths(latex), found.append)
    yield from found


def _walk(maths: Maths, add: Callable[[str], None]) -> None:
    match maths:
        case Letter(_, font) if font not in _FONTS:
            add(seen(maths))
        case Word(text, font, function) if not function and font not in _FONTS and text.strip():
            add(seen(maths))
        case Accent(Letter() | Word() as base, _):
            if base.font not in _FONTS:
                add(seen(maths))
        case Accent(base, mark):
            _walk(base, lambda x: add(x + _MARKS[mark]))
        case Scripts(base, below, above):
            power = above is not None and seen(above).isdecimal()
            index = seen(Scripts(Row(()), below, None if power else above))
            _walk(base, lambda x: add(x + index))
        case Row(parts):
            for x in parts:
                _walk(x, add)
        case Fraction(top, bottom):
            _walk(top, add)
            _walk(bottom, add)
        case Root(inside) | Fence(_, inside, _):
            _walk(inside, add)
        case Grid(_, rows):
            for row in rows:
                for x in row:
                    _walk(x, add)
        case _:
            pass
