"""NumPy as Python runs it: the expressions that are read have the values of the executed code."""

from __future__ import annotations

import inspect
import math
from typing import Any

import numpy as np
import pytest
import sympy as sp

from equamo.algebra.expr import parse, symbol, symbols
from foreign_code import evaluated, read

pytestmark = pytest.mark.needs("sympy")

HEAD = "import math\nimport numpy as np\nfrom numpy.linalg import norm\n"
# {what: body of f(x, y, q, A)}, where q has 3 entries and A is 2 x 3
BODIES = {
    "numbers": "return 1/2*x + 7//2 + 7%3 + (-7)//2 + 2**3 + 2**-1 + 1e-3 + .5 + 1_000 - -y**2",
    "names in comprehensions": "k = 7; c = [k*a for k, a in enumerate(q)]; d = sum(k*a for k, a in "
    "enumerate(q))\nreturn k*x + c[1] + d",
    "powers of integers": "a = np.arange(9); return np.ones(2**0 + 0**0)*x + a[2**3 - 3**1] + a[1**0]*y "
    "+ 2**-2 + (-2)**3 + 4**0.5 + (-1)**0 + 10**2//7%5",
    "functions": "return np.sin(x)*np.cos(y) + np.tan(x) + np.sqrt(q[0]) + np.exp(x) + "
    "np.log(q[1]) + np.tanh(y)"
    " + np.arcsin(x/4) + np.arccos(x/4) + np.arctan(y) + np.arctan2(y, x) + abs(y) + np.abs(y) + "
    "np.sign(y)"
    " + math.hypot(x, y) + np.maximum(x, y) + min(x, y) + max(2, 3) + np.pi + math.pow(x, 2) + "
    "np.square(y)"
    " + np.sinh(x) + np.cosh(x) + np.power(q[2], 0.5)",
    "arrays": "return np.array([[x, y], [1, 2]]) @ np.array([x, 1]) + np.ones(2)*3 - np.zeros(2)",
    "entries": "M = np.zeros((2, 2)); M[0, 0] = x; M[0][1] = y; M[-1, 0] = q[-1]; M[1, 1] += 2; "
    "M[1] *= 3\nreturn M",
    "views": "M = np.zeros((3, 3)); r = M[1]; r[0] = x; c = M[:, 2]; c += y; M.T[0, 1] = 5; N = "
    "M; N[0, 0] = 7\nreturn M",
    "copies": "M = np.ones((2, 2)); N = M.copy(); N[0, 0] = x; K = np.array(M); K[1, 1] = "
    "y\nreturn M + 10*N + 100*K",
    "slices": "J = np.zeros((3, 2)); J[:, 0] = q; J[1:, 1] = [x, y]; J[::2, 1] += 1\nreturn J[::-1].T",
    "shapes": "return A.T @ A + np.eye(3)*x + np.diag(q) + np.outer(q, q) + np.ones((3, "
    "3))*A.shape[0]*len(q)*q.size*q.ndim",
    "vectors": "return np.cross(q, np.array([x, y, 1.0]))*q.dot(q) + np.dot(A, q)[0] + norm(q) + "
    "np.trace(np.diag(q))",
    "joins": "return np.vstack([A, q, np.hstack([x*1, y*1, 1])]) + np.concatenate([A, A])*2 + "
    "np.block([[A], [A]])",
    "a block of one row": "return np.block([q, q])*x",
    "columns": "return np.column_stack([q, q*2]).reshape(2, 3) + np.reshape(q.repeat(1) if False "
    "else A, (2, -1))",
    "row and column": "return q[:, None].T if False else q.reshape(3, 1) @ q.reshape(1, 3) + "
    "q.reshape(-1, 1)",
    "broadcasting": "return A*q + q.reshape(1, 3) + A[:, :1] + np.array([[1], [2]])",
    "loops": "s = 0\nfor i in range(3):\n  for j in range(2):\n    if i == j: continue\n    s += "
    "A[j, i]*q[i]\n  if i > 0: break\n"
    "else:\n  s = 0\nreturn s",
    "sequences": "c = [np.cos(a) for a in q if True]; a, (b, d) = x, [y, c[1]]; t = "
    "tuple(c)\nreturn np.array([a, b, d, sum(c), t[2], c[-1]])",
    "zip and enumerate": "return sum(k*a*b for k, (a, b) in enumerate(zip(q, A[1])))",
    "rows": "s = 0\nfor a, b in A.T: s = s + a*b\nfor r in A: s = s + r[0]*r[2]\nreturn s + "
    "sum(len(r) for r in A.T)",
    "branches on known numbers": "n = 2\nif n > 1 and not n == 3 or False: return x\nelif n: "
    "return y\nreturn 0",
    "a choice": "n = 1\nreturn (x if n != 2 else y)*(1 if None is None else 2)",
    "augmented": "a = x; a += 1; a *= y; a -= 2; a /= 4; a **= 2\nreturn a",
    "lists": "r = [0]*2 + [x]; r[0] = y; r.append(3)\nreturn np.array(r)",
    "integers that stay": "M = np.array([[1, 2], [3, 4]]); M[0, 0] = 5; N = M/2; N[1, 1] = "
    "x\nreturn M + N",
    "types": "M = np.zeros((2, 2), dtype=float); M[0, 0] = float(x); N = np.array([1, 2], "
    "dtype=np.float64); N[0] = y\nreturn M + N",
    "other functions": "return np.linalg.norm(np.full(2, x)) + np.sum(A) + A.sum() + "
    "np.zeros_like(q)[0] + np.ravel(A)[4] + A.flatten()[5]",
    "as arrays": "p = np.asarray(q); p2 = np.array(q, dtype=float)\nreturn p[0] + p2[1] + "
    "np.squeeze(A[:1])[2]",
    "operators as functions": "return np.subtract(x, y) + np.divide(x, y)*np.multiply(2, A) + "
    "np.add(q, x) + np.power(q, 2) + np.arctan2(A, q)*np.hypot(x, A) + np.minimum(q, 1) + "
    "np.fmax(A, x) - np.reciprocal(q) + np.negative(A) + np.float_power(q, 0.5)",
    "products by a number": "return np.dot(x*1, q) + np.dot(q, 2) + np.dot(q, q)*np.dot(x*1, y*1) + "
    "np.matmul(q, A.T)[1] + np.outer([1, 2], A)[1, 3:] + np.outer(A, q)[4]",
    "ranges": "s = np.zeros(3)\nfor k in range(2, -1, -1): s[k] += q[2 - k]*(k + 1)\n"
    "for i in range(1, 3): s[i] *= np.arange(5, 0, -2)[i]\n"
    "return s*np.arange(3) + np.arange(1, 4)*len(range(2, 9, 3)) + list(range(4))[3]",
    "whole numbers": "n = min(2, 5) - max(1, 0)\nreturn np.arange(10)[np.abs(-3)] + q[np.negative(-n)] "
    "+ q[int(2)] + np.arange(10)[np.square(-n)] + min(x, 1) + max(n, x) + abs(-2)",
    "kinds of entries": "M = np.abs(np.array([-1, 2])); M[0] = 3; N = np.sqrt(np.array([4, 9])); "
    "N[0] = x; K = np.outer([1, 2], [3, 4]); K[0, 0] = 5; L = np.outer([1, 2], [0.5, 1]); "
    "L[0, 1] = y; C = np.cross([1, 2, 3], [4, 5, 6.0]); C[1] = x\n"
    "return M @ K + L @ N + C[1]*K[1] + np.sign(np.array([-2, 5]))",
    "methods": "return A.transpose()[2, 1] + A.ravel()[3] + A[:1].squeeze()[1] + A[:, :2].trace() + "
    "q.dot(q) + A.T.reshape(2, 3)[0, 1] + A.reshape((3, 2))[2, 0] + q[1:2].item() + A.sum() + "
    "A.copy()[1, 2]",
    "views and copies by methods": "M = np.ones((2, 2)); a = M.ravel(); a[1] = x; b = M.flatten(); "
    "b[0] = 5; c = M.transpose(); c[0, 1] = y; d = M.copy(); d[1, 1] = 7; e = np.transpose(M); "
    "e[1, 1] = 9; g = np.copy(M); g[0, 0] = 4; h = np.squeeze(M[:1]); h[0] = 2\n"
    "return np.vstack([M, b[:2], d, g])",
    "sums from a start": "return sum([q, q*2], x) + sum([x, y]) + sum(list(A[0]), 4) + np.sum([1, x])",
    "numbers in arrays": "a = np.array(x)\nreturn a*2 + np.transpose(A)[2, 1] + np.matmul(A, q)[1]",
}  # fmt: skip
WHOLE = {
    "functions of the module": "g = 9.81\nK = np.array([1.0, 2.0])\nR1, R2 = 3, 4.5\n"
    "def skew(a):\n    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])\n"
    "def scaled(a, *, by=2, plus=None):\n    'doc'\n    return a*by\n"
    "def f(x, y, q, A):\n    assert len(q) == 3\n    return skew(q) @ scaled(q, by=x) + g*K[1]*R2 "
    "+ scaled(y)",
    "annotations": "def f(x: float, y: float = 1.0, q: np.ndarray = None, A=None) -> np.ndarray:\n"
    "    import numpy as xp\n    z: float = x\n    w: float\n    return xp.array([z, y])",
}
NUMBERS: dict[str, Any] = {"x": 0.7, "y": -1.3, "q": [1.9, 0.6, 0.4], "A": [[1.0, 2, 3], [4, 5, 7]]}
SHAPES = {"q": (3,), "A": (2, 3)}


