"""Self-test of generated C: a program that compares the functions with golden vectors."""

from __future__ import annotations

from collections.abc import Iterator

from ....basics.wording import counted
from .c_text import block_comment, first_entry, initialiser, real_type, subscript
from .package import Package, Routine
from .target import number

_CHECK = """#include "{name}.h"

#include <math.h>
#include <stdio.h>

static int failures = 0;
static double worst = 0.0; /* largest error, relative to the allowed one */

static void check(const char *name, const {real} *computed, const double *expected, int size,
                  double allowed)
{{
    int i;
    for (i = 0; i < size; i++) {{
        const double error = fabs((double)computed[i] - expected[i]);
        if (!(error <= allowed)) {{ /* so that NaN fails */
            failures++;
            printf("%s, entry %d: got %.17g, expected %.17g\\n", name, i, (double)computed[i],
                   expected[i]);
        }} else if (allowed > 0.0 && error > worst * allowed) {{
            worst = error / allowed;
        }}
    }}
}}
"""


def selftest(package: Package) -> str:
    """Text of the program; its head has the command that builds and runs it."""
    name = package.name
    command = f"cc -O2 {name}_selftest.c {name}.c -lm -o selftest && ./selftest"
    head = [f"{name}_selftest.c", *package.provenance, "", f"Build and run: {command}"]
    blocks = [block_comment(head), _CHECK.format(name=name, real=real_type(package))]
    blocks += ["\n".join(_test(package, k, r)) for k, r in enumerate(package.routines)]
    vectors = sum(len(r.golden) for r in package.routines)
    functions = counted(len(package.routines), "function")
    text = f"{name}: {functions}, {counted(vectors, 'golden vector')}, "
    lines = ["int main(void)", "{", *(f"    test_{k}();" for k in range(len(package.routines)))]
    lines += [
        f'    printf("{text}"',
        '           "%d %s wrong, largest error %.2g of the %.0e allowed\\n",',
        f'           failures, failures == 1 ? "entry" : "entries", worst, {package.tolerance!r});',
        "    return failures != 0;",
        "}",
    ]
    return "\n".join([*blocks, "\n".join(lines), ""])


# Numbers instead of names, so that no name of the robot is next to one of these.
def _test(package: Package, number_of: int, r: Routine) -> Iterator[str]:
    real, n = real_type(package), len(r.golden)
    suffix = "F" if package.dtype == "float32" else ""
    yield f"static void test_{number_of}(void)\n{{"
    tested = package.tested(r)
    for i, a in enumerate(tested):
        rows = ",\n".join(
            "    "
            + initialiser((number(x, package.dtype) + suffix for x in g.arguments[a.name]), "     ")
            for g in r.golden
        )
        yield f"    static const {real} argument_{i}[{n}][{len(a)}] = {{\n{rows}}};"
    for i, y in enumerate(r.outputs):
        numbers = (r.split(g.result)[i] for g in r.golden)
        rows = ",\n".join("    " + initialiser(map(repr, x), "     ") for x in numbers)
        yield f"    static const double expected_{i}[{n}][{len(y.values)}] = {{\n{rows}}};"
        allowed = ", ".join(repr(g.scales[i] * package.tolerance) for g in r.golden)
        yield f"    static const double allowed_{i}[{n}] = {{{allowed}}};"
    yield from (f"    {real} computed_{i}{subscript(y)};" for i, y in enumerate(r.outputs))
    yield "    int k;"
    yield f"    for (k = 0; k < {n}; k++) {{"
    usual = f"{package.name}_default_parameters"
    arguments = [f"argument_{i}[k]" if a in tested else usual for i, a in enumerate(r.arguments)]
    arguments += [f"computed_{i}" for i in range(len(r.outputs))]
    yield f"        {package.name}_{r.name}({', '.join(arguments)});"
    for i, y in enumerate(r.outputs):
        name = f"{r.name}, {y.name}" if len(r.outputs) > 1 else r.name
        first, size = first_entry(y, f"computed_{i}"), len(y.values)
        yield f'        check("{name}", {first}, expected_{i}[k], {size}, allowed_{i}[k]);'
    yield "    }\n}\n"
