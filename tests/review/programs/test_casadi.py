"""C that CasADi generates: names and shapes of its arguments, and the values that CasADi computes."""

from __future__ import annotations

import re
from pathlib import Path

import casadi as ca
import numpy as np
import pytest

from equamo import FileFormatError
from equamo.review.programs import open_code, read_code
from foreign_code import evaluated

pytestmark = pytest.mark.needs("casadi", "pcpp", "pycparser")


def functions() -> list[ca.Function]:
    q, v, A, m = ca.SX.sym("q", 2), ca.SX.sym("v", 2), ca.SX.sym("A", 2, 3), ca.SX.sym("m")
    M = ca.SX(2, 2)
    M[0, 0] = 3.1 * ca.cos(q[1]) ** 2 + ca.fabs(v[0]) / ca.sqrt(m)
    M[1, 0] = ca.sign(q[0]) + ca.fmax(q[0], q[1]) + ca.atan2(q[0], v[1]) + m**3
    dense = ca.SX.sym("dense", 2)
    return [
        ca.Function("sparse", [q, v, m], [M, M @ v], ["q", "v", "m"], ["M", "h"]),
        ca.Function("matrix", [A, dense], [A.T @ dense, A[1, 2]], ["A", "d"], ["y", "z"]),
    ]


@pytest.mark.parametrize("function", functions(), ids=lambda f: f.name())
def test_values_names_and_shapes(function: ca.Function, tmp_path: Path) -> None:
    text = _generated(function, tmp_path)
    (f,) = read_code(text, "c")
    assert f.name == function.name()
    assert [a.name for a in f.inputs] == function.name_in()
    assert [o.name for o in f.outputs] == function.name_out()
    rng = np.random.default_rng(3)
    given = [rng.uniform(0.3, 2, function.size_in(k)) for k in range(function.n_in())]
    ours = evaluated(f, {a.name: x for a, x in zip(f.inputs, given, strict=True)})
    for output, x, y in zip(f.outputs, ours, function.call(given), strict=True):
        theirs = np.array(y)
        assert output.shape == tuple(n for n in theirs.shape if n > 1 or theirs.shape[1] > 1)
        assert not output.missing
        np.testing.assert_allclose(x.ravel(), theirs.ravel(), rtol=1e-12)


def test_matrix_expressions_with_work_memory(tmp_path: Path) -> None:
    """MX functions copy arrays and call functions of their own on pointers."""
    x = ca.MX.sym("x", 2)
    inner = ca.Function("inner", [x], [ca.sin(x) * x[0]], ["x"], ["y"])
    function = ca.Function("outer", [x], [inner(inner(x)) + x], ["x"], ["y"])
    (f,) = read_code(_generated(function, tmp_path), "c")
    at = np.array([0.4, 1.2])
    np.testing.assert_allclose(
        evaluated(f, {"x": at})[0], np.array(function(at)).ravel(), rtol=1e-12
    )


def test_structural_zeros_are_zero(tmp_path: Path) -> None:
    (f,) = read_code(_generated(functions()[0], tmp_path), "c")
    M = f.outputs[0]
    assert M.entries[0, 1] == M.entries[1, 1] == 0


def test_a_damaged_file(tmp_path: Path) -> None:
    text = _generated(functions()[0], tmp_path)
    for pattern, replacement, problem in [
        (r"case 1: return \"v\";", "", "must describe argument 1"),
        (r"sparse_n_in\(void\) \{ return 3", "sparse_n_in(void) { return -3", "at least 0"),
        (r"sparse_n_in\(void\)", "sparse_m_in(void)", "sparse_n_in for a CasADi function"),
        (r"sparse_n_in\(void\)", "sparse_n_in(int a)", "takes 1 arguments, expected 0"),
        (r"casadi_s1\[\d+\] = \{\d+", "casadi_s1[6] = {99999", "rows and columns"),
        (r"arg\[1\]\? arg\[1\]\[0\]", "arg[1]? arg[1][7]", "less than 2, got 7"),
        (r"arg\[1\]\? arg\[1\]\[0\]", "arg[9]? arg[9][0]", "'arg[9]' must be assigned"),
        (r"res\[0\]\[0\]=", "res[0][0]=w[3]+", "'w[3]' must be assigned"),
    ]:
        damaged, count = re.subn(pattern, replacement, text, count=1)
        assert count, pattern
        code = open_code(damaged, "c")
        assert "sparse" in code.names
        with pytest.raises(FileFormatError, match=re.escape(problem)):
            code.read("sparse")


def _generated(function: ca.Function, folder: Path) -> str:
    name = f"{function.name()}.c"
    generator = ca.CodeGenerator(name)
    generator.add(function)
    generator.generate(f"{folder}/")
    return (folder / name).read_text()
