"""`eq.prove`: every formulation, every identity, one certificate."""

from __future__ import annotations

import gc
import secrets
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from itertools import combinations

from ..errors import EquamoError
from ..expr import Expr
from ..formulations import FORMULATIONS, EquationsOfMotion, derive
from ..formulations.boltzmann_hamel import boltzmann_hamel
from ..identity.prove import ERROR_BITS, prove_all
from ..model import Robot
from ..model.robot import expect_robot
from ..model.speeds import constraint_rates
from ..wording import brief
from . import properties
from .certificate import Certificate, Line
from .definiteness import definiteness
from .recent import recall, remember

_BOLTZMANN_HAMEL = "boltzmann hamel = recursive"
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
        certificate = _prove(robot, error_bits, seed, progress)
    if error_bits >= ERROR_BITS:  # a weaker one is for whoever asked for it
        remember(certificate)
    return certificate


def proved(robot: Robot) -> Certificate:
    """The certificate of a robot: the one that `prove` gave in this process, else a new one.

    >>> from equamo.robots import load
    >>> certificate = prove(load("rr_arm"))
    >>> proved(load("rr_arm")) is certificate
    True
    """
    return recall(robot) or prove(robot)


def _prove(
    robot: Robot, error_bits: int, seed: int | None, progress: Progress | None
) -> Certificate:
    expect_robot(robot, "prove")
    if progress is not None and not callable(progress):  # pyright: ignore[reportUnnecessaryComparison]
        raise EquamoError(f"prove(): progress must be a function of a text, got {brief(progress)}.")
    start = time.perf_counter()
    # A bound holds over all seeds, so there must be more of them than its inverse.
    chosen = secrets.randbits(max(128, error_bits + 28)) if seed is None else seed
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
    if robot.speed_map is not None and robot.speed_map.constraints:
        claim("N keeps every constraint", lambda: constraint_rates(robot))
    claim("M symmetric", lambda: properties.symmetric(eom))
    claim("Ṁ − 2C skew", lambda: properties.skew(eom))
    claim("M v̇ + C v + g = inverse dynamics", lambda: properties.equation(eom))
    if robot.base.is_zero:
        claim("C v = bias", lambda: properties.coriolis(eom))
        claim("d/dt (T + U) = v·f", lambda: properties.power(eom))
    claim("g = Nᵀ ∂U/∂q", lambda: properties.conservative(eom))
    claim("linear in the inertial parameters", lambda: properties.linear_in_inertia(robot))

    say("evaluating at random points of a finite field")
    with clock.measure("proved at random points"):
        share = error_bits + len(groups).bit_length()  # so that the sum keeps the bound
        proofs = prove_all(groups, unit=robot.unit_groups, error_bits=share, seed=chosen)
    lines = [Line(n, p, clock.seconds[n]) for n, p in zip(names, proofs, strict=True)]
    not_applicable: list[str] = []
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
        stages=tuple((n, s) for n, s in clock.seconds.items() if n not in names),
        seconds=time.perf_counter() - start,
    )


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
