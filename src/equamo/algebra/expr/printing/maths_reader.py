r"""LaTeX to formulas as trees.

LaTeX is the only written form of a formula; MathML and typst are generated from the tree that is read
here, so that a formula looks the same in every format. The subset is what `latex` prints, and what
papers add: fonts, accents, primes, sums, derivatives, matrices and aligned lines.
"""

from __future__ import annotations

import re
from typing import Final, final

from ....basics.wording import brief
from ....errors import ParseError
from .greek import GREEK
from .maths import (
    BIG,
    BRACKETS,
    Accent,
    Fence,
    Font,
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
)  # fmt: skip

MAX_DEPTH: Final = 60  # deepest nesting of groups
ACCENTS: Final = ("dot", "ddot", "hat", "tilde", "bar", "vec", "overline", "widehat", "widetilde")
FUNCTIONS: Final = frozenset(
    ("sin", "cos", "tan", "cot", "sec", "csc", "arcsin", "arccos", "arctan", "sinh", "cosh", "tanh",
     "exp", "log", "ln", "min", "max", "det", "lim")
)  # fmt: skip
_SIGNS: Final = {
    "cdot": "⋅", "times": "×", "pm": "±", "mp": "∓", "partial": "∂", "nabla": "∇", "infty": "∞",
    "le": "≤", "leq": "≤", "ge": "≥", "geq": "≥", "ne": "≠", "neq": "≠", "approx": "≈", "equiv": "≡",
    "to": "→", "rightarrow": "→", "mapsto": "↦", "in": "∈", "ldots": "…", "dots": "…", "cdots": "⋯",
    "vdots": "⋮", "ddots": "⋱", "colon": ":", "mid": "|", "circ": "∘", "otimes": "⊗", "prime": "′",
    "ast": "∗", "dagger": "†", "perp": "⊥", "parallel": "∥", "langle": "⟨", "rangle": "⟩",
    "lbrace": "{", "rbrace": "}", "{": "{", "}": "}", "vert": "|", "lvert": "|", "rvert": "|",
    "Vert": "‖", "lVert": "‖", "rVert": "‖", "|": "‖", "%": "%", "#": "#", "&": "&", "_": "_", "$": "$",
}  # fmt: skip
_LETTERS: Final = {"ell": "ℓ", "top": "⊤", "hbar": "ℏ", "imath": "ı", "jmath": "ȷ"} | {
    name: letter for name, letter in GREEK.items()
}
_FONTS: Final[dict[str, Font]] = {
    "mathrm": "upright", "mathbf": "bold", "boldsymbol": "bold italic", "bm": "bold italic",
    "mathsf": "sans", "mathcal": "calligraphic", "mathbb": "blackboard", "mathit": "italic",
}  # fmt: skip
_TEXTS: Final[dict[str, Font]] = {
    "text": "upright", "textrm": "upright", "operatorname": "upright", "textit": "italic",
    "textbf": "bold",
}  # fmt: skip
_SPACES: Final = {",": 0.17, ":": 0.22, ";": 0.28, "!": -0.17, " ": 0.25, "quad": 1.0, "qquad": 2.0}
_DROPPED: Final = frozenset(
    ("displaystyle", "textstyle", "limits", "nolimits", "nonumber", "middle", "big", "bigl", "bigr",
     "Big", "Bigl", "Bigr", "bigg", "biggl", "biggr", "Bigg", "Biggl", "Biggr")
)  # fmt: skip
_ESCAPED: Final = {r"\textbackslash{}": "\\", r"\textasciitilde{}": "~", r"\textasciicircum{}": "^"}
_TOKEN: Final = re.compile(r"\\[A-Za-z]+\*?|\\.|[0-9]+(?:\.[0-9]+)?|\s+|.", re.DOTALL)


def read_maths(latex: str) -> Maths:
    r"""Read LaTeX into a tree.

    Args:
        latex: Formula without dollar signs.

    Raises:
        ParseError: A command is not in the subset, or braces do not match.

    >>> read_maths(r"\dot q")
    Accent(base=Letter(text='q', font='italic'), mark='dot')
    """
    return _Reader(latex).whole()


def text_of(latex: str) -> str:
    r"""Plain text of the argument of \text{…}.

    >>> text_of(r"joint\_1")
    'joint_1'
    """
    for written, plain in _ESCAPED.items():
        latex = latex.replace(written, plain)
    return re.sub(r"\\([#$%&_{} ])", r"\1", latex)


