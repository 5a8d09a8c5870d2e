"""`eq.prove`: prove all identities of a robot, with every formulation, in one certificate."""

from __future__ import annotations

from collections.abc import Generator, Sequence

from ...algebra.expr.collector import collector_paused
from ...algebra.identity.prove import ERROR_BITS, check_options, new_seed
from ...basics.arguments import expect_function
from ...basics.waiting import waiting
from ...basics.wording import brief
from ...errors import EquamoError
from ...robot.model import Robot
from ...robot.model.robot import expect_robot
from ..equations import EquationsOfMotion
from ..equations.derive import is_derived
from .certificate import Certificate, witness
from .recent import recall, remember
from .statement import Progress, Statement, is_plain


def prove(
    robot: Robot | EquationsOfMotion,
    *,
    error_bits: int = ERROR_BITS,
    seed: int | None = None,
    progress: Progress | None = None,
) -> Certificate:
    """Derive a robot by every formulation and prove that all agree and all identities hold.

    Nothing is derived twice: derivations that equations or another certificate still hold are used.

    Args:
        robot: Robot, or equations of motion. Equations replace the derivation by their own
            formulation, so the certificate shows whether they agree with the other formulations.
        error_bits: n for a probability of a wrong verdict of at most 2⁻ⁿ, all lines together.
        seed: Seed of the random points; by default they are different every time.
        progress: Function that is called with the name of each stage.

    Returns:
        The certificate; its `ok` says whether every line is proved.

    Raises:
        ModelError: `robot` is neither a Robot nor EquationsOfMotion.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
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
    """Yield one certificate per seed; derivations and identities are made once."""
    if not isinstance(robot, EquationsOfMotion):
        expect_robot(robot, "prove")
    if progress is not None and not callable(progress):  # pyright: ignore[reportUnnecessaryComparison]
        raise EquamoError(
            f"prove(): progress must be a function that takes a text, got {brief(progress)}."
        )
    if progress is not None:
        expect_function("prove(): progress", progress, "text")
    for seed in seeds:
        check_options(error_bits, seed)
    say = progress or _silent
    of_robot = isinstance(robot, Robot) or (is_derived(robot) and is_plain(robot))
    only = None if of_robot or isinstance(robot, Robot) else robot
    with collector_paused():
        statement = Statement(robot, say)
    for seed in seeds:
        chosen = new_seed(error_bits) if seed is None else seed
        with collector_paused():
            certificate = statement.certificate(error_bits, chosen, say)
        witness(certificate)
        # A certificate with a weaker bound is only for the caller who asked for it.
        if certificate.bound_bits <= -ERROR_BITS:
            remember(certificate, only)
        yield certificate


def proved(robot: Robot | EquationsOfMotion) -> Certificate:
    """Certificate of a robot or of equations, reused if `prove` has made one in this process.

    Equations share the certificate of their robot if it proves exactly these equations.

    >>> from equamo.robot.library import load
    >>> certificate = prove(load("rr_arm"))
    >>> proved(load("rr_arm")) is certificate
    True
    """
    certificate = recall(robot)
    if (
        certificate is None or not certificate.is_proved_here
    ):  # such as one that was changed by force
        return prove(robot)
    return certificate


def _silent(stage: str) -> None:
    """Progress function that does nothing."""
