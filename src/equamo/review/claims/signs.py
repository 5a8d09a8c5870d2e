"""Sign errors: a reversed sign that the rest of the document contradicts.

A claim that holds with the opposite sign may follow a convention of its document, but not if another
claim of the same document holds as printed, although the convention would change it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from ...algebra.identity import prove_all
from ...basics.wording import counted
from ...errors import EquamoError
from .claim import Claim
from .context import Context
from .diagnosis import Diagnosis, OtherEquations
from .field import field_values
from .finding import Entry, Finding
from .values import Value, entries_of

# Quantities that change their sign together with gravity, or have a part that does.
_OF_GRAVITY: Final = frozenset({
    "potential_energy", "body_potential_energy", "gravity", "lagrangian", "weight_force",
    "inverse_dynamics", "contributions", "contribution",
})  # fmt: skip
_FAMILIES: Final = (
    _OF_GRAVITY,
    frozenset({"actuation", "input_matrix", "generalized_force", "passive_force"}),
    frozenset({"coriolis_matrix", "coriolis_split", "christoffel", "bias"}),
)
Derived = Callable[[Claim, Context], Value]


@final
class Signs:
    """Comparison of each convention with the claims that hold as printed."""

    diagnoses: Mapping[str, Diagnosis]
    context: Callable[[Claim], Context]
    derived: Derived
    others: OtherEquations

    def __init__(
        self, findings: Sequence[Finding], diagnoses: Mapping[str, Diagnosis],
        context: Callable[[Claim], Context], derived: Derived, others: OtherEquations, seed: int,
    ) -> None:  # fmt: skip
        self.diagnoses, self.context, self.derived, self.others = (
            diagnoses, context, derived, others,
        )  # fmt: skip
        self.seed = seed
        self.plain: list[Finding] = [
            f for f in findings
            if f.verdict == "proved" and not f.diagnosis and f.claim.quantity is not None
        ]  # fmt: skip

    def judged(self, finding: Finding) -> Finding:
        """The finding with a remark on the rest of the document, and the resulting verdict."""
        diagnosis = self.diagnoses.get(finding.id)
        if diagnosis is None:
            return finding
        against = [f for f in self.plain if self._contradicts(f, finding, diagnosis)]
        if not against:
            return finding
        hold = "holds" if len(against) == 1 else "hold"
        remark = f"{counted(len(against), 'other claim')} {hold} without this convention"
        entries = finding.entries
        if diagnosis.is_sign:
            context = self.context(finding.claim)
            entries = tuple(self._wrong(e, context) for e in entries)
        return replace(finding, entries=entries, remarks=(*finding.remarks, remark))

    def _contradicts(self, other: Finding, finding: Finding, diagnosis: Diagnosis) -> bool:
        """Whether a claim that holds as printed would not hold under the convention."""
        if other.claim.quoted_from:
            return False
        if diagnosis.kind == "negated":
            names, own = self._names(other.claim), self._names(finding.claim)
            return any(names & family and own & family for family in (*_FAMILIES, names))
        context = self.context(other.claim)
        changed = diagnosis.under(context, self.others)
        if changed is None:
            return False
        try:
            before, after = (self.derived(other.claim, c) for c in (context, changed))
        except EquamoError:  # a frame or force that the changed robot does not have
            return False
        values = field_values([*entries_of(before), *entries_of(after)])
        return values[: len(values) // 2] != values[len(values) // 2 :]

    def _names(self, claim: Claim) -> frozenset[str]:
        """Names of the quantities of a claim."""
        assert claim.quantity is not None
        context = self.context(claim)
        nodes = [n for p in claim.quantity.parts for n in context.source(p).tree.walk()]
        scope = context.robot
        return frozenset(
            n.value for n in nodes
            if n.kind in ("name", "call", "quantity") and scope.is_quantity(n.value)
        )  # fmt: skip

    def _wrong(self, e: Entry, context: Context) -> Entry:
        """The entry as a wrong one, with a state at which it differs."""
        if e.verdict != "convention" or e.residual is None:
            return e
        (proof,) = prove_all(
            [[e.residual]], unit=context.unit, seed=self.seed, positive=context.positive
        )
        return replace(e, verdict="wrong (sign)", proof=proof)
