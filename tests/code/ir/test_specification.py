"""What functions must compute is what the equations say, and nothing weaker."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

import equamo.code.ir.functions
from equamo.algebra.expr import ONE, Expr, constant
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity.prove import prove_zero
from equamo.code.ir.function import folded
from equamo.code.ir.functions import FRAME_FUNCTIONS, frame_function, functions, is_run_again
from equamo.code.ir.specification import residuals
from equamo.errors import ShapeError, UnknownNameError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.mechanics.recursions.factorisation import Factors
from equamo.robot.catalog import load
from equamo.robot.model import BaseMotion
from force_robots import arm
from programs_made import made, prove
from random_trees import random_tree

ROBOTS = ("rr_arm", "wheeled_inverted_pendulum", "rolling_disc", "puma560")


def tree(*kinds: str) -> EquationsOfMotion:
    return derive(random_tree(7, bodies=kinds).robot())


# -- the quantities of the equations satisfy it -------------------------------------------------------
@pytest.mark.parametrize("name", ROBOTS)
def test_quantities_of_the_equations_satisfy_their_specification(name: str) -> None:
    eom = derive(load(name))
    table = functions(eom)
    for quantity in ("mass_matrix", "bias", "gravity", "inverse_dynamics", "kinetic_energy"):
        value: Expr | Vector | Matrix = getattr(eom, quantity)
        outputs = [value] if isinstance(value, Expr) else list(value.entries)
        zero = residuals(eom, table[quantity], outputs)
        assert len(zero) == len(outputs)
        assert prove_zero(zero, unit=eom.robot.unit_groups, seed=1), quantity


def test_the_derivative_of_the_state_satisfies_its_specification() -> None:
    eom = derive(load("rolling_disc"))
    zero = residuals(eom, functions(eom)["state_derivative"], list(eom.state_derivative))
    assert prove_zero(zero, seed=1)


# -- the Coriolis matrix ----------------------------------------------------------------------------
JOINTS = (("revolute", "universal"), ("free quaternion", "revolute"), ("spherical euler", "custom"))


@pytest.mark.parametrize("kinds", JOINTS, ids=" ".join)
def test_christoffels_matrix_has_both_properties(kinds: tuple[str, ...]) -> None:
    eom = tree(*kinds)
    assert is_run_again(eom)
    zero = residuals(eom, functions(eom)["coriolis_matrix"], list(eom.coriolis_matrix.entries))
    assert len(zero) == len(eom.v) ** 2 + len(eom.v)  # and not a difference entry by entry
    assert prove_zero(zero, unit=eom.robot.unit_groups, seed=1)


@pytest.mark.parametrize("kinds", JOINTS[:2], ids=" ".join)
def test_another_factorisation_with_a_skew_difference_is_refuted(kinds: tuple[str, ...]) -> None:
    """C + S with S skew and S v = 0 keeps C v = bias and Ṁ − 2C skew; it is not Christoffel's."""
    eom = tree(*kinds)
    n, v = len(eom.v), eom.v
    S = [[constant(0)] * n for _ in range(n)]
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):  # v × on the first three speeds
        S[i][j], S[j][i] = -v[k], v[k]
    other = eom.coriolis_matrix + Matrix(S)
    assert prove_zero(Matrix(S) @ Vector(v), seed=1)
    zero = residuals(eom, functions(eom)["coriolis_matrix"], list(other.entries))
    assert prove_zero(zero[: n * n], unit=eom.robot.unit_groups, seed=1)
    assert prove_zero(zero, unit=eom.robot.unit_groups, seed=1).verdict == "refuted"


def test_a_matrix_that_is_not_linear_in_the_speeds_is_refuted() -> None:
    eom = derive(load("rr_arm"))
    a = eom.v[0] * eom.v[1] * eom.v[0]
    other = eom.coriolis_matrix + Matrix([[0, a], [-a, 0]])
    zero = residuals(eom, functions(eom)["coriolis_matrix"], list(other.entries))
    assert prove_zero(zero[:4], seed=1)
    assert prove_zero(zero, seed=1).verdict == "refuted"


def test_the_documents_split_is_compared_entry_by_entry() -> None:
    eom = derive(load("wheeled_inverted_pendulum"), coriolis="split")
    f = functions(eom)["coriolis_matrix"]
    assert all(e is constant(0) for e in residuals(eom, f, list(eom.coriolis_matrix.entries)))
    christoffel = derive(load("wheeled_inverted_pendulum")).coriolis_matrix
    assert not prove_zero(residuals(eom, f, list(christoffel.entries)), seed=1)


