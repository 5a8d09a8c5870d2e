"""SymPy's documented four-bar linkage, derived by SymPy itself, against the built-in robot."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import pytest
import sympy as sm
import sympy.physics.mechanics as me

import equamo as eq
from equamo.claims import claim

Q = me.dynamicsymbols("q1:4")
U = me.dynamicsymbols("u1:4")


@cache
def documented() -> dict[str, Any]:
    """The equations of the page "A four bar linkage" of SymPy's documentation, as its steps make them."""
    l1, l2, l3, l4, rho = sm.symbols("l1:5, rho")
    N = me.ReferenceFrame("N")
    inertias = [me.inertia(N, 0, 0, rho * l**3 / 12) for l in (l1, l2, l3, l4)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the page uses Body and JointsMethod
        bodies = [
            me.Body(f"Link{k}", mass=rho * l, central_inertia=J, **({"frame": N} if k == 1 else {}))
            for k, (l, J) in enumerate(zip((l1, l2, l3, l4), inertias, strict=True), 1)
        ]
        joints = [
            me.PinJoint(
                f"J{k + 1}", bodies[k], bodies[k + 1], coordinates=Q[k], speeds=U[k],
                parent_point=a / 2 * bodies[k].x, child_point=-b / 2 * bodies[k + 1].x,
                joint_axis=bodies[k].z,
            )
            for k, (a, b) in enumerate(((l1, l2), (l2, l3), (l3, l4)))
        ]  # fmt: skip
        method = me.JointsMethod(bodies[0], *joints)
    first, last = bodies[0], bodies[3]
    loop = last.masscenter.pos_from(first.masscenter) + l1 / 2 * first.x + l4 / 2 * last.x
    fh = sm.Matrix([loop.dot(first.x), loop.dot(first.y)])
    t = me.dynamicsymbols._t
    rates = {q.diff(t): u for q, u in zip(Q, U, strict=True)}
    fhd = fh.diff(t).subs(rates)
    kane = me.KanesMethod(
        method.frame, q_ind=Q[:1], u_ind=U[:1], q_dependent=Q[1:], u_dependent=U[1:],
        kd_eqs=method.kdes, configuration_constraints=fh, velocity_constraints=fhd,
        forcelist=method.loads, bodies=method.bodies,
    )  # fmt: skip
    kane.kanes_equations()
    A = fhd.jacobian(sm.Matrix(U))
    solved = A[:, 1:].LUsolve(-A[:, :1])  # u2, u3 per u1
    W = sm.Matrix([1, *solved])
    row, force = kane.mass_matrix[0, :], kane.forcing[0]
    W_dot = W.diff(t).subs(rates)
    on_loop = {U[1]: W[1] * U[0], U[2]: W[2] * U[0]}
    return {
        "closure": fh,
        "constraint_matrix": A,
        "constraint_bias": (A.diff(t).subs(rates)) * sm.Matrix(U),
        "mass_matrix": row * W,
        "bias": sm.Matrix([((row * W_dot)[0] * U[0] - force).subs(on_loop).subs(on_loop)]),
    }


def printed(matrix: Any) -> list[str] | list[list[str]]:
    """Entries as text, in our symbols."""
    plain = dict(zip((*Q, *U), sm.symbols("q1:4 dq1:4"), strict=True))
    rows = [[sm.sstr(e.subs(plain)) for e in row] for row in matrix.tolist()]
    return [r[0] for r in rows] if matrix.shape[1] == 1 and matrix.shape[0] > 1 else rows


@pytest.mark.parametrize("name", ["closure", "constraint_matrix", "constraint_bias"])
def test_equations_of_the_loop(name: str) -> None:
    """Two of our five equations, those in the plane; the others are redundant."""
    rows = printed(documented()[name])
    claims = [
        claim(f"{name} {axis}", "four_bar_linkage", text, name, entries=f"row {k + 1}" if name ==
              "constraint_matrix" else k + 1)
        for k, (axis, text) in enumerate(zip("xy", rows, strict=True))
    ]  # fmt: skip
    report = eq.audit(claims, "four_bar", seed=1)
    assert report.ok, str(report)


@pytest.mark.parametrize("name", ["mass_matrix", "bias"])
def test_equations_of_motion(name: str) -> None:
    """Kane's equation for u1, with u2 and u3 as the constraints have them: our minimal form."""
    eom = eq.derive(eq.load("four_bar")).minimal(speeds=("dq1",))
    rows = printed(documented()[name])
    text = rows if name == "mass_matrix" else rows[0]
    report = eq.audit([claim(name, "four_bar_linkage", text, name)], eom, seed=1)
    assert report.ok, str(report)


def test_an_error_is_found() -> None:
    wrong = [row.replace("l3", "l2") for row in printed(documented()["closure"])]
    report = eq.audit([claim("x", "changed", wrong[0], "closure", entries=1)], "four_bar", seed=1)
    assert not report.ok
