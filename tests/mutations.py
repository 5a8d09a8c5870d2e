"""Errors put into the source on purpose: (module, what stands there, what is put in its place)."""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """One error in one module of equamo."""

    module: str
    original: str
    mutated: str


_TEXT: dict[str, list[tuple[str, str]]] = {
    # -- the model, which all formulations share ---------------------------------------------------
    "model.joint": [
        ("return self.turned @ self.turn()", "return self.turn() @ self.turned"),
        ("return self.turned @ self.turn()", "return self.turned @ self.turn().T"),
        ("return self.at + self.turned @ self.slide()", "return self.at + self.slide()"),
        ("return self.at + self.turned @ self.slide()", "return self.turned @ self.slide() - self.at"),
        ("return self._rate(S) @ Vector(self.v)", "return self._rate(S) @ Vector(self.v) * 2"),
    ],
    "model.rotation": [
        ("identity(3) * c + skew(axis) * s +", "identity(3) * c - skew(axis) * s +"),
        ("outer(axis, axis) * (ONE - c)", "outer(axis, axis) * (ONE + c)"),
        ("plane * c + skew(axis) * s + e", "plane * c - skew(axis) * s + e"),
        ("rotation_x(alpha) @ rotation_y(beta) @ rotation_z(gamma)",
         "rotation_z(gamma) @ rotation_y(beta) @ rotation_x(alpha)"),
        ("return euler_xyz(*vector3(rotation))", "return euler_xyz(*vector3(rotation)).T"),
        ("        A = rotation\n", "        A = rotation.T\n"),
        ("[2 * (x * y + w * z), w * w", "[2 * (x * y - w * z), w * w"),
        ("return e if square == 1", "return -e if square == 1"),
    ],
    "model.inertia": [
        ("(identity(3) * (c @ c) - outer(c, c)) * m", "(identity(3) * (c @ c) + outer(c, c)) * m"),
        ("(identity(3) * (c @ c) - outer(c, c)) * m", "(identity(3) * (c @ c) - outer(c, c))"),
        ("return Inertia(m, c * m,", "return Inertia(m, c,"),
        ("return Inertia(m, Vector(rest[:3]),", "return Inertia(m, -Vector(rest[:3]),"),
        ("return self.first_moment / self.mass", "return self.first_moment * self.mass"),
        ("return self.tensor - (identity(3)", "return self.tensor + (identity(3)"),
        ("self.first_moment + other.first_moment", "self.first_moment - other.first_moment"),
        ("six = (J[0, 0], J[0, 1], J[0, 2],", "six = (J[0, 0], J[0, 2], J[0, 1],"),
        ("xx, xy, xz, yy, yz, zz = values", "xx, xz, xy, yy, yz, zz = values"),
        ("xx, xy, xz, yy, yz, zz = values", "zz, xy, xz, yy, yz, xx = values"),
        ("- outer(p, h) - outer(g, p)", "- outer(p, h) - outer(p, g)"),
    ],
    "model.base_motion": [
        ("v_dot = self.a - self.w.cross(self.v)", "v_dot = self.a + self.w.cross(self.v)"),
        ("v_dot = self.a - self.w.cross(self.v)", "v_dot = self.a"),
    ],
    "model.joints.revolute": [
        ("return about(self.axis, self.q[0])", "return about(self.axis, -self.q[0])"),
        ("return from_columns([ZERO3])", "return from_columns([self.axis])"),
    ],
    "model.joints.prismatic": [
        ("return self.axis * self.q[0]", "return self.axis * -self.q[0]"),
        ("return self.axis * self.q[0]", "return self.axis * self.q[0] * 2"),
    ],
    "model.joints.helical": [
        ("self.axis * (self.pitch * self.q[0])", "self.axis * self.q[0]"),
        ("from_columns([self.axis * self.pitch])", "from_columns([self.axis * -self.pitch])"),
        ("pitch=as_expr(pitch)", "pitch=-as_expr(pitch)"),
    ],
    "model.joints.cylindrical": [
        ("return self.axis * self.q[1]", "return self.axis * self.q[0]"),
        ("from_columns([self.axis, ZERO3])", "from_columns([ZERO3, self.axis])"),
    ],
    "model.joints.universal": [
        ("rotation_x(self.q[0]) @ rotation_y(self.q[1])",
         "rotation_y(self.q[1]) @ rotation_x(self.q[0])"),
        ("Vector([cos(q2), ZERO, sin(q2)])", "Vector([cos(q2), ZERO, -sin(q2)])"),
    ],
    "model.joints.planar": [
        ("(a * c - b * s, a * s + b * c)", "(a * c + b * s, b * c - a * s)"),
        ("first * self.q[0] + second * self.q[1]", "first * self.q[1] + second * self.q[0]"),
    ],
    "model.joints.spherical": [
        ("[w, -z, y]", "[w, z, y]"),
        ("quaternion_map(*self.q) * HALF", "quaternion_map(*self.q)"),
        ("quaternion_map(*self.q).T * TWO", "quaternion_map(*self.q).T"),
        ("return quaternion_rotation(*self.q)", "return quaternion_rotation(*self.q).T"),
        ("[-(cb * sg), cg, ZERO]", "[cb * sg, cg, ZERO]"),
    ],
    "model.joints.free": [
        ("blocks([[A, zeros(3, 3)], [zeros", "blocks([[A.T, zeros(3, 3)], [zeros"),
        ("blocks([[identity(3), zeros(3, 3)]])", "blocks([[zeros(3, 3), identity(3)]])"),
        ("from_columns([*A, ZERO3", "from_columns([*A.T, ZERO3"),
        ("euler_rates(self.q[4], self.q[5])", "euler_rates(self.q[3], self.q[4])"),
    ],
    "model.joints.custom": [
        ("unskew(A_T @ self.A.diff(q))", "unskew(self.A.diff(q) @ A_T)"),
        ("A_T @ self.P.diff(q)", "self.P.diff(q)"),
        ("A = from_columns([vector3(x), vector3(y), vector3(z)])",
         "A = from_columns([vector3(x), vector3(y), vector3(z)]).T"),
    ],
    "model.forces.torque_actuator": [
        ("Torque(self.reaction_on, -self.torque, self.body)",
         "Torque(self.reaction_on, self.torque, self.body)"),
        ("Torque(self.reaction_on, -self.torque, self.body)",
         "Torque(self.reaction_on, -self.torque, self.reaction_on)"),
    ],
    "model.forces.force_actuator": [
        ("self.reaction_point, -self.force, self.body", "self.point, -self.force, self.body"),
        ("self.reaction_point, -self.force, self.body", "self.reaction_point, self.force, self.body"),
    ],
    "model.forces.wrench": [
        ("Torque(self.body, self.torque, self.expressed_in)",
         "Torque(self.body, self.torque, self.body)"),
    ],
    # -- shared kinematics -------------------------------------------------------------------------
    "kinematics.velocities": [
        ("m.w[j] = A @ m.w[i] + w_rel", "m.w[j] = A @ m.w[i] - w_rel"),
        ("m.v[i] + m.w[i].cross(P)", "m.v[i] - m.w[i].cross(P)"),
        ("A @ (m.v[i] + m.w[i].cross(P))", "A.T @ (m.v[i] + m.w[i].cross(P))"),
        ("joint.angular_bias + m.w[j].cross(w_rel)", "joint.angular_bias - m.w[j].cross(w_rel)"),
        ("joint.angular_bias + m.w[j].cross(w_rel)", "m.w[j].cross(w_rel)"),
        ("m.a[i] + m.alpha[i].cross(P)", "m.a[i] - m.alpha[i].cross(P)"),
        (" + m.w[i].cross(m.w[i].cross(P))", ""),
        ("S_v @ v_dot + joint.linear_bias", "S_v @ v_dot"),
        (".cross(v_rel) * 2 + w_rel.cross(v_rel)", ".cross(v_rel) + w_rel.cross(v_rel)"),
        (".cross(v_rel) * 2 + w_rel.cross(v_rel)", ".cross(v_rel) * 2"),
        ("A @ (v[i][j] + x.cross(P))", "A @ (v[i][j] + P.cross(x))"),
    ],
    "kinematics.poses": [
        ("p.rotation[b.name] = A @ b.joint.rotation", "p.rotation[b.name] = A @ b.joint.rotation.T"),
        ("p.position[b.parent] + A @ b.joint.position", "p.position[b.parent] + b.joint.position"),
        ("return A2.T @ A1, A2.T @ (p1 - p2)", "return A2 @ A1, A2.T @ (p1 - p2)"),
        ("return A2.T @ A1, A2.T @ (p1 - p2)", "return A2.T @ A1, A2.T @ (p2 - p1)"),
        ("p = p + A @ joint.position", "p = p + joint.position"),
    ],
    "kinematics.force_projection": [
        ("f[j] = f[j] + column @ F", "f[j] = f[j] - column @ F"),
    ],
    # -- the formulations --------------------------------------------------------------------------
    "formulations.kane": [
        ("F = a * m + alpha.cross(MS)", "F = a * m + MS.cross(alpha)"),
        ("T = MS.cross(a) + J @ alpha", "T = J @ alpha"),
        ("F = F + w.cross(w.cross(MS))", "F = F - w.cross(w.cross(MS))"),
        ("T = T + w.cross(J @ w)", "T = T + (J @ w).cross(w)"),
        ("(v[k][j] * m + w[k][j].cross(MS))", "(v[k][j] * m)"),
        ("rows[j][column] = F @ v[k][j] + T @ w[k][j]", "rows[j][column] = F @ v[k][j]"),
        ("arm = arm + r * b.inertia.mass + MS", "arm = arm + r * b.inertia.mass"),
        (".cross(E - self.poses.position[b.name])", ".cross(E)"),
    ],
    "formulations.lagrange": [
        ("+ MS @ V.cross(w)", "- MS @ V.cross(w)"),
        ("HALF * (w @ (J @ w) + M * (V @ V))", "w @ (J @ w) + HALF * M * (V @ V)"),
        ("[x - y for x, y in zip(directional(p, rates)", "[x + y for x, y in zip(directional(p, rates)"),
        ("(P * b.inertia.mass + A @ b.inertia.first_moment)", "(P * b.inertia.mass)"),
        ("p = V[i] * M + w[i].cross(MS)", "p = V[i] * M - w[i].cross(MS)"),
        ("+ v0 + w0.cross(P))", "+ v0)"),
        ("A[body].T @ (A[frame] @ vector)", "A[body] @ (A[frame] @ vector)"),
    ],
    "formulations.projected_newton_euler": [
        ("theta = A @ b.inertia.tensor_at_center @ A.T", "theta = A.T @ b.inertia.tensor_at_center @ A"),
        (" + omega[k].cross(theta @ omega[k])", ""),
        ("slopes[k] + robot.base.w.cross(x)", "slopes[k]"),
        ("unskew(slope[q].rotation[body] @ A.T)", "unskew(A.T @ slope[q].rotation[body])"),
    ],
    "formulations.gibbs_appell": [
        ("HALF * (m * (a @ a))", "m * (a @ a)"),
        ("a @ (alpha.cross(MS) + w.cross(w.cross(MS)))", "a @ (alpha.cross(MS) - w.cross(w.cross(MS)))"),
        ("+ alpha @ w.cross(J @ w)", "+ HALF * (alpha @ w.cross(J @ w))"),
        ("b.inertia.first_moment.cross(g)", "g.cross(b.inertia.first_moment)"),
    ],
    "recursions.newton_euler": [
        ("a0 - gravity", "a0 + gravity"),
        ("xy - r, xz + q", "xy + r, xz + q"),
        ("A * p + (C - B) * yz", "A * p + (B - C) * yz"),
        ("YZ * (yy - zz)", "YZ * (zz - yy)"),
        ("- XY * u[2][0]", "- XY * u[0][2]"),
        ("joint.linear_bias + (carried + w[j]).cross(v_rel)", "joint.linear_bias + w[j].cross(v_rel)"),
        ("plus_product(n_i, A, n), P, A @ f)", "plus_product(n_i, A, n), A @ f, P)"),
    ],
    "recursions.composite_bodies": [
        ("f = s_v * I.mass + s_w.cross(I.first_moment)", "f = s_v * I.mass - s_w.cross(I.first_moment)"),
        ("m = plus_cross(A @ m, P, f)", "m = A @ m"),
    ],
    "recursions.symmetric": [
        ("- P[i] * h[j] - g[i] * P[j]", "- P[i] * h[j] - P[i] * g[j]"),
        ("w = sin * (k11 - k22) + 2 * (cos * k12)", "w = sin * (k22 - k11) + 2 * (cos * k12)"),
        ("put(r, i, x if sign > 0 else neg(x))", "put(r, i, x)"),
        ("        k12 = neg(k12)\n", "        pass\n"),
    ],
    # -- what is made from the result --------------------------------------------------------------
    "equations.coriolis": [
        ("(M_dot + (G - G.T)) * HALF", "(M_dot + (G.T - G)) * HALF"),
        ("N.T @ (C_q @ N + M_q @ N_dot)", "N.T @ (C_q @ N)"),
    ],
    "equations.frame": [
        (" - w_R.cross(v_rel) * 2", " - w_R.cross(v_rel)"),
        ("v_j - v_R - w_R.cross(r - p_R)", "v_j - v_R - w_R.cross(r)"),
        ("alpha = alpha - alpha_R - w_R.cross(w_rel)", "alpha = alpha - alpha_R"),
    ],
    "equations.whole_body": [
        ("(r - c).cross(p_b)", "r.cross(p_b)"),
        ("I.tensor @ w_b + I.first_moment.cross(v_b)", "I.tensor @ w_b"),
    ],
}  # fmt: skip

