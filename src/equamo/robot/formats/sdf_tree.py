"""Choose which joints of an SDF file span the tree of bodies; the others close loops.

The first joint in the file whose child is a link moves that link in the tree. A link that is not
reached in this way is attached by the first joint that connects it to a reached link, from child to
parent if necessary. Every remaining joint closes a loop.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

from ...errors import UnknownNameError
from .sdf_elements import SdfJoint, SdfModel
from .sdf_poses import WORLD
from .urdf_text import UrdfText


@final
@dataclass(frozen=True, slots=True)
class Edge:
    """Joint of the tree: it moves `link` relative to `base`."""

    joint: SdfJoint
    base: str
    link: str

    @property
    def is_reversed(self) -> bool:
        """Whether the joint is reversed: in the file, `link` is its parent."""
        return self.link == self.joint.parent


def spanning_tree(model: SdfModel, text: UrdfText) -> tuple[str, list[Edge], list[SdfJoint]]:
    """Root ("world" or a link), joints of the tree starting at the root, and joints that close loops.

    Raises:
        FileFormatError: There is no link, a joint names an unknown link, or links are not connected.
    """
    if not model.links:
        raise text.error(model.line, f"model {model.name!r} must have at least one link, got none.")
    for joint in model.joints.values():
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in model.links and link != WORLD:
                valid = (*model.links, WORLD)
                error = UnknownNameError(f"{role} link", link, valid, f"joint {joint.name!r}")
                raise text.error(joint.line, str(error))
    root = _root(model, text)
    edges = _edges(model, root)
    reached = {root, *(e.link for e in edges)}
    lost = [n for n in model.links if n not in reached]
    if lost:
        line = model.links[lost[0]].link.line
        raise text.error(line, f"every link must be connected to {root!r} by joints, but {lost[0]!r} is "
                         "not.")  # fmt: skip
    used = {e.joint.name for e in edges}
    return root, edges, [j for j in model.joints.values() if j.name not in used]


def _root(model: SdfModel, text: UrdfText) -> str:
    """The world if a joint is attached to it, the canonical link, or the first that is not a child."""
    if any(WORLD in (j.parent, j.child) for j in model.joints.values()):
        return WORLD
    if model.canonical:
        if model.canonical not in model.links:
            error = UnknownNameError("canonical link", model.canonical, model.links)
            raise text.error(model.line, str(error))
        return model.canonical
    moved = {j.child for j in model.joints.values()}
    return next((n for n in model.links if n not in moved), next(iter(model.links)))


def _edges(model: SdfModel, root: str) -> list[Edge]:
    joints = list(model.joints.values())
    first: dict[str, SdfJoint] = {}
    for joint in joints:
        first.setdefault(joint.child, joint)
    below: dict[str, list[SdfJoint]] = {}
    for child, joint in first.items():
        if child != root:
            below.setdefault(joint.parent, []).append(joint)
    edges: list[Edge] = []
    reached = {root}

    def descend(link: str) -> None:
        """Depth first, siblings in file order."""
        stack = list(reversed(below.get(link, [])))
        while stack:
            joint = stack.pop()
            if joint.child in reached:
                continue
            reached.add(joint.child)
            edges.append(Edge(joint, joint.parent, joint.child))
            stack.extend(reversed(below.get(joint.child, [])))

    descend(root)
    while True:
        bridge = next((j for j in joints if (j.parent in reached) != (j.child in reached)), None)
        if bridge is None:
            return edges
        base, link = bridge.parent, bridge.child
        if base not in reached:
            base, link = link, base
        reached.add(link)
        edges.append(Edge(bridge, base, link))
        descend(link)