# -- frames -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("kinds", JOINTS, ids=" ".join)
def test_jacobians_are_derivatives_of_the_pose(kinds: tuple[str, ...]) -> None:
    eom = tree(*kinds)
    frame, name = eom.frame(eom.robot.bodies[-1].name), eom.robot.bodies[-1].name
    jacobian = frame_function(eom, "jacobian", name)
    J = frame.jacobian()
    zero = residuals(eom, jacobian, list(J.entries))
    assert len(zero) == 6
    assert prove_zero(zero, unit=eom.robot.unit_groups, seed=1)
    rates = frame.jacobian_dot() @ Vector(eom.v)
    zero = residuals(eom, frame_function(eom, "jacobian_dot_v", name), list(rates))
    assert prove_zero(zero, unit=eom.robot.unit_groups, seed=1)
    linear_first = [*J.entries[3 * len(eom.v) :], *J.entries[: 3 * len(eom.v)]]
    for wrong in (linear_first, list((J * 2).entries), list(frame.jacobian(at="1 0 0").entries)):
        zero = residuals(eom, jacobian, wrong)
        assert prove_zero(zero, unit=eom.robot.unit_groups, seed=1).verdict == "refuted"


def test_a_jacobian_on_a_moving_base_is_that_on_a_base_at_rest() -> None:
    eom = derive(arm(base=BaseMotion(w="0 0 w0", v="v0 0 0")))
    f, J = frame_function(eom, "jacobian", "rod"), eom.frame("rod").jacobian()
    assert prove_zero(residuals(eom, f, list(J.entries)), seed=1)
    assert prove_zero(residuals(eom, f, list((J * 2).entries)), seed=1).verdict == "refuted"


def test_definitions_hold_after_symbols_are_replaced() -> None:
    eom = derive(load("wheeled_inverted_pendulum"))
    new = eom.subs({eom.q[2]: "2*theta_L + 1", eom.v[0]: 2, eom.inputs[0]: 0})
    names = ("kinematic_map", "center_of_mass", "potential_energy", "input_matrix", "passive_force")
    programs = made(new, names)
    for kind in FRAME_FUNCTIONS:
        f = frame_function(new, kind, eom.robot.bodies[-1].name)
        programs.append((f, f.program()))
    assert all(prove(new, programs).values())


# -- folded parameters --------------------------------------------------------------------------------
def test_folded_values_are_exact_in_the_specification() -> None:
    eom = derive(load("rr_arm"))
    f = folded(functions(eom)["gravity"], {"g": "9.81", "m1": 2})
    outputs = list(eom.gravity.subs({"g": "9.81", "m1": 2}))
    assert all(e is constant(0) for e in residuals(eom, f, outputs))
    nearly = list(eom.gravity.subs({"g": 9.81 + 1e-12, "m1": 2}))
    assert prove_zero(residuals(eom, f, nearly), seed=1).verdict == "refuted"


# -- an error in an algorithm that programs come from ------------------------------------------------
def _more(found: Any) -> Any:
    """The result, its first entry off by 1."""
    if isinstance(found, Factors):
        L = {k: x + ONE for k, x in found.L.items()}
        return Factors(L, found.D, found.inverse_D)
    if isinstance(found, Matrix):
        return Matrix([[x + ONE for x in row] for row in found.rows])
    return found + ONE if isinstance(found, Expr) else Vector([x + ONE for x in found])


WRONG = {
    "inverse_dynamics": ("inverse_dynamics", "bias", "gravity", "forward_dynamics"),
    "mass_matrix": ("mass_matrix", "mass_matrix_factors"),
    "ltdl": ("mass_matrix_factors",),
    "coriolis_matrix": ("coriolis_matrix",),
    "kinetic_energy": ("kinetic_energy",),
    "articulated_bodies": ("forward_dynamics", "forward_dynamics_inputs", "state_derivative"),
}


@pytest.mark.sweep(5)
@pytest.mark.parametrize(("algorithm", "functions_of"), WRONG.items(), ids=WRONG)
def test_an_error_in_the_algorithm_of_a_program_is_refuted(
    algorithm: str, functions_of: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The specification does not call what the program is made by."""
    name = "iiwa" if algorithm in ("articulated_bodies", "coriolis_matrix") else "rr_arm"
    eom = derive(load(name))
    right: Callable[..., Any] = getattr(equamo.code.ir.functions, algorithm)
    monkeypatch.setattr(equamo.code.ir.functions, algorithm, lambda *a, **k: _more(right(*a, **k)))
    chosen = made(eom, functions_of)
    if algorithm == "articulated_bodies":  # whichever way costs less
        chosen = [(f, _by(f, 1)) for f, _ in chosen]
    for function, proof in prove(eom, chosen).items():
        assert proof.verdict == "refuted", function


def _by(f: Any, way: int) -> Any:
    return replace(f, ways=(f.ways[way],)).program()


# -- what is asked wrongly ---------------------------------------------------------------------------
def test_the_number_of_outputs_is_checked() -> None:
    eom = derive(load("rr_arm"))
    with pytest.raises(ShapeError, match="gravity must have 2 outputs, got 1"):
        residuals(eom, functions(eom)["gravity"], [ONE])


def test_an_unknown_function_is_named() -> None:
    eom = derive(load("rr_arm"))
    f = replace(functions(eom)["gravity"], name="levity")
    with pytest.raises(UnknownNameError, match="'levity'"):
        residuals(eom, f, list(eom.gravity))
