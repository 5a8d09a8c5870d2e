"""Example program in C: M, b, g and B·inputs at the default state (document 002, section 3.4)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .c_text import block_comment, initialiser, real_type
from .package import Package, Routine
from .target import number

_SHOW = """#include "{name}.h"

#include <stdio.h>

static void show(const char *name, const {real} *x, int rows, int columns)
{{
    int i, j;
    printf("%s =\\n", name);
    for (i = 0; i < rows; i++) {{
        for (j = 0; j < columns; j++) {{
            printf(" %12.6g", (double)x[i * columns + j]);
        }}
        printf("\\n");
    }}
}}
"""
SHOWN: Final = ("mass_matrix", "bias", "gravity", "input_matrix")


def example(package: Package) -> str:
    """Program that prints M v̇ + b + g = B·inputs in numbers, as far as these functions exist."""
    name, real = package.name, real_type(package)
    command = f"cc -O2 {name}_example.c {name}.c -lm -o example && ./example"
    forces = " + A' lam" if package.is_augmented else ""
    head = [
        f"{name}_example.c: M v' + b + g = B inputs{forces} at the robot's default state",
        *package.provenance,
        "",
        f"Build and run: {command}",
    ]
    shown = [r for n in SHOWN if (r := package.routine(n)) is not None]
    lines = [block_comment(head)]
    lines.append(_SHOW.format(name=name, real=real) if shown else "#include <stdio.h>\n")
    lines.append("int main(void)\n{")
    taken = dict.fromkeys(a.name for r in shown for a in r.arguments)
    forced = package.routine("input_matrix")
    if forced is not None:
        taken["inputs"] = None
    for a in taken:
        lines.append(
            f"    const {real} {a}[{len(package.quantities[a])}] = {_default(package, a)};"
        )
    lines += [f"    {real} {r.output.name}{_shape(r)};" for r in shown]
    if forced is not None:
        lines.append(f"    {real} B_inputs[{forced.output.shape[0]}];\n    int i, j;")
    for r in shown:
        lines += _call(package, r)
    if forced is not None:
        lines += _input_force(forced)
    if not shown:
        lines.append(f'    printf("none of {", ".join(SHOWN)} was generated\\n");')
    return "\n".join([*lines, "    return 0;", "}", ""])


def _shape(r: Routine) -> str:
    return "".join(f"[{n}]" for n in r.output.shape)


def _default(package: Package, argument: str) -> str:
    suffix = "F" if package.dtype == "float32" else ""
    values = [1 if x.default is None else x.default for x in package.quantities[argument]]
    return initialiser(number(x, package.dtype) + suffix for x in values)


def _call(package: Package, r: Routine) -> Iterator[str]:
    y, shape = r.output.name, (*r.output.shape, 1)[:2]
    yield f"    {package.name}_{r.name}({', '.join([*(a.name for a in r.arguments), y])});"
    if r.program.name != "input_matrix":
        first = f"&{y}{'[0]' * len(r.output.shape)}"
        yield f'    show("{y}", {first}, {shape[0]}, {shape[1]});'


def _input_force(r: Routine) -> list[str]:
    n, m = r.output.shape
    return [
        f"    for (i = 0; i < {n}; i++) {{",
        "        B_inputs[i] = 0;",
        f"        for (j = 0; j < {m}; j++) {{",
        "            B_inputs[i] += B[i][j] * inputs[j];",
        "        }",
        "    }",
        f'    show("B inputs", B_inputs, {n}, 1);',
    ]