def _index(text: str, font: Font) -> Maths:
    """Script of letters, digits and commas: `1l` and `ij` are indices, `imu` is a word."""
    parts: list[Maths] = []
    for piece in re.findall(r"[0-9]+|[^\W\d_]+|.", text):
        if piece.isdecimal():
            parts.append(Number(piece))
        elif not piece.isalpha():
            parts.append(Sign(piece))
        elif len(piece) > 2:
            parts.append(Word(piece))
        else:
            parts += [Letter(c, font) for c in piece]
    return parts[0] if len(parts) == 1 else Row(tuple(parts))


@final
class _Reader:
    """Recursive descent over the tokens; white space counts only in texts."""

    def __init__(self, latex: str) -> None:
        self._latex = latex
        self._tokens = [(m[0], m.start()) for m in _TOKEN.finditer(latex)]
        self._at = 0
        self._depth = 0

    # -- tokens ----------------------------------------------------------------------------------
    def _skip(self) -> None:
        while self._at < len(self._tokens) and self._tokens[self._at][0].isspace():
            self._at += 1

    def _peek(self) -> str:
        """Next token that is not white space; empty at the end."""
        self._skip()
        return self._tokens[self._at][0] if self._at < len(self._tokens) else ""

    def _take(self) -> str:
        token = self._peek()
        if not token:
            raise self._error("must not end here; a brace, argument or \\end is missing")
        self._at += 1
        return token

    def _expect(self, token: str) -> None:
        if self._peek() != token:
            raise self._error(f"must have {brief(token)} here, got {brief(self._peek())}")
        self._at += 1

    def _error(self, problem: str) -> ParseError:
        at = self._tokens[self._at][1] if self._at < len(self._tokens) else len(self._latex)
        return ParseError(
            f"LaTeX of a formula {problem}: {brief(self._latex[max(0, at - 25) :])}.", at
        )

    # -- rows ------------------------------------------------------------------------------------
    def whole(self) -> Maths:
        rows = self._lines("italic")
        if self._at < len(self._tokens):
            raise self._error(f"must end here, got {brief(self._peek())}")
        if len(rows) == 1 and len(rows[0]) == 1:
            return rows[0][0]
        return Grid("aligned", rows)

    def _row(self, font: Font) -> Maths:
        """Read parts up to a closing brace, & or the end of a line."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self._error(f"must have at most {MAX_DEPTH} nested groups")
        parts: list[Maths] = []
        while self._peek() not in ("", "}", "&", r"\\", r"\end", r"\right"):
            if self._peek() in ("_", "^", "'"):
                parts.append(self._scripts(parts.pop() if parts else Row(()), font))
            else:
                part = self._part(font)
                if part is not None:
                    parts.append(part)
        self._depth -= 1
        return parts[0] if len(parts) == 1 else Row(tuple(parts))

    def _scripts(self, base: Maths, font: Font) -> Maths:
        below: Maths | None = None
        above: Maths | None = None
        while self._peek() in ("_", "^", "'"):
            if self._peek() == "'":
                self._take()
                before = above.parts if isinstance(above, Row) else (above,) if above else ()
                above = Sign("′") if not before else Row((*before, Sign("′")))
            elif self._peek() == "_" and below is None:
                self._take()
                below = self._script(font)
            elif self._peek() == "^" and above is None:
                self._take()
                above = self._script(font)
            else:
                raise self._error("must have at most one subscript and one superscript")
        return Scripts(base, below, above)

    def _script(self, font: Font) -> Maths:
        """Read a script; three or more letters in braces, such as `imu`, are a word."""
        if self._peek() == "{" and (word := re.match(r"\{([^\\{}_^'+\-=\s]+)\}", self._rest())):
            self._at += len(_TOKEN.findall(word[0]))
            return _index(word[1], font)
        return self._argument(font)

    def _rest(self) -> str:
        self._skip()
        return self._latex[self._tokens[self._at][1] :]

    def _argument(self, font: Font) -> Maths:
        """Read a group in braces, or one token."""
        if self._peek() == "{":
            self._take()
            inside = self._row(font)
            self._expect("}")
            return inside
        token = self._peek()
        if len(token) > 1 and token[0].isdigit():  # x^23 is x² 3
            at = self._tokens[self._at][1]
            self._tokens[self._at : self._at + 1] = [(c, at + k) for k, c in enumerate(token)]
        part = self._part(font)
        return Row(()) if part is None else part

    # -- parts -----------------------------------------------------------------------------------
    def _part(self, font: Font) -> Maths | None:
        token = self._peek()
        if token == "{":
            return self._argument(font)
        self._take()
        if token.startswith("\\"):
            return self._command(token[1:].rstrip("*"), font)
        if token[0].isdigit():
            return Number(token, "bold" if font.startswith("bold") else "upright")
        if token.isalpha():
            return Letter(token, font)
        if token == "~":
            return Space(0.25)
        return Sign({"-": "−", "*": "∗"}.get(token, token))

    def _command(self, word: str, font: Font) -> Maths | None:
        if word in _DROPPED:
            return None
        if word in ("frac", "dfrac", "tfrac"):
            top = self._argument(font)
            return Fraction(top, self._argument(font))
        if word == "sqrt":
            return Root(self._argument(font))
        if word in ACCENTS:
            mark = {"overline": "bar", "widehat": "hat", "widetilde": "tilde"}.get(word, word)
            return Accent(self._argument(font), mark)
        if word in _LETTERS:
            return Letter(_LETTERS[word], font)
        if word in _SIGNS:
            return Sign(_SIGNS[word])
        if word in BIG:
            return Sign(BIG[word])
        if word in _SPACES:
            return Space(_SPACES[word])
        if word in FUNCTIONS:
            return Word(word, function=True)
        if word in _TEXTS or word in ("mathrm", "mathit"):
            if self._peek() == "{" and (text := self._text(formula=word in _FONTS)) is not None:
                inner = _TEXTS.get(word) or _FONTS[word]
                if len(text) == 1 and text.isalpha():
                    return Letter(text, inner)
                return Word(text, inner, function=word == "operatorname")
            return self._argument(_FONTS.get(word, font))
        if word in _FONTS:
            return self._argument(_FONTS[word])
        if word == "left":
            return self._fence(font)
        if word == "begin":
            return self._grid(font)
        self._at -= 1
        raise self._error(f"must consist of known commands, got \\{word}")

    def _text(self, formula: bool) -> str | None:
        r"""Read {text}; None for \mathrm with a formula in it."""
        depth = 0
        for end in range(self._at, len(self._tokens)):
            depth += {"{": 1, "}": -1}.get(self._tokens[end][0], 0)
            if depth == 0:
                text = "".join(token for token, _ in self._tokens[self._at + 1 : end])
                if formula and re.search(r"[\\_^{]", text):
                    return None
                self._at = end + 1
                return text_of(text)
        raise self._error("must have a closing brace")

    def _fence(self, font: Font) -> Maths:
        left = self._bracket()
        inside = self._row(font)
        self._expect(r"\right")
        return Fence(left, inside, self._bracket())

    def _bracket(self) -> str:
        token = self._take()
        if token == ".":
            return ""
        return _SIGNS.get(token[1:], token) if token.startswith("\\") else token

    def _grid(self, font: Font) -> Maths:
        name = self._environment()
        if name.rstrip("*") not in ("aligned", "split", "gathered", "array", *BRACKETS):
            raise self._error(f"must have a known environment, got {brief(name)}")
        if name == "array":
            self._argument(font)  # positions of the columns
        rows = self._lines(font)
        self._expect(r"\end")
        end = self._environment()
        if end != name:
            raise self._error(f"must have \\end{{{name}}}, got \\end{{{end}}}")
        same = {"split": "aligned", "gathered": "aligned", "array": "matrix"}
        return Grid(same.get(name, name), rows)

    def _environment(self) -> str:
        self._expect("{")
        name = ""
        while self._peek() != "}":
            name += self._take()
        self._expect("}")
        return name

    def _lines(self, font: Font) -> tuple[tuple[Maths, ...], ...]:
        rows: list[list[Maths]] = [[self._row(font)]]
        while self._peek() in ("&", r"\\"):
            if self._take() == "&":
                rows[-1].append(self._row(font))
            elif self._peek() not in ("", r"\end"):
                rows.append([self._row(font)])
        return tuple(map(tuple, rows))
