"""Small URDF texts that the tests share."""

INERTIAL = """<inertial><origin xyz="0.1 -0.2 0.3" rpy="0.3 0.2 -0.1"/><mass value="2"/>
  <inertia ixx="0.11" ixy="0.01" ixz="-0.02" iyy="0.12" iyz="0.005" izz="0.13"/></inertial>"""


def link(name: str, inside: str = INERTIAL) -> str:
    return f'<link name="{name}">{inside}</link>'


def joint(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f"{inside}</joint>\n"
    )


def robot(*parts: str, name: str = "r") -> str:
    return f'<robot name="{name}">\n' + "\n".join(parts) + "\n</robot>"


# Every element that is read, once or more.
EVERYTHING = robot(
    link("base"), link("a"), link("b"), link("c"), link("d"), link("e"), link("f"),
    joint("j1", "revolute", "base", "a", """
      <origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/><axis xyz="1 2 2"/>
      <limit lower="-1" upper="2" effort="10" velocity="3"/>
      <dynamics damping="0.5" friction="0.25"/>"""),
    joint("j2", "continuous", "a", "b", """
      <origin xyz="0 0 0.3" rpy="1.57079632679 0 0"/><axis xyz="0 1 1"/>
      <limit effort="4" velocity="5"/><dynamics damping="0.125"/>"""),
    joint("j3", "prismatic", "b", "c", """
      <origin rpy="0 0 0.7"/><axis xyz="0 0 -1"/>
      <limit lower="0" upper="1" effort="1" velocity="1"/>"""),
    joint("glue", "fixed", "b", "d", '<origin xyz="0.4 0 0" rpy="0 0.5 0"/>'),
    joint("j4", "revolute", "d", "e", """
      <origin xyz="0.5 0.5 0.5"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="1" velocity="1"/>
      <mimic joint="j1" multiplier="-2" offset="0.25"/>"""),
    joint("tip", "fixed", "c", "f", '<origin xyz="0 0 0.1"/>'),
    """<transmission name="t"><joint name="j2"/><actuator name="m">
      <mechanicalReduction>50</mechanicalReduction><rotorInertia>0.0001</rotorInertia></actuator>
      </transmission>""",
)  # fmt: skip
