"""Built-in robots, one file each, with their source cited; `registry` finds them by name."""

from .registry import load, names, robots

__all__ = ["load", "names", "robots"]
