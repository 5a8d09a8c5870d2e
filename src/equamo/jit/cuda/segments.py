"""A long program as segments that compute again what they need, instead of keeping it.

The articulated-body algorithm walks a tree three times, and keeps some ten numbers per joint from the
second walk to the third: 380 for a humanoid, where a thread has room for 120. At a body that carries
several limbs, few numbers pass from the limbs together to each limb (its acceleration: six). They are
found as a smallest cut of the graph of the program. So the first segment computes these six, one limb
after the other, and forgets the rest; each further segment computes one limb again, with the six known.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import final

from ...ir.passes.uses import depths
from ...ir.program import Instruction, Program
from ...model.robot import Robot

MOST_KEPT = 12  # numbers that may pass at one body


@final
@dataclass(frozen=True)
class Segment:
    """Values that a segment computes, and those of other segments that it uses."""

    targets: frozenset[int]
    known: frozenset[int]
    stages: tuple[frozenset[int], ...] = ()  # values that are computed first, stage by stage


@final
@dataclass(frozen=True)
class Limb:
    """A chain of joints up to the next body that carries several limbs: their speeds, and the limbs."""

    names: frozenset[str]  # coordinates and speeds of the chain
    limbs: tuple[Limb, ...]

    @property
    def leaves(self) -> list[Limb]:
        """Limbs that carry no others, in the order of the tree."""
        return [x for limb in self.limbs for x in limb.leaves] if self.limbs else [self]

    @property
    def all_names(self) -> frozenset[str]:
        return self.names.union(*(x.all_names for x in self.limbs))


def limbs_of(robot: Robot) -> Limb | None:
    """The tree of limbs; None if there is more than one root."""
    children: dict[str, list[str]] = {}
    for b in robot.bodies:
        children.setdefault(b.parent, []).append(b.name)
    names = {b.name: frozenset((*b.joint.coordinates, *b.joint.speeds)) for b in robot.bodies}

    def moves(body: str) -> bool:
        return bool(names[body]) or any(moves(c) for c in children.get(body, ()))

    def limb(body: str) -> Limb:
        own = set(names[body])
        while len(following := [c for c in children.get(body, ()) if moves(c)]) == 1:
            body = following[0]
            own |= names[body]
        return Limb(frozenset(own), tuple(limb(c) for c in following))

    roots = [b.name for b in robot.bodies if b.parent not in names and moves(b.name)]
    return limb(roots[0]) if len(roots) == 1 else None


def ordered(program: Program, segment: Segment) -> list[int]:
    """Instructions of a segment, each as late as possible before the first use in its stage.

    A stage is depth first from its last target, the deeper of two operands first, as in
    `ir.passes.ordering`. The stages of the trunk are the limbs, one after the other.
    """
    code, depth = program.instructions, depths(program)
    done = set(segment.known)
    found: list[int] = []
    for stage in (*segment.stages, segment.targets):
        for root in sorted(stage, reverse=True):
            stack = [root]
            while stack:
                i = stack[-1]
                if i in done:
                    stack.pop()
                    continue
                missing = sorted((a for a in code[i].args if a not in done), key=lambda a: depth[a])
                if missing:
                    stack += missing
                else:
                    done.add(i)
                    found.append(i)
                    stack.pop()
    return found


def live(program: Program, segment: Segment) -> int:
    """Most values that are live at the same time in a segment."""
    code, order = program.instructions, ordered(program, segment)
    last = {a: i for i in order for a in code[i].args}
    alive: set[int] = set()
    most = 0
    for i in order:
        if code[i].op not in ("constant", "pi"):
            alive.add(i)
        alive -= {a for a in code[i].args if last[a] == i and a not in segment.targets}
        most = max(most, len(alive))
    return most


def _stages(
    program: Program, targets: frozenset[int], leaves: Sequence[Limb]
) -> tuple[frozenset[int], ...]:
    """For the first limb, the first two, …: the values that only they determine and that others use."""
    code = program.instructions
    depends = _depends(program, [x.names for x in leaves])
    needed = set(targets)
    for i in reversed(range(len(code))):
        if i in needed:
            needed.update(code[i].args)
    stages: list[set[int]] = [set() for _ in leaves]
    for i in needed:
        for a in code[i].args:
            # a is ready with its last limb, i only later
            ready, later = depends[a].bit_length(), depends[i].bit_length()
            if 0 < ready < later:
                stages[ready - 1].add(a)
    return tuple(frozenset(stage) for stage in stages)


def segments(program: Program, robot: Robot) -> list[Segment]:
    """Segments of a program with one vector of outputs, one entry per speed; one if it has no limbs."""
    whole = [Segment(frozenset(i for y in program.outputs for i in y.values), frozenset())]
    tree = limbs_of(robot)
    speeds = [s.name for s in robot.v]
    if tree is None or not tree.limbs or len(program.outputs) != 1:
        return whole
    output = program.outputs[0].values
    if len(output) != len(speeds):
        return whole
    values = {name: i for name, i in zip(speeds, output, strict=True)}
    found: list[Segment] = []

    trunk: set[int] = set()

    def visit(limb: Limb, known: frozenset[int]) -> None:
        own = frozenset(values[n] for n in limb.names if n in values)
        if not limb.limbs:
            found.append(Segment(own, known))
            return
        # A body that carries limbs belongs to the first segment, which passes through all of them.
        cut = _cut(program, limb, values)
        trunk.update(own, cut)
        for x in limb.limbs:
            visit(x, known | cut)

    visit(tree, frozenset())
    targets = frozenset(trunk)
    first = min(
        (
            Segment(targets, frozenset(), _stages(program, targets, leaves))
            for leaves in (tree.leaves, tree.leaves[::-1])
        ),
        key=lambda segment: live(program, segment),
    )
    return [first, *found]


def _cut(program: Program, limb: Limb, values: dict[str, int]) -> frozenset[int]:
    """The fewest values by which the limbs of a body influence each other."""
    code = program.instructions
    names = [x.all_names for x in limb.limbs]
    depends, serves = _depends(program, names), _serves(code, names, values)
    middle = {i for i in range(len(code)) if _several(depends[i]) and _several(serves[i])}
    users: dict[int, list[int]] = {}
    exits: set[int] = set()
    for i, (_, args, _) in enumerate(code):
        for a in args:
            if a in middle:
                if i in middle:
                    users.setdefault(a, []).append(i)
                elif serves[i]:
                    exits.add(a)
    exits |= {i for i in values.values() if i in middle and serves[i]}
    entries = [i for i in middle if any(a not in middle and depends[a] for a in code[i].args)]
    return _vertex_cut(entries, exits, users)


def _several(bits: int) -> bool:
    return bits & (bits - 1) != 0


def _depends(program: Program, names: Sequence[frozenset[str]]) -> list[int]:
    """Limbs that each value depends on, as bits."""
    found: list[int] = []
    for _, args, leaf in program.instructions:
        bits = 0
        if isinstance(leaf, tuple):
            name = program.arguments[leaf[0]].symbols[leaf[1]].name
            speed = name.strip("`").rpartition("`")[2]  # of an invented name, as of τ
            bits = sum(1 << k for k, own in enumerate(names) if name in own or speed in own)
        for a in args:
            bits |= found[a]
        found.append(bits)
    return found


def _serves(
    code: Sequence[Instruction], names: Sequence[frozenset[str]], values: dict[str, int]
) -> list[int]:
    """Limbs whose outputs each value is needed for, as bits."""
    found = [0] * len(code)
    for name, i in values.items():
        found[i] |= sum(1 << k for k, own in enumerate(names) if name in own)
    for i in reversed(range(len(code))):
        for a in code[i].args:
            found[a] |= found[i]
    return found


def _vertex_cut(
    entries: Iterable[int], exits: set[int], users: dict[int, list[int]]
) -> frozenset[int]:
    """Fewest vertices that meet every path from the entries to the exits (Menger, by augmenting paths).

    `after[v]` and `before[v]` are the neighbours of v on its path; None beside an entry and an exit.
    """
    after: dict[int, int | None] = {}
    before: dict[int, int | None] = {}
    starts = list(entries)
    while True:
        # A place is (vertex, False) before and (vertex, True) behind it.
        origin: dict[tuple[int, bool], tuple[int, bool] | None] = {}
        queue: deque[tuple[int, bool]] = deque()
        for s in starts:
            if before.get(s, s) is not None or s not in before:
                origin[s, False] = None
                queue.append((s, False))
        end: tuple[int, bool] | None = None
        while queue and end is None:
            place = queue.popleft()
            v, behind = place
            steps: list[tuple[int, bool]] = []
            if not behind:
                if v not in after:  # no path goes through it
                    steps.append((v, True))
                elif before[v] is not None:  # back along its path
                    steps.append((before[v], True))  # type: ignore[arg-type]
            else:
                if v in exits and after.get(v, v) is not None:
                    end = place
                    break
                steps += [(w, False) for w in users.get(v, ()) if after.get(v) != w]
                if v in after:
                    steps.append((v, False))
            for step in steps:
                if step not in origin:
                    origin[step] = place
                    queue.append(step)
        if end is None:
            return frozenset(
                v for (v, behind) in origin if not behind and (v, True) not in origin
            )
        _augment(origin, end, after, before)
        if len([v for v, w in after.items() if w is None]) > MOST_KEPT:
            return frozenset()


def _augment(
    origin: dict[tuple[int, bool], tuple[int, bool] | None],
    end: tuple[int, bool],
    after: dict[int, int | None],
    before: dict[int, int | None],
) -> None:
    """Change the paths by the one that was found."""
    place: tuple[int, bool] | None = end
    walk: list[tuple[int, bool]] = []
    while place is not None:
        walk.append(place)
        place = origin[place]
    walk.reverse()
    joined: list[tuple[int, int]] = []
    parted: list[tuple[int, int]] = []
    for (v, a), (w, b) in zip(walk, walk[1:], strict=False):
        if v != w:
            (joined if a and not b else parted).append((v, w) if a and not b else (w, v))
    for v, w in parted:
        if after.get(v) == w:
            del after[v]
        if before.get(w) == v:
            del before[w]
    for v, w in joined:
        after[v], before[w] = w, v
    before.setdefault(walk[0][0], None)
    after[end[0]] = None
    for v in [*after]:
        before.setdefault(v, None)
