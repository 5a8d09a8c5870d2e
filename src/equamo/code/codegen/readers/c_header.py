"""Reader of a generated C header: the number type, the sizes and the declarations."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import final

from ...ir.program import Dtype
from .c_tokens import TOKEN, comment, signature
from .code_file import Meant
from .source import Source, shown

_TYPES: dict[str, Dtype] = {"double": "float64", "float": "float32"}


@final
@dataclass(frozen=True)
class Header:
    """Declarations of a header that the source relies on."""

    dtype: Dtype
    functions: tuple[str, ...]
    defaults: int | None  # how many default parameters are declared
    sizes: dict[str, int] = field(default_factory=dict[str, int])


def read_header(data: bytes, path: str, name: str, meant: Meant) -> Header:
    """Read NAME.h; FileFormatError with the line of whatever is not as it must be."""
    source = Source(data, path, TOKEN)
    guard, real = f"EQUAMO_{name}_H", f"{name}_real"
    i = comment(source, 0)
    i = source.next([f"#ifndef {guard}", f"#define {guard}", "#ifdef __cplusplus", "extern", '"C"',
                     "{", "#endif", "typedef"], i)  # fmt: skip
    dtype = _TYPES.get(source.tokens[i])
    if dtype is None:
        source.fail(i, f"expected double or float, got {shown(source.tokens[i])}")
    i = source.next([real, ";"], i + 1)
    sizes: dict[str, int] = {}
    if source.tokens[i] == "enum":
        i = _sizes(source, i, name, sizes)
    defaults = None
    if source.tokens[i] == "extern":
        i = source.next(["extern", "const", real, f"{name}_default_parameters", "["], i)
        defaults = source.count(i)
        i = source.next(["]", ";"], i + 1)
    functions: list[str] = []
    while source.tokens[i].startswith("/*"):
        i = comment(source, i)
        function, _, j = signature(source, i, real, meant)
        if function in functions:
            source.fail(i, f"{function} is declared twice")
        functions.append(function)
        i = source.next([";"], j)
    i = source.next(["#ifdef __cplusplus", "}", "#endif", f"#endif /* {guard} */"], i)
    source.end(i)
    return Header(dtype, tuple(functions), defaults, sizes)


def _sizes(source: Source, i: int, name: str, sizes: dict[str, int]) -> int:
    """enum { arm_q_size = 2, … };"""
    i = source.next(["enum", "{"], i)
    while True:
        token = source.tokens[i]
        argument = token.removeprefix(f"{name}_").removesuffix("_size")
        if token != f"{name}_{argument}_size" or argument in sizes:
            source.fail(i, f"expected the size of an argument, got {shown(token)}")
        i = source.next(["="], i + 1)
        sizes[argument] = source.count(i)
        i += 1
        if source.tokens[i] != ",":
            return source.next(["}", ";"], i)
        i += 1
