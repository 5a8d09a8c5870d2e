"""Audits: printed equations compared with derived ones. In reading order:

claim, claims_file     claims, in Python or in TOML (`claims_table`)
syntax                 formulas as trees, read by `text_reader` and `latex_reader` (`latex_tokens`,
                       `latex_names`, `latex_operators`, `latex_arrays`, `limits`), and written in
                       LaTeX that has one reading (`latex_writer`)
evaluation, scopes     their values (`values`, `functions`) in symbols of the document or the robot
quantities, context    derived quantities, and their form in the document's symbols (`arrangement`), on
                       every `motion` that obeys the equations
comparison, diagnosis  comparison entry by entry; conventions before errors
chain                  equations a = b = c, one at a time
tautology, signs       statements that say nothing; signs that contradict the rest of the document
suggestion, edits      the smallest edit that makes a wrong entry true (`field`, `terms`), or a whole
                       formula (`formula_suggestion`, `formula_edits`)
parameters, rotations, causes, magnitude     further remarks on a wrong entry
judgement, audit, finding, report            verdicts and their report
audited_function       what became of each function of a program, and the meaning of its names
code                   functions of foreign source code, read into expressions
matching               comparison of what these functions compute with the derived quantities
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
