"""Panda moves its hand to a point with the least effort: optimal control with CasADi and IPOPT.

From rest to rest in one second. The unknowns are q, v and v̇ at each step; torques are the inverse
dynamics, so no equation is solved for accelerations. Jacobians and the Hessian of the Lagrangian are
exact.

    python examples/bridges/casadi_point_to_point.py panda.urdf              functions as CasADi graphs
    python examples/bridges/casadi_point_to_point.py panda.urdf external     as compiled C
"""

import sys
from pathlib import Path

import casadi
import numpy as np

import equamo as eq

DURATION, STEPS = 1.0, 20  # s, intervals
START = (0.0, -0.785, 0.0, -2.356, 0.0, 1.571, 0.785, 0.02, 0.02)
SHIFT = (-0.15, 0.35, 0.10)  # of the hand [m]
LIMITS = (87, 87, 87, 87, 12, 12, 12, 20, 20)  # of the torques [N m], and of the fingers [N]
HAND = "panda_hand"


def functions(path: str | Path, external: bool = False) -> tuple[casadi.Function, casadi.Function]:
    """Inverse dynamics, and the pose of the hand."""
    bridge = eq.compile(eq.derive(eq.load(path)), parameters="numeric").to_casadi()
    made = bridge.external if external else bridge.function
    return made("inverse_dynamics"), made("pose", HAND)


def point_to_point(torque: casadi.Function, pose: casadi.Function) -> dict[str, object]:
    """Find the motion with the least effort."""
    n, h, start = len(START), DURATION / STEPS, np.array(START)
    q, v, a = (casadi.MX.sym(x, n, STEPS + 1) for x in ("q", "v", "a"))
    tau = torque.map(STEPS + 1)(q, v, a)
    goal = np.array(pose(start))[:3, 3] + SHIFT
    equations = [
        v[:, 1:] - v[:, :-1] - h / 2 * (a[:, 1:] + a[:, :-1]),
        q[:, 1:] - q[:, :-1] - h / 2 * (v[:, 1:] + v[:, :-1]),
        q[:, 0] - start,
        v[:, 0],
        v[:, -1],
        pose(q[:, -1])[:3, 3] - goal,
    ]
    scaled = tau / np.array(LIMITS)[:, None]
    held = casadi.vertcat(*map(casadi.vec, equations))
    x = casadi.vertcat(*map(casadi.vec, (q, v, a)))
    nlp = {
        "x": x, "f": h * casadi.sumsqr(scaled), "g": casadi.vertcat(held, casadi.vec(scaled))
    }  # fmt: skip
    options = {"ipopt.print_level": 0, "ipopt.sb": "yes", "print_time": False, "ipopt.tol": 1e-9}
    solver = casadi.nlpsol("point_to_point", "ipopt", nlp, options)
    guess = np.hstack([np.tile(start, STEPS + 1), np.zeros(2 * n * (STEPS + 1))])
    slack = np.hstack([np.zeros(held.numel()), np.ones(scaled.numel())])
    found = solver(x0=guess, lbg=-slack, ubg=slack)
    return {"cost": float(found["f"]), "x": np.array(found["x"]).ravel(), **solver.stats()}


def main() -> None:
    found = point_to_point(*functions(sys.argv[1], "external" in sys.argv))
    print(f"{found['return_status']} after {found['iter_count']} iterations")
    print(f"effort {found['cost']:.6f}")


if __name__ == "__main__":
    main()
