"""Motion section: energies, torques, phase portrait and constraint forces, equally spaced in time."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from ....algebra.arrays import NDArray, np
from ....algebra.expr import ONE, Expr, as_expr, sin
from ....errors import EquamoError, SimulationError
from ....mechanics.equations.characteristic_sizes import CharacteristicSizes
from ....mechanics.equations.equations import EquationsOfMotion
from ....robot.model.body import WORLD
from ....robot.model.joints import Free, FreeEuler, Planar
from ..context import Context
from ..document import Section, paragraph
from ..markup import element
from .robot import coordinate_range

if (
    TYPE_CHECKING
):  # needs NumPy, like the other modules on motions, which are imported where they are used
    from ....motion.simulation.trajectory import Trajectory

Floats = NDArray[np.float64]
Values = Mapping[str, float]

DURATION: Final = 6.0  # [s] of the default motion
LEAST: Final = 0.5  # [s] of a motion that is worth showing
SMALL: Final = 3  # most speeds of a robot that moves freely by default
MOST: Final = 40  # most speeds of a robot that is simulated by default
RATE_OF_FRAMES: Final = 40.0  # samples per second in the page, and the most of them
FRAMES: Final = 1200
LEAST_FRAMES: Final = 240
NUMBERS: Final = 10_000  # approximate limit on the numbers of q in a page
SIGNIFICANT: Final = 7  # digits of numbers that are only drawn
SWAY: Final = 0.35  # [rad] amplitude of swaying joints
RATE: Final = 6.0  # [rad/s] natural frequency of a controlled joint


NO_CONTACT: Final = "Ground contact is not modelled: a falling robot passes through the ground."


def section(context: Context) -> Section:
    """Build the section: a description of the motion, and data for the script's charts."""
    trajectory = context.trajectory
    if trajectory is None:
        text = (
            "The joints of a robot with loops or held contacts do not sway, since they depend on each "
            "other. "
            if context.robot.closure_rows
            else "The joints sway to show how the robot moves; this is not a simulation. "
        )
        text += "To show your own motion, use eq.report(robot, path, trajectory=eq.simulate(…))."
        return Section(
            "motion",
            "Motion",
            paragraph(text),
            {"sway": {"reach": _reaches(context), "duration": DURATION}},
        )
    energy = trajectory.energy
    drift = float(np.abs(energy.drift).max()) if len(trajectory) else 0.0
    text = f"{context.motion} " if context.motion else ""
    text += (
        f"{trajectory.t[-1] - trajectory.t[0]:.3g} s simulated by {trajectory.method}; energy error "
        f"at most {drift:.1e} J, of {energy.range:.3g} J exchanged."
    )
    html = element(
        "div",
        paragraph(text),
        element("div", element("div", id="chart-energy"), element("div", id="chart-phase"),
                class_="charts"),
        element("div", id="chart-torque"),
        element("div", id="chart-forces"),
    )  # fmt: skip
    return Section("motion", "Motion", html, {"motion": _motion(trajectory)})


def default_motion(
    eom: EquationsOfMotion, assumed: Iterable[str] = ()
) -> tuple[Trajectory, str] | None:
    """Default motion of a few seconds with its description; None if there is no useful one.

    A small robot, or one with loops, moves freely; the actuated joints of a bigger one follow a sway. A
    robot that nothing supports, such as a walking one, would only fall, since there is no ground
    contact. Free motion may reach a singular configuration of a loop, where it ends. A very big robot
    would take minutes. Parameters that are `assumed` are 1.
    """
    robot = eom.robot
    try:
        from ....motion.simulation.simulate import simulate
    except ModuleNotFoundError:
        return None  # without NumPy, in a browser
    values = dict.fromkeys(assumed, 1)
    if len(eom.v) > MOST:
        return None
    if any(isinstance(b.joint, (Free, FreeEuler)) for b in robot.bodies) or robot.unit_groups:
        return None
    if any(x is None for name, x in robot.values.items() if name not in values):
        return None
    times = np.linspace(0.0, DURATION, 241)
    control = _followed(eom, values) if len(eom.v) > SMALL and not robot.closure_rows else {}
    start = {x.name: _allowed(eom, k, values)[0] for k, x in enumerate(eom.q)}
    if not control:  # slightly off the default, so that the robot leaves an equilibrium
        sizes = CharacteristicSizes(robot, values).q
        off = np.where(np.arange(len(start)) % 2 == 0, 0.1, -0.05) * sizes
        start = {n: x + float(d) for (n, x), d in zip(start.items(), off, strict=True)}
    description = (
        "The actuators compensate gravity and make the joints sway."
        if control
        else "Free motion, from near the default pose."
    )
    if _drives(eom):
        description += f" {NO_CONTACT}"
    try:
        trajectory = simulate(
            eom, q=start, duration=DURATION, t_eval=times, control=control or None,
            values=values, rtol=1e-7, progress=False,
        )  # fmt: skip
        return trajectory, description
    except SimulationError as error:
        motion: Trajectory = error.trajectory
        useful = robot.loops and len(motion) > 1 and motion.t[-1] > LEAST
        return (motion, f"{description} It ends at a singular configuration.") if useful else None
    except EquamoError:
        return None  # a robot that cannot be simulated still gets a page


