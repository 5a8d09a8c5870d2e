"""StarlETH on its feet: accelerations, ground forces and impacts are Pinocchio's."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from equamo.mechanics.equations import EquationsOfMotion
from equamo.robot.library.starleth import LEGS
from peer_starleth import Starleth
from random_trees import WHOLE_SWEEPS

pytestmark = pytest.mark.needs("pinocchio")

TOLERANCE = 1e-8
STANCES = [LEGS, ("LF", "RH"), ("LF", "RF", "LH"), ("RH",)]
COUNT = 100 if WHOLE_SWEEPS else 4


@pytest.fixture(scope="module")
def eom() -> EquationsOfMotion:
    return eq.derive(eq.load("starleth"))


@pytest.fixture(scope="module")
def peer(eom: EquationsOfMotion) -> Starleth:
    return Starleth(eom.robot)


def relative(mine: np.ndarray, theirs: np.ndarray) -> float:
    return float(abs(mine - theirs).max() / max(1.0, abs(theirs).max()))


def states(eom: EquationsOfMotion, count: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Configurations around the standing one, speeds and torques."""
    random = np.random.default_rng(20)
    home = np.array([float(eom.robot.home.q[x.name]) for x in eom.q])
    q = home + random.uniform(-0.3, 0.3, (count, 18))
    return q, random.uniform(-1, 1, (count, 18)), random.uniform(-20, 20, (count, 12))


@pytest.mark.parametrize("legs", STANCES, ids=lambda legs: " ".join(legs))
def test_stance(eom: EquationsOfMotion, peer: Starleth, legs: tuple[str, ...]) -> None:
    """v̇ and λ against constraintDynamics, with A v = 0 by our projector."""
    stance = eom.in_mode(dict.fromkeys(legs, "stick"))
    q, v, tau = states(stance, COUNT)
    N = stance.evaluate(stance.projected().projector, q=q)
    v = np.einsum("kij,kj->ki", N, v)
    A = stance.evaluate(stance.constraint_matrix, q=q)
    assert abs(np.einsum("kij,kj->ki", A, v)).max() < 1e-12
    v_dot = stance.evaluate(stance.state_derivative, q=q, v=v, inputs=tau)[:, 18:]
    names = list(stance.constraint_forces)
    force = stance.evaluate(
        eq.Vector([stance.constraint_forces[n] for n in names]), q=q, v=v, inputs=tau
    )
    B = stance.evaluate(stance.input_matrix, q=q)
    for k in range(COUNT):
        assert relative(A[k], peer.jacobian(q[k], legs)) < TOLERANCE
        theirs, ground = peer.constraint_dynamics(q[k], v[k], B[k] @ tau[k], legs)
        assert relative(v_dot[k], theirs) < TOLERANCE
        assert relative(force[k], ground) < TOLERANCE


@pytest.mark.parametrize("restitution", [0, 0.5])
@pytest.mark.parametrize("legs", STANCES[:2], ids=lambda legs: " ".join(legs))
def test_impact(
    eom: EquationsOfMotion, peer: Starleth, legs: tuple[str, ...], restitution: float
) -> None:
    """v⁺ and impulses against impulseDynamics."""
    stance = eom.in_mode(dict.fromkeys(legs, "stick"))
    impact = stance.impact(restitution=eq.parse(str(restitution)))
    q, v, _ = states(stance, COUNT)
    after = stance.evaluate(impact.velocity, q=q, v=v)
    impulses = stance.evaluate(eq.Vector(list(impact.impulses.values())), q=q, v=v)
    loss = stance.evaluate(impact.energy_loss, q=q, v=v)
    energy = stance.evaluate(stance.kinetic_energy, q=q, v=v)
    assert (loss > 0).all()
    assert energy - loss == pytest.approx(stance.evaluate(stance.kinetic_energy, q=q, v=after))
    for k in range(COUNT):
        theirs, ground = peer.impulse_dynamics(q[k], v[k], legs, restitution)
        assert relative(after[k], theirs) < TOLERANCE
        assert relative(impulses[k], ground) < TOLERANCE
