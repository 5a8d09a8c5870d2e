"""Statements that equamo proves, each with an error in the code of either side.

`STATEMENTS` has one row per statement: the robot, an error in the code that makes the left side, and one
in the code that makes the right side. With either of them the statement must not be proved. Where a
statement is that something vanishes, the right side is the code that says what must vanish. An error is a
piece of the source and what replaces it, as in `mutations`; most are wrong factors and signs.

tests/certificate/test_planted_errors.py plants the errors, and demands a row for every line of a
certificate, every kind of function of a program, and every place in the source where something is proved.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from mutations import Mutation


class Row(NamedTuple):
    """Errors in both sides of a statement about a robot of `planted_zoo`."""

    robot: str
    left: Mutation
    right: Mutation


def _row(robot: str, *texts: str) -> Row:
    left, right = Mutation(*texts[:3]), Mutation(*texts[3:])
    return Row(robot, left, right)


# -- lines of a certificate ------------------------------------------------------------------------
_FORMULATIONS = {
    "kane": ("formulations.kane", "T = MS.cross(a) + J @ alpha", "T = MS.cross(a) + J @ alpha * 2"),
    "lagrange": ("formulations.lagrange", "+ MS @ V.cross(w)", "- MS @ V.cross(w)"),
    "projected newton euler": (
        "formulations.projected_newton_euler", "L + N + r_S[k].cross(p)", "L + N + 2 * r_S[k].cross(p)"
    ),
    "gibbs appell": ("formulations.gibbs_appell", "HALF * (m * (a @ a))", "m * (a @ a)"),
    "recursive": ("recursions.newton_euler", "a0 - gravity", "a0 - gravity * 2"),
}  # fmt: skip
_POWER = "certificate.virtual_power"
_PROPERTIES, _DERIVATIVES = "certificate.properties", "certificate.derivatives"
_LOOPS = "certificate.loops"

_CERTIFICATE: dict[str, Row] = {
    **{
        f"{a} = {b}": _row("pendulum", *_FORMULATIONS[a], *_FORMULATIONS[b])
        for a, b in combinations(_FORMULATIONS, 2)
    },
    "boltzmann hamel = recursive": _row(
        "rolling",
        "formulations.boltzmann_hamel", "p = _reduced(robot, p)", "p = [x * 2 for x in _reduced(robot, p)]",
        *_FORMULATIONS["recursive"],
    ),
    "joints: A is a rotation, S v its rate": _row(
        "pendulum",
        "model.joints.revolute", "return about(self.axis, self.q[0])",
        "return about(self.axis, 2 * self.q[0])",
        "model.check", "unskew(A.T @ A_dot)", "unskew(A @ A_dot)",
    ),
    "N keeps unit quaternions": _row(
        "flying",
        "model.joints.spherical", "[w, -z, y]", "[w, z, y]",
        "certificate.kinematics", "2 * x * rates.get(x, ZERO)", "2 * rates.get(x, ZERO)",
    ),
    "N⁺ N = 1": _row(
        "flying",
        "model.joints.free", "quaternion_map(*self.q[3:]) * TWO", "quaternion_map(*self.q[3:])",
        "model.joints.free", "quaternion_map(*self.q[3:]) * HALF", "quaternion_map(*self.q[3:])",
    ),
    "A u = φ̇, Ȧ u: three routes": _row(
        "four_bar",
        "model.closure", "d, z1, z2 = X.point(loop.at) - loop.to_at,",
        "d, z1, z2 = X.point(loop.at) * 2 - loop.to_at,",
        "kinematics.closure", "yield (j, w, v) if step.sign > 0 else (j, -w, -v)", "yield (j, w, v)",
    ),
    "φ = 0 in closed form": _row(
        "closed",
        "model.closure", "d, z1, z2 = X.point(loop.at) - loop.to_at,",
        "d, z1, z2 = X.point(loop.at) * 2 - loop.to_at,",
        "equations.closed_form_loops", "self.formulas[x] = self._near_home(x, e)",
        "self.formulas[x] = self._near_home(x, e * 2)",
    ),
    "N keeps every constraint": _row(
        "rolling",
        "model.speeds", "return list((A @ robot.speed_map.W).entries)",
        "return list((A @ robot.speed_map.W.map(lambda e: [x + 1 for x in e])).entries)",
        "model.speeds", "    A = A.subs(dict(robot.speed_map.dependent))\n    return list(",
        "    A = A.map(lambda e: [x + 1 for x in e])\n    return list(",
    ),
    "N moves dependent coordinates": _row(
        "closed",
        "certificate.kinematics", "(directional([followed[x.name]], rates)[0], rate)",
        "(directional([followed[x.name]], rates)[0] * 2, rate)",
        "certificate.kinematics", "(robot.speed_map.W @ v)", "(robot.speed_map.W @ v) * 2",
    ),
    "Ṁ − 2C skew": _row(
        "pendulum",
        _PROPERTIES, "directional(e, _rates(eom.robot)))\n    S", "directional(e, _rates(eom.robot))) * 2\n    S",
        "equations.coriolis", "(M_dot + (G - G.T)) * HALF", "M_dot + (G - G.T)",
    ),
    "M v̇ + C v + g = inverse dynamics": _row(
        "pendulum", *_FORMULATIONS["kane"], *_FORMULATIONS["recursive"]
    ),
    "w·f = virtual power of each element": _row(
        "pendulum",
        "model.forces.joint_spring", "symbol(self.coordinate) - self.rest", "symbol(self.coordinate) * 2 - self.rest",
        _POWER, "return -(element.stiffness * stretch) * m.along(element.speed)",
        "return -(element.stiffness * stretch * 2) * m.along(element.speed)",
    ),
    "w·B τ = virtual power of actuators": _row(
        "pendulum",
        "kinematics.force_projection", "linear_coefficients(total, robot.inputs)",
        "linear_coefficients(total * 2, robot.inputs)",
        _POWER, "return element.gear * symbol(element.input) * m.along(element.speed)",
        "return 2 * element.gear * symbol(element.input) * m.along(element.speed)",
    ),
    "C v = bias": _row(
        "pendulum",
        "equations.coriolis", "(M_dot + (G - G.T)) * HALF", "M_dot + (G - G.T)",
        "recursions.newton_euler", "A * p + (C - B) * yz", "A * p + (B - C) * yz",
    ),
    "T = ½ v·M v": _row(
        "pendulum",
        "equations.equations", "HALF * (v @ (self.derivation.mass_matrix @ v))", "v @ (self.derivation.mass_matrix @ v)",
        _PROPERTIES, "w @ (I.tensor @ w)) + I.first_moment @", "w @ (I.tensor @ w)) - I.first_moment @",
    ),
    "d/dt (T + U) = v·f": _row(
        "pendulum",
        "formulations.lagrange", "(P * b.inertia.mass + A @ b.inertia.first_moment)", "(P * b.inertia.mass)",
        *_FORMULATIONS["recursive"],
    ),
    "g = Nᵀ ∂U/∂q": _row(
        "pendulum",
        *_FORMULATIONS["recursive"],
        "formulations.lagrange", "(P * b.inertia.mass + A @ b.inertia.first_moment)", "(P * b.inertia.mass)",
    ),
    "linear in the inertial parameters": _row(
        "pendulum", *_FORMULATIONS["recursive"], *_FORMULATIONS["kane"]
    ),
    "∂ID/∂v̇ = M": _row(
        "pendulum",
        "recursions.newton_euler", "xy - r, xz + q", "xy + r, xz + q",
        "recursions.composite_bodies", "I[b.name] @ S, record)", "b.spatial_inertia @ S, record)",
    ),
    "∂g/∂q symmetric": _row(
        "pendulum",
        _DERIVATIVES, "[(u @ along_w, w @ along_u)]", "[(u @ along_w * 2, w @ along_u)]",
        _DERIVATIVES, "[(u @ along_w, w @ along_u)]", "[(u @ along_w, w @ along_u * 2)]",
    ),
    "∂ID/∂v = 2C + [N, N] − ∂f/∂v": _row(
        "pendulum",
        "recursions.newton_euler", "A * p + (C - B) * yz", "A * p + (B - C) * yz",
        "equations.coriolis", "(M_dot + (G - G.T)) * HALF", "M_dot + (G - G.T)",
    ),
    "d/dt ID = differentiated recursion": _row(
        "pendulum",
        *_FORMULATIONS["recursive"],
        "recursions.inverse_dynamics_rate", "s2 + V[j].cross(s1) * 2", "s2 + V[j].cross(s1)",
    ),
    "lock keeps the other equations": _row(
        "pendulum",
        "model.edits", "joint.position.subs(held), joint.rotation.subs(held)",
        "joint.position.subs(held), joint.rotation.subs(held).T",
        *_FORMULATIONS["kane"],
    ),
    "add_mass adds its energy": _row(
        "pendulum",
        "model.edits", "inertia=b.inertia + extra,", "inertia=b.inertia + extra + extra,",
        "certificate.edits", "U = -(tree.gravity @ r) * _MASS", "U = (tree.gravity @ r) * _MASS",
    ),
    "M v̇ + C v + g = all forces at ẋ": _row(
        "pendulum",
        "recursions.factorisation", "H[i][j] = H[i][j] - a * H[k][j]", "H[i][j] = H[i][j] + a * H[k][j]",
        _PROPERTIES, "forces = forces + f\n", "forces = forces + f * 2\n",
    ),
    "M v̇ + C v + g = all forces + Aᵀ λ at ẋ": _row(
        "four_bar",
        "equations.constrained", "list(-(self.A @ free) - self.bias)", "list(-(self.A @ free) + self.bias)",
        _LOOPS, "applied(eom) + space.A.T @ force", "applied(eom) + space.A.T @ force * 2",
    ),
    "constraint forces do no work": _row(
        "four_bar",
        "equations.constrained", "return free + self.response @ force, force",
        "return free * 2 + self.response @ force, force",
        _LOOPS, "return [(v @ left, v @ right)]", "return [(v @ left, v @ right * 2)]",
    ),
    "Nᵀ (M v̇ + C v + g − f) = 0, A N = 0": _row(
        "four_bar",
        "equations.stance", "gravity=Vector(N.T @ whole.gravity, names)",
        "gravity=Vector(N.T @ whole.gravity * 2, names)",
        "equations.constrained", "return free + self.response @ force, force",
        "return free * 2 + self.response @ force, force",
    ),
    "T⁻ − T⁺ = ½ (1 − e²) A v⁻·Λ A v⁻": _row(
        "four_bar",
        "equations.impact", "before - space.correction(w) * (ONE + e)", "before - space.correction(w)",
        "equations.impact", "HALF * (ONE - e * e)", "ONE - e * e",
    ),
    "augmented = minimal": _row(
        "four_bar",
        "equations.constrained", "list(-(self.A @ free) - self.bias)", "list(-(self.A @ free) + self.bias)",
        "kinematics.chosen_speeds", "return self.W_dot @ Vector(self.robot.v)",
        "return self.W_dot @ Vector(self.robot.v) * 2",
    ),
    "kane, chosen speeds = lagrange, multipliers": _row(
        "rolling",
        *_FORMULATIONS["kane"],
        "formulations.lagrange_multipliers", "x = ltdl(whole).solve([*(-bias), *f])",
        "x = ltdl(whole).solve([*bias, *f])",
    ),
    "two cuts of a loop: equal accelerations": _row(
        "four_bar",
        "formulations.lagrange_multipliers", "return Vector(x[m:]), Vector", "return Vector(x[m:]) * 2, Vector",
        "recursions.constrained_dynamics", "rest = [c - dot(y, z)", "rest = [c + dot(y, z)",
    ),
}  # fmt: skip

# -- programs --------------------------------------------------------------------------------------
_FUNCTIONS, _DIFFERENTIALS, _PRODUCTS = "ir.functions", "ir.differentials", "ir.dynamics_products"
_SLOPES = "ir.dynamics_derivatives"
# In the specification: of M v̇ + b + g − passive, of other quantities, of derivatives.
_FORCE = (
    "ir.specification", "return self.eom.mass_matrix @ Vector(vdot) + self._still",
    "return self.eom.mass_matrix @ Vector(vdot) * 2 + self._still",
)  # fmt: skip
_QUANTITY = (
    "ir.specification", "return differences(entries_of(quantity), list(y))",
    "return differences([x * 2 for x in entries_of(quantity)], list(y))",
)  # fmt: skip
_DERIVED_FORCE = (
    "ir.derivative_specification", "return list(eom.mass_matrix @ Vector(eom.vdot) + still)",
    "return list(eom.mass_matrix @ Vector(eom.vdot) + still * 2)",
)  # fmt: skip
_DEFINED = "ir.kinematic_definitions"
_INVERSE = (
    _FUNCTIONS, "tau = inverse_dynamics(tree, tree.v, vdot, tree.gravity, elements=self.passive, names=found)",
    "tau = inverse_dynamics(tree, tree.v, vdot, tree.gravity * 2, elements=self.passive, names=found)",
)  # fmt: skip
_SOLVED_SPECIFICATION = (
    "ir.derivative_specification", "moved = substitute(directional(net, rates), a)",
    "moved = substitute(directional(net, {x: 2 * y for x, y in rates.items()}), a)",
)  # fmt: skip


def _table(name: str, of: str) -> tuple[str, str, str]:
    """A wrong factor in the row of a quantity in the table of functions."""
    return _FUNCTIONS, f"(lambda: {of},)),", f"(lambda: {of} * 2,)),"


_PROGRAMS: dict[str, Row] = {
    "inverse_dynamics": _row("pendulum", *_INVERSE, *_FORCE),
    "mass_matrix": _row(
        "pendulum", _FUNCTIONS, "        M = mass_matrix(self.tree)\n        return M if",
        "        M = mass_matrix(self.tree) * 2\n        return M if", *_QUANTITY,
    ),
    "mass_matrix_factors": _row(
        "pendulum", _FUNCTIONS, "return self.factors().matrix()", "return self.factors().matrix() * 2",
        "ir.specification", "zero.append(total - M[i, j])", "zero.append(total - M[i, j] * 2)",
    ),
    "bias": _row(
        "pendulum", _FUNCTIONS, "return inverse_dynamics(tree, tree.v, still, Vector([0, 0, 0]))",
        "return inverse_dynamics(tree, tree.v, still, Vector([0, 0, 0])) * 2", *_QUANTITY,
    ),
    "gravity": _row(
        "pendulum", _FUNCTIONS, "return inverse_dynamics(tree, still, still, tree.gravity, still_base=True)",
        "return inverse_dynamics(tree, still, still, tree.gravity * 2, still_base=True)", *_QUANTITY,
    ),
    "coriolis_matrix": _row(
        "pendulum", _FUNCTIONS, "(n, n), e.coriolis_matrix()),",
        "(n, n), tuple(lambda way=way: way() * 2 for way in e.coriolis_matrix())),",
        "ir.specification", "*(C + C.T - M_dot)", "*(C + C.T - M_dot * 2)",
    ),
    "forward_dynamics": _row("pendulum", *_INVERSE, *_FORCE),
    "forward_dynamics_inputs": _row("pendulum", *_INVERSE, *_FORCE),
    "state_derivative": _row(
        "pendulum", _FUNCTIONS, "return Vector([*rates(), *way()])",
        "return Vector([*(rates() * 2), *way()])",
        "ir.specification", "return [*differences(list(rates), list(y[:k])), *dynamics]",
        "return [*differences(list(rates * 2), list(y[:k])), *dynamics]",
    ),
    "passive_force": _row(
        "pendulum", *_table("f", "eom.passive_force"),
        "ir.specification", "total = total + self.eom.forces[element.name]",
        "total = total + self.eom.forces[element.name] * 2",
    ),
    "input_matrix": _row(
        "pendulum", *_table("B", "eom.input_matrix"),
        _DEFINED, "total = total + eom.forces[element.name]", "total = total + eom.forces[element.name] * 2",
    ),
    "kinematic_map": _row(
        "flying", *_table("N", "eom.kinematic_map"),
        _DEFINED, "rates = self._motion.rates(self._joint_speeds(self.w))",
        "rates = self._motion.rates(self._joint_speeds(self.w * 2))",
    ),
    "kinetic_energy": _row(
        "pendulum", _FUNCTIONS, "return self.speeds.insert([kinetic_energy(self.tree)])[0]",
        "return self.speeds.insert([kinetic_energy(self.tree)])[0] * 2", *_QUANTITY,
    ),
    "potential_energy": _row(
        "pendulum", *_table("U", "eom.potential_energy"),
        _DEFINED, "total = total + p * b.inertia.mass + A", "total = total + p * b.inertia.mass * 2 + A",
    ),
    "center_of_mass": _row(
        "pendulum", *_table("r", "eom.center_of_mass"),
        _DEFINED, "total = total + p * b.inertia.mass + A", "total = total + p * b.inertia.mass * 2 + A",
    ),
    "constraint_matrix": _row("four_bar", *_table("A", "e.rows.whole"), *_QUANTITY),
    "constraint_bias": _row("four_bar", *_table("c", "e.rows.whole_bias"), *_QUANTITY),
    "closure": _row("four_bar", *_table("phi", "e.eom.closure"), *_QUANTITY),
    "constraint_forces": _row("four_bar", *_INVERSE, *_FORCE),
    "constraint_forces_inputs": _row("four_bar", *_INVERSE, *_FORCE),
    "constraint_inertia": _row(
        "four_bar", _FUNCTIONS, "return self.rows.padded_matrix(self.solver.inertia())",
        "return self.rows.padded_matrix(self.solver.inertia() * 2)",
        "ir.specification", "net, held = self.eom.mass_matrix @ X -", "net, held = self.eom.mass_matrix @ X * 2 -",
    ),
    "pose": _row(
        "pendulum", _FUNCTIONS, "= frame.transform()", "= frame.transform() * 2",
        "certificate.virtual_motion", "p + A @ b.joint.position\n", "p + A @ b.joint.position * 2\n",
    ),
    "jacobian": _row(
        "pendulum", _FUNCTIONS, "= frame.jacobian()", "= frame.jacobian() * 2",
        "certificate.virtual_motion", "unskew(dA @ A.T), Vector(changed[9:])",
        "unskew(dA @ A.T) * 2, Vector(changed[9:])",
    ),
    "jacobian_dot_v": _row(
        "pendulum", _FUNCTIONS, "frame.acceleration().subs(", "(frame.acceleration() * 2).subs(",
        _DEFINED, "list(replace_in(Vector(directional(twist, rates)), self._steps))",
        "list(replace_in(Vector(directional(twist, rates)) * 2, self._steps))",
    ),
    # -- derivatives of the dynamics
    "inverse_dynamics_derivatives": _row(
        "pendulum", _SLOPES, "return by_q, by_v, self.equations.mass_matrix()",
        "return by_q * 2, by_v, self.equations.mass_matrix()", *_DERIVED_FORCE,
    ),
    "forward_dynamics_derivatives": _row(
        "pendulum", _SLOPES, "return by_q, by_v, self.factors.inverse()",
        "return by_q * 2, by_v, self.factors.inverse()", *_SOLVED_SPECIFICATION,
    ),
    "forward_dynamics_inputs_derivatives": _row(
        "pendulum", _SLOPES, "return by_q, by_v, Matrix([[column[i] for column in solved]",
        "return by_q * 2, by_v, Matrix([[column[i] for column in solved]", *_SOLVED_SPECIFICATION,
    ),
    "state_derivative_derivatives": _row(
        "pendulum", _SLOPES, "Matrix([*N.rows, *by_v.rows])", "Matrix([*(N * 2).rows, *by_v.rows])",
        *_SOLVED_SPECIFICATION,
    ),
    "constraint_forces_derivatives": _row(
        "four_bar", _SLOPES, "(rows.padded_rows(X) for X in", "(rows.padded_rows(X * 2) for X in",
        *_SOLVED_SPECIFICATION,
    ),
    "constraint_forces_inputs_derivatives": _row(
        "four_bar", _SLOPES, "(rows.padded_rows(X) for X in", "(rows.padded_rows(X * 2) for X in",
        *_SOLVED_SPECIFICATION,
    ),
    "inverse_dynamics_jvp": _row(
        "pendulum", _PRODUCTS, "return Vector(x.product(self._torque, x.delta))",
        "return Vector(x.product(self._torque, x.delta)) * 2", *_DERIVED_FORCE,
    ),
    "forward_dynamics_jvp": _row(
        "pendulum", _PRODUCTS, "return Vector(d.factors.solve(rest)[: len(self.eom.v)])",
        "return Vector(d.factors.solve(rest)[: len(self.eom.v)]) * 2", *_SOLVED_SPECIFICATION,
    ),
    "forward_dynamics_inputs_jvp": _row(
        "pendulum", _PRODUCTS, "return list(self.eom.input_matrix @ Vector(d.inputs.delta))",
        "return list(self.eom.input_matrix @ Vector(d.inputs.delta) * 2)", *_SOLVED_SPECIFICATION,
    ),
    "state_derivative_jvp": _row(
        "pendulum", _PRODUCTS, "return Vector([*x.product(rates, x.delta), *",
        "return Vector([*x.product([2 * y for y in rates], x.delta), *", *_SOLVED_SPECIFICATION,
    ),
    "inverse_dynamics_vjp": _row(
        "pendulum", _PRODUCTS, "return x.split(x.gradient(self._power))",
        "return x.split(x.gradient(self._power * 2))", *_DERIVED_FORCE,
    ),
    "forward_dynamics_vjp": _row(
        "pendulum", _PRODUCTS, "slopes = x.gradient(-dot(mu,", "slopes = x.gradient(-2 * dot(mu,",
        "ir.derivative_specification", "scalar = total + dot(mu,", "scalar = total + 2 * dot(mu,",
    ),
    "forward_dynamics_inputs_vjp": _row(
        "pendulum", _PRODUCTS, "slopes = x.gradient(-dot(mu,", "slopes = x.gradient(-2 * dot(mu,",
        "ir.derivative_specification", "scalar = total + dot(mu,", "scalar = total + 2 * dot(mu,",
    ),
    "state_derivative_vjp": _row(
        "flying", _PRODUCTS, "return by_q + more_q, by_v + more_v,", "return by_q + more_q * 2, by_v + more_v,",
        "ir.derivative_specification", "total - dot(lam[:k], kinematic)", "total - 2 * dot(lam[:k], kinematic)",
    ),
    "inverse_dynamics_hessian": _row(
        "pendulum", _PRODUCTS, "return Matrix(H)", "return Matrix(H) * 2", *_DERIVED_FORCE
    ),
    "inverse_dynamics_hvp": _row(
        "pendulum", _PRODUCTS, "found = x.gradient(x.product([f], x.delta)[0])",
        "found = x.gradient(x.product([f], x.delta)[0] * 2)", *_DERIVED_FORCE,
    ),
    "inverse_dynamics_rate": _row(
        "pendulum", "ir.inertial_derivatives", "return Vector(directional(tau, time_rates(eom)))",
        "return Vector(directional(tau, time_rates(eom))) * 2",
        "recursions.inverse_dynamics_rate", "s2 + V[j].cross(s1) * 2", "s2 + V[j].cross(s1)",
    ),
    "mass_matrix_product_derivatives": _row(
        "pendulum", "ir.inertial_derivatives", "return Matrix(directional_columns(", "return 2 * Matrix(directional_columns(",
        "ir.inertial_derivatives", "return slopes(eom.robot, wrt,", "return 2 * slopes(eom.robot, wrt,",
    ),
    "pose_derivatives": _row(
        "pendulum", "ir.frame_derivatives", "return Matrix(directional_columns(entries, seeds), None",
        "return 2 * Matrix(directional_columns(entries, seeds), None",
        "ir.frame_derivatives", "return slopes(eom.robot, wrt,", "return 2 * slopes(eom.robot, wrt,",
    ),
    "jacobian_derivatives": _row(
        "pendulum", "ir.frame_derivatives", "return Matrix(directional_columns(entries, seeds), None",
        "return 2 * Matrix(directional_columns(entries, seeds), None",
        "certificate.virtual_motion", "unskew(dA @ A.T), Vector(changed[9:])",
        "unskew(dA @ A.T) * 2, Vector(changed[9:])",
    ),
    # -- made of any function
    "gravity_by_m1": _row(
        "pendulum", "ir.parameter_derivatives", "found.append(Matrix(rows))", "found.append(Matrix(rows) * 2)",
        "ir.differential_specification", "total = total + s * dot(weights, column)",
        "total = total + 2 * s * dot(weights, column)",
    ),
    "forward_dynamics_by_m1": _row(
        "pendulum", "ir.parameter_derivatives", "[[-x for x in d.factors.solve(", "[[-2 * x for x in d.factors.solve(",
        *_SOLVED_SPECIFICATION,
    ),
    "gravity_pushforward": _row(
        "flying", _DIFFERENTIALS, "moved = directional(entries, seeds)", "moved = [2 * x for x in directional(entries, seeds)]",
        "ir.differential_specification", "dot(lam, outputs) - _backwards(", "dot(lam, outputs) - 2 * _backwards(",
    ),
    "mass_matrix_pushforward_all": _row(
        "pendulum", _DIFFERENTIALS, "moved = directional(entries, seeds)", "moved = [2 * x for x in directional(entries, seeds)]",
        "ir.differential_specification", "dot(lam, outputs) - _backwards(", "dot(lam, outputs) - 2 * _backwards(",
    ),
    "gravity_pullback": _row(
        "flying", _DIFFERENTIALS, "along = -dot(x, [found[s] for s in x])", "along = -2 * dot(x, [found[s] for s in x])",
        "ir.differential_specification", "- dot(lam, moved)", "- 2 * dot(lam, moved)",
    ),
    "gravity_pullback_pushforward": _row(
        "flying", _DIFFERENTIALS, "moved[i] = moved[i] + w * along * y", "moved[i] = moved[i] + 2 * w * along * y",
        "ir.differential_specification", "length_of[i] ** w * e", "length_of[i] ** (2 * w) * e",
    ),
    "mass_matrix_pullback_all": _row(
        "pendulum", _DIFFERENTIALS, "slopes = pullback(zip(entries, lam, strict=True), symbols)",
        "slopes = [2 * x for x in pullback(zip(entries, lam, strict=True), symbols)]",
        "ir.differential_specification", "- dot(lam, moved)", "- 2 * dot(lam, moved)",
    ),
    "forward_dynamics_pushforward": _row(
        "pendulum", _DIFFERENTIALS, "found = [-x for x in d.factors.solve(moved)]",
        "found = [-2 * x for x in d.factors.solve(moved)]", *_SOLVED_SPECIFICATION,
    ),
    "forward_dynamics_pullback": _row(
        "pendulum", _DIFFERENTIALS, "at = substitute(d.solved(slopes, self._by_inputs), known)",
        "at = [2 * x for x in substitute(d.solved(slopes, self._by_inputs), known)]",
        "ir.derivative_specification", "scalar = total + dot(mu,", "scalar = total + 2 * dot(mu,",
    ),
    "mass_matrix_packed": _row(
        "pendulum", "ir.packing", "Vector([entries_of(x)[k] for k in places])",
        "Vector([entries_of(x)[k] for k in places]) * 2",
        "ir.packing", "dense[j * columns + i] = x", "dense[j * columns + i] = x * 2",
    ),
    "own": _row(
        "pendulum", "ir.expressions", "return tuple(self.outputs.values())",
        "return tuple(x * 2 for x in self.outputs.values())",
        "ir.expressions", "return tuple(self.outputs[y.name] for y in self.results)",
        "return tuple(self.outputs[y.name] * 2 for y in self.results)",
    ),
    # -- for CasADi
    "sensitivities": _row(
        "flying", "ir.sensitivities", "return tuple(x.subs(self.unit) for x in values)",
        "return tuple(x.subs(self.unit) * 2 for x in values)",
        "ir.sensitivity_specification", "x: x / sqrt(sum(", "x: 2 * x / sqrt(sum(",
    ),
    "jac_sensitivities": _row(
        "flying", "ir.sensitivities", "found = d.jacobian()", "found = [[2 * e for e in row] for row in d.jacobian()]",
        "ir.sensitivity_specification", "zero += [x - moved[start + k]", "zero += [x - 2 * moved[start + k]",
    ),
    "adj1_sensitivities": _row(
        "flying", "ir.sensitivities", "column = [[e] for e in", "column = [[2 * e] for e in",
        "ir.sensitivity_specification", 'rate = dot(self._seeds("adj_"), moved)', 'rate = 2 * dot(self._seeds("adj_"), moved)',
    ),
    "jac_adj1_sensitivities": _row(
        "flying", "ir.sensitivities", "found[i][j] = found[i][j] / self.length[x]", "found[i][j] = found[i][j] * self.length[x]",
        "ir.sensitivity_specification", "total = -self._along([rate], epsilon)[0]", "total = -2 * self._along([rate], epsilon)[0]",
    ),
}  # fmt: skip

# By coordinates, on a robot with a unit quaternion.
_BY_COORDINATES = tuple(
    n for n in _PROGRAMS if n.endswith(("_derivatives", "_jvp", "_vjp", "_hessian", "_hvp"))
)
_PROGRAMS |= {
    f"{n}_coordinates": _PROGRAMS[n]._replace(robot="flying")
    for n in _BY_COORDINATES
    if not n.startswith("constraint_forces")
}
_PROGRAMS |= {
    f"{n}_coordinates": _PROGRAMS[n] for n in _BY_COORDINATES if n.startswith("constraint_forces")
}

# -- elements of the line "w·f = virtual power of each element", one by one ------------------------------
_ELEMENTS: dict[str, Row] = {
    "JointActuator": _row(
        "forces", "model.forces.joint_actuator", "self.gear * symbol(self.input)", "symbol(self.input) * 2",
        _POWER, "return element.gear * symbol(element.input)", "return 2 * element.gear * symbol(element.input)",
    ),
    "JointDamper": _row(
        "forces", "model.forces.joint_damper", "SpeedForce(self.speed, -(self.damping", "SpeedForce(self.speed, (self.damping",
        _POWER, "return -(element.damping * symbol(element.speed)) * m", "return (element.damping * symbol(element.speed)) * m",
    ),
    "JointSpring": _row(
        "forces", "model.forces.joint_spring", "symbol(self.coordinate) - self.rest", "symbol(self.coordinate) + self.rest",
        _POWER, "stretch = symbol(element.coordinate) - element.rest", "stretch = symbol(element.coordinate)",
    ),
    "JointFriction": _row(
        "forces", "model.forces.joint_friction", "return sign(u) if", "return 2 * sign(u) if",
        _POWER, "return -(element.coulomb * direction +", "return -(element.coulomb * direction * 2 +",
    ),
    "RotorInertia": _row(
        "forces", "model.forces.rotor_inertia", "        return ()\n", "        from ..force import SpeedForce; return (SpeedForce(self.speed, self.rotor),)\n",
        _POWER, "    return ZERO  # part of M", "    return element.rotor * m.along(element.speed)  # part of M",
    ),
    "TorqueActuator": _row(
        "forces", "model.forces.torque_actuator", "Torque(self.body, self.torque, self.body)", "Torque(self.body, self.torque * 2, self.body)",
        _POWER, "@ (rotation - reaction)", "@ (rotation + reaction)",
    ),
    "ForceActuator": _row(
        "forces", "model.forces.force_actuator", "self.reaction_point, -self.force, self.body", "self.reaction_point, self.force, self.body",
        _POWER, "@ (moved - reaction)", "@ (moved + reaction)",
    ),
    "Wrench": _row(
        "forces", "model.forces.wrench", "Torque(self.body, self.torque, self.expressed_in)", "Torque(self.body, -self.torque, self.expressed_in)",
        _POWER, "(A @ element.force) @ moved + (A", "(A @ element.force) @ moved * 2 + (A",
    ),
    "Spring": _row(
        "forces", "model.forces.spring", "-(self.stiffness * (ONE - self.rest / line.length))", "-(self.stiffness * (ONE + self.rest / line.length))",
        _POWER, "return -(element.stiffness * relative)", "return -(element.stiffness * relative * 2)",
    ),
    "Damper": _row(
        "forces", "model.forces.damper", "return -(self.damping * (line.stretch / line.length_squared))", "return -(self.damping * line.stretch)",
        _POWER, "return -(element.damping * _stretch(element, m, m.u))", "return -(element.damping * 2 * _stretch(element, m, m.u))",
    ),
    "Cylinder": _row(
        "forces", "model.forces.cylinder", "return symbol(self.input) / line.length", "return -symbol(self.input) / line.length",
        _POWER, "return symbol(element.input) * _stretch", "return 2 * symbol(element.input) * _stretch",
    ),
    "length of two points": _row(
        "forces", "model.force", "return sqrt(self.length_squared)", "return 2 * sqrt(self.length_squared)",
        _POWER, "r, line = _span(element, m), element", "r, line = _span(element, m) * 2, element",
    ),
}  # fmt: skip

# -- statements with functions of their own ----------------------------------------------------------
_LEFT_PAPER = "document.script"
_OTHERS: dict[str, Row] = {
    "compare": _row("pendulum", *_FORMULATIONS["kane"], *_FORMULATIONS["lagrange"]),
    "stored equations": _row(
        "pendulum", "equations.storage", "return Derivation(Matrix(rows[:n]), bias, gravity,",
        "return Derivation(Matrix(rows[:n]), bias, gravity * 2,",
        "equations.storage", "zip(stored.entries, derived.entries, strict=True)", "zip(stored.entries, [2 * x for x in derived.entries], strict=True)",
    ),
    "dissipation": _row(
        "forces", "model.forces.joint_damper", "SpeedForce(self.speed, -(self.damping", "SpeedForce(self.speed, (self.damping",
        "model.forces.joint_damper", "return -(self.damping * symbol(self.speed) ** 2)", "return -(2 * self.damping * symbol(self.speed) ** 2)",
    ),
    "impact": _row(
        "four_bar", "equations.impact", "before - space.correction(w) * (ONE + e)", "before - space.correction(w)",
        "equations.impact", "(after @ (M @ after)) - loss", "(after @ (M @ after)) - loss * 2",
    ),
    "constraint forces with chosen speeds": _row(
        "rolling", "equations.constraint_forces", "force = G.T @ r", "force = G.T @ r * 2",
        "equations.constraint_forces", "rest = r - A.T @ force -", "rest = r * 2 - A.T @ force -",
    ),
    "dependent coordinates in closed form": _row(
        "closed", "equations.closed_form_loops", "self.formulas[x] = self._near_home(x, e)", "self.formulas[x] = self._near_home(x, e * 2)",
        "model.closure", "d, z1, z2 = X.point(loop.at) - loop.to_at,", "d, z1, z2 = X.point(loop.at) * 2 - loop.to_at,",
    ),
    "regressor": _row(
        "pendulum", "recursions.regressor", "alpha.cross(e) + w_r.cross(w.cross(e))", "alpha.cross(e) - w_r.cross(w.cross(e))",
        *_FORMULATIONS["recursive"],
    ),
    "slotine_li": _row(
        "pendulum", "recursions.regressor", "E @ alpha + w.cross(E @ w_r)", "E @ alpha - w.cross(E @ w_r)",
        "equations.regressor", "eom.mass_matrix @ Vector(self.vdot_r) +", "eom.mass_matrix @ Vector(self.vdot_r) * 2 +",
    ),
    "momentum": _row(
        "pendulum", "recursions.regressor", "columns = [Force(frame, ZERO3, a)]", "columns = [Force(frame, ZERO3, a * 2)]",
        "equations.regressor", "found = eom.mass_matrix @ v", "found = eom.mass_matrix @ v * 2",
    ),
    "energy": _row(
        "pendulum", "recursions.regressor", "*v.cross(w), *tensors", "*w.cross(v), *tensors",
        "equations.regressor", "found = Vector([eom.kinetic_energy, eom.potential_energy])", "found = Vector([eom.kinetic_energy * 2, eom.potential_energy])",
    ),
    "base parameters": _row(
        "pendulum", "equations.base_parameters", "total = total + c * value(other)", "total = total - c * value(other)",
        "equations.base_parameters", "given = Y.matrix @ Vector([", "given = Y.matrix @ Vector([2 * ",
    ),
    "base parameters = inverse dynamics": _row(
        "pendulum", "recursions.regressor", "columns = [Force(frame, ZERO3, a)]", "columns = [Force(frame, ZERO3, a * 2)]",
        *_FORMULATIONS["recursive"],
    ),
    "linearization": _row(
        "rr_arm", "control.symbolic_linearize", "solution = [[F.write(x) for x in row] for row in X]", "solution = [[F.write(x) * 2 for x in row] for row in X]",
        "control.symbolic_linearize", "prove_zero(M @ Matrix(solution) - right)", "prove_zero(M @ Matrix(solution) - right * 2)",
    ),
    "linearization, holding inputs": _row(
        "rr_arm", "control.symbolic_linearize", "u = [field.write(field.read(x)) for x in", "u = [field.write(field.read(x)) + 1 for x in",
        "control.symbolic_linearize", "rest = b - a\n", "rest = b - a + 1\n",
    ),
    "program = expressions": _row(
        "", "ir.expressions", "return tuple(self.outputs.values())", "return tuple(x * 2 for x in self.outputs.values())",
        "ir.expressions", "return tuple(self.outputs[y.name] for y in self.results)", "return tuple(self.outputs[y.name] * 2 for y in self.results)",
    ),
    # -- compiled functions
    "constants rounded once": _row(
        "pendulum", "jit.llvm", "hexadecimal(nearest(x, self.dtype))", "hexadecimal(2 * nearest(x, self.dtype))",
        "jit.certificate", "y = nearest(x, module.dtype)", "y = 2 * nearest(x, module.dtype)",
    ),
    "LLVM IR = program": _row(
        "pendulum", "jit.llvm", 'f"f{op} {T} {self.operand(a)}, {self.operand(b)}"', 'f"f{op} {T} {self.operand(b)}, {self.operand(b)}"',
        "ir.rounding", "return float(x)\n", "return 2 * float(x)\n",
    ),
    "LLVM IR = program, on 4 lanes": _row(
        "pendulum", "jit.llvm", 'f"f{op} {T} {self.operand(a)}, {self.operand(b)}"', 'f"f{op} {T} {self.operand(b)}, {self.operand(b)}"',
        "ir.rounding", "return float(rounded if x > 0 else -rounded)", "return 2 * float(rounded if x > 0 else -rounded)",
    ),
    "GPU: constants rounded once": _row(
        "pendulum", "jit.llvm", "hexadecimal(nearest(x, self.dtype))", "hexadecimal(2 * nearest(x, self.dtype))",
        "jit.certificate", "y = nearest(x, module.dtype)", "y = 2 * nearest(x, module.dtype)",
    ),
    "GPU: LLVM IR = program": _row(
        "pendulum", "jit.cuda.thread", 'y = self._line(f"fmul {T} {a}, {r}")', 'y = self._line(f"fmul {T} {a}, {a}")',
        "ir.rounding", "return float(x)\n", "return 2 * float(x)\n",
    ),
    # -- papers
    "paper: the lines follow": _row(
        "rr_arm", _LEFT_PAPER, "form = closed(value) if form is None else form", "form = closed(value) * 2 if form is None else form",
        _LEFT_PAPER, "claims = differences(inserted(form, meaning), value)", "claims = differences(inserted(form, meaning), value * 2)",
    ),
    "paper: the text is read back": _row(
        "rr_arm", _LEFT_PAPER, "lines = latex_of(form, self.style.short, notation, room, row)", "lines = latex_of(form * 2, self.style.short, notation, room, row)",
        "document.round_trip", "return Evaluation(self._scope).value(source.tree)", "return Evaluation(self._scope).value(source.tree) * 2",
    ),
    "paper: two methods agree": _row("rr_arm", *_FORMULATIONS["kane"], *_FORMULATIONS["lagrange"]),
    # -- files
    **{
        f"text = program: {language}": _row(
            "pendulum", "codegen.targets.target", 'return f"{a}*{b}"', 'return f"{a}*{b}*2.0"',
            *(("codegen.readers.numpy_expression", "values.append(values.pop() * x)", "values.append(values.pop() * x * 2)")
              if language == "numpy"
              else ("codegen.readers.arithmetic", "x = values.pop() * x", "x = values.pop() * x * 2")),
        )
        for language in ("c", "cpp", "numpy", "matlab", "javascript", "casadi")
    },
    "default parameters": _row(
        "pendulum", "codegen.targets.c", "initialiser(self.format_constant(Fraction(x)) for x in defaults)", "initialiser(self.format_constant(2 * Fraction(x)) for x in defaults)",
        "codegen.text_proof", "is_nearest(nearest(x, dtype), Fraction(y), dtype)", "is_nearest(nearest(x, dtype), 2 * Fraction(y), dtype)",
    ),
}  # fmt: skip

LINES, PROGRAMS, ELEMENTS, OTHERS = _CERTIFICATE, _PROGRAMS, _ELEMENTS, _OTHERS
