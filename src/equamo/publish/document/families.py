r"""Families: quantities of the same letter, of all bodies or of all bodies and speeds.

A small robot has one equation for each member. A large one has an equation in general symbols for the
members indexed by body and speed, with every instance proved, and writes those indexed
by body alone in terms of the components of earlier quantities.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final, Literal, final

from ...algebra.expr import Expr
from ...algebra.identity.prove import differences
from ...basics.wording import counted
from ...mechanics.kinematics.quantity_name import QuantityName
from ...mechanics.kinematics.steps import Value
from ...robot.model.body import WORLD, Body
from .blocks import Block, Text
from .printed import closed, is_zero
from .script import Script
from .style import is_large

_BUDGET: Final = 20_000  # for closed forms in names, which are short already
_MANY_ZEROS: Final = 8
Check = Callable[[QuantityName, Body], Value]  # the value of a member, found by another route


@final
@dataclass(frozen=True)
class Family:
    """Members of one letter.

    Attributes:
        letter: Letter of the recorded names.
        rule: Middle member; {j}, {i} and {s} are the labels of body, parent and speed, {v} the speed. If
            it contains {i}, it is omitted for a body whose parent is the world.
        case: Case of the recorded names.
        by: Whether members are also indexed by a speed.
        law: Number of the general equation.
        check: The value of a member by another route.
        how: What the check proves.
        same_as: Letter of the same body and speed; a member that equals it is not written.
        large: "listed" or "general": whether a large robot lists every member or has one general
            equation. If empty, members indexed by a speed have a general equation.
        form: Form printed for a member of a large robot, instead of the value in names.
        keep: Which members belong to the family; all if None.
    """

    letter: str
    rule: str = ""
    case: str = ""
    by: bool = False
    law: int = 0
    check: Check | None = None
    how: str = "closed form"
    same_as: str = ""
    large: Literal["listed", "general", ""] = ""
    form: Check | None = None
    keep: Callable[[QuantityName, Body], bool] | None = None


def members(script: Script, family: Family, body: Body) -> list[QuantityName]:
    """Recorded names of a family on one body, in the order of the speeds."""
    k, case = body.name, family.case
    speeds = [(x,) for x in script.speeds] if family.by else [()]
    names = [QuantityName(family.letter, k, by=s, case=case) for s in speeds]
    keep = family.keep
    return [n for n in names if script.recorded(n) and (keep is None or keep(n, body))]


def write(script: Script, families: Sequence[Family], bodies: Sequence[Body]) -> list[Block]:
    """Equations of several families, body by body; zeros are grouped."""
    if is_large(script.robot):
        return _large(script, families, bodies)
    blocks: list[Block] = []
    zero: list[str] = []
    for b in bodies:
        for family in families:
            for name in members(script, family, b):
                if _is_repeated(script, family, name):
                    continue
                form = closed(script.shown(name))
                if is_zero(form):
                    zero.append(rf"${script.style.latex(name)}$")
                    continue
                blocks.extend(_member(script, family, b, name, form))
    if zero:
        blocks.append(Text(_zeros(zero, bool(blocks))))
    return blocks


def _zeros(names: list[str], are_others: bool) -> str:
    """Sentence about members that are zero, with their names unless there are many."""
    who = "The others" if are_others else "All"
    return (
        f"{who} are zero." if len(names) > _MANY_ZEROS else f"{who} are zero: {', '.join(names)}."
    )


def _member(
    script: Script, family: Family, b: Body, name: QuantityName, form: Value | None
) -> Sequence[Block]:
    rule = family.rule
    if "{i}" in rule and b.parent == WORLD:
        rule = ""
    style = script.style
    speed = style.labels[name.by[0]] if name.by else ""
    symbol = style.notation[name.by[0]] if name.by else ""
    also = [family.check(name, b)] if family.check else []
    return script.components(
        name,
        rule.format(j=style.body(b.name), i=style.body(b.parent), s=speed, v=symbol),
        form=form,
        cites=(family.law,),
        also=also,
        how=family.how,
        row=is_large(script.robot),
    )


def _is_repeated(script: Script, family: Family, name: QuantityName) -> bool:
    """Whether a sum has only one term, which was written before."""
    if not family.same_as:
        return False
    other = script.recorded(QuantityName(family.same_as, name.body, by=name.by, case=name.case))
    value = script.value(name)
    return other is not None and all(
        x is y for x, y in zip(_entries(value), _entries(other.result), strict=True)
    )


def _entries(value: Value) -> list[Expr]:
    return [value] if isinstance(value, Expr) else list(value.entries)


# -- large robots ------------------------------------------------------------------------------------
def _large(script: Script, families: Sequence[Family], bodies: Sequence[Body]) -> list[Block]:
    blocks: list[Block] = []
    for family in (f for f in families if _is_general(f)):
        blocks += _general(script, family, bodies)
    zero: list[str] = []
    for b in bodies:
        for family in (f for f in families if not _is_general(f)):
            for name in members(script, family, b):
                if _is_repeated(script, family, name):
                    continue
                if is_zero(script.value(name)):
                    zero.append(rf"${script.style.latex(name)}$")
                    continue
                form = family.form(name, b) if family.form else script.in_names(name)
                blocks.extend(_member(script, family, b, name, closed(form, _BUDGET)))
    if zero:
        blocks.append(Text(_zeros(zero, bool(blocks))))
    return blocks


def _is_general(family: Family) -> bool:
    return family.large == "general" or (family.by and family.large != "listed")


def _general(script: Script, family: Family, bodies: Sequence[Body]) -> list[Block]:
    """One equation for all members, with every instance proved."""
    assert family.check is not None, family.letter
    claims: list[Expr] = []
    names: list[QuantityName] = []
    for b in bodies:
        for name in members(script, family, b):
            names.append(name)
            claims += differences(family.check(name, b), script.value(name))
    if not names:
        return []
    by = ("_s",) if family.by else ()
    left = script.style.latex(QuantityName(family.letter, "_j", by=by, case=family.case))
    equation = script.general(
        left, family.rule.format(j="j", i="i", s="s", v="v_{s}"), claims,
        (family.law, *script.sources(names)),
        counted(len(names), "instance"),
    )  # fmt: skip
    for name in names:
        script.covers(name, equation.number)
    return [equation]
