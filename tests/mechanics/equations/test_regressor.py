"""Regressor: its identity is proved, for every formulation, kind of speed and kind of force."""

from __future__ import annotations

import pickle

import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import ZERO, parse, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_equal
from equamo.mechanics.equations import FORMULATIONS
from equamo.robot.library import names
from equamo.robot.model.inertia import NAMES
from force_robots import arm, one_of_each
from random_trees import random_tree

SEEDS = range(0, 200, 1 if WHOLE_SWEEPS else 40)


def all_proved(eom: eq.EquationsOfMotion) -> bool:
    Y = eom.regressor
    return all(x.proof for x in (Y, Y.slotine_li, Y.energy, Y.momentum))


@pytest.mark.sweep(5)
@pytest.mark.parametrize("name", names())
def test_robots(name: str) -> None:
    assert all_proved(eq.derive(eq.load(name)))


@pytest.mark.parametrize("by", FORMULATIONS)
def test_every_formulation(by: str) -> None:
    """The two sides come from different algorithms."""
    assert all_proved(eq.derive(eq.load("three_link_arm"), by=by))
    assert all_proved(eq.derive(eq.load("wheeled_inverted_pendulum"), by=by))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("seed", SEEDS)
def test_random_trees(seed: int) -> None:
    robot = random_tree(seed, speeds=10).robot()
    eom = eq.derive(robot, by="kane")
    assert all_proved(eom)
    assert eom.regressor.matrix.shape[0] == len(robot.v)


def test_split_coriolis_matrix() -> None:
    """Slotine and Li's regressor has Christoffel's C even if the equations show another one."""
    eom = eq.derive(random_tree(1, speeds=8, forces=False).robot(), coriolis="split")
    assert eom.regressor.slotine_li.proof


def test_columns_have_names() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    Y = eom.regressor
    assert Y.names == tuple(f"{n}_{b}" for b in ("upper", "fore") for n in NAMES)
    assert Y.matrix.row_names == ("q1", "q2")
    assert Y.parameters["MX_fore"] is parse("m2*Lc2")
    assert repr(Y) == "<Regressor of inverse_dynamics, 2×20, robot 'rr_arm'>"
    assert Y is eom.regressor
    assert Y.energy.matrix.row_names == ("kinetic_energy", "potential_energy")
    assert Y.energy.matrix["kinetic_energy", "ZZ_upper"] is parse("dq1**2/2")


def test_names_do_not_collide_with_parameters_of_the_robot() -> None:
    """They are symbols in base parameters."""
    body = eq.Body("b", eq.revolute("q"), mass="MX_b", com="c 0 0", inertia="0 0 ZZ_b")
    Y = eq.derive(eq.Robot("r", [body])).regressor
    assert Y.names[1] == "MX_b'"
    assert Y.names[0] == "m_b"
    assert Y.proof


def test_massless_frames_have_no_columns() -> None:
    robot = eq.load("rr_arm").add_frame("tip", "fore", at="L2 0 0")
    assert len(eq.derive(robot).regressor.names) == 20


def test_forces_that_are_not_linear_remain() -> None:
    robot = eq.load("rr_arm").with_forces(
        eq.joint_spring("q1", "k", rest="q0"), eq.wrench("fore", "F 0 0", name="push"),
        eq.joint_damper("q1", "d"), eq.rotor_inertia("q2", "J"),
    )  # fmt: skip
    eom = eq.derive(robot)
    Y = eom.regressor
    assert set(Y.left_out) == {"spring_q1", "push"}
    assert Y.left_out["spring_q1"] == -Vector(eom.forces["spring_q1"])
    assert Y.remainder == Y.left_out["spring_q1"] + Y.left_out["push"]
    assert Y.names[-2:] == ("Ia_rotor_q2", "Fv_damper_q1")
    assert Y.proof


def test_every_kind_of_force_element() -> None:
    assert all_proved(eq.derive(arm(*one_of_each())))


