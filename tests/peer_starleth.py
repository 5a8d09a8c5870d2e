"""StarlETH in Pinocchio, with our coordinates: translations, angles x-y-z, then three joints per leg."""

from __future__ import annotations

import numpy as np
import pinocchio as pin

from equamo.robot.library.starleth import LEGS
from equamo.robot.model import Robot


class Starleth:
    """A model with the numbers of our robot; the joints are in the same order, so q and v are ours."""

    def __init__(self, robot: Robot) -> None:
        x = {n: float(value or 0) for n, value in robot.values.items()}
        model = self.model = pin.Model()
        model.gravity.linear = np.array([0, 0, -x["g"]])
        base = model.addJoint(0, pin.JointModelTranslation(), pin.SE3.Identity(), "slide")
        for kind, name in (
            (pin.JointModelRX(), "AL"),
            (pin.JointModelRY(), "BE"),
            (pin.JointModelRZ(), "GA"),
        ):
            base = model.addJoint(base, kind, pin.SE3.Identity(), name)

        def add(parent: int, kind: object, at: list[float], name: str, letter: str) -> int:
            joint = model.addJoint(parent, kind, _shift(*at), name)
            model.appendBodyToJoint(joint, _inertia(x, letter), pin.SE3.Identity())
            return joint

        model.appendBodyToJoint(base, _inertia(x, "B"), pin.SE3.Identity())
        self.shank: dict[str, int] = {}
        for leg in LEGS:
            hip = [
                x["b2hx"] * (1 if leg[1] == "F" else -1),
                x["b2hy"] * (1 if leg[0] == "L" else -1),
                0,
            ]
            haa = add(base, pin.JointModelRX(), hip, f"{leg}_HAA", "H")
            hfe = add(haa, pin.JointModelRY(), [0, 0, x["lH"]], f"{leg}_HFE", "T")
            self.shank[leg] = add(hfe, pin.JointModelRY(), [0, 0, x["lT"]], f"{leg}_KFE", "S")
        self.foot = _shift(0, 0, x["lS"])

    def contacts(self, legs: tuple[str, ...]) -> pin.StdVec_RigidConstraintModel:
        """Points of the feet that are held, with forces in the frames of the shanks."""
        models = pin.StdVec_RigidConstraintModel()
        for leg in legs:
            at = self.model, self.shank[leg], self.foot
            models.append(
                pin.RigidConstraintModel(pin.ContactType.CONTACT_3D, *at, pin.ReferenceFrame.LOCAL)
            )
        return models

    def jacobian(self, q: np.ndarray, legs: tuple[str, ...]) -> np.ndarray:
        """Rows of the velocities of the feet, in the world."""
        data = self.model.createData()
        pin.computeJointJacobians(self.model, data, q)
        rows: list[np.ndarray] = []
        for leg in legs:
            J = pin.getJointJacobian(
                self.model, data, self.shank[leg], pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
            )
            r = data.oMi[self.shank[leg]].rotation @ self.foot.translation
            rows.append(J[:3] - pin.skew(r) @ J[3:])
        return np.vstack(rows)

    def in_world(
        self, q: np.ndarray, legs: tuple[str, ...], forces: list[np.ndarray]
    ) -> np.ndarray:
        """Forces in the frames of the shanks, turned to the world."""
        data = self.model.createData()
        pin.forwardKinematics(self.model, data, q)
        pairs = zip(legs, forces, strict=True)
        return np.concatenate([data.oMi[self.shank[leg]].rotation @ f for leg, f in pairs])

    def constraint_dynamics(
        self, q: np.ndarray, v: np.ndarray, tau: np.ndarray, legs: tuple[str, ...]
    ) -> tuple[np.ndarray, np.ndarray]:
        """(accelerations, forces of the ground in the world); `Data` is new in each call."""
        data, models = self.model.createData(), self.contacts(legs)
        datas = pin.StdVec_RigidConstraintData()
        for m in models:
            datas.append(m.createData())
        pin.initConstraintDynamics(self.model, data, models, datas)
        exact = pin.ProximalSettings(1e-14, 1e-14, 0.0, 1)
        a = np.array(pin.constraintDynamics(self.model, data, q, v, tau, models, datas, exact))
        return a, self.in_world(q, legs, [np.array(d.contact_force.linear) for d in datas])

    def impulse_dynamics(
        self, q: np.ndarray, v: np.ndarray, legs: tuple[str, ...], restitution: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """(speeds after an impact, impulses of the ground in the world)"""
        data = self.model.createData()
        J = self.jacobian(q, legs)
        after = pin.impulseDynamics(self.model, data, q, v, J, restitution, 0.0)
        return np.array(after), np.array(data.impulse_c)


def _shift(x: float, y: float, z: float) -> pin.SE3:
    return pin.SE3(np.eye(3), np.array([x, y, z]))


def _inertia(x: dict[str, float], letter: str) -> pin.Inertia:
    moments = np.diag([x[f"Th{letter}_{c}{c}"] for c in "xyz"])
    return pin.Inertia(x[f"m{letter}"], np.array([0, 0, x[f"s{letter}"]]), moments)
