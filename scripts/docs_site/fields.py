"""Descriptions of the fields of a class: the comments beside them."""

from __future__ import annotations

import ast
import inspect
import io
import tokenize
from functools import cache
from pathlib import Path


@cache
def _comments(file: Path) -> dict[int, tuple[str, bool]]:
    """Comment of each line of a file, and whether it stands alone."""
    text = file.read_text(encoding="utf-8")
    found: dict[int, tuple[str, bool]] = {}
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            alone = not token.line[: token.start[1]].strip()
            found[token.start[0]] = (token.string.lstrip("#: ").strip(), alone)
    return found


@cache
def _classes(file: Path) -> dict[str, dict[str, tuple[int, int]]]:
    """First and last line of every annotated field, by class."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return {
        node.name: {
            x.target.id: (x.lineno, x.end_lineno or x.lineno)
            for x in node.body
            if isinstance(x, ast.AnnAssign) and isinstance(x.target, ast.Name)
        }
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef)
    }


def field_lines(cls: type) -> dict[str, tuple[Path, int, int]]:
    """File, first and last line of every field that a class of ours, or one above it, declares."""
    found: dict[str, tuple[Path, int, int]] = {}
    for one in reversed([c for c in cls.__mro__ if c.__module__.startswith("equamo")]):
        file = Path(inspect.getfile(one))
        found |= {name: (file, *lines) for name, lines in _classes(file)[one.__name__].items()}
    return found


def field_comments(cls: type) -> dict[str, str]:
    """Comment of every field that has one: behind it, or on the lines directly above it.

    >>> from equamo.algebra.identity import Proof
    >>> field_comments(Proof)["difference"]
    'left minus right at the counterexample'
    """
    found: dict[str, str] = {}
    for name, (file, line, end) in field_lines(cls).items():
        comments = _comments(file)
        behind = [comments[k][0] for k in range(line, end + 1) if k in comments]
        above: list[str] = []
        k = line - 1
        while k in comments and comments[k][1]:
            above.insert(0, comments[k][0])
            k -= 1
        text = " ".join(x for x in behind if not x.startswith(("pyright", "noqa"))) or " ".join(
            above
        )
        if text and not text.startswith("--"):
            found[name] = text
    return found
