"""Five formulations, each derived independently. In reading order: derive, equations (the result);
transforms and kinematics (shared), kane, lagrange, projected_newton_euler, gibbs_appell, recursive;
coriolis, frame, whole_body, projection (of forces), generalized_force,
body_loads, evaluation, summary, storage."""

from .body_loads import BodyLoads
from .derive import FORMULATIONS, derive
from .equations import EquationsOfMotion
from .frame import Frame
from .generalized_force import GeneralizedForce

__all__ = [
    "FORMULATIONS", "BodyLoads", "EquationsOfMotion", "Frame", "GeneralizedForce", "derive",
]  # fmt: skip
