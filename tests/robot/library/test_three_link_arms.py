"""The two three-link arms of proNEu against Kane's method of SymPy, proved, not sampled."""

from functools import cache
from math import pi
from typing import Any

import pytest
import sympy
from sympy.physics import mechanics

from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal
from equamo.mechanics.equations import FORMULATIONS, derive
from equamo.robot.library import load

pytestmark = pytest.mark.needs("sympy")

ARMS = ("three_link_arm", "three_link_prismatic_arm")
LINK = "l{0} s{0} m{0} Th{0}_xx Th{0}_yy Th{0}_zz"


@cache
def kane(name: str) -> tuple[Matrix, Vector]:
    """M and forcing = B τ − C v − g by SymPy, described from the document a second time."""
    prismatic = name == "three_link_prismatic_arm"
    q = mechanics.dynamicsymbols("q1 q2 x" if prismatic else "q1 q2 q3")
    u = mechanics.dynamicsymbols("u1 u2 u3")
    g, T1, T2, T3 = sympy.symbols("g T1 T2 F1" if prismatic else "g T1 T2 T3")
    p = [dict(zip("lsmxyz", sympy.symbols(LINK.format(i)), strict=True)) for i in (1, 2, 3)]

    N = mechanics.ReferenceFrame("N")
    A = N.orientnew("A", "Axis", [q[0], N.z])
    if prismatic:
        B = A.orientnew("B", "Axis", [q[1], A.y])
        C = B.orientnew("C", "Axis", [0, B.x])
        spin = [u[0] * A.z, u[1] * B.y, 0 * B.x]
        along = [A.z, B.x, C.x]
    else:
        B = A.orientnew("B", "Axis", [q[1], A.x])
        C = B.orientnew("C", "Axis", [q[2], B.y])
        spin = [u[0] * A.z, u[1] * B.x, u[2] * C.y]
        along = [A.z, B.z, C.z]
    A.set_ang_vel(N, spin[0])
    B.set_ang_vel(A, spin[1])
    C.set_ang_vel(B, spin[2])

    O1 = mechanics.Point("O1")
    O1.set_vel(N, 0)
    O2 = O1.locatenew("O2", p[0]["l"] * A.z)
    O2.v2pt_theory(O1, N, A)
    if prismatic:
        O3 = O2.locatenew("O3", (p[1]["l"] + q[2]) * B.x)
        O3.set_vel(B, u[2] * B.x)
        O3.v1pt_theory(O2, N, B)
    else:
        O3 = O2.locatenew("O3", p[1]["l"] * B.z)
        O3.v2pt_theory(O2, N, B)

    bodies, loads = [], []
    for i, (frame, origin) in enumerate(zip((A, B, C), (O1, O2, O3), strict=True)):
        center = origin.locatenew(f"G{i + 1}", p[i]["s"] * along[i])
        center.v2pt_theory(origin, N, frame)
        tensor = mechanics.inertia(frame, p[i]["x"], p[i]["y"], p[i]["z"])
        bodies.append(mechanics.RigidBody(f"b{i}", center, frame, p[i]["m"], (tensor, center)))
        loads.append((center, -p[i]["m"] * g * N.z))
    if prismatic:
        loads += [(A, T1 * A.z - T2 * B.y), (B, T2 * B.y), (O3, T3 * C.x)]
        reaction = O2.locatenew("R", 0 * B.x)
        reaction.v2pt_theory(O2, N, B)
        loads.append((reaction, -T3 * C.x))
    else:
        loads += [(A, T1 * A.z - T2 * B.x), (B, T2 * B.x - T3 * C.y), (C, T3 * C.y)]
    rates = [a - b.diff() for a, b in zip(u, q, strict=True)]
    method = mechanics.KanesMethod(N, q_ind=q, u_ind=u, kd_eqs=rates)
    method.kanes_equations(bodies, loads)
    plain = {b: sympy.Symbol(f"d{a.func}") for a, b in zip(q, u, strict=True)}
    plain |= {a: sympy.Symbol(str(a.func)) for a in q}

    def entries(m: Any) -> list[list[Any]]:
        return m.xreplace(plain).tolist()

    M = Matrix(entries(method.mass_matrix))
    return M, Vector([row[0] for row in entries(method.forcing)])


@pytest.mark.parametrize("name", ARMS)
@pytest.mark.parametrize("by", FORMULATIONS)
def test_equations_are_those_of_sympy(name: str, by: str) -> None:
    M, forcing = kane(name)
    eom = derive(load(name), by=by)
    assert prove_equal(eom.mass_matrix, M)
    assert prove_equal(eom.input_matrix @ Vector(eom.inputs) - eom.bias - eom.gravity, forcing)


@pytest.mark.parametrize("name", ARMS)
def test_names_and_defaults_are_those_of_the_document(name: str) -> None:
    robot = load(name)
    expected = [x for i in (1, 2, 3) for x in LINK.format(i).split()]
    assert [x.name for x in robot.parameters] == [*expected, "g"]
    assert [float(x or 0) for x in robot.values.values()] == [1, 0.5, 1, 1, 1, 1] * 3 + [9.81]
    assert list(robot.home.inputs.values()) == [1, 2, 3]
    assert list(robot.home.v.values()) == [0, 0, 0]


def test_home_is_the_document_s() -> None:
    first, second = ([float(x) for x in load(name).home.q.values()] for name in ARMS)
    assert first == [pi / 4, pi / 4, pi / 4]
    assert second == [pi / 4, pi / 4, 0.2]


def test_the_arm_stands_up() -> None:
    """All links along z at zero, where gravity turns no joint."""
    eom = derive(load("three_link_arm"))
    zero = [0, 0, 0]
    top = eom.evaluate(eom.frame("link3").position(at="0 0 l3"), q=zero)
    assert top == pytest.approx([0, 0, 3])
    assert eom.evaluate("gravity", q=zero) == pytest.approx(zero)
