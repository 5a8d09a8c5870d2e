#!/usr/bin/env python3
"""Write docs/audits.md: what documents 000 to 004 print, compared with what is derived.

python scripts/audits_page.py
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "src")]

from equamo.claims import Audit, Entry, Finding, audit  # noqa: E402

FOLDER = ROOT / "examples" / "audits"
PAGE = ROOT / "docs" / "audits.md"
LONG = 240  # characters of a formula that a reader can take in
SHOWN = 6  # entries of one claim
SEED = 1
HEADING = """# Audits

Five documents, transcribed literally into `examples/audits/*.toml` and compared with the derived
equations by `equamo audit`. This page is made by `scripts/audits_page.py`. Every numbered equation,
printed matrix or transform, and formula line of the listings is a claim, or is listed under "Not claims"
with the reason. A formula that a document prints once for all frames is one claim per frame.

- **proved**: equal to the derived formula, error below 2⁻¹⁰⁰.
- **by convention**: equal after one change of convention, which is named: the opposite sign throughout,
  a coordinate with the opposite direction, an inertia about another point. If the rest of the document
  does not follow this convention, it is an error.
- **wrong**: different, with a state at which it differs.

The tests check every verdict in a second way: another reader of the same files evaluates both sides
numerically at random states, with velocities and accelerations by finite differences and the equations
from another formulation.

| document | title | claims | proved | by convention | wrong | not claims |
|---|---|---|---|---|---|---|
"""


def row(report: Audit) -> str:
    """A line of the table."""
    c, n = report.claims, report.counts()
    assert not n["undecided"]
    cells = [
        c.document, c.title, len(report.findings), n["proved"], n["convention"], n["wrong"],
        len(c.not_claims),
    ]  # fmt: skip
    return f"| {' | '.join(map(str, cells))} |"


def section(report: Audit) -> list[str]:
    """What does not hold, what holds, and what is no claim, of one document."""
    c = report.claims
    lines = ["", f"## Document {c.document}: {c.title}", ""]
    others = [f for f in report.findings if f.verdict != "proved"]
    lines += ["### What does not hold", ""]
    for f in others:
        lines += described(f)
    lines += ["", "### What holds", ""]
    lines += [f"{'; '.join(holding(report))}.", ""]
    noted = {
        f.claim.note: f for f in reversed(report.findings) if f.verdict == "proved" and f.claim.note
    }
    lines += [f"- {f.place}: {note}" for note, f in reversed(noted.items())]
    lines += ["", "### Not claims", ""]
    return lines + [f"- {', '.join(n.place)}: {n.reason}." for n in c.not_claims]


def holding(report: Audit) -> list[str]:
    """Places of what is proved; the frames, links and legs of one formula are put together."""
    found: dict[str, int] = {}
    for f in report.findings:
        if f.verdict == "proved":
            place = re.sub(
                r",? ?(for )?(frame|link|foot|joint|hand|j =|k =|of leg) \w+$", "", f.place
            )
            place = re.sub(r", [lr]$", "", place)
            found[place] = found.get(place, 0) + 1
    return [place if n == 1 else f"{place} ({n} claims)" for place, n in found.items()]


def described(f: Finding) -> list[str]:
    """A claim that is not proved: why, entry by entry, and the correct form."""
    kind = "wrong" if f.verdict == "wrong" else "by convention"
    lines = [f"- **{f.place}** ({kind}). {f.claim.note}".rstrip()]
    given = f.claim.printed or f.claim.made_from
    if (
        given is not None
        and given.shape == "single"
        and len(text := flat(given.parts[0].text)) <= LONG
    ):
        lines.append(f"  - printed: `{text}`")
    lines += [f"  - the audit: {remark}" for remark in f.remarks]
    entries = [e for e in f.entries if e.verdict != "proved"]
    for e in entries[:SHOWN]:
        if text := entry_text(e, printed_text(f, e)):
            lines.append(f"  - {text}")
    if len(entries) > SHOWN:
        lines.append(f"  - and {len(entries) - SHOWN} more entries")
    return lines


def flat(text: str) -> str:
    """A formula on one line."""
    return " ".join(text.split())


def printed_text(f: Finding, e: Entry) -> str:
    """The text of one entry, where a vector or matrix was transcribed entry by entry."""
    given = f.claim.printed
    if given is None or given.shape == "single" or not re.fullmatch(r"\d+(,\d+)?", e.label):
        return ""
    place = [int(x) - 1 for x in e.label.split(",")]
    row = given.rows[place[0] if given.shape == "matrix" else 0]
    return flat(row[place[-1]].text)


def entry_text(e: Entry, printed: str) -> str:
    """Printed, correct, the edit, and what it rests on; only what is short enough to be read."""
    sentence = re.sub(r"^.*?claims\[\d+\][.\w]*: ", "", e.reason.split("\n")[0]).rstrip(".")
    parts = [sentence] if sentence else []
    formulas = (("printed", printed), ("correct", e.corrected), ("printed − derived", e.residual))
    for word, x in formulas:
        if x not in (None, "") and len(str(x)) <= LONG:
            parts.append(f"{word} `{x}`")
    if e.causes:
        parts.append(f"because of {' and '.join(e.causes)}")
    elif edit := small_edit(e):
        parts.append(f"suggestion: {edit}")
    if conditions := [x for x in e.holds_if if not x.endswith(" = 0")]:
        parts.append(f"holds if {' or '.join(conditions)}")
    return f"{f'entry {e.label}: ' if e.label else ''}{'; '.join(parts)}" if parts else ""


def small_edit(e: Entry) -> str:
    """The suggested edit, unless it only takes out what is printed and puts in what is right."""
    if e.suggestion is None or e.corrected is None or e.corrected.value == 0:
        return ""
    text = e.suggestion.text
    replaces = text.startswith("without") and "missing" in text
    repeats = text.startswith("the missing term") and len(text) > LONG / 4  # the residual again
    return "" if replaces or repeats or len(text) > LONG / 2 else text


def page() -> str:
    """The whole page."""
    reports = [audit(path, seed=SEED) for path in sorted(FOLDER.glob("document_*.toml"))]
    lines = [row(r) for r in reports]
    total = sum(len(r.findings) for r in reports)
    lines += ["", f"{total} claims in all."]
    for r in reports:
        lines += section(r)
    return HEADING + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
