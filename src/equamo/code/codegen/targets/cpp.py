"""C++17: a header on Eigen with fixed sizes, a self-test, an example, a CMake file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import ClassVar, Final, final

from ...ir.program import Argument, Dtype, Output
from .c import listed_arguments
from .c_text import block_comment, body_lines, initialiser, wrapped
from .cpp_example import cmake, example
from .cpp_selftest import selftest
from .cpp_solver import solver
from .package import Package, Routine
from .statements import Statements, statements
from .target import Target, comment

# Eigen puts no larger matrix on the stack (EIGEN_STACK_ALLOCATION_LIMIT, in bytes).
_LARGEST: Final = 128 * 1024

_TYPES: Final = """using Real = {real};
template <int n>
using Vector = Eigen::Matrix<Real, n, 1>;
template <int rows, int columns>
using Matrix = Eigen::Matrix<Real, rows, columns>;
"""
_DEFAULTS: Final = """inline constexpr Real default_parameter_values[{n}] = {numbers};

inline Eigen::Map<const Vector<{n}>> default_parameters()
{{
    return Eigen::Map<const Vector<{n}>>(default_parameter_values);
}}
"""
_SIGN: Final = """inline Real sign(Real x)
{
    return x > 0 ? Real(1) : (x < 0 ? Real(-1) : x);
}
"""


@final
class Cpp(Target):
    """Header-only C++17: fixed sizes, no heap, no state; maps and blocks are accepted without a copy."""

    name = "cpp"
    description = "C++17 header on Eigen"
    functions: ClassVar[Mapping[str, str]] = {}
    dtype: Dtype

    def files(self, package: Package) -> dict[str, str]:
        name = package.name
        found = {
            f"{name}.hpp": self.header(package),
            f"{name}_selftest.cpp": selftest(package),
            f"{name}_example.cpp": example(package),
            "CMakeLists.txt": cmake(package),
        }
        wrapper = solver(package)
        return found | ({} if wrapper is None else {f"{name}_solver.hpp": wrapper})

    def code(self, package: Package) -> list[str]:
        return [f"{package.name}.hpp"]

    # -- nodes -----------------------------------------------------------------------------------------
    def format_constant(self, value: Fraction) -> str:
        return super().format_constant(value) + self._suffix

    def format_pi(self) -> str:
        return super().format_pi() + self._suffix

    def format_input(self, argument: Argument, element: int) -> str:
        return f"{argument.name}[{element}]"

    def format_function(self, name: str, a: str) -> str:
        return f"sign({a})" if name == "sign" else f"std::{name}({a})"

    def format_atan2(self, a: str, b: str) -> str:
        return f"std::atan2({a}, {b})"

    @property
    def _suffix(self) -> str:
        return "F" if self.dtype == "float32" else ""

    # -- files -----------------------------------------------------------------------------------------
    def header(self, package: Package) -> str:
        """All functions; `equamo::NAME` is the namespace, so that no C name can conflict."""
        self.dtype = package.dtype
        name, guard = package.name, f"EQUAMO_{package.name}_HPP"
        head = [f"{name}.hpp", *package.provenance, "", *listed_arguments(package)]
        lines = [
            block_comment(head),
            f"#ifndef {guard}\n#define {guard}\n",
            "#include <cmath>\n#include <tuple>\n\n#include <Eigen/Core>\n",
            f"namespace equamo {{\nnamespace {name} {{\n",
            _TYPES.format(real="float" if package.dtype == "float32" else "double"),
        ]
        if package.quantities:
            sizes = package.quantities.items()
            lines.append("".join(f"constexpr int {a}_size = {len(x)};\n" for a, x in sizes))
        defaults = package.defaults("parameters")
        if defaults is not None:
            numbers = initialiser(self.format_constant(Fraction(x)) for x in defaults)
            lines.append(_DEFAULTS.format(n=len(defaults), numbers=numbers))
        if any(i.op == "sign" for r in package.routines for i in r.program.instructions):
            lines.append(_SIGN)
        for r in package.routines:
            lines.append(f"/* {comment(r.remark)} */")
            lines += _definition(r, statements(r.program, self, package.public))
            if fits_the_stack(r):
                lines += _returning(package, r, defaults is not None)
        lines.append(
            f"}} /* namespace {name} */\n}} /* namespace equamo */\n\n#endif /* {guard} */\n"
        )
        return "\n".join(lines)


def value_type(y: Output) -> str:
    """Type that holds a result: Real, Vector<2> or Matrix<2, 2>."""
    if not y.shape:
        return "Real"
    name = "Vector" if len(y.shape) == 1 else "Matrix"
    return f"{name}<{', '.join(map(str, y.shape))}>"


def reference_type(y: Output) -> str:
    """Type of an argument to which a result is written."""
    return f"Eigen::Ref<{value_type(y)}>" if y.shape else "Real&"


def fits_the_stack(r: Routine) -> bool:
    """Whether Eigen allows variables of the types of all results."""
    return all(len(y.values) * 8 <= _LARGEST for y in r.outputs)


def taken(a: Argument) -> str:
    """Declaration of an argument: a vector, a map, a column or a part of one, without a copy."""
    return f"const Eigen::Ref<const Vector<{len(a)}>>& {a.name}"


def _definition(r: Routine, body: Statements) -> Iterator[str]:
    """The function that writes to its last arguments."""
    given = [f"{reference_type(y)} {y.name}" for y in r.outputs]
    head = f"inline void {r.name}("
    yield head + wrapped([*map(taken, r.arguments), *given], len(head), " " * 8) + ")"
    yield "{"
    yield from body_lines(r, body, "Real", _places)
    yield "}\n"


def _returning(package: Package, r: Routine, has_defaults: bool) -> Iterator[str]:
    """The function that returns its results; parameters with defaults can be omitted."""
    types = [value_type(y) for y in r.outputs]
    result = types[0] if len(types) == 1 else f"std::tuple<{', '.join(types)}>"
    head = f"inline {result} {r.name}("
    arguments = [taken(a) for a in r.arguments]
    if has_defaults and r.arguments and r.arguments[-1].name == "parameters":
        arguments[-1] += " = default_parameters()"
    yield head + wrapped(arguments, len(head), " " * 8) + ")"
    yield "{"
    yield from (f"    {t} {y.name};" for t, y in zip(types, r.outputs, strict=True))
    names = [y.name for y in r.outputs]
    # The namespace, since an argument may have the name of the function.
    call = f"{package.name}::{r.name}"
    yield f"    {call}({', '.join([*(a.name for a in r.arguments), *names])});"
    yield f"    return {names[0]};" if len(names) == 1 else f"    return {{{', '.join(names)}}};"
    yield "}\n"


def _places(shape: tuple[int, ...]) -> list[str]:
    """Subscripts of the entries: (0, 1) for a matrix, [0] for a vector, nothing for a number."""
    if len(shape) == 2:
        return [f"({i}, {j})" for i in range(shape[0]) for j in range(shape[1])]
    return [f"[{i}]" for i in range(shape[0])] if shape else [""]
