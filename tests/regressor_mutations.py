"""Errors put into regressors and base parameters on purpose, as in `mutations`."""

from __future__ import annotations

from mutations import Mutation

_TEXT: dict[str, list[tuple[str, str]]] = {
    "mechanics.recursions.regressor": [
        ("alpha.cross(e) + w_r.cross(w.cross(e))", "alpha.cross(e) + w.cross(w_r.cross(e))"),
        ("alpha.cross(e) + w_r.cross(w.cross(e))", "alpha.cross(e) - w_r.cross(w.cross(e))"),
        ("Force(frame, e.cross(a),", "Force(frame, a.cross(e),"),
        ("n = n - turning", "n = n + turning"),
        ("E @ alpha + w.cross(E @ w_r)", "E @ alpha + w_r.cross(E @ w)"),
        ("A.linear + w_r.cross(V[j].linear)", "A.linear + w_r.cross(V_r[j].linear)"),
        ("+ V[j].cross(relative)", "+ V_r[j].cross(relative)"),
        ("A = A + S * v_r[k]", "A = A + S * vdot_r[k]"),
        ("*v.cross(w), *tensors", "*w.cross(v), *tensors"),
        ("*(-(A.T @ g))", "*(-(A @ g))"),
        ("robot.vdot, gravity=robot.gravity)", "robot.vdot)"),
        ("ReferenceMotion(ZERO3, ZERO3, V[b.name].angular, V[b.name].linear)",
         "ReferenceMotion(V[b.name].angular, V[b.name].angular, V[b.name].angular, V[b.name].linear)"),
    ],
    "mechanics.recursions.drive_columns": [
        ("inertia, k, rates[k])", "inertia, k, rates[0])"),
        ("plus, minus = Fc.subs({u: 1}), Fc.subs({u: -1})",
         "minus, plus = Fc.subs({u: 1}), Fc.subs({u: -1})"),
        ("tanh(u / element.width)", "tanh(u * element.width)"),
    ],
    "mechanics.recursions.regrouping": [
        ("return relation | {k: -x for k, x in there.items()}",
         "return relation | there"),
        ("Inertia(ZERO, ZERO3, identity(3) - outer(e, e))",
         "Inertia(ZERO, ZERO3, identity(3) + outer(e, e))"),
        ("E - TENSORS[k] * (weight[i] / weight[k])", "E - TENSORS[k] * weight[i]"),
        ("return e if (joint.turned @ e).cross(parent).is_zero else None",
         "return e if e.cross(parent).is_zero else None"),
        ("or ((joint.turned @ e) @ parent) is ZERO", "or ((joint.turned @ e) @ parent) is not ZERO"),
        ("still = joint.linear().is_zero\n    if joint.angular().is_zero:\n        return [mass",
         "still = True\n    if joint.angular().is_zero:\n        return [mass"),
        ("if b.parent != WORLD or not robot.base.is_zero or", "if not robot.base.is_zero or"),
        ("new = {key: -(x / c) for key, x in reduced.items()}",
         "new = {key: x / c for key, x in reduced.items()}"),
        ("return _without_zeros(total)", "return total"),
    ],
    "algebra.identity.point": [
        ("            values.update(known.symbols)\n", ""),
    ],
    "mechanics.equations.regressor": [
        ("u_dot_r + speeds.W_dot @ Vector(v_r)", "u_dot_r - speeds.W_dot @ Vector(v_r)"),
        ("left_out[element.name] = -Vector(", "left_out[element.name] = Vector("),
    ],
    "mechanics.equations.base_parameters": [
        ("total = total + c * value(other)", "total = total - c * value(other)"),
        ("return found if found.proof else by_rules", "return by_rules"),
    ],
    "mechanics.equations.interpolated_relations": [
        ("if before[i][k] != after[i][k]:", "if before[i][k] == after[i][k]:"),
    ],
    "mechanics.equations.special_geometries": [
        ("copy_with(robot, gravity=along * size)", "copy_with(robot, gravity=b.joint.axis * size)"),
        ("replace(c, turned=_turning(c.axis, p.axis))", "replace(c, turned=c.turned.T)"),
    ],
}  # fmt: skip

REGRESSOR = [Mutation(module, *pair) for module, pairs in _TEXT.items() for pair in pairs]
