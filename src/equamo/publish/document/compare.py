"""Two methods in one paper: separate chapters, and results side by side with equal lines marked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...algebra.expr import Expr
from ...algebra.identity.prove import differences, prove_all
from ...mechanics.kinematics.quantity_name import QuantityName
from .blocks import Equation, Section, SideBySide, Text
from .script import Script

_SHARED: Final = ("Transforms", "Constraints and speeds")
_RESULTS: Final = ("Jacobians", "Mass matrix", "Coriolis and centrifugal terms", "Gravity")


def compared(
    first: Script,
    second: Script,
    chapters: Sequence[Section],
    more: Sequence[Section],
    names: Sequence[str],
) -> list[Section]:
    """Chapters of both methods without their results, and the results in two columns."""
    own = [x for x in chapters if x.title not in _RESULTS]
    other = [x for x in more if x.title not in (*_RESULTS, *_SHARED)]
    left, right = (_results(x) for x in (chapters, more))
    keys = [*left, *(x for x in right if x not in left)]
    pairs = [(left.get(x), right.get(x)) for x in keys]
    equal = _equal(first, pairs)
    rows = tuple((a, b, same) for (a, b), same in zip(pairs, equal, strict=True))
    agree = sum(equal)
    text = Text(
        f"Both methods give the same results: {agree} of {len(rows)} lines are proved equal, and "
        f"marked. "
        "Entries that are zero are not listed."
    )
    sides = SideBySide((_title(names[0]), _title(names[1])), rows)
    return [
        Section(f"First: {names[0]}", tuple(own)),
        Section(f"Second: {names[1]}", tuple(other)),
        Section("Side by side", (text, sides)),
    ]


def _title(name: str) -> str:
    return name[:1].upper() + name[1:]


def _results(chapters: Sequence[Section]) -> dict[QuantityName, Equation]:
    """Equations of M, h and g, by their quantity."""
    found: dict[QuantityName, Equation] = {}
    for section in chapters:
        if section.title in _RESULTS:
            for x in section.equations():
                if x.quantity is not None and x.quantity.letter in ("M", "bias", "gravity"):
                    found[x.quantity] = x
    return found


def _equal(script: Script, pairs: Sequence[tuple[Equation | None, Equation | None]]) -> list[bool]:
    """Whether the values of each pair are proved equal."""
    claims: list[list[Expr]] = []
    for a, b in pairs:
        both = a is not None and b is not None and a.value is not None and b.value is not None
        claims.append(differences(a.value, b.value) if both else [])  # pyright: ignore[reportOptionalMemberAccess]
    proofs = prove_all(claims, unit=script.robot.unit_groups)
    return [
        a is not None and b is not None and bool(x) for (a, b), x in zip(pairs, proofs, strict=True)
    ]
