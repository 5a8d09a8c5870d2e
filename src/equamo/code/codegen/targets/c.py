"""C99: a header and a source that depend on math.h only, a self-test and an example program."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import ClassVar, Final, final

from ...ir.program import Argument, Dtype
from .c_example import example
from .c_selftest import selftest
from .c_text import block_comment, body_lines, initialiser, real_type, subscript, wrapped
from .package import Package, Routine
from .statements import Statements, statements
from .target import Target, comment

_SIGN: Final = """
static {real} {name}_sign({real} x)
{{
    return x > 0 ? 1 : (x < 0 ? -1 : x);
}}
"""


@final
class C(Target):
    """C99 for microcontrollers: no allocation, no mutable globals, no library except math.h."""

    name = "c"
    description = "C99 without dependencies"
    functions: ClassVar[Mapping[str, str]] = {"abs": "fabs"}

    prefix: str = ""
    dtype: Dtype

    def files(self, package: Package) -> dict[str, str]:
        name = package.name
        return {
            f"{name}.h": self.header(package),
            f"{name}.c": self.source(package),
            f"{name}_selftest.c": selftest(package),
            f"{name}_example.c": example(package),
        }

    def code(self, package: Package) -> list[str]:
        return [f"{package.name}.c"]

    def symbol(self, package: Package, routine: Routine) -> str:
        return f"{package.name}_{routine.name}"

    # -- nodes -----------------------------------------------------------------------------------------
    def format_constant(self, value: Fraction) -> str:
        return super().format_constant(value) + self._suffix

    def format_pi(self) -> str:
        return super().format_pi() + self._suffix

    def format_input(self, argument: Argument, element: int) -> str:
        return f"{argument.name}[{element}]"

    def format_function(self, name: str, a: str) -> str:
        if name == "sign":
            return f"{self.prefix}_sign({a})"
        return f"{self.functions.get(name, name)}{self._suffix.lower()}({a})"

    def format_atan2(self, a: str, b: str) -> str:
        return f"atan2{self._suffix.lower()}({a}, {b})"

    @property
    def _suffix(self) -> str:
        return "F" if self.dtype == "float32" else ""

    # -- files -----------------------------------------------------------------------------------------
    def header(self, package: Package) -> str:
        """Header: types, sizes and declarations."""
        name, real = package.name, real_type(package)
        guard = f"EQUAMO_{name}_H"
        lines = [
            block_comment([f"{name}.h", *package.provenance, "", *listed_arguments(package)]),
            f"#ifndef {guard}\n#define {guard}\n",
            '#ifdef __cplusplus\nextern "C" {\n#endif\n',
            f"typedef {'float' if package.dtype == 'float32' else 'double'} {real};\n",
        ]
        sizes = (f"    {name}_{a}_size = {len(x)}" for a, x in package.quantities.items())
        if package.quantities:
            lines.append("enum {\n" + ",\n".join(sizes) + "\n};\n")
        defaults = package.defaults("parameters")
        if defaults is not None:
            lines.append(f"extern const {real} {name}_default_parameters[{len(defaults)}];\n")
        for r in package.routines:
            lines.append(f"/* {comment(r.remark)} */\n{signature(package, r)};\n")
        lines.append(f"#ifdef __cplusplus\n}}\n#endif\n\n#endif /* {guard} */\n")
        return "\n".join(lines)

    def source(self, package: Package) -> str:
        """Source: functions and default parameters."""
        return "\n".join(text for _, text in self.pieces(package))

    def pieces(self, package: Package) -> list[tuple[str, str]]:
        """Parts (function, text) of the source in order; parts that are not functions have no name.

        The source has a line break between two parts.
        """
        self.dtype, self.prefix = package.dtype, package.name
        name, real = package.name, real_type(package)
        bodies = [statements(r.program, self, package.public) for r in package.routines]
        lines = [
            block_comment([f"{name}.c", *package.provenance]),
            f'#include "{name}.h"\n\n#include <math.h>\n',
        ]
        defaults = package.defaults("parameters")
        if defaults is not None:
            numbers = initialiser(self.format_constant(Fraction(x)) for x in defaults)
            lines.append(f"const {real} {name}_default_parameters[{len(defaults)}] = {numbers};\n")
        if any(i.op == "sign" for r in package.routines for i in r.program.instructions):
            lines.append(_SIGN.format(real=real, name=name))
        definitions = [
            (r.program.name, "\n".join(_definition(package, r, body)))
            for r, body in zip(package.routines, bodies, strict=True)
        ]
        return [*(("", text) for text in lines), *definitions]


def signature(package: Package, r: Routine) -> str:
    """Declaration such as void arm_mass_matrix(const arm_real q[2], arm_real M[2][2])."""
    real = real_type(package)
    taken = [f"const {real} {a.name}[{len(a)}]" for a in r.arguments]
    given = [f"{real} {y.name}{subscript(y)}" for y in r.outputs]
    head = f"void {package.name}_{r.name}("
    return head + wrapped([*taken, *given], len(head), " " * 8) + ")"


def _definition(package: Package, r: Routine, body: Statements) -> Iterator[str]:
    yield signature(package, r)
    yield "{"
    yield from body_lines(r, body, real_type(package), _places)
    yield "}\n"


def _places(shape: tuple[int, ...]) -> Iterable[str]:
    """Subscripts [0] [1] … or [0][0] [0][1] …"""
    if len(shape) == 2:
        return (f"[{i}][{j}]" for i in range(shape[0]) for j in range(shape[1]))
    return (f"[{i}]" for i in range(shape[0] if shape else 1))


def listed_arguments(package: Package) -> Iterator[str]:
    """Lines that list the arguments in order."""
    for argument, found in package.quantities.items():
        yield f"{argument}[{len(found)}]:"
        for k, x in enumerate(found):
            unit = f" [{comment(x.unit)}]" if x.unit else ""
            value = "" if x.default is None else f" = {float(x.default)!r}"
            said = f"  {comment(x.description)}" if x.description else ""
            yield f"  {k:3} {comment(x.name)}{unit}{value}{said}"
