"""`equamo demo`: Krang, a humanoid of 17 joints, derived five ways and proved."""

from __future__ import annotations

import typer

from ..catalog import load
from ..certificate import prove
from ..formulations import derive
from .output import progress


def run() -> None:
    """Derive Krang by five formulations, prove that they agree, and show where the time went.

    \b
    Example:
      equamo demo
    """
    robot = load("krang")
    with progress("deriving") as say:
        certificate = prove(robot, progress=say)
    print(certificate)
    print()
    print(derive(robot))
    print("\nnext: equamo derive rr_arm, equamo robots, equamo prove starleth")
    if not certificate.ok:
        raise typer.Exit(1)
