"""Rows of `planted_errors` about the lines of a certificate."""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from mutations import Mutation


class Row(NamedTuple):
    """Errors in both sides of a statement about a robot of `planted_zoo`."""

    robot: str
    left: Mutation
    right: Mutation


def row(robot: str, *texts: str) -> Row:
    left, right = Mutation(*texts[:3]), Mutation(*texts[3:])
    return Row(robot, left, right)


FORMULATIONS = {
    "kane": (
        "mechanics.formulations.kane", "T = MS.cross(a) + J @ alpha", "T = MS.cross(a) + J @ alpha * 2",
    ),
    "lagrange": (
        "mechanics.formulations.lagrange", "+ MS @ V.cross(w)", "- MS @ V.cross(w)",
    ),
    "projected newton euler": (
        "mechanics.formulations.projected_newton_euler", "L + N + r_S[k].cross(p)",
        "L + N + 2 * r_S[k].cross(p)",
    ),
    "gibbs appell": (
        "mechanics.formulations.gibbs_appell", "HALF * (m * (a @ a))", "m * (a @ a)",
    ),
    "recursive": (
        "mechanics.recursions.newton_euler", "a0 - gravity", "a0 - gravity * 2",
    ),
}  # fmt: skip
_POWER = "mechanics.certificate.virtual_power"
_PROPERTIES, _DERIVATIVES = "mechanics.certificate.properties", "mechanics.certificate.derivatives"
_LOOPS = "mechanics.certificate.loops"

