"""Derivation section: the recorded steps of the method, folded, with links to their sources."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from ....algebra.expr.printing.mathml import to_mathml
from ....basics.wording import counted
from ....mechanics.equations.derive import METHOD_NAMES, derivation
from ....mechanics.kinematics.steps import Step
from ..context import Context
from ..document import Section, paragraph
from ..markup import Markup, element

MOST: Final = 150  # steps on a page
CHARACTERS: Final = 20_000  # of their LaTeX


def section(context: Context) -> Section:
    """Steps by body, each group in a fold of its own."""
    robot, by = context.robot, context.eom.by
    steps = derivation(robot, by).steps
    shown = dict(_shown(steps))
    call = f"eq.derivation(robot, by={by!r}).steps"
    facts = [
        f"{counted(len(steps), 'step')} by {METHOD_NAMES[by]}, as computed: "
        "a component of an earlier step is written by its name."
    ]
    if len(shown) < len(steps):
        facts.append(f" The first {len(shown)} are shown; ")
        facts.append(element("code", call))
        facts.append(" has all of them.")
    numbers = {step: k for k, step in enumerate(steps, 1)}
    groups: dict[str, list[Step]] = {}
    for step in shown:
        groups.setdefault(step.body, []).append(step)
    folds = [
        element(
            "details",
            element("summary", f"{_title(body)}: {counted(len(group), 'step')}"),
            element("ol", [_line(x, shown[x], numbers) for x in group], class_="steps"),
        )
        for body, group in groups.items()
    ]
    return Section("derivation", "Derivation", element("div", paragraph(*facts), folds))


def _shown(steps: Sequence[Step]) -> Iterator[tuple[Step, str]]:
    """Steps that fit on the page, with their LaTeX."""
    left = CHARACTERS
    for step in steps[:MOST]:
        latex = step.latex()
        left -= len(latex)
        if left < 0:
            return
        yield step, latex


def _title(body: str) -> str:
    return f"body {body}" if body else "whole robot"


def _line(step: Step, latex: str, numbers: Mapping[Step, int]) -> Markup:
    n = numbers[step]
    sources = sorted(numbers[x] for x in step.inputs)
    origin: list[str | Markup] = [f"rule {step.rule}"]
    if sources:
        origin.append("; from ")
        for k, m in enumerate(sources):
            origin += [", "] * (k > 0) + [element("a", f"({m})", href=f"#step-{m}")]
    return element(
        "li",
        Markup(to_mathml(latex)),
        element("span", origin, class_="rule"),
        id=f"step-{n}",
        value=n,
    )
