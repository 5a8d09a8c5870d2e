"""MATLAB as Octave runs it: the expressions that are read have the values of the executed code."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
import sympy as sp
from sympy.utilities.codegen import codegen

from equamo.algebra.expr import parse, symbol
from equamo.review.programs.matlab_language.parser import functions
from equamo.review.programs.matlab_language.syntax import Node, Statement
from equamo.review.programs.matlab_language.tokens import tokens
from foreign_code import evaluated, octave, read

pytestmark = pytest.mark.needs("sympy")

# {what: body of `function r = f(x, y, q, A)`}, where q is 3 x 1 and A is 2 x 3
BODIES = {
    "numbers": "r = 1/2*x + 2^3 + 2^-1 + 1e-3 + .5 + 1.d1 - -y^2 + 3\\x + 2^3^2 + -2^2 + 2^-1^2;",
    "functions": "r = sin(x)*cos(y) + tan(x) + sqrt(q(1)) + exp(x) + log(q(2)) + tanh(y) + asin(x/4)"
    " + acos(x/4) + atan(y) + atan2(y, x) + abs(y) + sign(y) + hypot(x, y) + max(x, y) + min(x, "
    "2) + pi"
    " + sec(x) + csc(x) + cot(x) + sinh(x) + cosh(x) + power(x, 2) + times(x, y) + norm(q) + "
    "dot(q, q);",
    "matrices": "r = [x y; 1 2]*[x; 1] + ones(2, 1)*3 - zeros(2, 1) + [1, 2]';",
    "blanks and signs": "r = [x -y; x - y, 1; x' y'; (x) (y); x -  y 2\n3, ...\n4];",
    "rows by lines": "r = [x, y,\n 1, 2\n 3 4 % remark\n];",
    "entries": "r = zeros(2, 2); r(1,1) = x; r(1, end) = y; r(2, :) = [q(3) 2]; r(end) += 2; r(3) "
    "*= 5; r(:, 1) -= 1;",
    "growth": "r(2, 3) = x; r(1, 1) = y; v(3) = 1; r = [r; v];",
    "columns that grow": "v = q; v(5) = x; r = v;",
    "slices": "J = zeros(3, 2); J(:, 1) = q; J(2:3, 2) = [x y]; r = J(end:-1:1, :)'; r = r(:, 1:2:3);",
    "a single index": "r = [A(2), A(3), A(end); q(1:3)'; A(:, 2)' x]; w = A(:); r = [r; w([1 4 6])'];",
    "elementwise": "r = A.*A + A./2 + 2.^[1 2 3] - A.^2 + [1 2 3] + [x; y] + 2.\\A;",
    "products": "r = A'*A + eye(3)*x + diag(q) + q*q' + cross(q, [x; y; 1])*q' + trace(A'*A);",
    "reshape": "r = reshape([x, y, 1, 2], [2, 2]) + reshape(A(:, 1:2), 2, 2) + reshape(1:4, 2, 2)';",
    "loops": "r = 0; for i = 1:3, for j = 1:2 r = r + A(j, i)*q(i)*i; end; end\nfor k = [1 5] r = "
    "r*k; endfor",
    "loops over columns": "r = 0; for c = A\n r = r*2 + c(1)*c(2); end",
    "branches on known numbers": "n = 2; if n > 1 && ~(n == 3) || 0, r = x; elseif n, r = y; else "
    "r = 0; end\n"
    "if n ~= 2 r = 5; end; if !(n <= 1) & 1 | 0 r = r + 1; endif",
    "operators in a row": "r = [3 > 2 > 1, 1 < 3 == 1, 0 == 0 == 0, 2 ~= 2 ~= 1, 1 | 0 & 0, 0 & 1 | 1, "
    "1 || 0 && 0, 8/4/2, 2 - 3 - 4, 2^2^3, -2^2, 2^-1*4, ~1 == 0, !0 + 1, 16\\32/4];",
    "diagonals": "r = [diag(A); diag(A'); diag(A*A'); trace(diag([x y]))]; r = r + diag(r*r');",
    "sizes": "r = size(A, 1)*x + numel(q) + length(A) + sum(q); s = size(A); r = r*s(2);",
    "joins": "r = [A; q'; [x y] 1]; r = [r, [q; x]]; r = [[], r; horzcat(r, []) + 1];",
    "transposes": "r = A.^2' + A'.^2 + A.^2.^-1' + A.' + A'"
    " + [x y; 1 2; 3 4] + q*[1 2]'' + (q*[x y])'';",
    "return": "r = x; if 1 return; end; r = y;",
    "remarks": "r = x; % one = 1\n# two\n%{\nr = 5;\n%}\nr = r + y; ... three\n",
    "names of functions as variables": "sum = x; e = 2; r = sum*e;",
    "numbers of one entry": "a = [x]; r = a*A(1, 1) + a(1) + a(1, 1)^2;",
}  # fmt: skip
WHOLE = {
    "functions of the file": "function r = f(x, y, q, A)\n  [a, b] = two(x, y);\n  [c, ~] = "
    "two(q(1));\n  r = skew(q)*q*a + b + c;\n"
    "end\n\nfunction [s, t] = two(u, v)\n  s = u;\n  if nargin > 1\n    t = u*v;\n  end\n  if "
    "nargout > 1 && nargin < 2, t = 0; end\nend\n"
    "function S = skew(a)\n  S = [0 -a(3) a(2); a(3) 0 -a(1); -a(2) a(1) 0];\nend\n",
    "without end": "function r = f(x, y, q, A)\n  r = g(x)*y;\n\nfunction z = g(w)\n  z = w + 1;\n",
    "Octave's words": "function r = f (x, y, q, A)\n  r = 0;\n  for i = 1:2\n    if i == 1\n      "
    "r += x;\n    else\n      r += y;\n"
    "    endif\n  endfor\nendfunction\n",
}
NUMBERS: dict[str, Any] = {"x": 0.7, "y": -1.3, "q": [1.9, 0.6, 0.4], "A": [[1.0, 2, 3], [4, 5, 7]]}
SHAPES = {"x": (), "y": (), "q": (3,), "A": (2, 3)}
TEXTS = {k: f"function r = f(x, y, q, A)\n{t}\nend\n" for k, t in BODIES.items()} | WHOLE


# What Octave answers, so that `make test` needs no Octave. To write it again:
# PYTHONPATH=tests python tests/review/programs/test_matlab.py
VALUES = Path(__file__).with_name("octave_values.json")


def octaves_values(folder: Path) -> dict[str, list[Any]]:
    """{what: [text, rows of numbers]} as Octave computes them."""
    arguments = "0.7, -1.3, [1.9; 0.6; 0.4], [1 2 3; 4 5 7]"
    found = octave([("f", text, arguments) for text in TEXTS.values()], folder)
    return {what: [TEXTS[what], r.tolist()] for what, r in zip(TEXTS, found, strict=True)}


@pytest.fixture(scope="module")
def recorded() -> dict[str, list[Any]]:
    return json.loads(VALUES.read_text(encoding="utf-8"))


@pytest.mark.parametrize("what", TEXTS)
def test_the_values_of_octave(what: str, recorded: dict[str, list[Any]]) -> None:
    text, rows = recorded[what]
    assert text == TEXTS[what], "record the values of Octave again, as this file says"
    function = read(text, "matlab", only=["f"], shapes=SHAPES)
    (ours,) = evaluated(function, NUMBERS)
    expected = np.array(rows)
    if expected.shape[1] == 1:  # a column is a vector here
        expected = expected[:, 0] if len(expected) > 1 else expected[0, 0]
    assert ours.shape == expected.shape
    np.testing.assert_allclose(ours, expected, rtol=1e-12)


@pytest.mark.needs("octave-cli")
def test_octave_has_the_recorded_values(recorded: dict[str, list[Any]], tmp_path: Path) -> None:
    for what, (text, rows) in octaves_values(tmp_path).items():
        assert recorded[what][0] == text
        np.testing.assert_allclose(rows, recorded[what][1], rtol=1e-12)


def shown(x: Node) -> str:
    """A tree in brackets: the operator or kind first."""
    if x.kind in ("number", "name", "end", "colon"):
        return x.text
    inner = " ".join(shown(p) for p in x.parts)
    return f"({x.text or x.kind} {inner})" if inner else f"({x.text or x.kind})"


@pytest.mark.parametrize(
    ("text", "tree"),
    [
        *((f"a {op} b {op} c", f"({op} ({op} a b) c)") for op in (
            "||", "&&", "|", "&", "<", "<=", ">", ">=", "==", "~=", "!=", "+", "-", "*", "/", "\\",
            ".*", "./", ".\\", "^", ".^")),
        ("a || b && c | d & e < f + g*h", "(|| a (&& b (| c (& d (< e (+ f (* g h)))))))"),
        ("a*b + c < d & e | f && g || h", "(|| (&& (| (& (< (+ (* a b) c) d) e) f) g) h)"),
        ("-a^-b'", "(- (' (^ a (- b))))"),
        ("~a == !b", "(== (~ a) (! b))"),
        ("a.^+-b.^c", "(.^ (.^ a (+ (- b))) c)"),
        ("1:n", "(range 1 n)"),
        ("(a):f(b):(c)", "(range a (index f b) c)"),
        ("A(1:2, (3):4)", "(index A (range 1 2) (range 3 4))"),
        ("1 + 1:2:n - 1 < 3", "(< (range (+ 1 1) 2 (- n 1)) 3)"),
        ("A(:, end)' * p.q.r(2)(1:end)",
         "(* (' (index A : end)) (index (index (r (q p)) 2) (range 1 end)))"),
        ("f() + [1, 2; x, (y)]", "(+ (index f) (matrix (row 1 2) (row x y)))"),
        ("[; 1;; 2,]", "(matrix (row 1) (row 2))"),
        ("[]", "(matrix)"),
    ],
)  # fmt: skip
def test_trees_of_expressions(text: str, tree: str) -> None:
    (f,) = functions(f"function r = f(x)\n\nr = {text};", "f.m")
    (statement,) = f.body
    assert statement.value is not None
    assert shown(statement.value) == tree
    assert statement.value.line == 3


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("{'a' 'b'}", "{ a , b }"),
        ("[x 'a';\"b\" 'c']", "[ x , a ; b , c ]"),
        ("[x' 'a', 'b']", "[ x ' , a , b ]"),
        ("[f' (1)' -y' ~z]", "[ f ' , ( 1 ) ' , - y ' , ~ z ]"),
        ("{x @g [1 2](1)}", "{ x , @ g , [ 1 , 2 ] ( 1 ) }"),
        ("[1 - 2 -3 - 4 + 5 +6]", "[ 1 - 2 , - 3 - 4 + 5 , + 6 ]"),
        ("[1 (2 3) 4]", "[ 1 , ( 2 3 ) , 4 ]"),
        ("[1\n2;\n\n3]", "[ 1 ; 2 ; 3 ]"),
    ],
)
def test_commas_between_entries(text: str, found: str) -> None:
    assert " ".join(t.text for t in tokens(text, "f.m")[:-2]) == found


def written(statements: tuple[Statement, ...]) -> list[Any]:
    """Statements as (kind, line, …)."""
    found: list[Any] = []
    for x in statements:
        targets = [t and shown(t) for t in x.targets]
        value = x.value and shown(x.value)
        branches = [(c and shown(c), written(body)) for c, body in x.branches]
        found.append((x.kind, x.line, x.text, targets, value, written(x.body), branches))
    return found


def test_trees_of_statements() -> None:
    text = """function [a, b] = f(x, ~, y)
