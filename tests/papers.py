"""Papers that several tests look at, composed once per process; and errors for their LaTeX."""

from __future__ import annotations

import random
import re
from functools import cache

import equamo as eq
from equamo.publish.document.blocks import (
    Code,
    Equation,
    Figure,
    Section,
    SideBySide,
    Table,
    Text,
)
from equamo.publish.document.paper import Paper

SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 90 60"><g stroke="#112233">'
    '<path d="M0 0L9 6Z" fill="#aabbcc" opacity="0.5"/><line x1="0" y1="0" x2="9" y2="6"/></g>'
    '<circle cx="4" cy="5" r="2" fill="#123"/><text x="1" y="2" text-anchor="middle">q_1</text></svg>'
)


@cache
def paper_of(robot: str, by: str = "lagrange", short: bool | None = None) -> Paper:
    """Paper of a built-in robot by a method."""
    return eq.paper(eq.load(robot), by=by, short=short)


@cache
def small_paper() -> Paper:
    """Paper with one block of each kind, and with signs that every format must escape."""
    long = tuple(
        ("+ " if k else "") + r"m_{1} \dot q_{1}^{2} \cos\left(q_{1}\right)" for k in range(3)
    )
    blocks = (
        Text("A $q_{1}$ of `rr_arm`, as in (1); not (9). 100 % & _x_ #1 [a] <b> ω ≤ 2⁻¹¹⁸ q̇ ẋ"),
        Equation(1, "E", (r"\frac{1}{2} m v^{2}",), standing="law"),
        Equation(2, "E_{1}", long, rule="E_{2}", follows=(1,), how="closed form"),
        Figure(SVG, "Drawing of $q_{1}$."),
        Table(("a", "$b$"), (("x | y", "$1$"), ("50 %", "long text " * 9)), "Table & caption."),
        Code("x = 1\nassert x == 1", "python"),
        Code("ls", "sh"),
    )
    sides = SideBySide(
        ("kane", "lagrange"),
        (
            (Equation(3, "a", ("b",)), Equation(4, "a", ("b",)), True),
            (None, Equation(5, "c", ("d",)), False),
        ),
    )
    sections = (Section("One $M$", blocks), Section("Two", (Section("Below", (sides,)),)))
    return Paper("Title & 100 %", eq.load("rr_arm"), ("kane",), "See (2).", sections, {}, False)


def corrupted(latex: str, seed: int) -> tuple[str, set[int]]:
    """LaTeX of a document with one error in each equation that has a place for it, and their numbers."""
    chance = random.Random(seed)
    changed: set[int] = set()

    def damage(match: re.Match[str]) -> str:
        body = match["body"]
        start = body.rindex("=")  # in the right side
        right = body[start:]
        places = [
            (m.start() + start, m.end() + start, new)
            for pattern, new in ERRORS
            for m in re.finditer(pattern, right)
        ]
        if not places:
            return match[0]
        begin, end, new = chance.choice(places)
        changed.add(int(match["number"]))
        return match[0].replace(body, body[:begin] + new + body[end:])

    pattern = r"\\begin\{(equation|align)\}(?P<body>(?:(?!\\end\{\1\}).)*?)\\tag\{(?P<number>\d+)\}"
    return re.sub(pattern, damage, latex, flags=re.DOTALL), changed


# Each of them changes the value of a formula, wherever it stands.
ERRORS = (
    (r"\\sin", "\\cos"),
    (r"\\cos", "\\sin"),
    (r"\^\{2\}", "^{3}"),
    (r"(?<= )\+(?= )", "-"),
    (r"(?<= )-(?= )", "+"),
    (r"\\dot q", r"\ddot q"),
    (r"(?<=[ {&])1(?= )", "2"),
    (r"(?<=\}\{)2(?=\})", "3"),
    (r"m_\{", "n_{"),
    (r"L_\{", "K_{"),
    (r"(?<= )0(?= )", "1"),
)
