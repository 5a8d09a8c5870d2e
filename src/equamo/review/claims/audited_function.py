"""Functions of an audited program: what became of each, and what its names were taken to mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import wrap
from typing import Any, Final, Literal, final

# "refused": it, or one of its results, cannot be read or matched. "not mapped": nothing says which
# quantity a result is. "not selected": the caller chose other functions.
State = Literal["compared", "refused", "not mapped", "not selected"]
_WIDTH: Final = 110  # characters of a line with names


@final
@dataclass(frozen=True)
class NamedMeaning:
    """A result, an argument or a field of an argument, and what it was taken to mean."""

    name: str  # in the program
    kind: Literal["result", "argument"]
    meaning: tuple[str, ...]  # a quantity, or one formula per entry; () if it has none
    source: str = "name"  # "name", "mapping", or the place of a comment or a mapping file

    def __str__(self) -> str:
        """`q → q1, q2`, and where that is said if the name alone does not say it."""
        if not self.meaning:
            return f"{self.name} → {'not compared' if self.kind == 'result' else 'no meaning'}"
        said = "" if self.source == "name" else f" ({self.source})"
        return f"{self.name} → {', '.join(self.meaning)}{said}"

    def to_data(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name,
            "kind": self.kind,
            "meaning": list(self.meaning),
            "source": self.source,
        }


@final
@dataclass(frozen=True)
class AuditedFunction:
    """A public function of an audited program."""

    name: str
    place: str  # file:line
    state: State
    reason: str = ""  # if it is not compared, or not completely
    names: tuple[NamedMeaning, ...] = ()
    values: Mapping[str, str] = field(default_factory=dict[str, str])  # parameters it does not take

    def lines(self) -> list[str]:
        """The function on one line, and its names on the lines below."""
        reason = f": {self.reason}" if self.reason else ""
        rows = [f"{self.name}  {self.place}  {self.state}{reason}"]
        said = [str(x) for x in self.names]
        if self.values:
            fixed = ", ".join(f"{k} = {x}" for k, x in self.values.items())
            said.append(f"no argument: {fixed}")
        rows += _wrapped("; ".join(said), "  ")
        return rows

    def to_data(self) -> dict[str, Any]:
        """Plain data."""
        data: dict[str, Any] = {"function": self.name, "place": self.place, "state": self.state}
        if self.reason:
            data["reason"] = self.reason
        data["names"] = [x.to_data() for x in self.names]
        return data | {"values": dict(self.values)}


def function_lines(functions: Sequence[AuditedFunction], failed: bool = False) -> list[str]:
    """Lines of all functions; those that are alike and have no names share a line.

    Args:
        functions: The functions.
        failed: Whether to list only refused functions.
    """
    rows: list[str] = []
    alike: dict[tuple[str, str], list[str]] = {}
    for f in functions:
        if failed and f.state != "refused":
            continue
        if f.names or f.state == "refused":
            rows += f.lines()
        else:
            alike.setdefault((f.state, f.reason), []).append(f.name)
    for (state, reason), names in alike.items():
        because = f" ({reason})" if reason else ""
        rows += _wrapped(f"{state}{because}: {', '.join(names)}", "")
    return rows


def _wrapped(text: str, indent: str) -> list[str]:
    """Lines of a text; a name stays beside what it means."""
    for together in (" → ", " = ", "not compared", "no meaning"):
        text = text.replace(together, together.replace(" ", "\xa0"))
    rows = wrap(text, _WIDTH, initial_indent=indent, subsequent_indent=f"{indent}  ",
                break_long_words=False, break_on_hyphens=False)  # fmt: skip
    return [x.replace("\xa0", " ") for x in rows]
