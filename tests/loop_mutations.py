"""Errors put into loops, contacts, stance and impact on purpose, as in `mutations`."""

from __future__ import annotations

from mutations import Mutation

_TEXT: dict[str, list[tuple[str, str]]] = {
    "robot.model.closure": [
        ("d, z1, z2 = X.point(loop.at) - loop.to_at, X.rotation @ loop.axis, loop.to_axis",
         "d, z1, z2 = X.point(loop.at) - loop.to_at, loop.axis, loop.to_axis"),
        ("d, z1, z2 = X.point(loop.at) - loop.to_at,", "d, z1, z2 = X.rotation @ loop.at - loop.to_at,"),
        ("X = transform(robot, loop.body, loop.to)\n    d, z1",
         "X = transform(robot, loop.to, loop.body)\n    d, z1"),
        ("yield from (-(z1 @ y2), z1 @ x2)", "yield from (z1 @ y2, z1 @ x2)"),
        ("yield from (-(z1 @ y2), z1 @ x2)", "yield from (z1 @ x2, -(z1 @ y2))"),
        ("        yield z1 @ z2\n", "        yield z1 @ x2\n"),
        ("        yield z2 @ d\n", "        yield z1 @ d\n"),
        ("yield (d @ d - loop.length * loop.length) / 2", "yield d @ d - loop.length * loop.length"),
        ("d = Y.point(loop.at) - X.point(loop.to_at)  #", "d = Y.point(loop.at) - X.point(loop.at)  #"),
        ("(E[0, 2] - E[2, 0]) / 2, (E[1, 0]", "(E[2, 0] - E[0, 2]) / 2, (E[1, 0]"),
        ("else A @ loop.rotation.T", "else A @ loop.rotation"),
        ("r = transform(robot, contact.body).point(contact.at)",
         "r = transform(robot, contact.body).position"),
        ("yield from (x @ r, y @ r, contact.normal @ r)",
         "yield from (y @ r, x @ r, contact.normal @ r)"),
        ("N = b.joint.map()", "N = b.joint.inverse_map().T"),
    ],
    "mechanics.kinematics.closure": [
        ("yield (j, w, v) if step.sign > 0 else (j, -w, -v)", "yield (j, w, v)"),
        ("v = step.A @ S.linear + w.cross(self.p - step.r)", "v = step.A @ S.linear + w.cross(self.p)"),
        ("yield (self.p - self.closed.to_at) @ v  # (4)", "yield self.p @ v  # (4)"),
        ("return (identity(3) * trace - E) * Fraction(1, 2)",
         "return (identity(3) * trace - E.T) * Fraction(1, 2)"),
        ("V = V - own", "V = V + own"),
        ("+ v @ v  # d·p̈ + ṗ·ṗ", "  # d·p̈ + ṗ·ṗ"),
        ("(a.angular.cross(e) + w.cross(w.cross(e)))", "a.angular.cross(e)"),
        ("(u.cross(w) - skew * (w @ w)) / 2", "(u.cross(w) + skew * (w @ w)) / 2"),
        ("a = a - (b.bias_acceleration + Acceleration.coriolis(V, own))", "a = a - b.bias_acceleration"),
    ],
    "mechanics.formulations.lagrange_multipliers": [
        ("yield from (across @ x2, across @ y2)", "yield from (across @ y2, across @ x2)"),
        ("total = total + e.cross(E @ e)", "total = total - e.cross(E @ e)"),
        ("x = ltdl(whole).solve([*(-bias), *f])", "x = ltdl(whole).solve([*bias, *f])"),
        ("M, f = M + A.T @ A, f - A.T @ bias", "M, f = M + A.T @ A, f + A.T @ bias"),
    ],
    "mechanics.equations.constrained": [
        ("f = f - self.A.T @ self.bias", "f = f + self.A.T @ self.bias"),
        ("list(-(self.A @ free) - self.bias)", "list(-(self.A @ free) + self.bias)"),
        ("list(-(self.A @ free) - self.bias)", "list(-(self.A @ free))"),
        ("return free + self.response @ force, force", "return free - self.response @ force, force"),
    ],
    "mechanics.equations.constraint_space": [
        ("return p if self._system.is_regular else p - Vector(w)", "return p"),
        ("inverse = inverse - identity(len(self.rows))", "inverse = inverse + identity(len(self.rows))"),
        ("identity(len(names)) - Matrix(columns).T", "identity(len(names)) - Matrix(columns)"),
    ],
    "mechanics.equations.stance": [
        ("mass_matrix=Matrix(M.rows, names, names)", "mass_matrix=whole.mass_matrix"),
        ("gravity=Vector(N.T @ whole.gravity, names)", "gravity=Vector(N @ whole.gravity, names)"),
        ("+ still - self.input_matrix @ Vector(inputs)", "+ still + self.input_matrix @ Vector(inputs)"),
    ],
    "mechanics.equations.impact": [
        ("momentum * -(ONE + e)", "momentum * -(ONE - e)"),
        ("HALF * (ONE - e * e)", "HALF * (ONE - e)"),
        ("before - space.correction(w) * (ONE + e)", "before - space.correction(w)"),
    ],
    "algebra.identity.block_elimination": [
        ("return det if (i + j) % 2 == 0 else -det", "return det"),
        ("X[i] = _minus(X[i], f, X[k])", "X[i] = _minus(X[i], -f, X[k])"),
    ],
}  # fmt: skip

LOOPS = [Mutation(module, *pair) for module, pairs in _TEXT.items() for pair in pairs]
