"""Equations of motion, the result of a derivation. In reading order: derive, equations; coriolis,
generalized_force, frame, whole_body, body_loads (quantities); constrained (loops and sticking
contacts), constraint_forces, mobility, closure_values, closure_points, closure_digits,
characteristic_sizes (what counts as small), assembly,
forms, closed_form_loops, planar_loop, loop_terms, loop_state, torque_distribution, reactions; modes,
constraint_space, stance, impact (held contacts); regressor, base_parameters, interpolated_relations,
special_geometries, base_parameters_text; state_reader (reads the states that users pass), replaced,
evaluation, storage (uses of the equations); closed_parts, summary, notation, latex
(printing); configuration_space and rigid_motions (displacements)."""

from .body_loads import BodyLoads
from .derive import FORMULATIONS, derivation, derive
from .equations import EquationsOfMotion
from .frame import Frame
from .generalized_force import GeneralizedForce

__all__ = [
    "FORMULATIONS", "BodyLoads", "EquationsOfMotion", "Frame", "GeneralizedForce",
    "derivation", "derive",
]  # fmt: skip