# Code that every formulation uses: all of them are wrong together, and agree.
_SHARED: dict[str, list[tuple[str, str]]] = {
    "model.forces.rotor_inertia": [
        ("self.ratio**2 * self.rotor", "self.ratio * self.rotor"),
        ("self.ratio**2 * self.rotor", "self.rotor"),
    ],
    "model.forces.joint_actuator": [
        ("self.gear * symbol(self.input)", "symbol(self.input)"),
        ("self.gear * symbol(self.input)", "-(self.gear * symbol(self.input))"),
    ],
    "model.forces.joint_spring": [
        ("symbol(self.coordinate) - self.rest", "symbol(self.coordinate) + self.rest"),
        ("symbol(self.coordinate) - self.rest", "symbol(self.coordinate)"),
    ],
    "model.forces.joint_friction": [
        ("return sign(u) if", "return 2 * sign(u) if"),
        ("else tanh(u / self.width)", "else tanh(u * self.width)"),
        ("self.coulomb * self._direction() + self.viscous * symbol(self.speed)",
         "self.coulomb * self._direction()"),
    ],
    "model.forces.joint_damper": [
        ("SpeedForce(self.speed, -(self.damping", "SpeedForce(self.speed, (self.damping"),
    ],
    "model.forces.spring": [
        ("-(self.stiffness * (ONE - self.rest / line.length))",
         "-(self.stiffness * (ONE + self.rest / line.length))"),
        ("-(self.stiffness * (ONE - self.rest / line.length))",
         "self.stiffness * (ONE - self.rest / line.length)"),
    ],
    "model.forces.damper": [
        ("return -(self.damping * (line.stretch / line.length_squared))",
         "return -(self.damping * line.stretch)"),
    ],
    "model.forces.cylinder": [
        ("return symbol(self.input) / line.length", "return -symbol(self.input) / line.length"),
        ("return symbol(self.input) / line.length", "return symbol(self.input)"),
    ],
    "model.forces.two_points": [
        ("PointForce(self.other, self.other_point, -F, self.other)",
         "PointForce(self.other, self.other_point, F, self.other)"),
        ("geometry.line(self.other, self.other_point, self.body, self.point)",
         "geometry.line(self.other, self.other_point, self.body, self.other_point)"),
    ],
    "model.forces.torque_actuator": [
        ("Torque(self.body, self.torque, self.body)", "Torque(self.body, self.torque, 'world')"),
    ],
    "model.forces.force_actuator": [
        ("PointForce(self.body, self.point, self.force, self.body)",
         "PointForce(self.body, self.reaction_point, self.force, self.body)"),
    ],
    "model.forces.wrench": [
        ("self.point, self.force, self.expressed_in, self.point_in",
         "self.point, self.force, self.body, self.point_in"),
        ("self.point, self.force, self.expressed_in, self.point_in",
         "self.point, self.force, self.expressed_in"),
        ("Torque(self.body, self.torque, self.expressed_in)",
         "Torque(self.body, -self.torque, self.expressed_in)"),
    ],
    "model.robot": [
        ('put("gravity", vector3(gravity))', 'put("gravity", -vector3(gravity))'),
        ('gravity: Any = "0 0 -g"', 'gravity: Any = "0 0 g"'),
    ],
    "model.edits": [
        ("inertia=b.inertia + extra,", "inertia=b.inertia,"),
        ("Inertia.central(mass, com, inertia)", "Inertia.central(mass, \"0 0 0\", inertia)"),
        ("joint.position.subs(held), joint.rotation.subs(held)",
         "joint.position.subs(held), joint.rotation.subs(held).T"),
        ("joint.position.subs(held), joint.rotation.subs(held)",
         "joint.at, joint.rotation.subs(held)"),
        ("if not _drives(f, removed)]", "if f.inputs()]"),
    ],
    "kinematics.force_projection": [
        ("linear_coefficients(total, robot.inputs)", "linear_coefficients(-total, robot.inputs)"),
        ("return p + A @ load.point", "return p - A @ load.point"),
        ("added[speed] = added[speed] + inertia", "added[speed] = inertia * 2"),
        ("f[j] = f[j] + x * load.force", "f[j] = f[j] - x * load.force"),
    ],
    "equations.equations": [
        ("Vector(self.inputs) - still", "Vector(self.inputs) + still"),
        ("rates = self.kinematic_map @ Vector(self.v)", "rates = Vector(self.v)"),
        ("HALF * (v @ (self.derivation.mass_matrix @ v))", "v @ (self.derivation.mass_matrix @ v)"),
        ("if not element.inputs():", "if element.inputs():"),
    ],
    "recursions.factorisation": [
        ("x[j] = x[j] - self.L[i, j] * x[i]", "x[j] = x[j] + self.L[i, j] * x[i]"),
        ("H[i][j] = H[i][j] - a * H[k][j]", "H[i][j] = H[i][j] + a * H[k][j]"),
    ],
    "formulations.maggi": [
        ("combine(D.bias + M @ speeds.bias)", "combine(D.bias)"),
    ],
    "model.joints.spherical": [
        ("return (self.coordinates,)", "return ()"),
    ],
}  # fmt: skip

MUTATIONS = [Mutation(module, *pair) for module, pairs in _TEXT.items() for pair in pairs]
SHARED = [Mutation(module, *pair) for module, pairs in _SHARED.items() for pair in pairs]
