"""The motion: energy ledger, torque split and phase portrait of a simulated motion, at even times."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...errors import EquamoError
from ...expr import Expr, as_expr, sin, symbol
from ...formulations.equations import EquationsOfMotion
from ...model.joints import Free, FreeEuler
from ...motion.simulate import simulate
from ...motion.trajectory import Trajectory
from ..context import Context
from ..document import Section, paragraph
from ..markup import element

Floats = NDArray[np.float64]

DURATION: Final = 6.0  # [s] of the motion that is made where none is given
SMALL: Final = 3  # speeds of a robot that is left to itself
FRAMES: Final = 360  # most samples in the page
SIGNIFICANT: Final = 7  # digits of what is only drawn
SWAY: Final = 0.35  # [rad] of joints that sway
RATE: Final = 6.0  # [rad/s] of a joint alone that is held at its place


def section(context: Context) -> Section:
    """Charts are drawn by the script; the sentence says what the motion is."""
    trajectory = context.trajectory
    if trajectory is None:
        said = (
            "The joints sway so that the robot can be seen moving: this is no simulation. "
            "A motion of yours: eq.report(robot, path, trajectory=eq.simulate(…))."
        )
        return Section("motion", "Motion", paragraph(said), {"sway": _sway(context)})
    energy = trajectory.energy
    drift = float(np.abs(energy.drift).max()) if len(trajectory) else 0.0
    said = f"{context.motion} " if context.motion else ""
    said += (
        f"{trajectory.t[-1] - trajectory.t[0]:.3g} s simulated by {trajectory.method}; energy that "
        f"no force accounts for: at most {drift:.1e} J of {energy.range:.3g} J that moved."
    )
    html = element(
        "div",
        paragraph(said),
        element("div", element("div", id="chart-energy"), element("div", id="chart-phase"),
                class_="charts"),
        element("div", id="chart-torque"),
    )  # fmt: skip
    return Section("motion", "Motion", html, {"motion": _motion(trajectory)})


def default_motion(eom: EquationsOfMotion) -> tuple[Trajectory, str] | None:
    """A few seconds from the default state, and what they are; None where that is no use.

    Free motion of a small robot; joints of a bigger one follow a sway by their actuators. A robot that
    is not held, such as a walking one, would only fall: there is no ground contact.
    """
    robot = eom.robot
    if any(isinstance(b.joint, (Free, FreeEuler)) for b in robot.bodies) or robot.unit_groups:
        return None
    if any(x is None for x in robot.values.values()):
        return None
    times = np.linspace(0.0, DURATION, 241)
    control = _followed(eom) if len(eom.v) > SMALL else {}
    start = {x.name: float(robot.home.q[x.name]) for x in eom.q}
    if not control:  # a little off the default, so that an equilibrium is left
        start = {n: x + (0.1 if k % 2 == 0 else -0.05) for k, (n, x) in enumerate(start.items())}
    said = (
        "The actuators carry the weight and draw the joints after a sway."
        if control
        else "Free motion, from near the default pose."
    )
    try:
        found = simulate(
            eom, q=start, duration=DURATION, t_eval=times, control=control or None,
            rtol=1e-7, atol=1e-9, progress=False,
        )  # fmt: skip
        return found, said
    except EquamoError:
        return None  # a robot that cannot be simulated still has a page


def _followed(eom: EquationsOfMotion) -> dict[str, Expr]:
    """Inputs that carry the weight and draw each joint after its sway: g + M (ω² (r − q) − 2ω v).

    Joints whose actuator acts on them alone; others move as they will.
    """
    M = np.asarray(eom.evaluate("mass_matrix"))
    B = np.asarray(eom.evaluate("input_matrix"))
    t = symbol("t")
    found: dict[str, Expr] = {}
    if len(eom.q) != len(eom.v):
        return found
    for j, u in enumerate(eom.inputs):
        rows = np.flatnonzero(B[:, j])
        if len(rows) != 1 or B[rows[0], j] != 1:
            continue
        k = int(rows[0])
        q, v, home = eom.q[k], eom.v[k], eom.robot.home.q[eom.q[k].name]
        angular = as_expr(Fraction(2 * (1 + k % 3), 6)) * as_expr("pi")
        target = as_expr(home) + _reach(eom, k) * sin(angular * t)
        pull = as_expr(f"{RATE**2}") * (target - q) - as_expr(f"{2 * RATE}") * v
        found[u.name] = eom.gravity[k] + as_expr(f"{float(M[k, k]):.6f}") * pull
    return found


def _reach(eom: EquationsOfMotion, k: int) -> Expr:
    limits = eom.robot.limits.get(eom.q[k].name)
    reach = SWAY
    if limits is not None and limits.lower is not None and limits.upper is not None:
        low, high = (float(eom.evaluate(x)) for x in (limits.lower, limits.upper))
        home = float(eom.robot.home.q[eom.q[k].name])
        reach = max(0.0, min(SWAY, high - home, home - low))
    return as_expr(f"{reach:.6f}")


def _motion(trajectory: Trajectory) -> dict[str, Any]:
    """Samples at even times."""
    t = trajectory.t
    keep = np.arange(len(t))
    if len(t) > FRAMES:
        keep = np.unique(np.linspace(0, len(t) - 1, FRAMES).round().astype(int))
    energy, torques = trajectory.energy, trajectory.torques
    works = {f"work of {n}": x for n, x in energy.work.items() if n in energy.done}
    done = sum(works.values(), np.zeros_like(energy.total))
    # All since the start: a height that everything stands at says nothing of the motion.
    ledger = {"kinetic": energy.kinetic, "potential": energy.potential - energy.potential[:1]}
    if float(np.abs(done).max(initial=0.0)) > 0:
        ledger["taken out by forces"] = -done
    ledger["sum"] = sum(ledger.values(), np.zeros_like(done))
    split = {"M v̇": torques.inertia, "C v": torques.coriolis, "g": torques.gravity}
    others = {
        "passive": -torques.passive,
        "inputs": -torques.inputs,
        "external": -torques.external,
    }
    split |= {n: x for n, x in others.items() if np.any(x)}
    return {
        "t": _rounded(t[keep] - t[0]),
        "q": _rounded(trajectory.q[keep], 10),
        "v": _rounded(trajectory.v[keep], 10),
        "ledger": {n: _rounded(x[keep]) for n, x in ledger.items()},
        "works": {n: _rounded(x[keep]) for n, x in works.items() if np.any(x)},
        "torques": {n: _rounded(x[keep]) for n, x in split.items()},
        "rows": list(trajectory.eom.mass_matrix.row_names or ()),
    }


def _sway(context: Context) -> dict[str, Any]:
    """Which coordinates sway, and how far."""
    units = [context.unit(s) for s in context.robot.q]
    loose = {
        n
        for b in context.robot.bodies
        if isinstance(b.joint, (Free, FreeEuler))
        for n in b.joint.coordinates
    }
    reach = [
        0.0 if s.name in loose or not u else SWAY * (0.2 if u == "m" else 1.0)
        for s, u in zip(context.robot.q, units, strict=True)
    ]
    return {"reach": reach, "duration": DURATION}


def _rounded(x: Floats, digits: int = SIGNIFICANT) -> list[Any]:
    """Numbers of so many digits, as lists."""
    if x.ndim == 2:
        return [_rounded(row, digits) for row in x]
    return [float(f"{a:.{digits}g}") for a in x]