@pytest.mark.ci
def test_slotine_li_in_chosen_speeds() -> None:
    """u_r = W v_r, so that Y_r π = M v̇_r + C v_r + g in the chosen speeds."""
    eom = eq.derive(eq.load("krang_on_wheels"))
    Y = eom.regressor.slotine_li
    assert [x.name for x in Y.v_r] == [f"{x.name}_r" for x in eom.v]
    assert Y.proof
    # At v_r = v and v̇_r = v̇ it is inverse dynamics without the forces.
    own = dict(zip((*Y.v_r, *Y.vdot_r), (*eom.v, *eom.vdot), strict=True))
    n = len(Y.names)
    plain = eom.regressor.matrix
    assert plain.shape[1] >= n
    left, right = Y.matrix.subs(own) @ Y.parameters, eom.mass_matrix @ Vector(eom.vdot)
    assert prove_equal(left, right + eom.bias + eom.gravity, unit=eom.robot.unit_groups)


def test_reference_speeds_have_free_names() -> None:
    body = eq.Body("b", eq.revolute("q"), mass="dq_r", com="c 0 0")
    Y = eq.derive(eq.Robot("r", [body])).regressor.slotine_li
    assert Y.v_r == (symbol("dq_r_r"),)
    assert Y.proof


def test_payload() -> None:
    """Its columns are those of a further body, and the proof is that of the robot that carries it."""
    eom = eq.derive(eq.load("rx90"), by="kane")
    Y = eom.regressor.with_payload("link6", at="0 0 d", rotation="0 pi/3 0", name="cup")
    assert Y.names[-10:] == tuple(f"{n}_cup" for n in NAMES)
    assert Y.parameters["XY_cup"] is symbol("XY_cup")
    assert Y.equations.by == "kane"
    assert Y.proof
    none = Y.matrix @ Y.parameters.subs({f"{n}_cup": 0 for n in NAMES}) + Y.remainder
    assert prove_equal(none, eom.inverse_dynamics)


def test_payload_errors() -> None:
    Y = eq.derive(eq.load("rr_arm")).regressor
    with pytest.raises(eq.UnknownNameError, match="hand"):
        Y.with_payload("hand")
    with pytest.raises(eq.ModelError, match="fore"):
        Y.with_payload("fore", name="fore")


def test_subs() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    Y = eom.regressor
    step = {"q1": 0, "m2": "3*m"}
    replaced = eom.subs(step).regressor
    assert replaced.matrix == Y.matrix.subs(step)
    assert replaced.parameters == Y.parameters.subs(step)
    assert replaced.proof
    assert replaced.slotine_li.matrix == Y.slotine_li.matrix.subs(step)
    assert replaced.slotine_li.proof
    payload = replaced.with_payload("fore")
    assert symbol("q1") not in Matrix(payload.matrix.rows).entries[0].symbols()
    assert payload.proof


def test_equations_with_a_regressor_are_stored() -> None:
    """It is made again after unpickling."""
    eom = eq.derive(eq.load("rr_arm"))
    assert eom.regressor.proof
    again = pickle.loads(pickle.dumps(eom))
    assert again.regressor.matrix == eom.regressor.matrix


def test_a_wrong_parameter_is_refuted() -> None:
    """The proof is one: with another value of one parameter it fails."""
    Y = eq.derive(eq.load("rr_arm")).regressor
    for name in ("m_fore", "MY_fore", "ZZ_upper"):
        wrong = Vector(
            [x + (1 if n == name else 0) for n, x in zip(Y.names, Y.parameters, strict=True)]
        )
        assert prove_equal(Y.matrix @ wrong, Y.expected).verdict == "refuted"


def test_a_robot_that_does_not_move() -> None:
    robot = eq.Robot("block", [eq.Body("b", mass=1)])
    Y = eq.derive(robot).regressor
    assert Y.matrix.shape == (0, 10)
    assert Y.proof
    assert Y.energy.proof
    assert Y.remainder.entries == ()
    assert ZERO not in Y.matrix.entries
