"""Passes: each converts a Program to one that computes the same, which is proved in the tests."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ..program import Program
from .constant_terms import constant_terms
from .dead_code import dead_code
from .factoring import factoring
from .folding import folding
from .multiply_add import multiply_add
from .ordering import ordering
from .sharing import sharing
from .sincos import sincos

PASSES: Final[dict[str, Callable[[Program], Program]]] = {
    "dead_code": dead_code,
    "folding": folding,
    "constant_terms": constant_terms,
    "sharing": sharing,
    "factoring": factoring,
    "sincos": sincos,
    "multiply_add": multiply_add,
    "ordering": ordering,
}


def optimise(program: Program, fused: bool = True) -> Program:
    """Run all passes; without `fused` no multiply-adds, for languages that lack them."""
    for name, step in PASSES.items():
        if fused or name != "multiply_add":
            program = step(program)
    return program
