"""Random trees in Pinocchio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pinocchio as pin

from equamo.algebra.expr import Expr, symbol
from equamo.mechanics.equations import derive
from equamo.robot.model import Robot
from peers import Dynamics, chain, chart, depth_first, joint_state, relative_error, three
from random_trees import Tree, numbers


class Pinocchio:
    """A tree built joint by joint; massless bodies between the joints of a chain.

    Its free joint has our speeds (linear, then angular velocity in the body frame); its quaternions
    are x y z w. Joints are added depth first: `crba` takes the speeds of a subtree to be neighbours
    and is silently wrong otherwise.
    """

    def __init__(self, tree: Tree, robot: Robot) -> None:
        self.tree, self.robot = tree, robot
        model = self.model = pin.Model()
        model.gravity.linear = np.array(tree.gravity, float)
        self.frame: dict[str, int] = {}
        where = {"world": (0, pin.SE3.Identity())}
        self.first: dict[str, int] = {}  # joint of each link that its chain begins with
        for link in depth_first(tree):
            turned, joints = chain(link)
            joint, inside = where[link.parent]
            place = inside * pin.SE3(turned, np.array(link.at, float))
            for k, elementary in enumerate(joints):
                if elementary[0] == "shift":
                    place = place * pin.SE3(np.eye(3), np.array(elementary[1]))
                    continue
                joint = model.addJoint(joint, _joint(elementary), place, f"{link.name}.{k}")
                self.first.setdefault(link.name, joint)
                place = pin.SE3.Identity()
            where[link.name] = joint, place
            inertia = pin.Inertia(float(link.mass), np.array(three(link.com)),
                                  np.array(link.tensor, float))  # fmt: skip
            model.appendBodyToJoint(joint, inertia, place)
            self.frame[link.name] = model.addFrame(
                pin.Frame(link.name, joint, 0, place, pin.FrameType.OP_FRAME)
            )
        self.data = model.createData()

    def place(self, state: dict[Expr, float]) -> tuple[np.ndarray, ...]:
        """(configuration, u, u̇, T, Ṫ v) of Pinocchio at one of our states."""
        model = self.model
        y, T = np.zeros(model.nq), np.zeros((model.nv, len(self.robot.v)))
        T_dot_v = np.zeros(model.nv)
        column = 0
        for link in self.tree.links:
            q, v, _ = joint_state(self.robot, link, state)
            here = chart(link, q, v)
            values = here.y
            if link.kind.endswith("quaternion"):
                values = np.concatenate([q[:-4], q[-3:], q[-4:-3]])
            k, m = here.T.shape
            if k:
                first = self.first[link.name]
                row, start = model.idx_vs[first], model.idx_qs[first]
                y[start : start + len(values)] = values
                T[row : row + k, column : column + m] = here.T
                T_dot_v[row : row + k] = here.T_dot_v
            column += m
        v = np.array([state[x] for x in self.robot.v])
        vdot = np.array([state[x] for x in self.robot.vdot])
        return y, T @ v, T @ vdot + T_dot_v, T, T_dot_v

    def dynamics(self, state: dict[Expr, float]) -> Dynamics:
        model, data = self.model, self.data
        q, u, u_dot, T, T_dot_v = self.place(state)
        M = np.array(pin.crba(model, data, q))
        gravity = np.array(pin.computeGeneralizedGravity(model, data, q))
        bias = np.array(pin.nonLinearEffects(model, data, q, u)) - gravity
        tau = np.array(pin.rnea(model, data, q, u, u_dot))
        return Dynamics(T.T @ M @ T, T.T @ (bias + M @ T_dot_v), T.T @ gravity, T.T @ tau)


def _joint(elementary: tuple[Any, ...]) -> Any:
    kind, *rest = elementary
    if kind == "helical":
        return pin.JointModelHelicalUnaligned(np.array(rest[0]), rest[1])
    if kind == "ball":
        return pin.JointModelSpherical()
    if kind == "free":
        return pin.JointModelFreeFlyer()
    axis = np.array(rest[0])
    if kind == "revolute":
        return pin.JointModelRevoluteUnaligned(axis)
    return pin.JointModelPrismaticUnaligned(axis)


class PinocchioKinematics:
    """Frames, energies and momentum of a tree at one state."""

    def __init__(self, tree: Tree, robot: Robot, state: dict[Expr, float]) -> None:
        self.tree, self.state = tree, state
        self.pin = Pinocchio(tree, robot)
        model, data = self.pin.model, self.pin.data
        q, u, u_dot, self.T, self._rate = self.pin.place(state)
        pin.forwardKinematics(model, data, q, u, u_dot)
        pin.computeJointJacobians(model, data, q)
        pin.updateFramePlacements(model, data)
        self.kinetic = pin.computeKineticEnergy(model, data, q, u)
        self.potential = pin.computePotentialEnergy(model, data, q)
        pin.computeCentroidalMomentum(model, data, q, u)
        pin.centerOfMass(model, data, q, u)
        self.center, self.center_velocity = np.array(data.com[0]), np.array(data.vcom[0])
        self.momentum = np.concatenate([data.hg.angular, data.hg.linear])

    def pose(self, frame: str) -> tuple[np.ndarray, np.ndarray]:
        """(rotation, position) in the world."""
        if frame == "world":
            return np.eye(3), np.zeros(3)
        place = self.pin.data.oMf[self.pin.frame[frame]]
        return np.array(place.rotation), np.array(place.translation)

    def motion(self, frame: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """(J, velocity, acceleration) of a frame's origin in world axes, angular first."""
        model, data, k = self.pin.model, self.pin.data, self.pin.frame[frame]
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        J = np.array(pin.getFrameJacobian(model, data, k, axes)) @ self.T
        v = pin.getFrameVelocity(model, data, k, axes)
        a = pin.getFrameClassicalAcceleration(model, data, k, axes)
        six = (np.concatenate([x.angular, x.linear]) for x in (v, a))
        return np.vstack([J[3:], J[:3]]), *six

    def load(
        self, body: str, point: np.ndarray, force: np.ndarray, torque: np.ndarray, frame: str
    ) -> np.ndarray:
        """Generalized force of a force at a point of a body and a torque, components in a frame."""
        if body == "world":
            return np.zeros(self.T.shape[1])
        A, _ = self.pose(frame)
        B, _ = self.pose(body)
        J = self.motion(body)[0]
        F = A @ force
        return J[3:].T @ F + J[:3].T @ (A @ torque + np.cross(B @ point, F))


