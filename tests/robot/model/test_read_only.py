"""What was checked stays valid: mappings of robots and equations can be copied, but not changed."""

import copy
import pickle
from typing import Any

import pytest

import equamo as eq
from equamo.errors import UnknownNameError
from equamo.robot.model.read_only import ReadOnly
from equamo.robot.model.shape import Shape
from equamo.robot.model.storage import robot_to_data

ROBOT = eq.Robot(
    "r",
    [eq.Body("b", eq.revolute("q", axis="y"), mass="m", com="l 0 0", inertia="0 J 0")],
    forces=[eq.joint_actuator("q"), eq.joint_spring("q", "k")],
    parameters={"m": 1, "l": 2, "J": 3, "k": 4},
    limits={"q": (-1, 1)},
    shapes={"b": [Shape("sphere", eq.Vector([1]))]},
    notation={"q": r"\theta"},
    home={"q": 1},
)
EOM = eq.derive(ROBOT)
MAPPINGS = {
    "parameter_info": ROBOT.parameter_info, "notation": ROBOT.notation, "limits": ROBOT.limits,
    "shapes": ROBOT.shapes, "home.q": ROBOT.home.q, "home.v": ROBOT.home.v,
    "home.inputs": ROBOT.home.inputs, "forces": EOM.forces, "names": EOM.names,
    "derivation.forces": EOM.derivation.forces, "replaced": EOM.subs({"m": 2}).forces,
    "constraint_forces": eq.derive(eq.load("wheeled_inverted_pendulum")).constraint_forces,
}  # fmt: skip


@pytest.mark.parametrize("name", MAPPINGS)
def test_nothing_can_be_put_in_or_taken_out(name: str) -> None:
    table: Any = MAPPINGS[name]
    before = dict(table)
    assert before
    key = next(iter(before))
    with pytest.raises(TypeError):
        table[key] = 1
    with pytest.raises(TypeError):
        del table[key]
    for verb in ("update", "pop", "popitem", "clear", "setdefault", "__ior__"):
        assert not hasattr(table, verb)
    with pytest.raises(AttributeError):
        table._table = {}
    assert dict(table) == before


def test_what_it_was_made_from_may_change() -> None:
    notation = {"q": "a"}
    robot = eq.Robot("r", [eq.Body("b", eq.revolute("q"), mass=1)], notation=notation)
    notation["q"] = "b"
    assert robot.notation == {"q": "a"}


@pytest.mark.parametrize("again", [copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_of_robots_and_equations(again: Any) -> None:
    robot, eom = again(ROBOT), again(EOM)
    assert robot_to_data(robot) == robot_to_data(ROBOT)
    assert eom.mass_matrix == EOM.mass_matrix
    assert dict(eom.forces) == dict(EOM.forces)
    assert eom.forces["spring_q"].energy is EOM.forces["spring_q"].energy
    with pytest.raises(UnknownNameError, match="'zz'"):
        eom.forces["zz"]
    with pytest.raises(TypeError):
        robot.parameter_info["m"] = None


def test_forces_by_name() -> None:
    assert "tau" not in EOM.forces
    assert EOM.forces.get("zz") is None
    assert list(EOM.forces) == ["tau_q", "spring_q"]
    with pytest.raises(UnknownNameError, match=r"force element 'zz'.*tau_q, spring_q"):
        EOM.forces["zz"]


def test_it_is_like_a_dict_to_read() -> None:
    table = ReadOnly({"a": 1, "b": 2})
    assert table == {"a": 1, "b": 2}
    assert table | {"b": 3} == {"a": 1, "b": 3}
    assert {"b": 3, "c": 4} | table == {"b": 2, "c": 4, "a": 1}
    assert {**table} == dict(table)
    assert repr(table) == "{'a': 1, 'b': 2}"
    assert (len(table), list(table), table.get("c", 5), "a" in table) == (2, ["a", "b"], 5, True)
    with pytest.raises(TypeError):
        table | 5  # type: ignore[operator]


def test_equations_are_equal_and_hashed_as_objects() -> None:
    other = eq.derive(ROBOT)
    assert EOM == EOM
    assert other != EOM
    assert {EOM: 1, other: 2}[EOM] == 1
    assert len({EOM, other, EOM}) == 2
