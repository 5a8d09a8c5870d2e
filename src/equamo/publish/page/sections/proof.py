"""Proof section: every identity of the certificate with its bound, and findings of audits."""

from __future__ import annotations

from math import inf

from ....algebra.identity.proof import Proof, power_of_two
from ....basics.wording import counted
from ....mechanics.equations.digests import equations_digest
from ....review.claims.report import Audit, details
from ..context import Context
from ..document import Section, paragraph
from ..markup import Markup, dotted, element, table
from ..proof_data import proof_data


def section(context: Context) -> Section:
    """Table of identities, or a sentence if nothing was proved."""
    data = proof_data(context.certificate)
    parts = [_certificate(context)]
    if data:
        parts.append(element("div", id="check"))
    parts += [_audit(a) for a in context.audits]
    return Section("proof", "Proof", element("div", parts), data)


def _certificate(context: Context) -> Markup:
    certificate = context.certificate
    if certificate is None:
        return paragraph(
            "This page has no certificate. ",
            element("code", "eq.prove(robot)"),
            " derives the robot by five formulations and proves that they agree.",
        )
    lines = certificate.lines
    proved = sum(bool(line.proof) for line in lines)
    bits = certificate.bound_bits
    bound = f", with a probability of a wrong verdict ≤ {power_of_two(bits)}" if bits > -inf else ""
    summary = (
        f"{proved} of {len(lines)} identities are proved{bound}. The equations were derived by five "
        f"independent formulations and compared at random points of finite fields, "
        f"in {certificate.seconds:.1f} s."
    )
    rows = [
        (_verdict(line.proof), dotted(line.name), bound_of(line.proof), _trials(line.proof),
         f"{1000 * line.seconds:.1f} ms")
        for line in lines
    ]  # fmt: skip
    stages = [(name, f"{1000 * s:.1f} ms") for name, s in certificate.stages]
    return element(
        "div",
        paragraph(summary),
        table(
            ("", "identity", "probability of a wrong verdict", "evaluated", "time"),
            rows,
            class_="proofs",
        ),
        [paragraph(x, class_="remark") for x in certificate.remarks],
        [paragraph(f"does not apply: {x}", class_="remark") for x in certificate.not_applicable],
        element(
            "details",
            element("summary", "Time per stage"),
            table(("stage", "time"), stages),
            paragraph(f"Seed of the random primes and points: {certificate.seed}."),
            paragraph(f"Equations: SHA-256 {equations_digest(context.eom)}."),
        ),
    )


def bound_of(proof: Proof) -> str:
    """Bound of a proof as text."""
    if proof.verdict != "proved":
        return "–"
    return "exact: the same node" if proof.bound_bits is None else power_of_two(proof.bound_bits)


def _trials(proof: Proof) -> str:
    if not proof.trials:
        return ""
    return f"{proof.trials} × {proof.prime_bits}-bit prime"


def _verdict(proof: Proof) -> Markup:
    mark = {"proved": "✓", "refuted": "✗", "undecided": "?"}[proof.verdict]
    return element("span", mark, class_=f"verdict {proof.verdict}", title=proof.verdict)


def _audit(audit: Audit) -> Markup:
    claims = audit.claims
    name = " ".join(x for x in (claims.document, claims.title) if x) or claims.file or "claims"
    counts = ", ".join(f"{n} {v}" for v, n in audit.counts().items() if n)
    rows = [
        (f.id, f.place, element("span", f.verdict, class_=f"verdict {f.verdict.replace(' ', '-')}"),
         [element("div", line, class_="detail") for line in details(f)])
        for f in audit.findings
    ]  # fmt: skip
    noun = "result of a program" if audit.of_code else "printed equation"
    return element(
        "div",
        element("h3", f"Audit of {name}"),
        paragraph(f"{counted(len(audit.findings), noun)}: {counts}."),
        table(("claim", "place", "verdict", "finding"), rows, class_="audit"),
        _functions(audit),
    )


def _functions(audit: Audit) -> list[Markup]:
    """Functions of an audited program, and what their names were taken to mean."""
    lines = audit.function_lines()
    if not lines:
        return []
    reader = paragraph(
        "The formulas were read from the program; the reader itself is not proved.", class_="remark"
    )
    listed = element("details", element("summary", "Public functions and names"),
                     element("pre", "\n".join(lines)))  # fmt: skip
    return [reader, listed]
