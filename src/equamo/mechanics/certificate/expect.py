"""Check a certificate before it is printed next to equations."""

from __future__ import annotations

from typing import Any

from ...basics.wording import brief
from ...errors import EquamoError
from ..equations import EquationsOfMotion
from ..equations.changed import changed_quantities
from ..equations.digests import equations_digest, robot_digest
from .certificate import Certificate


def expect_certificate(certificate: Any, eom: EquationsOfMotion, place: str) -> Certificate:
    """Return a certificate if this process proved it, of exactly these equations.

    Args:
        certificate: What a user passed.
        eom: The equations that it must be of.
        place: Start of messages, such as "generate()".

    Raises:
        EquamoError: It is not a certificate of equations, it is of other equations, it was loaded
            or changed, or a quantity of the equations was changed in their cache.

    >>> from equamo.mechanics.certificate import prove
    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> expect_certificate(prove(eom), eom, "generate()").ok
    True
    """
    if not isinstance(certificate, Certificate) or certificate.code is not None:
        raise EquamoError(
            f"{place}: certificate must be a Certificate of equations, from eq.prove(eom), got "
            f"{brief(certificate)}."
        )
    if equations_digest(eom) not in certificate.equations.values():
        model = robot_digest(certificate.robot) == robot_digest(eom.robot)
        what = "other equations of" if model else "another robot or other numbers:"
        raise EquamoError(
            f"{place}: the certificate must name the digest of exactly these equations, got one of "
            f"{what} robot {certificate.robot.name!r}; pass certificate=eq.prove(eom)."
        )
    if not certificate.is_proved_here:
        raise EquamoError(
            f"{place}: the certificate must be proved in this process, got one that was loaded or "
            "changed; pass certificate=eq.check_file(path), which proves a saved one again, or "
            "certificate=eq.prove(eom)."
        )
    expect_as_derived(eom, place)
    return certificate


def expect_as_derived(eom: EquationsOfMotion, place: str) -> None:
    """Check that no quantity of the equations was changed in their cache; EquamoError otherwise."""
    if changed := changed_quantities(eom):
        raise EquamoError(
            f"{place}: every quantity of the equations must be what their derivation gives, got another "
            f"{changed[0]}; derive them again, eq.derive(robot)."
        )
