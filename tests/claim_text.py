"""A second reader of the text in claims files: text to nested tuples, and the functions in numbers.

It shares nothing with `equamo.review.claims`; `claim_numbers` evaluates what it reads.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

Array = Any
Scope = Callable[[str], Any]

_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|\"(?P<text>[^\"]*)\""
    r"|(?P<mark>\*\*|[-+*/^()\[\],;:@'=]))"
)


# -- reading ---------------------------------------------------------------------------------------
class Reader:
    """Text to nested tuples: (operation, operands …)."""

    def __init__(self, text: str) -> None:
        self.tokens = list(self._split(text))
        self.at = 0

    @staticmethod
    def _split(text: str) -> Iterator[tuple[str, str]]:
        at, text = 0, text.rstrip()
        while at < len(text):
            found = _TOKEN.match(text, at)
            if not found or found.lastgroup is None:
                raise ValueError(f"cannot read {text[at : at + 20]!r}")
            yield found.lastgroup, found[found.lastgroup]
            at = found.end()

    def see(self, *marks: str) -> str:
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")
        return text if kind == "mark" and text in marks else ""

    def take(self, *marks: str) -> str:
        found = self.see(*marks)
        self.at += bool(found)
        return found

    def need(self, mark: str) -> None:
        if not self.take(mark):
            raise ValueError(f"expected {mark!r} at {self.tokens[self.at : self.at + 3]}")

    def chain(self) -> list[Any]:
        parts = [self.sum()]
        while self.take("="):
            parts.append(self.sum())
        if self.at != len(self.tokens):
            raise ValueError(f"left over: {self.tokens[self.at : self.at + 3]}")
        return parts

    def sum(self) -> Any:
        e = self.product()
        while mark := self.take("+", "-"):
            e = (mark, e, self.product())
        return e

    def product(self) -> Any:
        e = self.signed()
        while mark := self.take("*", "/"):
            e = (mark, e, self.signed())
        return e

    def signed(self) -> Any:
        if self.take("-"):
            return ("negative", self.signed())
        return self.signed() if self.take("+") else self.power()

    def power(self) -> Any:
        e = self.postfix()
        return ("**", e, self.signed()) if self.take("**", "^") else e

    def postfix(self) -> Any:
        e = self.atom()
        while mark := self.take("'", "["):
            e = ("'", e) if mark == "'" else ("entry", e, *self.places())
        return e

    def places(self) -> list[Any]:
        found = [self.place()]
        while self.take(","):
            found.append(self.place())
        self.need("]")
        return found

    def place(self) -> Any:
        if self.take(":"):
            return ("slice", None, None)
        start = self.sum()
        return ("slice", start, self.sum()) if self.take(":") else start

    def atom(self) -> Any:
        if self.take("("):
            e = self.sum()
            self.need(")")
            return e
        if self.take("["):
            rows = [[self.sum()]]
            while mark := self.take(",", ";"):
                if mark == ";":
                    rows.append([])
                rows[-1].append(self.sum())
            self.need("]")
            return ("rows", rows)
        robot = bool(self.take("@"))
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind == "number":
            return ("number", float(text))
        if kind == "text":
            return ("text", text)
        if kind != "name":
            raise ValueError(f"unexpected {text!r}")
        if not self.take("("):
            return ("name", text, robot)
        arguments, keywords = [], {}
        while not self.take(")"):
            e = self.sum()
            if self.take("="):
                keywords[e[1]] = self.sum()
            else:
                arguments.append(e)
            self.take(",")
        return ("call", text, robot, arguments, keywords)


# -- arithmetic ------------------------------------------------------------------------------------
def times(a: Array, b: Array) -> Array:
    """Scalars, matrices, vectors (columns), and rows (1×n)."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return a * b
    if np.ndim(a) == 1:  # a column times a row
        return np.outer(a, b[0])
    x = a @ b
    return float(x[0]) if x.shape == (1,) else x


def plus(a: Array, b: Array) -> Array:
    if np.shape(a) != np.shape(b):
        raise ArithmeticError(f"{np.shape(a)} + {np.shape(b)}")
    return a + b


def skew(a: Array) -> Array:
    x, y, z = a
    return np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])


def turn(axis: int) -> Callable[[float], Array]:
    def about(angle: float) -> Array:
        A, (i, j) = np.eye(3), ((axis + 1) % 3, (axis + 2) % 3)
        A[i, i] = A[j, j] = np.cos(angle)
        A[j, i], A[i, j] = np.sin(angle), -np.sin(angle)
        return A

    return about


def _diag(*x: Array) -> Array:
    return np.diag(x if np.ndim(x[0]) == 0 else x[0])


def transform_of(A: Array, p: Array) -> Array:
    T = np.eye(4)
    T[:3, :3], T[:3, 3] = A, p
    return T


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sin": np.sin, "cos": np.cos, "sqrt": np.sqrt, "atan": np.arctan, "atan2": np.arctan2,
    "sign": np.sign, "cross": np.cross, "dot": np.dot, "skew": skew, "diag": _diag,
    "unskew": lambda A: np.array([A[2, 1], A[0, 2], A[1, 0]]), "norm2": lambda a: a @ a,
    "rot_x": turn(0), "rot_y": turn(1), "rot_z": turn(2), "transform_of": transform_of,
    "euler_xyz": lambda a, b, c: turn(0)(a) @ turn(1)(b) @ turn(2)(c),
    "identity": lambda n: np.eye(int(n)),
    "block": lambda *rows: np.vstack(rows),
    # products and rows in LaTeX
    "inner": lambda a, b: a @ b if np.ndim(a) == np.ndim(b) == 1 else times(a, b),
    "outer": lambda a, b: np.cross(a, b) if np.ndim(a) == np.ndim(b) == 1 else times(a, b),
    "row": lambda *x: np.hstack([np.atleast_2d(e) for e in x]),
}  # fmt: skip
LAZY = ("diff", "partial", "jacobian", "dt", "coefficient", "subs")


def beside(parts: list[Array]) -> Array:
    """[a, b, c] of numbers is a vector; vectors and matrices are put side by side."""
    if all(np.ndim(x) == 0 for x in parts):
        return np.array(parts, float)
    return np.hstack([np.reshape(x, (-1, 1)) if np.ndim(x) < 2 else x for x in parts])
