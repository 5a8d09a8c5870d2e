"""Side effects within one C expression, whose order the language does not define.

`*y++ = *x++` has one meaning, `a[i] = i++` has two. An expression that changes a name by ++, -- or an
inner assignment must not mention this name a second time.
"""

from __future__ import annotations

from collections import Counter
from typing import Any


def unordered(root: Any) -> str | None:
    """A name that an expression changes and also uses elsewhere; None if there is no such name."""
    if type(root).__name__ == "ExprList":  # the comma operator: its parts are in order
        return next((found for found in map(unordered, root.exprs) if found is not None), None)
    parts: list[Any] = []
    while type(root).__name__ == "Assignment":  # a = b = c: from the right
        parts.append(root.lvalue)
        root = root.rvalue
    parts.append(root)
    mentioned: Counter[str] = Counter()
    changed: list[str] = []
    while parts:
        node = parts.pop()
        name = type(node).__name__
        if name == "ID":
            mentioned[node.name] += 1
        elif name == "Assignment":
            changed.append(_base(node.lvalue))
        elif name == "UnaryOp" and node.op in ("++", "--", "p++", "p--"):
            changed.append(_base(node.expr))
        if name not in ("Typename", "Constant"):
            parts += [child for _, child in node.children()]
    return next((n for n in changed if mentioned[n] != 1), None)


def _base(node: Any) -> str:
    """The name at the start of a memory place."""
    while type(node).__name__ != "ID":
        children = [child for _, child in node.children()]
        if not children:
            return ""
        node = children[0]
    return str(node.name)
