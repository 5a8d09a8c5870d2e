"""C that cannot be read: each construct is an error with its file and line, never a guess."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from equamo import FileFormatError, MissingLibraryError, UnknownNameError
from equamo.review.programs import open_code, read_code
from foreign_code import read

pytestmark = pytest.mark.needs("pcpp", "pycparser")

# {text of line 2 of `double f(double x, double *q, int n)`: what the error says}
LINES = {
    "if (x > 0) q[0] = 1;": "a branch depends on",
    "if (x) q[0] = 1;": "a branch depends on x",
    "if (x > 0 && n) q[0] = 1;": "a branch depends on the state",
    "if (n) q[0] = 1;": "whose value is unknown",
    "q[n] = 1;": "whose value is unknown",
    "q[0] = n*x;": "whose value is unknown",
    "for (int i = 0; i < n; i++) q[i] = 0;": "whose value is unknown",
    "for (double t = x; t < 1; t += 1) q[0] = 0;": "a branch depends on",
    "while (0) q[0] = 1;": "a while loop cannot be read",
    "do q[0] = 1; while (1);": "must be do",
    "goto end; end: q[0] = 1;": "goto cannot be read",
    "end: q[0] = 1;": "a label cannot be read",
    "q[0] = gamma(x);": "the function 'gamma' is unknown",
    "q[0] = abs(x);": "the function 'abs' is unknown",
    'printf("%f", x);': "the function 'printf' is unknown",
    "q[0] = y;": "'y' is not defined",
    "y = 1;": "'y' is not defined",
    "double t; q[0] = t;": "'t' must be assigned before it is read",
    "double t[2]; t[0] = x; q[0] = t[1];": "'t[1]' must be assigned before it is read",
    "double t[2] = {1, 2}; q[0] = t[2];": "less than 2, got 2",
    "double t[2]; t[-1] = x;": "less than 2, got -1",
    "double t[2] = {1, 2, 3};": "at most 2 entries, got 3",
    "double t[n];": "whose value is unknown",
    "double t[0];": "positive number",
    "double t[2000000]; t[0] = 1;": "at most 1,000,000 entries",
    "double t[2] = x;": "its entries in braces",
    "double t[] ;": "must have a length",
    "double t[2][2] = {{1, 2}, 3};": "all or none",
    "double t[2] = {{1}, 2};": "all or none",
    "double t[2] = {[1] = 2};": "supported expression, got an unsupported one",
    "double t[2], s[2]; t = s;": "entry by entry",
    "int k = x;": "must not be converted to an integer",
    "int k = 0.5;": "must not be converted to an integer",
    "int k = (int)x;": "must not be converted to an integer",
    "unsigned k = 0; k--;": "at least 0",
    "unsigned k = 3; q[0] = k - 4;": "at least 0",
    "int k = -1; unsigned m = 2; q[0] = k/m;": "at least 0",
    "int k = 2147483647; k++;": "at most 2147483647",
    "q[0] = 3000000000*x;": "at most 2147483647",
    "int k = -1; unsigned m = 2; if (k < m) q[0] = 1;": "at least 0",
    "for (double t = 0; t < 1; t += 0.1) q[0] = t;": "must differ by more than rounding errors",
    "if (0.1 + 0.2 == 0.3) q[0] = 1;": "must differ by more than rounding errors",
    "double t = 0; if (t) q[0] = 1;": "must differ by more than rounding errors",
    "q[0] = 1/0;": "divided by 0",
    "q[0] = 1%0;": "divided by 0",
    "q[0] = x/0;": "has no value: Division by zero",
    "q[0] = x/(x - x);": "has no value: Division by zero",
    "q[0] = pow(x, x);": "An exponent must be",
    "q[0] = pow(x, 0.3);": "An exponent must be",
    "q[0] = pow(x);": "pow takes 2 arguments, got 1",
    "q[0] = sin(x, x);": "sin takes 1 arguments, got 2",
    "q[0] = x % 2;": "the operator % on real numbers",
    "q[0] = 1 << 2;": "the operator << on integers",
    "q[0] = ~1;": "the operator ~ cannot be read",
    "q[0] = sizeof(double);": "sizeof cannot be read",
    "int i = 0; q[i] = i++;": "'i' is changed and used in one expression",
    "int i = 0; i = i++;": "'i' is changed and used in one expression",
    "int i = 0; q[0] = i++ + i++;": "'i' is changed and used in one expression",
    "int i = 0; q[i = 1] = i;": "'i' is changed and used in one expression",
    "q[0] = x > 0;": "a condition on the state",
    "q[0] = x > 0 ? 1 : 2;": "a condition on the state",
    "q[0] = x > 1 ? x : -x;": "a condition on the state",
    "q[0] = x > 0 ? x : n;": "a condition on the state",
    "q[0] = (x > 0 ? 1 : x < 0 ? -1 : 0)/2;": "integer arithmetic must not depend on the state",
    "static double t = 0; q[0] = t++;": "keeps its value between calls",
    "extern double t; q[0] = t;": "another file",
    "q[0] = total;": "must be const and have a value",
    "total = x;": "must be const and have a value",
    "q[0] = later;": "must be const and have a value",
    "((double *)k)[0] = 1;": "must stay const",
    "double *p = k;": "a pointer to const must stay const",
    "const double a = 1; a = 2;": "'a' is const",
    "*x = 1;": "expected a pointer or an array, got the real number x",
    "x[0] = 1;": "expected a pointer or an array",
    "double *p = 0; *p = 1;": "got the null pointer",
    "double *p; *p = 1;": "'p' must be assigned before it is read",
    "double *p = q; q[0] = p*2;": "a pointer to 'q'",
    "double t[2]; q[0] = t < q;": "cannot be read",
    "int *p = q;": "expected a pointer to int, got one to double",
    "double (*g)(double) = sin; q[0] = g(x);": "got a function",
    "(&x + 1)[0] = 1;": "less than 1, got 1",
    'q[0] = "text";': "expected a number, got a text",
    "q[0] = 'a';": "expected a number, got",
    "struct { double a; } s; s.a = x;": "got a struct",
    "union { double a; } s;": "got a union",
    "short k = 1;": "the type 'short' cannot be read",
    "char c = 1;": "must be a number",
    "_Bool b = 1;": "the type '_Bool' cannot be read",
    "float _Complex z = 1;": "cannot be read",
    "typedef double mine; q[0] = 1;": "inside a function",
    "q[0] = helper(x, x);": "helper takes 1 arguments, got 2",
    "q[0] = writes(q) + writes(q);": "must be called as a statement",
    "q[0] = recurse(x);": "nested at most 60 deep",
    "q[0] = nothing(x);": "without a result",
    "q[0] = empty(x);": "empty must return a value",
    "q[0] = variadic(x);": "fixed number of arguments",
    "q[0] = x(1);": "must be a function that the file defines",
    "q[0] = (&helper)(x);": "only a function with a name",
    "for (int i = 0; i < 100000000; i++) ;": "at most 1,000 statements",
    "for (;;) ;": "at most 1,000 statements",
    "switch (n) { case 0: q[0] = 1; }": "whose value is unknown",
    "switch (1) q[0] = 1;": "in braces",
    "switch (1) { q[0] = 1; case 1: q[0] = 2; }": "in cases",
    "q[0] = (double[]){1, 2}[0];": "a compound literal",
    "q[0] = (1, x) + 2;": "a comma",
    "q[-1] = 1;": "at least 0",
    "q[0] = 1e99999*x;": "has no value",
    f"q[0] = {'1' * 3000}*x;": "at most 2000 characters",
    "q[0] = 1 ? 2 : f->x;": "the type of this choice cannot be read",
    "q[0] = k;": "a pointer to 'k'",
    "q[0] = 5 +;": "cannot be read as C",
    "asm(\"nop\");": "",
}  # fmt: skip
HEAD = """
double total = 1; extern const double later; static const double k[2] = {1, 2};
static double helper(double a) { return a; }
static double writes(double *a) { a[0] = 1; return a[0]; }
static double recurse(double a) { return recurse(a); }
static void nothing(double a) { }
static double empty(double a) { }
static double variadic(double a, ...) { return a; }
"""


@pytest.mark.parametrize("line", LINES)
def test_an_error_names_the_line(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equamo.review.programs.c_language.statement.MOST_STEPS", 1000)
    text = f"{HEAD}double f(double x, double *q, int n) {{\n{line}\nreturn x; }}\n"
    with pytest.raises(FileFormatError) as error:
        read(text, "c", only=["f"])
    assert LINES[line] in str(error.value)
    inside = line in ("q[0] = recurse(x);", "q[0] = empty(x);", "q[0] = variadic(x);")
    of_the_file = "must be const and have" in LINES[line]
    expected = "text:" if inside or of_the_file else "text:10:"
    assert str(error.value).startswith(expected)


FILES = {
    "void f(struct s *p) { }": "got a struct",
    "void f(void *p) { }": "must not be a void*",
    "void f(FILE *p, double (*g)(double)) { }": "got a function",
    "char *f(void) { return \"a\"; }": "must return a number, got a text",
    "double *f(double *q) { return q; }": "must return a number, got a pointer",
    "double f(x) double x; { return x; }": "",
    "double f(double x) { return x; } double f(double y) { return y; }": "f is defined twice",
    "#include <boost.h>\nvoid f(void) { }": "must be a standard header",
    '#include "f.h"\nvoid f(void) { }': "got a text without a folder",
    "#include f.h\nvoid f(void) { }": "expected #include",
    "#include\nvoid f(void) { }": "expected #include",
    "#error no\nvoid f(void) { }": "text:1",
    "#frobnicate\nvoid f(void) { }": "got #frobnicate",
    "#if 1\nvoid f(void) { }": "text:1",
    "#define F(a) a\nint x = F(1, 2);": "requires 1 arguments",
    "#if (\n#endif\nvoid f(void) { }": "",
    "void f(void) {": "cannot be read as C",
    "class A { };": "cannot be read as C",
    "template <typename T> T f(T x) { return x; }": "cannot be read as C",
    "\x00": "must not contain the character",
    "void f(double *q) { q[0] = 1; // twice \r q[0] = 2;\n}": "text:1: source code must not contain",
    "void f(double *q) { q[0] = 1; // twice \f q[0] = 2;\n}": "text:1: source code must not contain",
    "void f(double *q) { q[0] = 1; // why ??/\nq[0] = 2;\n}": "text:1: trigraphs must not be used",
    "int main(void) { return \x80\xff; }": "",
    "void f(double q[][]) { q[0][0] = 1; }": "positive number",
    "enum { A = x }; void f(double *q) { q[0] = A; }": "'x' is not defined",
    "static const double a = b, b = a; double f(void) { return a; }": "",
    "typedef T T; void f(T x) { }": "",
}  # fmt: skip


@pytest.mark.parametrize("text", FILES)
def test_a_file_that_cannot_be_read(text: str) -> None:
    with pytest.raises(FileFormatError, match=r"^text") as error:
        read_code(text, "c")
    assert FILES[text] in str(error.value)


def test_an_unsupported_function_does_not_hide_the_others() -> None:
    text = 'double f(double x) { return x; }\nint main(void) { printf(""); return 0; }'
    code = open_code(text, "c")
    assert code.names == ("f", "main")
    assert code.line("main") == 2
    assert code.read("f").outputs[0].name == "f"
    with pytest.raises(FileFormatError, match="text:2: the function 'printf'"):
        code.read("main")
    with pytest.raises(UnknownNameError, match=r"Unknown function 'mian'.*'main'"):
        code.read("mian")


def test_a_file_can_be_read_again_after_an_error() -> None:
    code = open_code("double f(double x) { return x; }\ndouble g(double x) { { return y; } }", "c")
    with pytest.raises(FileFormatError, match="'y' is not defined"):
        code.read("g")
    assert str(code.read("f").outputs[0].entries[()]) == "x"


@pytest.mark.parametrize("text", [
    "double f(double x) { return " + "("*3000 + "x" + ")"*3000 + "; }",
    "double f(double x) { return " + "-"*3001 + "x; }",
    "double f(double x) { " + "{"*3000 + "}"*3000 + " return x; }",
    "double f(double x) { return " + "sin("*2000 + "x" + ")"*2000 + "; }",
    "double f(double " + "*"*3000 + "x) { return 1; }",
])  # fmt: skip
def test_deep_nesting(text: str) -> None:
    try:
        read_code(text, "c")
    except FileFormatError as error:
        assert str(error).startswith("text")  # noqa: PT017


def test_macros_that_double_and_double(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equamo.review.programs.c_language.text.MOST_TOKENS", 20_000)
    lines = ["#define A0 x + x"] + [f"#define A{k} A{k - 1} + A{k - 1}" for k in range(1, 60)]
    text = "\n".join([*lines, "double f(double x) { return A59; }"])
    with pytest.raises(FileFormatError, match=r"text:\d+: macros must expand to at most"):
        read_code(text, "c")


@pytest.mark.posix
def test_headers_outside_of_the_folder(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    inner.mkdir()
    (tmp_path / "secret.h").write_text("#define N 3\n")
    (inner / "link.h").symlink_to(tmp_path / "secret.h")
    (inner / "own.h").write_text("#define N 3\n")
    (inner / "loop.h").write_text('#include "loop.h"\n')
    for name, problem in {
        "../secret.h": "must lie in the folder",
        "../inner/own.h": "must lie in the folder",  # the name of the folder must not matter
        str(tmp_path / "secret.h"): "must lie in the folder",
        "link.h": "must lie in the folder",
        "missing.h": "where it is missing",
        "loop.h": "at most 40 deep",
    }.items():
        (inner / "f.c").write_text(f'\n#include "{name}"\ndouble f(void) {{ return N; }}')
        with pytest.raises(FileFormatError, match=problem) as error:
            read_code(inner / "f.c")
        assert "loop.h:1" in str(error.value) or "f.c:2" in str(error.value)


def test_nothing_is_written_into_the_package() -> None:
    """The tables of its lexer are files, which a run with other rules must not replace."""
    import pcpp

    from equamo.review.programs.c_language import text

    folder = Path(pcpp.__file__).parent
    before = {path: path.read_bytes() for path in folder.glob("*.py")}
    text._class.cache_clear()
    read_code("double f(void) { return 1.e5; }", "c")
    assert {path: path.read_bytes() for path in folder.glob("*.py")} == before


def test_without_the_packages(monkeypatch: pytest.MonkeyPatch) -> None:
    from equamo.review.programs.c_language import text

    text._class.cache_clear()
    monkeypatch.setitem(sys.modules, "pcpp", None)
    with pytest.raises(MissingLibraryError, match=r": reading C needs pcpp, .*equamo\[audit\]"):
        read_code("double f(void) { return 1; }", "c")


def result(text: str) -> str:
    return str(read(text, "c", only=["f"]).outputs[0].entries[()])


@pytest.mark.parametrize(
    ("limit", "most", "inside", "beyond", "problem"),
    [
        ("statement.MOST_CELLS", 4, "double t[4]; t[3] = x;", "double t[5]; t[3] = x;",
         "an array must have at most 4 entries, got 5"),
        ("statement.MOST_STEPS", 4, ";;", ";;;", "a function must run at most 4 statements"),
        ("statement.DEEPEST", 2, "g(x); g(x);", "h(x);", "calls must be nested at most 2 deep"),
        ("literals.LONGEST", 4, "x + 1234;", "x + 12345;",
         "a number must have at most 4 characters, got 5"),
    ],
)  # fmt: skip
def test_limits_are_inclusive(
    limit: str, most: int, inside: str, beyond: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"equamo.review.programs.c_language.{limit}", most)
    head = "static double g(double a) { return a; }\nstatic double h(double a) { return g(a); }\n"
    assert result(f"{head}double f(double x) {{ {inside} return x; }}") == "x"
    with pytest.raises(FileFormatError, match=rf"^text:[23]: {problem}\.$"):
        result(f"{head}double f(double x) {{ {beyond} return x; }}")


def test_headers_in_headers(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The depth counts nested headers, not their number."""
    monkeypatch.setattr("equamo.review.programs.c_language.text.DEEPEST", 2)
    for name, text in {
        "a.h": "#define A 1\n",
        "b.h": '#include "a.h"\n#define B 2\n',
        "c.h": '#include "b.h"\n#define C 3\n',
    }.items():
        (tmp_path / name).write_text(text)
    file = tmp_path / "f.c"
    file.write_text(
        '#include "b.h"\n#include "b.h"\n#include "a.h"\ndouble f(void) { return A + B; }'
    )
    assert str(read_code(file)[0].outputs[0].entries[()]) == "3"
    file.write_text('#include "c.h"\nint f(void) { return C; }')
    with pytest.raises(FileFormatError, match=r"b\.h:1: headers must be nested at most 2 deep"):
        read_code(file)
