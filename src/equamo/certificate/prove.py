"""`eq.prove`: every formulation, every identity, one certificate."""

from __future__ import annotations

import gc
import secrets
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import combinations

from ..errors import ExpressionError
from ..expr import Expr
from ..formulations import FORMULATIONS, EquationsOfMotion, derive
from ..formulations.boltzmann_hamel import boltzmann_hamel
from ..identity import Proof
from ..identity.prove import ERROR_BITS, prove_all
from ..identity.rank import rank
from ..model import Robot
from ..model.robot import expect_robot
from ..model.speeds import constraint_rates
from . import edits, kinematics, properties
from .certificate import Certificate, Line
from .definiteness import definiteness

_BOLTZMANN_HAMEL = "boltzmann hamel = recursive"
_FORWARD = "M v̇ + C v + g = all forces at ẋ"
Progress = Callable[[str], None]


def prove(
    robot: Robot,
    *,
    error_bits: int = ERROR_BITS,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Certificate:
    """Derive a robot by every formulation and prove that all agree and all identities hold.

    >>> from equamo.robots import load
    >>> prove(load("rr_arm")).ok
    True
    """
    with _collector_paused():
        return _prove(robot, error_bits, seed, progress)


def _prove(
    robot: Robot, error_bits: int, seed: int | None, progress: Progress | None
) -> Certificate:
    expect_robot(robot, "prove")
    start = time.perf_counter()
    chosen = secrets.randbits(64) if seed is None else seed
    say = progress or _silent
    clock = _Clock()
    eoms: dict[str, EquationsOfMotion] = {}
    for by in FORMULATIONS:
        say(f"deriving by {by.replace('_', ' ')}")
        with clock.measure(f"derived by {by.replace('_', ' ')}"):
            eoms[by] = derive(robot, by=by)

    reason = _no_boltzmann_hamel(robot)
    if not reason:
        with clock.measure("derived by boltzmann hamel"):
            d = boltzmann_hamel(robot)
            eoms["boltzmann_hamel"] = EquationsOfMotion(robot, "boltzmann_hamel", d)

    names: list[str] = []
    groups: list[list[Expr]] = []

    def claim(name: str, build: Callable[[], list[Expr]]) -> None:
        with clock.measure(name):
            groups.append(build())
        names.append(name)

    say("writing down the identities")
    for a, b in combinations(FORMULATIONS, 2):
        claim(_pair(a, b), lambda a=a, b=b: properties.same(eoms[a], eoms[b]))
    eom = eoms["recursive"]
    if "boltzmann_hamel" in eoms:
        claim(_BOLTZMANN_HAMEL, lambda: properties.same(eoms["boltzmann_hamel"], eom))
    claim("joints: A is a rotation, S v its rate", lambda: kinematics.joints(robot))
    if robot.unit_groups:
        claim("N keeps unit quaternions", lambda: kinematics.unit_lengths(robot))
    if not robot.tree.has_unit_map:
        claim("N⁺ N = 1", lambda: kinematics.inverse_map(robot))
    if robot.speed_map is not None and robot.speed_map.constraints:
        claim("N keeps every constraint", lambda: constraint_rates(robot))
    if robot.speed_map is not None and robot.speed_map.dependent:
        claim("N moves dependent coordinates", lambda: kinematics.dependent_coordinates(robot))
    claim("M symmetric", lambda: properties.symmetric(eom))
    claim("Ṁ − 2C skew", lambda: properties.skew(eom))
    claim("M v̇ + C v + g = inverse dynamics", lambda: properties.equation(eom))
    if robot.forces:
        claim("w·f = virtual power of each element", lambda: properties.virtual_powers(eom))
    if robot.inputs:
        claim("w·B τ = virtual power of actuators", lambda: properties.input_forces(eom))
    if robot.base.is_zero:
        claim("C v = bias", lambda: properties.coriolis(eom))
        claim("T = ½ v·M v", lambda: properties.energy(eom))
        claim("d/dt (T + U) = v·f", lambda: properties.power(eom))
    claim("g = Nᵀ ∂U/∂q", lambda: properties.conservative(eom))
    claim("linear in the inertial parameters", lambda: properties.linear_in_inertia(robot))
    if (body := edits.joint_to_lock(robot)) is not None:
        claim(f"lock({body.joint.name}) keeps the rest", lambda: edits.lock(robot, body))
    if robot.base.is_zero:
        claim("add_mass adds its energy", lambda: edits.add_mass(robot))

    say("evaluating at random points of a finite field")
    with clock.measure("proved at random points"):
        proofs = prove_all(groups, unit=robot.unit_groups, error_bits=error_bits, seed=chosen)
    not_applicable: list[str] = []
    with clock.measure(_FORWARD):
        forward = _forward_dynamics(eom, error_bits, chosen)
    if isinstance(forward, str):
        not_applicable.append(f"{_FORWARD}: {forward}")
    else:
        names.append(_FORWARD)
        proofs.append(forward)
    lines = [Line(n, p, clock.seconds[n]) for n, p in zip(names, proofs, strict=True)]
    if robot.speed_map is not None and reason:
        not_applicable.append(f"{_BOLTZMANN_HAMEL}: {reason}")
    if not robot.base.is_zero:
        reason = "the base moves as given and does work"
        not_applicable += [f"C v = bias: {reason}", f"d/dt (T + U) = v·f: {reason}"]
    return Certificate(
        robot=robot,
        lines=tuple(lines),
        not_applicable=tuple(not_applicable),
        remarks=(definiteness(eom, chosen % 2**32),),
        seed=chosen,
        stages=tuple((n, s) for n, s in clock.seconds.items() if n not in {*names, _FORWARD}),
        seconds=time.perf_counter() - start,
    )


def _forward_dynamics(eom: EquationsOfMotion, error_bits: int, seed: int) -> Proof | str:
    """The proof of the state derivative, or why it does not apply.

    It is proved apart from the others: its divisions have by far the highest degree, and would ask
    for larger primes everywhere.
    """
    unit = eom.robot.unit_groups
    try:
        zero = properties.state_derivative(eom)
    except ExpressionError:  # a zero on the diagonal of its factors
        return "the mass matrix is singular"
    proof = prove_all([zero], unit=unit, error_bits=error_bits, seed=seed)[0]
    if proof.verdict == "undecided" and rank(eom.mass_matrix, unit) < len(eom.v):
        return "the mass matrix is singular"
    return proof


def _no_boltzmann_hamel(robot: Robot) -> str:
    """Why the Boltzmann-Hamel equations are not written down; empty if they are."""
    if robot.speed_map is None:
        return "no speeds were chosen"
    if not robot.base.is_zero:
        return "the base moves as given"
    if not robot.tree.has_unit_map:
        return "a joint has q̇ ≠ u (a quaternion)"
    return ""


def _silent(stage: str) -> None:
    """No progress shown."""


def _pair(a: str, b: str) -> str:
    return f"{a} = {b}".replace("_", " ")


@contextmanager
def _collector_paused() -> Generator[None]:
    """Expressions hold no cycles: the collector would only walk through all of them again and again."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


class _Clock:
    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def measure(self, name: str) -> Generator[None]:
        start = time.perf_counter()
        yield
        self.seconds[name] = time.perf_counter() - start
