"""Deliberate errors in the source: (module, original text, replacement)."""

from __future__ import annotations

from typing import NamedTuple


class Mutation(NamedTuple):
    """One error in one module of equamo."""

    module: str
    original: str
    mutated: str


_TEXT: dict[str, list[tuple[str, str]]] = {
    # -- the model, which all formulations share ---------------------------------------------------
    "robot.model.joint": [
        ("return self.turned @ self.turn()", "return self.turn() @ self.turned"),
        ("return self.turned @ self.turn()", "return self.turned @ self.turn().T"),
        ("return self.at + self.turned @ self.slide()", "return self.at + self.slide()"),
        ("return self.at + self.turned @ self.slide()", "return self.turned @ self.slide() - self.at"),
        ("return S_w @ v, S_v @ v", "return S_w @ v * 2, S_v @ v * 2"),
    ],
    "robot.model.rotation": [
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
    "robot.model.inertia": [
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
        ("Pose(body, other, A, p)", "Pose(body, other, A, -p)"),
    ],
    "robot.model.base_motion": [
        ("v_dot = self.a - self.w.cross(self.v)", "v_dot = self.a + self.w.cross(self.v)"),
        ("v_dot = self.a - self.w.cross(self.v)", "v_dot = self.a"),
    ],
    "robot.model.body": [
        ("self.joint.rotation, self.joint.position)", "self.joint.rotation.T, self.joint.position)"),
        ("self.joint.rotation, self.joint.position)", "self.joint.rotation, -self.joint.position)"),
        ("return Motion(self.frame, S_w @ u, S_v @ u)",
         "return Motion(self.frame, S_w @ u, S_v @ u * 2)"),
    ],
    "robot.model.joints.revolute": [
        ("return about(self.axis, self.q[0])", "return about(self.axis, -self.q[0])"),
        ("return from_columns([ZERO3])", "return from_columns([self.axis])"),
    ],
    "robot.model.joints.prismatic": [
        ("return self.axis * self.q[0]", "return self.axis * -self.q[0]"),
        ("return self.axis * self.q[0]", "return self.axis * self.q[0] * 2"),
    ],
    "robot.model.joints.helical": [
        ("self.axis * (self.pitch * self.q[0])", "self.axis * self.q[0]"),
        ("from_columns([self.axis * self.pitch])", "from_columns([self.axis * -self.pitch])"),
        ("pitch=as_expr(pitch)", "pitch=-as_expr(pitch)"),
    ],
    "robot.model.joints.cylindrical": [
        ("return self.axis * self.q[1]", "return self.axis * self.q[0]"),
        ("from_columns([self.axis, ZERO3])", "from_columns([ZERO3, self.axis])"),
    ],
    "robot.model.joints.universal": [
        ("rotation_x(self.q[0]) @ rotation_y(self.q[1])",
         "rotation_y(self.q[1]) @ rotation_x(self.q[0])"),
        ("Vector([cos(q2), ZERO, sin(q2)])", "Vector([cos(q2), ZERO, -sin(q2)])"),
    ],
    "robot.model.joints.planar": [
        ("(a * c - b * s, a * s + b * c)", "(a * c + b * s, b * c - a * s)"),
        ("first * self.q[0] + second * self.q[1]", "first * self.q[1] + second * self.q[0]"),
    ],
    "robot.model.joints.spherical": [
        ("[w, -z, y]", "[w, z, y]"),
        ("quaternion_map(*self.q) * HALF", "quaternion_map(*self.q)"),
        ("quaternion_map(*self.q).T * TWO", "quaternion_map(*self.q).T"),
        ("return quaternion_rotation(*self.q)", "return quaternion_rotation(*self.q).T"),
        ("[-(cb * sg), cg, ZERO]", "[cb * sg, cg, ZERO]"),
    ],
    "robot.model.joints.free": [
        ("blocks([[A, zeros(3, 3)], [zeros", "blocks([[A.T, zeros(3, 3)], [zeros"),
        ("blocks([[identity(3), zeros(3, 3)]])", "blocks([[zeros(3, 3), identity(3)]])"),
        ("from_columns([*A, ZERO3", "from_columns([*A.T, ZERO3"),
        ("euler_rates(self.q[4], self.q[5])", "euler_rates(self.q[3], self.q[4])"),
    ],
    "robot.model.joints.custom": [
        ("unskew(A_T @ self.A.diff(q))", "unskew(self.A.diff(q) @ A_T)"),
        ("A_T @ self.P.diff(q)", "self.P.diff(q)"),
        ("A = from_columns([vector3(x), vector3(y), vector3(z)])",
         "A = from_columns([vector3(x), vector3(y), vector3(z)]).T"),
    ],
    "robot.model.forces.torque_actuator": [
        ("Torque(self.reaction_on, -self.torque, self.body)",
         "Torque(self.reaction_on, self.torque, self.body)"),
        ("Torque(self.reaction_on, -self.torque, self.body)",
         "Torque(self.reaction_on, -self.torque, self.reaction_on)"),
    ],
    "robot.model.forces.force_actuator": [
        ("self.reaction_point, -self.force, self.body", "self.point, -self.force, self.body"),
        ("self.reaction_point, -self.force, self.body", "self.reaction_point, self.force, self.body"),
    ],
    "robot.model.forces.wrench": [
        ("Torque(self.body, self.torque, self.expressed_in)",
         "Torque(self.body, self.torque, self.body)"),
    ],
    # -- shared kinematics -------------------------------------------------------------------------
    "mechanics.kinematics.velocities": [
        (".inverse @ V[i] + b.relative_velocity", ".inverse @ V[i] - b.relative_velocity"),
        ("added.linear) + b.bias_acceleration", "added.linear)"),
        ("relative = relative + Acceleration.coriolis(V[j], b.relative_velocity)", "pass"),
        ("a[j] = a[i].moved(X, V[i]) + relative", "a[j] = relative - a[i].moved(X, V[i])"),
        ("{j: X @ x for j, x in V[i].items()}", "{j: X @ (x * 2) for j, x in V[i].items()}"),
    ],
    "robot.model.relative_pose": [
        ("common = path_a[n - 1].frame if n else WORLD_FRAME", "common = WORLD_FRAME"),
    ],
    "mechanics.kinematics.element_forces": [
        ("Force(frame, A @ load.torque, ZERO3)", "Force(frame, -(A @ load.torque), ZERO3)"),
        ("body_point(robot, load), A @ load.force)", "-body_point(robot, load), A @ load.force)"),
    ],
    "mechanics.kinematics.force_projection": [
        ("f[j] = f[j] + column @ F", "f[j] = f[j] - column @ F"),
    ],
    # -- the formulations --------------------------------------------------------------------------
    "mechanics.formulations.kane": [
        ("F = a * m + alpha.cross(MS)", "F = a * m + MS.cross(alpha)"),
        ("T = MS.cross(a) + J @ alpha", "T = J @ alpha"),
        ("F = F + w.cross(w.cross(MS))", "F = F - w.cross(w.cross(MS))"),
        ("T = T + w.cross(J @ w)", "T = T + (J @ w).cross(w)"),
        ("Force(b.frame, MS.cross(g), g * m)", "Force(b.frame, g.cross(MS), g * m)"),
        ("X @ total[k] if above is None else above.plus(X, total[k])", "X @ total[k]"),
        ("rows[j][column] = F @ V_j.linear + T @ V_j.angular", "rows[j][column] = F @ V_j.linear"),
        ("arm = arm + r * b.inertia.mass + MS", "arm = arm + r * b.inertia.mass"),
        (".cross(E - self.poses[b.name].position)", ".cross(E)"),
    ],
    "mechanics.formulations.lagrange": [
        ("+ MS @ V.cross(w)", "- MS @ V.cross(w)"),
        ("HALF * (w @ (J @ w) + M * (V @ V))", "w @ (J @ w) + HALF * M * (V @ V)"),
        ("[x - y for x, y in zip(p_dot, E_q", "[x + y for x, y in zip(p_dot, E_q"),
        ("(P * b.inertia.mass + A @ b.inertia.first_moment)", "(P * b.inertia.mass)"),
        ("p = V * M + w.cross(MS)", "p = V * M - w.cross(MS)"),
        ("+ v0 + w0.cross(P))", "+ v0)"),
        ("X[body].rotation.T @ (X[frame].rotation @ vector)",
         "X[body].rotation @ (X[frame].rotation @ vector)"),
    ],
    "mechanics.formulations.projected_newton_euler": [
        ("return A @ b.inertia.tensor_at_center @ A.T", "return A.T @ b.inertia.tensor_at_center @ A"),
        (" + omega[k].cross(theta[k] @ omega[k])", ""),
        ("slopes[k] + robot.base.w.cross(x)", "slopes[k]"),
        ("unskew_product(slope[q].rotation, X.rotation.T)",
         "unskew_product(X.rotation.T, slope[q].rotation)"),
        ("L + N + r_S[k].cross(p)", "L + N"),
        ("r_dot - omega.cross(X.position)", "r_dot"),
    ],
    "mechanics.formulations.gibbs_appell": [
        ("HALF * (m * (a @ a))", "m * (a @ a)"),
        ("a @ (alpha.cross(MS) + w.cross(w.cross(MS)))", "a @ (alpha.cross(MS) - w.cross(w.cross(MS)))"),
        ("+ alpha @ w.cross(J @ w)", "+ HALF * (alpha @ w.cross(J @ w))"),
        ("*MS.cross(g)]", "*g.cross(MS)]"),
    ],
    "mechanics.recursions.newton_euler": [
        ("a0 - gravity", "a0 + gravity"),
        ("xy - r, xz + q", "xy + r, xz + q"),
        ("A * p + (C - B) * yz", "A * p + (B - C) * yz"),
        ("YZ * (yy - zz)", "YZ * (zz - yy)"),
        ("- XY * u[2][0]", "- XY * u[0][2]"),
        ("b.bias_acceleration.linear + (carried + w[j]).cross(v_rel)",
         "b.bias_acceleration.linear + w[j].cross(v_rel)"),
        ("tau[k] = S @ F[j]", "tau[k] = S.linear @ F[j].force"),
    ],
    "mechanics.recursions.composite_bodies": [
        ("I[b.parent] = I[b.parent] + robot.joint_pose(b) @", "I[b.parent] = robot.joint_pose(b) @"),
        ("I[b.name] @ S, record)", "b.spatial_inertia @ S, record)"),
    ],
    # -- spatial quantities ------------------------------------------------------------------------
    "robot.spatial.pose": [
        ("self.position + A @ other.position", "self.position + other.position"),
        ("self.position + A @ other.position", "self.position - A @ other.position"),
        ("self.reference, A @ other.rotation", "self.reference, other.rotation @ A"),
        ("A @ (other.position - X.position)", "A @ (X.position - other.position)"),
        ("A @ (other.position - X.position)", "A @ other.position - X.position"),
        ("X.frame, A @ other.rotation,", "X.frame, other.rotation @ A,"),
        ("self.pose, self.rotation = pose, pose.rotation.T",
         "self.pose, self.rotation = pose, pose.rotation"),
        ("return self.position + self.rotation @ r", "return self.position - self.rotation @ r"),
        ("self.rotation, -(self.rotation @ X.position)", "self.rotation, self.rotation @ X.position"),
    ],
    "robot.spatial.motion": [
        ("                A @ self.angular,\n", "                A.T @ self.angular,\n"),
        ("A @ plus_cross(self.linear,", "A.T @ plus_cross(self.linear,"),
        ("self.angular, pose.position)", "pose.position, self.angular)"),
        ("X.rotation @ self.linear + X.position.cross(w)",
         "X.rotation @ self.linear - X.position.cross(w)"),
        ("return self.linear + self.angular.cross(point)",
         "return self.linear - self.angular.cross(point)"),
        ("v.cross(u) + w.cross(other.linear)", "w.cross(other.linear)"),
        ("self.angular @ force.moment + self.linear", "self.angular @ force.moment - self.linear"),
        ("self.linear - other.linear", "self.linear + other.linear"),
    ],
    "robot.spatial.acceleration": [
        ("w.cross(v_rel) * 2 - w_rel.cross(v_rel)", "w.cross(v_rel) * 2"),
        ("w.cross(v_rel) * 2 - w_rel.cross(v_rel)", "w.cross(v_rel) - w_rel.cross(v_rel)"),
        ("velocity.frame, w.cross(w_rel), a)", "velocity.frame, w_rel.cross(w), a)"),
        ("self.angular.cross(r) + w.cross(w.cross(r))", "self.angular.cross(r)"),
        ("self.linear + self.angular.cross(r)", "self.linear - self.angular.cross(r)"),
        ("- alpha.cross(p) - w.cross(w.cross(p))", "+ alpha.cross(p) - w.cross(w.cross(p))"),
        ("- alpha.cross(p) - w.cross(w.cross(p))", "- alpha.cross(p)"),
        ("pose.frame, A @ self.angular,", "pose.frame, A.T @ self.angular,"),
    ],
    "robot.spatial.force": [
        ("X.rotation @ self.moment, X.position, f)", "X.rotation @ self.moment, f, X.position)"),
        ("f = X.rotation @ self.force", "f = X.rotation.T @ self.force"),
        ("plus_cross(self.moment, self.force, pose.position)",
         "plus_cross(self.moment, pose.position, self.force)"),
        ("plus_cross(n, p, f), self.force + f)", "plus_cross(n, f, p), self.force + f)"),
        ("plus_cross(n, p, f), self.force + f)", "plus_cross(n, p, f), f)"),
        ("plus_product(self.force, A, other.force)", "plus_product(self.force, A.T, other.force)"),
        ("point.cross(force), force)", "force.cross(point), force)"),
        ("self.moment - other.moment", "self.moment + other.moment"),
    ],
    "robot.spatial.inertia": [
        ("g = h + p * self.mass", "g = h - p * self.mass"),
        ("- p[i] * h[j] - g[i] * p[j]", "- p[i] * h[j] - p[i] * g[j]"),
        ("[h[k] + g[k] for k in others]", "[g[k] + g[k] for k in others]"),
        ("self.tensor @ w + h.cross(v)", "self.tensor @ w"),
        ("v * self.mass + w.cross(h)", "v * self.mass - w.cross(h)"),
        ("w.cross(self.first_moment) * 2", "w.cross(self.first_moment)"),
        ("self.first_moment + other.first_moment", "self.first_moment - other.first_moment"),
    ],
    "robot.spatial.articulated_inertia": [
        ("self.H.T @ w + self.M @ v", "self.H @ w + self.M @ v"),
        ("I.tensor, skew(I.first_moment)", "I.tensor, skew(-I.first_moment)"),
        ("H[r][k] = H[r][k] - n[r] * s_f[k]", "H[r][k] = H[r][k] + n[r] * s_f[k]"),
        ("shifted.rows[r], columns[k])", "H.rows[r], columns[k])"),
    ],
    "robot.spatial.tensor_rotation": [
        ("w = sin * (k11 - k22) + 2 * (cos * k12)", "w = sin * (k22 - k11) + 2 * (cos * k12)"),
        ("put(r, i, x if sign > 0 else neg(x))", "put(r, i, x)"),
        ("        k12 = neg(k12)\n", "        pass\n"),
        ("sin * (k11 - k22) + cos * (k12 + k21)", "sin * (k11 - k22) + cos * (k12 - k21)"),
        ("(x, y) if sign > 0 else (neg(x), neg(y))", "(x, y)"),
    ],
    "robot.spatial.accumulate": [
        ("difference_of_products(x3, y1, x1, y3, start=b2)",
         "difference_of_products(x1, y3, x3, y1, start=b2)"),
        ("b = sub(b, mul(p, q))", "b = sub(mul(p, q), b)"),
    ],
    # -- what is made from the result --------------------------------------------------------------
    "mechanics.equations.coriolis": [
        ("(M_dot + (G - G.T)) * HALF", "(M_dot + (G.T - G)) * HALF"),
        ("N.T @ (C_q @ N + M_q @ N_dot)", "N.T @ (C_q @ N)"),
    ],
    "mechanics.equations.frame": [
        (" - w_R.cross(V_rel.at(r)) * 2", " - w_R.cross(V_rel.at(r))"),
        ("return own - transform(", "return own + transform("),
        ("- A_R.angular - w_R.cross(V_rel.angular)", "- A_R.angular"),
    ],
    "mechanics.equations.whole_body": [
        ("x.rotation, x.position - c)", "x.rotation, x.position)"),
        ("h = h.plus(X[b.name], b.spatial_inertia @",
         "h = Force.zero(h.frame).plus(X[b.name], b.spatial_inertia @"),
    ],
}  # fmt: skip

# Code that every formulation uses: all of them are wrong together, and agree.
_SHARED: dict[str, list[tuple[str, str]]] = {
    "robot.model.forces.rotor_inertia": [
        ("self.ratio**2 * self.rotor", "self.ratio * self.rotor"),
        ("self.ratio**2 * self.rotor", "self.rotor"),
    ],
    "robot.model.forces.joint_actuator": [
        ("self.gear * symbol(self.input)", "symbol(self.input)"),
        ("self.gear * symbol(self.input)", "-(self.gear * symbol(self.input))"),
    ],
    "robot.model.forces.joint_spring": [
        ("symbol(self.coordinate) - self.rest", "symbol(self.coordinate) + self.rest"),
        ("symbol(self.coordinate) - self.rest", "symbol(self.coordinate)"),
    ],
    "robot.model.forces.joint_friction": [
        ("return sign(u) if", "return 2 * sign(u) if"),
        ("else tanh(u / self.width)", "else tanh(u * self.width)"),
        ("self.coulomb * self._direction() + self.viscous * symbol(self.speed)",
         "self.coulomb * self._direction()"),
    ],
    "robot.model.forces.joint_damper": [
        ("SpeedForce(self.speed, -(self.damping", "SpeedForce(self.speed, (self.damping"),
    ],
    "robot.model.forces.spring": [
        ("-(self.stiffness * (ONE - self.rest / line.length))",
         "-(self.stiffness * (ONE + self.rest / line.length))"),
        ("-(self.stiffness * (ONE - self.rest / line.length))",
         "self.stiffness * (ONE - self.rest / line.length)"),
    ],
    "robot.model.forces.damper": [
        ("return -(self.damping * (line.stretch / line.length_squared))",
         "return -(self.damping * line.stretch)"),
    ],
    "robot.model.forces.cylinder": [
        ("return symbol(self.input) / line.length", "return -symbol(self.input) / line.length"),
        ("return symbol(self.input) / line.length", "return symbol(self.input)"),
    ],
    "robot.model.forces.two_points": [
        ("PointForce(self.other, self.other_point, -F, self.other)",
         "PointForce(self.other, self.other_point, F, self.other)"),
        ("geometry.line(self.other, self.other_point, self.body, self.point)",
         "geometry.line(self.other, self.other_point, self.body, self.other_point)"),
    ],
    "robot.model.forces.torque_actuator": [
        ("Torque(self.body, self.torque, self.body)", "Torque(self.body, self.torque, 'world')"),
    ],
    "robot.model.forces.force_actuator": [
        ("PointForce(self.body, self.point, self.force, self.body)",
         "PointForce(self.body, self.reaction_point, self.force, self.body)"),
    ],
    "robot.model.forces.wrench": [
        ("self.point, self.force, self.expressed_in, self.point_in",
         "self.point, self.force, self.body, self.point_in"),
        ("self.point, self.force, self.expressed_in, self.point_in",
         "self.point, self.force, self.expressed_in"),
        ("Torque(self.body, self.torque, self.expressed_in)",
         "Torque(self.body, -self.torque, self.expressed_in)"),
    ],
    "robot.model.robot": [
        ('put("gravity", vector3(gravity))', 'put("gravity", -vector3(gravity))'),
        ('gravity: Any = "0 0 -g"', 'gravity: Any = "0 0 g"'),
    ],
    "robot.model.edits": [
        ("inertia=b.inertia + extra,", "inertia=b.inertia,"),
        ("Inertia.central(mass, com, inertia)", "Inertia.central(mass, \"0 0 0\", inertia)"),
        ("A = joint.rotation.subs(held)", "A = joint.rotation.subs(held).T"),
        ("joint.position.subs(held), A,", "joint.at, A,"),
        ("if not _drives(f, removed)]", "if f.inputs()]"),
    ],
    "mechanics.kinematics.force_projection": [
        ("linear_coefficients(total, robot.inputs)", "linear_coefficients(-total, robot.inputs)"),
        (".point(load.point)", ".point(-load.point)"),
        ("added[speed] = added[speed] + inertia", "added[speed] = inertia * 2"),
        ("f[j] = f[j] + x * load.force", "f[j] = f[j] - x * load.force"),
    ],
    "mechanics.equations.constrained": [
        ("rest = eom.input_matrix @ Vector(eom.inputs) - still",
         "rest = eom.input_matrix @ Vector(eom.inputs) + still"),
        ("rates = eom.kinematic_map @ Vector(eom.v)", "rates = Vector(eom.v)"),
    ],
    "mechanics.equations.equations": [
        ("HALF * (v @ (self.derivation.mass_matrix @ v))", "v @ (self.derivation.mass_matrix @ v)"),
        ("if not element.inputs():", "if element.inputs():"),
    ],
    "mechanics.recursions.factorisation": [
        ("y[j] = y[j] - self.L[i, j] * y[i]", "y[j] = y[j] + self.L[i, j] * y[i]"),
        ("H[i][j] = H[i][j] - a * H[k][j]", "H[i][j] = H[i][j] + a * H[k][j]"),
    ],
    "mechanics.formulations.maggi": [
        ("combine(D.bias + M @ speeds.bias)", "combine(D.bias)"),
    ],
    "robot.model.joints.spherical": [
        ("return (self.coordinates,)", "return ()"),
    ],
}  # fmt: skip

# -- derivatives of the dynamics: the proofs of their programs look for these --------------------------
_DERIVATIVES: dict[str, list[tuple[str, str]]] = {
    "code.ir.directions": [
        ("(ONE if x is y else ZERO) - x * y for y in group", "(ONE if x is y else ZERO) for y in group"),
        ("rows[k][l] = rows[k][l] - x * first[l]", "rows[k][l] = rows[k][l] + x * first[l]"),
        ("rows[k] = rows[k] - x * slope", "rows[k] = rows[k]"),
        ("joint[k] != joint[l] or (plain[k] and plain[l])", "True"),
        ("total[x] = total.get(x, ZERO) + e * d", "total[x] = e * d"),
    ],
    "code.ir.variables": [
        ("return [*self.directions.pulled_back(found[: len(q)]), *found[len(q) :]]",
         "return [*self.directions.pulled_back([-x for x in found[: len(q)]]), *found[len(q) :]]"),
    ],
    "code.ir.dynamics_derivatives": [
        ("by_q = by_q - self.of_state.jacobian(self.force(True))[0]", "by_q = by_q"),
        ("moved = [[-x for x in self.factors", "moved = [[x for x in self.factors"),
        ("return substitute(entries, dict(zip(self.unknowns, solution, strict=True)))",
         "return substitute(entries, dict.fromkeys(self.unknowns, ZERO))"),
        ("Matrix([*N.rows, *by_v.rows])", "Matrix([*(N * 2).rows, *by_v.rows])"),
        ("total = by_u @ Vector(du) + M @ Vector(du_dot)", "total = by_u @ Vector(du)"),
        ("total = total + by_q @ Vector(placed[k])", "total = total"),
        ("dot((turned[i * n + j][k] for i in range(m)), tau)", "ZERO"),
        ("by_q = by_q @ robot.kinematic_map_inverse", "by_q = by_q @ (robot.kinematic_map_inverse * 2)"),
    ],
    "code.ir.dynamics_products": [
        ("H[l][k] = e", "H[l][k] = -e"),
        ("rest = [x - y for x, y in zip(delta,", "rest = [x + y for x, y in zip(delta,"),
        ("slopes = x.gradient(-dot(mu,", "slopes = x.gradient(dot(mu,"),
        ("return by_q + more_q, by_v + more_v,", "return by_q, by_v + more_v,"),
        ("constants = (a + b for", "constants = (a - b for"),
    ],
    "code.ir.parameter_derivatives": [
        ("[[-x for x in d.factors.solve(", "[[x for x in d.factors.solve("),
        ("flat = [row[k] for row in rows]", "flat = [row[0] for row in rows]"),
    ],
    "mechanics.recursions.factorisation": [
        ("x[j] -= self.L[i, j] * x[i]", "x[j] += self.L[i, j] * x[i]"),
        ("columns[max(i, j)][min(i, j)] for j in", "columns[max(i, j)][max(i, j)] for j in"),
    ],
    "mechanics.recursions.derivatives": [
        ("dF_q = dF_q + _moved_along(S, F[j])", "dF_q = dF_q"),
        ("by_q[l][k] = S_l @ dF_q + slope @ F[j]", "by_q[l][k] = S_l @ dF_q"),
        ("twice_u = {b.name: _origin_velocity(robot, b, motions) * 2",
         "twice_u = {b.name: _origin_velocity(robot, b, motions)"),
        ("by_v[i][column] = by_v[i][column] - x", "by_v[i][column] = by_v[i][column] + x"),
    ],
    "mechanics.recursions.motion_changes": [
        ("found.append(Change(turned + s.angular, ", "found.append(Change(turned, "),
        ("gamma = bias_w + both.cross(S.angular)", "gamma = both.cross(S.angular)"),
    ],
    "mechanics.recursions.relative_coriolis": [
        ("K = J - identity(3) * (HALF", "K = J + identity(3) * (HALF"),
    ],
}  # fmt: skip

DERIVATIVES = [Mutation(module, *pair) for module, pairs in _DERIVATIVES.items() for pair in pairs]
MUTATIONS = [Mutation(module, *pair) for module, pairs in _TEXT.items() for pair in pairs]
SHARED = [Mutation(module, *pair) for module, pairs in _SHARED.items() for pair in pairs]
