"""A wheeled inverted pendulum stands up from a lean of 15 degrees and drives a quarter turn.

The LQR uses x, ẋ, the heading and its rate, the lean and its rate. The simulation uses the full
nonlinear equations, with wheels that roll without slipping.
"""

import numpy as np

import equamo as eq

# X0 and Y0 are not controllable near a straight line, and the other states do not depend on them.
STATES = {
    "x": "R*(theta_L + theta_R)/2",  # distance along the path
    "psi": "psi",  # heading
    "q_imu": "q_imu",
    "dx": "dx",
    "dpsi": "dpsi",
    "dphi": "dphi",
}
WEIGHTS = {"x": 40, "psi": 40, "q_imu": 200, "dx": 20, "dpsi": 5, "dphi": 10}


def main() -> None:
    eom = eq.derive(eq.load("wheeled_inverted_pendulum"))
    upright = next(e for e in eq.equilibria(eom) if e.stable is False)
    print(f"balances at q_imu = {np.degrees(upright.q[-1]):.2f} deg")

    lin = eq.linearize(eom, q=upright.q)
    print(f"all {len(lin.states)} states: {eq.controllability(lin)}")
    lin = lin.in_terms_of(STATES)
    print(f"chosen states: {eq.controllability(lin)}")
    balance = eq.lqr(lin, WEIGHTS, R=0.02)
    print(f"slowest pole under LQR: {balance.closed_loop.real.max():.2f} 1/s")

    leaning = upright.q + np.radians([0, 0, 0, 0, 15])
    stand = eq.simulate(eom, q=leaning, duration=12, control=balance, rtol=1e-8, atol=1e-10)
    back = np.degrees(stand.q[-1, -1] - upright.q[-1])
    print(
        f"stands up: lean 15 deg -> {back:+.1e} deg, rolled at most {abs(stand.q[:, 0]).max():.2f} m"
    )
    assert abs(back) < 1e-2

    # Half a metre per second along an arc: 90 degrees in 6 s.
    turn = np.pi / 2 / 6
    drive = balance.following({"x": "t/2", "dx": 0.5, "psi": f"{turn}*t", "dpsi": turn})
    motion = eq.simulate(eom, q=stand.q[-1], v=stand.v[-1], duration=6, control=drive,
                         rtol=1e-8, atol=1e-10)  # fmt: skip
    X, Y, left, right = motion.q[-1, :4]
    heading = np.degrees(0.25 / 0.68 * (right - left))
    print(f"drives a turn: at ({X:.2f}, {Y:.2f}) m, heading {heading:.1f} deg")
    assert abs(heading - 90) < 5


if __name__ == "__main__":
    main()
