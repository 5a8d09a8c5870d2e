"""Names of modules and functions in Python code, as bound by the imports of a file."""

from __future__ import annotations

import ast
from typing import Final, final

MODULES: Final = ("numpy", "math", "jax.numpy", "autograd.numpy")
# Names that need no import in the text of `sympy.lambdify`.
_BARE: Final = {"numpy": "numpy", "np": "numpy", "math": "math", "jax": "jax"}


@final
class Imports:
    """Names that a file imports.

    >>> names = Imports()
    >>> names.add(ast.parse("import numpy as np\\nfrom math import cos as c").body)
    >>> [names.function(ast.parse(t, mode="eval").body) for t in ("np.linalg.norm", "c", "x.T")]
    ['linalg.norm', 'cos', None]
    """

    def __init__(self) -> None:
        self._names: dict[str, str] = {}
        self._foreign = ""  # an unknown module imported with *

    def add(self, statements: list[ast.stmt]) -> None:
        """Add what these statements import."""
        for node in statements:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    whole = alias.asname is not None
                    name = alias.asname or alias.name.split(".")[0]
                    self._names[name] = alias.name if whole else name
            elif isinstance(node, ast.ImportFrom):
                origin = "." * node.level + (node.module or "")
                for alias in node.names:
                    if alias.name == "*":
                        self._foreign = self._foreign if origin in MODULES else origin
                    else:
                        self._names[alias.asname or alias.name] = f"{origin}.{alias.name}"

    def imports(self, name: str) -> bool:
        """Whether a name is imported."""
        return name in self._names

    def function(self, node: ast.expr) -> str | None:
        """Name of a function or constant in its module; None if it does not belong to a module."""
        path: list[str] = []
        while isinstance(node, ast.Attribute):
            path.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        head = self._names.get(node.id)
        if head is not None:
            return self._short(".".join([head, *path]))
        if self._foreign:  # it may define the name
            return f"{node.id} of {self._foreign}"
        if not path:
            return node.id
        head = _BARE.get(node.id)
        return None if head is None else self._short(".".join([head, *path]))

    def _short(self, full: str) -> str | None:
        for module in MODULES:
            if full.startswith(f"{module}."):
                return full[len(module) + 1 :]
        return f"{full} of another module"
