"""JavaScript: one ES module without dependencies, for browsers and Node.js, and its self-test."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import pi
from typing import ClassVar, Final, final

from ....basics.wording import counted
from ...ir.program import Argument, Dtype
from .package import Package, Routine, row
from .statements import statements
from .target import Target, comment, exactly, number

_SIZE: Final = """
function check_size(given, size, name) {
  if (given.length !== size) {
    throw new RangeError(name + " must have " + size + " entries, got " + given.length);
  }
}
"""

_CHECK: Final = """
let missed = 0, worst = 0;

function check(name, computed, expected, allowed) {{
  const found = typeof computed === "number" ? [computed] : computed;
  let error = found.length === expected.length ? 0 : NaN;
  for (let k = 0; k < expected.length; k++) {{
    const difference = Math.abs(found[k] - expected[k]);
    if (!(difference <= error)) error = difference; // so that NaN stays
  }}
  if (!(error <= allowed)) {{
    missed++;
    console.log(name + ": error " + error + ", allowed " + allowed);
  }} else if (allowed > 0) {{
    worst = Math.max(worst, error / allowed);
  }}
}}

{loop}
console.log("{name}: {functions}, {vectors}, " + missed +
  " missed, largest error " + worst.toPrecision(2) + " of the {tolerance!r} allowed");
if (missed > 0) throw new Error(missed + " of {vectors} missed");
"""

_SINGLE: Final = """\
for (const [name, calls, expected, allowed] of golden) {
  for (let k = 0; k < calls.length; k++) {
    check(name, robot[name](...calls[k]), expected[k], allowed[k]);
  }
}"""
# If a function has several results: expected and allowed are lists with one entry per result.
_SEVERAL: Final = """\
for (const [name, calls, expected, allowed] of golden) {
  for (let k = 0; k < calls.length; k++) {
    const found = robot[name](...calls[k]);
    const results = Array.isArray(found) ? found : [found];
    for (let j = 0; j < expected[k].length; j++) {
      check(name + ", result " + j, results[j], expected[k][j], allowed[k][j]);
    }
  }
}"""


@final
class JavaScript(Target):
    """Functions of plain or typed arrays.

    The result is a typed array, row by row: the last argument if it is given, else a new one; a single
    number is returned directly. Several results are returned as an array of these.
    """

    name = "javascript"
    description = "an ES module for browsers and node"
    functions: ClassVar[Mapping[str, str]] = {}
    dtype: Dtype

    def files(self, package: Package) -> dict[str, str]:
        return {
            f"{package.name}.mjs": self.module(package),
            f"{package.name}_selftest.mjs": _selftest(package),
        }

    def code(self, package: Package) -> list[str]:
        return [f"{package.name}.mjs"]

    # -- nodes -----------------------------------------------------------------------------------------
    # Every number of JavaScript is a double; only arrays have another type.
    def format_constant(self, value: Fraction) -> str:
        return exactly(value, "float64")

    def format_pi(self) -> str:
        return exactly(Fraction(pi), "float64")

    def format_input(self, argument: Argument, element: int) -> str:
        return f"{argument.name}[{element}]"

    def format_function(self, name: str, a: str) -> str:
        return f"Math.{super().format_function(name, a)}"

    def format_atan2(self, a: str, b: str) -> str:
        return f"Math.{super().format_atan2(a, b)}"

    # -- files -----------------------------------------------------------------------------------------
    def module(self, package: Package) -> str:
        """Module with the functions and the default parameters."""
        self.dtype = package.dtype
        heads = [f"{package.name}.mjs", *package.provenance, "", *package.listed]
        blocks = [_comments(heads), _SIZE]
        defaults = package.defaults("parameters")
        if defaults is not None:
            numbers = ", ".join(number(x, package.dtype) for x in defaults)
            blocks.append(
                f"export const default_parameters = {_array(package)}.from([{numbers}]);\n"
            )
        blocks += ["\n".join(self._function(package, r)) for r in package.routines]
        return "\n".join(blocks)

    def _function(self, package: Package, r: Routine) -> Iterator[str]:
        taken = [_argument(package, a) for a in r.arguments]
        for y in r.outputs:
            if y.shape:
                taken.append(f"{y.name} = new {_array(package)}({len(y.values)})")
        yield f"// {comment(r.remark)}"
        yield f"export function {r.name}({', '.join(taken)}) {{"
        for a in r.arguments:
            yield f'  check_size({a.name}, {len(a)}, "{a.name}");'
        body = statements(r.program, self, package.public)
        yield from (f"  const {name} = {text};" for name, text in body.assignments)
        returned: list[str] = []
        # Written last: an output may be the array of an input.
        for y, texts in zip(r.outputs, r.split(body.results), strict=True):
            if y.shape:
                yield from (f"  {y.name}[{k}] = {text};" for k, text in enumerate(texts))
            returned.append(y.name if y.shape else texts[0])
        listed = ", ".join(returned)
        yield f"  return {f'[{listed}]' if len(returned) > 1 else listed};\n}}\n"


def _array(package: Package) -> str:
    return "Float32Array" if package.dtype == "float32" else "Float64Array"


def _argument(package: Package, a: Argument) -> str:
    if not package.optional(a.name):
        return a.name
    if a.name == "external":
        return f"external = new {_array(package)}({len(a)})"
    return "parameters = default_parameters"


def _comments(lines: list[str]) -> str:
    return "\n".join(f"// {comment(line)}".rstrip() for line in lines)


def _selftest(package: Package) -> str:
    name = package.name
    heads = [f"{name}_selftest.mjs", *package.provenance, "", f"Run: node {name}_selftest.mjs"]
    checks = _CHECK.format(
        name=name,
        functions=counted(len(package.routines), "function"),
        vectors=counted(sum(len(r.golden) for r in package.routines), "golden vector"),
        tolerance=package.tolerance,
        loop=_SEVERAL if package.has_several else _SINGLE,
    )
    imports = f'import * as robot from "./{name}.mjs";\n'
    return "\n".join([_comments(heads), imports, *_golden(package), checks])


def _golden(package: Package) -> Iterator[str]:
    """Rows [function, arguments of each call, expected, allowed], one per function."""
    yield "const golden = ["
    for r in package.routines:
        tested = package.tested(r)
        yield f'  ["{r.name}", ['
        for g in r.golden:
            # Arguments that are not tested come last and keep their defaults.
            yield f"    [{', '.join(row(g.arguments[a.name]) for a in tested)}],"
        yield "  ], ["
        if package.has_several:
            yield from (f"    [{', '.join(map(row, r.split(g.result)))}]," for g in r.golden)
            allowed = ", ".join(row(s * package.tolerance for s in g.scales) for g in r.golden)
            yield f"  ], [{allowed}]],"
            continue
        yield from (f"    {row(g.result)}," for g in r.golden)
        yield f"  ], {row([g.scales[0] * package.tolerance for g in r.golden])}],"
    yield "];"
