"""MEX gateway: calls the generated C from MATLAB or Octave as name_mex('function', q, …)."""

from __future__ import annotations

from collections.abc import Iterator

from .c_text import block_comment, first_entry, real_type, subscript
from .package import Package, Routine

_READ = """#include "mex.h"

#include "{name}.h"

#include <string.h>

/* Read the entries of an argument, a row or column; raise an error that names it otherwise. */
static void read_argument(const mxArray *given, size_t size, const char *message, {real} *to)
{{
    size_t i;
    const double *from;
    if (!mxIsDouble(given) || mxIsComplex(given) || mxIsSparse(given)
        || mxGetNumberOfElements(given) != size) {{
        mexErrMsgIdAndTxt("{name}:size", "%s", message);
    }}
    from = mxGetPr(given);
    for (i = 0; i < size; i++) {{
        to[i] = ({real})from[i];
    }}
}}

/* Rows of C to columns of MATLAB. */
static mxArray *made_array(const {real} *from, size_t rows, size_t columns)
{{
    size_t i, j;
    mxArray *array = mxCreateDoubleMatrix(rows, columns, mxREAL);
    double *to = mxGetPr(array);
    for (i = 0; i < rows; i++) {{
        for (j = 0; j < columns; j++) {{
            to[i + rows * j] = (double)from[i * columns + j];
        }}
    }}
    return array;
}}
"""


def gateway(package: Package) -> str:
    """C source of the gateway; its head has the commands that build it."""
    name = package.name
    head = [
        f"{name}_mex.c: the functions of {name}.c, called as {name}_mex('mass_matrix', q)",
        *package.provenance,
        "",
        f"Build in MATLAB: mex {name}_mex.c {name}.c",
        f"Build for Octave: mkoctfile --mex {name}_mex.c {name}.c",
    ]
    lines = [block_comment(head), _READ.format(name=name, real=real_type(package))]
    lines.append(
        "void mexFunction(int nlhs, mxArray *plhs[], int nrhs, const mxArray *prhs[])\n"
        "{\n"
        "    char function[64];\n"
        "    (void)nlhs;\n"
        "    if (nrhs < 1 || mxGetString(prhs[0], function, sizeof function) != 0) {\n"
        f'        mexErrMsgIdAndTxt("{name}:function", "%s", "argument 1 must name a function");\n'
        "    }"
    )
    for r in package.routines:
        lines += _case(package, r)
    lines.append(
        f'    mexErrMsgIdAndTxt("{name}:function", "unknown function %s", function);\n}}\n'
    )
    return "\n".join(lines)


def _case(package: Package, r: Routine) -> Iterator[str]:
    name, real = package.name, real_type(package)
    optional = [a for a in r.arguments if package.optional(a.name)]
    least, most = 1 + len(r.arguments) - len(optional), 1 + len(r.arguments)
    yield f'    if (strcmp(function, "{r.name}") == 0) {{'
    # Numbers instead of names, so that no name of the robot is next to one of these.
    yield from (f"        {real} argument_{k}[{len(a)}];" for k, a in enumerate(r.arguments))
    yield from (f"        {real} result_{k}{subscript(y)};" for k, y in enumerate(r.outputs))
    names = ", ".join(a.name for a in r.arguments) or "no more arguments"
    yield f"        if (nrhs < {least} || nrhs > {most}) {{"
    yield f'            mexErrMsgIdAndTxt("{name}:size", "%s", "{r.name} takes {names}");\n        }}'
    for k, a in enumerate(r.arguments, 1):
        message = f"{a.name} must have {len(a)} real entries"
        read = f'read_argument(prhs[{k}], {len(a)}, "{message}", argument_{k - 1});'
        if a in optional:
            yield f"        if (nrhs > {k}) {{\n            {read}\n        }} else {{"
            yield f"            {_default(package, a.name, k - 1)}\n        }}"
        else:
            yield f"        {read}"
    names = [f"argument_{k}" for k in range(len(r.arguments))]
    names += [f"result_{k}" for k in range(len(r.outputs))]
    yield f"        {name}_{r.name}({', '.join(names)});"
    for k, y in enumerate(r.outputs):
        rows, columns = (*y.shape, 1, 1)[:2]
        made = f"plhs[{k}] = made_array({first_entry(y, f'result_{k}')}, {rows}, {columns});"
        # The first is there even if the call asks for none.
        yield (
            f"        if (nlhs > {k}) {{\n            {made}\n        }}"
            if k
            else f"        {made}"
        )
    yield "        return;\n    }"


def _default(package: Package, argument: str, place: int) -> str:
    """Statement that fills an omitted argument."""
    name = f"argument_{place}"
    if argument == "external":
        return f"memset({name}, 0, sizeof {name});"
    return f"memcpy({name}, {package.name}_default_parameters, sizeof {name});"
