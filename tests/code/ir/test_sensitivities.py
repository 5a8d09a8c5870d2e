"""jac_f, adj1_f and jac_adj1_f: proved, and refuted if an entry is wrong."""

from dataclasses import replace

import casadi
import pytest

import equamo as eq
from equamo.code.ir.function import Function
from equamo.code.ir.lookup import function_named
from equamo.code.ir.program import Instruction, Program
from equamo.code.ir.proof import prove_programs
from equamo.code.ir.sensitivities import PREFIXES, ports, prefix_of, sensitivities

pytestmark = pytest.mark.needs("casadi")


def spinner() -> eq.Robot:
    """A free body with an arm: its quaternion stands for its direction."""
    base = eq.Body("a", eq.free("base"), mass="m", com="c 0 0", inertia="1 0 0 2 0 3")
    arm = eq.Body(
        "b", eq.revolute("q1", axis="x", at="0 0 l"), mass=2, com="0 0.1 0.2",
        inertia="1 0 0 1 0 1", parent="a",
    )  # fmt: skip
    return eq.Robot("spinner", [base, arm])


def family(
    eom: eq.EquationsOfMotion, name: str, **values: object
) -> list[tuple[Function, Program]]:
    made = sensitivities(eom, function_named(eom, name), values)
    assert tuple(map(prefix_of, made)) == ("", *PREFIXES)
    return [(f, f.program()) for f in made]


ROBOTS = {
    "rr_arm": (
        eq.load("rr_arm"), ("inverse_dynamics", "state_derivative", "mass_matrix", "kinetic_energy")
    ),
    "spinner": (spinner(), ("gravity", "inverse_dynamics", "forward_dynamics", "kinematic_map")),
    "rolling_disc": (eq.load("rolling_disc"), ("forward_dynamics",)),
    "four_bar": (eq.load("four_bar"), ("forward_dynamics_inputs", "constraint_forces")),
}  # fmt: skip


@pytest.mark.sweep(1)
@pytest.mark.parametrize("robot", ROBOTS)
def test_all_are_proved(robot: str) -> None:
    model, names = ROBOTS[robot]
    eom = eq.derive(model)
    made = [x for name in names for x in family(eom, name)]
    for (f, _), proof in zip(made, prove_programs(eom, made, seed=1), strict=True):
        assert proof, f"{f.name}: {proof}"


def test_numbers_in_place_of_parameters() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    made = family(eom, "forward_dynamics", **eom.robot.values)
    assert [a.name for a in made[0][0].arguments] == ["q", "v", "tau"]
    assert all(prove_programs(eom, made, seed=1))
    made = family(eom, "inverse_dynamics", m1=2, g="9.81")
    assert [len(a) for a in made[0][0].arguments] == [2, 2, 2, 6]
    assert all(prove_programs(eom, made, seed=1))


@pytest.mark.parametrize("name", ["inverse_dynamics", "forward_dynamics"])
def test_one_wrong_instruction_is_refuted(name: str) -> None:
    eom = eq.derive(spinner())
    for f, program in family(eom, name):
        wrong = list(program.instructions)
        k = max(i for i, x in enumerate(wrong) if x.op in ("add", "fma"))
        op = {"add": "sub", "fma": "fms"}[wrong[k].op]
        wrong[k] = Instruction(op, wrong[k].args)
        (proof,) = prove_programs(eom, [(f, replace(program, instructions=tuple(wrong)))], seed=1)
        assert proof.verdict == "refuted", f.name


def test_off_the_unit_sphere_a_missing_length_is_refuted() -> None:
    """Derivatives that are right on the unit sphere alone are not what is claimed."""
    eom = eq.derive(spinner())
    plain = sensitivities(eom, function_named(eom, "gravity"))[1]
    whole = plain.unpacked
    assert whole is not None
    unit = {x: x * 2 for group in eom.robot.unit_groups for x in group}
    scaled = tuple(
        m.subs(unit) for m in whole.outputs(whole.ways[0]).values()
    )  # at 2 x: half as large
    other = replace(whole, ways=(lambda: scaled,))
    right, wrong = prove_programs(eom, [(whole, whole.program()), (whole, other.program())], seed=1)
    assert right
    assert wrong.verdict == "refuted"


def test_names_and_shapes_are_those_of_casadi() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    f = function_named(eom, "mass_matrix")
    results = [(y.name, y.shape) for y in f.results]
    q, p = casadi.SX.sym("q", 2), casadi.SX.sym("parameters", 8)
    g = casadi.Function("f", [q, p], [q @ p[:2].T], ["q", "parameters"], ["M"])
    theirs = {
        "": g,
        "jac_": g.jacobian(),
        "adj1_": g.reverse(1),
        "jac_adj1_": g.reverse(1).jacobian(),
    }
    for prefix, h in theirs.items():
        inputs, outputs = ports(f.arguments, results, prefix)
        assert [x.name for x in inputs] == h.name_in()
        assert [x.name for x in outputs] == h.name_out()
        assert [x[1:3] for x in inputs] == [h.size_in(k) for k in range(h.n_in())]
        assert [x[1:3] for x in outputs] == [h.size_out(k) for k in range(h.n_out())]
        assert [x.is_empty for x in inputs] == [h.nnz_in(k) == 0 for k in range(h.n_in())]