def _followed(eom: EquationsOfMotion, values: Values | None = None) -> dict[str, Expr]:
    """Inputs that compensate gravity and make each joint sway: g + M (ω² (r − q) − 2ω v).

    Only for joints with an actuator that acts on them alone; others move freely. If there is one for
    every joint, and no other force, inverse dynamics at v̇ = ω² (r − q) − 2ω v: then v̇ is exactly that,
    and even a long chain is not stiff.
    """
    from ....motion.simulation.inputs import TIME

    M = np.asarray(eom.evaluate("mass_matrix", values=values))
    B = np.asarray(eom.evaluate("input_matrix", values=values))
    inputs: dict[str, Expr] = {}
    pulls: dict[int, Expr] = {}
    names: dict[int, str] = {}
    if len(eom.q) != len(eom.v):
        return inputs
    for j, u in enumerate(eom.inputs):
        rows = np.flatnonzero(B[:, j])
        if len(rows) != 1 or B[rows[0], j] != 1:
            continue
        k = int(rows[0])
        q, v = eom.q[k], eom.v[k]
        middle, reach = (as_expr(f"{x:.9f}") for x in _allowed(eom, k, values))
        angular = as_expr(Fraction(2 * (1 + k % 3), 6)) * as_expr("pi")
        target = middle + reach * sin(angular * TIME)
        pull = as_expr(f"{RATE**2}") * (target - q) - as_expr(f"{2 * RATE}") * v
        pulls[k], names[k] = pull, u.name
        inputs[u.name] = eom.gravity[k] + as_expr(f"{float(M[k, k]):.6f}") * pull
    if len(inputs) == len(pulls) == len(eom.v) and eom.passive_force.is_zero:
        known = {eom.vdot[k]: pull for k, pull in pulls.items()}
        torques = eom.inverse_dynamics.subs(known)
        return {name: torques[k] for k, name in names.items()}
    return inputs


def _allowed(eom: EquationsOfMotion, k: int, values: Values | None = None) -> tuple[float, float]:
    """Centre and amplitude of a coordinate's sway, within its limits even if home is not."""
    name = eom.q[k].name
    home, limits = float(eom.robot.home.q[name]), eom.robot.limits.get(name)
    if limits is None or limits.lower is None or limits.upper is None:
        return home, SWAY
    low, high = (float(eom.evaluate(x, values=values)) for x in (limits.lower, limits.upper))
    if not low < high:
        return home, 0.0
    reach = min(SWAY, (high - low) / 4)
    room = 1.5 * reach  # a joint that is held by its own controller alone overshoots a little
    return min(max(home, low + room), high - room), reach


def _drives(eom: EquationsOfMotion) -> bool:
    """Whether a robot drives on the ground."""
    bases = (b.joint for b in eom.robot.bodies if b.parent == WORLD)
    rolls = eom.robot.speed_map is not None and not eom.robot.loops
    return rolls or any(isinstance(j, Planar) and j.normal[2] is ONE for j in bases)


