"""Constraint forces: what they are for known cases, and what has none."""

from typing import Any

import pytest

from equamo.algebra.expr import parse
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import Proof, prove_equal
from equamo.errors import ConstraintError
from equamo.mechanics.certificate import prove
from equamo.mechanics.equations import FORMULATIONS, derive
from equamo.mechanics.equations.constraint_forces import constraint_forces
from equamo.mechanics.formulations.boltzmann_hamel import boltzmann_hamel
from equamo.robot.library import load
from equamo.robot.model import Body, Robot, planar, prismatic, revolute, spherical


def sleigh(**options: Any) -> Robot:
    """Chaplygin's sleigh: a runner at the origin of a body whose centre of mass is c ahead of it."""
    given = {
        "constraints": ["dy*cos(a) - dx*sin(a)"],
        "speeds": {"v": "dx*cos(a) + dy*sin(a)", "w": "da"},
    } | options
    body = Body("body", planar("x y a"), mass="m", com="c 0 0", inertia="0 0 I")
    return Robot("sleigh", [body], forces=[], **given)  # type: ignore[arg-type]


@pytest.mark.parametrize("by", FORMULATIONS)
def test_chaplygin_s_sleigh(by: str) -> None:
    """v̇ = c w², (I + m c²) ẇ = −m c v w (Chaplygin 1911; Neimark and Fufaev 1972)."""
    eom = derive(sleigh(), by=by)
    assert prove_equal(eom.bias, Vector(["-m*c*w**2", "m*c*v*w"]))
    assert prove_equal(eom.mass_matrix[1, 1], "I + m*c**2")
    (side,) = constraint_forces(eom).values()
    assert prove_equal(
        side, "m*(v*w + c*dw)"
    )  # m times the acceleration of the centre of mass across


def test_weight_on_a_hook() -> None:
    """A mass held still in height: the force is its weight."""
    body = Body("b", prismatic("z", axis="z"), mass="m", parent="rail")
    rail = Body("rail", prismatic("x", axis="x"))
    robot = Robot("hook", [rail, body], forces=[], constraints=["dz"], speeds={"v": "dx"})
    assert prove_equal(constraint_forces(derive(robot))["dz"], "m*g")


def test_redundant_constraints_have_no_force_of_their_own() -> None:
    skating = "dy*cos(a) - dx*sin(a)"
    robot = sleigh(constraints=[skating, f"3*({skating})"])
    assert len(constraint_forces(derive(robot))) == 1


def test_force_scales_with_its_constraint() -> None:
    """λ is conjugate to what is written: twice the velocity, half the force."""
    one, two = (
        next(iter(constraint_forces(derive(sleigh(constraints=[c]))).values()))
        for c in ("dy*cos(a) - dx*sin(a)", "2*dy*cos(a) - 2*dx*sin(a)")
    )
    assert prove_equal(one, two * 2)


def test_no_constraints_no_forces() -> None:
    with pytest.raises(ConstraintError, match="Robot 'rr_arm' has no constraints"):
        constraint_forces(derive(load("rr_arm")))
    rates = {"dx": "v*cos(a)", "dy": "v*sin(a)", "da": "w"}
    with pytest.raises(ConstraintError, match="speeds defined by rates have no constraint forces"):
        constraint_forces(derive(sleigh(constraints=[], speeds="v w", rates=rates)))


def test_forces_that_cannot_be_proved_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    module = "equamo.mechanics.equations.constraint_forces.prove_all"
    monkeypatch.setattr(module, lambda *_, **__: [Proof("undecided", reason="no luck")] * 2)
    with pytest.raises(
        ConstraintError, match="could not prove that the constraint forces do no work"
    ):
        constraint_forces(derive(sleigh()))


def test_other_speeds_without_a_constraint() -> None:
    """A change of speeds alone: a slider in the speed 2 dx."""
    body = Body("b", prismatic("x", axis="x"), mass="m")
    robot = Robot("slider", [body], forces=[], speeds={"w": "2*dx"})
    assert prove_equal(derive(robot).mass_matrix[0, 0], "m/4")
    assert prove(robot).ok


def test_a_rolling_ball_on_quaternions() -> None:
    """Solid ball, 2/5 m r²: the ground carries nothing when nothing drives it."""
    bodies = [
        Body("x", prismatic("x", axis="x")),
        Body("y", prismatic("y", axis="y"), parent="x"),
        Body(
            "ball", spherical("b"), mass="m", inertia="2/5*m*r**2 2/5*m*r**2 2/5*m*r**2", parent="y"
        ),
    ]
    w = bodies[2].joint.rotation @ Vector(["b_wx", "b_wy", "b_wz"])
    rolling = [parse("dx") - w[1] * parse("r"), parse("dy") + w[0] * parse("r")]
    robot = Robot("ball", bodies, forces=[], constraints=[str(e) for e in rolling],
                  speeds={n: n for n in ("b_wx", "b_wy", "b_wz")})  # fmt: skip
    cert = prove(robot)
    assert cert.ok, str(cert)
    assert any("boltzmann hamel" in x and "quaternion" in x for x in cert.not_applicable)
    with pytest.raises(ConstraintError, match="quaternion"):
        boltzmann_hamel(robot)
    assert len(constraint_forces(derive(robot))) == 2


def test_boltzmann_hamel_of_speeds_that_are_the_joints() -> None:
    """Without chosen speeds the brackets vanish: Lagrange's equations."""
    robot = Robot("arm", [Body("a", revolute("q1"), mass="m", com="c 0 0")])
    assert prove_equal(boltzmann_hamel(robot).bias, derive(robot, by="lagrange").bias)
