"""DH tables, standard and modified, in Python and as text."""

import math
import random
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from dh_texts import TABLE
from equamo.algebra.expr import parse
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal
from equamo.errors import EquamoError, FileFormatError, ModelError, UnknownNameError
from equamo.mechanics.certificate import prove
from equamo.mechanics.certificate.dissipation import dissipation
from equamo.mechanics.equations import derive
from equamo.robot.formats.dh import Row, dh_robot
from equamo.robot.formats.dh_symbols import dh_symbols
from equamo.robot.formats.dh_text import parse_dh, read_dh
from equamo.robot.model import Parameter, check
from equamo.robot.model.inertia import Inertia
from equamo.robot.model.rotation import rotation_x
from equamo.robot.model.storage import robot_to_data
from mutated_text import mutated_text
from random_trees import WHOLE_SWEEPS


def transform(convention: str, theta: float, d: float, a: float, alpha: float) -> np.ndarray:
    """A_i as the books have it, in numbers."""
    c, s, ca, sa = math.cos(theta), math.sin(theta), math.cos(alpha), math.sin(alpha)
    Rz = np.array([[c, -s, 0, 0], [s, c, 0, 0], [0, 0, 1, d], [0, 0, 0, 1]])
    Rx = np.array([[1, 0, 0, a], [0, ca, -sa, 0], [0, sa, ca, 0], [0, 0, 0, 1]])
    return Rz @ Rx if convention == "standard" else Rx @ Rz


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_frames_are_those_of_the_table(convention: Any) -> None:
    numbers = [(0.2, 0.3, 0.4, 0.5), (-0.7, 0.0, 0.2, math.pi / 2), (0.3, 0.1, 0.6, -math.pi / 2)]
    rows = [
        Row(f"q1 + {numbers[0][0]}", numbers[0][1], numbers[0][2], numbers[0][3], mass=1),
        Row(numbers[1][0], f"q2 + {numbers[1][1]}", numbers[1][2], numbers[1][3], mass=1),
        Row(f"q3 + {numbers[2][0]}", *numbers[2][1:], mass=1),
    ]
    base = ("0.1 0.2 0.3", "pi/2 0 0")
    robot = dh_robot("arm", rows, convention, base=base, tool=("0 0 0.2", "0 0 pi/2"))
    eom, q = derive(robot), np.array([0.4, -0.3, 0.9])
    T = np.array([[1, 0, 0, 0.1], [0, 0, -1, 0.2], [0, 1, 0, 0.3], [0, 0, 0, 1]])
    for i, (theta, d, a, alpha) in enumerate(numbers, 1):
        moved = (theta, d + q[1]) if i == 2 else (theta + q[i - 1], d)
        T = T @ transform(convention, *moved, a, alpha)
        f = eom.frame(f"link{i}")
        assert np.allclose(eom.evaluate(f.rotation(), q=q), T[:3, :3], atol=1e-14)
        assert np.allclose(eom.evaluate(f.position(), q=q), T[:3, 3], atol=1e-14)
    p = eom.evaluate(eom.frame("tool").position(), q=q)
    assert np.allclose(p, T[:3, 3] + 0.2 * T[:3, 2], atol=1e-14)


def both_conventions() -> tuple[Any, Any]:
    """A spatial arm R P R by both tables, with inertias in the same frames, all symbols.

    Frame i of a modified table is that of the standard one turned by −α_i and moved by −a_i along x:
    α'_i = α_(i−1), a'_i = a_(i−1), so the last length and twist go to the tool.
    """
    entries = [("q1", "d1", "a1", "pi/2"), ("t2", "q2 + o2", "a2", "-pi/2"), ("q3", "d3", "a3", 0)]
    standard: list[Row] = []
    modified: list[Row] = []
    a_before: Any = 0
    alpha_before: Any = 0
    for i, (theta, d, a, alpha) in enumerate(entries, 1):
        ten = [f"{n}{i}" for n in ["m", "MX", "MY", "MZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ"]]
        modified.append(Row(theta, d, a_before, alpha_before, ten=ten, Jm=f"J{i}", G=f"G{i}"))
        # The same body seen from frame i of the standard table, which is Tx(a) Rx(α) further on.
        A = rotation_x(alpha).T
        moved = Inertia.about_origin(ten).moved(A, A @ Vector([f"-{a}", 0, 0]))
        standard.append(Row(theta, d, a, alpha, ten=moved.ten, Jm=f"J{i}", G=f"G{i}"))
        a_before, alpha_before = a, alpha
    return dh_robot("arm", standard), dh_robot("arm", modified, "modified")


