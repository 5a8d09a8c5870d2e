"""Checks: the certificate of the robot, as a table."""

from __future__ import annotations

from ....algebra.identity.proof import power_of_two
from ....basics.wording import counted
from ....mechanics.certificate import expect_certificate
from ....mechanics.certificate.prove import prove
from ....mechanics.equations import EquationsOfMotion
from ....mechanics.equations.digests import equations_digest
from ..blocks import Section, Table, Text
from ..script import Script


def checks(script: Script) -> Section:
    """Identities that every correct set of equations satisfies, each with its verdict."""
    eom = EquationsOfMotion(script.robot, script.by, script.derivation)
    certificate = expect_certificate(prove(script.robot), eom, "paper()")
    rows: list[tuple[str, ...]] = []
    for line in certificate.lines:
        bits = line.proof.bound_bits
        error = "0" if bits is None else power_of_two(bits)
        rows.append((line.name, line.proof.verdict, error if line.proof else "–"))
    proved = sum(1 for line in certificate.lines if line.proof)
    text = Text(
        "Every numbered line above that is marked as proved was read back from the LaTeX of this paper: "
        "the printed right-hand side, with letters as the text explains them, was proved equal to what "
        "the derivation computed, by exact evaluation at random points of finite fields. A line in "
        "general symbols is not read back; if its instances are marked as proved, those were computed "
        "and compared. The identities below are independent of this derivation; five methods that "
        "share no formula must agree. The last column bounds the probability that a verdict is wrong."
    )
    end = Text(
        f"Proved: {proved} of {counted(len(rows), 'identity', 'identities')}. "
        + " ".join(x[:1].upper() + x[1:] + "." for x in certificate.remarks)
        + f" Equations: SHA-256 {equations_digest(eom)}."
    )
    return Section("Checks", (text, Table(("identity", "verdict", "error ≤"), tuple(rows)), end))
