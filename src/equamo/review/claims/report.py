"""Audit: all findings of a document, as text, data or a file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any, Final, final

from ..._version import __version__
from ...basics.wording import counted
from ...errors import UnknownNameError
from ...robot.formats.text_file import write_text
from .audited_function import AuditedFunction, function_lines
from .claim import VERDICTS, Claims, Verdict
from .finding import Entry, Finding, worst

KIND: Final = "equamo audit"
VERSION: Final = 1
_MARKS: Final = {
    "proved": "proved",
    "proved as read": "proved as read",
    "agrees to rounding": "agrees to rounding",
    "convention": "convention",
    "wrong (sign)": "WRONG (sign)",
    "wrong": "WRONG",
    "undecided": "undecided",
    "unreadable": "UNREADABLE",
    "says nothing": "says nothing",
}
_PROVED: Final[frozenset[Verdict]] = frozenset(("proved",))
# Verdicts on programs, whose readers are not proved.
_AS_READ: Final[frozenset[Verdict]] = frozenset(("proved as read", "agrees to rounding"))
_EXACT: Final = ("proved", "proved as read")
ACCEPTABLE: Final = ("as read",)  # words of `accept`
_LONG: Final = 160  # most characters of an expression on the terminal
_ROWS: Final = 30  # most rows of the table in a notebook


@final
@dataclass(frozen=True)
class Audit:
    """Findings of an audit; `ok` if there are claims and all of them hold."""

    claims: Claims  # what was audited
    findings: tuple[Finding, ...]  # one per claim
    seed: int = 0  # of the random primes and points of the proofs
    seconds: float = field(default=0.0, compare=False)  # time of the audit
    accept: tuple[str, ...] = ()  # "as read": verdicts on programs count
    functions: tuple[AuditedFunction, ...] = ()  # every public function of an audited program

    @property
    def ok(self) -> bool:
        """Whether there are claims, and all are proved.

        Results of programs count only if `accept` contains "as read", and no function is refused.
        """
        return self._holds(self._good)

    def _holds(self, good: frozenset[Verdict]) -> bool:
        verdicts = {f.verdict for f in self.own}
        return bool(verdicts & good) and verdicts <= {*good, "says nothing"} and not self._refused

    @property
    def _good(self) -> frozenset[Verdict]:
        """Verdicts that count as holding."""
        return _PROVED | _AS_READ if "as read" in self.accept else _PROVED

    @property
    def _refused(self) -> int:
        return sum(f.state == "refused" for f in self.functions)

    def __bool__(self) -> bool:
        return self.ok

    @property
    def as_expected(self) -> bool:
        """Whether there are claims, and all have the verdict that the claims file expects.

        Nothing says what to expect of a program: this is `ok`.
        """
        return (
            self.ok
            if self.of_code
            else bool(self.findings) and all(f.as_expected for f in self.findings)
        )

    @property
    def exit_code(self) -> int:
        """Exit code for a build: 0 if the audit is `ok`, 1 if not."""
        return 0 if self.ok else 1

    @property
    def of_code(self) -> bool:
        """Whether a program was audited, not a document."""
        return bool(self.findings) and all(f.claim.side == "code" for f in self.findings)

    @property
    def own(self) -> tuple[Finding, ...]:
        """Findings on the document's own claims."""
        return tuple(f for f in self.findings if not f.claim.quoted_from)

    @property
    def quoted(self) -> tuple[Finding, ...]:
        """Findings on errors that the document reports about another paper."""
        return tuple(f for f in self.findings if f.claim.quoted_from)

    def counts(self) -> dict[str, int]:
        """Number of instances with each verdict, among the document's own claims."""
        return _counted([f.verdict for f in self.own])

    def statement_counts(self) -> dict[str, int]:
        """Number of printed statements with each verdict, which is the worst of their instances."""
        statements: dict[str, Verdict] = {}
        for f in self.own:
            statements[f.statement] = worst([f.verdict, statements.get(f.statement, f.verdict)])
        return _counted(list(statements.values()))

    def __getitem__(self, id: str) -> Finding:
        for f in self.findings:
            if f.id == id:
                return f
        raise UnknownNameError("claim", id, [f.id for f in self.findings], "the audit")

    @property
    def _name(self) -> str:
        c = self.claims
        return " ".join(x for x in (c.document, c.title) if x) or c.file or "claims"

    @property
    def _summary(self) -> str:
        statements, instances = (_listed(c) for c in (self.statement_counts(), self.counts()))
        verdict = "all proved" if self.ok else "NOT all proved"
        if self.of_code and self._holds(_PROVED | _AS_READ):
            verdict = "all proved as read"
            if self.counts()["agrees to rounding"]:
                verdict += " or agree to rounding"
            verdict += "" if self.ok else ", which is NOT accepted"
        more = f" (instances: {instances})" if statements != instances else ""
        more += f", {counted(self._refused, 'function')} refused" if self._refused else ""
        return f"{verdict}: {statements or 'no claims'}{more}"

    def function_lines(self, failed: bool = False) -> list[str]:
        """Every public function of an audited program, and what its names were taken to mean.

        Args:
            failed: Whether to list only functions that are refused.
        """
        return function_lines(self.functions, failed)

    # -- as text ---------------------------------------------------------------------------------
    def __repr__(self) -> str:
        return f"<audit of {self._name}: {self._summary}>"

    def __str__(self) -> str:
        return self.text()

    def text(self, failed: bool = False) -> str:
        """The report as text; with `failed`, only claims that do not hold."""
        statements, instances = (
            sum(n for v, n in c.items() if v != "says nothing")
            for c in (self.statement_counts(), self.counts())
        )
        size = counted(statements, "result" if self.of_code else "statement")
        size += f" in {counted(instances, 'instance')}" if instances != statements else ""
        rest = "not compared" if self.of_code else "not claims"
        rows = [f"Audit of {self._name}: {size}, {len(self.claims.not_claims)} {rest}", ""]
        own = self._lines(self.own, failed)
        rows += own or ["  no claim failed"] if failed else own
        if quoted := self._lines(self.quoted, failed):
            rows += ["", "Errors that the document reports about other papers:", *quoted]
        if functions := self.function_lines(failed):
            rows += ["", "Public functions, and what their names were taken to mean:"]
            rows += [f"  {x}" for x in functions]
        rows.append("")
        rows.append(f"{self._summary}, in {self.seconds:.2f} s")
        rows += self._hints()
        surprises = [f"{f.id}: {x}" for f in self.findings for x in f.surprises]
        if any(set(f.claim.expect.values()) - {"proved", "proved as read"} for f in self.findings):
            rows += [f"  not as expected: {x}" for x in surprises]
        return "\n".join(rows)

    def _hints(self) -> list[str]:
        """What the caller can do about a program that is not accepted or not read."""
        rows: list[str] = []
        if "as read" not in self.accept and any(f.verdict in _AS_READ for f in self.findings):
            rows.append(
                "  as read: the formulas that equamo read from the program are right; the reader is not "
                'proved. To accept that, use accept=["as read"] or --accept "as read".'
            )
        if self._refused:
            rows.append(
                "  refused: to leave out a function, list the others by functions=[…] or --function."
            )
        return rows

    def _lines(self, findings: Sequence[Finding], failed: bool) -> list[str]:
        """One line per finding, and the details below it."""
        width = max((len(f.id) for f in self.findings), default=0)
        place = min(48, max((len(f.place) for f in self.findings), default=0))
        rows: list[str] = []
        for f in findings:
            if failed and f.verdict in (*self._good, "says nothing"):
                continue
            bound = f" {f.bound}" if f.verdict in _EXACT else ""
            quoted = f" in {f.claim.quoted_from}" if f.claim.quoted_from else ""
            rows.append(
                f"  {f.id:<{width}}  {f.place[:place]:<{place}}  {_MARKS[f.verdict]}{bound}{quoted}"
            )
            rows += [f"  {'':<{width}}    {line}" for line in details(f)]
        return rows

    def _repr_html_(self) -> str:
        """Table for notebooks, shortened, with claims that are not proved first."""
        findings = sorted(self.findings, key=lambda f: f.verdict in _EXACT)
        rows = [(f.id, f.place, f.verdict, " ".join(details(f)[:1])) for f in findings]
        body = "".join(
            "<tr>" + "".join(f"<td>{escape(_cut(cell))}</td>" for cell in row) + "</tr>"
            for row in rows[:_ROWS]
        )
        head = "".join(f"<th>{x}</th>" for x in ("claim", "place", "verdict", "details"))
        more = f"<p>and {len(rows) - _ROWS} more</p>" if len(rows) > _ROWS else ""
        lines = escape("\n".join(self.function_lines()))
        functions = (
            f"<details><summary>functions</summary><pre>{lines}</pre></details>" if lines else ""
        )
        title = escape(_cut(f"Audit of {self._name}: {self._summary}"))
        return (
            f"<div><p>{title}</p><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            f"{more}{functions}</div>"
        )

    # -- as data ---------------------------------------------------------------------------------
    def to_data(self) -> dict[str, Any]:
        """Plain data, as written by `save`."""
        return {
            "kind": KIND,
            "version": VERSION,
            "document": self.claims.document,
            "title": self.claims.title,
            "ok": self.ok,
            "accept": list(self.accept),
            "as_expected": self.as_expected,
            "statements": self.statement_counts(),
            "counts": self.counts(),
            "quoted": _counted([f.verdict for f in self.quoted]),
            "findings": [f.to_data() for f in self.findings],
            "not_claims": [
                {"place": ", ".join(n.place), "reason": n.reason} for n in self.claims.not_claims
            ],
            "functions": [f.to_data() for f in self.functions],
            "seed": str(self.seed),
            "seconds": round(self.seconds, 4),
            "equamo": __version__,
        }

    def to_json(self) -> str:
        """The audit as JSON text."""
        return json.dumps(self.to_data(), indent=1, ensure_ascii=False)

    def save(self, path: str | Path) -> None:
        """Write the findings as JSON."""
        write_text(path, self.to_json() + "\n", ".json")


