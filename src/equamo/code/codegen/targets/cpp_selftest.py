"""Self-test of generated C++: golden vectors, with Eigen set to fail on any allocation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ....basics.wording import counted
from .c_text import block_comment, initialiser
from .package import Package, Routine
from .target import number

_CHECK = """#define EIGEN_RUNTIME_NO_MALLOC
#include "{name}.hpp"

#include <cstdio>

namespace {{

namespace robot = equamo::{name};

int failures = 0;
double worst = 0.0; /* largest error, relative to the allowed one */

/* Entries row by row, as the expected ones. */
template <class Derived>
void check(const char *name, const Eigen::DenseBase<Derived>& computed, const double *expected,
           double allowed)
{{
    for (Eigen::Index i = 0, k = 0; i < computed.rows(); i++) {{
        for (Eigen::Index j = 0; j < computed.cols(); j++, k++) {{
            const double value = static_cast<double>(computed.derived().coeff(i, j));
            const double error = std::fabs(value - expected[k]);
            if (!(error <= allowed)) {{ /* so that NaN fails */
                failures++;
                std::printf("%s, entry %d: got %.17g, expected %.17g\\n", name, static_cast<int>(k),
                            value, expected[k]);
            }} else if (allowed > 0.0 && error > worst * allowed) {{
                worst = error / allowed;
            }}
        }}
    }}
}}
"""


def selftest(package: Package) -> str:
    """Text of the program; its head has the command that builds and runs it."""
    name = package.name
    command = (
        f"c++ -std=c++17 -O2 -I /usr/include/eigen3 {name}_selftest.cpp -o selftest && ./selftest"
    )
    head = [f"{name}_selftest.cpp", *package.provenance, "", f"Build and run: {command}"]
    blocks = [block_comment(head), _CHECK.format(name=name)]
    blocks += ["\n".join(_test(package, r)) for r in package.routines]
    vectors = sum(len(r.golden) for r in package.routines)
    functions = counted(len(package.routines), "function")
    text = f"{name}: {functions}, {counted(vectors, 'golden vector')}, "
    lines = ["} /* namespace */\n", "int main()", "{"]
    lines += ["    Eigen::internal::set_is_malloc_allowed(false);"]
    lines += [f"    test_{r.name}();" for r in package.routines]
    lines += [
        f'    std::printf("{text}"',
        '                "%d %s wrong, largest error %.2g of the %.0e allowed\\n",',
        '                failures, failures == 1 ? "entry" : "entries", worst, '
        f"{package.tolerance!r});",
        "    return failures != 0;",
        "}",
    ]
    return "\n".join([*blocks, "\n".join(lines), ""])


def _test(package: Package, r: Routine) -> Iterator[str]:
    n, suffix = len(r.golden), "F" if package.dtype == "float32" else ""
    yield f"void test_{r.name}()\n{{"
    tested = package.tested(r)
    for i, a in enumerate(tested):
        rows = _rows(
            (number(x, package.dtype) + suffix for x in g.arguments[a.name]) for g in r.golden
        )
        yield f"    static const robot::Real argument_{i}[{n}][{len(a)}] = {rows};"
    for k, y in enumerate(r.outputs):
        rows = _rows(map(repr, r.split(g.result)[k]) for g in r.golden)
        yield f"    static const double expected_{k}[{n}][{len(y.values)}] = {rows};"
        allowed = ", ".join(repr(g.scales[k] * package.tolerance) for g in r.golden)
        yield f"    static const double allowed_{k}[{n}] = {{{allowed}}};"
        yield f"    static robot::Real computed_{k}[{len(y.values)}];"
    yield f"    for (int k = 0; k < {n}; k++) {{"
    arguments = [
        f"Eigen::Map<const robot::Vector<{len(a)}>>(argument_{i}[k])"
        if a in tested
        else "robot::default_parameters()"
        for i, a in enumerate(r.arguments)
    ]
    for k, y in enumerate(r.outputs):
        shape = ", ".join(map(str, (*y.shape, 1)[:2] if y.shape else (1, 1)))
        yield f"        Eigen::Map<robot::Matrix<{shape}>> result_{k}(computed_{k});"
        arguments.append(f"result_{k}" if y.shape else f"computed_{k}[0]")
    yield f"        robot::{r.name}({', '.join(arguments)});"
    for k, y in enumerate(r.outputs):
        name = f"{r.name}, {y.name}" if len(r.outputs) > 1 else r.name
        yield f'        check("{name}", result_{k}, expected_{k}[k], allowed_{k}[k]);'
    yield "    }\n}\n"


def _rows(rows: Iterable[Iterable[str]]) -> str:
    """Initialiser of an array of two dimensions."""
    texts = ("    " + initialiser(row, "     ") for row in rows)
    return "{\n" + ",\n".join(texts) + "}"
