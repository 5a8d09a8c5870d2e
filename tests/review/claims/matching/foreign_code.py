"""Programs that others generate: SymPy derives an arm on its own and prints C, NumPy and MATLAB.

Nothing here uses our expressions: positions are multiplied out, Jacobians and energies differentiated
by SymPy. `casadi_source` is C from CasADi, by the recursions of the benchmarks with the numbers that
Pinocchio reads from a URDF file.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import sympy as sp
from sympy.utilities.codegen import codegen

BENCHMARKS = Path(__file__).parents[4] / "benchmarks"


class Link(NamedTuple):
    """A revolute joint in its parent, and the mass behind it."""

    axis: Sequence[int]
    at: Sequence[str]
    mass: str
    com: Sequence[str]
    inertia: Sequence[str]  # of the principal axes, at the centre of mass


LINKS = {
    "rr_arm": [
        Link((0, 0, 1), ("0", "0", "0"), "m1", ("Lc1", "0", "0"), ("0", "I1", "I1")),
        Link((0, 0, 1), ("L1", "0", "0"), "m2", ("Lc2", "0", "0"), ("0", "I2", "I2")),
    ],
    "three_link_arm": [
        Link(axis, at, f"m{i}", ("0", "0", f"s{i}"), [f"Th{i}_{x}" for x in ("xx", "yy", "zz")])
        for i, axis, at in (
            (1, (0, 0, 1), ("0", "0", "0")),
            (2, (1, 0, 0), ("0", "0", "l1")),
            (3, (0, 1, 0), ("0", "0", "l2")),
        )
    ],
}
DOWN = {"rr_arm": (0, -1, 0), "three_link_arm": (0, 0, -1)}
PARAMETERS = {
    "rr_arm": ["m1", "m2", "L1", "Lc1", "Lc2", "I1", "I2", "g"],
    "three_link_arm": [
        *(x.replace("#", i) for i in "123"
          for x in ("l#", "s#", "m#", "Th#_xx", "Th#_yy", "Th#_zz")), "g",
    ],
}  # fmt: skip


def names(robot: str, prefix: str = "") -> list[sp.Symbol]:
    """Coordinates; with the prefix `d`, speeds."""
    return [sp.Symbol(f"{prefix}q{i + 1}") for i in range(len(LINKS[robot]))]


@cache
def derived(robot: str) -> dict[str, sp.Matrix]:
    """M, C, C v and g of an arm, as SymPy derives them."""
    q, v = names(robot), names(robot, "d")
    A, p = sp.eye(3), sp.zeros(3, 1)
    turns = sp.zeros(3, len(q))
    M, V = sp.zeros(len(q), len(q)), sp.Integer(0)
    for i, link in enumerate(LINKS[robot]):
        p = p + A * sp.Matrix([sp.Symbol(x) if x != "0" else 0 for x in link.at])
        turns[:, i] = A * sp.Matrix(link.axis)
        A = A * _turn(link.axis, q[i])
        m = sp.Symbol(link.mass)
        r = p + A * sp.Matrix([sp.Symbol(x) if x != "0" else 0 for x in link.com])
        J, W = r.jacobian(q), turns.copy()
        I = sp.diag(*[sp.Symbol(x) if x != "0" else 0 for x in link.inertia])
        M = M + m * J.T * J + W.T * A * I * A.T * W
        V -= m * sp.Symbol("g") * sp.Matrix(DOWN[robot]).dot(r)
    M = M.applyfunc(sp.expand)
    n = range(len(q))
    C = sp.Matrix(len(q), len(q), lambda i, j: sum(
        (sp.diff(M[i, j], q[k]) + sp.diff(M[i, k], q[j]) - sp.diff(M[j, k], q[i])) * v[k] / 2 for k in n
    ))  # fmt: skip
    g = sp.Matrix([sp.diff(V, x) for x in q])
    return {"mass_matrix": M, "coriolis_matrix": C, "bias": C * sp.Matrix(v), "gravity": g}


def _turn(axis: Sequence[int], angle: sp.Symbol) -> sp.Matrix:
    c, s = sp.cos(angle), sp.sin(angle)
    k = list(axis).index(1)
    i, j = (k + 1) % 3, (k + 2) % 3
    A = sp.eye(3)
    A[i, i] = A[j, j] = c
    A[j, i], A[i, j] = s, -s
    return A


# -- C -------------------------------------------------------------------------------------------------
def sympy_c(robot: str) -> str:
    """C as `codegen` writes it: one argument per symbol, one array per result."""
    files = codegen(list(derived(robot).items()), "C99", robot, header=False)
    return files[0][1].replace(f'#include "{robot}.h"', "")


def array_c(robot: str) -> str:
    """C with the arrays q, v and parameters, and temporaries for common sub-expressions."""
    arrays: dict[sp.Symbol, sp.Symbol] = {}
    for name, symbols in (("q", names(robot)), ("v", names(robot, "d")),
                          ("parameters", [sp.Symbol(x) for x in PARAMETERS[robot]])):  # fmt: skip
        arrays |= {x: sp.Symbol(f"{name}[{i}]") for i, x in enumerate(symbols)}
    text = "#include <math.h>\n"
    for name, value in derived(robot).items():
        steps, (result,) = sp.cse([value.xreplace(arrays)], sp.numbered_symbols("t"))
        given = "const double *q, const double *v, const double *parameters"
        text += f"void {name}({given}, double *r) {{\n"
        text += "".join(f"  const double {x} = {sp.ccode(e)};\n" for x, e in steps)
        text += "".join(f"  r[{i}] = {sp.ccode(e)};\n" for i, e in enumerate(result))
        text += "}\n"
    return text


# -- MATLAB and NumPy --------------------------------------------------------------------------------
def octave_functions(robot: str) -> dict[str, str]:
    """Files as MATLAB's matlabFunction writes them, with the names of document 002, section 3.4."""
    q, v = names(robot), names(robot, "d")
    parameters = [sp.Symbol(x) for x in PARAMETERS[robot]]
    files: dict[str, str] = {}
    for name, result, quantity, given in (
        ("Mfunc", "MpNE", "mass_matrix", q),
        ("bfunc", "bpNE", "bias", [*q, *v]),
        ("gfunc", "gpNE", "gravity", q),
    ):
        value = derived(robot)[quantity]
        steps, (value,) = sp.cse([value], sp.numbered_symbols("t", start=2))
        listed = ",".join(map(str, [*given, *parameters]))
        text = f"function {result} = {name}({listed})\n%{name.upper()}\n"
        text += f"%    {result} = {name.upper()}({listed.upper()})\n\n"
        text += "".join(f"{x} = {sp.octave_code(e)};\n" for x, e in steps)
        entries = [sp.octave_code(e) for e in (value.T if value.shape[1] > 1 else value)]
        n, m = value.shape
        if m > 1:
            text += f"{result} = reshape([{','.join(entries)}],[{n},{m}]);\n"
        else:
            text += f"{result} = [{';'.join(entries)}];\n"
        files[f"{name}.m"] = text + "end\n"
    return files


