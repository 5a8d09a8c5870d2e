"""StateSpace: the meaning of each number of a state."""

import ast
from pathlib import Path

import equamo as eq
from equamo.robot.model import StatePart, state_space


def arm() -> eq.Robot:
    joints = eq.revolute("q1"), eq.prismatic("q2", axis="x"), eq.revolute("q3"), eq.revolute("q4")
    return eq.Robot(
        "arm",
        [
            eq.Body(f"b{k}", joint, "m", inertia="1 1 1", parent=f"b{k - 1}" if k else "world")
            for k, joint in enumerate(joints)
        ],
        forces=[
            eq.joint_actuator("q1"),
            eq.joint_actuator("q2", "force", gear=3),
            eq.joint_actuator("q3", "left", name="left"),
            eq.joint_actuator("q3", "right", name="right"),
            eq.wrench("b1", "Fx Fy Fz", "Tx Ty Tz"),
        ],
        parameters={"m": None},
        home={"q2": 0.5, "dq1": -1, "left": 2},
        limits={
            "q1": {"lower": "-pi/2", "speed": 3, "effort": 40},
            "q2": {"upper": 2, "effort": 10},
            "q3": {"effort": 5},
        },
    )


def test_names_home_values_units_and_limits() -> None:
    space = arm().state_space
    assert space.q.names == ("q1", "q2", "q3", "q4")
    assert space.q.units == ("rad", "m", "rad", "rad")
    assert space.vdot.units == ("rad/s^2", "m/s^2", "rad/s^2", "rad/s^2")
    assert space.q.home == (0, 0.5, 0, 0)
    assert space.v.home == (-1, 0, 0, 0)
    assert space.inputs.home == (0, 0, 2, 0)
    assert space.external.size == 6
    lower, upper = space.q.limits[0]
    assert (str(lower), upper) == ("-pi/2", None)
    assert space.q.limits[1:3] == ((None, 2), (None, None))
    assert space.v.limits[:2] == ((-3, 3), (None, None))


def test_an_effort_limit_is_one_of_an_input_only_where_it_drives_the_joint_alone() -> None:
    space = arm().state_space
    found = dict(zip(space.inputs.names, space.inputs.limits, strict=True))
    nothing = (None, None)
    assert found == {"tau1": (-40, 40), "force": nothing, "left": nothing, "right": nothing}


def test_parameters_without_a_value_are_all_named() -> None:
    space = arm().with_values(g=None).state_space
    assert space.missing() == ["m", "g"]
    assert space.missing(["m"]) == ["g"]
    assert space.values.numbers == (None, None)


def test_positions_of_quaternions() -> None:
    bodies = [
        eq.Body("base", eq.free("f"), mass=1, inertia="1 2 2.5"),
        eq.Body("ball", eq.spherical("s"), mass=1, inertia="1 2 2.5", parent="base"),
    ]
    space = eq.Robot("two", bodies, forces=[]).state_space
    assert space.quaternions == [[3, 4, 5, 6], [7, 8, 9, 10]]
    assert space.q.units == ("m", "m", "m", *[""] * 8)
    assert [space.q.home[g[0]] for g in space.quaternions] == [1, 1]


def test_chosen_speeds_have_neither_units_nor_limits() -> None:
    disc = eq.load("rolling_disc").state_space
    assert disc.q.units == ("m", "m", "rad", "rad", "rad")
    assert set(disc.v.units) == {""}
    assert set(disc.v.limits) == {(None, None)}


def test_some_entries_of_a_part() -> None:
    part = arm().state_space.q
    some = part.only([part.symbols[3], part.symbols[1]])
    assert (some.names, some.home, some.units) == (("q4", "q2"), (0, 0.5), ("rad", "m"))
    assert some.limits == ((None, None), (None, 2))
    assert part.only(part.symbols) is part
    assert StatePart.of_zeros("tau", "entry").size == 0


def test_it_is_described_without_numpy() -> None:
    tree = ast.parse(Path(state_space.__file__).read_text(encoding="utf-8"))
    nodes = list(ast.walk(tree))
    modules = [a.name for n in nodes if isinstance(n, ast.Import) for a in n.names]
    modules += [n.module or "" for n in nodes if isinstance(n, ast.ImportFrom)]
    assert "forces.joint_actuator" in modules
    assert not [m for m in modules if m.split(".")[0] == "numpy"]
