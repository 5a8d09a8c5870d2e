"""Walk over the graph in topological order, operands first; everything else is built on it."""

from __future__ import annotations

from collections.abc import Iterable, Set

from .graph import FIRST_BINARY, FIRST_FUNCTION, LAST_LEAF, SYMBOL, Expr


def walk(roots: Iterable[Expr], stop: Iterable[Expr] = ()) -> list[Expr]:
    """List every node below `roots` once, operands first, without those of `stop` and below.

    The walk is iterative, so depth does not matter.

    >>> from equamo.algebra.expr import parse
    >>> [str(n) for n in walk([parse("sin(x)*y")])]
    ['x', 'sin(x)', 'y', 'y*sin(x)']
    """
    order: list[Expr] = []
    done: set[Expr] = set(stop)
    append, add = order.append, done.add
    for root in roots:
        stack = [root]
        push, pop = stack.append, stack.pop
        while stack:
            node = stack[-1]
            if node in done:
                pop()
                continue
            op = node.op
            if op > LAST_LEAF:
                a = node.a
                if a not in done:
                    push(a)
                    continue
                if FIRST_BINARY <= op < FIRST_FUNCTION:
                    b = node.b
                    if b not in done:
                        push(b)
                        continue
            add(node)
            append(node)
            pop()
    return order


def has_at_most(root: Expr, limit: int) -> bool:
    """Whether there are at most `limit` nodes at and below `root`; the search stops after that many.

    >>> from equamo.algebra.expr import parse
    >>> has_at_most(parse("sin(x)*y"), 4), has_at_most(parse("sin(x)*y"), 3)
    (True, False)
    """
    seen = {root}
    stack = [root]
    while stack and len(seen) <= limit:
        node = stack.pop()
        op = node.op
        if op > LAST_LEAF:
            below = (node.a, node.b) if FIRST_BINARY <= op < FIRST_FUNCTION else (node.a,)
            for x in below:
                if x not in seen:
                    seen.add(x)
                    stack.append(x)
    return len(seen) <= limit


def symbols(roots: Iterable[Expr]) -> tuple[Expr, ...]:
    """Symbols below `roots`, sorted by name.

    >>> from equamo.algebra.expr import parse
    >>> symbols([parse("b*sin(a)")])
    (a, b)
    """
    return tuple(sorted((n for n in walk(roots) if n.op == SYMBOL), key=lambda n: n.name))


def depends(order: Iterable[Expr], on: Iterable[Expr]) -> dict[Expr, int]:
    """Dependencies of each node of a walk on the nodes of `on`, as a bit set."""
    bit = {x: 1 << i for i, x in enumerate(on)}
    mask: dict[Expr, int] = {}
    for node in order:
        m = bit.get(node, 0)
        op = node.op
        if op > LAST_LEAF:
            m |= mask[node.a]
            if FIRST_BINARY <= op < FIRST_FUNCTION:
                m |= mask[node.b]
        mask[node] = m
    return mask


def above(order: list[Expr], roots: Iterable[Expr], stop: Set[Expr]) -> list[Expr]:
    """Part of `order`, a walk over `roots`, that is reached without going below the nodes of `stop`.

    Usually little is below them, such as the angles of sines and cosines; only that is visited twice.
    """
    below = set(walk(x for n in stop for x in n.args))
    reached = [r for r in roots if r in below]
    for n in order:
        op = n.op
        if op > LAST_LEAF and n not in below and n not in stop:
            if n.a in below:
                reached.append(n.a)
            if FIRST_BINARY <= op < FIRST_FUNCTION and n.b in below:
                reached.append(n.b)
    below.difference_update(_until(reached, stop))
    return [n for n in order if n not in below]


def _until(reached: list[Expr], stop: Set[Expr]) -> set[Expr]:
    """Nodes below `reached`, including these, but not below the nodes of `stop`."""
    found: set[Expr] = set()
    while reached:
        n = reached.pop()
        if n not in found:
            found.add(n)
            if n not in stop:
                reached += n.args
    return found
