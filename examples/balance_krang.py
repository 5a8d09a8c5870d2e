"""Golem Krang on two wheels (19 speeds) stands up from a lean of 15 degrees and drives a quarter turn.

Two controllers share the work, as on the robot. The wheels balance it by the LQR of a Krang whose waist
and arms are locked in their pose; these joints are held by gravity compensation and PD.
"""

import numpy as np

import equamo as eq

# A pose in front of the body: waist, torso, and both arms with bent elbows.
POSE = {"q_w": 0.3, "q_1l": 0.4, "q_4l": -0.9, "q_1r": -0.4, "q_4r": 0.9}
STATES = {
    "x": "R*(theta_L + theta_R)/2",  # distance along the path
    "psi": "psi",  # heading
    "q_imu": "q_imu",
    "dx": "dx",
    "dpsi": "dpsi",
    "dq_imu": "dq_imu",
}
WEIGHTS = {"x": 40, "psi": 40, "q_imu": 200, "dx": 20, "dpsi": 5, "dq_imu": 10}


def main() -> None:
    robot = eq.load("krang_on_wheels")
    eom = eq.derive(robot)
    joints = [s.name for s in robot.q[5:]]  # all above the wheels but q_imu
    pose = np.array([POSE.get(n, 0.0) for n in joints])

    # the wheels: LQR of the locked robot
    locked = eq.derive(robot.lock(**dict(zip(joints, pose, strict=True))))
    upright = next(e for e in eq.equilibria(locked) if e.stable is False)
    lin = eq.linearize(locked, q=upright.q).in_terms_of(STATES)
    balance = eq.lqr(lin, WEIGHTS, R=0.02)
    print(f"balances at q_imu = {np.degrees(upright.q[-1]):.2f} deg")
    print(f"LQR of the wheels: slowest pole {balance.closed_loop.real.max():.2f} 1/s")

    # the joints: gravity compensation, and PD weighted by their inertia, so that all have the same poles
    motors = [s.name for s in robot.inputs[2:]]
    gravity = eq.gravity_compensation(eom, inputs=motors)
    M = eom.evaluate("mass_matrix", q=[*upright.q, *pose])[3:, 3:]

    def control(t: float, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        inputs = gravity.inputs(t, q, v)
        inputs[2:] += M @ (225 * (pose - q[5:]) - 30 * v[3:])
        inputs[:2] = wheels.inputs(t, q[:5], v[:3])
        return inputs

    wheels = balance
    start = np.array([*upright.q, *pose])
    start[4] += np.radians(15)
    stand = eq.simulate(eom, q=start, duration=10, control=control, rtol=1e-6, atol=1e-8)
    back = np.degrees(stand.q[-1, 4] - upright.q[-1])
    sag = np.degrees(abs(stand.q[:, 5:] - pose).max())
    print(f"stands up: lean 15 deg -> {back:+.1e} deg; joints move by at most {sag:.1f} deg")
    assert abs(back) < 0.05

    # Half a metre per second along an arc: 90 degrees in 6 s.
    turn = np.pi / 2 / 6
    wheels = balance.following({"x": "t/2", "dx": 0.5, "psi": f"{turn}*t", "dpsi": turn})
    motion = eq.simulate(eom, q=stand.q[-1], v=stand.v[-1], duration=6, control=control,
                         rtol=1e-6, atol=1e-8)  # fmt: skip
    X, Y, left, right = motion.q[-1, :4]
    heading = np.degrees(0.25 / 0.68 * (right - left))
    print(f"drives a turn: at ({X:.2f}, {Y:.2f}) m, heading {heading:.1f} deg")
    assert abs(heading - 90) < 5


if __name__ == "__main__":
    main()
