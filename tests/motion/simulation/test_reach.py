"""Motions of the explicit form end where two assemblies of a loop meet."""

import numpy as np
import pytest

import equamo as eq

BODIES = [
    eq.Body("crank", eq.revolute("q1"), mass=1, com="0.05 0 0", inertia="0.01 0.01 0.01"),
    eq.Body(
        "rod", eq.revolute("q2", at="0.1 0 0"), mass=2, com="l/2 0 0", inertia="0.05 0.05 0.05",
        parent="crank",
    ),
    eq.Body("slider", eq.prismatic("s", axis="x"), mass=1),
]  # fmt: skip
PIN = eq.loop("pin", body="rod", at="l 0 0", to="slider")
SLIDER_CRANK = eq.derive(eq.Robot("slider_crank", BODIES, gravity="0 -g 0", loops=[PIN]))
MEET = r"two assemblies of a loop meet.* use eom.augmented\(\) or eom.minimal"


@pytest.mark.needs("scipy", cases="options1")
@pytest.mark.parametrize(
    "options", [{}, {"method": "Radau"}, {"method": "semi_implicit_euler", "step": 1e-3}]
)
def test_a_rod_that_is_shorter_than_the_crank_ends_the_explicit_motion(options: dict) -> None:
    # The damping does work, so that no drift of the energy would tell.
    control = {"tau1": "-0.01*dq1"}
    with pytest.raises(eq.SimulationError, match=MEET) as caught:
        eq.simulate(
            SLIDER_CRANK.explicit(), q={"q1": 0.3}, v={"dq1": 3}, values={"l": 0.05},
            control=control, **options,
        )  # fmt: skip
    # sin(q1) = l/r there, at the time of the augmented form, which goes on.
    rod = -np.arcsin(2 * np.sin(0.3))
    start = [0.3, rod - 0.3, 0.1 * np.cos(0.3) + 0.05 * np.cos(rod)]
    motion = eq.simulate(
        SLIDER_CRANK, q=start, v={"dq1": 3}, values={"l": 0.05},
        duration=0.3, control=control, t_eval=np.linspace(0, 0.3, 3001),
    )  # fmt: skip
    largest = int(np.argmax(motion.q[:, 0]))
    assert abs(motion.q[largest, 0] - np.pi / 6) < 1e-6
    assert abs(caught.value.q[0] - np.pi / 6) < 1e-6
    assert abs(caught.value.t - motion.t[largest]) < (0.02 if "step" in options else 2e-4)
    assert caught.value.trajectory.t[-1] == pytest.approx(caught.value.t)


def test_a_start_at_the_limit_has_no_explicit_motion() -> None:
    with pytest.raises(eq.SimulationError, match=f"at t = 0 s: {MEET}"):
        eq.simulate(SLIDER_CRANK.explicit(), q={"q1": np.arcsin(0.5)}, values={"l": 0.05})


def test_a_longer_rod_turns_round() -> None:
    motion = eq.simulate(
        SLIDER_CRANK.explicit(), q={"q1": 0.3}, v={"dq1": 30}, values={"l": 0.3}, duration=0.5
    )
    assert motion.q[-1, 0] > 2 * np.pi
