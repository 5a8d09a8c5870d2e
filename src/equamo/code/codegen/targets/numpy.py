"""NumPy: one module without other dependencies, for one state or a batch of states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from math import pi
from typing import ClassVar, Final, final

from ...ir.program import Argument, Dtype
from .package import Package, Routine, row
from .statements import statements
from .target import Target, comment, exactly, number

_HEAD: Final = '''
import numpy as np

DTYPE = np.{dtype}


def _array(given, size, name):
    """Convert an argument to an array whose last axis has `size` entries."""
    array = np.asarray(given, dtype=DTYPE)
    if array.ndim == 0 or array.shape[-1] != size:
        raise ValueError(f"{{name}} must have shape ({{size}},) or (N, {{size}}), got {{array.shape}}")
    return array


def _result(entries, shape, *arguments):
    """Stack the entries in one array, batch axis first."""
    batch = np.broadcast_shapes(*(x.shape[:-1] for x in arguments))
    result = np.empty((*batch, len(entries)), dtype=DTYPE)
    for k, entry in enumerate(entries):
        result[..., k] = entry
    return result.reshape((*batch, *shape))[()]
'''

_SINGLE: Final = '''

def selftest():
    """Compare with golden vectors, singly and as a batch; return the number of mismatches."""
    missed, worst = 0, 0.0
    for function, arguments, expected, allowed in GOLDEN:
        arguments = [np.array(x, dtype=DTYPE) for x in arguments]
        # A function without arguments has no batch.
        batch = function(*arguments) if arguments else [function()] * len(allowed)
        for k, bound in enumerate(allowed):
            for result in (function(*(x[k] for x in arguments)), batch[k]):
                error = np.abs(np.ravel(result).astype(np.float64) - expected[k]).max()
                if not error <= bound:
                    missed += 1
                    print(f"{{function.__name__}}, vector {{k}}: error {{error}}, allowed {{bound}}")
                elif bound > 0:
                    worst = max(worst, error / bound)
'''

# If a function has several results: expected and allowed are lists with one entry per result.
_SEVERAL: Final = '''

def _results(found):
    """Convert the results of a function to a tuple."""
    return found if isinstance(found, tuple) else (found,)


def selftest():
    """Compare with golden vectors, singly and as a batch; return the number of mismatches."""
    missed, worst = 0, 0.0
    for function, arguments, expected, allowed in GOLDEN:
        arguments = [np.array(x, dtype=DTYPE) for x in arguments]
        # A function without arguments has no batch.
        batch = _results(function(*arguments) if arguments else function())
        for k, bounds in enumerate(allowed):
            single = _results(function(*(x[k] for x in arguments)))
            many = [x[k] for x in batch] if arguments else batch
            for j, bound in enumerate(bounds):
                for result in (single[j], many[j]):
                    error = np.abs(np.ravel(result).astype(np.float64) - expected[k][j]).max()
                    if not error <= bound:
                        missed += 1
                        print(f"{{function.__name__}}, result {{j}}, vector {{k}}: error {{error}}, "
                              f"allowed {{bound}}")
                    elif bound > 0:
                        worst = max(worst, error / bound)
'''

_REPORT: Final = """\
    print(f"{name}: {{len(GOLDEN)}} functions, {{sum(len(x[3]) for x in GOLDEN)}} golden vectors, "
          f"{{missed}} missed, largest error {{worst:.2g}} of the {tolerance!r} allowed")
    return missed


if __name__ == "__main__":
    raise SystemExit(selftest() != 0)
