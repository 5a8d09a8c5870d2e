"""Loops and contacts of TOML model files.

[[loops]]
name = "closure"
body = "coupler"
at = "L2 0 0"
to = "rocker"
to_at = "L3 0 0"
joint = "revolute"

[[contacts]]
name = "LF"
body = "LF_shank"
at = "0 0 -l"
normal = "z"

[mode]
LF = "stick"
"""

from __future__ import annotations

from typing import Any, Final

from ...algebra.expr.vector import Vector
from ...basics.wording import brief
from ..model.contact import Contact, contact
from ..model.loop import Loop, loop
from ..model.rotation import unit_axis
from .toml_table import Table

LOOP_KEYS: Final = (
    "name", "body", "at", "axis", "to", "to_at", "to_axis", "joint", "length", "rotation",
)  # fmt: skip
CONTACT_KEYS: Final = ("name", "body", "at", "normal")


def axis_of(t: Table, key: str = "axis") -> Vector:
    """Axis from "x", "-z" …, or from three quantities."""
    x = t.data[key]
    if isinstance(x, str) and x.strip().lstrip("+-").lower() in ("x", "y", "z"):
        return unit_axis(x)
    if isinstance(x, str) and len(x.replace(",", " ").split()) == 1:
        raise t.error(
            f"an axis must be 'x', 'y', 'z', '-x' … or three quantities, got {brief(x)}.", key
        )
    return t.vector(key)


def loop_of(t: Table) -> Loop:
    """Loop of a table; its keys are the arguments of `eq.loop`."""
    t.only(*LOOP_KEYS)
    options: dict[str, Any] = {n: t.text(n) for n in ("to", "joint") if n in t}
    options |= {n: t.vector(n) for n in ("at", "to_at") if n in t}
    options |= {n: axis_of(t, n) for n in ("axis", "to_axis") if n in t}
    if "length" in t:
        options["length"] = t.quantity("length")
    name, body, rotation = t.text("name"), t.text("body"), t.rotation("rotation")
    return t.guarded(lambda: loop(name, body, rotation=rotation, **options))


def contact_of(t: Table) -> Contact:
    """Contact of a table; its keys are the arguments of `eq.contact`."""
    t.only(*CONTACT_KEYS)
    normal = axis_of(t, "normal") if "normal" in t else "z"
    name, body, at = t.text("name"), t.text("body"), t.vector("at", "0 0 0")
    return t.guarded(lambda: contact(name, body, at, normal))
