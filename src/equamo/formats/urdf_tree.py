"""The tree of a URDF file: one root, every link once, no loops; depth first, siblings in file order."""

from __future__ import annotations

from ..errors import UnknownNameError
from .urdf_elements import UrdfJoint, UrdfRobot
from .urdf_text import UrdfText


def depth_first(robot: UrdfRobot, text: UrdfText) -> tuple[str, list[UrdfJoint]]:
    """(root link, joints in the order of the tree); errors name the line and the choices."""
    if not robot.links:
        raise text.error(robot.line, f"robot {robot.name!r} has no link.")
    above: dict[str, UrdfJoint] = {}
    below: dict[str, list[UrdfJoint]] = {n: [] for n in robot.links}
    for joint in robot.joints.values():
        for role, link in (("parent", joint.parent), ("child", joint.child)):
            if link not in robot.links:
                error = UnknownNameError(f"{role} link", link, robot.links, f"joint {joint.name!r}")
                raise text.error(joint.line, str(error))
        if joint.child in above:
            raise text.error(joint.line, f"link {joint.child!r} is the child of two joints, "
                             f"{above[joint.child].name!r} and {joint.name!r}: a loop is not a "
                             "tree.")  # fmt: skip
        above[joint.child] = joint
        below[joint.parent].append(joint)
    roots = [n for n in robot.links if n not in above]
    if len(roots) > 1:
        raise text.error(robot.links[roots[1]].line, f"robot {robot.name!r} has {len(roots)} root "
                         f"links, {', '.join(map(repr, roots[:8]))}; all but one need a joint of which "
                         "they are the child.")  # fmt: skip
    if not roots:
        raise text.error(robot.line, f"every link of robot {robot.name!r} is the child of a joint: a "
                         "loop, without a root.")  # fmt: skip
    order: list[UrdfJoint] = []
    waiting = list(reversed(below[roots[0]]))
    while waiting:
        joint = waiting.pop()
        order.append(joint)
        waiting.extend(reversed(below[joint.child]))
    if len(order) < len(robot.joints):
        reached = {roots[0], *(j.child for j in order)}
        lost = next(n for n in robot.links if n not in reached)
        raise text.error(robot.links[lost].line, f"link {lost!r} hangs on a loop of joints that does "
                         f"not lead to the root {roots[0]!r}.")  # fmt: skip
    return roots[0], order
