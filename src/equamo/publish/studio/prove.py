"""`prove`: derive the model by five formulations and certify that they agree."""

from __future__ import annotations

from math import inf
from typing import Any

from ...algebra.identity.proof import Proof, power_of_two
from ...mechanics.certificate import Certificate, prove
from .messages import Request, Say
from .model_text import ModelText


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `prove`; each stage is reported while it runs."""
    if model.certificate is None:
        model.certificate = prove(model.equations(), progress=say)
    certificate = model.certificate
    data = certificate_data(certificate) | {"digest": model.shown}
    if request.flag("packed"):  # what the page's own checker reads
        from ..page.proof_data import proof_data

        data["packed"] = proof_data(certificate)
    return data


def certificate_data(certificate: Certificate) -> dict[str, Any]:
    """Certificate as data: its lines with verdicts and bounds."""
    lines = certificate.lines
    bits = certificate.bound_bits
    return {
        "ok": certificate.ok,
        "proved": sum(bool(x.proof) for x in lines),
        "lines": [
            {"name": x.name, "verdict": x.proof.verdict, "bound": _bound(x.proof),
             "trials": x.proof.trials, "prime_bits": x.proof.prime_bits, "seconds": x.seconds}
            for x in lines
        ],
        "bound": power_of_two(bits) if bits > -inf else "",
        "not_applicable": list(certificate.not_applicable),
        "remarks": list(certificate.remarks),
        "stages": [{"name": n, "seconds": s} for n, s in certificate.stages],
        "seconds": certificate.seconds,
        "seed": str(certificate.seed),
    }  # fmt: skip


def _bound(proof: Proof) -> str:
    """Bound on the probability that a proof is wrong; empty if it is exact or not proved."""
    if proof.verdict != "proved" or proof.bound_bits is None:
        return ""
    return power_of_two(proof.bound_bits)
