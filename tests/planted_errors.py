"""Statements that equamo proves, each with an error in the code of either side.

`LINES`, `PROGRAMS`, `ELEMENTS` and `OTHERS` have one row per statement: the robot, an error in the code
that makes the left side, and one in the code that makes the right side. With either of them the
statement must not be proved. If a statement is that something vanishes, the right side is the code that
says what must vanish. An error is a piece of the source and what replaces it, as in `mutations`; most
are wrong factors and signs.

tests/mechanics/certificate/test_planted_errors.py plants the errors, and demands a row for each line of
a certificate, each kind of function of a program, and each place in the source that asks for a proof.
"""

from __future__ import annotations

from planted_lines import ELEMENTS, FORMULATIONS, LINES, Row, row
from planted_programs import PROGRAMS

__all__ = ["ELEMENTS", "LINES", "OTHERS", "PROGRAMS", "Row"]

_SCRIPT = "publish.document.script"
_LANGUAGES = ("c", "cpp", "matlab", "javascript", "casadi")
_PRINTED = "code.codegen.targets.target", 'return f"{a}*{b}"', 'return f"{a}*{b}*2.0"'
_READ = "code.codegen.readers.arithmetic", "x = values.pop() * x", "x = values.pop() * x * 2"
_READ_NUMPY = (
    "code.codegen.readers.numpy_expression", "values.append(values.pop() * x)",
    "values.append(values.pop() * x * 2)",
)  # fmt: skip

