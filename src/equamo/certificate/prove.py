"""`eq.prove`: every formulation, every identity, one certificate."""

from __future__ import annotations

import gc
import secrets
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from ..equations import FORMULATIONS, EquationsOfMotion, derive
from ..errors import EquamoError, ExpressionError
from ..expr import Expr
from ..formulations.boltzmann_hamel import boltzmann_hamel
from ..identity import Proof
from ..identity.proof import with_place
from ..identity.prove import ERROR_BITS, prove_all
from ..identity.rank import rank
from ..model import Robot
from ..model.check import inertia_findings
from ..model.robot import expect_robot
from ..wording import brief
from . import properties
from .certificate import Certificate, Line
from .definiteness import definiteness
from .identities import LOCK, entry_names, identities, no_boltzmann_hamel, not_applicable
from .recent import recall, remember

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

    if not no_boltzmann_hamel(robot):
        with clock.measure("derived by boltzmann hamel"):
            d = boltzmann_hamel(robot)
            eoms["boltzmann_hamel"] = EquationsOfMotion(robot, "boltzmann_hamel", d)

    say("writing down the identities")
    without, lines = not_applicable(robot), dict[str, Proof]()
    groups: dict[str, list[Expr]] = {}
    for name, build in identities(eoms):
        try:
            with clock.measure(name):
                groups[name] = build()
        except ExpressionError as error:
            if name != LOCK:
                raise
            without.append(f"{name}: {error}")  # such as a division by a speed

    say("evaluating at random points of a finite field")
    eom = eoms["recursive"]
    share = (
        error_bits + (len(groups) + 1).bit_length()
    )  # so that the sum over lines keeps the bound
    options: dict[str, Any] = {"unit": robot.unit_groups, "error_bits": share, "seed": chosen}
    with clock.measure("proved at random points"):
        proofs = prove_all(list(groups.values()), **options)
        lines |= {
            n: with_place(p, entry_names(n, eom)) for n, p in zip(groups, proofs, strict=True)
        }
    with clock.measure(_FORWARD):
        forward = _forward_dynamics(eom, options)
    if isinstance(forward, Proof):
        lines[_FORWARD] = forward
    else:
        without.append(f"{_FORWARD}: {forward}")
    stages = [(n, s) for n, s in clock.seconds.items() if n not in groups and n != _FORWARD]
    return Certificate(
        robot=robot,
        lines=tuple(Line(n, p, clock.seconds[n]) for n, p in lines.items()),
        not_applicable=tuple(without),
        remarks=(definiteness(eom, chosen % 2**32), *map(str, inertia_findings(robot))),
        seed=chosen,
        error_bits=error_bits,
        stages=tuple(stages),
        seconds=time.perf_counter() - start,
    )


def _forward_dynamics(eom: EquationsOfMotion, options: dict[str, Any]) -> Proof | str:
    """The proof of the state derivative, or why it does not apply.

    It is proved apart from the others: its divisions have by far the highest degree, and would ask
    for larger primes everywhere.
    """
    proof = None
    try:
        proof = prove_all([properties.state_derivative(eom)], **options)[0]
    except ExpressionError:  # a zero on the diagonal of the factors of M
        if not _is_singular(eom):
            raise
    if proof is None or (proof.verdict == "undecided" and _is_singular(eom)):
        return "the mass matrix is singular"
    return proof


def _is_singular(eom: EquationsOfMotion) -> bool:
    return rank(eom.mass_matrix, eom.robot.unit_groups) < len(eom.v)


def _silent(stage: str) -> None:
    """No progress shown."""


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
