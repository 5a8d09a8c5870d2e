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
    """Run the block with these errors in equamo; caches that remember results are emptied."""
    exchanged: list[tuple[FunctionType, CodeType]] = []
    try:
        for error in errors:
            for function, code in _exchanges(error):
                exchanged.append((function, function.__code__))
                function.__code__ = code
        empty_caches()
        yield
    finally:
        for function, code in reversed(exchanged):
            function.__code__ = code
        empty_caches()


def _exchanges(error: Mutation) -> Iterator[tuple[FunctionType, CodeType]]:
    """Functions whose code the error changes, and their new code."""
    module = importlib.import_module(f"equamo.{error.module}")
    path = str(module.__file__)
    text = Path(path).read_text(encoding="utf-8")
    assert text.count(error.original) == 1, error
    changed = text.replace(error.original, error.mutated)
    before, after = (compile(x, path, "exec", dont_inherit=True) for x in (text, changed))
    codes = dict(_changed(before, after))
    assert codes, error
    for function in [x for x in gc.get_objects() if type(x) is FunctionType]:
        own = function.__code__
        new = codes.get((own.co_qualname, own.co_firstlineno)) if own.co_filename == path else None
        if new is not None:
            yield function, new


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


def empty_caches() -> None:
    """Empty every cache of results in a module of equamo, and the certificates of this process."""
    from equamo.certificate import recent

    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] != "equamo":
            continue
        for x in list(vars(module).values()):
            if isinstance(x, weakref.WeakKeyDictionary):
                x.clear()
            elif hasattr(x, "cache_clear"):
                x.cache_clear()
    recent._recent.clear()  # pyright: ignore[reportPrivateUsage]
    recent._newest.clear()  # pyright: ignore[reportPrivateUsage]
