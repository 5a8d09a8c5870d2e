"""Read xacro files: expand them to URDF with the package `xacro` (an extra), then read the result.

A xacro file is a program: xacro evaluates Python expressions in it and reads environment variables and
other files. docs/project/security.md describes the consequences.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ...basics.extras import missing
from ...errors import FileFormatError
from ..model import Robot
from .text_file import read_bytes
from .urdf import robot_of_element, urdf_options
from .xml_tree import parse_xml


def read_xacro(path: str | Path, **options: Any) -> Robot:
    """Read a robot from a xacro file.

    Args:
        path: Path of the file.
        **options: As for a URDF file.

    Returns:
        The robot; line numbers in its `import_report` refer to the expanded text.

    Raises:
        FileFormatError: The file cannot be read or expanded.
        MissingLibraryError: The package xacro is not installed.
        UnknownNameError: Unknown option or choice.
    """
    place = str(path)
    chosen = urdf_options(options, place)
    try:
        import xacro  # pyright: ignore[reportMissingImports]
    except ImportError as error:
        raise missing("xacro", f"{place}: reading xacro files") from error
    if not os.path.exists(path):
        raise FileFormatError(f"{place}: cannot be read: no such file.")
    read_bytes(path)  # xacro itself would wait for a pipe or read a device
    try:
        document: Any = xacro.process_file(place)  # pyright: ignore
    except Exception as error:  # xacro raises many kinds of errors, all of them about the file
        reason = " ".join(str(error).split()).rstrip(".")
        raise FileFormatError(f"{place}: xacro could not expand the file: {reason}.") from None
    text = str(document.toprettyxml(indent="  "))
    return robot_of_element(parse_xml(text.encode(), place), place, chosen)
