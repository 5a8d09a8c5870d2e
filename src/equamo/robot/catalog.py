"""Load a robot by name or from a file (`eq.load`); list the built-in robots (`robots`)."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any, Final

from ..basics.wording import brief
from ..errors import EquamoError, FileFormatError, UnknownNameError
from .library import registry
from .library.registry import robots as robots
from .model import Robot

FORMATS: Final = (".urdf", ".xacro", ".sdf", ".xml", ".toml")


def load(name: str | os.PathLike[str], **options: Any) -> Robot:
    """Load a built-in robot by name, or a robot from a file.

    Args:
        name: Name of a built-in robot, or path of a URDF, xacro, SDF, MJCF (.xml) or TOML file.
        **options: For a built-in robot the arguments of its function, such as `frames` of krang.
            For a URDF or xacro file:
            `parameters`, "numeric" or "symbolic": inertias, lengths, damping and friction;
            `base`, "fixed" or "free": joint of the root link;
            `rotation`, "quaternion" or "euler": coordinates of free joints;
            `mimic`, "free" or "follow": whether mimic relations are imposed;
            `snap` [rad]: angles this close to a quarter turn are read as one;
            `meshes`, one or more folders to search for the meshes of pictures, besides the
            folder of the file and the ROS package around it; False for no meshes.
            For an SDF file: `parameters`, `rotation`, `snap`, and `base`, "file" (as the file says),
            "fixed" or "free".
            For an MJCF file: `includes`, "folder" or "anywhere": where included files may lie.

    Returns:
        The robot. If it comes from a URDF, xacro, SDF or MJCF file, its `import_report` says what
        happened to each part of the file.

    Raises:
        UnknownNameError: Unknown robot, option or choice.
        FileFormatError: The file cannot be read or does not describe a robot.
        MissingLibraryError: The file is MJCF or xacro, and the library that reads it is not installed.

    >>> print(load("rr_arm"))
    Robot rr_arm: 2 bodies, 2 degrees of freedom, 8 parameters, 2 inputs
    """
    if not isinstance(name, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(
            "load: name must be a built-in robot or the path of a file, such as 'rr_arm' or "
            f"'panda.urdf', got {brief(name)}."
        )
    named_by_mistake = PurePath(name).suffix and Path(name).is_file()  # "arm.txt"
    if not registry.is_file(name) and not named_by_mistake:
        return registry.load(name, **options)
    path, suffix = Path(name), PurePath(name).suffix.lower()
    if suffix in (".urdf", ".sdf", ".xml"):
        return _load_xml(path, options)
    if suffix == ".toml":
        return _load_toml(path, options)
    if suffix == ".xacro":
        from .formats.xacro import read_xacro

        return read_xacro(path, **options)
    raise FileFormatError(
        f"{path}: the suffix of a robot file must be {', '.join(FORMATS[:-1])} or {FORMATS[-1]}, got "
        f"{suffix!r}. Built-in robots: {', '.join(registry.names())}."
    )


def load_bytes(data: bytes, place: str = "<stdin>", **options: Any) -> Robot:
    """Load a robot from the content of a URDF, SDF or TOML file, for example from a pipe.

    Args:
        data: Content of the file.
        place: How messages name it.
        **options: As for `load` of a file of that kind.

    Returns:
        The robot.

    Raises:
        FileFormatError: The content is damaged, or is MJCF, which refers to other files.
        UnknownNameError: Unknown option or choice.

    >>> load_bytes(b'equamo = 1\\nname = "pole"\\n[[bodies]]\\nname = "a"').name
    'pole'
    """
    if data.removeprefix(b"\xef\xbb\xbf").lstrip().startswith(b"<"):
        from .formats.urdf import robot_of_element, urdf_options
        from .formats.xml_tree import parse_xml

        root = parse_xml(data, place)
        if root.tag == "mujoco":
            raise FileFormatError(
                f"{place}: MJCF must be read from a file, because it refers to other files; save it as "
                "robot.xml."
            )
        if root.tag == "sdf":
            from .formats.sdf import sdf_options, sdf_robot_of_element

            return sdf_robot_of_element(
                root, place, sdf_options(options, place), sha256(data).hexdigest()
            )
        chosen = urdf_options(options, place)
        return robot_of_element(root, place, chosen, sha256(data).hexdigest())
    from .formats.toml import parse_robot

    for option in options:
        raise UnknownNameError("option", option, (), f"{place}, a TOML file")
    try:
        text = data.decode("utf-8")
    except UnicodeError as error:
        raise FileFormatError(f"{place}: cannot be read: {error}.") from None
    return parse_robot(text.replace("\r\n", "\n").replace("\r", "\n"), place)


def _load_xml(path: Path, options: dict[str, Any]) -> Robot:
    """Load a URDF, SDF or MJCF file; the root element decides."""
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
    if root.tag == "sdf":
        from .formats.sdf import sdf_options, sdf_robot_of_element

        found = sdf_options(options, str(path))
        return sdf_robot_of_element(root, str(path), found, sha256(data).hexdigest())
    chosen = urdf_options(options, str(path))
    return robot_of_element(root, str(path), chosen, sha256(data).hexdigest())


def _load_toml(path: Path, options: dict[str, Any]) -> Robot:
    """Load a TOML file; it has no options."""
    from .formats.toml import read_toml

    for option in options:
        raise UnknownNameError("option", option, (), f"load({str(path)!r})")
    return read_toml(path)