def _counted(verdicts: Sequence[Verdict]) -> dict[str, int]:
    counter = Counter(verdicts)
    return {v: counter[v] for v in VERDICTS}  # pyright: ignore[reportArgumentType]


def _listed(counts: Mapping[str, int]) -> str:
    return ", ".join(f"{n} {v}" for v, n in counts.items() if n)


def details(f: Finding) -> list[str]:
    """Lines below a claim: its formula, remarks, and every entry that is not proved."""
    repairs = [_cut(f"repaired: {old} read as {new}") for old, new in f.claim.repairs.items()]
    if f.verdict in _EXACT:
        return [*f.remarks, *repairs]
    lines = [_cut(f"printed: {f.printed}")] if f.printed else []
    lines += f.remarks
    if f.verdict == "says nothing":
        lines += [e.reason for e in f.entries if e.reason][:1]
    if f.verdict == "unreadable":
        lines += [
            line for e in f.entries if e.verdict == "unreadable" for line in e.reason.split("\n")
        ]
    for e in f.entries:
        if e.verdict in ("wrong (sign)", "wrong", "undecided"):
            if text := f.printed_entry(e):
                lines.append(_cut(f"entry {e.label}: printed {text}"))
            how = " so" if f.diagnosis and e.verdict != "wrong (sign)" else ""
            lines += _entry_lines(e, how, f.edit is None, f.claim.side)
        elif e.verdict == "convention" and e.suggestion is not None:
            lines.append(f"or: {e.suggestion.text}")
    if f.edit is not None:
        lines.append(_cut(f"suggestion: {f.edit.text}, which makes all entries true"))
    note = [f"note: {f.claim.note}"] if lines and f.claim.note else []
    return [*lines, *repairs, *note]