def test_both_conventions_give_the_same_equations() -> None:
    a, b = (derive(r) for r in both_conventions())
    for part in ("mass_matrix", "bias", "gravity", "inverse_dynamics"):
        assert prove_equal(getattr(a, part), getattr(b, part)), part
    tip = b.frame("link3").position(at="a3 0 0")
    assert prove_equal(a.frame("link3").position(), tip)


def test_certificates_of_both_conventions() -> None:
    for robot in both_conventions():
        assert prove(robot).ok


def test_no_axis_is_found_by_differentiation() -> None:
    for robot in both_conventions():
        kinds = {type(b.joint).__name__ for b in robot.bodies}
        assert kinds <= {"Revolute", "Prismatic", "Fixed"}


def test_quarter_turns_are_exact() -> None:
    for alpha in ("pi/2", math.pi / 2, -math.pi / 2, np.pi):
        robot = dh_robot("arm", [Row("q1", 0, 1, alpha, mass=1), Row("q2", mass=1)])
        assert all(x.value in (-1, 0, 1) for x in robot.bodies[1].joint.rotation.entries)
    kept = dh_robot("arm", [Row("q1", 0, 1, 1.5708, mass=1)])  # coarser: stays as it is
    assert kept.bodies[1].joint.rotation[1, 1] == parse("cos(1.5708)")
    snapped = dh_robot("arm", [Row("q1", 0, 1, 1.5708, mass=1)], snap=1e-4)
    assert snapped.bodies[1].joint.rotation[1, 1].value == 0


# -- drives ----------------------------------------------------------------------------------------
def test_friction_that_differs_with_the_direction() -> None:
    parameters = [Parameter(n, x, nonnegative=True)
                  for n, x in (("Tp", 1), ("Tm", 2), ("B", 3), ("J", 1))]  # fmt: skip
    row = Row("q1", mass=1, inertia="1 1 1", G=-5, B="B", Tc=("Tp", "-Tm"), Jm="J")
    eom = derive(dh_robot("wheel", [row], parameters=parameters))
    for v, expected in ((2.0, 5 * 1 + 25 * 3 * 2.0), (-2.0, -5 * 2 - 25 * 3 * 2.0), (0.0, 0.0)):
        assert eom.evaluate("inverse_dynamics", v=[v])[0] == pytest.approx(expected)
    assert eom.evaluate("mass_matrix")[0, 0] == pytest.approx(1 + 25 * 1)
    assert dissipation(eom, "friction_q1")
    assert eom.robot.inputs == (parse("tau1"),)


def test_a_symmetric_pair_is_plain_coulomb_friction() -> None:
    robots = [dh_robot("w", [Row("q1", mass=1, Tc=Tc)]) for Tc in ("T", ("T", "-T"))]
    assert robot_to_data(robots[0]) == robot_to_data(robots[1])


def test_friction_that_drives_is_refused() -> None:
    with pytest.raises(ModelError, match=r"must oppose the motion: -Tc- must be ≥ 0, got -2"):
        dh_robot("w", [Row("q1", mass=1, Tc=(1, 2))])


@pytest.mark.parametrize(("row", "message"), [
    (Row("q2"), "Row 1 .*'q1' must appear in theta .*got neither"),
    (Row("q1", "q1"), "got theta and d"),
    (Row("q1", a="q1"), "got theta and a"),
    (Row("-q1"), "theta must be q1 plus an offset, got -q1"),
    (Row("2*q1"), "plus an offset"),
    (Row("q1 +"), "Row 1 .*Column"),
    ({"thta": "q1"}, "Unknown column 'thta'.*Did you mean 'theta'"),
])  # fmt: skip
def test_rows_that_cannot_be(row: Any, message: str) -> None:
    with pytest.raises((ModelError, UnknownNameError), match=message):
        dh_robot("arm", [row])


def test_tables_that_cannot_be() -> None:
    with pytest.raises(UnknownNameError, match="Valid: standard, modified"):
        dh_robot("arm", [Row("q1")], "craig")  # type: ignore[arg-type]
    with pytest.raises(ModelError, match="'arm' must have at least one row, got none"):
        dh_robot("arm", [])


def test_symbols_for_numbers() -> None:
    numbers = [Row("q1", "0.5", 0, "pi/2", mass=2, com="0 0.1 0", inertia="1 2 3", Jm=4, G=9)]
    rows, parameters = dh_symbols(numbers, "a book")
    values = {p.name: p.value for p in parameters}
    assert values == {"d1": parse("1/2").value, "m1": 2, "cy1": parse("0.1").value, "Ixx1": 1,
                      "Iyy1": 2, "Izz1": 3, "Jm1": 4, "G1": 9}  # fmt: skip
    robot, plain = dh_robot("a", rows, parameters=parameters), dh_robot("a", numbers)
    full_rows, full = dh_symbols(numbers, "a book", full=True)
    ten = dh_robot("a", full_rows, parameters=full)
    for r in (robot, ten):
        M = derive(r).evaluate("mass_matrix")
        assert pytest.approx(derive(plain).evaluate("mass_matrix")) == M
    assert len(full) == 10 + 3


