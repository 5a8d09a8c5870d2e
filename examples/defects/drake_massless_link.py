"""Drake 1.51: a link of mass 0 that has moments of inertia gets a mass of 1 kg, with a warning.

The feet of `bolt.urdf` in example-robot-data are such links: Drake's robot is 2 kg heavier than the file
says. (Such an inertia is physically impossible; a mass of 0 is not.) Needs `pip install drake`.

    python examples/defects/drake_massless_link.py
"""

from __future__ import annotations

from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant

TEXT = """<robot name="foot"><link name="foot"><inertial><mass value="0"/>
<inertia ixx="5.7e-7" ixy="0" ixz="0" iyy="8.4e-7" iyz="0" izz="5.3e-7"/></inertial></link></robot>"""


def mass() -> float:
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModelsFromString(TEXT, "urdf")
    plant.Finalize()
    return float(plant.CalcTotalMass(plant.CreateDefaultContext()))


if __name__ == "__main__":
    print(f"mass in the file: 0 kg, mass in Drake: {mass():g} kg")