[a, ~, b(1)] = g(x); a += 2
for (k = 1:2) a -= k, end
if x, b = 1; elseif y
  b *= 2; else, return
endif
end
function none
function r = one(), r /= 3;"""
    f, none, one = functions(text, "f.m")
    assert (f.name, f.arguments, f.outputs, f.line) == ("f", ("x", "~1", "y"), ("a", "b"), 1)
    assert written(f.body) == [
        ("assign", 2, "=", ["a", None, "(index b 1)"], "(index g x)", [], []),
        ("assign", 2, "+=", ["a"], "2", [], []),
        ("for", 3, "", ["k"], "(range 1 2)", [("assign", 3, "-=", ["a"], "k", [], [])], []),
        ("if", 4, "", [], None, [], [
            ("x", [("assign", 4, "=", ["b"], "1", [], [])]),
            ("y", [("assign", 5, "*=", ["b"], "2", [], [])]),
            (None, [("return", 5, "", [], None, [], [])]),
        ]),
    ]  # fmt: skip
    assert (none.name, none.arguments, none.outputs, none.body, none.line) == (
        "none",
        (),
        (),
        (),
        8,
    )
    assert (one.name, one.arguments, one.outputs, one.line) == ("one", (), ("r",), 9)
    assert written(one.body) == [("assign", 9, "/=", ["r"], "3", [], [])]


def test_arguments_outputs_and_lines() -> None:
    text = """
