"""Outlines of papers: everything but the right sides that are proved, one line per block.

The right side of a proved line cannot be wrong, but its place, what it is said to follow from, the
prose around it, definitions and laws can. To write the outlines again:

    python tests/paper_outlines.py
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import equamo as eq
from equamo.publish.document import style
from equamo.publish.document.blocks import (
    Block,
    Code,
    Equation,
    Figure,
    Section,
    SideBySide,
    Table,
    Text,
)
from equamo.publish.document.paper import Paper
from loops_examples import parallelogram

FOLDER = Path(__file__).parent / "golden" / "outlines"
METHODS = ("kane", "lagrange", "projected_newton_euler", "gibbs_appell", "recursive")
# {name: robot, method, most speeds of a robot that is written out}
PAPERS = {
    **{f"crane-{by}": ("crane", by, 2) for by in METHODS},
    **{f"rr_arm-{by}": ("rr_arm", by, 4) for by in METHODS if by != "gibbs_appell"},
    "crane-written_out": ("crane", "gibbs_appell", 4),
    "parallelogram-large": ("parallelogram", "kane", 2),
    "parallelogram-written_out": ("parallelogram", "gibbs_appell", 4),
}


def crane() -> eq.Robot:
    """Three speeds, a fixed body, forces of every kind; its C is too wide for one line."""
    return eq.Robot(
        "crane",
        [
            eq.Body("cart", eq.prismatic("x", axis="x"), mass="m0", com="0 0 h"),
            eq.Body("arm", eq.revolute("q1", axis="y", at="0 0 a"), mass="m1", com="0 0 l1",
                    inertia="J1 J1 0", parent="cart"),
            eq.Body("rotor", eq.revolute("q2", axis="z", at="0 b l2"), mass="m2", com="c 0 0",
                    inertia="J2 J2 J3", parent="arm"),
            eq.Body("tool", eq.fixed(at="0 0 d"), mass="m3", parent="rotor"),
        ],
        gravity="0 0 -g",
        forces=[
            eq.joint_actuator("q1", "tau1"), eq.joint_actuator("q2", "tau2", gear="N"),
            eq.joint_spring("x", "k", "r"), eq.joint_damper("q1", "d1"),
            eq.wrench("tool", force="Fx 0 0", at="e 0 0"), eq.rotor_inertia("q2", "Jr", ratio="N"),
        ],
    )  # fmt: skip


def paper(name: str) -> Paper:
    """One of PAPERS."""
    robot, by, most = PAPERS[name]
    before = style.WRITTEN_OUT
    style.WRITTEN_OUT = most  # type: ignore[misc]
    try:
        own = {"crane": crane, "parallelogram": parallelogram}
        return eq.paper(own[robot]() if robot in own else eq.load(robot), by=by)
    finally:
        style.WRITTEN_OUT = before  # type: ignore[misc]


def outline(of: Paper) -> str:
    """The outline of a paper, as text; the certificate in it has tests of its own."""
    sections = [x for x in of.sections if x.title != "Checks"]
    return "".join(f"{line}\n" for section in sections for line in _lines(section, 1))


def _lines(block: Block | Section, level: int) -> Iterator[str]:
    match block:
        case Section():
            yield f"{'#' * level} {block.title}"
            for inner in block.blocks:
                yield from _lines(inner, level + 1)
        case Text():
            yield block.text
        case Equation():
            yield _equation(block)
        case Table():
            yield f"table: {block.caption}"
            yield from (" | ".join(row) for row in (block.head, *block.rows))
        case Figure():
            yield f"figure: {block.caption}"
        case Code():
            yield f"code: {block.language}"
        case SideBySide():
            yield " | ".join(block.heads)
            for a, b, equal in block.rows:
                both = (_equation(x) if x is not None else "–" for x in (a, b))
                yield f"{' | '.join(both)} | {equal}"


def _equation(e: Equation) -> str:
    proved = "" if e.standing in ("law", "definition") else "…"
    members = " = ".join(x for x in (e.left, e.rule, proved or e.right) if x)
    follows = f", from {', '.join(map(str, e.follows))}" if e.follows else ""
    return f"({e.number}) {members}, {e.standing} {e.how}".rstrip() + follows


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for each in PAPERS:
        (FOLDER / f"{each}.txt").write_text(outline(paper(each)), encoding="utf-8")
