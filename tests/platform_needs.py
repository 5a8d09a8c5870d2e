"""Which tests need POSIX or Linux: seen in their code, so that no list of them has to be kept.

A test needs a platform if its code, its fixtures, or the functions, classes and texts of programs that
they use name something that only this platform has: a signal, a mode, a link, a pipe, /proc.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

import pytest

TESTS = str(Path(__file__).parent)

# Attributes and arguments; Windows makes links only for administrators.
POSIX = frozenset((
    *("AF_UNIX", "SIGKILL", "S_IMODE", "alarm", "chmod", "fork", "getuid", "killpg", "mkfifo"),
    *("send_signal", "setsid", "start_new_session", "symlink", "symlink_to"),
))  # fmt: skip
LINUX = frozenset(
    ("resource", "sched_getaffinity", "sysconf")
)  # ru_maxrss has other units elsewhere
IN_TEXT = {
    "posix": re.compile(rf"\b(os|signal)\.({'|'.join(sorted(POSIX))})\b|/dev/|#!/bin/|/usr/bin"),
    "linux": re.compile(r"/proc/|\bresource\.getrusage"),
}


def runs_on(item: pytest.Item, platform: str = sys.platform) -> bool:
    """Whether a test can run on a platform, in the words of `sys.platform`."""
    if platform == "linux":
        return True
    needed = needed_platform(*_functions(item))
    return needed is None or (needed == "posix" and platform != "win32")


def needed_platform(*functions: Any) -> str | None:
    """ "linux" or "posix" if the functions need it; None if they run everywhere."""
    found = {kind for code in _reached(functions) for kind in _kinds(code)}
    return "linux" if "linux" in found else "posix" if found else None


def _functions(item: pytest.Item) -> Iterator[Any]:
    """The function of a test, and those of its fixtures."""
    if isinstance(item, pytest.Function):
        yield item.function
        info: Any = getattr(item, "_fixtureinfo", None)
        for definitions in getattr(info, "name2fixturedefs", {}).values():
            yield from (x.func for x in definitions)


def _reached(functions: tuple[Any, ...]) -> Iterator[CodeType | str]:
    """Code and texts of the functions, and of what they use of the tests."""
    waiting, seen = list(functions), set[int]()
    while waiting:
        found = waiting.pop()
        found = getattr(found, "__wrapped__", found)
        if id(found) in seen:
            continue
        seen.add(id(found))
        if isinstance(found, str):
            yield found
        elif isinstance(found, type):
            module = sys.modules.get(found.__module__)
            if str(getattr(module, "__file__", None)).startswith(TESTS):
                waiting += vars(found).values()
        elif isinstance(found, FunctionType) and found.__code__.co_filename.startswith(TESTS):
            for code in _codes(found.__code__):
                yield code
                waiting += [found.__globals__[n] for n in code.co_names if n in found.__globals__]


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A function's code, and that of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _kinds(found: CodeType | str) -> Iterator[str]:
    texts = [found] if isinstance(found, str) else []
    if isinstance(found, CodeType):
        words = {*found.co_names, *(n for c in found.co_consts if isinstance(c, tuple) for n in c)}
        if words & POSIX:
            yield "posix"
        if words & LINUX:
            yield "linux"
        texts = [c for c in found.co_consts if isinstance(c, str)]
    for kind, pattern in IN_TEXT.items():
        if any(map(pattern.search, texts)):
            yield kind
