"""MJCF, which MuJoCo reads after we have looked at its includes."""

from equamo.robot.formats.mjcf import read_mjcf
from fuzz.documents import documents
from fuzz.edits import edit_xml
from fuzz.reader import Reader, file
from fuzz.robot_identities import check_robot

SEEDS = (
    b"""<mujoco model="p"><worldbody><body name="a"><joint name="q" type="hinge" axis="0 1 0"/>
<geom type="sphere" size="0.1" mass="1"/></body></worldbody></mujoco>""",
    b"""<mujoco model="arm"><compiler angle="radian" autolimits="true"/><include file="more.xml"/>
<option gravity="0 0 -9.81"/><default><joint damping="0.1" armature="0.01"/></default>
<asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
<worldbody><body name="a" pos="0 0 1" quat="1 0 0 0"><joint name="q1" axis="0 1 0" range="-1 1"
 frictionloss="0.1" stiffness="2"/><geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/>
<body name="b" pos="0.3 0 0" euler="0 0 0.2"><joint name="s" type="slide" axis="1 0 0"/>
<inertial pos="0 0 0.1" mass="1" diaginertia="0.1 0.1 0.1"/><geom type="mesh" mesh="m"/>
<body name="c"><joint name="ball" type="ball"/><geom type="box" size="0.1 0.1 0.1"/></body></body></body>
<body name="d"><freejoint name="free"/><geom type="ellipsoid" size="0.1 0.2 0.3"/></body></worldbody>
<actuator><motor joint="q1" gear="10"/></actuator>
<equality><joint joint1="s" joint2="q1" polycoef="0 1 0 0 0"/></equality></mujoco>""",
    b"""<mujoco model="loop"><worldbody><body name="a"><joint name="q1" axis="0 1 0"/><geom type="sphere"
 size="0.1"/></body><body name="b" pos="1 0 0"><joint name="q2" axis="0 1 0"/><geom type="sphere"
 size="0.1"/></body></worldbody><equality><connect body1="a" body2="b" anchor="0.5 0 0"/></equality>
</mujoco>""",
)


def read(data: bytes) -> None:
    file(b"<mujoco><size njmax='10'/></mujoco>", "more.xml")
    check_robot(read_mjcf(file(data, "arm.xml")), data)


READERS = [Reader("mjcf", read, documents(SEEDS, edit_xml), SEEDS, examples=5)]
