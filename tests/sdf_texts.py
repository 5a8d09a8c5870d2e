"""Small SDF files, and Cassie's."""

from __future__ import annotations

import re
from pathlib import Path

import pinocchio as pin

FOLDER = Path(pin.__file__).parents[4] / "share/example-robot-data/robots/cassie_description/robots"
BAR = (
    "<inertial><pose>0.1 0 0 0 0 0</pose><mass>0.5</mass><inertia><ixx>0.001</ixx><ixy>0</ixy>"
    "<ixz>0</ixz><iyy>0.002</iyy><iyz>0</iyz><izz>0.002</izz></inertia></inertial>"
)


def cassie(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")


def model(*parts: str, version: str = "1.7", attributes: str = "") -> str:
    body = "\n".join(parts)
    return f'<sdf version="{version}"><model name="m"{attributes}>\n{body}\n</model></sdf>'


def link(name: str, pose: str = "0 0 0 0 0 0", more: str = BAR) -> str:
    return f'<link name="{name}"><pose>{pose}</pose>{more}</link>'


def joint(name: str, kind: str, parent: str, child: str, axis: str = "", more: str = "") -> str:
    """A joint; `axis` is the direction, or the whole content of <axis>."""
    if axis and not axis.startswith("<"):
        axis = f"<xyz>{axis}</xyz>"
    axis = f"<axis>{axis}</axis>" if axis else ""
    ends = f"<parent>{parent}</parent><child>{child}</child>"
    return f'<joint name="{name}" type="{kind}">{ends}{more}{axis}</joint>'


def four_bar(ends: tuple[str, str] = ("rocker", "coupler")) -> str:
    """Crank and coupler along x, rocker 0.2 m above on the ground; the last joint closes the loop."""
    limit = "<limit><lower>-1.5</lower><upper>1e16</upper></limit>"
    resistance = (
        "<dynamics><damping>0.1</damping><friction>0.2</friction><spring_stiffness>3</spring_stiffness>"
        "<spring_reference>0.5</spring_reference></dynamics>"
    )
    box = "<visual name='v'><geometry><box><size>0.2 0.02 0.02</size></box></geometry></visual>"
    return model(
        link("crank", more=BAR + box),
        link("coupler", "0.2 0 0 0 0 0"),
        link("rocker", "0 0 0.2 0 0 0"),
        joint("j1", "revolute", "world", "crank", f"<xyz>0 1 0</xyz>{limit}{resistance}"),
        joint("j2", "revolute", "crank", "coupler", "0 1 0"),
        joint("j3", "continuous", "rocker", "world", "0 1 0",
              '<pose relative_to="rocker">0 0 0 0 0 0</pose>'),
        joint("j4", "revolute", *ends, "<xyz>0 1 0</xyz><limit><lower>0</lower></limit>",
              '<pose relative_to="rocker">0.2 0 0 0 0 0</pose>'),
        "<self_collide>1</self_collide>",
    )  # fmt: skip


def link_poses(text: str) -> dict[str, list[float]]:
    """Position of each link in the model, by the text of the file."""
    found = re.findall(r"<link name='?\"?([\w-]+)['\"]>\s*<pose>([^<]*)</pose>", text)
    return {n: [float(x) for x in pose.split()[:3]] for n, pose in found}


def link_masses(text: str) -> list[float]:
    return [float(x) for x in re.findall(r"<mass>([^<]*)</mass>", text)]