def force_errors(
    tree: Tree, robot: Robot, state: dict[Expr, float], by: str = "recursive"
) -> dict[str, float]:
    """Relative error of each generalized force against Jᵀ times the loads."""
    eom, kinematics = derive(robot, by=by), PinocchioKinematics(tree, robot, state)
    load = kinematics.load

    def given(names: str) -> np.ndarray:
        return np.array([state[symbol(n)] for n in names.split()])

    nothing = np.zeros(3)
    torque, strut, push, own = tree.acts
    T, F = given("T1 T2 T3"), given("F1 F2 F3")
    (d3, d4), e = given("d3 d4"), given("e1 e2 e3 e4")
    Vy, Va, Vc = given("Vy Va Vc")
    expected = {
        "torque": load(torque.body, nothing, nothing, T, torque.body)
        - load(torque.other, nothing, nothing, T, torque.body),
        "strut": load(strut.body, np.array([1 / 2, -1 / 3, d3]), F, nothing, strut.body)
        - load(strut.other, np.array([d4, 2, 1 / 5]), F, nothing, strut.body),
        "push": load(push.body, e[:3], given("Wx Wy Wz"), given("Wa Wb Wc"), push.other),
        "own": load(own.body, np.array([1 / 7, e[3], -2]), np.array([1, Vy, 2]),
                    np.array([Va, -3, Vc]), own.body),
    }  # fmt: skip
    return {
        name: relative_error(numbers(eom.forces[name], state), theirs, least=1e-3)
        for name, theirs in expected.items()
    }
