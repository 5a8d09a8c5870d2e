"""`templates`: models to start from; small ones with their text, built-in robots by name."""

from __future__ import annotations

from functools import cache
from typing import Any, Final

from ...robot.formats.template import template
from ...robot.formats.toml_writer import write_toml
from ...robot.library.registry import NAMES, load
from .messages import Request, Say
from .model_text import ModelText

_EMPTY: Final = """\
equamo = 1
name = "robot"

[[bodies]]
name = "link"
joint = { kind = "revolute", q = "q1", axis = "y" }
mass = 1
com = "0 0 -0.5"
"""
_CART: Final = """\
# Cart with a pole: the force u moves the cart, the pole swings freely.
equamo = 1
name = "cart_pole"

[parameters]
M = { value = 1, unit = "kg", description = "mass of the cart" }
m = { value = 0.2, unit = "kg", description = "mass of the pole" }
L = { value = 0.5, unit = "m", description = "joint to the centre of mass of the pole" }
I = { value = 0.02, unit = "kg m²", description = "inertia of the pole" }
g = { value = 9.81, unit = "m/s²", description = "gravity" }

[[bodies]]
name = "cart"
joint = { kind = "prismatic", q = "x", axis = "x" }
mass = "M"

[[bodies]]
name = "pole"
parent = "cart"
joint = { kind = "revolute", q = "theta", axis = "y" }
mass = "m"
com = "0 0 L"
inertia = "0 I 0"

[[forces]]
kind = "joint_actuator"
name = "drive"
coordinate = "x"
input = "u"

[home]
theta = 0.2
"""
STARTERS: Final = (
    ("empty", "One link"),
    ("pendulum", "Pendulum"),
    ("arm", "Arm with three joints"),
    ("cart", "Cart with a pole"),
    ("wheeled", "Wheeled inverted pendulum"),
)


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """All templates, or with `name` the one of that name."""
    if "name" in request.fields:
        name = request.choice("name", [*(n for n, _ in STARTERS), *NAMES])
        return {"name": name, "text": template_text(name)}
    starters = [
        {"name": n, "title": title, "group": "starter", "text": template_text(n)}
        for n, title in STARTERS
    ]
    robots = [
        {"name": n, "title": n.replace("_", " "), "group": "robot", "text": None} for n in NAMES
    ]
    return {"templates": [*starters, *robots]}


@cache
def template_text(name: str) -> str:
    """Text of a template.

    >>> template_text("cart").split("\\n")[2]
    'name = "cart_pole"'
    """
    if name == "empty":
        return _EMPTY
    if name == "pendulum":
        return template("r", "pendulum")
    if name == "arm":
        return template("rrr", "arm")
    if name == "cart":
        return _CART
    return write_toml(load("wheeled_inverted_pendulum" if name == "wheeled" else name))
