"""The hand of the RR arm follows a circle, by computed torque.

Inverse kinematics gives the joint angles as expressions in t, which are differentiated exactly. The
controller is compiled and used in a batch of runs that start beside the circle.
"""

import numpy as np

import equamo as eq

# The hand at (1.2, 0.4) + 0.4 (cos t, sin t), links of 1 m: the law of cosines, elbow down.
X, Y = "(1.2 + 0.4*cos(t))", "(0.4 + 0.4*sin(t))"
Q2 = f"acos(({X}**2 + {Y}**2 - 2)/2)"
Q1 = f"atan2({Y}, {X}) - atan2(sin({Q2}), 1 + cos({Q2}))"


def main() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    follow = eq.computed_torque(eom, {"q1": Q1, "q2": Q2}, kp=25, kd=10)
    q, dq, _ = follow.reference(0)
    motion = eq.simulate(eom, q=np.add(q, [0.2, -0.3]), v=dq, duration=2 * np.pi, control=follow)
    print("distance of the hand from the circle [mm]:")
    for t in (0, 1, 2, 4, 6):
        k = int(np.searchsorted(motion.t, t))
        print(f"  t = {motion.t[k]:4.2f} s  {1e3 * off_circle(motion.q[k]):10.5f}")
    assert off_circle(motion.q[-1]) < 1e-6

    # The same controller in machine code, from 1,000 starts.
    rng = np.random.default_rng(1)
    starts = q + rng.uniform(-0.3, 0.3, (1000, 2))
    control = dict(zip(follow.expressions.names, follow.expressions, strict=True))
    runs = eq.rollout(eom, starts, dq, step=0.005, duration=6, every=1200, control=control)
    worst = max(off_circle(end) for end in runs.q[:, -1])
    print(f"1,000 starts, largest distance after 6 s: {1e3 * worst:.1e} mm")
    assert worst < 1e-6


def off_circle(q: np.ndarray) -> float:
    """Distance of the hand from the circle [m]."""
    hand = np.array([np.cos(q[0]) + np.cos(q.sum()), np.sin(q[0]) + np.sin(q.sum())])
    return abs(np.linalg.norm(hand - [1.2, 0.4]) - 0.4)


if __name__ == "__main__":
    main()