function [M, c] = mass(in1, p, l1)
%MASS  This function was generated by the Symbolic Math Toolbox version 5.8.
q1 = in1(1,:);
q2 = in1(2,:);
M = reshape([p.m1.*q1, 0, 0, p.r(2)], [2, 2]);
M(2, 1) = l1;
c = q2;
"""
    f = read(text, "matlab")
    assert (f.name, f.line, f.file) == ("mass", 2, "text")
    assert [(a.name, a.shape) for a in f.inputs] == [
        ("in1", (2,)), ("p.m1", ()), ("p.r", (2,)), ("l1", ()),
    ]  # fmt: skip
    M, c = f.outputs
    assert (M.name, M.shape, M.line) == ("M", (2, 2), 7)
    assert M.lines == {(0, 0): 6, (0, 1): 6, (1, 0): 7, (1, 1): 6}
    assert M.entries[1, 0] is symbol("l1")
    assert (c.name, c.shape, c.line, c.entries[()]) == ("c", (), 8, symbol("in1[1]"))


def test_a_row_keeps_its_shape() -> None:
    (r,) = read("function r = f(x)\n r = [x 2];", "matlab").outputs
    assert r.shape == (1, 2)


def test_the_text_of_sympy() -> None:
    q1, q2, m = sp.symbols("q1 q2 m")
    matrix = sp.Matrix(
        [[m * sp.cos(q1) ** 2, q2 / 3], [sp.pi * sp.sqrt(q2), q2 ** sp.Rational(3, 2)]]
    )
    ((_, text),) = codegen(("mass", sp.Eq(sp.MatrixSymbol("M", 2, 2), matrix)), "octave")
    f = read(text, "matlab")
    expected = parse("m*cos(q1)**2"), parse("q2/3"), parse("pi*sqrt(q2)"), parse("q2*sqrt(q2)")
    assert tuple(f.outputs[0].entries.values()) == expected


if __name__ == "__main__":
    with TemporaryDirectory() as place:
        lines = [
            f"{json.dumps(k)}: {json.dumps(x)}" for k, x in octaves_values(Path(place)).items()
        ]
    VALUES.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
