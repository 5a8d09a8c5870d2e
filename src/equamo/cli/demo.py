"""`equamo demo`: a true identity proved, a false one refuted."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.text import Text

from ..identity import prove_equal

# (left, right, what we expect to hear)
IDENTITIES = (
    ("cos(q1)*cos(q2) - sin(q1)*sin(q2)", "cos(q1 + q2)", "proved"),
    ("cos(q1)*cos(q2) + sin(q1)*sin(q2)", "cos(q1 + q2)", "refuted"),
)
STYLES = {"proved": "green", "refuted": "yellow", "undecided": "red"}


def run() -> None:
    """Prove a small identity, and refute a wrong one.

    \b
    Example:
      equamo demo
    """
    console = Console(highlight=False)
    as_expected = True
    for left, right, expected in IDENTITIES:
        proof = prove_equal(left, right)
        console.print(Text(f"{left}  =  {right}"), soft_wrap=True)
        console.print(Text(f"  {proof}\n", STYLES[proof.verdict]), soft_wrap=True)
        as_expected = as_expected and proof.verdict == expected
    if not as_expected:
        raise typer.Exit(1)
