"""Rows of `planted_errors` about programs."""

from __future__ import annotations

from planted_lines import Row, row

_FUNCTIONS, _DIFFERENTIALS, _PRODUCTS = (
    "code.ir.functions",
    "code.ir.differentials",
    "code.ir.dynamics_products",
)
_SLOPES = "code.ir.dynamics_derivatives"
_DEFINED = "code.ir.kinematic_definitions"
# In the specification: of M v̇ + b + g − passive, of other quantities, of derivatives.
_FORCE = (
    "code.ir.specification", "return self.eom.mass_matrix @ Vector(vdot) + self._still",
    "return self.eom.mass_matrix @ Vector(vdot) * 2 + self._still",
)  # fmt: skip
_QUANTITY = (
    "code.ir.specification", "return differences(_entries(quantity), list(y))",
    "return differences([x * 2 for x in _entries(quantity)], list(y))",
)  # fmt: skip
_DERIVED_FORCE = (
    "code.ir.derivative_specification", "return list(eom.mass_matrix @ Vector(eom.vdot) + still)",
    "return list(eom.mass_matrix @ Vector(eom.vdot) + still * 2)",
)  # fmt: skip
_SOLVED_SPECIFICATION = (
    "code.ir.derivative_specification", "moved = substitute(directional(net, rates), a)",
    "moved = substitute(directional(net, {x: 2 * y for x, y in rates.items()}), a)",
)  # fmt: skip
_INVERSE = (
    _FUNCTIONS,
    "tau = inverse_dynamics(tree, tree.v, vdot, tree.gravity, elements=self.passive, names=found)",
    "tau = inverse_dynamics(tree, tree.v, vdot, tree.gravity * 2, elements=self.passive, names=found)",
)  # fmt: skip


def _table(name: str, of: str) -> tuple[str, str, str]:
    """A wrong factor in the row of a quantity in the table of functions."""
    return _FUNCTIONS, f"(lambda: {of},)),", f"(lambda: {of} * 2,)),"