# Statements that are proved by a function of their own.
OTHERS: dict[str, Row] = {
    "compare": row("pendulum", *FORMULATIONS["kane"], *FORMULATIONS["lagrange"]),
    "stored equations": row(
        "pendulum", "mechanics.equations.storage", "return Derivation(Matrix(rows[:n]), bias, gravity,",
        "return Derivation(Matrix(rows[:n]), bias, gravity * 2,", "mechanics.equations.storage",
        "zip(stored.entries, derived.entries, strict=True)",
        "zip(stored.entries, [2 * x for x in derived.entries], strict=True)",
    ),
    "dissipation": row(
        "forces", "robot.model.forces.joint_damper", "SpeedForce(self.speed, -(self.damping",
        "SpeedForce(self.speed, (self.damping", "robot.model.forces.joint_damper",
        "return -(self.damping * symbol(self.speed) ** 2)",
        "return -(2 * self.damping * symbol(self.speed) ** 2)",
    ),
    "impact": row(
        "four_bar", "mechanics.equations.impact", "before - space.correction(w) * (ONE + e)",
        "before - space.correction(w)", "mechanics.equations.impact", "(after @ (M @ after)) - loss",
        "(after @ (M @ after)) - loss * 2",
    ),
    "constraint forces with chosen speeds": row(
        "rolling", "mechanics.equations.constraint_forces", "force = G.T @ r", "force = G.T @ r * 2",
        "mechanics.equations.constraint_forces", "rest = r - A.T @ force -",
        "rest = r * 2 - A.T @ force -",
    ),
    "dependent coordinates in closed form": row(
        "closed", "mechanics.equations.closed_form_loops", "self.formulas[x] = self._near_home(x, e)",
        "self.formulas[x] = self._near_home(x, e * 2)", "robot.model.closure",
        "d, z1, z2 = X.point(loop.at) - loop.to_at,", "d, z1, z2 = X.point(loop.at) * 2 - loop.to_at,",
    ),
    "regressor": row(
        "pendulum", "mechanics.recursions.regressor", "alpha.cross(e) + w_r.cross(w.cross(e))",
        "alpha.cross(e) - w_r.cross(w.cross(e))", *FORMULATIONS["recursive"],
    ),
    "slotine_li": row(
        "pendulum", "mechanics.recursions.regressor", "E @ alpha + w.cross(E @ w_r)",
        "E @ alpha - w.cross(E @ w_r)", "mechanics.equations.regressor",
        "eom.mass_matrix @ Vector(self.vdot_r) +", "eom.mass_matrix @ Vector(self.vdot_r) * 2 +",
    ),
    "momentum": row(
        "pendulum", "mechanics.recursions.regressor", "columns = [Force(frame, ZERO3, a)]",
        "columns = [Force(frame, ZERO3, a * 2)]", "mechanics.equations.regressor",
        "found = eom.mass_matrix @ v",
        "found = eom.mass_matrix @ v * 2",
    ),
    "energy": row(
        "pendulum", "mechanics.recursions.regressor", "*v.cross(w), *tensors", "*w.cross(v), *tensors",
        "mechanics.equations.regressor", "found = Vector([eom.kinetic_energy, eom.potential_energy])",
        "found = Vector([eom.kinetic_energy * 2, eom.potential_energy])",
    ),
    "base parameters": row(
        "pendulum", "mechanics.equations.base_parameters", "total = total + c * value(other)",
        "total = total - c * value(other)", "mechanics.equations.base_parameters",
        "given = Y.matrix @ Vector([",
        "given = Y.matrix @ Vector([2 * ",
    ),
    "base parameters = inverse dynamics": row(
        "pendulum", "mechanics.recursions.regressor", "columns = [Force(frame, ZERO3, a)]",
        "columns = [Force(frame, ZERO3, a * 2)]", *FORMULATIONS["recursive"],
    ),
    "linearization": row(
        "rr_arm", "motion.control.symbolic_linearize",
        "solution = [[F.write(x) for x in row] for row in X]",
        "solution = [[F.write(x) * 2 for x in row] for row in X]", "motion.control.symbolic_linearize",
        "prove_zero(M @ Matrix(solution) - right)", "prove_zero(M @ Matrix(solution) - right * 2)",
    ),
    "linearization, holding inputs": row(
        "rr_arm", "motion.control.symbolic_linearize", "u = [field.write(field.read(x)) for x in",
        "u = [field.write(field.read(x)) + 1 for x in", "motion.control.symbolic_linearize",
        "rest = b - a\n",
        "rest = b - a + 1\n",
    ),
    "program = expressions": row(
        "", "code.ir.expressions", "return tuple(self.outputs.values())",
        "return tuple(x * 2 for x in self.outputs.values())", "code.ir.expressions",
        "return tuple(self.outputs[y.name] for y in self.results)",
        "return tuple(self.outputs[y.name] * 2 for y in self.results)",
    ),
    "constants rounded once": row(
        "pendulum", "code.jit.llvm", "hexadecimal(nearest(x, self.dtype))",
        "hexadecimal(2 * nearest(x, self.dtype))", "code.jit.certificate",
        "y = nearest(x, module.dtype)",
        "y = 2 * nearest(x, module.dtype)",
    ),
    "LLVM IR = program": row(
        "pendulum", "code.jit.llvm", 'f"f{op} {T} {self.operand(a)}, {self.operand(b)}"',
        'f"f{op} {T} {self.operand(b)}, {self.operand(b)}"', "code.ir.rounding", "return float(x)\n",
        "return 2 * float(x)\n",
    ),
    "LLVM IR = program, on 4 lanes": row(
        "pendulum", "code.jit.llvm", 'f"f{op} {T} {self.operand(a)}, {self.operand(b)}"',
        'f"f{op} {T} {self.operand(b)}, {self.operand(b)}"', "code.ir.rounding",
        "return float(rounded if x > 0 else -rounded)",
        "return 2 * float(rounded if x > 0 else -rounded)",
    ),
    "GPU: constants rounded once": row(
        "pendulum", "code.jit.llvm", "hexadecimal(nearest(x, self.dtype))",
        "hexadecimal(2 * nearest(x, self.dtype))", "code.jit.certificate",
        "y = nearest(x, module.dtype)",
        "y = 2 * nearest(x, module.dtype)",
    ),
    "GPU: LLVM IR = program": row(
        "pendulum", "code.jit.cuda.thread", 'y = self._line(f"fmul {T} {a}, {r}")',
        'y = self._line(f"fmul {T} {a}, {a}")', "code.ir.rounding", "return float(x)\n",
        "return 2 * float(x)\n",
    ),
    "paper: the lines follow": row(
        "rr_arm", _SCRIPT, "form = closed(value) if form is None else form",
        "form = closed(value) * 2 if form is None else form", _SCRIPT,
        "claims = differences(inserted(form, meaning), value)",
        "claims = differences(inserted(form, meaning), value * 2)",
    ),
    "paper: the text is read back": row(
        "rr_arm", _SCRIPT, "lines = latex_of(form, self.style.short, notation, room, row)",
        "lines = latex_of(form * 2, self.style.short, notation, room, row)",
        "publish.document.round_trip",
        "return Evaluation(self._scope).value(source.tree)",
        "return Evaluation(self._scope).value(source.tree) * 2",
    ),
    "paper: two methods agree": row(
        "rr_arm", *FORMULATIONS["kane"], "mechanics.formulations.lagrange", "p = V * M + w.cross(MS)",
        "p = V * M - w.cross(MS)",
    ),
    **{f"text = program: {x}": row("pendulum", *_PRINTED, *_READ) for x in _LANGUAGES},
    "text = program: numpy": row("pendulum", *_PRINTED, *_READ_NUMPY),
    "default parameters": row(
        "pendulum", "code.codegen.targets.c",
        "initialiser(self.format_constant(Fraction(x)) for x in defaults)",
        "initialiser(self.format_constant(2 * Fraction(x)) for x in defaults)",
        "code.codegen.text_proof",
        "is_nearest(nearest(x, dtype), Fraction(y), dtype)",
        "is_nearest(nearest(x, dtype), 2 * Fraction(y), dtype)",
    ),
}  # fmt: skip