def _entry_lines(e: Entry, how: str, suggestion: bool, side: str) -> list[str]:
    name = f"entry {e.label}: " if e.label else ""
    if e.verdict == "undecided":
        return [f"{name}undecided: {e.reason}"]
    lines = [f"{name}{e.reason}"] if e.reason else []
    if e.residual is not None:
        sides = [side if x == "printed" else x for x in e.sides]
        lines.append(f"{name}{sides[0]} − {sides[1]}{how} = {_short(e.residual)}")
        if e.corrected is not None:
            lines.append(f"  {sides[1]}{how}: {_short(e.corrected)}")
    if e.suggestion is not None and suggestion:
        s = e.suggestion
        lines.append(f"  suggestion: {_cut(s.text)}, which gives {_short(s.result)}")
    if e.holds_if:
        lines.append(f"  holds if {' or '.join(e.holds_if)}")
    if e.causes:
        lines.append(f"  because of {' and '.join(e.causes)}")
    if e.proof is not None and e.proof.counterexample:
        state = ", ".join(f"{k} = {v}" for k, v in e.proof.counterexample.items())
        lines.append(_cut(f"  differs by {e.difference} at {state}"))
    return lines


def _short(e: object) -> str:
    return _cut(str(e))


def _cut(text: str) -> str:
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"
