"""Self-test of generated C: a program that compares the functions with golden vectors."""

from __future__ import annotations

from collections.abc import Iterator

from ...wording import counted
from .c_text import block_comment, initialiser, real_type
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
    blocks += ["\n".join(_test(package, r)) for r in package.routines]
    vectors = sum(len(r.golden) for r in package.routines)
    functions = counted(len(package.routines), "function")
    text = f"{name}: {functions}, {counted(vectors, 'golden vector')}, "
    lines = ["int main(void)", "{", *(f"    test_{r.name}();" for r in package.routines)]
    lines += [
        f'    printf("{text}"',
        '           "%d %s wrong, largest error %.2g of the %.0e allowed\\n",',
        f'           failures, failures == 1 ? "entry" : "entries", worst, {package.tolerance!r});',
        "    return failures != 0;",
        "}",
    ]
    return "\n".join([*blocks, "\n".join(lines), ""])


def _test(package: Package, r: Routine) -> Iterator[str]:
    real, n = real_type(package), len(r.golden)
    suffix = "F" if package.dtype == "float32" else ""
    yield f"static void test_{r.name}(void)\n{{"
    tested = package.tested(r)
    for a in tested:
        rows = ",\n".join(
            "    "
            + initialiser((number(x, package.dtype) + suffix for x in g.arguments[a.name]), "     ")
            for g in r.golden
        )
        yield f"    static const {real} {a.name}[{n}][{len(a)}] = {{\n{rows}}};"
    rows = ",\n".join("    " + initialiser(map(repr, g.result), "     ") for g in r.golden)
    yield f"    static const double expected[{n}][{r.size}] = {{\n{rows}}};"
    allowed = ", ".join(repr(g.scale * package.tolerance) for g in r.golden)
    yield f"    static const double allowed[{n}] = {{{allowed}}};"
    shape = "".join(f"[{k}]" for k in r.output.shape or (1,))
    yield f"    {real} computed{shape};\n    int k;"
    yield f"    for (k = 0; k < {n}; k++) {{"
    usual = f"{package.name}_default_parameters"
    arguments = [f"{a.name}[k]" if a in tested else usual for a in r.arguments]
    yield f"        {package.name}_{r.name}({', '.join([*arguments, 'computed'])});"
    first = "&computed" + "[0]" * len(r.output.shape or (1,))
    yield f'        check("{r.name}", {first}, expected[k], {r.size}, allowed[k]);'
    yield "    }\n}\n"
