"""`eq.load`: a robot by its name or from a file; `robots`: the names there are."""

from __future__ import annotations

import inspect
import os
from hashlib import sha256
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path, PurePath
from typing import Any, Final

from .errors import EquamoError, FileFormatError, UnknownNameError
from .model import Robot
from .robots import registry
from .robots.registry import robots as robots
from .wording import brief

FORMATS: Final = (".urdf", ".xacro", ".xml", ".toml")


def load(name: str | os.PathLike[str], **options: Any) -> Robot:
    """A built-in robot by its name, or the robot of a file.

    Options of a built-in robot are those of its own function, such as krang's frames. Of a URDF file:
    `parameters` "numeric" or "symbolic", `base` "fixed" or "free", `rotation` "quaternion" or
    "euler", `mimic` "free" or "follow", `snap` [rad]. Of an MJCF file: `includes` "folder" or
    "anywhere", where included files may lie.

    >>> print(load("rr_arm"))
    Robot rr_arm: 2 bodies, 2 degrees of freedom, 8 parameters, 2 inputs
    """
    if not isinstance(name, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(
            "load() takes the name of a built-in robot or the path of a file, such as 'rr_arm' or "
            f"'panda.urdf', got {brief(name)}."
        )
    named_by_mistake = PurePath(name).suffix and Path(name).is_file()  # "arm.txt"
    if not registry.is_file(name) and not named_by_mistake:
        return registry.load(name, **options)
    path, suffix = Path(name), PurePath(name).suffix.lower()
    if suffix in (".urdf", ".xml"):
        return _load_xml(path, options)
    if suffix == ".toml":
        return _read("toml", path, options)
    if suffix == ".xacro":
        from .formats.xacro import read_xacro

        return read_xacro(path, **options)
    raise FileFormatError(
        f"{path}: a robot file ends in {', '.join(FORMATS)}, not in {suffix or 'nothing'!r}. "
        f"Built-in robots: {', '.join(registry.names())}."
    )


def _load_xml(path: Path, options: dict[str, Any]) -> Robot:
    """URDF or MJCF: the root element decides."""
    from .formats.text_file import read_bytes
    from .formats.urdf import robot_of_element, urdf_options
    from .formats.xml_tree import parse_xml

    data = read_bytes(path)
    root = parse_xml(data, str(path))
    if root.tag == "mujoco":
        for option in options:
            if option != "includes":
                raise UnknownNameError("option", option, ("includes",), f"{path}, an MJCF file")
        from .formats.mjcf import read_mjcf

        return read_mjcf(path, **options)
    chosen = urdf_options(options, str(path))
    return robot_of_element(root, str(path), chosen, sha256(data).hexdigest())


def _read(kind: str, path: Path, options: dict[str, Any]) -> Robot:
    """The robot of a file by `read_<kind>` of the module of that format, loaded now."""
    module = f"{__package__}.formats.{kind}"
    if find_spec(module) is None:
        raise FileFormatError(f"{path}: {kind.upper()} files are read from the next version on.")
    read = getattr(import_module(module), f"read_{kind}")
    known = list(inspect.signature(read).parameters)[1:]
    for option in options:
        if option not in known:
            raise UnknownNameError("option", option, known, f"load({str(path)!r})")
    return read(path, **options)
