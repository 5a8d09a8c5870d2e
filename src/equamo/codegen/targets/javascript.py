"""JavaScript: one ES module without dependencies, for browsers and Node.js, and its self-test."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, final

from ...ir.program import Argument
from ...wording import counted
from .package import Package, Routine, row
from .statements import statements
from .target import Target, comment, number

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

for (const [name, calls, expected, allowed] of golden) {{
  for (let k = 0; k < calls.length; k++) {{
    check(name, robot[name](...calls[k]), expected[k], allowed[k]);
  }}
}}
console.log("{name}: {functions}, {vectors}, " + missed +
  " missed, largest error " + worst.toPrecision(2) + " of the {tolerance!r} allowed");
if (missed > 0) throw new Error(missed + " of {vectors} missed");
"""


@final
class JavaScript(Target):
    """Functions of plain or typed arrays.

    The result is a typed array, row by row: the last argument if it is given, else a new one; a single
    number is returned directly.
    """

    name = "javascript"
    description = "an ES module for browsers and node"
    functions = {}  # noqa: RUF012  never changed

    def files(self, package: Package) -> dict[str, str]:
        return {
            f"{package.name}.mjs": self.module(package),
            f"{package.name}_selftest.mjs": _selftest(package),
        }

    # -- nodes -----------------------------------------------------------------------------------------
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
        y = r.output.name
        taken = [_argument(package, a) for a in r.arguments]
        if r.output.shape:
            taken.append(f"{y} = new {_array(package)}({r.size})")
        yield f"// {comment(r.remark)}"
        yield f"export function {r.name}({', '.join(taken)}) {{"
        for a in r.arguments:
            yield f'  check_size({a.name}, {len(a)}, "{a.name}");'
        body = statements(r.program, self)
        yield from (f"  const {name} = {text};" for name, text in body.assignments)
        if not r.output.shape:
            yield f"  return {body.results[0]};\n}}\n"
            return
        # Written last: an output may be the array of an input.
        yield from (f"  {y}[{k}] = {text};" for k, text in enumerate(body.results))
        yield f"  return {y};\n}}\n"


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
        yield from (f"    {row(g.result)}," for g in r.golden)
        yield f"  ], {row([g.scale * package.tolerance for g in r.golden])}],"
    yield "];"
