"""Programs of derivative functions are proved from the equations, and wrong ones are refuted."""

from __future__ import annotations

from functools import cache

import pytest

from equamo.algebra.expr import ONE
from equamo.algebra.identity.prove import prove_zero
from equamo.code.ir.derivatives import derivative_functions
from equamo.code.ir.dynamics_derivatives import DynamicsDerivatives
from equamo.code.ir.function import Function, folded
from equamo.code.ir.functions import program_equations
from equamo.code.ir.lookup import function_named
from equamo.code.ir.proof import Made, prove_programs
from equamo.code.ir.rebuild import rebuild
from equamo.code.ir.specification import residuals
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.catalog import load
from equamo.robot.model.wrt import WRT
from force_robots import arm, one_of_each
from random_trees import WHOLE_SWEEPS, random_tree

ROBOTS = ("rr_arm", "rolling_disc", "quaternion", "forces")
SEEDS = range(200) if WHOLE_SWEEPS else (60,)


@cache
def eom_of(name: str) -> EquationsOfMotion:
    if name == "quaternion":
        return derive(random_tree(3, bodies=("spherical quaternion", "revolute")).robot())
    return derive(arm(*one_of_each()) if name == "forces" else load(name))


@cache
def programs(name: str) -> list[Made]:
    return [(f, f.program()) for f in derivative_functions(eom_of(name)).values()]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ROBOTS)
def test_every_program_is_proved(name: str) -> None:
    eom, made = eom_of(name), programs(name)
    assert len(made) == 2 * (3 * 4 + 2)
    proofs = prove_programs(eom, made, seed=1)
    assert [f.name for (f, _), proof in zip(made, proofs, strict=True) if not proof] == []


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ROBOTS)
def test_every_entry_counts(name: str) -> None:
    """One entry, changed by 1: refuted, whichever function and whichever entry."""
    eom = eom_of(name)
    for k, (f, program) in enumerate(programs(name)):
        found = rebuild(program)
        entries = [e for y in f.results for e in found[y.name]]
        at = 7 * k % len(entries)
        entries[at] = entries[at] + ONE
        zero = residuals(eom, f, entries)
        assert prove_zero(zero, unit=eom.robot.unit_groups, seed=1).verdict == "refuted", f.name


BY_PARAMETERS = (
    "inverse_dynamics", "forward_dynamics", "forward_dynamics_inputs", "state_derivative",
    "mass_matrix", "mass_matrix_factors", "coriolis_matrix", "gravity", "kinetic_energy", "pose_fore",
    "jacobian_fore", "inverse_dynamics_derivatives", "inverse_dynamics_derivatives_packed",
)  # fmt: skip


def by_parameters(eom: EquationsOfMotion, name: str) -> Function:
    base = name.removesuffix("_packed")
    return function_named(eom, f"{base}_by_m2__L1{name.removeprefix(base)}")


@pytest.mark.parametrize("numeric", [False, True])
def test_derivatives_by_parameters_are_proved(numeric: bool) -> None:
    """With the parameters as arguments, and with numbers in their place after differentiation."""
    eom = eom_of("forces")
    found = [by_parameters(eom, n) for n in BY_PARAMETERS]
    if numeric:
        values = {n: x for n, x in eom.robot.values.items() if x is not None}
        found = [folded(f, values) for f in found]
    made = [(f, f.program()) for f in found]
    proofs = prove_programs(eom, made, seed=1)
    assert [f.name for (f, _), proof in zip(made, proofs, strict=True) if not proof] == []


@pytest.mark.parametrize("name", BY_PARAMETERS)
def test_every_entry_by_a_parameter_counts(name: str) -> None:
    eom = eom_of("forces")
    f = by_parameters(eom, name)
    found = rebuild(f.program())
    entries = [e for y in f.results for e in found[y.name]]
    entries[-1] = entries[-1] + ONE
    zero = residuals(eom, f, entries)
    assert prove_zero(zero, unit=eom.robot.unit_groups, seed=1).verdict == "refuted"


def test_folded_states_are_differentiated_before_the_numbers() -> None:
    """∂M/∂m1 is not 0 when m1 is a number in the program."""
    eom = eom_of("rr_arm")
    f = folded(function_named(eom, "mass_matrix_by_m1"), {"m1": 2})
    assert rebuild(f.program())["dM_dp1"][0] is not ONE - ONE
    assert [a.name for a in f.arguments] == ["q", "parameters"]


def test_derivatives_of_a_function_without_inputs() -> None:
    """An empty result takes no part."""
    eom = derive(arm())
    f = derivative_functions(eom)["state_derivative_derivatives"]
    assert f.results[2].shape == (6, 0)
    assert prove_programs(eom, [(f, f.program())], seed=1)[0]


@pytest.mark.ci
@pytest.mark.parametrize("seed", SEEDS)
def test_both_sources_are_equal_on_random_trees(seed: int) -> None:
    """The recursion for derivatives is the derivative of the recursion, and satisfies the equations."""
    eom = derive(random_tree(seed).robot())
    for wrt in WRT:
        d = DynamicsDerivatives(program_equations(eom), wrt)
        pairs = zip(d.by_graph(), d.by_recursion(), strict=True)
        zero = [x - y for a, b in pairs for x, y in zip(a.entries, b.entries, strict=True)]
        assert prove_zero(zero, unit=eom.robot.unit_groups, seed=1), wrt
    made = [(f, f.program()) for n, f in derivative_functions(eom).items() if n in _SWEPT]
    assert all(prove_programs(eom, made, seed=1))


_SWEPT = ("inverse_dynamics_derivatives", "inverse_dynamics_vjp", "inverse_dynamics_hvp")


@pytest.mark.parametrize(
    "name",
    ["rolling_disc", "wheeled_inverted_pendulum", *(["krang_on_wheels"] if WHOLE_SWEEPS else [])],
)
def test_both_sources_are_equal_with_chosen_speeds(name: str) -> None:
    """W(q) has derivatives of its own, and eliminated coordinates move with the others."""
    eom = derive(load(name))
    for wrt in WRT:
        d = DynamicsDerivatives(program_equations(eom), wrt)
        pairs = zip(d.by_graph(), d.by_recursion(), strict=True)
        zero = [x - y for a, b in pairs for x, y in zip(a.entries, b.entries, strict=True)]
        assert prove_zero(zero, seed=1), wrt


@pytest.mark.parametrize("by", ["kane"])
def test_equations_of_other_methods(by: str) -> None:
    eom = derive(load("rr_arm"), by=by)
    made = [(f, f.program()) for f in derivative_functions(eom).values()]
    assert all(prove_programs(eom, made, seed=1))


def test_equations_with_symbols_replaced() -> None:
    """The derivative of what the function computes then: a coordinate that is a number has slope 0."""
    eom = derive(load("rr_arm")).subs({"m1": 2, "q1": 0})
    f = derivative_functions(eom)["inverse_dynamics_derivatives"]
    assert all(x.value == 0 for x in f.outputs(f.ways[0])["dtau_dq"].column(0))  # type: ignore[union-attr]
    assert prove_programs(eom, [(f, f.program())], seed=1)[0]
