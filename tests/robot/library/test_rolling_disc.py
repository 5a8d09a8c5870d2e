"""The rolling disc: the published solution, its constraints, and what it does."""

import numpy as np
import pytest

from equamo.algebra.expr import parse
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal, prove_zero
from equamo.mechanics.certificate import prove
from equamo.mechanics.equations import FORMULATIONS, derive
from equamo.mechanics.equations.constraint_forces import constraint_forces
from equamo.robot.library.rolling_disc import rolling_disc
from equamo.robot.model.integrability import constraint_report

# SymPy 1.14, physics.mechanics, "A rolling disc, with Kane's method"; q2 is the lean.
PUBLISHED = (
    "(6*u2*u3*r - u3**2*r*tan(lean) + 4*g*sin(lean))/(5*r)",
    "-2*u1*u3/3",
    "(-2*u2 + u3*tan(lean))*u1",
)


@pytest.mark.parametrize("by", FORMULATIONS)
def test_published_solution(by: str) -> None:
    eom = derive(rolling_disc(), by=by)
    u_dot = Vector(map(parse, PUBLISHED))
    assert prove_zero(eom.mass_matrix @ u_dot + eom.bias + eom.gravity)


def test_certificate() -> None:
    cert = prove(rolling_disc())
    assert cert.ok, str(cert)
    names = [line.name for line in cert.lines]
    assert "boltzmann hamel = recursive" in names
    assert "N keeps every constraint" in names


def test_angular_velocity_is_the_speeds() -> None:
    w = derive(rolling_disc()).frame("disc").angular_velocity(expressed_in="leaning")
    assert prove_equal(w, Vector([parse("u1"), parse("u2"), parse("u3")]))


def test_lowest_point_stands_still() -> None:
    """The material point at the contact, −r along the leaning frame's z."""
    frame = derive(rolling_disc()).frame("disc")
    point = frame.robot.body("disc").joint.rotation.T @ Vector([0, 0, "-r"])
    assert prove_zero(frame.linear_velocity(at=point))


def test_nonholonomic_through_and_through() -> None:
    report = constraint_report(rolling_disc())
    assert report.growth == (3, 4, 5)
    assert report.dimension == 5
    assert report.integrable == 0
    assert not report.holonomic


def test_ground_force_upright() -> None:
    """Upright and straight the ground does nothing along and across; leaning it pushes inwards."""
    eom = derive(rolling_disc())
    ground = constraint_forces(eom)
    assert list(ground) == ["disc rolls", "no skidding"]
    straight = {"lean": 0, "u1": 0, "u3": 0, "du1": 0, "du2": 0, "du3": 0}
    assert all(prove_zero(x.subs(straight)) for x in ground.values())
    # across: m times the acceleration of the centre across
    a = eom.frame("disc").linear_acceleration(expressed_in="contact")
    assert prove_equal(ground["disc rolls"], a[0] * parse("m"))
    assert prove_equal(ground["no skidding"], a[1] * parse("m"))


def test_a_fast_disc_is_stable_upright() -> None:
    """The disc rolls upright in a stable way if u2² > g/(3 r) (Kane and Levinson 1985)."""
    eom = derive(rolling_disc())
    limit = (9.81 / 3 / 0.3) ** 0.5
    for speed, stable in ((1.05 * limit, True), (0.95 * limit, False)):
        J = _slope_of_upright(eom, speed)
        assert (np.linalg.eigvals(J).real.max() < 1e-4) == stable


def _slope_of_upright(eom: object, speed: float) -> np.ndarray:
    """∂(lean˙, u1˙, u3˙)/∂(lean, u1, u3) at lean = u1 = u3 = 0, by central differences."""
    names = ("lean", "u1", "u3")
    J = np.zeros((3, 3))
    for k, name in enumerate(names):
        for sign in (1, -1):
            state = {"lean": 0.0, "u1": 0.0, "u2": speed, "u3": 0.0}
            state[name] = sign * 1e-6
            q = {"lean": state.pop("lean")}
            M, b, g = (eom.evaluate(x, q=q, v=state) for x in ("mass_matrix", "bias", "gravity"))  # type: ignore[attr-defined]
            a = -np.linalg.solve(M, b + g)
            J[:, k] += sign * np.array([state["u1"], a[0], a[2]]) / 2e-6
    return J
