"""Derivatives of the dynamics of every URDF file are Pinocchio's, with a fixed and a free base.

First order exactly, second order and parameters against differences of Pinocchio. Passive forces, which
Pinocchio leaves out, are removed. Expressions are evaluated here, as arrays of states; that programs and
machine code compute them is proved (tests/code/ir/test_derivative_specification.py).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr.evaluate import Arrays, Tape
from equamo.code.ir.function import entries_of
from equamo.code.ir.lookup import function_named
from equamo.errors import ExpressionError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.catalog import load
from peer_urdf import FOLDER, Peer, file, files, relative, states

pytestmark = pytest.mark.needs("pinocchio")

TOLERANCE = 1e-9
REFUSED = ("falcon.urdf", "ur3.urdf")
SAMPLE = ("ur5_robot.urdf", "double_pendulum_continuous.urdf", "solo12.urdf", "so101.urdf")
PATHS = [p for p in files() if p.name not in REFUSED] if WHOLE_SWEEPS else [file(n) for n in SAMPLE]
RIGID = ("bluevolta.urdf", "quadrotor_base.urdf", "iris_simple.urdf")
COUNT = 100 if WHOLE_SWEEPS else 4


def name(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix()


def cases(paths: list[Path]) -> list[Any]:
    """Every file with a fixed and a free base; without joints nothing moves on a fixed one."""
    both = [(p, base) for p in paths for base in ("fixed", "free")]
    return [
        pytest.param(p, base, id=f"{name(p)}-{base}")
        for p, base in both
        if base == "free" or p.name not in RIGID
    ]


@cache
def equations(path: Path, base: str) -> EquationsOfMotion:
    return derive(load(path, base=base, snap=0).with_forces(only=True))


class Compared:
    """One file: our equations, Pinocchio's model, and states of both."""

    def __init__(self, path: Path, base: str, count: int = COUNT) -> None:
        self.eom, self.peer = equations(path, base), Peer(path, free=base == "free")
        robot = self.eom.robot
        self.order = self.peer.order(robot)
        assert sorted(self.order) == list(range(self.peer.model.nv))
        self.q, self.v = states(robot, count, seed=3)
        self.a = np.random.default_rng(4).uniform(-3, 3, self.v.shape)

    def ours(self, function: str, **given: np.ndarray) -> list[np.ndarray]:
        """Results of a function at all states, the states first."""
        f = function_named(self.eom, function)
        state = {"q": self.q, "v": self.v, "vdot": self.a, "tau": self.a, **given}
        values = {
            s: column
            for x in f.arguments
            if x.name in state
            for s, column in zip(x.symbols, state[x.name].T, strict=True)
        }
        outputs = [entries_of(x) for x in f.outputs(f.ways[0]).values()]
        flat = Tape([e for x in outputs for e in x]).run(Arrays(), values)
        columns = [np.broadcast_to(x, len(self.q)) for x in flat]
        found = f.split(columns)
        return [
            np.stack(x, axis=-1).reshape(len(self.q), *y.shape)
            for x, y in zip(found, f.results, strict=True)
        ]

    def theirs(self, k: int, a: np.ndarray | None = None) -> tuple[np.ndarray, ...]:
        """∂τ by q, v and v̇ at state k, in our order."""
        q = self.peer.arrange(self.eom.robot, self.q[k])
        return self.slopes(q, self.back(self.v[k]), self.back(self.a[k] if a is None else a))

    def slopes(self, q: Any, v: Any, a: Any) -> tuple[np.ndarray, ...]:
        model, data = self.peer.model, self.peer.data
        pin.computeRNEADerivatives(model, data, q, v, a)
        M = np.triu(data.M)
        found = data.dtau_dq, data.dtau_dv, M + np.triu(M, 1).T
        return tuple(np.array(x)[np.ix_(self.order, self.order)] for x in found)

    def back(self, x: np.ndarray) -> np.ndarray:
        """Our speeds in Pinocchio's order."""
        found = np.zeros(len(x))
        found[self.order] = x
        return found


@pytest.mark.parametrize(("path", "base"), cases(PATHS))
def test_inverse_dynamics(path: Path, base: str) -> None:
    here = Compared(path, base)
    ours = here.ours("inverse_dynamics_derivatives")
    for k in range(len(here.q)):
        for mine, theirs in zip(ours, here.theirs(k), strict=True):
            assert relative(mine[k], theirs) < TOLERANCE


# Some of their links have no inertia: M is singular, and the mass matrix of Pinocchio is too.
SINGULAR = (
    "bravo7_gripper.urdf", "bluevolta_bravo7_gripper.urdf", "falcon_bravo7_gripper.urdf", "romeo.urdf",
    "romeo_laas_small.urdf",
)  # fmt: skip
SOLVED = [p for p in PATHS if p.name not in SINGULAR]


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("end", SINGULAR if WHOLE_SWEEPS else SINGULAR[:1])
def test_singular_mass_matrix(end: str, base: str) -> None:
    here = Compared(file(f"/{end}"), base, 1)
    with pytest.raises(
        ExpressionError, match=r"forward_dynamics_derivatives has no value: .* singular"
    ):
        here.ours("forward_dynamics_derivatives")
    assert np.linalg.matrix_rank(here.theirs(0)[2]) < len(here.eom.v)


