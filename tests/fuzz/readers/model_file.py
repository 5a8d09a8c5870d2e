"""Our own model files, TOML."""

from equamo.robot.catalog import load_bytes
from equamo.robot.formats.toml import read_toml
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.library import load
from equamo.robot.model import check
from force_robots import arm, one_of_each
from fuzz.documents import texts
from fuzz.edits import edit_toml
from fuzz.reader import Lazy, Reader, file
from fuzz.robot_identities import check_robot
from studio_requests import PENDULUM


def _seeds() -> list[bytes]:
    robots = [load("rr_arm"), load("four_bar"), load("rolling_disc"), arm(*one_of_each())]
    return [PENDULUM.encode(), *(write_toml(x).encode() for x in robots)]


SEEDS = Lazy(_seeds)


def read(data: bytes) -> None:
    robot = read_toml(file(data, "arm.toml"))
    check_robot(robot, data)
    check(robot)
    load_bytes(data)


READERS = [Reader("model_file", read, texts(SEEDS, edit_toml, edit_toml), SEEDS)]
