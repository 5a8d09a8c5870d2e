"""MATLAB and Octave: one .m file per function, a self-test, and the C with a mex gateway."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import pi
from typing import ClassVar, Final, final

from ....basics.wording import counted
from ...ir.program import Argument, Dtype
from .c import C
from .mex import gateway
from .package import Package, Routine
from .statements import statements
from .target import Target, comment, exactly, number

_CHECK: Final = """
  fprintf('{name}: {functions}, {vectors}, ');
  fprintf('%d missed, largest error %.2g of the %.0e allowed\\n', missed, worst, {tolerance!r});
  if missed > 0
    error('{name}:selftest', '%d of {vectors} missed', missed);
  end
end

function [missed, worst] = check(name, computed, expected, allowed, missed, worst)
  wrong = max(abs(double(computed(:)) - expected(:)));
  if ~(wrong <= allowed)
    missed = missed + 1;
    fprintf('%s: error %.3g, allowed %.3g\\n', name, wrong, allowed);
  elseif allowed > 0
    worst = max(worst, wrong/allowed);
  end
end
"""


@final
class Matlab(Target):
    """Functions of columns (rows are accepted too), for MATLAB and Octave."""

    name = "matlab"
    description = ".m files for MATLAB and Octave, and C with a mex gateway"
    functions: ClassVar[Mapping[str, str]] = {}
    dtype: Dtype

    def files(self, package: Package) -> dict[str, str]:
        self.dtype = package.dtype
        name = package.name
        files = {
            f"{name}_{r.name}.m": "\n".join(self._function(package, r)) for r in package.routines
        }
        if package.defaults("parameters") is not None:
            files[f"{name}_default_parameters.m"] = "\n".join(_parameters(package))
        files[f"{name}_selftest.m"] = "\n".join(_selftest(package))
        c = C()
        files[f"{name}.h"] = c.header(package)
        files[f"{name}.c"] = c.source(package)
        files[f"{name}_mex.c"] = gateway(package)
        return files

    def code(self, package: Package) -> list[str]:
        name, defaults = package.name, package.defaults("parameters") is not None
        functions = [r.name for r in package.routines] + ["default_parameters"] * defaults
        return [*(f"{name}_{f}.m" for f in functions), f"{name}.c"]

    def symbol(self, package: Package, routine: Routine) -> str:
        return f"{package.name}_{routine.name}"

    # -- nodes -----------------------------------------------------------------------------------------
    def format_constant(self, value: Fraction) -> str:
        return exactly(value, self.dtype)

    def format_pi(self) -> str:
        return exactly(Fraction(pi), self.dtype)

    def format_input(self, argument: Argument, element: int) -> str:
        return f"{argument.name}({element + 1})"

    # -- files -----------------------------------------------------------------------------------------
    def _function(self, package: Package, r: Routine) -> Iterator[str]:
        name, single = package.name, package.dtype == "float32"
        taken = ", ".join(a.name for a in r.arguments)
        names = [y.name for y in r.outputs]
        given = names[0] if len(names) == 1 else f"[{', '.join(names)}]"
        yield f"function {given} = {name}_{r.name}({taken})"
        yield f"% {name}_{r.name}: {comment(r.remark)}"
        yield from (f"% {comment(line)}".rstrip() for line in package.provenance)
        for a in r.arguments:
            names = ", ".join(x.name for x in package.quantities.get(a.name, ()))
            yield f"%   {a.name} ({len(a)}){': ' * bool(names)}{comment(names)}"
        for k, a in enumerate(r.arguments, 1):
            if a.name == "external" and package.optional("external"):
                yield f"  if nargin < {k}, external = zeros({len(a)}, 1); end"
            elif package.optional(a.name):
                yield f"  if nargin < {k}, parameters = {name}_default_parameters(); end"
            error = f"error('{name}:size', '{a.name} must have {len(a)} entries')"
            yield f"  if numel({a.name}) ~= {len(a)}, {error}; end"
            if single:
                yield f"  {a.name} = single({a.name});"
        body = statements(r.program, self, package.public)
        yield from (f"  {x} = {text};" for x, text in body.assignments)
        kind = ", 'single'" if single else ""
        for y, texts in zip(r.outputs, r.split(body.results), strict=True):
            rows, columns = (*y.shape, 1, 1)[:2]
            yield f"  {y.name} = zeros({rows}, {columns}{kind});"
            for k, text in enumerate(texts):
                i, j = divmod(k, columns)
                if text != "0.0":
                    yield f"  {y.name}({i + 1}, {j + 1}) = {text};"
        yield "end\n"


def _parameters(package: Package) -> Iterator[str]:
    yield f"function parameters = {package.name}_default_parameters()"
    yield f"% {package.name}_default_parameters: the defaults, in order"
    yield from (f"% {comment(line)}".rstrip() for line in package.provenance)
    yield "  parameters = ["
    for x in package.quantities["parameters"]:
        unit = f" [{x.unit}]" if x.unit else ""
        said = f": {x.description}" if x.description else ""
        assert x.default is not None
        yield f"    {number(x.default, package.dtype)}  % {comment(x.name + unit + said)}"
    yield "  ];\nend\n"


def _selftest(package: Package) -> Iterator[str]:
    name = package.name
    yield f"function {name}_selftest()"
    yield f"% {name}_selftest: compares every function with golden vectors; error on a mismatch"
    yield from (f"% {comment(line)}".rstrip() for line in package.provenance)
    yield f"% Run: octave-cli --eval {name}_selftest    or in MATLAB: {name}_selftest"
    yield "  missed = 0;\n  worst = 0;"
    for r in package.routines:
        for g in r.golden:
            arguments = ", ".join(_column(g.arguments[a.name]) for a in package.tested(r))
            several = len(r.outputs) > 1
            found = [f"y{k}" if several else "y" for k in range(len(r.outputs))]
            left = f"[{', '.join(found)}]" if several else "y"
            yield f"  {left} = {name}_{r.name}({arguments});"
            parts = zip(found, r.outputs, r.split(g.result), g.scales, strict=True)
            for y, output, numbers, scale in parts:
                rows, columns = (*output.shape, 1, 1)[:2]
                expected = f"reshape({_column(numbers)}, {columns}, {rows}).'"
                allowed = repr(scale * package.tolerance)
                title = f"{r.name}, {output.name}" if several else r.name
                yield f"  [missed, worst] = check('{title}', {y}, {expected}, {allowed}, missed, worst);"
    yield _CHECK.format(
        name=name,
        functions=counted(len(package.routines), "function"),
        vectors=counted(sum(len(r.golden) for r in package.routines), "golden vector"),
        tolerance=package.tolerance,
    )


def _column(numbers: Sequence[float]) -> str:
    return f"[{'; '.join(map(repr, numbers))}]"
