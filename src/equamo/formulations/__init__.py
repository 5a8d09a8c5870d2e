"""Five formulations, each derived independently. In reading order: derive, equations (the result);
transforms and kinematics (shared), kane, lagrange, projected_newton_euler, gibbs_appell, recursive;
coriolis, frame, whole_body, projection (of forces), evaluation, summary, storage."""

from .derive import FORMULATIONS, derive
from .equations import EquationsOfMotion
from .frame import Frame

__all__ = ["FORMULATIONS", "EquationsOfMotion", "Frame", "derive"]