PROGRAMS: dict[str, Row] = {
    "inverse_dynamics": row("pendulum", *_INVERSE, *_FORCE),
    "mass_matrix": row(
        "pendulum", _FUNCTIONS, "        M = mass_matrix(self.tree)\n        return M if",
        "        M = mass_matrix(self.tree) * 2\n        return M if", *_QUANTITY,
    ),
    "mass_matrix_factors": row(
        "pendulum", _FUNCTIONS, "return self.factors().matrix()", "return self.factors().matrix() * 2",
        "code.ir.specification", "zero.append(total - M[i, j])", "zero.append(total - M[i, j] * 2)",
    ),
    "bias": row(
        "pendulum", _FUNCTIONS, "return inverse_dynamics(tree, tree.v, still, Vector([0, 0, 0]))",
        "return inverse_dynamics(tree, tree.v, still, Vector([0, 0, 0])) * 2", *_QUANTITY,
    ),
    "gravity": row(
        "pendulum", _FUNCTIONS,
        "return inverse_dynamics(tree, still, still, tree.gravity, still_base=True)",
        "return inverse_dynamics(tree, still, still, tree.gravity * 2, still_base=True)", *_QUANTITY,
    ),
    "coriolis_matrix": row(
        "pendulum", _FUNCTIONS, "(n, n), e.coriolis_matrix()),",
        "(n, n), tuple(lambda way=way: way() * 2 for way in e.coriolis_matrix())),",
        "code.ir.specification", "*(C + C.T - M_dot)", "*(C + C.T - M_dot * 2)",
    ),
    "forward_dynamics": row("pendulum", *_INVERSE, *_FORCE),
    "forward_dynamics_inputs": row(
        "pendulum", _FUNCTIONS, "return list(self.eom.input_matrix @ Vector(self.eom.inputs))",
        "return list(self.eom.input_matrix @ Vector(self.eom.inputs) * 2)", *_FORCE,
    ),
    "state_derivative": row(
        "pendulum", _FUNCTIONS, "return Vector([*rates(), *way()])",
        "return Vector([*(rates() * 2), *way()])", "code.ir.specification",
        "return [*differences(list(rates), list(y[:k])), *dynamics]",
        "return [*differences(list(rates * 2), list(y[:k])), *dynamics]",
    ),
    "passive_force": row(
        "pendulum", *_table("f", "eom.passive_force"), "code.ir.specification",
        "total = total + self.eom.forces[element.name]",
        "total = total + self.eom.forces[element.name] * 2",
    ),
    "input_matrix": row(
        "pendulum", *_table("B", "eom.input_matrix"), _DEFINED,
        "total = total + eom.forces[element.name]", "total = total + eom.forces[element.name] * 2",
    ),
    "kinematic_map": row(
        "flying", *_table("N", "eom.kinematic_map"), _DEFINED,
        "rates = self._motion.rates(self._joint_speeds(self.w))",
        "rates = self._motion.rates(self._joint_speeds(self.w * 2))",
    ),
    "kinetic_energy": row(
        "pendulum", _FUNCTIONS, "return self.speeds.insert([kinetic_energy(self.tree)])[0]",
        "return self.speeds.insert([kinetic_energy(self.tree)])[0] * 2", *_QUANTITY,
    ),
    "potential_energy": row(
        "pendulum", *_table("U", "eom.potential_energy"), _DEFINED,
        "total = total + p * b.inertia.mass + A", "total = total + p * b.inertia.mass * 2 + A",
    ),
    "center_of_mass": row(
        "pendulum", *_table("r", "eom.center_of_mass"), _DEFINED,
        "total = total + p * b.inertia.mass + A", "total = total + p * b.inertia.mass * 2 + A",
    ),
    "constraint_matrix": row("four_bar", *_table("A", "e.rows.whole"), *_QUANTITY),
    "constraint_bias": row("four_bar", *_table("c", "e.rows.whole_bias"), *_QUANTITY),
    "closure": row("four_bar", *_table("phi", "e.eom.closure"), *_QUANTITY),
    "constraint_forces": row("four_bar", *_INVERSE, *_FORCE),
    "constraint_forces_inputs": row("four_bar", *_INVERSE, *_FORCE),
    "constraint_inertia": row(
        "four_bar", _FUNCTIONS, "return self.rows.padded_matrix(self.solver.inertia())",
        "return self.rows.padded_matrix(self.solver.inertia() * 2)", "code.ir.specification",
        "net, held = self.eom.mass_matrix @ X -", "net, held = self.eom.mass_matrix @ X * 2 -",
    ),
    "pose": row(
        "pendulum", _FUNCTIONS, "= frame.transform()", "= frame.transform() * 2",
        "mechanics.certificate.virtual_motion", "p + A @ b.joint.position\n",
        "p + A @ b.joint.position * 2\n",
    ),
    "jacobian": row(
        "pendulum", _FUNCTIONS, "= frame.jacobian()", "= frame.jacobian() * 2",
        "mechanics.certificate.virtual_motion", "unskew(dA @ A.T), Vector(changed[9:])",
        "unskew(dA @ A.T) * 2, Vector(changed[9:])",
    ),
    "jacobian_dot_v": row(
        "pendulum", _FUNCTIONS, "frame.acceleration().subs(", "(frame.acceleration() * 2).subs(",
        _DEFINED, "list(replace_in(Vector(directional(twist, rates)), self._steps))",
        "list(replace_in(Vector(directional(twist, rates)) * 2, self._steps))",
    ),
    "inverse_dynamics_derivatives": row(
        "pendulum", _SLOPES, "return by_q, by_v, self.equations.mass_matrix()",
        "return by_q * 2, by_v, self.equations.mass_matrix()", *_DERIVED_FORCE,
    ),
    "forward_dynamics_derivatives": row(
        "pendulum", _SLOPES, "return by_q, by_v, self.factors.inverse()",
        "return by_q * 2, by_v, self.factors.inverse()", *_SOLVED_SPECIFICATION,
    ),
    "forward_dynamics_inputs_derivatives": row(
        "pendulum", _SLOPES, "return by_q, by_v, Matrix([[column[i] for column in solved]",
        "return by_q * 2, by_v, Matrix([[column[i] for column in solved]", *_SOLVED_SPECIFICATION,
    ),
    "state_derivative_derivatives": row(
        "pendulum", _SLOPES, "Matrix([*N.rows, *by_v.rows])", "Matrix([*(N * 2).rows, *by_v.rows])",
        *_SOLVED_SPECIFICATION,
    ),
    "constraint_forces_derivatives": row(
        "four_bar", _SLOPES, "(rows.padded_rows(X) for X in", "(rows.padded_rows(X * 2) for X in",
        *_SOLVED_SPECIFICATION,
    ),
    "constraint_forces_inputs_derivatives": row(
        "four_bar", _SLOPES, "(rows.padded_rows(X) for X in", "(rows.padded_rows(X * 2) for X in",
        *_SOLVED_SPECIFICATION,
    ),
    "inverse_dynamics_jvp": row(
        "pendulum", _PRODUCTS, "return Vector(x.product(self._torque, x.delta))",
        "return Vector(x.product(self._torque, x.delta)) * 2", *_DERIVED_FORCE,
    ),
    "forward_dynamics_jvp": row(
        "pendulum", _PRODUCTS, "return Vector(d.factors.solve(rest)[: len(self.eom.v)])",
        "return Vector(d.factors.solve(rest)[: len(self.eom.v)]) * 2", *_SOLVED_SPECIFICATION,
    ),
    "forward_dynamics_inputs_jvp": row(
        "pendulum", _PRODUCTS, "return list(self.eom.input_matrix @ Vector(d.inputs.delta))",
        "return list(self.eom.input_matrix @ Vector(d.inputs.delta) * 2)", *_SOLVED_SPECIFICATION,
    ),
    "state_derivative_jvp": row(
        "pendulum", _PRODUCTS, "return Vector([*x.product(rates, x.delta), *",
        "return Vector([*x.product([2 * y for y in rates], x.delta), *", *_SOLVED_SPECIFICATION,
    ),
    "inverse_dynamics_vjp": row(
        "pendulum", _PRODUCTS, "return x.split(x.gradient(self._power))",
        "return x.split(x.gradient(self._power * 2))", *_DERIVED_FORCE,
    ),
    "forward_dynamics_vjp": row(
        "pendulum", _PRODUCTS, "slopes = x.gradient(-dot(mu,", "slopes = x.gradient(-2 * dot(mu,",
        "code.ir.derivative_specification", "scalar = total + dot(mu,", "scalar = total + 2 * dot(mu,",
    ),
    "forward_dynamics_inputs_vjp": row(
        "pendulum", _PRODUCTS, "slopes = x.gradient(-dot(mu,", "slopes = x.gradient(-2 * dot(mu,",
        "code.ir.derivative_specification", "scalar = total + dot(mu,", "scalar = total + 2 * dot(mu,",
    ),
    "state_derivative_vjp": row(
        "flying", _PRODUCTS, "return by_q + more_q, by_v + more_v,",
        "return by_q + more_q * 2, by_v + more_v,", "code.ir.derivative_specification",
        "total - dot(lam[:k], kinematic)", "total - 2 * dot(lam[:k], kinematic)",
    ),
    "inverse_dynamics_hessian": row(
        "pendulum", _PRODUCTS, "return Matrix(H)", "return Matrix(H) * 2", *_DERIVED_FORCE,
    ),
    "inverse_dynamics_hvp": row(
        "pendulum", _PRODUCTS, "found = x.gradient(x.product([f], x.delta)[0])",
        "found = x.gradient(x.product([f], x.delta)[0] * 2)", *_DERIVED_FORCE,
    ),
    "inverse_dynamics_rate": row(
        "pendulum", "code.ir.inertial_derivatives", "return Vector(directional(tau, time_rates(eom)))",
        "return Vector(directional(tau, time_rates(eom))) * 2",
        "mechanics.recursions.inverse_dynamics_rate",
        "s2 + V[j].cross(s1) * 2", "s2 + V[j].cross(s1)",
    ),
    "mass_matrix_product_derivatives": row(
        "pendulum", "code.ir.inertial_derivatives", "return Matrix(directional_columns(",
        "return 2 * Matrix(directional_columns(", "code.ir.inertial_derivatives",
        "return slopes(eom.robot, wrt,", "return 2 * slopes(eom.robot, wrt,",
    ),
    "pose_derivatives": row(
        "pendulum", "code.ir.frame_derivatives",
        "return Matrix(directional_columns(entries, seeds), None",
        "return 2 * Matrix(directional_columns(entries, seeds), None", "code.ir.frame_derivatives",
        "return slopes(eom.robot, wrt,", "return 2 * slopes(eom.robot, wrt,",
    ),
    "jacobian_derivatives": row(
        "pendulum", "code.ir.frame_derivatives",
        "return Matrix(directional_columns(entries, seeds), None",
        "return 2 * Matrix(directional_columns(entries, seeds), None",
        "mechanics.certificate.virtual_motion",
        "unskew(dA @ A.T), Vector(changed[9:])", "unskew(dA @ A.T) * 2, Vector(changed[9:])",
    ),
    "gravity_by_m1": row(
        "pendulum", "code.ir.parameter_derivatives", "found.append(Matrix(rows))",
        "found.append(Matrix(rows) * 2)", "code.ir.differential_specification",
        "total = total + s * dot(weights, column)", "total = total + 2 * s * dot(weights, column)",
    ),
    "forward_dynamics_by_m1": row(
        "pendulum", "code.ir.parameter_derivatives", "[[-x for x in d.factors.solve(",
        "[[-2 * x for x in d.factors.solve(", *_SOLVED_SPECIFICATION,
    ),
    "gravity_pushforward": row(
        "flying", _DIFFERENTIALS, "moved = directional(entries, seeds)",
        "moved = [2 * x for x in directional(entries, seeds)]", "code.ir.differential_specification",
        "dot(lam, outputs) - _backwards(", "dot(lam, outputs) - 2 * _backwards(",
    ),
    "mass_matrix_pushforward_all": row(
        "pendulum", _DIFFERENTIALS, "moved = directional(entries, seeds)",
        "moved = [2 * x for x in directional(entries, seeds)]", "code.ir.differential_specification",
        "dot(lam, outputs) - _backwards(", "dot(lam, outputs) - 2 * _backwards(",
    ),
    "gravity_pullback": row(
        "flying", _DIFFERENTIALS, "along = -dot(x, [found[s] for s in x])",
        "along = -2 * dot(x, [found[s] for s in x])", "code.ir.differential_specification",
        "- dot(lam, moved)", "- 2 * dot(lam, moved)",
    ),
    "gravity_pullback_pushforward": row(
        "flying", _DIFFERENTIALS, "moved[i] = moved[i] + w * along * y",
        "moved[i] = moved[i] + 2 * w * along * y", "code.ir.differential_specification",
        "length_of[i] ** w * e", "length_of[i] ** (2 * w) * e",
    ),
    "mass_matrix_pullback_all": row(
        "pendulum", _DIFFERENTIALS, "slopes = pullback(zip(entries, lam, strict=True), symbols)",
        "slopes = [2 * x for x in pullback(zip(entries, lam, strict=True), symbols)]",
        "code.ir.differential_specification", "- dot(lam, moved)", "- 2 * dot(lam, moved)",
    ),
    "forward_dynamics_pushforward": row(
        "pendulum", _DIFFERENTIALS, "found = [-x for x in d.factors.solve(moved)]",
        "found = [-2 * x for x in d.factors.solve(moved)]", *_SOLVED_SPECIFICATION,
    ),
    "forward_dynamics_pullback": row(
        "pendulum", _DIFFERENTIALS, "at = substitute(d.solved(slopes, self._by_inputs), known)",
        "at = [2 * x for x in substitute(d.solved(slopes, self._by_inputs), known)]",
        "code.ir.derivative_specification", "scalar = total + dot(mu,", "scalar = total + 2 * dot(mu,",
    ),
    "mass_matrix_packed": row(
        "pendulum", "code.ir.packing", "Vector([entries_of(x)[k] for k in places])",
        "Vector([entries_of(x)[k] for k in places]) * 2", "code.ir.packing",
        "dense[j * columns + i] = x",
        "dense[j * columns + i] = x * 2",
    ),
    "own": row(
        "pendulum", "code.ir.expressions", "return tuple(self.outputs.values())",
        "return tuple(x * 2 for x in self.outputs.values())", "code.ir.expressions",
        "return tuple(self.outputs[y.name] for y in self.results)",
        "return tuple(self.outputs[y.name] * 2 for y in self.results)",
    ),
    "sensitivities": row(
        "flying", "code.ir.sensitivities", "return tuple(x.subs(self.unit) for x in values)",
        "return tuple(x.subs(self.unit) * 2 for x in values)", "code.ir.sensitivity_specification",
        "x: x / sqrt(sum(", "x: 2 * x / sqrt(sum(",
    ),
    "jac_sensitivities": row(
        "flying", "code.ir.sensitivities", "found = d.jacobian()",
        "found = [[2 * e for e in row] for row in d.jacobian()]", "code.ir.sensitivity_specification",
        "zero += [x - moved[start + k]", "zero += [x - 2 * moved[start + k]",
    ),
    "adj1_sensitivities": row(
        "flying", "code.ir.sensitivities", "column = [[e] for e in", "column = [[2 * e] for e in",
        "code.ir.sensitivity_specification", 'rate = dot(self._seeds("adj_"), moved)',
        'rate = 2 * dot(self._seeds("adj_"), moved)',
    ),
    "jac_adj1_sensitivities": row(
        "flying", "code.ir.sensitivities", "found[i][j] = found[i][j] / self.length[x]",
        "found[i][j] = found[i][j] * self.length[x]", "code.ir.sensitivity_specification",
        "total = -self._along([rate], epsilon)[0]", "total = -2 * self._along([rate], epsilon)[0]",
    ),
}  # fmt: skip

# By coordinates, on a robot with a unit quaternion.
_BY_COORDINATES = tuple(
    n for n in PROGRAMS if n.endswith(("_derivatives", "_jvp", "_vjp", "_hessian", "_hvp"))
)
PROGRAMS |= {
    f"{n}_coordinates": PROGRAMS[n]._replace(robot="flying")
    for n in _BY_COORDINATES
    if not n.startswith("constraint_forces")
}
PROGRAMS |= {
    f"{n}_coordinates": PROGRAMS[n] for n in _BY_COORDINATES if n.startswith("constraint_forces")
}
