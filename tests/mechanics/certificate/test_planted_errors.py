"""Every statement that equamo proves is refuted if either of its sides has an error in its code."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import get_args

import pytest

import equamo as eq
from changed_module import stands_once
from equamo.code.codegen.targets import TARGETS
from equamo.code.ir.derivative import Kind
from equamo.code.ir.derivatives import derivative_functions
from equamo.code.ir.functions import functions
from equamo.code.ir.inertial_derivatives import inertial_derivatives
from equamo.code.jit.certificate import STATEMENTS
from equamo.errors import EquamoError
from equamo.mechanics.certificate import virtual_power
from equamo.mechanics.equations.regressor import What
from planted_code import planted
from planted_errors import ELEMENTS, LINES, OTHERS, PROGRAMS, Row
from planted_verdicts import OF_FRAMES, function_of, of_element, of_line, of_other, of_program
from planted_zoo import ZOO

Judge = Callable[[str, str], str]
TABLES: tuple[tuple[dict[str, Row], Judge], ...] = (
    (LINES, of_line), (PROGRAMS, of_program), (ELEMENTS, of_element), (OTHERS, of_other),
)  # fmt: skip
SIDES = ("left", "right")
ALL = [(name, judge, row) for table, judge in TABLES for name, row in table.items()]
# At each commit: those of which both sides had the same error once.
QUICK = (
    "gravity_pushforward", "gravity_pullback", "gravity_by_m1", "pose_derivatives", "pose",
    "own", "mass_matrix_product_derivatives", "lock keeps the other equations",
    "linear in the inertial parameters", "two cuts of a loop: equal accelerations",
)  # fmt: skip
# Functions of the source that ask for a proof, and the statements that they make; what else they do.
CHECK = "a check of what the user gave"
PROVED_IN = {
    "mechanics.certificate.comparison compare": ("compare",),
    "mechanics.certificate.cuts _closes_by_attachment": ("two cuts of a loop: equal accelerations",),
    "mechanics.certificate.dissipation dissipation": ("dissipation",),
    "mechanics.certificate.export export_data": "the lines of the certificate again",
    "mechanics.certificate.statement Statement.certificate": tuple(LINES),
    "code.codegen.program_proof program_heads": tuple(PROGRAMS),
    "code.codegen.prove_code prove_code": ("text = program: c",),
    "code.codegen.text_proof prove_package": ("text = program: c",),
    "code.codegen.text_proof prove_code_file": tuple(f"text = program: {x}" for x in TARGETS),
    "motion.control.symbolic_linearize _solved": ("linearization",),
    "motion.control.symbolic_linearize _holding_inputs": ("linearization, holding inputs",),
    "motion.control.kinks expect_exact_slopes": CHECK,
    "motion.control.symbolic_linearize _check_quaternions": CHECK,
    "publish.document.compare _equal": ("paper: two methods agree",),
    "publish.document.round_trip read_back": ("paper: the text is read back",),
    "publish.document.script Script.finished": ("paper: the lines follow",),
    "mechanics.equations.base_parameters BaseParameters.proof": (
        "base parameters", "base parameters = inverse dynamics",
    ),
    "mechanics.equations.closed_form_loops closed_forms": ("dependent coordinates in closed form",),
    "mechanics.equations.constraint_forces constraint_forces": ("constraint forces with chosen speeds",),
    "mechanics.equations.impact impact": ("impact",),
    "mechanics.equations.regressor Regressor.proof": ("regressor", "slotine_li", "momentum", "energy"),
    "mechanics.equations.storage _check_derived": ("stored equations",),
    "code.ir.proof _proofs": tuple(PROGRAMS),
    "code.ir.proof prove_same": ("LLVM IR = program", "text = program: c"),
    "code.jit.certificate ir_computes_the_program": ("LLVM IR = program", "GPU: LLVM IR = program"),
    "code.jit.certificate _proved": tuple(PROGRAMS),
    "code.jit.cuda.module DeviceModule.prove": ("GPU: LLVM IR = program",),
    "code.jit.cuda.proof judged": ("GPU: LLVM IR = program",),
    "code.jit.expression_function ExpressionFunction.prove": ("program = expressions",),
    "code.jit.ir_proof prove_ir": ("LLVM IR = program", "LLVM IR = program, on 4 lanes"),
    "mechanics.kinematics.force_projection input_matrix": ("w·B τ = virtual power of actuators",),
    "robot.model.check _kinematics": ("joints: A is a rotation, S v its rate",),
    "robot.model.check _gravity": CHECK,
    "robot.model.constraint constraint_matrix": CHECK,
    "robot.model.integrability _combinations": CHECK,
    "robot.model.loop_checks loop_findings": CHECK,
    "robot.model.slots _check_base": CHECK,
    "robot.model.slots _is_periodic": CHECK,
    "robot.model.unit_quaternions unit_quaternion": CHECK,
    "robot.model.speeds _check_closes": ("φ = 0 in closed form",),
    "robot.model.speeds kept_speeds": ("N keeps every constraint", "N gives the chosen speeds"),
    "robot.model.speeds eliminate": ("N moves dependent coordinates",),
    "mechanics.recursions.drive_columns _coulomb": ("regressor",),
}  # fmt: skip
PROVERS = {
    "prove_zero", "prove_equal", "prove_all", "prove_same", "prove_programs", "prove_ir",
    "prove_thread", "prove_code_file",
}  # fmt: skip


# -- the table is complete -------------------------------------------------------------------------
def test_every_line_of_a_certificate_has_a_row() -> None:
    certificates = [eq.prove(make(), seed=1) for make in ZOO.values()]
    assert all(c.ok for c in certificates)
    assert {line.name for c in certificates for line in c.lines} == set(LINES)


def test_every_kind_of_force_element_has_a_row() -> None:
    kinds = {kind.__name__ for kind in virtual_power.virtual_power.registry} - {"object"}
    assert kinds == set(ELEMENTS) - {"length of two points"}


def test_every_function_has_a_row() -> None:
    names = set(OF_FRAMES)
    for make in ZOO.values():
        eom = eq.derive(make())
        for table in (functions(eom), derivative_functions(eom), inertial_derivatives(eom)):
            names |= set(table)
    assert names <= set(PROGRAMS), names - set(PROGRAMS)


def test_every_kind_of_derivative_has_a_row() -> None:
    found: set[str] = set()
    eoms = {robot: eq.derive(ZOO[robot]()) for robot in {row.robot for row in PROGRAMS.values()}}
    for name, row in PROGRAMS.items():
        derivative = function_of(eoms[row.robot], name).derivative
        found |= {derivative.kind} if derivative is not None else set()
    assert found == set(get_args(Kind))


def test_every_statement_about_code_has_a_row() -> None:
    expected = {*STATEMENTS, *(f"GPU: {x}" for x in STATEMENTS)}
    expected |= {f"text = program: {x}" for x in TARGETS} | {"default parameters"}
    assert expected <= set(OTHERS)
    assert {x.replace("inverse_dynamics", "regressor") for x in get_args(What)} <= set(OTHERS)


def test_every_place_that_asks_for_a_proof_has_a_row() -> None:
    """Claims and audits compare what other people wrote, and have tests of their own."""
    root = Path(eq.__file__).parent
    found = set[str]()
    for path in sorted(root.rglob("*.py")):
        module = ".".join(path.relative_to(root).with_suffix("").parts)
        text = path.read_text("utf-8")
        if not module.startswith(("algebra.identity.", "review.")) and any(
            x in text for x in PROVERS
        ):
            found |= {f"{module} {x}" for x in calls(ast.parse(text), "")}
    assert found == set(PROVED_IN)
    statements = {name for name, *_ in ALL}
    for x in PROVED_IN.values():
        assert isinstance(x, str) or set(x) <= statements


def calls(node: ast.AST, place: str) -> Iterator[str]:
    """Functions in which a prover is called."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            called = getattr(child.func, "id", getattr(child.func, "attr", ""))
            if called in PROVERS:
                yield place
        named = isinstance(child, (ast.FunctionDef, ast.ClassDef))
        yield from calls(child, f"{place}.{child.name}".lstrip(".") if named else place)


def test_every_error_can_be_planted() -> None:
    errors = {m for *_, row in ALL for m in (row.left, row.right)}
    assert not [m for m in errors if not stands_once(m)]
    assert not [name for name, _, row in ALL if row.left == row.right]


# -- errors are found ------------------------------------------------------------------------------
def verdict(name: str, judge: Judge, row: Row, side: str | None) -> str:
    """Verdict on a statement with an error in one of its sides; "no result" after an error of equamo."""
    errors = [] if side is None else [getattr(row, side)]
    with planted(*errors):
        try:
            return judge(name, row.robot)
        except EquamoError:
            return "no result"


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("name", QUICK)
def test_errors_in_either_side_are_found(name: str, side: str) -> None:
    (row,) = ((judge, row) for n, judge, row in ALL if n == name)
    assert verdict(name, *row, side) != "proved"


@pytest.mark.ci
@pytest.mark.parametrize(("name", "judge", "row"), ALL, ids=[name for name, *_ in ALL])
def test_no_statement_is_proved_with_an_error(name: str, judge: Judge, row: Row) -> None:
    assert verdict(name, judge, row, None) == "proved"
    for side in SIDES:
        assert verdict(name, judge, row, side) != "proved", side
