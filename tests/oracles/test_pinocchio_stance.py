"""Robots that stand on points, compared with Pinocchio's constraintDynamics and its derivatives.

Every point is a 3D constraint in axes of the world, so that its force is our λ. All Data are fresh.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr.evaluate import Arrays, Tape
from equamo.code.ir.function import entries_of
from equamo.code.ir.lookup import function_named
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.catalog import load
from equamo.robot.model.contact import contact
from equamo.robot.model.edits import copy_with
from peer_urdf import Peer, file, relative, states

pytestmark = pytest.mark.needs("pinocchio")

TOLERANCE = 1e-8
# file, and the links whose points are held
STANDING = [("double_pendulum_continuous.urdf", 2)] + ([("solo12.urdf", 4)] if WHOLE_SWEEPS else [])
AT = (0.05, -0.02, -0.1)
COUNT = 20 if WHOLE_SWEEPS else 3


class Standing:
    """A file with a free base, standing on the last links of its branches."""

    def __init__(self, path: Path, feet: int) -> None:
        robot = load(path, base="free", snap=0).with_forces(only=True)
        parents = {b.parent for b in robot.bodies if b.joint.speeds}
        tips = [b for b in robot.bodies if b.joint.speeds and b.name not in parents]
        chosen = [*tips, *(b for b in robot.bodies if b.joint.speeds and b not in tips)][:feet]
        at = " ".join(map(str, AT))
        contacts = [contact(b.name, b.name, at) for b in chosen]
        mode = {c.name: "stick" for c in contacts}
        self.eom: EquationsOfMotion = derive(copy_with(robot, contacts=contacts, mode=mode))
        self.peer = Peer(path, free=True)
        self.order = self.peer.order(robot)
        model = self.peer.model
        place, axes = pin.SE3(np.eye(3), np.array(AT)), pin.LOCAL_WORLD_ALIGNED
        kind = pin.ContactType.CONTACT_3D
        self.held: list[Any] = [
            pin.RigidConstraintModel(kind, model, self.peer.joint(b.joint), place, axes)
            for b in chosen
        ]
        self.q, self.v = states(robot, COUNT, seed=5)
        self.tau = np.random.default_rng(6).uniform(-3, 3, self.v.shape)

    def ours(self, function: str) -> list[np.ndarray]:
        """Results of a function at all states, the states first."""
        f = function_named(self.eom, function)
        given = {"q": self.q, "v": self.v, "tau": self.tau}
        values = {
            s: column
            for x in f.arguments
            if x.name in given
            for s, column in zip(x.symbols, given[x.name].T, strict=True)
        }
        outputs = [e for x in f.outputs(f.ways[0]).values() for e in entries_of(x)]
        flat = Tape(outputs).run(Arrays(), values)
        columns = [np.broadcast_to(x, COUNT) for x in flat]
        return [
            np.stack(x, axis=-1).reshape(COUNT, *y.shape)
            for x, y in zip(f.split(columns), f.results, strict=True)
        ]

    def theirs(self, k: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """(v̇, ∂v̇ by q, v, τ) and (λ, ∂λ by q, v, τ) of state k in our order."""
        model, order = self.peer.model, self.order
        data, settings = model.createData(), pin.ProximalSettings(1e-14, 0.0, 1)
        held = [c.createData() for c in self.held]
        q, v, tau = (
            self.peer.arrange(self.eom.robot, self.q[k]),
            np.zeros(model.nv),
            np.zeros(model.nv),
        )
        v[order], tau[order] = self.v[k], self.tau[k]
        pin.initConstraintDynamics(model, data, self.held, held)
        a = np.array(pin.constraintDynamics(model, data, q, v, tau, self.held, held, settings))
        lam = np.array(data.lambda_c)
        pin.computeConstraintDynamicsDerivatives(model, data, self.held, held, settings)
        slopes = [np.array(x) for x in (data.ddq_dq, data.ddq_dv, data.ddq_dtau)]
        forces = [np.array(x) for x in (data.dlambda_dq, data.dlambda_dv, data.dlambda_dtau)]
        rows = np.ix_(order, order)
        return [a[order], *(x[rows] for x in slopes)], [lam, *(x[:, order] for x in forces)]


@pytest.mark.parametrize(("end", "feet"), STANDING, ids=lambda x: str(x))
def test_stance(end: str, feet: int) -> None:
    here = Standing(file(end), feet)
    ours = [
        [*here.ours(name), *here.ours(f"{name}_derivatives")]
        for name in ("forward_dynamics", "constraint_forces")
    ]
    for k in range(COUNT):
        for mine, other in zip(ours, here.theirs(k), strict=True):
            for x, y in zip(mine, other, strict=True):
                assert relative(x[k], y) < TOLERANCE
