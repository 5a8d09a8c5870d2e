"""Fusion of multiplications with the sums that use them: one instruction, one rounding.

A product disappears if every sum that uses it can fuse it, and a sum fuses one product. Products with a
single use come first, the deepest before others: in a·b + c·d the product that is ready later is fused,
so that the other does not have to wait.
"""

from __future__ import annotations

from ..builder import Builder
from ..program import Program
from .uses import depths, uses

# (operation, position of the product among its operands): the fused operation
_FUSED = {("add", 0): "fma", ("add", 1): "fma", ("sub", 0): "fms", ("sub", 1): "fnma"}
_NEGATIVE = {"fma": "fnms", "fnms": "fma", "fms": "fnma", "fnma": "fms"}


def multiply_add(program: Program) -> Program:
    """Fuse multiply-adds wherever that saves an instruction."""
    code = program.instructions
    users, depth = uses(program), depths(program)
    fuses: dict[int, int] = {}  # sum: the product fused into it
    products = [i for i, (op, _, _) in enumerate(code) if op == "mul" and users[i]]
    for p in sorted(products, key=lambda i: (len(users[i]), -depth[i], i)):
        sums = users[p]
        free = all(s >= 0 and s not in fuses and code[s].op in ("add", "sub") for s in sums)
        if free and len(set(sums)) == len(sums):  # p + p uses it twice
            for s in sums:
                fuses[s] = p
    # −(a·b + c) is one instruction too.
    signs = {args[0]: i for i, (op, args, _) in enumerate(code) if op == "neg" and args[0] in fuses}
    signs = {x: i for x, i in signs.items() if users[x] == [i]}
    gone = set(fuses.values()) | set(signs.values())
    build = Builder()
    new: dict[int, int] = {}
    for i, (op, args, leaf) in enumerate(code):
        if i in gone:
            continue
        if i in fuses:
            where = args.index(fuses[i])
            a, b = code[fuses[i]].args
            c = args[1 - where]
            fused = _FUSED[op, where]
            if i in signs:
                fused = _NEGATIVE[fused]
            new[signs.get(i, i)] = build.emit(fused, (new[a], new[b], new[c]))
        else:
            new[i] = build.emit(op, tuple(new[a] for a in args), leaf)
    return build.finish(program, new)