def solved(M: np.ndarray, X: np.ndarray, R: np.ndarray) -> bool:
    """M X + R = 0 to 10⁻⁹ of R, or to what rounding M and X can leave."""
    rounding = 1e-13 * (np.abs(M) @ np.abs(X)).max()
    return relative(M @ X, -R) < TOLERANCE or bool(np.abs(M @ X + R).max() < rounding)


@pytest.mark.parametrize(("path", "base"), cases(SOLVED))
def test_forward_dynamics(path: Path, base: str) -> None:
    """M ∂v̇/∂x + ∂τ/∂x = 0 with Pinocchio's M and ∂τ at v̇ = FD, and M ∂v̇/∂τ = 1.

    v̇ is ours, and a solution. The condition of icub's M is 2·10⁸: accelerations are 10⁴ times as large
    as forces, and rounding them alone leaves more than 10⁻⁹.
    """
    here = Compared(path, base, min(COUNT, 20))
    by_q, by_v, by_tau = here.ours("forward_dynamics_derivatives")
    (vdot,) = here.ours("forward_dynamics")
    for k in range(len(here.q)):
        M = here.theirs(k)[2]
        q = here.peer.arrange(here.eom.robot, here.q[k])
        rest = pin.nonLinearEffects(here.peer.model, here.peer.data, q, here.back(here.v[k]))
        a = vdot[k]
        assert solved(M, a, np.array(rest)[here.order] - here.a[k])
        slope_q, slope_v, _ = here.theirs(k, a)
        assert solved(M, by_q[k], slope_q)
        assert solved(M, by_v[k], slope_v)
        # Rounding M⁻¹ alone changes M M⁻¹ by |M| |M⁻¹| ε, which is 4·10⁻⁸ for a free icub.
        largest = np.abs(M).max() * np.abs(by_tau[k]).max()
        assert np.abs(M @ by_tau[k] - np.eye(len(M))).max() < 1e-12 * largest


@pytest.mark.parametrize(("path", "base"), cases(PATHS if WHOLE_SWEEPS else PATHS[:2]))
def test_second_derivatives(path: Path, base: str) -> None:
    """Rows of λᵀ∂²ID against central differences of Pinocchio's first derivatives."""
    here = Compared(path, base, 1)
    n, h, model = len(here.eom.v), 1e-5, here.peer.model
    lam = np.random.default_rng(5).uniform(-1, 1, (1, n))
    H = here.ours("inverse_dynamics_hessian", lam=lam)[0][0]
    q = here.peer.arrange(here.eom.robot, here.q[0])
    v, a = here.back(here.v[0]), here.back(here.a[0])
    rows: list[np.ndarray] = []
    for k in range(2 * n):
        step = here.back(h * np.eye(n)[k % n])
        moved = [
            (pin.integrate(model, q, s * step), v) if k < n else (q, v + s * step) for s in (1, -1)
        ]
        plus, minus = (lam[0] @ np.hstack(here.slopes(x, y, a)) for x, y in moved)
        rows.append((plus - minus) / (2 * h))
    wanted = np.array(rows)
    rounding = 1e-10  # of slopes near 1, divided by h
    assert np.abs(H[: 2 * n] - wanted).max() < max(1e-6 * np.abs(wanted).max(), rounding)
    assert relative(H[2 * n :], np.hstack([H[: 2 * n, 2 * n :].T, np.zeros((n, n))])) == 0


INERTIAL = ("m", "MX", "MY", "MZ", "XX", "XY", "YY", "XZ", "YZ", "ZZ")  # Pinocchio's order


@pytest.mark.parametrize("base", ["fixed", "free"])
def test_parameters(base: str) -> None:
    """∂ID by inertias and placements of a link, against Pinocchio with these changed."""
    path, link, joint = file("ur5_robot.urdf"), "forearm_link", "elbow_joint"
    robot = load(path, base=base, parameters="symbolic", snap=0).with_forces(only=True)
    eom, peer = derive(robot), Peer(path, free=base == "free")
    names = [f"{letter}_{link}" for letter in INERTIAL] + [f"y_{joint}", f"z_{joint}"]
    f = function_named(eom, f"inverse_dynamics_by_{'__'.join(names)}")
    (value,) = f.outputs(f.ways[0]).values()
    q, v = (x[0] for x in states(robot, 1, seed=3))
    a = np.linspace(-1, 2, len(v))
    ours = eom.evaluate(entries_of(value), q=q, v=v, vdot=a).reshape(f.results[0].shape)
    order, k = peer.order(robot), peer.model.getJointId(joint)
    inside = np.zeros((3, len(v)))
    for row, x in zip(inside, (v, a, a), strict=True):
        row[order] = x
    their_q = peer.arrange(robot, q)

    def torque(index: int, h: float) -> np.ndarray:
        model = peer.model.copy()
        if index < len(INERTIAL):
            ten = np.array(model.inertias[k].toDynamicParameters())
            ten[index] += h
            model.inertias[k] = pin.Inertia.FromDynamicParameters(ten)
        else:
            model.jointPlacements[k].translation[index - len(INERTIAL) + 1] += h
        return np.array(pin.rnea(model, model.createData(), their_q, *inside[:2]))[order]

    h = 2.0**-8  # τ is quadratic in all of them: the differences are exact
    for i in range(len(names)):
        theirs = (torque(i, h) - torque(i, -h)) / (2 * h)
        assert relative(ours[:, i], theirs) < TOLERANCE, names[i]