def _text(what: str) -> str:
    if what in WHOLE:
        return HEAD + WHOLE[what]
    lines = BODIES[what].replace("; ", "\n").split("\n")
    return HEAD + "def f(x, y, q, A):\n" + "\n".join(f"    {line}" for line in lines)


@pytest.mark.parametrize("what", [*BODIES, *WHOLE])
def test_the_values_of_python(what: str) -> None:
    text = _text(what)
    scope: dict[str, Any] = {}
    exec(text, scope)  # our own text, above
    theirs = scope["f"](0.7, -1.3, np.array(NUMBERS["q"]), np.array(NUMBERS["A"]))
    (ours,) = evaluated(read(text, "numpy", only=["f"], shapes=SHAPES), NUMBERS)
    assert ours.shape == np.shape(theirs)
    np.testing.assert_allclose(ours, theirs, rtol=1e-12)


def test_arguments_outputs_and_lines() -> None:
    text = """
import numpy as np

def mass(q, p, l1):
    q1, q2 = q
    M = np.empty((2, 2))
    M[0, 0] = p.m1*np.cos(q1)
    M[1, 0] = p["m2"]*q2*p.r[1]
    c = l1
    return M, c, l1*2
"""
    f = read(text, "numpy")
    assert (f.name, f.line, f.file) == ("mass", 4, "text")
    assert [(a.name, a.shape) for a in f.inputs] == [
        ("q", (2,)), ("p.m1", ()), ("p.m2", ()), ("p.r", (2,)), ("l1", ()),
    ]  # fmt: skip
    M, c, third = f.outputs
    assert (M.name, M.shape, M.line, M.missing) == ("M", (2, 2), 8, ((0, 1), (1, 1)))
    assert M.lines == {(0, 0): 7, (1, 0): 8}
    assert (c.name, c.line, c.entries[()]) == ("c", 9, symbol("l1"))
    assert (third.name, third.line) == ("mass[2]", 10)


