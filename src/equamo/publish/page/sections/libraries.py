"""Libraries section: the robot's numbers compared with those of other dynamics libraries."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..context import Context
from ..document import Section, paragraph
from ..markup import Markup, element, table

if TYPE_CHECKING:  # needs NumPy
    from ....review.referee.report import RefereeReport
    from ....review.referee.result import LibraryResult


def sections(context: Context) -> list[Section]:
    """The section, if the robot was compared with other libraries."""
    report = context.referee
    return [] if report is None else [Section("libraries", "Libraries", _html(report))]


def _html(report: RefereeReport) -> Markup:
    rows = report.rows()
    parts = [
        paragraph(
            f"The same file was read by other libraries and compared at "
            f"{report.states} random states. Each number is "
            "the largest difference, relative to the largest entry. " + report.summary
        )
    ]
    if rows:
        parts.append(table(report.columns(), rows, class_="libraries"))
    return element("div", parts, [_details(x) for x in report])


def _details(result: LibraryResult) -> Markup:
    lines = [f"not compared: {result.refused}"] if result.refused else []
    lines += [f"{name}: {text}." for name, text in result.rules.items()]
    lines += [f"unexplained: {x}" for x in result.unexplained]
    if result.conventions:
        lines.append(f"Conventions that were converted: {'; '.join(result.conventions)}.")
    return element(
        "div",
        element("h3", result.label),
        element("ul", [element("li", line) for line in lines]),
    )
