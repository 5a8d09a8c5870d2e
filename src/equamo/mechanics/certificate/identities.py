"""Identities of a certificate: those that apply to a robot, and the reasons why others do not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import combinations

from ...robot.model import Robot
from ...robot.model.edits import velocity_constraints
from ...robot.model.speeds import constraint_rates, kept_rates
from ..equations import FORMULATIONS, EquationsOfMotion
from ..equations.constrained import is_augmented
from . import cuts, derivatives, edits, kinematics, loops, properties
from .sides import Sides, vanishing
from .virtual_power import has_definition

BOLTZMANN_HAMEL = "boltzmann hamel = recursive"
FORWARD = "M v̇ + C v + g = all forces at ẋ"  # proved separately, like all of `solved`
HELD = "M v̇ + C v + g = all forces + Aᵀ λ at ẋ"
MINIMAL = "augmented = minimal"
MULTIPLIERS = "kane, chosen speeds = lagrange, multipliers"
TWO_CUTS = "two cuts of a loop: equal accelerations"
REPLACED, SPLIT = ", symbols replaced", ", C split"  # ends of names of lines about given equations
LOCK = "lock keeps the other equations"
ADD_MASS = "add_mass adds its energy"
STILL_BASE: dict[str, Callable[[EquationsOfMotion], list[Sides]]] = {  # a moving base does work
    "C v = bias": properties.coriolis,
    "T = ½ v·M v": properties.energy,
    "d/dt (T + U) = v·f": properties.power,
}

# The base of these recursions is still, and (2) needs Christoffel's factorisation.
BY_SPEED = "∂ID/∂v = 2C + [N, N] − ∂f/∂v"
IN_TIME = "d/dt ID = differentiated recursion"

Identity = tuple[str, Callable[[], list[Sides]]]  # name; both sides


def identities(eoms: Mapping[str, EquationsOfMotion]) -> Iterator[Identity]:
    """Identities that apply to the robot, from its equations by each formulation."""
    eom = eoms["recursive"]
    for a, b in combinations(FORMULATIONS, 2):
        name = f"{a} = {b}".replace("_", " ")
        yield name, lambda a=a, b=b: properties.same(eoms[a], eoms[b])
    for by in (by for by in eoms if by not in FORMULATIONS):  # Boltzmann-Hamel, or a user's own
        yield f"{by} = recursive".replace("_", " "), lambda by=by: properties.same(eoms[by], eom)
    yield from _kinematics(eom.robot)
    yield from _dynamics(eom, eoms["kane"])
    yield from _edits(eom.robot)


def of_given(
    eoms: Mapping[str, EquationsOfMotion], given: EquationsOfMotion | None
) -> Iterator[Identity]:
    """Identities of equations with another Coriolis matrix, or with symbols replaced."""
    if given is None:
        return
    whole = given if given.replaced is None else given.replaced.whole
    if whole.coriolis != "christoffel" and given.robot.base.is_zero:
        yield f"C v = bias{SPLIT}", lambda: properties.coriolis(whole)
    if given.replaced is None:
        return
    for by in (by for by in FORMULATIONS if by != given.by):
        other = eoms[by]
        for step in given.replaced.steps:
            other = other.subs(step)
        name = f"{given.by} = {by}{REPLACED}".replace("_", " ")
        yield name, lambda other=other: properties.same(given, other)


def solved(eoms: Mapping[str, EquationsOfMotion]) -> Iterator[Identity]:
    """Identities of accelerations, whose solution has divisions of high degree.

    Each is proved separately: together, all would require larger primes.
    """
    eom = eoms["recursive"]
    robot = eom.robot
    if not is_augmented(robot):
        yield FORWARD, lambda: properties.state_derivative(eom)
    moves = bool(robot.rows) and not _is_rigid(robot)
    minimal = cache(lambda: eom if robot.speed_map is not None else eom.minimal())
    held = cache(eom.augmented)
    both_forms = has_augmented_form(robot)
    if both_forms:
        yield HELD, lambda: loops.motion(held())
        yield "constraint forces do no work", lambda: loops.no_work(held())
        yield "Nᵀ (M v̇ + C v + g − f) = 0, A N = 0", lambda: loops.projected_form(held())
        yield "T⁻ − T⁺ = ½ (1 − e²) A v⁻·Λ A v⁻", lambda: loops.impact(held())
        if moves:
            yield MINIMAL, lambda: loops.minimal(held(), minimal())
    if moves:
        yield (
            MULTIPLIERS,
            lambda: loops.multipliers(minimal().robot, held() if both_forms else None),
        )
    if not isinstance(loop := cuts.loop_to_move(robot), str):
        yield TWO_CUTS, lambda: cuts.two_cuts(robot, loop)


def _is_rigid(robot: Robot) -> bool:
    """Whether the constraints leave no degree of freedom."""
    if robot.speed_map is not None:
        return not robot.v
    from ..equations.mobility import degrees_of_freedom  # imports NumPy

    return degrees_of_freedom(robot) == 0


def has_augmented_form(robot: Robot) -> bool:
    """Whether all constraints are loops or contacts: velocity constraints need chosen speeds."""
    return bool(robot.closure_rows) and not velocity_constraints(robot)


def entry_names(identity: str, eom: EquationsOfMotion) -> list[str]:
    """Names of the entries of an identity, such as M[q1, q2]; empty if it has none."""
    M, vector = eom.mass_matrix.entry_names, eom.gravity.entry_names
    if identity == "Ṁ − 2C skew":
        return [("M" if identity[0] == "M" else "entry ") + name for name in M]
    if identity in ("C v = bias", "M v̇ + C v + g = inverse dynamics", "g = Nᵀ ∂U/∂q"):
        return [f"entry {name}" for name in vector]
    left, equal, right = identity.replace(" ", "_").partition("_=_")
    if not equal or not {left, right} <= {*FORMULATIONS, "boltzmann_hamel"}:
        return []
    parts = [
        "C v",
        "g",
        *(f"forces[{name}]" for name in eom.forces),
    ]  # the order of properties.same
    return [*(f"M{name}" for name in M), *(p + name for p in parts for name in vector)]


def _kinematics(robot: Robot) -> Iterator[Identity]:
    yield "joints: A is a rotation, S v its rate", lambda: kinematics.joints(robot)
    if robot.unit_groups:
        yield "N keeps unit quaternions", lambda: kinematics.unit_lengths(robot)
    if not robot.tree.has_unit_map:
        yield "N⁺ N = 1", lambda: kinematics.inverse_map(robot)
    if robot.closure_rows:
        yield "A u = φ̇, Ȧ u: three routes", lambda: loops.rows(robot)
    if robot.loops and len(robot.q) == len(robot.v) < len(robot.joint_speeds):
        phi = [r.phi for r in robot.rows if r.phi is not None]
        yield "φ = 0 in closed form", lambda: vanishing(phi)
    chosen = robot.speed_map
    if chosen is not None and chosen.constraints:
        yield "N keeps every constraint", lambda: vanishing(constraint_rates(chosen))
    if chosen is not None and chosen.kept:
        yield "N gives the chosen speeds", lambda: kept_rates(chosen)
    if chosen is not None and chosen.dependent:
        yield "N moves dependent coordinates", lambda: kinematics.dependent_coordinates(robot)


def _dynamics(eom: EquationsOfMotion, kane: EquationsOfMotion) -> Iterator[Identity]:
    robot = eom.robot
    yield "Ṁ − 2C skew", lambda: properties.skew(eom)
    yield "M v̇ + C v + g = inverse dynamics", lambda: properties.equation(eom, kane)
    if robot.forces:
        yield "w·f = virtual power of each element", lambda: properties.virtual_powers(eom)
    if robot.inputs:
        yield "w·B τ = virtual power of actuators", lambda: properties.input_forces(eom)
    if robot.base.is_zero:
        for name, identity in STILL_BASE.items():
            yield name, lambda identity=identity: identity(eom)
    yield "g = Nᵀ ∂U/∂q", lambda: properties.conservative(eom)
    yield "linear in the inertial parameters", lambda: properties.linear_in_inertia(robot)
    yield "∂ID/∂v̇ = M", lambda: derivatives.by_acceleration(eom)
    if robot.has_unit_map:
        yield "∂g/∂q symmetric", lambda: derivatives.gravity_symmetric(eom)
    if robot.base.is_zero:
        yield BY_SPEED, lambda: derivatives.by_speed(eom)
        yield IN_TIME, lambda: derivatives.in_time(eom)


def _edits(robot: Robot) -> Iterator[Identity]:
    if edits.joints_to_lock(robot):
        yield LOCK, lambda: edits.lock(robot)
    if robot.base.is_zero and robot.bodies:
        yield ADD_MASS, lambda: edits.add_mass(robot)


def not_applicable(robot: Robot) -> list[str]:
    """Identities that do not apply to this robot, with the reason."""
    omitted = [
        f"w·f of {f.name!r}: the virtual power of {type(f).__name__} is not defined"
        for f in robot.forces
        if not has_definition(f)
    ]
    if robot.speed_map is not None and (reason := no_boltzmann_hamel(robot)):
        omitted.append(f"{BOLTZMANN_HAMEL}: {reason}")
    if robot.closure_rows and not has_augmented_form(robot):
        omitted += [f"{name}: velocity constraints need chosen speeds" for name in (HELD, MINIMAL)]
    if robot.rows and _is_rigid(robot):
        omitted += [f"{name}: no degree of freedom" for name in (MINIMAL, MULTIPLIERS)]
    if robot.loops and isinstance(reason := cuts.loop_to_move(robot), str):
        omitted.append(f"{TWO_CUTS}: {reason}")
    if not robot.base.is_zero:
        reason = "the prescribed motion of the base does work"
        omitted += [f"{name}: {reason}" for name in (*STILL_BASE, ADD_MASS)]
        reason = "the base must be still"
        omitted += [f"{name}: {reason}" for name in (BY_SPEED, IN_TIME)]
    return omitted


def no_boltzmann_hamel(robot: Robot) -> str:
    """Reason why the Boltzmann-Hamel equations do not apply; empty if they do."""
    if robot.speed_map is None:
        return "no speeds were chosen"
    if not robot.base.is_zero:
        return "the base has a prescribed motion"
    if not robot.tree.has_unit_map:
        return "a joint has q̇ ≠ u (a quaternion)"
    return ""
