"""xacro files: expanded to URDF by the package `xacro` (an extra), then read as URDF.

A xacro file is a program: xacro evaluates Python expressions in it, reads environment variables and
other files. docs/security.md says what follows from that.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from ..errors import FileFormatError
from ..model import Robot
from .text_file import read_bytes
from .urdf import robot_of_element, urdf_options
from .xml_tree import parse_xml


def read_xacro(path: str | Path, **options: Any) -> Robot:
    """The robot of a xacro file; options as for URDF. Lines in the report are of the expanded text."""
    place = str(path)
    chosen = urdf_options(options, place)
    try:
        import xacro  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise FileFormatError(
            f"{place}: xacro files are expanded by the package xacro; type: pip install xacro"
        ) from None
    if not os.path.exists(path):
        raise FileFormatError(f"{place}: there is no such file.")
    read_bytes(path)  # xacro opens it by itself, but it would wait for a pipe or read a device
    try:
        document: Any = xacro.process_file(place)  # pyright: ignore
    except (
        Exception
    ) as error:  # xacro's own errors are of many kinds; all of them are about the file
        raise FileFormatError(f"{place}: xacro refuses the file: {error}") from None
    text = str(document.toprettyxml(indent="  "))
    return robot_of_element(parse_xml(text.encode(), place), place, chosen)