@pytest.mark.parametrize(("text", "names"), [
    ("def f(a):\n    return {'M': a, 'c': [a, 2*a]}", ["M", "c"]),
    ("def f(a):\n    return [a, 2*a]", ["f"]),
    ("def f(a):\n    return [[a, 2*a], [3, 4]]", ["f"]),
    ("def f(a):\n    M = [a]\n    return M", ["M"]),
    ("def f(a):\n    return [array([a]), 2*a]", ["f[0]", "f[1]"]),
    ("def f(a):\n    M, c = a, 2*a\n    return M, c", ["M", "c"]),
])  # fmt: skip
def test_names_of_results(text: str, names: list[str]) -> None:
    assert [o.name for o in read(text, "numpy").outputs] == names


def test_methods_of_an_argument_whose_shape_is_not_known_yet() -> None:
    """A copy of an argument, or its entries in a row, is read like the argument."""
    for call in (
        "q.ravel()",
        "q.flatten()",
        "q.squeeze()",
        "q.copy()",
        "np.ravel(q)",
        "np.array(q)",
    ):
        f = read(f"import numpy as np\ndef f(q):\n    p = {call}\n    return p[0] + q[1]", "numpy")
        assert [(a.name, a.shape) for a in f.inputs] == [("q", (2,))]
        assert f.outputs[0].entries[()] is symbol("q[0]") + symbol("q[1]")


@pytest.mark.needs("scipy")
def test_the_text_of_lambdify() -> None:
    q1, q2, m = sp.symbols("q1 q2 m")
    matrix = sp.Matrix(
        [[m * sp.cos(q1) ** 2, q2 / 3], [sp.pi * sp.sqrt(q2), q2 ** sp.Rational(3, 2)]]
    )
    expected = parse("m*cos(q1)**2"), parse("q2/3"), parse("pi*sqrt(q2)"), parse("q2*sqrt(q2)")
    for cse in (False, True):
        text = inspect.getsource(sp.lambdify((q1, q2, m), matrix, cse=cse))
        (output,) = read(text, "numpy").outputs
        assert tuple(output.entries.values()) == expected
    text = inspect.getsource(sp.lambdify(([q1, q2], m), [matrix, q1**2]))
    f = read(text, "numpy")
    assert [a.shape for a in f.inputs] == [(2,), ()]
    assert [o.shape for o in f.outputs] == [(2, 2), ()]
    column = sp.MatrixSymbol("q", 2, 1)
    text = inspect.getsource(
        sp.lambdify((column, m), matrix.subs(q1, column[0]).subs(q2, column[1]))
    )
    f = read(text, "numpy")
    assert f.inputs[0].symbols == symbols(["q[0]", "q[1]"])
    text = inspect.getsource(sp.lambdify((q1, m), [sp.cos(q1) * m], modules="math"))
    assert read(text, "numpy").outputs[0].entries == {(0,): parse("m*cos(q1)")}


def test_decimals_are_exact() -> None:
    (f,) = read("def f():\n    é = 0.1; return é + 0.2 + 1.e-2", "numpy").outputs
    assert f.entries[()] == parse("31/100")


def test_nothing_is_executed() -> None:
    text = "import os\nos.abort()\nexit(1)\ndef f(x):\n    return x\nf(1/0)"
    assert read(text, "numpy").name == "f"
    assert math.isfinite(1)
