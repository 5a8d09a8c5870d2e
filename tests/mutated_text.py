"""Mutations of text and of parsed structure, reproducible from a seed."""

from __future__ import annotations

import random
import re
from copy import deepcopy
from typing import Any

WORDS = (
    "nan", "inf", "-1", "1e999999999", "0x", "true", "[[", "]]", "{", "}", '"', "'", '"""', "=", "\n",
    "q1", "sin(", "2**99999999", "**", "1/0", "[]", "{}", "1979-05-27", "é", "\x00", "`", "world", "-",
    "[a]", "#", ",", "0.1", "9" * 60, "sqrt(-1)", "log(0)", "pi", "name", "kind",
)  # fmt: skip
VALUES: tuple[Any, ...] = (
    0, -1, 10**30, "", " ", "x", "1/0", "q1", "sin(", "sqrt(-1)", "log(0)", "pi", True, [], {},
    [1, 2, 3], "0 0 0", "1 0", ["a", "b"], {"kind": "free", "q": "z"}, "world",
    [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
    "`", "a b c", [[]], "dq1", "euler", "0**-1", "x"*2000, "link1", "2**99999999", "-x", None,
)  # fmt: skip


def mutated_text(text: str, r: random.Random) -> str:
    """The text with one to four edits: characters, words and lines deleted, doubled, swapped, put in."""
    for _ in range(r.randint(1, 4)):
        kind = r.randrange(6)
        i = r.randrange(len(text) + 1)
        if kind == 0:
            text = text[:i] + text[i + r.randint(1, 8) :]
        elif kind == 1:
            text = text[:i] + r.choice(WORDS) + text[i:]
        elif kind == 2:
            lines = text.split("\n")
            j = r.randrange(len(lines))
            lines[j : j + 1] = [lines[j]] * r.choice((0, 2))
            text = "\n".join(lines)
        elif kind == 3:
            lines = text.split("\n")
            j, k = r.randrange(len(lines)), r.randrange(len(lines))
            lines[j], lines[k] = lines[k], lines[j]
            text = "\n".join(lines)
        else:
            words = [*re.finditer(r"[\w.]+", text)] or [*re.finditer("", text)]
            w = r.choice(words)
            text = text[: w.start()] + r.choice(WORDS) + text[w.end() :]
    return text


def mutated_tree(data: Any, r: random.Random) -> None:
    """One to three edits of parsed data, in place: values replaced, removed, moved; keys renamed."""
    for _ in range(r.randint(1, 3)):
        places: list[tuple[Any, Any]] = []
        stack = [data]
        while stack:
            x = stack.pop()
            items = x.items() if isinstance(x, dict) else enumerate(x)
            for k, v in items:
                places.append((x, k))
                if isinstance(v, (dict, list)):
                    stack.append(v)
        if not places:
            return
        where, key = r.choice(places)
        kind = r.randrange(5)
        if kind == 0:
            del where[key]
        elif kind == 1 and isinstance(where, dict):
            where[r.choice(("name", "nmae", "kind", "", "q", "at", key + "s"))] = where.pop(key)
        elif kind == 2:
            other, from_key = r.choice(places)
            if isinstance(other, dict) or from_key < len(other):
                value = other.get(from_key) if isinstance(other, dict) else other[from_key]
                where[key] = deepcopy(value)
        else:
            where[key] = deepcopy(r.choice(VALUES))
