"""Short names in formulas: q₂ for the joint panda_joint2, body 3 for panda_link3.

Names from files repeat the robot's name and words such as joint. Formulas omit what all names share;
the page lists what each short name stands for. Names that users chose as letters, and LaTeX they
passed, are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ...algebra.expr import Expr
from ...algebra.expr.printing.greek import GREEK
from ...algebra.expr.printing.symbol_name import SymbolName, rate_of, symbol_name
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.model.body import Body
from ...robot.model.robot import Robot

_SEPARATOR: Final = re.compile(r"[\W_]+")
_NUMBERED: Final = re.compile(r"([^\W\d_]{2,})([0-9]+)")  # joint7
_GENERIC: Final = frozenset(("joint", "jnt", "link", "lnk"))
_SIDES: Final = {"left": "L", "right": "R"}
_DIGITS: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")

_COMPONENTS: Final = ("w", "x", "y", "z")  # of a quaternion

Label = tuple[str, ...]


def labels(names: Sequence[str]) -> dict[str, Label]:
    """Words that distinguish each name from the others.

    Words that all names share, and the words joint and link, are omitted; a name that would be empty
    or equal to another one keeps them.

    >>> labels(["panda_joint1", "panda_joint2", "panda_finger_joint1"])
    {'panda_joint1': ('1',), 'panda_joint2': ('2',), 'panda_finger_joint1': ('finger', '1')}
    >>> labels(["base", "base_link", "left_hip_link"])
    {'base': ('base',), 'base_link': ('base', 'link'), 'left_hip_link': ('L', 'hip')}
    """
    split = {name: tuple(t for t in _SEPARATOR.split(name) if t) or (name,) for name in names}
    words = [{_word(t) for t in tokens} for tokens in split.values()]
    shared = set[str].intersection(*words) if len(words) > 1 else set[str]()
    omitted = shared | _GENERIC
    short = {name: _without(tokens, omitted) for name, tokens in split.items()}
    short = _distinct(short, split)
    sides = {name: tuple(_SIDES.get(t, t) for t in tokens) for name, tokens in short.items()}
    return _distinct(_distinct(sides, short), {name: (name,) for name in names})


def _word(token: str) -> str:
    """The word of a token, without its number."""
    match = _NUMBERED.fullmatch(token)
    return (match[1] if match else token).lower()


def _without(tokens: Label, omitted: Iterable[str]) -> Label:
    kept: list[str] = []
    for token in tokens:
        match = _NUMBERED.fullmatch(token)
        if _word(token) not in omitted:
            kept.append(token)
        elif match:
            kept.append(match[2])
    return tuple(kept)


def _distinct(short: Mapping[str, Label], long: Mapping[str, Label]) -> dict[str, Label]:
    """The short labels, or the long ones if the short ones are empty or equal."""
    count: dict[Label, int] = {}
    for label in short.values():
        count[label] = count.get(label, 0) + 1
    return {
        name: label if label and count[label] == 1 else long[name] for name, label in short.items()
    }


def body_labels(robot: Robot) -> dict[str, Label]:
    """Label of each body."""
    return labels([b.name for b in robot.bodies])


def abbreviated(
    eom: EquationsOfMotion, named: Mapping[Expr, SymbolName]
) -> tuple[dict[Expr, SymbolName], set[Expr]]:
    """Names of the symbols, long ones abbreviated, and the symbols whose name was changed.

    A name is kept if its short form would look like another name.
    """
    chosen = dict(named)
    seen = {s: n.latex for s, n in named.items()}  # what each name looks like
    changed: set[Expr] = set()
    for group in _groups(eom):
        fresh = {s: n for s, n in group.items() if s.name not in eom.robot.notation}
        latex = {s: n.latex for s, n in fresh.items()}
        taken = {x for s, x in seen.items() if s not in fresh}
        if len(set(latex.values())) == len(latex) and taken.isdisjoint(latex.values()):
            changed |= {s for s, n in fresh.items() if chosen[s] != n}
            chosen |= fresh
            seen |= latex
    return chosen, changed


def plain(name: SymbolName) -> str:
    """A short name as text without formatting, for the head of a row.

    >>> plain(symbol_name("q_2")), plain(symbol_name("omega_x"))
    ('q₂', 'ωx')
    >>> plain(SymbolName("q", "letter", ("finger", "1")))
    'finger 1'
    """
    letter = GREEK.get(name.base, name.base)
    if not name.subscripts:
        return letter
    first, *rest = name.subscripts
    below = first.translate(_DIGITS) if first.isdecimal() else first
    if letter != "q":
        return " ".join((letter + below if len(below) <= 2 else f"{letter} {below}", *rest))
    alone = (first.isdecimal() and not rest) or first in _COMPONENTS
    return " ".join((f"q{below}" if alone else below, *rest))


def _groups(eom: EquationsOfMotion) -> list[dict[Expr, SymbolName]]:
    """Short names of one joint or one parameter, which are used together or not at all."""
    robot = eom.robot
    rates = _Rates(eom)
    several = [b for b in robot.bodies if len(b.joint.q) > 1]
    alone = [b for b in robot.bodies if len(b.joint.q) == 1]
    joints = labels([b.joint.q[0].name for b in alone])
    groups = [
        rates.of_coordinate(b, SymbolName("q", "letter", joints[b.joint.q[0].name]))
        for b in alone
        if symbol_name(b.joint.q[0].name).form in ("word", "text")
    ]
    prefixes = {p: b for b in several if (p := _prefix(b))}
    called = labels(list(prefixes))
    for prefix, body in prefixes.items():
        groups.append(
            rates.of_components(body, prefix, called[prefix] if len(prefixes) > 1 else ())
        )
    known = body_labels(robot) | joints
    for s in (*eom.inputs, *eom.external, *eom.parameters):
        name = _of_owner(s.name, known)
        groups += [{s: name}] if name else []
    return groups


class _Rates:
    """Speeds and accelerations that belong to coordinates."""

    def __init__(self, eom: EquationsOfMotion) -> None:
        self._speed = {s.name: s for s in eom.v}
        self._rate = dict(zip(eom.v, eom.vdot, strict=True))

    def of_coordinate(self, body: Body, name: SymbolName) -> dict[Expr, SymbolName]:
        q = body.joint.q[0]
        return {q: name} | self._with_rate(f"d{q.name}", rate_of(name))

    def of_components(self, body: Body, prefix: str, label: Label) -> dict[Expr, SymbolName]:
        """base_x becomes x, base_vx becomes v with index x, base_wx becomes ω with index x."""
        names: dict[Expr, SymbolName] = {}
        for s in body.joint.q:
            names[s] = _component(s.name.removeprefix(prefix), label)
        for s in body.joint.v:
            name = _component(s.name.removeprefix(prefix), label)
            names |= self._with_rate(s.name, name) if s.name.startswith(prefix) else {}
        return names

    def _with_rate(self, speed: str, name: SymbolName) -> dict[Expr, SymbolName]:
        v = self._speed.get(speed)
        return {} if v is None else {v: name, self._rate[v]: rate_of(name)}


def _prefix(body: Body) -> str:
    """Common prefix of the coordinates of a joint, up to an underscore; empty if they differ."""
    starts = {s.name.rpartition("_")[0] for s in body.joint.q}
    start = starts.pop()
    return f"{start}_" if start and not starts else ""


def _component(suffix: str, label: Label) -> SymbolName:
    name = symbol_name(suffix)
    below = (*name.subscripts, *label)
    if name.base == "w" and name.subscripts:
        return SymbolName("omega", "greek", below)
    return SymbolName(name.base, name.form, below, name.accent)


def _of_owner(name: str, known: Mapping[str, Label]) -> SymbolName | None:
    """m_panda_link3 as m with the index of the body; None if the name does not end with an owner."""
    for k, c in enumerate(name):
        if c == "_" and name[k + 1 :] in known:
            head = symbol_name(name[:k])
            if head.form in ("letter", "greek", "word"):
                below = (*head.subscripts, *known[name[k + 1 :]])
                return SymbolName(head.base, head.form, below, head.accent)
    return None
