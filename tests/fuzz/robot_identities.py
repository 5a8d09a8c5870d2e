"""What must hold of every robot that was read, whatever its file looked like."""

from __future__ import annotations

from zlib import crc32

from equamo.algebra.identity import prove_equal
from equamo.errors import EquamoError
from equamo.mechanics.equations import derive
from equamo.robot.formats.toml import parse_robot
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.model import Robot
from equamo.robot.model.storage import robot_from_data, robot_to_data
from fuzz.reader import accepted

LEFT_OUT = {"shapes": []}  # of a model file


def check_robot(robot: Robot, data: bytes) -> None:
    """It can be stored and written, and read again; Kane's equations are Lagrange's."""
    with accepted():
        stored = robot_to_data(robot)
        assert robot_to_data(robot_from_data(stored)) == stored
        assert str(robot)
    try:
        written = write_toml(robot)
    except EquamoError:  # a custom joint, say
        written = ""
    if written:
        with accepted():
            again = robot_to_data(parse_robot(written))
        assert again | LEFT_OUT == stored | LEFT_OUT, written
    if len(robot.bodies) <= 3 and crc32(data) % 8 == 0:  # exact, but not fast
        _check_equations(robot)


def _check_equations(robot: Robot) -> None:
    try:
        kane, lagrange = (derive(robot, by=method) for method in ("kane", "lagrange"))
    except EquamoError:  # speeds that Lagrange's method does not take
        return
    for a, b in ((kane.mass_matrix, lagrange.mass_matrix), (kane.bias, lagrange.bias)):
        proof = prove_equal(a, b, unit=robot.unit_groups, seed=1)
        assert proof.verdict != "refuted", (str(proof), write_toml(robot))
