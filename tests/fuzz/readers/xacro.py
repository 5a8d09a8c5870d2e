"""xacro, which is a program: only numbers and names of ours are put into it, never other code."""

from equamo.robot.formats.xacro import read_xacro
from fuzz.documents import documents
from fuzz.edits import edit_xml
from fuzz.reader import Reader, file

SEEDS = (
    b"""<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro">
<xacro:property name="length" value="0.4"/>
<xacro:macro name="part" params="name mass:=1"><link name="${name}"><inertial><origin
 xyz="${length / 2} 0 0"/><mass value="${mass}"/>
<inertia ixx="0.1" ixy="0" ixz="0" iyy="0.2" iyz="0" izz="0.2"/></inertial></link></xacro:macro>
<link name="ground"/><xacro:part name="upper" mass="2"/>
<xacro:if value="true"><xacro:part name="fore"/></xacro:if>
<joint name="q1" type="continuous"><parent link="ground"/><child link="upper"/>
<axis xyz="0 0 1"/></joint>
<joint name="q2" type="continuous"><parent link="upper"/><child link="fore"/>
<origin xyz="${length} 0 0"/><axis xyz="0 0 1"/></joint></robot>""",
)


def read(data: bytes) -> None:
    read_xacro(file(data, "arm.xacro"))


READERS = [Reader("xacro", read, documents(SEEDS, edit_xml), SEEDS, examples=4)]
