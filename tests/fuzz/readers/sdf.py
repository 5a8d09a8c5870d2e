"""SDF: robots with loops, frames and poses."""

from equamo.robot.catalog import load, load_bytes
from equamo.robot.formats.sdf import robot_of_sdf
from fuzz.documents import documents
from fuzz.edits import edit_text, edit_xml
from fuzz.reader import Reader, file
from fuzz.robot_identities import check_robot

INERTIAL = (
    "<inertial><pose>0.1 0 0 0 0 0</pose><mass>0.5</mass><inertia><ixx>0.001</ixx><ixy>0</ixy>"
    "<ixz>0</ixz><iyy>0.002</iyy><iyz>0</iyz><izz>0.002</izz></inertia></inertial>"
)
PENDULUM = f"""<sdf version="1.7"><model name="m"><link name="a"><pose>0 0 0 0 0 0
</pose>{INERTIAL}</link>
<joint name="j" type="revolute"><parent>world</parent><child>a</child><axis><xyz>0 1 0</xyz>
<limit><lower>-1.5</lower><upper>1e16</upper></limit></axis></joint></model></sdf>"""
FOUR_BAR = f"""<sdf version="1.7"><model name="m"><frame name="f" attached_to="crank"><pose>0 0 1 0 0 0
</pose></frame>
<link name="crank">{INERTIAL}<visual name="v"><geometry><box><size>0.2 0.02 0.02</size></box></geometry>
</visual></link><link name="coupler"><pose relative_to="f">0.2 0 -1 0 0 0</pose>{INERTIAL}</link>
<link name="rocker"><pose>0 0 0.2 0 0 0</pose>{INERTIAL}</link>
<joint name="j1" type="revolute"><parent>world</parent><child>crank</child><axis><xyz>0 1 0</xyz>
<dynamics><damping>0.1</damping><friction>0.2</friction><spring_stiffness>3</spring_stiffness>
<spring_reference>0.5</spring_reference></dynamics></axis></joint>
<joint name="j2" type="ball"><parent>crank</parent><child>coupler</child></joint>
<joint name="j3" type="continuous"><parent>rocker</parent><child>world</child>
<pose relative_to="rocker">0 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz></axis></joint>
<joint name="j4" type="universal"><parent>rocker</parent><child>coupler</child>
<pose relative_to="rocker">0.2 0 0 0 0 0</pose><axis><xyz>0 1 0</xyz></axis>
<axis2><xyz>1 0 0</xyz></axis2></joint><self_collide>1</self_collide></model></sdf>"""
SEEDS = (PENDULUM.encode(), FOUR_BAR.encode())


def read(data: bytes) -> None:
    check_robot(load(file(data, "arm.sdf")), data)
    robot_of_sdf(data, "arm.sdf")
    load_bytes(data, parameters="symbolic", rotation="euler")


READERS = [Reader("sdf", read, documents(SEEDS, edit_xml, edit_xml, edit_text), SEEDS)]
