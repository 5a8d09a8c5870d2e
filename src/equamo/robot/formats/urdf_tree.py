"""Order the joints of a URDF file: one root, no loops, depth first, siblings in file order."""

from __future__ import annotations

from ...errors import UnknownNameError
from .urdf_elements import UrdfJoint, UrdfRobot
from .urdf_text import UrdfText


def depth_first(robot: UrdfRobot, text: UrdfText) -> tuple[str, list[UrdfJoint]]:
    """Root link, and the joints in depth-first order.

    Raises:
        FileFormatError: The links do not form a tree; the message gives the line.
    """
    if not robot.links:
        raise text.error(robot.line, f"robot {robot.name!r} must have at least one link, got none.")
    above: dict[str, UrdfJoint] = {}
    below: dict[str, list[UrdfJoint]] = {n: [] for n in robot.links}
    for joint in robot.joints.values():
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in robot.links:
                error = UnknownNameError(f"{role} link", link, robot.links, f"joint {joint.name!r}")
                raise text.error(joint.line, str(error))
        if joint.child in above:
            raise text.error(joint.line, f"link {joint.child!r} must be the child of only one joint, "
                             f"got {above[joint.child].name!r} and {joint.name!r}: loops are not "
                             "supported.")  # fmt: skip
        above[joint.child] = joint
        below[joint.parent].append(joint)
    roots = [n for n in robot.links if n not in above]
    if len(roots) > 1:
        raise text.error(robot.links[roots[1]].line, f"robot {robot.name!r} must have one root link, "
                         f"got {len(roots)}: {', '.join(map(repr, roots[:8]))}; make all but one the "
                         "child of a joint.")  # fmt: skip
    if not roots:
        raise text.error(robot.line, f"robot {robot.name!r} must have a root link, but every link is "
                         "the child of a joint: loops are not supported.")  # fmt: skip
    order: list[UrdfJoint] = []
    stack = list(reversed(below[roots[0]]))
    while stack:
        joint = stack.pop()
        order.append(joint)
        stack.extend(reversed(below[joint.child]))
    if len(order) < len(robot.joints):
        reached = {roots[0], *(j.child for j in order)}
        lost = next(n for n in robot.links if n not in reached)
        raise text.error(robot.links[lost].line, f"link {lost!r} must be connected to the root "
                         f"{roots[0]!r}, but is part of a loop of joints.")  # fmt: skip
    return roots[0], order
