"""URDF that is written is read back to the same numbers."""

from __future__ import annotations

from fractions import Fraction

import pytest

from equamo.catalog import load
from equamo.equations import derive
from equamo.errors import ModelError
from equamo.formats.urdf import robot_of_urdf
from equamo.formats.urdf_writer import write_urdf
from equamo.model import Body, Inertia, Robot, custom, joint_spring, planar, revolute
from peer_urdf import file, relative, states
from urdf_texts import EVERYTHING

pytestmark = pytest.mark.needs("pinocchio")

QUANTITIES = ("mass_matrix", "gravity", "bias", "passive_force")


def same_numbers(a: Robot, b: Robot) -> None:
    assert [x.name for x in a.q] == [x.name for x in b.q]
    q, v = states(a, 4)
    one, two = derive(a), derive(b)
    for what in QUANTITIES:
        x, y = (e.evaluate(what, q=q, v=v) for e in (one, two))
        assert relative(x, y) < 1e-11, what
    for body in a.bodies:
        x, y = (e.evaluate(e.frame(body.name).position(), q=q) for e in (one, two))
        assert abs(x - y).max() < 1e-12


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("mimic", ["free", "follow"])
def test_everything_round_trips(base: str, mimic: str) -> None:
    first = robot_of_urdf(EVERYTHING, base=base, mimic=mimic)
    again = robot_of_urdf(write_urdf(first), mimic=mimic)
    same_numbers(first, again)
    limits = again.limits["j1"]
    assert [float(x) for x in limits.expressions()] == [-1, 2, 3, 10]


@pytest.mark.parametrize("end", ["panda.urdf", "solo12.urdf", "talos_left_arm.urdf", "iris.urdf"])
def test_files_round_trip(end: str) -> None:
    first = load(file(f"/{end}"))
    same_numbers(first, robot_of_urdf(write_urdf(first)))


def test_a_symbolic_robot_is_written_in_its_values() -> None:
    arm = load("rr_arm")
    arm = arm.with_values(**{n: x or Fraction(1, 2) for n, x in arm.values.items()})
    again = robot_of_urdf(write_urdf(arm, lossy=True))
    one, two = derive(arm), derive(again)
    q = [[0.3, 0.5]]
    M = [e.evaluate("mass_matrix", q=q) for e in (one, two)]
    assert relative(*M) < 1e-12


def test_planar() -> None:
    r = Robot(
        "p", [Body("a", planar("p", at="1 2 3", rotation="0.1 0.2 0.3"), mass=2, com="1 0 0")]
    )
    same_numbers(r, robot_of_urdf(write_urdf(r)))


def test_what_urdf_cannot_hold_is_an_error_or_a_comment() -> None:
    r = Robot("r", [Body("a", revolute("q1"), mass=1)], gravity="0 -g 0",
              forces=[joint_spring("q1", 3)])  # fmt: skip
    with pytest.raises(ModelError, match=r"cannot represent.*gravity.*JointSpring.*lossy=True"):
        write_urdf(r)
    assert "<!-- not in URDF: the force element" in write_urdf(r, lossy=True)
    bent = Robot("r", [Body("a", custom("q1", position="q1**2 0 0"), mass=1)])
    with pytest.raises(
        ModelError, match=r"cannot represent the Custom joint of body 'a'\. Valid: Revolute"
    ):
        write_urdf(bent)
    with pytest.raises(ModelError, match=r"no value for 'm' of robot 'r'; set one with"):
        write_urdf(Robot("r", [Body("a", revolute("q1"), mass="m")]))
    massless = Body("a", revolute("q1"), inertia=Inertia.about_origin("0 1 0 0 1 0 0 1 0 1"))
    with pytest.raises(ModelError, match="mass of body 'a' must not be 0"):
        write_urdf(Robot("r", [massless]))


def test_names_are_escaped() -> None:
    r = Robot('<"&>', [Body("a & b", revolute('`q"1`'), mass=1)])
    again = robot_of_urdf(write_urdf(r))
    assert (again.name, again.bodies[-1].name, again.q[0].name) == ('<"&>', "a & b", 'q"1')
