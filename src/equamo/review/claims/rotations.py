"""Checks of a printed rotation or transform: orthonormal, det = 1, and its axis."""

from __future__ import annotations

from ...algebra.expr import Expr, symbol
from ...algebra.expr.matrix import Matrix, determinant3, identity, skew, unskew
from ...algebra.expr.vector import Vector
from ...algebra.identity import Proof, prove_all
from ...errors import EquamoError
from .claim import Claim
from .comparison import Unit, short
from .finding import Entry
from .functions import rotation_of, symbols_in
from .values import Value, vector


def rotation_entries(
    claim: Claim, printed: Value, axis: Value | None, unit: Unit, seed: int
) -> list[Entry]:
    """Entries `orthonormal`, `det = 1` and, with an axis, `axis`."""
    try:
        A = rotation_of(printed)
    except EquamoError as error:
        raise claim.where.error(str(error)) from None
    gram = A.T @ A - identity(3)
    det = determinant3(A) - 1
    proofs = prove_all([list(gram.entries), [det]], unit=unit, seed=seed)
    entries = [
        _entry("orthonormal", proofs[0], _unequal(gram)),
        _entry("det = 1", proofs[1], f"det = {short(det + 1)}"),
    ]
    bottom = _bottom_row(printed)
    if bottom is not None:
        proof = prove_all([list(bottom)], seed=seed)[0]
        entries.append(_entry("last row", proof, "the last row of a transform must be 0 0 0 1"))
    if axis is not None:
        entries.append(_axis_entry(claim, A, vector(axis, "An axis", 3), unit, seed))
    return entries


def _bottom_row(printed: Value) -> Vector | None:
    if not isinstance(printed, Matrix) or printed.shape != (4, 4):
        return None
    return printed.row(3) - Vector([0, 0, 0, 1])


def _axis_entry(claim: Claim, A: Matrix, e: Vector, unit: Unit, seed: int) -> Entry:
    """Check Aᵀ dA/dq = skew(e): positive q rotates the frame about +e, in its own axes."""
    q = _coordinate(claim, A)
    rate = A.T @ A.diff(q)
    proof = prove_all([list((rate - skew(e)).entries)], unit=unit, seed=seed)[0]
    if proof:
        return _entry("axis", proof, "")
    other = prove_all([list((rate + skew(e)).entries)], unit=unit, seed=seed)[0]
    if other:
        return _entry("axis", proof, f"it rotates about −({', '.join(str(x) for x in e)})")
    axis = ", ".join(str(short(x)) for x in unskew(rate))
    return _entry("axis", proof, f"it rotates about ({axis}), if it is a rotation")


def _coordinate(claim: Claim, A: Matrix) -> Expr:
    candidates = symbols_in(A)
    if claim.coordinate:
        return symbol(claim.coordinate)
    if len(candidates) != 1:
        names = ", ".join(x.name for x in candidates) or "none"
        raise claim.where.error(
            f"an axis needs the coordinate; set `coordinate` to one of: {names}."
        )
    return candidates[0]


def _unequal(gram: Matrix) -> str:
    """Products of columns that differ from those of orthonormal vectors."""
    parts: list[str] = []
    for i in range(3):
        for j in range(i, 3):
            rest = short(gram[i, j])
            if rest.value != 0:
                parts.append(f"column {i + 1} · column {j + 1} = {short(gram[i, j] + (i == j))}")
    return "; ".join(parts)


def _entry(label: str, proof: Proof, reason: str) -> Entry:
    if proof:
        return Entry(label, "proved", proof)
    return Entry(label, "wrong" if proof.verdict == "refuted" else "undecided", proof,
                 reason=reason or proof.reason)  # fmt: skip
