"""A robot in plain numbers: mechanics by differences, for checking audits a second way.

Velocities and accelerations come from poses along a motion, energies and momenta from their definition.
Of `equamo` are taken the joints and inertias of a robot, and M, C, gravity and forces as derived by a
formulation that the audit in question does not use.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from claim_text import skew, transform_of
from equamo.algebra.expr import Expr
from equamo.algebra.expr.evaluate import Arrays, Tape
from equamo.algebra.expr.graph import SYMBOL
from equamo.mechanics.equations import derive

Array = Any
Values = dict[str, Any]

STEP = 0.002
TIMES = STEP * np.array([-2.0, -1.0, 0.0, 1.0, 2.0])
FIRST = np.array([1.0, -8.0, 0.0, 8.0, -1.0]) / (12 * STEP)  # derivatives at time 0
SECOND = np.array([-1.0, 16.0, -30.0, 16.0, -1.0]) / (12 * STEP**2)
PLAIN = (
    "mass_matrix", "coriolis_matrix", "bias", "gravity", "inverse_dynamics", "input_matrix",
)  # fmt: skip


def unskew(W: Array) -> Array:
    return np.array([W[2, 1] - W[1, 2], W[0, 2] - W[2, 0], W[1, 0] - W[0, 1]]) / 2


class Machine:
    """Every method takes the values of the robot's symbols by name."""

    def __init__(self, robot: Any, by: str, coriolis: str) -> None:
        self.robot, self.by = robot, by
        self.eom = derive(robot, by=by, coriolis=coriolis)
        groups = (robot.q, robot.v, robot.vdot, robot.inputs, robot.external, robot.parameters)
        self.q, self.v, self.vdot, *_ = ([x.name for x in xs] for xs in groups)
        self.names = [x.name for xs in groups for x in xs]
        speeds = robot.speed_map
        self.dependent = dict(speeds.dependent) if speeds is not None else {}
        self.tapes: dict[Any, tuple[Tape, list[Expr], tuple[int, ...]]] = {}

    def number(self, key: Any, make: Callable[[], Any], values: Values) -> Array:
        """An expression of the robot; the times are the last axis if values are arrays."""
        if key not in self.tapes:
            x = make()
            entries = [x] if isinstance(x, Expr) else list(x.entries)
            tape = Tape(entries)
            leaves = [x for x in tape.leaves if x.op == SYMBOL]
            self.tapes[key] = tape, leaves, getattr(x, "shape", ())
        tape, leaves, shape = self.tapes[key]
        known = {x: np.asarray(values[x.name], float) for x in leaves}
        found = np.array(np.broadcast_arrays(*tape.run(Arrays(), known)))
        return found.reshape((*shape, *found.shape[1:]))

    # -- motion --------------------------------------------------------------------------------
    def rates(self, values: Values) -> dict[str, float]:
        """q̇ = N v by name."""
        if self.robot.has_unit_map:
            return {n: values[v] for n, v in zip(self.q, self.v, strict=True)}
        N = self.number("N", lambda: self.robot.kinematic_map, values)
        return dict(zip(self.q, N @ np.array([values[n] for n in self.v]), strict=True))

    def shifted(self, values: Values, h: float) -> Values:
        """After a short time h."""
        rate = self.rates(values)
        new = {n: values[n] + h * rate[n] for n in self.q}
        return new | {n: values[n] + h * values[a] for n, a in zip(self.v, self.vdot, strict=True)}

    def along(self, values: Values) -> Values:
        """The values at TIMES of a motion with these speeds and accelerations."""
        h, rate = 1e-4, self.rates(values)
        ahead, back = (self.rates(values | self.shifted(values, x)) for x in (h, -h))
        second = {n: (ahead[n] - back[n]) / (2 * h) for n in self.q}
        moved = {n: values[n] + rate[n] * TIMES + second[n] * TIMES**2 / 2 for n in self.q}
        return values | moved

    def pose(self, name: str, values: Values) -> tuple[Array, Array]:
        """(A, p) of a frame in the world, times first."""
        A, p = np.eye(3)[None], np.zeros((1, 3))
        if name == "world":
            return A, p
        more = {
            n: self.number(("dependent", n), lambda e=e: e, values)
            for n, e in self.dependent.items()
        }
        for body in self.robot.path(name):
            B = self.number(("A", body.name), lambda b=body: b.joint.rotation, values | more)
            r = self.number(("p", body.name), lambda b=body: b.joint.position, values | more)
            B, r = np.moveaxis(B.reshape(3, 3, -1), 2, 0), np.moveaxis(r.reshape(3, -1), 1, 0)
            p, A = p + (A @ r[..., None])[..., 0], A @ B
        return A, p

    def rotation(self, name: str, relative_to: str, values: Values) -> Array:
        return self.pose(relative_to, values)[0][0].T @ self.pose(name, values)[0][0]

    def point(self, name: str, point: Any, values: Values) -> Array:
        """In the frame itself."""
        if isinstance(point, str):
            return self.com(name, values)
        return np.zeros(3) if point is None else np.asarray(point, float)

    def motion(self, name: str, point: Any, values: Values) -> tuple[Array, Array, Array, Array]:
        """ω, v, α, a in the world, from poses along the motion."""
        A, p = self.pose(name, self.along(values))
        if len(A) == 1:
            return (np.zeros(3),) * 4
        r = p + A @ self.point(name, point, values)
        dA, ddA = np.tensordot(FIRST, A, 1), np.tensordot(SECOND, A, 1)
        W = dA @ A[2].T
        return unskew(W), FIRST @ r, unskew(ddA @ A[2].T + dA @ dA.T), SECOND @ r

    def jacobian(self, name: str, point: Any, values: Values) -> Array:
        """6 × n, angular first: the velocities of one speed after the other."""
        rest = values | dict.fromkeys(self.v, 0.0) | dict.fromkeys(self.vdot, 0.0)
        columns = [np.concatenate(self.motion(name, point, rest | {n: 1.0})[:2]) for n in self.v]
        return np.array(columns).T

    def jacobian_dot(self, name: str, point: Any, values: Values) -> Array:
        h = 1e-3
        return sum(
            w * self.jacobian(name, point, values | self.shifted(values, k * h))
            for k, w in ((-2, 1 / 12), (-1, -8 / 12), (1, 8 / 12), (2, -1 / 12))
        ) / h  # fmt: skip

    # -- bodies --------------------------------------------------------------------------------
    def ten(self, name: str, values: Values) -> Array:
        inertia = self.robot.body(name).inertia
        return np.array([
            self.number(("ten", name, i), lambda x=x: x, values) for i, x in enumerate(inertia.ten)
        ], float)  # fmt: skip

    def mass(self, name: str, values: Values) -> float:
        return self.ten(name, values)[0]

    def com(self, name: str, values: Values) -> Array:
        m, *MS = self.ten(name, values)[:4]
        return np.array(MS) / m if m else np.zeros(3)

    def inertia(self, name: str, values: Values) -> Array:
        xx, xy, xz, yy, yz, zz = self.ten(name, values)[4:]
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    def central_inertia(self, name: str, values: Values) -> Array:
        S = skew(self.com(name, values))
        return self.inertia(name, values) + self.mass(name, values) * S @ S

    def axis(self, name: str, values: Values) -> Array:
        (q,) = self.robot.body(name).joint.coordinates
        A = self.number(("A", name), lambda: self.robot.body(name).joint.rotation,
                        values | {q: values[q] + TIMES})  # fmt: skip
        return unskew(A[:, :, 2].T @ (A @ FIRST))

    def world_inertia(self, name: str, values: Values) -> Array:
        A = self.pose(name, values)[0][0]
        return A @ self.central_inertia(name, values) @ A.T

    def momenta(self, name: str, values: Values) -> tuple[Array, Array, Array, Array]:
        """m v_G, J_G ω and their rates, in the world."""
        w, v, alpha, a = self.motion(name, "com", values)
        J, m = self.world_inertia(name, values), self.mass(name, values)
        return m * v, J @ w, m * a, J @ alpha + np.cross(w, J @ w)

    def body_kinetic_energy(self, name: str, values: Values) -> float:
        w, v, *_ = self.motion(name, "com", values)
        return self.mass(name, values) * v @ v / 2 + w @ self.world_inertia(name, values) @ w / 2

    def weight(self, name: str, values: Values) -> Array:
        g = self.number("g", lambda: self.robot.gravity, values).reshape(3)
        return self.mass(name, values) * g

    def body_potential_energy(self, name: str, values: Values) -> float:
        A, p = (x[0] for x in self.pose(name, values))
        return -self.weight(name, values) @ (p + A @ self.com(name, values))

    def weight_force(self, name: str, values: Values) -> Array:
        return self.jacobian(name, "com", values)[3:].T @ self.weight(name, values)

    def contribution(self, name: str, values: Values) -> Array:
        """Kane: the inertia of one body in every equation."""
        *_, p_dot, H_dot = self.momenta(name, values)
        return self.jacobian(name, "com", values).T @ np.concatenate([H_dot, p_dot])

    # -- the whole -----------------------------------------------------------------------------
    def christoffel(self, i: int, j: int, k: int, values: Values) -> float:
        def dM(n: int) -> Array:
            M = self.number("mass_matrix", lambda: self.eom.mass_matrix,
                            values | {self.q[n]: values[self.q[n]] + TIMES})  # fmt: skip
            return M @ FIRST if M.ndim == 3 else np.zeros(M.shape)

        return (dM(k)[i, j] + dM(j)[i, k] - dM(i)[j, k]) / 2

    def whole(self, name: str, values: Values) -> Array:
        """A plain quantity."""
        if name in PLAIN:
            return self.number(name, lambda: getattr(self.eom, name), values)
        if name == "coriolis_split":
            split = lambda: derive(self.robot, by=self.by, coriolis="split").coriolis_matrix  # noqa: E731
            return self.number(name, split, values)
        if name in ("q", "v", "vdot"):
            return np.array([values[n] for n in getattr(self, name)])
        if name in ("kinetic_energy", "potential_energy"):
            return sum(getattr(self, f"body_{name}")(b.name, values) for b in self.robot.bodies)
        if name == "lagrangian":
            return self.whole("kinetic_energy", values) - self.whole("potential_energy", values)
        assert name in ("actuation", "external_force"), name
        brings = "inputs" if name == "actuation" else "external"
        parts = [self.force(f.name, values) for f in self.robot.forces if getattr(f, brings)()]
        return sum(parts, np.zeros(len(self.v)))

    def force(self, name: str, values: Values) -> Array:
        f = self.number(("force", name), lambda: self.eom.forces[name], values)
        return f.reshape(len(self.v))

    def of_frame(self, what: str, name: str, values: Values, at: Any = None, about: str = "com",
                 expressed_in: str | None = None, relative_to: str = "world") -> Array:  # fmt: skip
        """A quantity of a frame or body."""
        if what in ("rotation", "transform", "position"):
            A, p = (x[0] for x in self.pose(name, values))
            B, o = (x[0] for x in self.pose(relative_to, values))
            r = B.T @ (p + A @ self.point(name, at, values) - o)
            if what == "rotation":
                return B.T @ A
            if what == "transform":
                return transform_of(B.T @ A, r)
            return (
                r if expressed_in is None else self.rotation(relative_to, expressed_in, values) @ r
            )
        own = {"angular_momentum", "angular_momentum_rate", "body_momentum"}
        out = self.rotation("world", expressed_in or (name if what in own else "world"), values)
        if what in own:
            assert about == "com"
            p, H, _, H_dot = self.momenta(name, values)
            chosen = {"body_momentum": p, "angular_momentum": H, "angular_momentum_rate": H_dot}
            return out @ chosen[what]
        if what.endswith(("jacobian", "jacobian_dot")):
            J = getattr(self, what.split("_", 1)[-1] if what[0] in "al" else what)(name, at, values)
            part = {"a": J[:3], "l": J[3:]}.get(what[0])
            return np.vstack([out @ J[:3], out @ J[3:]]) if part is None else out @ part
        w, v, alpha, a = self.motion(name, at, values)
        table = {"angular_velocity": w, "linear_velocity": v, "angular_acceleration": alpha,
                 "linear_acceleration": a}  # fmt: skip
        if what in table:
            assert relative_to == "world"
            return out @ table[what]
        if what == "first_moment":
            return self.ten(name, values)[1:4]
        return getattr(self, what)(name, values)
