"""SymPy's documented four-bar linkage, derived by SymPy itself, against the built-in robot."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import pytest
import sympy as sm
import sympy.physics.mechanics as me

import equamo as eq
from equamo.review.claims import claim

pytestmark = pytest.mark.needs("sympy")

Q = me.dynamicsymbols("q1:4")
U = me.dynamicsymbols("u1:4")


@cache
def documented() -> dict[str, Any]:
    """The equations of "A four bar linkage" of SymPy's documentation, as its steps make them."""
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
    return {
        "closure": fh,
        "constraint_matrix": A,
        "constraint_bias": A.diff(t).subs(rates) * sm.Matrix(U),
        "row": kane.mass_matrix[0, :],  # of u1', u2', u3'
        "forcing": kane.forcing[:1, :],
    }


def printed(name: str, speeds: str = "dq1:4") -> list[Any]:
    """Entries as text; a list of lists for a matrix."""
    matrix = documented()[name]
    plain = dict(zip((*Q, *U), sm.symbols(f"q1:4 {speeds}"), strict=True))
    rows = [[sm.sstr(e.subs(plain)) for e in row] for row in matrix.tolist()]
    return [r[0] for r in rows] if matrix.shape[1] == 1 else rows


@pytest.mark.parametrize("name", ["closure", "constraint_matrix", "constraint_bias"])
def test_equations_of_the_loop(name: str) -> None:
    """Two of our five equations, those in the plane; the others are redundant."""
    rows = printed(name)
    claims = [
        claim(f"{name} {axis}", "four_bar_linkage", text, name, entries=f"row {k + 1}" if name ==
              "constraint_matrix" else k + 1)
        for k, (axis, text) in enumerate(zip("xy", rows, strict=True))
    ]  # fmt: skip
    report = eq.audit(claims, "four_bar", seed=1)
    assert report.ok, str(report)


def test_equations_of_motion() -> None:
    """Kane's equation for u1 with the constraints solved for u2, u3 and u2', u3': our minimal form."""
    eom = eq.derive(eq.load("four_bar")).minimal(speeds=("dq1",))
    A, c = printed("constraint_matrix", "u1:4"), printed("constraint_bias", "u1:4")
    (row,), (forcing,) = printed("row", "u1:4"), printed("forcing", "u1:4")

    def solved(x: str, y: str) -> tuple[str, str]:
        """Solution of two equations for the speeds 2 and 3, by Cramer's rule."""
        D = f"(({A[0][1]})*({A[1][2]}) - ({A[0][2]})*({A[1][1]}))"
        second = f"(({x})*({A[1][2]}) - ({A[0][2]})*({y}))/{D}"
        return second, f"(({A[0][1]})*({y}) - ({x})*({A[1][1]}))/{D}"

    w, a = solved(f"-({A[0][0]})", f"-({A[1][0]})"), solved(f"-({c[0]})", f"-({c[1]})")
    definitions = {"u1": "dq1", "w2": w[0], "w3": w[1], "u2": "w2*dq1", "u3": "w3*dq1"}
    definitions |= {"a2": a[0], "a3": a[1]}
    mass = f"({row[0]}) + ({row[1]})*w2 + ({row[2]})*w3"
    bias = f"({row[1]})*a2 + ({row[2]})*a3 - ({forcing})"
    claims = [
        claim(name, "four_bar_linkage", text, f"{name}[{entry}]", definitions=definitions)
        for name, text, entry in (("mass_matrix", mass, "1, 1"), ("bias", bias, "1"))
    ]
    report = eq.audit(claims, eom, seed=1)
    assert report.ok, str(report)


def test_an_error_is_found() -> None:
    wrong = [row.replace("l3", "l2") for row in printed("closure")]
    report = eq.audit([claim("x", "changed", wrong[0], "closure", entries=1)], "four_bar", seed=1)
    assert not report.ok
