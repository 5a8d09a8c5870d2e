"""Wrong arguments of public functions are errors of ours that say what must hold and what was given."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.basics.wording import brief
from equamo.robot.formats.text_file import read_text

ARM = eq.load("rr_arm")
EOM = eq.derive(ARM)
M, G = EOM.mass_matrix, EOM.gravity
BODY = eq.Body("a", eq.revolute("q1"), mass=1)
SYSTEM = eq.LinearSystem([[0, 1], [0, 0]], [[0], [1]], ["x", "v"], ["f"])
SECOND_ORDER = eq.TransferFunction((eq.parse("1"),), (eq.parse("m"), eq.parse("0")), "f", "x")

WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    # a robot
    "home": (lambda: eq.Robot("r", [BODY], home=[1]), "The home of robot 'r' must be a mapping by name"),
    "mode": (lambda: eq.Robot("r", [BODY], mode="stick"), "The mode of robot 'r' must be a mapping"),
    "notation": (lambda: eq.Robot("r", [BODY], notation={"q1": 3}), "The notation of 'q1' in robot 'r'"),
    "constraints": (lambda: eq.Robot("r", [BODY], constraints="dq1 = 0"), "must be a list of equations"),
    "speeds": (lambda: eq.Robot("r", [BODY], speeds=3), 'must be "auto", names such as'),
    "parent": (lambda: eq.Body("b", parent=BODY), "The parent of body 'b' must be the name of a body"),
    "joint name": (lambda: eq.revolute("q1", name=3), "The name of a joint must be text, got 3"),
    "joint without names": (lambda: eq.free([]), "free"),
    "plane": (lambda: eq.planar("p", plane=["xy"]), "planar: plane must be one of"),
    "kind of loop": (lambda: eq.loop("l", "a", joint=[]), "must be given by name"),
    "body of a force": (
        lambda: eq.Robot("r", [BODY], forces=[eq.wrench(["a"], "f 0 0")]), "must be given by name",
    ),
    "parameter": (lambda: eq.Parameter("m", 0.5), "must be an int or a Fraction, got 0.5"),
    "name of a parameter": (lambda: eq.Parameter(3), "The name of a parameter must be non-empty text"),
    "body": (lambda: ARM.body(["fore"]), "a body must be given by name"),
    "columns": (lambda: ARM.columns("hand"), "Unknown body 'hand'"),
    "values": (lambda: ARM.with_values("m1 = 2"), 'such as with_values(m1=0) or with_values({"m1": 0})'),
    "values twice": (lambda: ARM.with_values({"m1": 2}, m1=3), "'m1' must be passed once"),
    "state": (lambda: ARM.with_home([1, 2]), "with_home: values must map names to numbers"),
    "constraint_report": (lambda: eq.constraint_report("arm"), "constraint_report: expected a Robot"),
    "assemble": (lambda: eq.assemble("arm"), "assemble: expected a Robot"),
    # expressions
    "text as a vector": (lambda: eq.Vector("1 0 0"), "entries of a vector or matrix must be a list"),
    "mapping as a matrix": (lambda: eq.Matrix({"x": 1}), "rows of a vector or matrix must be a list"),
    "matrix of one row": (lambda: eq.Matrix([1, 2]), "must be a list, got 1"),
    "names of rows": (lambda: eq.Matrix([[1]], row_names=3), "row names of a vector or matrix"),
    "sum": (lambda: G + 3, "Expected a Vector, got 3"),
    "sum of matrices": (lambda: M + 3, "Expected a Matrix, got 3"),
    "cross": (lambda: G.cross(3), "takes two vectors of 3 entries, got 2 and 3"),
    "product": (lambda: M @ [1, 2], "must be multiplied by a Matrix or a Vector, got [1, 2]"),
    "diff": (lambda: M.diff(3), "The variable of differentiation must be a symbol, got 3"),
    "subs": (lambda: M.subs(["m1", 2]), "subs takes a mapping, such as {'m1': 2}, got ['m1', 2]"),
    "subs of equations": (lambda: EOM.subs("m1"), "subs takes a mapping"),
    "budget": (lambda: M.closed_form("long"), "budget must be a number, got 'long'"),
    "unit": (lambda: eq.prove_zero("x - x", unit="qw"), "unit must be a list of groups of components"),
    "frame": (lambda: EOM.frame("fore").angular_velocity(["x"]), "a body must be given by name"),
    # control
    "drop": (lambda: eq.lqr(SYSTEM, 1, drop=3), "lqr: drop must be a name or a list of names, got 3"),
    "tolerance": (lambda: eq.controllability(SYSTEM, "small"), "must be a number from 0 to 1"),
    "digits": (lambda: SYSTEM.latex(0), "digits must be a whole number ≥ 1, got 0"),
    "deviation": (lambda: eq.linearize(EOM).deviation("up", [0, 0]), "must be lists of 2 and 2 numbers"),
    "values of a function": (lambda: SECOND_ORDER.poles(3), "values must be a mapping {name: number}"),
    # files and pictures
    "code": (lambda: eq.generate(EOM, values=[1]), "generate(): values must map names to numbers"),
    "axes": (lambda: eq.view(ARM, ax="left"), "view(): ax must be axes of matplotlib"),
    "picture": (lambda: eq.view(ARM, save=3), "view(): save must be the path of a picture, got 3"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_wrong_arguments(case: str) -> None:
    call, message = WRONG[case]
    with pytest.raises(eq.EquamoError, match=re.escape(message)):
        call()


@pytest.mark.needs("scipy")
def test_numbers_of_other_types_are_numbers() -> None:
    """Checks must not refuse what works: numbers of NumPy, and 1e6 for 1,000,000."""
    assert M.closed_form(1e6).rows == M.closed_form(10**6).rows  # pyright: ignore[reportArgumentType]
    assert SYSTEM.latex(np.int64(3)) == SYSTEM.latex(3)  # pyright: ignore[reportArgumentType]
    for tolerance in (np.float32(1e-9), Fraction(1, 10**9), 1):
        eq.controllability(SYSTEM, tolerance)  # pyright: ignore[reportArgumentType]


def test_a_mapping_stands_for_keywords() -> None:
    assert ARM.with_values({"m1": 2}).values["m1"] == 2
    assert ARM.with_values({"m1": 2}, m2=3).values["m2"] == 3
    assert ARM.with_home({"q1": 1}).home.q["q1"] == 1


def test_a_body_stands_for_its_name_and_the_reverse() -> None:
    fore = ARM.body("fore")
    assert ARM.columns("fore") == ARM.columns(fore)  # pyright: ignore[reportArgumentType]
    assert ARM.joint_pose(fore) is ARM.joint_pose("fore")  # pyright: ignore[reportArgumentType]


def test_no_address_in_a_message() -> None:
    assert brief(object()) == "an object"
    assert "0x" not in brief(lambda: 0)


def test_the_nearest_public_name_is_suggested() -> None:
    with pytest.raises(AttributeError) as error:
        eq.simulat  # noqa: B018
    assert error.value.name == "simulat"
    assert "simulate" in dir(error.value.obj)


def test_files_that_are_not_text(tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_bytes(b"name = 'a'\nm = '\xff'\n")
    with pytest.raises(eq.FileFormatError, match=r"arm.toml:2: .* UTF-8, got byte 0xff, .*save it"):
        read_text(path)


def test_a_document_type_is_not_a_matter_of_encoding(tmp_path: Path) -> None:
    path = tmp_path / "arm.urdf"
    path.write_text("<!DOCTYPE robot [<!ENTITY a 'b'>]><robot name='a'/>", encoding="utf-8")
    with pytest.raises(eq.FileFormatError) as error:
        eq.load(path)
    assert "not have a document type (entities are not supported)." in str(error.value)
    assert "decoded" not in str(error.value)
    assert ".." not in str(error.value)


@pytest.mark.needs("matplotlib")
def test_axes_have_the_units_of_their_curves() -> None:
    robot = eq.load("rp_arm")
    motion = eq.simulate(eq.derive(robot), duration=0.01)
    labels = [ax.get_ylabel() for ax in motion.plot().axes]
    assert labels[:2] == ["q [rad, m]", "v [rad/s, m/s]"]
    assert labels[3] == "inputs [N m, N]"


def test_numpy_scalars_are_numbers() -> None:
    assert ARM.with_values(m1=np.float64(2)).values["m1"] == 2
    assert M.closed_form(np.int64(100_000)) == M.closed_form()  # pyright: ignore[reportArgumentType]
