"""Force elements against MuJoCo: joint springs, dampers, armature, friction loss; spatial tendons."""

from __future__ import annotations

import mujoco
import numpy as np
import pytest

import equamo as eq
from force_robots import COEFFICIENTS, VALUES, arm, one_of_each

pytestmark = pytest.mark.needs("mujoco")

P = {n: float(x) for n, x in (VALUES | COEFFICIENTS).items()}
MJCF = """
<mujoco><compiler angle="radian" inertiafromgeom="false" autolimits="false"/>
 <option gravity="0 -9.81 0"/>
 <worldbody>
  <site name="post" pos="0 {h} 0"/>
  <body name="upper">
   <joint name="q1" axis="0 0 1" stiffness="{k1}" springref="{q0}" frictionloss="{Fc1}"/>
   <inertial mass="{m1}" pos="{Lc1} 0 0" diaginertia="{I1} {I1} {I1}"/>
   <site name="mount" pos="0 {b} 0"/><site name="low" pos="{b2} {c2} 0"/>
   <body name="fore" pos="{L1} 0 0">
    <joint name="q2" axis="0 0 1" damping="{d2}" armature="{armature}"/>
    <inertial mass="{m2}" pos="{Lc2} 0 0" diaginertia="{I2} {I2} {I2}"/>
    <site name="high" pos="{a2} 0 0"/>
    <body name="rod" pos="{L2} 0 0">
     <joint name="s" type="slide" axis="1 0 0" stiffness="{k3}"/>
     <inertial mass="{m3}" pos="0 {c} 0" diaginertia="{I3} {I3} {I3}"/>
     <site name="tip" pos="{a} 0 0"/>
    </body></body></body>
 </worldbody>
 <tendon>
  <spatial name="coil" stiffness="{k}" springlength="{l0}">
   <site site="post"/><site site="tip"/></spatial>
  <spatial name="dashpot" damping="{d}"><site site="mount"/><site site="tip"/></spatial>
  <spatial name="cylinder"><site site="low"/><site site="high"/></spatial>
 </tendon>
 <actuator><general name="F" tendon="cylinder" gainprm="1"/></actuator>
</mujoco>"""
PASSIVE = ("spring_q1", "spring_s", "damper_q2", "coil", "dashpot")


@pytest.fixture(scope="module")
def model() -> mujoco.MjModel:
    # A planar arm: the moments about x and y are never felt.
    numbers = P | {"armature": P["N"] ** 2 * P["Jm"]}
    return mujoco.MjModel.from_xml_string(MJCF.format(**numbers))


def test_forces_and_mass_matrix(model: mujoco.MjModel) -> None:
    data = mujoco.MjData(model)
    eom = eq.derive(arm(*one_of_each()))
    F = [x.name for x in eom.inputs].index("F")
    random = np.random.default_rng(3)
    for _ in range(5):
        q, v = random.uniform(-1, 1, (2, 3))
        inputs = np.zeros(len(eom.inputs))
        inputs[F] = random.uniform(-5, 5)
        data.qpos[:], data.qvel[:], data.ctrl[:] = q, v, inputs[F]
        mujoco.mj_forward(model, data)
        state = {"q": q, "v": v, "inputs": inputs}
        passive = sum(eom.evaluate(n, **state) for n in PASSIVE)
        np.testing.assert_allclose(passive, data.qfrc_passive, rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(
            eom.evaluate("F", **state), data.qfrc_actuator, rtol=1e-9, atol=1e-9
        )
        M = np.zeros((3, 3))
        mujoco.mj_fullM(model, data, M)
        np.testing.assert_allclose(eom.evaluate("mass_matrix", q=q), M, rtol=1e-9, atol=1e-9)
        energy = sum(eom.evaluate(f.energy, q=q) for f in eom.forces.values() if f.energy)
        energy += eom.evaluate("potential_energy", q=q)
        mujoco.mj_energyPos(model, data)
        np.testing.assert_allclose(energy, data.energy[0], rtol=1e-9)


def test_friction_has_the_sign_of_friction_loss(model: mujoco.MjModel) -> None:
    data = mujoco.MjData(model)
    eom = eq.derive(arm(*one_of_each()))
    for speed in (-2.0, 2.0):
        data.qpos[:], data.qvel[:] = 0, [speed, 0, 0]
        mujoco.mj_forward(model, data)
        ours = eom.evaluate("friction_q1", v=[speed, 0, 0], values={"Fv1": 0})
        np.testing.assert_allclose(ours, data.qfrc_constraint, rtol=1e-6, atol=1e-9)
