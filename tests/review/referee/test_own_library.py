"""equamo itself as another library: another description of the base, in each convention of speeds.

The base has Euler angles here and a quaternion there. All quantities must agree once the speeds of the
library, u = X ν, and the rates of the angles are converted into each other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.review.referee.library import Kinematics, Library, Slot
from equamo.review.referee.link_inertias import LinkInertia
from equamo.review.referee.numbers import OurNumbers
from equamo.review.referee.placed import FreeSpeeds, Placed, body_speeds, mixed_speeds, world_speeds
from equamo.review.referee.rotations import quaternion_of
from equamo.review.referee.states import States, random_states

Floats = Any


def equations(rotation: Any) -> eq.EquationsOfMotion:
    base = eq.Body("base", eq.free("base", rotation=rotation), mass=3, com="0.1 0.2 -0.3",
                   inertia="1 0.1 0 2 0.2 1.5")  # fmt: skip
    arm = eq.Body("arm", eq.revolute("q1", axis="y", at="0.2 0 0.1"), mass=1, com="0 0 0.5",
                  inertia="0.2 0.3 0.1", parent="base")  # fmt: skip
    hand = eq.Body("hand", eq.prismatic("q2", axis="x", at="0 0 1"), mass=0.5, parent="arm")
    robot = eq.Robot("bird", [base, arm, hand], gravity="1 2 -9", forces=[eq.joint_damper("q1", 2)])
    return eq.derive(robot)


class Ourselves(Library):
    """The robot with a quaternion; its slots are not in the order of the joints."""

    speeds: Callable[[Floats, Floats], FreeSpeeds]
    version = "1"

    def read(self) -> None:
        self.size_q, self.size_v = 9, 8
        self.slots = {"q2": Slot(0, 0), "base": Slot(1, 1, 7), "q1": Slot(8, 7)}
        self.other = equations("quaternion")

    def free_coordinates(self, A: Floats, p: Floats) -> Floats:
        return np.concatenate([p, quaternion_of(A)])

    def free_speeds(self, A: Floats, nu: Floats) -> FreeSpeeds:
        return self.speeds(A, nu)

    def _here(self, at: Placed) -> tuple[Floats, Floats, Floats, Floats]:
        """q, Y and ν = Y u and Ẏ u of the other description, in the order base, q1, q2."""
        q = np.concatenate([at.y[1:8], at.y[8:], at.y[:1]])
        A = OurNumbers(self.other, States(q[None], np.zeros((1, 8)), *[np.zeros((1, 8))] * 2))
        R = A["rotations"][0, 0]
        X = self.speeds(R, np.zeros(6)).X
        order = np.eye(8)[[*range(1, 7), 7, 0]]
        Y = np.block([[np.linalg.inv(X), np.zeros((6, 2))], [np.zeros((2, 6)), np.eye(2)]]) @ order
        nu = Y @ at.u
        rate = np.zeros(8)
        rate[:6] = -np.linalg.solve(X, self.speeds(R, nu[:6]).X_dot_nu)
        return q, Y, nu, rate

    def dynamics(self, at: Placed) -> dict[str, Floats]:
        q, Y, nu, rate = self._here(at)
        vdot = Y @ at.u_dot + rate
        numbers = OurNumbers(self.other, States(q[None], nu[None], vdot[None], vdot[None]))
        M = numbers["mass matrix"][0]
        passive = self.other.evaluate("inverse_dynamics", q=q, v=nu, vdot=np.zeros(8))
        torque = np.linalg.solve(Y.T, at.tau)
        found = {
            "mass matrix": Y.T @ M @ Y,
            "gravity": Y.T @ numbers["gravity"][0],
            "inverse dynamics": Y.T @ numbers["inverse dynamics"][0],
            "forward dynamics": np.linalg.solve(Y, np.linalg.solve(M, torque - passive) - rate),
        }
        for name in ("bias", "bias + gravity"):
            found[name] = Y.T @ (numbers[name][0] + M @ rate)
        return found  # fmt: skip

    def kinematics(self, at: Placed, links: Sequence[str]) -> Kinematics:
        q, Y, nu, _ = self._here(at)
        numbers = OurNumbers(self.other, States(q[None], nu[None], nu[None], nu[None]))
        jacobians = numbers["Jacobians"][0] @ Y
        return Kinematics(numbers["rotations"][0], numbers["positions"][0], jacobians)

    def inertias(self) -> Mapping[str, LinkInertia]:
        return {}


class Links:
    """Stands for a description: a link has the name of its body."""

    def link(self, body: str) -> str:
        return body


@pytest.mark.parametrize("speeds", [body_speeds, mixed_speeds, world_speeds])
def test_every_quantity_agrees_in_every_convention(speeds: Any) -> None:
    eom = equations("euler")
    kind = type("Theirs", (Ourselves,), {"speeds": staticmethod(speeds)})
    states = random_states(eom.robot, 4, seed=3)
    found = kind(Links(), eom).evaluate(states)
    ours = OurNumbers(eom, states)
    assert len(found) == 9
    for name, theirs in found.items():
        np.testing.assert_allclose(*ours.pair(name, theirs), rtol=1e-9, atol=1e-9, err_msg=name)
