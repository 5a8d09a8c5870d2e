"""Five formulations, each derived independently. In reading order: derive, equations (the result);
transforms and kinematics (shared), kane, lagrange, projected_newton_euler, gibbs_appell, recursive;
what follows from them: docs/layout.md has the whole order."""

from .body_loads import BodyLoads
from .derive import FORMULATIONS, derive
from .equations import EquationsOfMotion
from .frame import Frame
from .generalized_force import GeneralizedForce

__all__ = [
    "FORMULATIONS", "BodyLoads", "EquationsOfMotion", "Frame", "GeneralizedForce", "derive",
]  # fmt: skip
