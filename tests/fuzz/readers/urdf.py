"""URDF: robots, their shapes and the places of their meshes; also what the referee takes from a file."""

from equamo.errors import ModelError
from equamo.review.referee.description import describe
from equamo.robot.catalog import load, load_bytes
from equamo.robot.formats.urdf import read_urdf
from fuzz.documents import documents
from fuzz.edits import edit_text, edit_xml
from fuzz.reader import Reader, file
from fuzz.robot_identities import check_robot
from mesh_files import URDF as WITH_MESH
from urdf_texts import EVERYTHING

PENDULUM = b"""<robot name="p"><link name="base"/><link name="a"><inertial><mass value="2"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="q" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>"""
SEEDS = (PENDULUM, EVERYTHING.encode(), WITH_MESH.format(name="a.stl", scale="1 1 1").encode())


def read(data: bytes) -> None:
    path = file(data, "arm.urdf")
    robot = read_urdf(path)
    check_robot(robot, data)
    load(path, parameters="symbolic", base="free", mimic="follow", rotation="euler")
    load_bytes(data, meshes=False)
    try:
        describe(robot)
    except ModelError:  # URDF cannot represent it, after all
        return


READERS = [Reader("urdf", read, documents(SEEDS, edit_xml, edit_xml, edit_text), SEEDS)]
