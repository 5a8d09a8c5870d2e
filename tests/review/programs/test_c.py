"""C as gcc runs it: the expressions that are read have the values that the compiled code gives."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from equamo.algebra.expr import parse, symbol, symbols
from equamo.review.programs import read_code
from foreign_code import called, compiled, evaluated, read

pytestmark = pytest.mark.needs("pcpp", "pycparser")

HEAD = "#include <math.h>\n"

# What the function is about: (text of f(x, y, q, r), where r is written).
BODIES = {
    "integers are divided as integers": "r[0] = 1/2*x + 7/2 + (-7)/2 + 7%3 + (-7)%3; r[1] = 1/2.0*x;",
    "a real number divides as one": "int n = 3; r[0] = n/2*x + n/2.*y; r[1] = x/n;",
    "precedence": "r[0] = x - y - q[0]*-y/q[1]*2 + -x*x; r[1] = -(x + y)/(x*y)/3;",
    "functions": "r[0] = sin(x)*cosl(y) + tan(x) + sqrt(q[0]) + pow(x, 3) + pow(q[1], -2) + "
    "pow(q[0], 0.5);"
    "r[1] = exp(x) + log(q[0]) + tanh(y) + asin(x/4) + acos(x/4) + atan(y) + atan2(y, x) + fabs(-x);"
    "r[2] = sinh(x) + cosh(y) + hypot(x, y) + fmax(x, y) + fmin(x, y) + fma(x, y, q[0]);",
    "constants": "r[0] = M_PI*x + M_PI_2 + M_PI_4 + M_SQRT2*M_SQRT1_2; r[1] = 1e-3 + .5 + 2. + "
    "0x10 + 010 + 0x1p-2;",
    "loops": "int i, j; for (i = 0; i < 2; i++) for (j = 0; j < 2; ++j) { r[2*i+j] = 0;"
    "if (i == j) continue; r[2*i+j] += q[i]*x; if (j > 5) break; }",
    "a loop that counts down by two": "for (int i = 4; i > 0; i -= 2) r[i] = i*x;",
    "local arrays": "double A[2][2] = {{x, y}, {1, 2}}, b[3] = {x}; const double c[] = {1, 2, 3};"
    "r[0] = A[0][1] + A[1][0]*b[0] + b[1]*x + c[2]; r[1] = A[1][1]/4; r[2] = b[2];",
    "an array in one row": "double A[2][2] = {1, 2, 3}; r[0] = A[1][0]*x + A[1][1];",
    "temporaries that change": "double t = x; t *= y; t += 2; t -= x; t /= 4; r[0] = t; t = -t; "
    "r[1] = t*t;",
    "pointers": "double *p = r, z[2]; *p++ = x; *p = y; p[1] = *(r + 1)*2; z[0] = x; p = z; *(p + "
    "1) = y;"
    "r[3] = p[1]*z[0]; r[4] = &z[1] == z + 1; r[5] = p - 0 == z && r != 0;",
    "chained assignments": "double a, b; a = b = x; r[0] = r[1] = a + b;",
    "conditions on known numbers": "int n = 2; if (n > 1 && !(n == 3) || 0) r[0] = x; else r[0] = y;"
    "r[1] = n != 2 ? x : y; switch (n) { case 1: r[2] = x; case 2: r[2] = y; case 3: r[3] = x; break;"
    "default: r[3] = 0; }",
    "the type of a choice": "int n = 1; r[0] = (n ? 1 : 0.5)/2*x; r[1] = (n ? 1 : 2)/2*x; r[2] = "
    "(n ? 1 : x)/2;"
    "r[3] = (n ? 1 : sin(x))/2 + (n ? 1 : q[0])/2 + (n ? 1 : -M_PI)/2 + (n ? 1 : (double)n)/2;",
    "absolute values and signs by hand": "r[0] = x > 0 ? x : -x; r[1] = y < 0 ? -y : y; r[2] = x "
    "> y ? x : y;"
    "r[3] = x < y ? x : y; double s = y < 0 ? -1 : y > 0 ? 1 : 0; r[4] = s/2; r[5] = x >= 0 ? -x : x;",
    "variables of a switch": "double a = 1; switch (1) { case 1:; double a = 2; r[1] = a; } r[0] = a;",
    "casts": "r[0] = (double)1/2*x; r[1] = (double)(1/2)*x; (void)y;",
    "side by side": "int i = 0; r[i++] = x; r[i++] = y; r[i] = i; do { r[3] = x; } while (0);",
    "commas": "int i, j; for (i = 0, j = 2; i < 2; i++, j--) r[i] = j*x;",
    "scopes": "double a = 1; { double a = 2; r[0] = a*x; } r[1] = a*x; for (int a = 3; a < 4; "
    "a++) r[2] = a;",
    "unsigned and long": "unsigned n = 3; long k = 2; r[0] = n/2*x + k/4*y; size_t m = 4; r[1] = m*x;",
}  # fmt: skip
TEXTS = [
    f"{HEAD}#include <stddef.h>\nvoid f(double x, double y, const double *q, double *r) {{ {body} }}"
    for body in BODIES.values()
]
WHOLE = {
    "functions of the file": "static double sq(double x) { return x*x; }\n"
    "static void twice(const double *a, double *b, int n) { for (int i = 0; i < n; i++) b[i] = "
    "2*a[i]; }\n"
    "static void both(double a, double *s, double *c) { *s = sin(a); *c = cos(a); }\n"
    "void f(double x, double y, const double *q, double *r) { double s, c, t[2]; both(x, &s, &c);"
    "twice(q, t, 2); r[0] = sq(sq(s) + c); r[1] = t[1]; r[2] = sq(1/2); }",
    "macros": "#define N 2\n#define SQ(a) ((a)*(a))\n#define BAD(a) a*a\n#define CAT(a, b) a##b\n"
    "#if defined(N) && N > 1\n#define PICK(a, b) b\n#else\n#define PICK(a, b) a\n#endif\n"
    "void f(double x, double y, const double *q, double *r) { double v1 = x;\n"
    "r[0] = SQ(x + y); r[1] = BAD(x + y); r[2] = CAT(v, 1); r[N] += PICK(x, y); }",
    "macros side by side": "#define A -x\n#define D *q\n#define ID(a) a\n#define E5 7\n#define NONE\n"
    "void f(double x, double y, const double *q, double *r) {\n"
    "r[0] = -A; r[1] = y/D; r[2] = y-A; r[3] = -ID(-x); r[4] = 1.E5 + 1E5 + 2.e+0*x + E5;\n"
    "r[5] = -NONE-x; r\\\n[7] = x*3\\ \n.5; // as it is \\\n r[0] = 1;\n"
    "r[6] = x ID(*)y; }",
    "arrays as arguments": "void f(double x, double y, const double q[2], double r[]) { int n = 1;\n"
    "r[0] = (n ? 1 : q[0])/2*x; r[1] = (n ? 1 : *q)/2*y; q++; *r *= q[0]; r++; r[1] = q[-1]*x; }",
    "a header in angle brackets is no macro": "#define math other\n#define h x\n#include <math.h>\n"
    ""
    "void f(double x, double y, const double *q, double *r) { r[0] = sin(h)*y; }",
    "constants of the file": "typedef double real; enum { A, B = 5, C };\nstatic const real g = "
    "9.81, k[2] = {1, 2};\n"
    "static const real W[2][2] = {{1, 2}, {3, 4}};\n"
    "void f(real x, real y, const real *q, real *r) { r[0] = g*x + k[1] + W[1][0] + A + B + C; }",
    "matrices": "void f(double x, double y, const double *q, double *r) {\n"
    "double R[2][2] = {{cos(x), -sin(x)}, {sin(x), cos(x)}}, A[2][2] = {{1, y}, {y, 2}}, T[2][2];\n"
    "int i, j, k; for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) { T[i][j] = 0;\n"
    "for (k = 0; k < 2; k++) T[i][j] += R[i][k]*A[k][j]; }\n"
    "for (i = 0; i < 2; i++) for (j = 0; j < 2; j++) { double s = 0;\n"
    "for (k = 0; k < 2; k++) s += T[i][k]*R[j][k]; r[2*i + j] = s; } }",
}
NUMBERS = {"x": 0.7, "y": -1.3, "q": [1.9, 0.6]}


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    texts = [*TEXTS, *(HEAD + text for text in WHOLE.values())]
    names = [*BODIES, *WHOLE]
    return dict(zip(names, compiled(texts, tmp_path_factory.mktemp("c")), strict=True))


@pytest.mark.needs("gcc")
@pytest.mark.parametrize("what", [*BODIES, *WHOLE])
def test_the_values_of_gcc(what: str, libraries: dict[str, object]) -> None:
    texts = dict(zip(BODIES, TEXTS, strict=True)) | {k: HEAD + t for k, t in WHOLE.items()}
    function = read(texts[what], "c", only=["f"])
    (ours,) = evaluated(function, NUMBERS)
    _, (theirs,) = called(libraries[what], "f", [0.7, -1.3, NUMBERS["q"], None])
    written = ~np.isnan(ours)
    assert written.any()
    np.testing.assert_allclose(ours[written], theirs[: len(ours)][written], rtol=1e-12)
    assert not theirs[: len(ours)][~written].any()


def test_arguments_outputs_and_lines() -> None:
    text = """
    void mass(double m, const double q[2],
              const double *p, double M[2][2], double *unused, int n) {
        M[0][0] = m*q[1];
        M[0][0] += p[3];
        M[1][0] = 1;
    }
    """
    f = read(text, "c")
    assert (f.name, f.line, f.file) == ("mass", 2, "text")
    assert [(a.name, a.shape) for a in f.inputs] == [
        ("m", ()), ("q", (2,)), ("p", (4,)), ("unused", (0,)),
    ]  # fmt: skip
    assert f.inputs[1].symbols == symbols(["q[0]", "q[1]"])
    assert f.inputs[1].entries[(1,)] is symbol("q[1]")
    (M,) = f.outputs
    assert (M.name, M.shape, M.line) == ("M", (2, 2), 6)
    assert M.entries == {(0, 0): symbol("m") * symbol("q[1]") + symbol("p[3]"), (1, 0): 1}
    assert M.lines == {(0, 0): 5, (1, 0): 6}
    assert M.missing == ((0, 1), (1, 1))


def test_a_result_that_is_returned() -> None:
    (f,) = read("double energy(double v) { return 0.5*v*v; }", "c").outputs
    assert (f.name, f.shape, f.entries[()]) == ("energy", (), parse("v**2/2"))


def test_a_status_is_not_a_result() -> None:
    f = read("int f(const double *q, double *g) { g[0] = q[0]; return 0; }", "c")
    assert [x.name for x in f.outputs] == ["g"]
    (status,) = read("int size(void) { return 3; }", "c").outputs
    assert status.entries == {(): 3}


def test_an_array_that_is_read_and_written_is_both() -> None:
    f = read("void f(double *x) { x[0] = 2*x[0]; x[1] = x[0]; }", "c")
    assert [a.name for a in f.inputs] == ["x"]
    assert f.outputs[0].entries[(1,)] == 2 * symbol("x[0]")


def test_pointers_to_rows() -> None:
    f = read("void f(const double **A, double **B) { B[1][0] = A[0][2]; }", "c")
    assert [(a.name, a.shape) for a in f.inputs] == [("A", (1, 3))]
    (B,) = f.outputs
    assert (B.shape, dict(B.entries)) == ((2, 1), {(1, 0): symbol("A[0][2]")})


def test_a_sum_of_thousands_of_terms() -> None:
    text = "double f(double x) { return " + " + ".join(f"{k}*x" for k in range(2000)) + "; }"
    (f,) = read(text, "c").outputs
    assert f.entries[()] == sum(range(2000)) * symbol("x")


def test_only_functions_that_others_can_call_are_listed() -> None:
    text = "static double a(double x) { return x; } double b(double x) { return a(x); }"
    assert [f.name for f in read_code(text, "c")] == ["b"]
    assert [f.name for f in read_code(text, "c", only=["a"])] == ["a"]


def test_decimals_are_exact() -> None:
    (f,) = read("double f(void) { return 0.1 + 0.2; }", "c").outputs
    assert f.entries[()] == parse("3/10")


def test_headers_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "sizes.h").write_text("#pragma once\n#define N 3\nstatic const double g = 9.81;\n")
    (tmp_path / "guard.h").write_text('#ifndef G\n#define G\n#include "sizes.h"\n#endif\n')
    head = '#include "sizes.h"\n#include "guard.h"\n#include "guard.h"\n#include "math.h"\n'
    (tmp_path / "f.c").write_text(head + "double f(double x) { return N*g*x; }\n")
    (f,) = read_code(tmp_path / "f.c")
    assert (f.line, f.file) == (5, str(tmp_path / "f.c"))
    assert f.outputs[0].entries[()] == parse("29.43*x")
