r"""Transforms: pose of each joint, rotation and position of each body, by products along the tree."""

from __future__ import annotations

from ....mechanics.kinematics.quantity_name import QuantityName
from ....robot.model.body import WORLD
from ..blocks import Block, Section, Text
from ..printed import is_zero
from ..script import Script
from ..style import is_large


def transforms(script: Script) -> Section:
    """Poses of the joints, as the model gives them, and of the bodies in frame 0."""
    law, blocks = _joints(script)
    names = [b.name for b in script.robot.bodies if script.recorded(QuantityName("A", b.name))]
    return Section("Transforms", (*blocks, *_bodies(script, names, law)))


def transforms_of_model(script: Script) -> Section:
    """Poses of the joints, for a method that needs no more."""
    return Section("Transforms", tuple(_joints(script)[1]))


def _joints(script: Script) -> tuple[int, list[Block | Section]]:
    robot, style = script.robot, script.style
    law = script.law(
        r"\boldsymbol{T}_{ij}",
        r"\begin{bmatrix} \boldsymbol{A}_{ij} & \boldsymbol{P}_{ij} \\ \boldsymbol{0} & 1 \end{bmatrix}",
    )
    blocks: list[Block | Section] = [
        Text(
            r"The homogeneous transform $\boldsymbol{T}_{ij}$ consists of the rotation "
            r"$\boldsymbol{A}_{ij}$ and "
            r"the origin $\boldsymbol{P}_{ij}$ of frame $j$ in the frame of its parent $i$: "
            r"$\boldsymbol{A}_{ij}$ maps components in frame $j$ to components in frame $i$."
        ),
        law,
    ]
    for b in robot.bodies:
        name = QuantityName("T_joint", b.name)
        left = rf"\boldsymbol{{T}}_{{{style.body(b.parent)},{style.body(b.name)}}}"
        if script.recorded(name):
            line = script.step(
                name, left=left, cites=(law.number,), standing="definition", how="model"
            )
        else:
            pose = robot.tree.joint_pose(b).homogeneous()
            line = script.line(
                left, pose, follows=(law.number,), standing="definition", how="model"
            )
        blocks.append(line)
    return law.number, blocks


def _bodies(script: Script, names: list[str], law: int) -> list[Block | Section]:
    """A_j and r_j of every body, written out or as the law alone."""
    rule = script.law(
        r"\boldsymbol{A}_{j}", r"\boldsymbol{A}_{i} \boldsymbol{A}_{ij}", follows=(law,)
    )
    place = script.law(
        r"\boldsymbol{r}_{j}",
        r"\boldsymbol{r}_{i} + \boldsymbol{A}_{i} \boldsymbol{P}_{ij}",
        follows=(law,),
    )
    blocks: list[Block | Section] = [
        Text(
            r"Products along the tree give the rotation $\boldsymbol{A}_{j}$ of frame $j$ in "
            r"frame 0 and "
            r"the position $\boldsymbol{r}_{j}$ of its origin, from the base to the tips:"
        ),
        rule,
        place,
    ]
    if is_large(script.robot):
        return blocks
    for name in names:
        b = script.robot.body(name)
        i, j = script.style.body(b.parent), script.style.body(name)
        A, r = QuantityName("A", name), QuantityName("r", name)
        chain = (
            rf"\boldsymbol{{A}}_{{{i}}} \boldsymbol{{A}}_{{{i},{j}}}" if b.parent != WORLD else ""
        )
        blocks.append(script.step(A, chain, cites=(rule.number,)))
        if not is_zero(script.value(r)):
            chain = (
                rf"\boldsymbol{{r}}_{{{i}}} + \boldsymbol{{A}}_{{{i}}} \boldsymbol{{P}}_{{{i},{j}}}"
                if b.parent != WORLD
                else ""
            )
            blocks.append(script.step(r, chain, cites=(place.number,)))
    still = [script.style.body(n) for n in names if is_zero(script.value(QuantityName("r", n)))]
    if still:
        which = ", ".join(rf"$\boldsymbol{{r}}_{{{x}}} = \boldsymbol{{0}}$" for x in still)
        blocks.append(Text(f"The origin of frame 0 does not move: {which}."))
    return blocks
