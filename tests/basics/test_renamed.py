"""Old names still work, and say what they are called now."""

from functools import partial
from re import findall
from typing import Any

import pytest

import equamo as eq
from equamo.basics.renamed import renamed
from equamo.review.claims import claim
from equamo.robot.formats.toml import parse_robot
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.model.storage import robot_to_data


@renamed(smooth="smoothing", width="smoothing")
def run(q: int, smoothing: int = 0) -> tuple[int, int]:
    """Return the arguments."""
    return q, smoothing


def test_a_new_name_gives_no_warning() -> None:
    assert run(1, smoothing=2) == run(1, 2) == (1, 2)  # warnings are errors here


@pytest.mark.parametrize("old", ["smooth", "width"])
def test_an_old_name_works_and_warns(old: str) -> None:
    with pytest.warns(DeprecationWarning, match=rf"run\(\): '{old}' is now 'smoothing'") as caught:
        assert run(1, **{old: 2}) == (1, 2)
    assert caught[0].filename == __file__  # the caller is told, not the decorator


def test_both_names_are_an_error() -> None:
    with pytest.raises(TypeError, match="'smooth' is the old name of 'smoothing'"):
        run(1, smooth=1, smoothing=2)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    with pytest.warns(match="smooth"), pytest.raises(TypeError, match="multiple"):
        run(1, 2, smooth=1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]


def test_the_function_is_still_itself() -> None:
    assert run.__name__ == "run"
    assert run.__doc__ == "Return the arguments."


ARM = eq.load("rr_arm")
EOM = eq.derive(ARM)
URDF = '<robot name="r"><link name="a"></link></robot>'


def urdf(**options: Any) -> Any:
    from equamo.robot.formats.urdf import robot_of_urdf

    return robot_of_urdf(URDF, base="free", **options).q


OLD_AND_NEW: list[tuple[Any, dict[str, Any], dict[str, Any]]] = [
    (partial(eq.joint_friction, "q1", "Fc"), {"width": "w"}, {"smoothing": "w"}),
    (
        partial(eq.force_actuator, "fore", "upper", "F 0 0"),
        {"reaction_at": "a 0 0"},
        {"to_at": "a 0 0"},
    ),
    (partial(eq.free, "b"), {"angles": "euler"}, {"rotation": "euler"}),
    (partial(eq.spherical, "b"), {"angles": "euler"}, {"rotation": "euler"}),
    (partial(eq.free, "b"), {"rotation": "0 0 a"}, {"orientation": "0 0 a"}),
    (
        partial(eq.spherical, "b"),
        {"angles": "euler", "rotation": "0 0 a"},
        {"rotation": "euler", "orientation": "0 0 a"},
    ),
    (urdf, {"base_rotation": "euler"}, {"rotation": "euler"}),
    *(
        (getattr(EOM.frame("fore"), method), {"point": "com"}, {"at": "com"})
        for method in (
            "position", "velocity", "linear_velocity", "acceleration", "linear_acceleration",
            "jacobian", "linear_jacobian", "jacobian_dot",
        )
    ),
]  # fmt: skip


@pytest.mark.parametrize(("function", "old", "new"), OLD_AND_NEW)
def test_every_renamed_argument(function: Any, old: dict[str, Any], new: dict[str, Any]) -> None:
    with pytest.warns(DeprecationWarning, match="is now") as caught:
        found = function(**old)
    assert {name for w in caught for name in findall(r"'(\w+)' is now", str(w.message))} == set(old)
    assert found == function(**new)  # without a warning: it would be an error
    assert found != function() or "point" not in old
    assert caught[0].filename == __file__


def test_smooth_of_simulate() -> None:
    with pytest.warns(DeprecationWarning, match="'smooth' is now 'smoothing'"):
        old = eq.simulate(EOM, duration=0.1, smooth=0.1)  # type: ignore[call-arg]  # pyright: ignore[reportCallIssue]
    assert (old.q == eq.simulate(EOM, duration=0.1, smoothing=0.1).q).all()


def test_a_word_that_is_no_rotation_is_an_error() -> None:
    for make in (eq.free, eq.spherical):
        with pytest.raises(eq.ModelError, match="rotation must be 'quaternion' or 'euler'"):
            make("b", rotation="eular")  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


FILE = """
equamo = 1
name = "r"
[[bodies]]
name = "a"
mass = 1
com = "1 0 0"
joint = {{ kind = "free", q = "b", {joint} }}
[[bodies]]
name = "c"
parent = "a"
mass = 1
joint = {{ kind = "revolute", q = "q1", rotation = "0 0 p" }}
[[forces]]
kind = "joint_friction"
coordinate = "q1"
coulomb = 1
{width} = 2
[[forces]]
kind = "force_actuator"
body = "c"
reaction_on = "a"
force = "F 0 0"
{reaction_at} = "1 2 3"
"""


def test_old_keys_of_model_files_are_read() -> None:
    new = {"joint": 'rotation = "euler", orientation = "0 0 1"', "width": "smoothing"}
    robot = parse_robot(FILE.format(**new, reaction_at="to_at"))
    old = {"joint": 'angles = "euler", rotation = "0 0 1"', "width": "width"}
    with pytest.warns(DeprecationWarning, match="is now") as caught:
        again = parse_robot(FILE.format(**old, reaction_at="reaction_at"))
    assert robot_to_data(again) == robot_to_data(robot)
    said = {str(w.message).partition(" will")[0] for w in caught}
    assert said == {
        "text, line 8, bodies[1].joint.rotation: 'rotation' is now 'orientation'; the old name",
        "text, line 8, bodies[1].joint.angles: 'angles' is now 'rotation'; the old name",
        "text, line 18, forces[1].width: 'width' is now 'smoothing'; the old name",
        "text, line 24, forces[2].reaction_at: 'reaction_at' is now 'to_at'; the old name",
    }
    both = FILE.format(**new, reaction_at="to_at").replace(
        "smoothing = 2", "smoothing = 2\nwidth = 2"
    )
    with pytest.raises(eq.FileFormatError, match="'width' is the old name of 'smoothing'"):
        parse_robot(both)


def test_old_keys_are_not_written() -> None:
    new = {"joint": 'rotation = "euler", orientation = "0 0 1"', "width": "smoothing"}
    robot = parse_robot(FILE.format(**new, reaction_at="to_at"))
    text = write_toml(robot)
    assert robot_to_data(parse_robot(text)) == robot_to_data(robot)  # without a warning
    for key in ("angles", "width", "reaction_at"):
        assert key not in text


def test_points_of_claims_by_their_old_name() -> None:
    old, new = (
        eq.Claims(
            (claim("x", "eq. 1", f"@position(fore, {key}=com) = @position(fore, {key}=com)"),)
        )
        for key in ("point", "at")
    )
    with pytest.warns(DeprecationWarning, match="'point' is now 'at'"):
        assert eq.audit(old, "rr_arm").ok
    assert eq.audit(new, "rr_arm").ok
