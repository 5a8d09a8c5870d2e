"""Provenance of a generated file, for its head; without date and machine."""

from __future__ import annotations

from math import inf
from pathlib import PurePath
from typing import Final

from ..._version import __version__
from ...basics.wording import counted
from ...mechanics.certificate import Certificate, expect_certificate
from ...mechanics.certificate.identities import REPLACED, SPLIT
from ...mechanics.certificate.statement import is_plain
from ...mechanics.equations import FORMULATIONS
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.digests import equations_digest, robot_digest
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.mobility import mobility
from ...robot.model import Robot
from ..ir.functions import derivation_text, is_run_again

# Starts of the lines that `header` reads back.
MODEL: Final = "model SHA-256"
EQUATIONS: Final = "Equations: SHA-256"
DERIVATION: Final = "Derivation:"
CERTIFICATE: Final = "Certificate of these equations:"


def provenance(eom: EquationsOfMotion, certificate: Certificate | None) -> tuple[str, ...]:
    """Lines for the head of a file: equamo, robot, source, method, certificate.

    Raises:
        EquamoError: The certificate is not of exactly these equations, or was not proved here.
    """
    robot = eom.robot
    lines = [
        f"Written by equamo {__version__}; do not edit, generate again.",
        robot_line(robot),
        *_source(robot),
        derivation_line(eom),
        f"{EQUATIONS} {equations_digest(eom)}",
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
    return (*lines, *_certificate(eom, certificate))


def robot_line(robot: Robot) -> str:
    """Line on the robot: name, degrees of freedom and digest."""
    return f"Robot: {robot.name}, {_speeds(robot)}, {MODEL} {robot_digest(robot)}"


def derivation_line(eom: EquationsOfMotion) -> str:
    """Line on the method."""
    return f"{DERIVATION} {derivation_text(eom)}."


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


def _source(robot: Robot) -> list[str]:
    report = robot.import_report
    if report is None or not report.file:
        return []
    # Digest of the loaded bytes, since the file may have changed.
    sha256 = f", SHA-256 {report.sha256}" if report.sha256 else ""
    return [f"Source: {PurePath(report.file).name}{sha256}"]


def _certificate(eom: EquationsOfMotion, certificate: Certificate | None) -> list[str]:
    if certificate is None:
        return ["Certificate: none was given; these equations were not proved here."]
    expect_certificate(certificate, eom, "generate()")
    unproved = [line.name for line in certificate.lines if not line.proof]
    if unproved:
        more = f" and {len(unproved) - 1} more" if len(unproved) > 1 else ""
        return [
            f"Certificate: NOT all of {len(certificate.lines)} identities are proved; not proved: "
            f"{unproved[0]}{more}."
        ]
    bits = certificate.bound_bits
    bound = f"error at most 2^{int(bits)} in all" if bits > -inf else "exactly"
    return [f"{CERTIFICATE} {agreement(eom, certificate)}, {bound}."]


def agreement(eom: EquationsOfMotion, certificate: Certificate) -> str:
    """What a certificate with all lines proved says of these equations, without the bound."""
    formulations = sum(by in FORMULATIONS for by in certificate.equations)
    names = [x.name for x in certificate.lines]
    if is_plain(eom):  # the certificate may be of other choices as well
        names = [n for n in names if not n.endswith((REPLACED, SPLIT))]
    text = f"{formulations} formulations agree, {len(names)} identities proved"
    if eom.replaced is None:
        return text
    before = sum(not n.endswith(REPLACED) for n in names)
    return f"{text}, {before} of them before symbols were replaced"