LINES: dict[str, Row] = {
    **{
        f"{a} = {b}": row("pendulum", *FORMULATIONS[a], *FORMULATIONS[b])
        for a, b in combinations(FORMULATIONS, 2)
    },
    "boltzmann hamel = recursive": row(
        "rolling", "mechanics.formulations.boltzmann_hamel", "p = _reduced(robot, p)",
        "p = [x * 2 for x in _reduced(robot, p)]", *FORMULATIONS["recursive"],
    ),
    "joints: A is a rotation, S v its rate": row(
        "pendulum", "robot.model.joints.revolute", "return about(self.axis, self.q[0])",
        "return about(self.axis, 2 * self.q[0])", "robot.model.check", "unskew(A.T @ A_dot)",
        "unskew(A @ A_dot)",
    ),
    "N keeps unit quaternions": row(
        "flying", "robot.model.joints.spherical", "[w, -z, y]", "[w, z, y]",
        "mechanics.certificate.kinematics",
        "2 * x * rates.get(x, ZERO)", "2 * rates.get(x, ZERO)",
    ),
    "N⁺ N = 1": row(
        "flying", "robot.model.joints.free", "quaternion_map(*self.q[3:]) * TWO",
        "quaternion_map(*self.q[3:])", "robot.model.joints.free", "quaternion_map(*self.q[3:]) * HALF",
        "quaternion_map(*self.q[3:])",
    ),
    "A u = φ̇, Ȧ u: three routes": row(
        "four_bar", "robot.model.closure", "d, z1, z2 = X.point(loop.at) - loop.to_at,",
        "d, z1, z2 = X.point(loop.at) * 2 - loop.to_at,", "mechanics.kinematics.closure",
        "yield (j, w, v) if step.sign > 0 else (j, -w, -v)", "yield (j, w, v)",
    ),
    "φ = 0 in closed form": row(
        "closed", "robot.model.closure", "d, z1, z2 = X.point(loop.at) - loop.to_at,",
        "d, z1, z2 = X.point(loop.at) * 2 - loop.to_at,", "mechanics.equations.closed_form_loops",
        "self.formulas[x] = self._near_home(x, e)", "self.formulas[x] = self._near_home(x, e * 2)",
    ),
    "N keeps every constraint": row(
        "rolling", "robot.model.speeds", "u = speeds.W @ Vector(speeds.v)",
        "u = [x + 1 for x in speeds.W @ Vector(speeds.v)]", "robot.model.speeds",
        "[c.equation for c in speeds.constraints])", "[c.equation + 1 for c in speeds.constraints])",
    ),
    "N gives the chosen speeds": row(
        "rolling", "robot.model.speeds", "[(symbol(n), e) for (n, _), e in",
        "[(symbol(n) * 2, e) for (n, _), e in",
        "robot.model.speeds", "[e for _, e in speeds.kept]", "[e * 2 for _, e in speeds.kept]",
    ),
    "N moves dependent coordinates": row(
        "closed", "mechanics.certificate.kinematics",
        "(directional([followed[x.name]], rates)[0], rate)",
        "(directional([followed[x.name]], rates)[0] * 2, rate)", "mechanics.certificate.kinematics",
        "(robot.speed_map.W @ v)", "(robot.speed_map.W @ v) * 2",
    ),
    "Ṁ − 2C skew": row(
        "pendulum", _PROPERTIES, "directional(e, _rates(eom.robot)))\n    S",
        "directional(e, _rates(eom.robot))) * 2\n    S", "mechanics.equations.coriolis",
        "(M_dot + (G - G.T)) * HALF", "M_dot + (G - G.T)",
    ),
    "M v̇ + C v + g = inverse dynamics": row(
        "pendulum", *FORMULATIONS["kane"], *FORMULATIONS["recursive"],
    ),
    "w·f = virtual power of each element": row(
        "pendulum", "robot.model.forces.joint_spring", "symbol(self.coordinate) - self.rest",
        "symbol(self.coordinate) * 2 - self.rest", _POWER,
        "return -(element.stiffness * stretch) * m.along(element.speed)",
        "return -(element.stiffness * stretch * 2) * m.along(element.speed)",
    ),
    "w·B τ = virtual power of actuators": row(
        "pendulum", "mechanics.kinematics.force_projection", "linear_coefficients(total, robot.inputs)",
        "linear_coefficients(total * 2, robot.inputs)", _POWER,
        "return element.gear * symbol(element.input) * m.along(element.speed)",
        "return 2 * element.gear * symbol(element.input) * m.along(element.speed)",
    ),
    "C v = bias": row(
        "pendulum", "mechanics.equations.coriolis", "(M_dot + (G - G.T)) * HALF", "M_dot + (G - G.T)",
        "mechanics.recursions.newton_euler", "A * p + (C - B) * yz", "A * p + (B - C) * yz",
    ),
    "T = ½ v·M v": row(
        "pendulum", "mechanics.equations.equations", "HALF * (v @ (self.derivation.mass_matrix @ v))",
        "v @ (self.derivation.mass_matrix @ v)", _PROPERTIES, "w @ (I.tensor @ w)) + I.first_moment @",
        "w @ (I.tensor @ w)) - I.first_moment @",
    ),
    "d/dt (T + U) = v·f": row(
        "pendulum", "mechanics.formulations.lagrange",
        "(P * b.inertia.mass + A @ b.inertia.first_moment)",
        "(P * b.inertia.mass)", *FORMULATIONS["recursive"],
    ),
    "g = Nᵀ ∂U/∂q": row(
        "pendulum", *FORMULATIONS["recursive"], "mechanics.formulations.lagrange",
        "(P * b.inertia.mass + A @ b.inertia.first_moment)", "(P * b.inertia.mass)",
    ),
    "linear in the inertial parameters": row(
        "pendulum", *FORMULATIONS["recursive"], *FORMULATIONS["kane"],
    ),
    "∂ID/∂v̇ = M": row(
        "pendulum", "mechanics.recursions.newton_euler", "xy - r, xz + q", "xy + r, xz + q",
        "mechanics.recursions.composite_bodies", "I[b.name] @ S, record)",
        "b.spatial_inertia @ S, record)",
    ),
    "∂g/∂q symmetric": row(
        "pendulum", _DERIVATIVES, "[(u @ along_w, w @ along_u)]", "[(u @ along_w * 2, w @ along_u)]",
        _DERIVATIVES, "[(u @ along_w, w @ along_u)]", "[(u @ along_w, w @ along_u * 2)]",
    ),
    "∂ID/∂v = 2C + [N, N] − ∂f/∂v": row(
        "pendulum", "mechanics.recursions.newton_euler", "A * p + (C - B) * yz", "A * p + (B - C) * yz",
        "mechanics.equations.coriolis", "(M_dot + (G - G.T)) * HALF", "M_dot + (G - G.T)",
    ),
    "d/dt ID = differentiated recursion": row(
        "pendulum", *FORMULATIONS["recursive"], "mechanics.recursions.inverse_dynamics_rate",
        "s2 + V[j].cross(s1) * 2", "s2 + V[j].cross(s1)",
    ),
    "lock keeps the other equations": row(
        "pendulum", "robot.model.edits", "A = joint.rotation.subs(held)",
        "A = joint.rotation.subs(held).T", *FORMULATIONS["kane"],
    ),
    "add_mass adds its energy": row(
        "pendulum", "robot.model.edits", "inertia=b.inertia + extra,",
        "inertia=b.inertia + extra + extra,",
        "mechanics.certificate.edits", "U = -(tree.gravity @ r) * _MASS",
        "U = (tree.gravity @ r) * _MASS",
    ),
    "M v̇ + C v + g = all forces at ẋ": row(
        "pendulum", "mechanics.recursions.factorisation", "H[i][j] = H[i][j] - a * H[k][j]",
        "H[i][j] = H[i][j] + a * H[k][j]", _PROPERTIES, "forces = forces + f\n",
        "forces = forces + f * 2\n",
    ),
    "M v̇ + C v + g = all forces + Aᵀ λ at ẋ": row(
        "four_bar", "mechanics.equations.constrained", "list(-(self.A @ free) - self.bias)",
        "list(-(self.A @ free) + self.bias)", _LOOPS, "applied(eom) + space.A.T @ force",
        "applied(eom) + space.A.T @ force * 2",
    ),
    "constraint forces do no work": row(
        "four_bar", "mechanics.equations.constrained", "return free + self.response @ force, force",
        "return free * 2 + self.response @ force, force", _LOOPS, "return [(v @ left, v @ right)]",
        "return [(v @ left, v @ right * 2)]",
    ),
    "Nᵀ (M v̇ + C v + g − f) = 0, A N = 0": row(
        "four_bar", "mechanics.equations.stance", "gravity=Vector(N.T @ whole.gravity, names)",
        "gravity=Vector(N.T @ whole.gravity * 2, names)", "mechanics.equations.constrained",
        "return free + self.response @ force, force", "return free * 2 + self.response @ force, force",
    ),
    "T⁻ − T⁺ = ½ (1 − e²) A v⁻·Λ A v⁻": row(
        "four_bar", "mechanics.equations.impact", "before - space.correction(w) * (ONE + e)",
        "before - space.correction(w)", "mechanics.equations.impact", "HALF * (ONE - e * e)",
        "ONE - e * e",
    ),
    "augmented = minimal": row(
        "four_bar", "mechanics.equations.constrained", "list(-(self.A @ free) - self.bias)",
        "list(-(self.A @ free) + self.bias)", "mechanics.kinematics.chosen_speeds",
        "return self.W_dot @ Vector(self.robot.v)", "return self.W_dot @ Vector(self.robot.v) * 2",
    ),
    "kane, chosen speeds = lagrange, multipliers": row(
        "rolling", *FORMULATIONS["kane"], "mechanics.formulations.lagrange_multipliers",
        "x = ltdl(whole).solve([*(-bias), *f])", "x = ltdl(whole).solve([*bias, *f])",
    ),
    "two cuts of a loop: equal accelerations": row(
        "four_bar", "mechanics.formulations.lagrange_multipliers", "return Vector(x[m:]), Vector",
        "return Vector(x[m:]) * 2, Vector", "mechanics.recursions.constrained_dynamics",
        "rest = [c - dot(y, z)",
        "rest = [c + dot(y, z)",
    ),
}  # fmt: skip