"""

_OPTIONAL: Final = {"external": "external=None", "parameters": "parameters=DEFAULT_PARAMETERS"}


@final
class NumPy(Target):
    """A Python module; every function takes (n,) or (N, n)."""

    name = "numpy"
    description = "a Python module that needs NumPy only"
    functions: ClassVar[Mapping[str, str]] = {
        "asin": "arcsin",
        "acos": "arccos",
        "atan": "arctan",
        "atan2": "arctan2",
    }
    dtype: Dtype

    def files(self, package: Package) -> dict[str, str]:
        self.dtype = package.dtype
        name = package.name
        heads = [f"{name}.py", *package.provenance, "", f"Self-test: python {name}.py", "",
                 *package.listed]  # fmt: skip
        blocks = ["\n".join(f"# {comment(line)}".rstrip() for line in heads)]
        blocks.append(_HEAD.format(dtype=package.dtype))
        defaults = package.defaults("parameters")
        if defaults is not None:
            numbers = ", ".join(number(x, package.dtype) for x in defaults)
            blocks.append(f"\nDEFAULT_PARAMETERS = np.array([{numbers}], dtype=DTYPE)\n")
        blocks += ["\n".join(self._function(package, r)) for r in package.routines]
        blocks.append("\n".join(_golden(package)))
        checks = _SEVERAL if package.has_several else _SINGLE
        blocks.append((checks + _REPORT).format(name=name, tolerance=package.tolerance))
        return {f"{name}.py": "\n".join(blocks)}

    def code(self, package: Package) -> list[str]:
        return [f"{package.name}.py"]

    # -- nodes -----------------------------------------------------------------------------------------
    def format_constant(self, value: Fraction) -> str:
        return exactly(value, self.dtype)

    def format_pi(self) -> str:
        return exactly(Fraction(pi), self.dtype)

    def format_input(self, argument: Argument, element: int) -> str:
        return f"{argument.name}[..., {element}]"

    def format_function(self, name: str, a: str) -> str:
        return f"np.{super().format_function(name, a)}"

    def format_atan2(self, a: str, b: str) -> str:
        return f"np.{super().format_atan2(a, b)}"

    # -- functions -------------------------------------------------------------------------------------
    def _function(self, package: Package, r: Routine) -> Iterator[str]:
        taken = [_OPTIONAL[a.name] if package.optional(a.name) else a.name for a in r.arguments]
        yield f"\ndef {r.name}({', '.join(taken)}):"
        yield f"    # {comment(r.remark)}"
        for a in r.arguments:
            given = a.name
            if a.name == "external":
                given = f"np.zeros({len(a)}) if external is None else external"
            yield f'    {a.name} = _array({given}, {len(a)}, "{a.name}")'
        body = statements(r.program, self, package.public)
        yield from (f"    {name} = {text}" for name, text in body.assignments)
        arguments = ", ".join(a.name for a in r.arguments)
        several = len(r.outputs) > 1
        head, indent, end = ("", "        ", ",") if several else ("return ", "    ", "\n")
        if several:
            yield "    return ("
        for y, texts in zip(r.outputs, r.split(body.results), strict=True):
            yield f"{indent}{head}_result(("
            yield from (f"{indent}    {text}," for text in texts)
            shape = "".join(f"{n}, " for n in y.shape).rstrip()
            yield f"{indent}), ({shape}), {arguments}){end}"
        if several:
            yield "    )\n"


def _golden(package: Package) -> Iterator[str]:
    """Rows (function, arguments, expected, allowed), one per function."""
    yield "\nGOLDEN = ["
    for r in package.routines:
        yield f"    ({r.name}, ["
        for a in package.tested(r):
            rows = ", ".join(row(g.arguments[a.name]) for g in r.golden)
            yield f"        [{rows}],"
        yield "    ], ["
        if package.has_several:
            yield from (f"        [{', '.join(map(row, r.split(g.result)))}]," for g in r.golden)
            allowed = ", ".join(row(s * package.tolerance for s in g.scales) for g in r.golden)
            yield f"    ], [{allowed}]),"
            continue
        yield from (f"        {row(g.result)}," for g in r.golden)
        allowed = row([g.scales[0] * package.tolerance for g in r.golden])
        yield f"    ], {allowed}),"
    yield "]"