# -- text ------------------------------------------------------------------------------------------
def test_a_text_table_is_the_python_table() -> None:
    rows = [
        Row("q1 + pi/2", "d1/1000", 0, "pi/2", mass="m1", com="3/1000 0 0", inertia="1 1 1", Jm="J", G=3,
            Tc=("0.1", "-0.2"), B="0.3", limits=("-pi/2", "pi/2")),
        Row(0, "q2", "L1/1000", "-pi/2", mass="m2", inertia="1 1 I2", limits=(0, "0.3")),
        Row("q3", 0, "0.01", mass=2, inertia="0.1 0.1 0.1", limits=("-pi/180", "pi/180")),
    ]  # fmt: skip
    other = dh_robot(
        "robot", rows, "modified", base=("0 0 h/1000", "0 0 0"), tool=("0 0 0.12", "0 pi/2 0"),
        parameters=[Parameter("L1", 400, "mm")],
    )  # fmt: skip
    assert robot_to_data(parse_dh(TABLE)) == robot_to_data(other)
    assert check(parse_dh(TABLE)).ok


def test_blanks_do_for_columns(tmp_path: Path) -> None:
    path = tmp_path / "rr.dh"
    path.write_text("alpha a d theta\n0 L1 0 q1  # first\n\n0 L2 0 q2\n")
    robot = read_dh(path)
    assert robot.name == "rr"
    assert [x.name for x in robot.q] == ["q1", "q2"]


@pytest.mark.parametrize(("old", "new", "message"), [
    ("angles: deg", "angles: grad", r"Unknown choice of angles 'grad' in t\.dh, line 3.*rad, deg"),
    ("angles:", "angels:", r"Unknown key 'angels' in t\.dh, line 3\. Did you mean 'angles'"),
    ("| mass", "| mas", r"Unknown column 'mas' in t\.dh, line 10\. Did you mean 'mass'"),
    ("| alpha", "| a", "column 'a' occurs twice"),
    ("q1+90 |", "q1+ |", r"t\.dh, line 12, theta: Column 4"),
    ("q1+90 | d1", "q1+90", r"t\.dh, line 12: a row must have 16 cells .*, got 15"),
    ("q1+90", "90", r"t\.dh: Row 1 .*'q1'"),
    ("gravity: 0 0 -g", "gravity: 0 -g", r"t\.dh, line 5: gravity must have 3 quantities, got 2"),
    ("L1: 400 mm", "L1: x", r"t\.dh, line 8: the value of a parameter must be a number, got 'x'"),
    (TABLE, "", "a DH table needs a line with the column names theta, d, a, alpha"),
    (TABLE, "theta d a alpha", "the table must have at least one row, got none"),
    (TABLE, "theta d a", "column 'alpha' is missing"),
    ("angles: deg", "lengths: m", r"line 4: key 'lengths' occurs twice"),
    (TABLE, "theta d a alpha lower\nq1 0 0 0 sqrt(-1)", r"t\.dh: a quantity could not be computed"),
    (TABLE, " " * 1_000_001, r"t\.dh: a DH table must have at most 1,000,000 characters, got"),
])  # fmt: skip
def test_errors_name_the_line(old: str, new: str, message: str) -> None:
    assert old in TABLE
    with pytest.raises((FileFormatError, UnknownNameError), match=message):
        parse_dh(TABLE.replace(old, new, 1), "t.dh")


def _refusal(text: str) -> str:
    """The message of the error; empty if it was read."""
    try:
        parse_dh(text, "t.dh")
    except EquamoError as error:
        return str(error)
    return ""


def test_mutated_tables_are_read_or_refused() -> None:
    outcome: Counter[str] = Counter()
    for seed in range(5000 if WHOLE_SWEEPS else 300):
        message = _refusal(mutated_text(TABLE, random.Random(seed)))
        assert not message or "t.dh" in message, (seed, message)
        outcome["refused" if message else "read"] += 1
    assert min(outcome["read"], outcome["refused"]) > 10, outcome


def test_limits_of_rows_are_limits_of_the_robot() -> None:
    rows = [Row("q1", 0, 1, mass=1, limits=("-pi/2", "pi/2")), Row("q2", 0, 1, mass=1)]
    robot = dh_robot("a", rows)
    assert {n: (str(x.lower), str(x.upper)) for n, x in robot.limits.items()} == {
        "q1": ("-pi/2", "pi/2")
    }
    assert dh_robot("a", rows, limits={"q2": (0, 1)}).limits.keys() == {"q2"}  # the caller's
