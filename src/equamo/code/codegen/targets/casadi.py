"""CasADi: C with the interface of `casadi.external`, with Jacobians and Hessians under CasADi's names.

A function f comes with jac_f, adj1_f and jac_adj1_f (`ir.sensitivities`), each with the queries that
CasADi expects: numbers and names of arguments and results, sparsities and sizes of work arrays. CasADi
looks functions up by name; if it does not find one, it silently differentiates by other means.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import ClassVar, Final, final

from ...ir.program import Argument, Dtype, Output, Program
from ...ir.sensitivities import PREFIXES, Port, by_columns, ports
from .c_text import block_comment, initialiser
from .casadi_parts import WORK, Part, parts
from .package import Package, Routine
from .statements import statements
from .target import Target, comment

_HEAD: Final = """#include <math.h>

#ifndef casadi_real
#define casadi_real double
#endif

#ifndef casadi_int
#define casadi_int long long int
#endif

#ifndef CASADI_SYMBOL_EXPORT
#ifdef _WIN32
#define CASADI_SYMBOL_EXPORT __declspec(dllexport)
#else
#define CASADI_SYMBOL_EXPORT
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif
"""
_SIGN: Final = """static casadi_real casadi_sign(casadi_real x)
{
    return x > 0 ? 1 : (x < 0 ? -1 : x);
}
"""
_END: Final = """#ifdef __cplusplus
}
#endif
"""
_PART: Final = "(const casadi_real **casadi_arg, casadi_real **casadi_res, casadi_real *casadi_w)"
_CALL: Final = (
    "(const casadi_real **casadi_arg, casadi_real **casadi_res, casadi_int *casadi_iw, "
    "casadi_real *casadi_w, int casadi_mem)"
)


@final
class CasADi(Target):
    """C for `casadi.external`: no library except math.h."""

    name = "casadi"
    description = "C with the external interface of CasADi, derivatives included"
    functions: ClassVar[Mapping[str, str]] = {"abs": "fabs", "sign": "casadi_sign"}
    dtypes: ClassVar[tuple[Dtype, ...]] = ("float64",)
    differentiates = True
    longest_inside = 150  # Hessians are long, and fewer variables are less work for a compiler

    _arguments: tuple[Argument, ...] = ()

    def files(self, package: Package) -> dict[str, str]:
        return {f"{package.name}_casadi.c": self.source(package)}

    def code(self, package: Package) -> list[str]:
        return [f"{package.name}_casadi.c"]

    def symbol(self, package: Package, routine: Routine) -> str:
        prefix, base = family(package, routine)
        return f"{prefix}{package.name}_{base.name}"

    def format_input(self, argument: Argument, element: int) -> str:
        k = self._arguments.index(argument)
        return f"casadi_arg[{k}] ? casadi_arg[{k}][{element}] : 0.0"

    def source(self, package: Package) -> str:
        """Source: sparsities, then each function with its queries."""
        patterns: dict[tuple[int, ...], int] = {}
        bodies = ["\n".join(self._function(package, r, patterns)) for r in package.routines]
        head = [f"{package.name}_casadi.c", *package.provenance, "", *_lists(package)]
        lines = [block_comment(head), _HEAD]
        if any(i.op == "sign" for r in package.routines for i in r.program.instructions):
            lines.append(_SIGN)
        for pattern, k in patterns.items():
            numbers = initialiser(map(str, pattern))
            lines.append(f"static const casadi_int casadi_s{k}[{len(pattern)}] = {numbers};")
        return "\n".join([*lines, "", *bodies, _END])

    def _function(
        self, package: Package, r: Routine, patterns: dict[tuple[int, ...], int]
    ) -> Iterator[str]:
        self._arguments, name = r.program.arguments, self.symbol(package, r)
        body = statements(r.program, self, package.public)
        pieces, size = parts(body, list(_written(r.program, body.results)))
        yield f"/* {comment(r.remark)} */"
        for k, part in enumerate(pieces if size else ()):
            yield f"static void {name}__part{k}{_PART}\n{{"
            yield from _unused()
            yield from _body(part)
            yield "}\n"
        yield f"CASADI_SYMBOL_EXPORT int {name}{_CALL}\n{{"
        yield from _unused("casadi_iw", "casadi_mem")
        if size:
            arguments = "casadi_arg, casadi_res, casadi_w"
            yield from (f"    {name}__part{k}({arguments});" for k in range(len(pieces)))
        else:
            yield from _body(pieces[0])
        yield "    return 0;\n}\n"
        prefix, base = family(package, r)
        shapes = [(y.name, y.shape) for y in base.program.outputs]
        inputs, outputs = ports(base.arguments, shapes, prefix)
        sides = {"in": [_pattern(p) for p in inputs], "out": []}
        sides["out"] = [_pattern(p, y) for p, y in zip(outputs, r.program.outputs, strict=True)]
        yield from _queries(name, inputs, outputs, size)
        for side, found in sides.items():
            places = [patterns.setdefault(x, len(patterns)) for x in found]
            texts = [f"casadi_s{k}" for k in places]
            yield from _table("const casadi_int *", f"{name}_sparsity_{side}", texts)


def family(package: Package, routine: Routine) -> tuple[str, Routine]:
    """(prefix, f) of jac_f, adj1_f or jac_adj1_f; ("", f) for any other function."""
    name = routine.program.name
    for prefix in sorted(PREFIXES, key=len, reverse=True):
        base = package.routine(name.removeprefix(prefix))
        if name.startswith(prefix) and base is not None:
            return prefix, base
    return "", routine


def _written(program: Program, texts: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """(number of the result, entry, text), entries column by column."""
    start = 0
    for k, y in enumerate(program.outputs):
        order = by_columns(y.shape) if y.places is None else range(len(y.values))
        yield from ((k, at, texts[start + i]) for at, i in enumerate(order))
        start += len(y.values)


def _unused(*more: str) -> Iterator[str]:
    yield from (f"    (void){x};" for x in ("casadi_arg", "casadi_res", "casadi_w", *more))


def _body(part: Part) -> Iterator[str]:
    for name, text in part.values:
        declared = "" if name.startswith(WORK) else "const casadi_real "
        yield f"    {declared}{name} = {text};"
    for k in dict.fromkeys(k for k, _, _ in part.results):
        yield f"    if (casadi_res[{k}]) {{"
        for at, text in ((at, text) for j, at, text in part.results if j == k):
            yield f"        casadi_res[{k}][{at}] = {text};"
        yield "    }"


def _pattern(port: Port, y: Output | None = None) -> tuple[int, ...]:
    """Sparsity as CasADi stores it: rows, columns, then 1 for a dense matrix, or column by column."""
    rows, columns, is_empty = port[1:]
    places = () if y is None or y.places is None else y.places
    if not is_empty and (y is None or y.places is None or len(places) == rows * columns):
        return rows, columns, 1
    starts = [sum(j < column for _, j in places) for column in range(columns + 1)]
    return rows, columns, *starts, *(i for i, _ in places)


def _queries(
    name: str, inputs: Sequence[Port], outputs: Sequence[Port], work: int
) -> Iterator[str]:
    for side, found in (("in", inputs), ("out", outputs)):
        yield f"CASADI_SYMBOL_EXPORT casadi_int {name}_n_{side}(void)\n{{"
        yield f"    return {len(found)};\n}}\n"
        texts = [f'"{port.name}"' for port in found]
        yield from _table("const char *", f"{name}_name_{side}", texts)
    sizes = {"arg": len(inputs), "res": len(outputs), "iw": 0, "w": work}
    declared = ", ".join(f"casadi_int *{n}" for n in sizes)
    yield f"CASADI_SYMBOL_EXPORT int {name}_work({declared})\n{{"
    yield from (f"    if ({n}) *{n} = {size};" for n, size in sizes.items())
    yield "    return 0;\n}\n"


def _table(kind: str, name: str, texts: Iterable[str]) -> Iterator[str]:
    """Function of an index that returns one of the texts, or 0."""
    yield f"CASADI_SYMBOL_EXPORT {kind}{name}(casadi_int i)\n{{\n    switch (i) {{"
    yield from (f"    case {k}: return {text};" for k, text in enumerate(texts))
    yield "    default: return 0;\n    }\n}\n"


def _lists(package: Package) -> Iterator[str]:
    """Lines that list the arguments in order."""
    for argument, found in package.quantities.items():
        yield f"{argument}[{len(found)}]:"
        for k, x in enumerate(found):
            unit = f" [{comment(x.unit)}]" if x.unit else ""
            value = "" if x.default is None else f" = {float(Fraction(x.default))!r}"
            said = f"  {comment(x.description)}" if x.description else ""
            yield f"  {k:3} {comment(x.name)}{unit}{value}{said}"