def _motion(trajectory: Trajectory) -> dict[str, Any]:
    """Motion at even times: states, rates of the coordinates, energies and torques."""
    from ..constraint_data import constraint_data
    from ..resample import coordinate_rates, resampled

    played = resampled(trajectory, RATE_OF_FRAMES, most_frames(trajectory))
    energy, torques = played.energy, played.torques
    works = {f"work of {n}": x for n, x in energy.work.items() if n in energy.done}
    done = sum(works.values(), np.zeros_like(energy.total))
    # Relative to the start, since a constant potential energy says nothing about the motion.
    ledger = {"kinetic": energy.kinetic, "potential": energy.potential - energy.potential[:1]}
    if float(np.abs(done).max(initial=0.0)) > 0:
        ledger["removed by forces"] = -done
    ledger["sum"] = sum(ledger.values(), np.zeros_like(done))
    # M v̇ is the remainder, so that all terms add up to zero at every time.
    right = torques.passive + torques.inputs + torques.external + torques.constraints
    inertia = right - torques.coriolis - torques.gravity
    split = {"M v̇": inertia, "C v": torques.coriolis, "g": torques.gravity}
    others = {
        "passive": -torques.passive,
        "inputs": -torques.inputs,
        "external": -torques.external,
        "constraints": -torques.constraints,
    }
    split |= {n: x for n, x in others.items() if np.any(x)}
    return {
        "t": _rounded(played.t - played.t[0], 10),
        "q": _rounded(played.q, 10),
        "v": _rounded(played.v, 10),
        "rates": _rounded(coordinate_rates(played), 10),
        "rateNames": _rate_names(trajectory.eom),
        "ledger": {n: _rounded(x) for n, x in ledger.items()},
        "works": {n: _rounded(x) for n, x in works.items() if np.any(x)},
        "torques": {n: _rounded(x) for n, x in split.items()},
        "rows": list(trajectory.eom.mass_matrix.row_names or ()),
        "constraints": constraint_data(played),
    }


def most_frames(trajectory: Trajectory) -> int:
    """Number of frames that keeps the page of a big robot small."""
    return max(LEAST_FRAMES, min(FRAMES, NUMBERS // max(1, len(trajectory.eom.q))))


def _rate_names(eom: EquationsOfMotion) -> list[str]:
    """Name of each q̇: a speed if its row of N is a unit vector, else a rate."""
    N, n = eom.kinematic_map.entries, len(eom.v)
    names: list[str] = []
    for k, q in enumerate(eom.q):
        row = N[k * n : (k + 1) * n]
        speeds = [s.name for s, x in zip(eom.v, row, strict=True) if x.value != 0]
        alone = len(speeds) == 1 and any(x.value == 1 for x in row)
        names.append(speeds[0] if alone else f"rate of {q.name}")
    return names


def swaying(context: Context) -> Floats:
    """Coordinates of swaying joints, (T, n_q), as in the page's script."""
    ranges = [coordinate_range(context, s) for s in context.robot.q]
    reach = np.array([
        min(x, (r["high"] - r["low"]) / 2) if r["lower"] and r["upper"] else x
        for x, r in zip(_reaches(context), ranges, strict=True)
    ])  # fmt: skip
    home, low, high = (np.array([r[x] for r in ranges]) for x in ("home", "low", "high"))
    turns = np.linspace(0, 2 * np.pi, 61)[:, None] * (1 + np.arange(len(home)) % 3)
    return np.clip(home + reach * np.sin(turns), low, high)


def _reaches(context: Context) -> list[float]:
    """Amplitude of each coordinate's sway; a free base and loops do not sway."""
    if context.robot.closure_rows:
        return [0.0 for _ in context.robot.q]
    loose = {
        n
        for b in context.robot.bodies
        if isinstance(b.joint, (Free, FreeEuler))
        for n in b.joint.coordinates
    }
    units = {s.name: context.unit(s) for s in context.robot.q}
    return [
        0.0 if n in loose or not u else SWAY * (0.2 if u == "m" else 1.0) for n, u in units.items()
    ]


def _rounded(x: Floats, digits: int = SIGNIFICANT) -> list[Any]:
    """Lists of numbers rounded to so many digits."""
    if x.ndim == 2:
        return [_rounded(row, digits) for row in x]
    return [float(f"{a:.{digits}g}") for a in x]