# Of the line "w·f = virtual power of each element", one by one.
ELEMENTS: dict[str, Row] = {
    "JointActuator": row(
        "forces", "robot.model.forces.joint_actuator", "self.gear * symbol(self.input)",
        "symbol(self.input) * 2", _POWER, "return element.gear * symbol(element.input)",
        "return 2 * element.gear * symbol(element.input)",
    ),
    "JointDamper": row(
        "forces", "robot.model.forces.joint_damper", "SpeedForce(self.speed, -(self.damping",
        "SpeedForce(self.speed, (self.damping", _POWER,
        "return -(element.damping * symbol(element.speed)) * m",
        "return (element.damping * symbol(element.speed)) * m",
    ),
    "JointSpring": row(
        "forces", "robot.model.forces.joint_spring", "symbol(self.coordinate) - self.rest",
        "symbol(self.coordinate) + self.rest", _POWER,
        "stretch = symbol(element.coordinate) - element.rest", "stretch = symbol(element.coordinate)",
    ),
    "JointFriction": row(
        "forces", "robot.model.forces.joint_friction", "return sign(u) if",
        "return 2 * sign(u) if", _POWER,
        "return -(element.coulomb * direction +", "return -(element.coulomb * direction * 2 +",
    ),
    "RotorInertia": row(
        "forces", "robot.model.forces.rotor_inertia", "        return ()\n",
        "        from ..force import SpeedForce; return (SpeedForce(self.speed, self.rotor),)\n",
        _POWER, "    return ZERO  # part of M",
        "    return element.rotor * m.along(element.speed)  # part of M",
    ),
    "TorqueActuator": row(
        "forces", "robot.model.forces.torque_actuator", "Torque(self.body, self.torque, self.body)",
        "Torque(self.body, self.torque * 2, self.body)", _POWER, "@ (rotation - reaction)",
        "@ (rotation + reaction)",
    ),
    "ForceActuator": row(
        "forces", "robot.model.forces.force_actuator", "self.reaction_point, -self.force, self.body",
        "self.reaction_point, self.force, self.body", _POWER, "@ (moved - reaction)",
        "@ (moved + reaction)",
    ),
    "Wrench": row(
        "forces", "robot.model.forces.wrench", "Torque(self.body, self.torque, self.expressed_in)",
        "Torque(self.body, -self.torque, self.expressed_in)", _POWER,
        "(A @ element.force) @ moved + (A", "(A @ element.force) @ moved * 2 + (A",
    ),
    "Spring": row(
        "forces", "robot.model.forces.spring", "-(self.stiffness * (ONE - self.rest / line.length))",
        "-(self.stiffness * (ONE + self.rest / line.length))", _POWER,
        "return -(element.stiffness * relative)", "return -(element.stiffness * relative * 2)",
    ),
    "Damper": row(
        "forces", "robot.model.forces.damper",
        "return -(self.damping * (line.stretch / line.length_squared))",
        "return -(self.damping * line.stretch)", _POWER,
        "return -(element.damping * _stretch(element, m, m.u))",
        "return -(element.damping * 2 * _stretch(element, m, m.u))",
    ),
    "Cylinder": row(
        "forces", "robot.model.forces.cylinder", "return symbol(self.input) / line.length",
        "return -symbol(self.input) / line.length", _POWER, "return symbol(element.input) * _stretch",
        "return 2 * symbol(element.input) * _stretch",
    ),
    "length of two points": row(
        "forces", "robot.model.force", "return sqrt(self.length_squared)",
        "return 2 * sqrt(self.length_squared)", _POWER, "r, line = _span(element, m), element",
        "r, line = _span(element, m) * 2, element",
    ),
}  # fmt: skip
