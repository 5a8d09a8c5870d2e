"""A seeded random choice of errors: so many per package, each on a line of its own.

Every line has a random number made from the seed and its text, and the lines with the lowest numbers
are taken. So the choice hardly changes when code elsewhere is edited, and what is judged stays judged.
"""

from __future__ import annotations

import ast
import hashlib
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from .mutants import Mutant, mutants


def candidates(project: Path) -> dict[str, list[list[Mutant]]]:
    """Per package the errors of each line that has any."""
    found: dict[str, list[list[Mutant]]] = defaultdict(list)
    for path in sorted(project.glob("src/*/**/*.py")):
        lines: dict[int, list[Mutant]] = defaultdict(list)
        for mutant in mutants(path.read_bytes(), path.relative_to(project).as_posix()):
            lines[mutant.line].append(mutant)
        for line in lines.values():
            found[line[0].package].append(line)
    return dict(found)


def shares(sizes: dict[str, int], count: int, least: int) -> dict[str, int]:
    """How many of each package: in proportion to its size, at least `least`, `count` in all.

    >>> shares({"large": 900, "small": 100}, 20, 3)
    {'large': 17, 'small': 3}
    """
    taken = {name: min(least, size) for name, size in sizes.items()}
    total = sum(sizes.values())
    while sum(taken.values()) < min(count, total):
        open_ = [name for name in sizes if taken[name] < sizes[name]]
        taken[max(open_, key=lambda n: count * sizes[n] / total - taken[n])] += 1
    return taken


def choose(project: Path, *, seed: str, count: int, least: int) -> list[Mutant]:
    """The errors of one run; those of a smaller count are among those of a larger one."""
    lines = candidates(project)
    quota = shares({name: len(x) for name, x in lines.items()}, count, least)
    chosen: list[Mutant] = []
    for package in sorted(lines):
        ordered = sorted(lines[package], key=lambda line: _draw(seed, [m.key for m in line[:1]]))
        left = quota[package]
        for line in ordered:
            if left == 0:
                break
            mutant = min(
                line, key=lambda m: (_draw(seed, [m.kind, line[0].key]), _draw(seed, [m.key]))
            )
            if is_valid(project, mutant):
                chosen.append(mutant)
                left -= 1
    return chosen


def is_valid(project: Path, mutant: Mutant) -> bool:
    """Whether the changed text is Python, and another program than before."""
    source = (project / mutant.file).read_bytes()
    try:
        changed = ast.parse(mutant.apply(source))
    except SyntaxError:
        return False
    return ast.dump(changed) != ast.dump(ast.parse(source))


def _draw(seed: str, words: Iterable[str]) -> str:
    return hashlib.sha256("\n".join([seed, *words]).encode()).hexdigest()
