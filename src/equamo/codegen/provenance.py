"""Provenance of a generated file, for its head; without date and machine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from pathlib import PurePath
from typing import Any, Protocol

from .._version import __version__
from ..equations.constrained import is_augmented
from ..equations.equations import EquationsOfMotion
from ..equations.mobility import mobility
from ..errors import EquamoError
from ..formats.json_file import digest
from ..formulations.derivation import Derivation
from ..ir.functions import derivation_text, is_run_again
from ..model import Robot
from ..model.storage import robot_to_data
from ..wording import counted


class Proved(Protocol):
    """Interface of a certificate, such as one from `eq.prove`."""

    @property
    def robot(self) -> Robot: ...
    @property
    def ok(self) -> bool: ...
    @property
    def lines(self) -> Sequence[Any]: ...
    @property
    def stages(self) -> Sequence[tuple[str, float]]: ...  # "derived by kane", …
    @property
    def bound_bits(self) -> float: ...
    @property
    def derivations(self) -> Mapping[str, Derivation]: ...  # what was proved


def provenance(eom: EquationsOfMotion, certificate: Proved | None) -> tuple[str, ...]:
    """Lines for the head of a file: equamo, robot, source, method, certificate."""
    robot = eom.robot
    model = digest(robot_to_data(robot))
    lines = [
        f"Written by equamo {__version__}; do not edit, generate again.",
        f"Robot: {robot.name}, {_speeds(robot)}, model SHA-256 {model}",
        *_source(robot),
        f"Derivation: {derivation_text(eom)}.",
        *_constraints(robot),
    ]
    if is_run_again(eom):
        lines.append(
            "Names: w, alpha, a of a body are its angular velocity, angular acceleration and the"
        )
        lines.append(
            "acceleration of its origin; fr, nr force and moment of its regrouped inertia."
        )
    if eom.replaced is not None:
        lines.append("Symbols were replaced in the equations after they were derived.")
    proved = _certificate(certificate, model)
    if certificate is not None:
        _expect_proved(eom, certificate)
    return (*lines, *proved)


def _speeds(robot: Robot) -> str:
    if not is_augmented(robot):
        return counted(len(robot.v), "degree of freedom")
    free = counted(mobility(robot).degrees_of_freedom, "degree of freedom")
    return f"{counted(len(robot.v), 'joint speed')} with {free}"


def _constraints(robot: Robot) -> list[str]:
    """Rows of constraints, in order, and what the functions do with them."""
    if not is_augmented(robot):
        return []
    found = mobility(robot)
    lines = [
        "Constraints: forward dynamics keeps A vdot + (dA/dt) v = 0 by forces lam; inverse dynamics is",
        "tau + A' lam. States must satisfy A v = 0, and those of loops phi(q) = 0. Rows of A, in order:",
        f"{', '.join(found.rows)}.",
    ]
    if found.redundant:
        lines.append(f"Redundant, without forces: {', '.join(found.redundant)}.")
    return lines


def _expect_proved(eom: EquationsOfMotion, certificate: Proved) -> None:
    """Check that the certificate is not of other equations by the same formulation."""
    proved = certificate.derivations.get(eom.by)
    if proved is None:  # a certificate of the robot alone
        return
    pairs = zip(eom.derivation.entries, proved.entries, strict=False)
    if any(x is not y for x, y in pairs):
        raise EquamoError(
            f"generate(): the certificate must be for these equations, got one for other equations of "
            f"robot {certificate.robot.name!r} by {eom.by}; pass certificate=eq.prove(eom)."
        )


def _source(robot: Robot) -> list[str]:
    report = robot.import_report
    if report is None or not report.file:
        return []
    # Digest of the loaded bytes, since the file may have changed.
    sha256 = f", SHA-256 {report.sha256}" if report.sha256 else ""
    return [f"Source: {PurePath(report.file).name}{sha256}"]


def _certificate(certificate: Proved | None, model: str) -> list[str]:
    if certificate is None:
        return ["Certificate: none was given; these equations were not proved here."]
    if digest(robot_to_data(certificate.robot)) != model:
        raise EquamoError(
            "generate(): the certificate must be for this robot with these numbers, got one for "
            f"another robot or other numbers ({certificate.robot.name!r})."
        )
    count, bits = len(certificate.lines), certificate.bound_bits
    if not certificate.ok:
        return [f"Certificate: NOT all of {count} identities are proved."]
    bound = f"error at most 2^{int(bits)} in all" if bits > -inf else "exactly"
    ways = sum(name.startswith("derived by ") for name, _ in certificate.stages)
    return [
        f"Certificate of the equations: {ways} formulations agree, {count} identities proved, {bound}.",
    ]
