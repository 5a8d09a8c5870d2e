"""Robots with closed loops in Pinocchio, whose Python has constraints of points and of poses only.

A spherical cut is a constraint of points. Any other cut joint is put into the tree, behind `body`, and
the body behind it is welded to `to`. So that no body is massless, it gets a part of the inertia of `to`.
Its joints have coordinates that our robot does not have; they follow from the poses of both bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pinocchio as pin

from equamo.algebra.expr import Expr, symbol
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.robot.model import Robot
from equamo.robot.model.body import Body
from equamo.robot.model.forces import RotorInertia
from equamo.robot.model.joints import Fixed, Free, Prismatic, Revolute, Spherical, Universal
from equamo.robot.model.loop import Loop

X, Y = np.eye(3)[0], np.eye(3)[1]


@dataclass
class Cut:
    """Joints of a cut that is in the tree: their axes, and the rotation between them at home."""

    loop: Loop
    first: int  # first of its joints
    last: int
    axes: tuple[np.ndarray, ...]  # in the frame of `body`, and of `to`
    turned: np.ndarray  # of `to` in `body` at home


class PinocchioLoops:
    """Model with the numbers of a robot; coordinates of its own joints come in our order."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.numbers = {symbol(n): float(x or 0) for n, x in robot.values.items()}
        zero: dict[Expr, float] = dict.fromkeys(robot.joint_coordinates, 0.0)
        self.zero = zero | {g[0]: 1.0 for g in robot.unit_groups}
        self.model = model = pin.Model()
        model.gravity.linear = self._number(robot.gravity, {})
        self.where: dict[str, tuple[int, pin.SE3]] = {"world": (0, pin.SE3.Identity())}
        self.own: list[tuple[Body, int]] = []  # body, first joint of it
        self.cuts: list[Cut] = []
        home = {symbol(n): float(x) for n, x in robot.home.q.items()}
        self.shares = {b.name: 1.0 for b in robot.bodies}
        for loop in robot.loops:
            if loop.joint != "spherical" and loop.to != "world":
                self.shares[loop.to] += 1
        for body in robot.bodies:
            self._add(body)
            for loop in robot.loops:
                if loop.body == body.name and loop.joint != "spherical":
                    self._put_into_tree(loop, home)
        for f in robot.forces:
            if isinstance(f, RotorInertia):
                k = [str(x) for x in robot.joint_speeds].index(f.speed)
                model.armature[self.columns()[k]] = float(self._number([f.rotor], {})[0])

    def _number(self, expressions: Any, state: dict[Expr, float]) -> np.ndarray:
        return np.array(evaluate_floats(list(expressions), self.numbers | self.zero | state))

    # -- the tree ---------------------------------------------------------------------------------------
    def _add(self, body: Body) -> None:
        model, joint = self.model, body.joint
        parent, inside = self.where[body.parent]
        A = self._number(joint.rotation.entries, {}).reshape(3, 3)
        place = inside * pin.SE3(A, self._number(joint.position, {}))
        if isinstance(joint, Fixed):
            self.where[body.name] = parent, place
            self._append(body, parent, place, self.shares[body.name])
            return
        kinds: list[Any]
        if isinstance(joint, (Revolute, Prismatic)):
            S = joint.subspace[0 if isinstance(joint, Revolute) else 1]
            axis = self._number(S.entries, {})
            one = pin.JointModelRevoluteUnaligned if isinstance(joint, Revolute) else (
                pin.JointModelPrismaticUnaligned)  # fmt: skip
            kinds = [one(axis)]
        elif isinstance(joint, Universal):
            kinds = [pin.JointModelRevoluteUnaligned(X), pin.JointModelRevoluteUnaligned(Y)]
        elif isinstance(joint, Spherical):
            kinds = [pin.JointModelSpherical()]
        else:
            assert isinstance(joint, Free)
            kinds = [pin.JointModelFreeFlyer()]
        first = 0
        for k, kind in enumerate(kinds):
            parent = model.addJoint(parent, kind, place, f"{body.name}.{k}")
            first = first or parent
            place = pin.SE3.Identity()
        self.own.append((body, first))
        self.where[body.name] = parent, place
        self._append(body, parent, place, self.shares[body.name])

    def _append(self, body: Body, joint: int, place: pin.SE3, share: float) -> None:
        """One part of the inertia of a body, at a joint."""
        m, MX, MY, MZ, XX, XY, XZ, YY, YZ, ZZ = self._number(body.inertia.ten, {}) / share
        if not m:
            return
        c = np.array([MX, MY, MZ]) / m
        J = np.array([[XX, XY, XZ], [XY, YY, YZ], [XZ, YZ, ZZ]]) + m * pin.skew(c) @ pin.skew(c)
        self.model.appendBodyToJoint(joint, pin.Inertia(m, c, J), place)

    def _put_into_tree(self, loop: Loop, home: dict[Expr, float]) -> None:
        axes = [self._number(e, {}) for e in (loop.axis, loop.to_axis)]
        axes = axes if loop.joint == "universal" else axes[:1]
        assert loop.joint in ("revolute", "universal")
        A = {n: self._rotation(n, home) for n in (loop.body, loop.to)}
        turned = A[loop.body].T @ A[loop.to]
        joint, inside = self.where[loop.body]
        place = inside * pin.SE3(np.eye(3), self._number(loop.at, {}))
        first = 0
        for k, axis in enumerate(axes):
            kind = pin.JointModelRevoluteUnaligned(axis)
            joint = self.model.addJoint(joint, kind, place, f"{loop.name}.{k}")
            first = first or joint
            place = pin.SE3(turned, np.zeros(3)) if k == 0 else pin.SE3.Identity()
        if len(axes) == 2:
            place = pin.SE3.Identity()
        self.cuts.append(Cut(loop, first, joint, tuple(axes), turned))
        # the frame of `to`, seen from behind the last joint
        frame = place * pin.SE3(np.eye(3), -self._number(loop.to_at, {}))
        if loop.to == "world":
            self.model.appendBodyToJoint(joint, pin.Inertia.Random(), place)
        else:
            self._append(self.robot.body(loop.to), joint, frame, self.shares[loop.to])
        self.where[f"{loop.name} behind"] = joint, frame

    def _rotation(self, body: str, state: dict[Expr, float]) -> np.ndarray:
        A = np.eye(3)
        while body != "world":
            b = self.robot.body(body)
            A = self._number(b.joint.rotation.entries, state).reshape(3, 3) @ A
            body = b.parent
        return A

    def constraints(self) -> Any:
        models = pin.StdVec_RigidConstraintModel()
        for loop in self.robot.loops:
            point = loop.joint == "spherical"
            kind = pin.ContactType.CONTACT_3D if point else pin.ContactType.CONTACT_6D
            one, at = self.where[loop.body if point else f"{loop.name} behind"]
            two, to = self.where[loop.to]
            if point:
                at = at * pin.SE3(np.eye(3), self._number(loop.at, {}))
                to = to * pin.SE3(np.eye(3), self._number(loop.to_at, {}))
            models.append(
                pin.RigidConstraintModel(
                    kind, self.model, one, at, two, to, pin.ReferenceFrame.LOCAL
                )
            )
        return models

    # -- states -----------------------------------------------------------------------------------------
    def columns(self) -> np.ndarray:
        """Numbers of Pinocchio's speeds that are ours, in our order."""
        found: list[int] = []
        for body, first in self.own:
            start = self.model.idx_vs[first]
            found += range(start, start + len(body.joint.speeds))
        return np.array(found)

    def state(self, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Pinocchio's (q, v) at ours; a quaternion is x y z w there."""
        model = self.model
        theirs, speeds = pin.neutral(model), np.zeros(model.nv)
        values = dict(zip(self.robot.joint_coordinates, map(float, q), strict=True))
        for body, first in self.own:
            own = np.array([values[x] for x in body.joint.q])
            if isinstance(body.joint, (Free, Spherical)):
                own = np.concatenate([own[:-4], own[-3:], own[-4:-3]])
            theirs[model.idx_qs[first] : model.idx_qs[first] + len(own)] = own
        speeds[self.columns()] = v
        data = model.createData()
        pin.forwardKinematics(model, data, theirs, speeds)
        w = {n: self._spin(data, n) for n in ("world", *(b.name for b in self.robot.bodies))}
        for cut in self.cuts:
            B, T = (self._rotation(n, values) for n in (cut.loop.body, cut.loop.to))
            E = B.T @ T
            z1, R = cut.axes[0], cut.turned
            if len(cut.axes) == 2:
                z2 = cut.axes[1]
                first = _angle(z1, R @ z2, E @ z2)
                second = _angle(z2, X, (pin.exp3(z1 * first) @ R).T @ E @ X)
                angles, directions = [first, second], [z1, pin.exp3(z1 * first) @ R @ z2]
            else:
                side = np.cross(z1, X if abs(z1[0]) < 0.9 else Y)
                angles, directions = [_angle(z1, side, E @ R.T @ side)], [z1]
            relative = B.T @ (w[cut.loop.to] - w[cut.loop.body])
            rates, *_ = np.linalg.lstsq(np.array(directions).T, relative, rcond=None)
            for k in range(len(angles)):
                joint = cut.first + k
                theirs[model.idx_qs[joint]] = angles[k]
                speeds[model.idx_vs[joint]] = rates[k]
        return theirs, speeds

    def _spin(self, data: Any, name: str) -> np.ndarray:
        """Angular velocity of a body in the world."""
        joint = self.where[name][0]
        return data.oMi[joint].rotation @ data.v[joint].angular if joint else np.zeros(3)

    # -- dynamics ---------------------------------------------------------------------------------------
    def accelerations(
        self, q: np.ndarray, v: np.ndarray, tau: np.ndarray, mu: float | None = None
    ) -> tuple[np.ndarray, float]:
        """(our v̇, rest of the constraints at q and v), by constraintDynamics, or lcaba with mu.

        `Data` is new in each call: after lcaba it gives wrong results silently.
        """
        model, models = self.model, self.constraints()
        theirs, speeds = self.state(q, v)
        force = np.zeros(model.nv)
        force[self.columns()] = tau
        datas = pin.StdVec_RigidConstraintData()
        for m in models:
            datas.append(m.createData())
        data = model.createData()
        if mu is None:
            pin.initConstraintDynamics(model, data, models, datas)
            settings = pin.ProximalSettings(1e-14, 1e-14, 1e-10, 50)
            a = pin.constraintDynamics(model, data, theirs, speeds, force, models, datas, settings)
        else:
            pin.computeJointMinimalOrdering(model, data, models)
            settings = pin.ProximalSettings(1e-12, mu, 100)
            a = pin.lcaba(model, data, theirs, speeds, force, models, datas, settings)
        return np.array(a)[self.columns()], self.rest(theirs, speeds)

    def rest(self, q: np.ndarray, v: np.ndarray) -> float:
        """Largest error of position, orientation or velocity of all constraints."""
        model, data = self.model, self.model.createData()
        pin.forwardKinematics(model, data, q, v)
        largest = 0.0
        for m in self.constraints():
            one = data.oMi[m.joint1_id] * m.joint1_placement
            two = data.oMi[m.joint2_id] * m.joint2_placement
            off = one.actInv(two)
            u = m.joint1_placement.actInv(data.v[m.joint1_id])
            u = u - off.act(m.joint2_placement.actInv(data.v[m.joint2_id]))
            errors = [off.translation, u.linear]
            if m.type == pin.ContactType.CONTACT_6D:
                errors += [off.rotation - np.eye(3), u.angular]
            largest = max(largest, *(float(abs(e).max()) for e in errors))
        return largest


def _angle(axis: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """Angle about an axis from a to b."""
    a, b = (x - axis * (axis @ x) for x in (a, b))
    return float(np.arctan2(axis @ np.cross(a, b), a @ b))
