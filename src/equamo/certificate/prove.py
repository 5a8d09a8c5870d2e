"""`eq.prove`: every formulation, every identity, one certificate."""

from __future__ import annotations

import secrets
from collections.abc import Generator, Sequence

from ..equations import EquationsOfMotion
from ..equations.derive import is_derived
from ..errors import EquamoError
from ..expr.collector import collector_paused
from ..identity.prove import ERROR_BITS, check_options
from ..model import Robot
from ..model.robot import expect_robot
from ..waiting import waiting
from ..wording import brief
from .certificate import Certificate
from .recent import recall, remember
from .statement import Progress, Statement


def prove(
    robot: Robot | EquationsOfMotion,
    *,
    error_bits: int = ERROR_BITS,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Certificate:
    """Derive a robot by every formulation and prove that all agree and all identities hold.

    Nothing is derived twice: what equations or another certificate of this robot still hold is used.

    Args:
        robot: A robot, or equations of motion, which then stand for their own formulation: the
            certificate says whether they agree with what the others derive.
        error_bits: n for a probability of a wrong verdict of at most 2⁻ⁿ, all lines together.
        seed: Seed of the random points; by default they are different every time.
        progress: Called with the name of each stage.

    Returns:
        The certificate. Its `ok` says whether every line is proved.

    Raises:
        ModelError: neither a robot nor equations of motion were given.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> prove(load("rr_arm")).ok
    True
    >>> prove(derive(load("rr_arm"), by="kane")).ok
    True
    """
    with waiting("proving") as spinner:
        (certificate,) = prove_at(robot, error_bits, [seed], progress or spinner)
    return certificate


def prove_at(
    robot: Robot | EquationsOfMotion,
    error_bits: int,
    seeds: Sequence[int | None],
    progress: Progress | None,
) -> Generator[Certificate]:
    """A certificate for each seed, each as it is asked for; derived and written down once."""
    if not isinstance(robot, EquationsOfMotion):
        expect_robot(robot, "prove")
    if progress is not None and not callable(progress):  # pyright: ignore[reportUnnecessaryComparison]
        raise EquamoError(f"prove(): progress must be a function of a text, got {brief(progress)}.")
    for seed in seeds:
        check_options(error_bits, seed)
    say = progress or _silent
    of_robot = isinstance(robot, Robot) or is_derived(robot)
    with collector_paused():
        statement = Statement(robot, say)
    for seed in seeds:
        # A bound holds over all seeds, so there must be more of them than its inverse.
        chosen = secrets.randbits(max(128, error_bits + 28)) if seed is None else seed
        with collector_paused():
            certificate = statement.certificate(error_bits, chosen, say)
        # A weaker one is for whoever asked for it.
        if error_bits >= ERROR_BITS:
            remember(certificate, of_robot=of_robot)
        yield certificate


def proved(robot: Robot | EquationsOfMotion) -> Certificate:
    """The certificate of a robot or of equations: the one that `prove` gave in this process, else new.

    Equations have the certificate of their robot if it was proved with the same expressions.

    >>> from equamo.robots import load
    >>> certificate = prove(load("rr_arm"))
    >>> proved(load("rr_arm")) is certificate
    True
    """
    found = recall(robot)
    return prove(robot) if found is None else found  # one that is not ok is false


def _silent(stage: str) -> None:
    """No progress shown."""
