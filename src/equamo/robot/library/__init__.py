"""Built-in robots, one file per robot with its source; `registry` finds them by name."""

from .registry import load, names, robots

__all__ = ["load", "names", "robots"]
