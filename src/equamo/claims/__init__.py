"""The audit: printed equations against derived ones. In reading order:

claim, claims_file     what is claimed, in Python or in TOML
syntax                 formulas as trees, read by `text_reader` and `latex_reader`
evaluation, scopes     their values (`values`, `functions`): in the document's or the robot's symbols
quantities, context    what is derived, and its way into the document's symbols (`arrangement`)
comparison, diagnosis  entry by entry; conventions before errors
suggestion, edits      the smallest edit that makes a wrong entry true (`field`, `terms`)
parameters, rotations, causes     what else is said of it
audit, finding, report
"""

from .audit import audit
from .claim import Claim, Claims, NotClaim, Setting, claim
from .claims_file import parse_claims, read_claims
from .finding import Entry, Finding
from .report import Audit
from .suggestion import Suggestion

__all__ = [
    "Audit", "Claim", "Claims", "Entry", "Finding", "NotClaim", "Setting", "Suggestion", "audit",
    "claim", "parse_claims", "read_claims",
]  # fmt: skip
