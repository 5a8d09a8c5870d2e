"""Types of C: numbers, pointers and arrays. No other types can be read.

Rounding is not modelled: `float`, `double` and `long double` are real numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn, final

from ....basics.wording import brief

Kind = Literal["real", "int", "unsigned", "char", "void"]


@final
@dataclass(frozen=True, slots=True)
class Scalar:
    """A number, a character or void."""

    kind: Kind

    def __str__(self) -> str:
        return {"real": "double", "unsigned": "unsigned int"}.get(self.kind, self.kind)


@final
@dataclass(frozen=True, slots=True)
class PointerTo:
    """A pointer; `const`: its target must not be written."""

    target: CType
    const: bool

    def __str__(self) -> str:
        return f"{self.target}*"


@final
@dataclass(frozen=True, slots=True)
class ArrayOf:
    """An array; the length is None if the code does not declare it."""

    element: CType
    length: int | None
    const: bool

    def __str__(self) -> str:
        return f"{self.element}[{'' if self.length is None else self.length}]"


CType = Scalar | PointerTo | ArrayOf

REAL: Final = Scalar("real")
INT: Final = Scalar("int")

# Typedefs of standard headers, which the parser has to know.
TYPEDEFS: Final = """
typedef unsigned long size_t; typedef long ptrdiff_t; typedef long ssize_t; typedef long intptr_t;
typedef int int32_t; typedef long int64_t; typedef unsigned int uint32_t; typedef unsigned long uint64_t;
typedef signed char int8_t; typedef short int16_t; typedef unsigned char uint8_t;
typedef unsigned short uint16_t; typedef _Bool bool; typedef int FILE;
""".replace("\n", " ")

_WORDS: Final = {"signed", "unsigned", "int", "long"}
_REALS: Final = {("double",), ("float",), ("double", "long")}


def cells(kind: CType) -> int:
    """Number of numbers or pointers in a value of this type."""
    if not isinstance(kind, ArrayOf):
        return 1
    return (kind.length or 0) * cells(kind.element)


def flat(kind: CType) -> CType:
    """Type of one entry: the type without its array dimensions."""
    while isinstance(kind, ArrayOf):
        kind = kind.element
    return kind


def dimensions(kind: CType) -> tuple[int | None, ...]:
    """Lengths of nested arrays, the outermost first."""
    found: list[int | None] = []
    while isinstance(kind, ArrayOf):
        found.append(kind.length)
        kind = kind.element
    return tuple(found)


@final
class Types:
    """Resolves the type nodes of pycparser.

    Args:
        typedefs: {name: type node}.
        length: Gives the value of the length of an array.
        fail: Raises an error at a node.
    """

    def __init__(
        self,
        typedefs: Mapping[str, Any],
        length: Callable[[Any], int],
        fail: Callable[[Any, str], NoReturn],
    ) -> None:
        self._typedefs, self._length, self._fail = typedefs, length, fail

    def of(self, node: Any) -> CType:
        """The type of a declaration, a parameter, a cast or a part of these."""
        return self._of(node, 0)[0]

    def is_const(self, node: Any) -> bool:
        """Whether a variable of this declaration, or an entry of the array, must not be assigned."""
        return self._of(node, 0)[1]

    def _of(self, node: Any, depth: int) -> tuple[CType, bool]:
        """(type, whether it is const)"""
        name = type(node).__name__
        if depth > 100:
            self._fail(node, "types must be nested at most 100 deep")
        if name in ("Decl", "Typename"):
            return self._of(node.type, depth + 1)
        if name == "TypeDecl":
            kind, const = self._of(node.type, depth + 1)
            return kind, const or "const" in node.quals
        if name == "IdentifierType":
            return self._named(node, depth)
        if name == "PtrDecl":
            target, const = self._of(node.type, depth + 1)
            return PointerTo(target, const), "const" in node.quals
        if name == "ArrayDecl":
            element, const = self._of(node.type, depth + 1)
            length = None if node.dim is None else self._length(node.dim)
            if (length is not None and length < 1) or None in dimensions(element):
                self._fail(node, "the length of an array must be a positive number")
            return ArrayOf(element, length, const), const
        what = {"Struct": "a struct", "Union": "a union", "FuncDecl": "a function"}.get(name)
        if name == "Enum":
            return INT, False
        return self._fail(
            node,
            "expected a number, a pointer to numbers or an array of numbers, got "
            f"{what or 'another type'}; only these types can be read",
        )

    def _named(self, node: Any, depth: int) -> tuple[CType, bool]:
        words = tuple(sorted(str(n) for n in node.names))
        if words in _REALS:
            return REAL, False
        if words == ("void",):
            return Scalar("void"), False
        if words == ("char",):
            return Scalar("char"), False
        if set(words) <= _WORDS:
            return Scalar("unsigned" if "unsigned" in words else "int"), False
        if len(words) == 1 and words[0] in self._typedefs:
            return self._of(self._typedefs[words[0]], depth + 1)
        return self._fail(node, f"the type {brief(' '.join(node.names))} cannot be read")
