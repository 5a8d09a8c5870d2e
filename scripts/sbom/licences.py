"""Licences of packages, and whether a project under BSD-3-Clause may depend on them.

equamo depends on these packages and bundles none of them. So permissive licences are compatible, and so
are weak copyleft ones (LGPL, MPL), whose terms stay with the package itself. GPL, AGPL and licences that
are unknown are not: a person must decide.
"""

from __future__ import annotations

import re
from typing import Any, Final

PERMISSIVE: Final = frozenset({
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSD",
    "CC0-1.0", "HPND", "ISC", "MIT", "MIT-CMU", "PSF-2.0", "Python-2.0", "Unlicense", "Zlib",
})  # fmt: skip
WEAK: Final = frozenset({"LGPL-2.1-or-later", "LGPL-3.0-or-later", "MPL-2.0"})
CLASSIFIERS: Final = {
    "License :: OSI Approved :: Apache Software License": "Apache-2.0",
    "License :: OSI Approved :: BSD License": "BSD",
    "License :: OSI Approved :: ISC License (ISCL)": "ISC",
    "License :: OSI Approved :: MIT License": "MIT",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)": "MPL-2.0",
}
# Packages whose metadata has neither an SPDX expression nor a classifier; read in the package itself.
READ: Final = {
    "casadi": "LGPL-3.0-or-later",  # field License: GNU Lesser General Public License v3 or later
    "partd": "BSD-3-Clause",  # LICENSE.txt
    "xacro": "BSD-3-Clause",  # licenses/LICENSE
}


def licence(name: str, component: dict[str, Any]) -> str:
    """SPDX expression of a component of a bill of materials; empty if it is unknown."""
    for entry in component.get("licenses", ()):
        if "expression" in entry:
            return entry["expression"]
        stated = entry["license"].get("id") or CLASSIFIERS.get(entry["license"].get("name", ""))
        if stated:
            return stated
    return READ.get(name, "")


def is_compatible(expression: str) -> bool:
    """Whether one alternative of an expression has compatible licences only.

    >>> is_compatible("MIT AND LGPL-3.0-or-later"), is_compatible("GPL-3.0-only OR MIT")
    (True, True)
    >>> is_compatible("MIT AND GPL-2.0-or-later"), is_compatible("")
    (False, False)
    """
    while (inner := re.search(r"\(([^()]*)\)", expression)) is not None:
        verdict = "MIT" if is_compatible(inner[1]) else "none"
        expression = expression[: inner.start()] + verdict + expression[inner.end() :]
    alternatives = re.split(r"\s+OR\s+", expression.strip())
    return any(
        all(part.strip() in PERMISSIVE | WEAK for part in re.split(r"\s+AND\s+", one))
        for one in alternatives
    )
