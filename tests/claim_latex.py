"""A second reader of LaTeX in claims files: LaTeX to the text that `claim_text` reads.

It shares nothing with `equamo.review.claims`. Symbols are resolved with the names that the file and
robot have; a row in one pair of braces or brackets becomes a transposed vector.
"""

import re
from collections.abc import Collection, Mapping

_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|\d+(?:\.\d+)?|\s+|.", re.DOTALL)
_DROP = {r"\left", r"\right", r"\,", r"\;", r"\!", r"\nonumber"}
_FONTS = {
    r"\mathbf", r"\mathrm", r"\mathbb", r"\mathit", r"\boldsymbol", r"\bm", r"\text", r"\operatorname",
    r"\bar", r"\vec", r"\overline", r"\hat",
}  # fmt: skip
_FUNCTIONS = {rf"\{x}": x for x in ("sin", "cos", "tan", "sqrt", "exp")} | {r"\arctan": "atan"}
_WORDS = {"sign", "diag", "skew", "unskew", "atan2"}
_GREEK = {
    "alpha", "beta", "gamma", "delta", "epsilon", "theta", "kappa", "lambda", "mu", "phi", "psi",
    "omega", "rho", "sigma", "tau", "xi", "eta", "Gamma", "Omega", "Theta", "Phi", "Psi",
}  # fmt: skip


