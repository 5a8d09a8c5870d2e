"""Errors planted in the code of this process: a function runs from a changed text during a block.

`changed_module` starts a process for each error. Here the code objects of the functions that a change
affects are exchanged in place, so every reference to them (imports by name, tables, partials) has the
error. Caches of equamo's functions are emptied before and after.
"""

from __future__ import annotations

import gc
import importlib
import sys
import weakref
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from mutations import Mutation


@contextmanager
def planted(*errors: Mutation) -> Generator[None]:
    """Run the block with these errors in equamo, and without anything that was computed before."""
    exchanged: list[tuple[FunctionType, CodeType]] = []
    with fresh_caches():
        try:
            for error in errors:
                for function, code in _exchanges(error):
                    exchanged.append((function, function.__code__))
                    function.__code__ = code
            yield
        finally:
            for function, code in reversed(exchanged):
                function.__code__ = code


def _exchanges(error: Mutation) -> Iterator[tuple[FunctionType, CodeType]]:
    """Functions whose code the error changes, and their new code."""
    module = importlib.import_module(f"equamo.{error.module}")
    path = str(module.__file__)
    text = Path(path).read_text(encoding="utf-8")
    assert text.count(error.original) == 1, error
    changed = text.replace(error.original, error.mutated)
    before, after = (compile(x, path, "exec", dont_inherit=True) for x in (text, changed))
    codes = dict(_changed(before, after))
    reached: set[tuple[str, int]] = set()
    for function in _functions():
        own = function.__code__
        key = own.co_qualname, own.co_firstlineno
        if own.co_filename == path and key in codes:
            reached.add(key)
            yield function, codes[key]
    assert reached == set(codes) != set(), error


def _functions() -> list[FunctionType]:
    """Every function of this process; those that `conftest` froze are seen only while they are not."""
    frozen = gc.get_freeze_count() > 0
    gc.unfreeze()
    found = [x for x in gc.get_objects() if type(x) is FunctionType]
    if frozen:
        gc.freeze()
    return found


def _changed(before: CodeType, after: CodeType) -> Iterator[tuple[tuple[str, int], CodeType]]:
    """Outermost functions that differ, by their name and line; a class or module is searched."""
    inner = [[x for x in code.co_consts if isinstance(x, CodeType)] for code in (before, after)]
    assert len(inner[0]) == len(inner[1])
    for a, b in zip(*inner, strict=True):
        if _instructions(a) == _instructions(b):
            continue
        if a.co_flags & 0x2:  # CO_NEWLOCALS: a function; the body of a class has no such flag
            yield (a.co_qualname, a.co_firstlineno), b
        else:
            yield from _changed(a, b)


def _instructions(code: CodeType) -> tuple[Any, ...]:
    """What a code object does, without its lines."""
    constants = [_instructions(x) if isinstance(x, CodeType) else x for x in code.co_consts]
    return code.co_code, code.co_names, code.co_varnames, tuple(map(repr, constants))


@contextmanager
def fresh_caches() -> Generator[None]:
    """Empty the caches in the modules of equamo; what they held before the block is there after it."""
    from equamo.mechanics.certificate import recent

    modules = [m for n, m in list(sys.modules.items()) if n.partition(".")[0] == "equamo"]
    found: list[Any] = list({id(x): x for m in modules for x in vars(m).values()}.values())
    weak: list[Any] = [x for x in found if isinstance(x, weakref.WeakKeyDictionary)]
    functions: list[Any] = [x for x in found if hasattr(x, "cache_clear")]
    certificates: list[Any] = [
        recent._recent,  # pyright: ignore[reportPrivateUsage]
        recent._newest,  # pyright: ignore[reportPrivateUsage]
    ]
    held = [dict(x) for x in weak]
    listed = [list(x) for x in certificates]

    def empty() -> None:
        for x in (*weak, *certificates):
            x.clear()
        for x in functions:
            x.cache_clear()

    empty()
    try:
        yield
    finally:
        empty()
        for x, content in zip(weak, held, strict=True):
            x.update(content)
        for x, content in zip(certificates, listed, strict=True):
            x.extend(content)
