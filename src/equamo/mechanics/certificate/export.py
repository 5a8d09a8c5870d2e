"""A certificate's identities as data for a checker that knows nothing of equamo (`checker/check.py`).

Both sides of every identity are registers of one straight-line program. The degrees and bounds that are
claimed follow from the program by the theorem at the head of the checker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from ..._version import __version__
from ...algebra.expr import Expr
from ...algebra.expr.collector import collector_paused
from ...algebra.expr.walk import walk
from ...algebra.identity.normal_form import normal_form
from ...algebra.identity.prove import prove_all
from ...algebra.identity.straight_line import StraightLine
from ...basics.attached import attached
from ...errors import EquamoError
from ...robot.formats.text_file import check_ending, write_text
from ..equations import EquationsOfMotion
from ..equations.digests import robot_digest
from ..equations.storage import chosen_again
from .identities import identities, of_given, solved
from .sides import Sides, residuals

if TYPE_CHECKING:
    from .certificate import Certificate

KIND: Final = "equamo proof"
VERSION: Final = 1
LEMMAS: Final = "arguments of one function that are equal in another form"
_SPARE_BITS: Final = 3  # of the prime, as in the theorem


def export_data(certificate: Certificate, most: int | None = None) -> dict[str, Any]:
    """Plain data of all lines, or of as many as about `most` instructions compute."""
    unproved = [line.name for line in certificate.lines if not line.proof]
    if unproved:
        raise EquamoError(
            f"Only a certificate with all lines proved can be exported; {unproved[0]!r} is not."
        )
    unit = certificate.robot.unit_groups
    written = _both_sides(certificate)
    left_out = [
        f"{line.name}: not written as expressions"
        for line in certificate.lines
        if line.name not in written
    ]
    if most is not None:
        written, names = _that_fit(written, most)
        left_out += [f"{n}: left out, to keep this short" for n in names]
    form = normal_form((e for pairs in written.values() for pair in pairs for e in pair), unit)
    entries = iter(form.outputs)
    groups = {n: [(next(entries), next(entries)) for _ in x] for n, x in written.items()}
    if form.lemmas:
        groups[LEMMAS] = form.lemmas
    circles = [pair for _, pair in sorted(form.circles.items())]
    proofs = prove_all(
        [residuals(pairs) for pairs in groups.values()],
        unit=[*circles, *unit],
        seed=certificate.seed,
    )
    for name, proof in zip(list(groups), proofs, strict=True):
        if not proof:  # such as one that holds because f(0) = 0
            left_out.append(f"{name}: {proof} as a straight-line program")
            del groups[name]
    if not groups:
        raise EquamoError(
            "export: a certificate must have a line that can be written as a straight-line program, "
            "got none."
        )
    line = StraightLine(
        (e for pairs in groups.values() for pair in pairs for e in pair), circles, unit
    )
    registers = {n: [(line[a], line[b]) for a, b in pairs] for n, pairs in groups.items()}
    return {
        "kind": KIND,
        "version": VERSION,
        "equamo": __version__,
        "robot": certificate.robot.name,
        "robot_sha256": robot_digest(certificate.robot),
        "equations_sha256": dict(certificate.equations),
        **_claims(line, registers, certificate.error_bits),
        "numbers": line.numbers,
        "symbols": line.symbols,
        "circles": line.circles,
        "spheres": line.spheres,
        "program": line.program(),
        "not_checked": [*left_out, *certificate.remarks],
    }


def _both_sides(certificate: Certificate) -> dict[str, list[Sides]]:
    """{line: both sides of its entries}, written down from what was proved."""
    if certificate.code is not None:
        written_code = attached(certificate.robot, "written_code")
        return {} if written_code is None else written_code(certificate.code)
    eoms, given = _equations(certificate)
    lines = {line.name for line in certificate.lines}
    every = (*identities(eoms), *of_given(eoms, given), *solved(eoms))
    found = {name: build() for name, build in every if name in lines}
    return {name: pairs for name, pairs in found.items() if pairs}


def _that_fit(
    written: Mapping[str, list[Sides]], most: int
) -> tuple[dict[str, list[Sides]], list[str]]:
    """The identities, in their order, that have at most so many nodes; the names of the others."""
    seen: set[Expr] = set()
    chosen: dict[str, list[Sides]] = {}
    for name, pairs in written.items():
        new = walk([e for pair in pairs for e in pair], stop=seen)
        if len(seen) + len(new) <= most:
            seen.update(new)
            chosen[name] = pairs
    return chosen, [name for name in written if name not in chosen]


def _equations(
    certificate: Certificate,
) -> tuple[Mapping[str, EquationsOfMotion], EquationsOfMotion | None]:
    """The equations that were proved; derived again if the certificate came from a file."""
    from .statement import Statement, digests

    robot, choices = certificate.robot, certificate.choices
    eoms: Mapping[str, EquationsOfMotion]
    if certificate.derivations:
        eoms = {by: EquationsOfMotion(robot, by, d) for by, d in certificate.derivations.items()}
    else:
        eoms = Statement(robot, lambda _: None).equations
    given = None if choices is None else chosen_again(eoms, choices)
    if digests(eoms, given) != certificate.equations:
        raise EquamoError(
            "export: the equations must be those that the certificate names, but their digests differ; "
            "prove them again: eq.prove(eom)."
        )
    return eoms, given


def _claims(
    line: StraightLine, registers: Mapping[str, list[tuple[int, int]]], error_bits: int
) -> dict[str, Any]:
    """The identities with their degrees and bounds, and the prime's size that gives these bounds."""
    pairs = dict.fromkeys(p for pairs in registers.values() for p in pairs if p[0] != p[1])
    size = dict(zip(pairs, line.sizes(pairs), strict=True))
    largest = max((x for _, x in size.values()), default=0)
    each = error_bits + len(registers).bit_length()
    bits = max(32, each + _SPARE_BITS + largest.bit_length())
    claims: list[dict[str, Any]] = []
    for name, entries in registers.items():
        own = [size[p] for p in entries if p in size]
        height = max((x for _, x in own), default=0)
        claims.append({
            "name": name,
            "degree": str(max((d for d, _ in own), default=0)),
            "bound": bits - _SPARE_BITS - height.bit_length(),
            "left": [a for a, _ in entries],
            "right": [b for _, b in entries],
        })  # fmt: skip
    return {"prime_bits": bits, "bound": error_bits, "identities": claims}


def export(certificate: Certificate, path: str | Path) -> None:
    """Write the data of a certificate as JSON, one instruction per line."""
    check_ending(path, ".json")  # before the programs are made
    with collector_paused():
        data = export_data(certificate)
    parts = [f"{json.dumps(k)}: {_listed(x)}" for k, x in data.items()]
    write_text(path, "{\n" + ",\n".join(parts) + "\n}\n", ".json")


def _listed(value: Any) -> str:
    if not isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    lines = (json.dumps(x, ensure_ascii=False) for x in value)  # pyright: ignore
    return "[\n" + ",\n".join(lines) + "\n]"
