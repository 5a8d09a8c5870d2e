"""A wheeled inverted pendulum swings its body up: optimal control with CasADi and IPOPT.

The body hangs below the axle, at rest, and must stand above it after three seconds with the wheels back
where they were. Trapezoidal collocation; Jacobians and the Hessian of the Lagrangian are exact.

    python examples/bridges/casadi_swing_up.py              the dynamics as a CasADi graph
    python examples/bridges/casadi_swing_up.py external     as compiled C with derivatives of its own
"""

import sys

import casadi
import numpy as np

import equamo as eq

DURATION, STEPS = 3.0, 50  # s, intervals
LIMIT = 150.0  # of each motor [N m]


def dynamics(external: bool = False) -> casadi.Function:
    """ẋ = f(q, v, inputs), without external wrenches."""
    fast = eq.compile(eq.derive(eq.load("wheeled_inverted_pendulum")), parameters="numeric")
    bridge = fast.to_casadi()
    f = bridge.external("state_derivative") if external else bridge.function("state_derivative")
    q, v, u = (casadi.MX.sym(n, f.size1_in(n)) for n in ("q", "v", "inputs"))
    return casadi.Function("f", [q, v, u], [f(q, v, u, 0)])


def ends() -> tuple[np.ndarray, np.ndarray]:
    """Equilibrium configurations with the body below and above the axle."""
    found = eq.equilibria(eq.derive(eq.load("wheeled_inverted_pendulum")))
    above = next(np.array(e.q, float) for e in found if e.stable is False)
    below = above.copy()
    below[-1] -= np.pi
    return below, above


def swing_up(f: casadi.Function, start: np.ndarray, end: np.ndarray) -> dict[str, object]:
    """Find the states and inputs with the least effort."""
    n, m, h = 5 + 3, 2, DURATION / STEPS
    X, U = casadi.MX.sym("X", n, STEPS + 1), casadi.MX.sym("U", m, STEPS + 1)
    F = f.map(STEPS + 1)(X[:5, :], X[5:, :], U)
    defects = X[:, 1:] - X[:, :-1] - h / 2 * (F[:, 1:] + F[:, :-1])
    rest = np.zeros(3)
    bounds = [X[:, 0] - np.hstack([start, rest]), X[:, -1] - np.hstack([end, rest])]
    g = casadi.vertcat(casadi.vec(defects), *bounds)
    x = casadi.vertcat(casadi.vec(X), casadi.vec(U))
    nlp = {"x": x, "f": h * casadi.sumsqr(U) / LIMIT**2, "g": g}
    options = {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False, "ipopt.tol": 1e-9}
    solver = casadi.nlpsol("swing_up", "ipopt", nlp, options)
    path = np.linspace(np.hstack([start, rest]), np.hstack([end, rest]), STEPS + 1)
    guess = np.hstack([path.ravel(), np.zeros(m * (STEPS + 1))])
    most = np.hstack([np.full(n * (STEPS + 1), np.inf), np.full(m * (STEPS + 1), LIMIT)])
    found = solver(x0=guess, lbx=-most, ubx=most, lbg=0, ubg=0)
    return {"cost": float(found["f"]), "x": np.array(found["x"]).ravel(), **solver.stats()}


def main() -> None:
    below, above = ends()
    found = swing_up(dynamics("external" in sys.argv), below, above)
    torques = found["x"][8 * (STEPS + 1) :]
    print(f"{found['return_status']} after {found['iter_count']} iterations")
    print(f"effort {found['cost']:.6f}, largest torque {np.abs(torques).max():.1f} N m")


if __name__ == "__main__":
    main()
