"""`equamo robots`: list the built-in robots."""

from __future__ import annotations

from ..robot.catalog import robots
from .output import Json, print_json


def run(json: Json = False) -> None:
    """List the built-in robots.

    \b
    Example:
      equamo robots
    """
    rows = [(name, description, joints) for name, description, joints in robots()]
    if json:
        print_json([{"name": n, "description": d, "degrees_of_freedom": j} for n, d, j in rows])
        return
    width = max(len(name) for name, _, _ in rows)
    for name, description, joints in rows:
        print(f"{name:<{width}}  {joints:>3}  {description}")