class Latex:
    """One formula; `names` are known, `aliases` stand for texts."""

    def __init__(self, latex: str, names: Collection[str], aliases: Mapping[str, str]) -> None:
        self.names = names
        self.aliases = {tuple(t for t in _split(k) if t != "~"): v for k, v in aliases.items()}
        self.tokens = _split(latex)
        if self.tokens[-1] == ")" and (r"\quad" in self.tokens[-4:]):
            del self.tokens[-4:]  # the number of the equation
        if "".join(self.tokens[:10]).startswith(r"\begin{aligned"):
            self.tokens = self._one_line()
        self.at = 0
        self.index: dict[str, str] = {}  # of the sums

    def _one_line(self) -> list[str]:
        found: list[str] = []
        depth = 0
        for t in self.tokens:
            depth += (t == r"\begin") - (t == r"\end")
            if not (depth == 1 and t in ("&", r"\\", r"\quad")):
                found.append(t)
        begin, end = found.index("}") + 1, len(found) - found[::-1].index(r"\end") - 1
        found = found[begin:end]
        return found[:-3] if re.fullmatch(r"\(\d+\)", "".join(found[-3:])) else found

    def see(self, *tokens: str) -> bool:
        return self.at < len(self.tokens) and self.tokens[self.at] in tokens

    def take(self, *tokens: str) -> bool:
        found = self.see(*tokens)
        self.at += found
        return found

    def need(self, token: str) -> None:
        if not self.take(token):
            raise ValueError(f"expected {token!r} before {self.tokens[self.at : self.at + 6]}")

    # -- the language --------------------------------------------------------------------------
    def chain(self) -> str:
        sides = [self.sum()]
        while self.take("="):
            sides.append(self.sum())
        if self.at != len(self.tokens):
            raise ValueError(f"left over: {self.tokens[self.at : self.at + 6]}")
        return " = ".join(sides)

    def sum(self, ends: tuple[str, ...] = ()) -> str:
        text = "-" if self.take("-") else ""
        text += self.product(ends)
        while self.see("+", "-") and not self._gap(ends):
            text += f" {self.tokens[self.at]} "
            self.at += 1
            text += self.product(ends)
        return text

    def _gap(self, ends: tuple[str, ...]) -> bool:
        return bool(ends) and self.see(*ends)

    def product(self, ends: tuple[str, ...] = ()) -> str:
        """Side by side binds closest, then the vector product, then the scalar product."""
        text = self.crossed()
        while self.take(r"\cdot"):
            text = f"inner({text}, {self.crossed()})"
        return text

    def crossed(self) -> str:
        text = self.factors()
        return f"outer({text}, {self.factors()})" if self.take(r"\times") else text

    def factors(self) -> str:
        text = self.power()
        while True:
            if self.take("/"):
                text = f"{text}/{self.power()}"
            elif self.take("~") or self._starts():
                text = f"{text}*{self.power()}"
            else:
                return text

    def _starts(self) -> bool:
        if self.at >= len(self.tokens):
            return False
        t = self.tokens[self.at]
        if t in (r"\\", r"\}", r"\end", r"\ ", r"\quad", r"\cdot", r"\times"):
            return False
        return t[0].isalnum() or t in ("(", "[", "{", r"\{") or t[0] == "\\"

    def power(self) -> str:
        base = self.atom()
        while self.take("^"):
            if self.take("T") or self._is("{", "T", "}"):
                base = f"{base}'"
            else:
                base = f"({base})**({self.argument()})"
        return base

    def _is(self, *tokens: str) -> bool:
        if tuple(self.tokens[self.at : self.at + len(tokens)]) != tokens:
            return False
        self.at += len(tokens)
        return True

    def argument(self) -> str:
        if not self.take("{"):
            return self.atom()
        text = self.sum()
        self.need("}")
        return text

    def aliased(self) -> str:
        """Text of the longest alias here, or nothing."""
        for words in sorted(self.aliases, key=len, reverse=True):
            end, left = self.at, list(words)
            while left and end < len(self.tokens) and self.tokens[end] in (left[0], "~"):
                left = left[self.tokens[end] != "~" :]
                end += 1
            if not left and self.tokens[end : end + 1] != ["_"]:
                self.at = end
                return f"({self.aliases[words]})"
        return ""

    def atom(self) -> str:
        if alias := self.aliased():
            return alias
        t = self.tokens[self.at]
        if t[0].isdigit():
            self.at += 1
            return t
        if t in ("(", r"\{"):
            self.at += 1
            text = self.sum()
            self.need(")" if t == "(" else r"\}")
            return f"({text})"
        if t == "[":
            return self.brackets()
        if t in (r"\frac", r"\dfrac", r"\tfrac"):
            return self.fraction()
        if t == r"\underbrace":
            self.at += 1
            text = self.argument()
            if self.take("_"):
                self.at = self._after_group()
            return f"({text})"
        if t == r"\sum":
            return self.summed()
        if t in _FUNCTIONS:
            return self.function(_FUNCTIONS[t])
        if t == r"\begin":
            return self.matrix()
        if t == "{" and not self._is_name():
            return f"({self.argument()})"
        return self.name()

    def summed(self) -> str:
        """The term, read again for every value of the index."""
        self.at += 1
        self.need("_")
        self.need("{")
        index = self.tokens[self.at]
        self.at += 1
        self.need("=")
        first = _whole(self.sum())
        self.need("}")
        self.need("^")
        last = _whole(self.argument())
        self.take("~")
        start, terms = self.at, []
        for k in range(first, max(first, last) + 1):
            self.at, self.index = start, self.index | {index: str(k)}
            terms.append(self.product())
        del self.index[index]
        return f"({' + '.join(terms)})" if last >= first else "0"

    def brackets(self) -> str:
        self.need("[")
        gaps = (r"\ ", r"\quad")
        entries = [self.sum(gaps)]
        while self.take(*gaps):
            if not self.see(*gaps):
                entries.append(self.sum(gaps))
        self.need("]")
        return f"({entries[0]})" if len(entries) == 1 else f"row({', '.join(entries)})"

    def fraction(self) -> str:
        self.at += 1
        top = self.tokens[self.at + 1 : self._after_group() - 1]
        if top[:1] not in ([r"\partial"], ["d"]) or (top[0] == "d" and not self._by_time()):
            return f"(({self.argument()})/({self.argument()}))"
        self.at += 2
        inner = "" if self.see("}") else self.product()
        self.need("}")
        self.at += 2
        variable = self.aliased().strip("()") or self.name()
        self.need("}")
        inner = inner or self.power()
        return f"dt({inner})" if variable == "t" else f"partial({inner}, {variable})"

    def _by_time(self) -> bool:
        end = self._after_group()
        return self.tokens[end : end + 4] == ["{", "d", "t", "}"]

    def _after_group(self) -> int:
        """Place behind the braces that open here, or behind one token."""
        at, depth = self.at, 0
        while True:
            depth += (self.tokens[at] == "{") - (self.tokens[at] == "}")
            at += 1
            if depth == 0:
                return at

    def function(self, name: str) -> str:
        self.at += 1
        power = self.argument() if self.take("^") else ""
        if self.see("(", "[", r"\{", "{"):
            text = f"{name}({self.atom()})"
        else:
            factor = ""
            if self.tokens[self.at][0].isdigit():
                factor = self.atom() + "*"
            text = f"{name}({factor}{self.atom()})"
        return f"({text})**{power}" if power else text

    def matrix(self) -> str:
        is_array = self.tokens[self.at + 2] == "a"
        self.at = self._after_group_at(self.at + 1)
        if is_array:
            self.at = self._after_group()  # its columns
        rows = [[self.sum()]]
        while not self.take(r"\end"):
            if self.take("&"):
                rows[-1].append(self.sum())
            else:
                self.need(r"\\")
                if not self.see(r"\end"):
                    rows.append([self.sum()])
        self.at = self._after_group()
        if len(rows) == 1 and len(rows[0]) > 1:
            return f"row({', '.join(rows[0])})"
        return f"[{'; '.join(', '.join(r) for r in rows)}]"

    def _after_group_at(self, at: int) -> int:
        self.at = at
        return self._after_group()

    # -- names ---------------------------------------------------------------------------------
    def _is_name(self) -> bool:
        inside = self.tokens[self.at + 1 : self._after_group() - 1]
        follows = self.tokens[self._after_group() : self._after_group() + 1] == ["_"]
        return follows and all(x.isalpha() for x in inside)

    def name(self) -> str:
        base, whole, dots = self.base()
        word = "".join(base)
        if word in _WORDS and self.see("(", "["):
            closing = ")" if self.take("(") else "]" if self.take("[") else ""
            arguments = [self.sum()]
            while self.take(","):
                arguments.append(self.sum())
            self.need(closing)
            return f"{word}({', '.join(arguments)})"
        subscript = ""
        if self.take("_"):
            end = self._after_group()
            inside = [x for x in self.tokens[self.at : end] if x not in ("{", "}", "_")]
            inside = [self.index.get(x, x) for x in inside if x not in _FONTS]
            subscript = "".join(x.lstrip("\\") for x in inside)
            subscript = re.sub(r"\d+[-+]\d+", lambda m: str(_whole(m[0])), subscript)
            self.at = end
        return self.resolved(word, subscript, whole, dots)

    def base(self) -> tuple[list[str], bool, int]:
        t = self.tokens[self.at]
        if t in (r"\dot", r"\ddot"):
            self.at += 1
            base, whole, dots = self.base()
            return base, whole, dots + (1 if t == r"\dot" else 2)
        if t in _FONTS:
            self.at += 1
            base, _, dots = self.base()
            while self.take(t):
                base = base + self.base()[0]
            return base, True, dots
        if t == "{":
            self.at += 1
            base, whole, dots = self.base()
            if self.take("_"):  # {\theta_1} as one name
                end = self._after_group()
                base = [*base, "_", *(x for x in self.tokens[self.at : end] if x.isalnum())]
                self.at = end
            self.need("}")
            return base, whole, dots
        self.at += 1
        if t.lstrip("\\") in _GREEK:
            return [t[1:]], True, 0
        if not t.isalpha():
            raise ValueError(f"unexpected {t!r}")
        letters = [t]
        while self.at < len(self.tokens) and self.tokens[self.at].isalpha():
            letters.append(self.tokens[self.at])
            self.at += 1
        return letters, len(letters) == 1, 0

    def resolved(self, word: str, subscript: str, whole: bool, dots: int) -> str:
        full = word + ("_" + subscript if subscript else "")
        squeezed = {n.replace("_", ""): n for n in self.names}
        for candidate in ("d" * dots + full, full):
            known = candidate if candidate in self.names else squeezed.get(_squeezed(candidate))
            if known and candidate == full and dots:
                rate = "d" * dots + known
                return rate if rate in self.names else "dt(" * dots + known + ")" * dots
            if known:
                return known
        if whole or len(word) == 1:
            return "d" * dots + full
        for cut in range(1, len(word)):  # a product of known names
            first, rest = word[:cut], word[cut:]
            if first in self.names:
                try:
                    return f"{first}*{self.resolved(rest, subscript, False, 0)}"
                except ValueError:
                    continue
        raise ValueError(f"unknown letters {full!r}")


def _whole(text: str) -> int:
    """The value of 2, (3) or (2) - 1."""
    numbers = [int(x) for x in re.findall(r"\d+", text)]
    return numbers[0] + sum(-x if "-" in text else x for x in numbers[1:])


def _squeezed(name: str) -> str:
    return name.replace("_", "").replace(",", "")


def _split(latex: str) -> list[str]:
    """Tokens without white space, except between letters, where it ends a run."""
    tokens = [t for t in _TOKEN.findall(latex) if t not in _DROP]
    found: list[str] = []
    for i, t in enumerate(tokens):
        if not t.isspace():
            found.append(t)
        elif found and found[-1].isalpha() and i + 1 < len(tokens) and tokens[i + 1].isalpha():
            found.append("~")  # two names, not one run of letters
    return found


def text_of(latex: str, names: Collection[str], aliases: Mapping[str, str]) -> str:
    """A formula in LaTeX as text."""
    return Latex(latex, names, aliases).chain()
