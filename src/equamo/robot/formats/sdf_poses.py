"""Poses of the links, joints and frames of an SDF model in the world."""

from __future__ import annotations

from typing import Final, final

from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...errors import UnknownNameError
from ..spatial.frame import WORLD_FRAME, Frame
from ..spatial.pose import Pose
from .rational_rotation import rotation_of_quaternion, unit_vector
from .sdf_elements import SdfAxis, SdfJoint, SdfModel
from .sdf_text import SdfPose
from .urdf_elements import Origin
from .urdf_poses import Quantities, shortened
from .urdf_text import UrdfText

MODEL: Final = "__model__"
WORLD: Final = "world"


@final
class Placements:
    """Poses in the world by name, each computed once; exact, or rounded to short numbers."""

    model: SdfModel
    quantities: Quantities

    def __init__(self, model: SdfModel, quantities: Quantities) -> None:
        self.model, self.quantities = model, quantities
        self.text: UrdfText = quantities.text
        self._known = {WORLD: Pose.identity(WORLD_FRAME)}
        self._open: list[str] = []  # names being resolved, to detect cycles

    def __call__(self, name: str, line: int) -> Pose:
        """Pose of a link, joint or frame, "__model__" or "world"."""
        if name not in self._known:
            if name in self._open:
                circle = " → ".join([*self._open[self._open.index(name) :], name])
                raise self.text.error(
                    line, f"poses must not be relative to each other, got {circle}."
                )
            self._open.append(name)
            self._known[name] = self._pose(name, line)
            self._open.pop()
        return self._known[name]

    def _pose(self, name: str, line: int) -> Pose:
        m = self.model
        if name == MODEL:
            return self._placed(name, m.pose, WORLD)
        if name in m.links:
            return self._placed(name, m.links[name].pose, MODEL)
        if name in m.joints:
            return self._placed(name, m.joints[name].pose, m.joints[name].child)
        if name in m.frames:
            return self._placed(name, m.frames[name].pose, m.frames[name].attached_to or MODEL)
        error = UnknownNameError("frame", name, (WORLD, MODEL, *m.links, *m.joints, *m.frames))
        raise self.text.error(line, str(error))

    def _placed(self, name: str, pose: SdfPose, default: str) -> Pose:
        reference = self(pose.relative_to or default, pose.line)
        own = Pose(Frame(name), reference.frame, self._rotation(pose, name), Vector(pose.xyz))
        return shortened(reference @ own)

    def _rotation(self, pose: SdfPose, name: str) -> Matrix:
        if pose.quaternion is not None:
            return rotation_of_quaternion(*pose.quaternion)
        return self.quantities.rotation(Origin(pose.line, pose.xyz, pose.rpy), name)

    def axis(self, joint: SdfJoint, axis: SdfAxis) -> Vector:
        """Direction of an axis in the world, with length exactly 1."""
        if not any(axis.xyz):
            raise self.text.error(axis.line, f"the axis of joint {joint.name!r} must not be 0 0 0; use "
                                  "three numbers such as 0 0 1.")  # fmt: skip
        frame = axis.expressed_in or joint.name
        return self(frame, axis.line).rotation @ unit_vector(axis.xyz, self.quantities.snap)