def numpy_module(robot: str) -> str:
    """A NumPy module, with the arrays q, v and parameters unpacked first."""
    q, v = names(robot), names(robot, "d")
    text = "import numpy as np\nfrom numpy import cos, sin\n"
    for name, value in derived(robot).items():
        steps, (value,) = sp.cse([value], sp.numbered_symbols("t"))
        text += f"\n\ndef {name}(q, v, parameters):\n"
        text += f"    {', '.join(map(str, q))} = q\n    {', '.join(map(str, v))} = v\n"
        text += f"    {', '.join(PARAMETERS[robot])} = parameters\n"
        text += "".join(f"    {x} = {e}\n" for x, e in steps)
        rows = value.tolist() if value.shape[1] > 1 else list(value)
        text += f"    return np.array({rows})\n"
    return text


# -- CasADi --------------------------------------------------------------------------------------------
def casadi_source(robot: str) -> tuple[Path, str]:
    """(URDF file, C of the function `dynamics`) of UR5 or Panda."""
    sys.path.append(str(BENCHMARKS))
    import casadi as ca
    from harness.casadi_calls import source
    from harness.casadi_recursions import Recursions
    from harness.models import SOURCES, pinocchio_model, tree

    r: Any = Recursions(tree(pinocchio_model(SOURCES[robot])))
    results = [r.mass_matrix(), r.inverse_dynamics(), r.inverse_dynamics(ca.SX(r.tree.nv, 1))]
    function = ca.Function(
        "dynamics", list(r.symbols), [ca.densify(x) for x in results], ["q", "v", "vdot"],
        ["M", "tau", "h"], {"cse": True},
    )  # fmt: skip
    return SOURCES[robot].path, source(function)
