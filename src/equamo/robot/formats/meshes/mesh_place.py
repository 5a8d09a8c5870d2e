"""Folders in which the meshes named by a robot file may be; no others are searched.

    package://arm/a.stl   in a subfolder `arm` of one of the folders, or in one that is the package arm
    file:///x/a.stl, /x/a.stl, meshes/a.stl       must lead into one of the folders

The folders are that of the robot file, its ROS package (the nearest folder above it with
a package.xml), and those named by the caller. Links are resolved before a path is checked.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath
from typing import Any, Final, cast, final
from urllib.parse import unquote

from ....basics.wording import brief
from ....errors import FileFormatError

SUFFIXES: Final = (".stl", ".obj", ".dae")
_PACKAGE: Final = ("package", "model")  # schemes that begin with the name of a package
_LONGEST: Final = 1000  # characters of a name
_ADVICE: Final = "name its folder with load(…, meshes=folder)"


@final
class MeshPlaces:
    """Folders searched for the meshes of one robot file.

    Args:
        file: Path of the robot's file; a name such as <stdin> has no folder.
        given: None, one folder, several folders, or False for no meshes at all.

    Raises:
        FileFormatError: `given` is not a folder, or several.
    """

    roots: list[Path]

    def __init__(self, file: str, given: Any = None) -> None:
        self.wanted: bool = given is not False
        self.roots = [_folder(x, file) for x in _several(given, file)]
        self.home: Path | None = Path(file).absolute().parent if os.path.isfile(file) else None
        if self.home is not None:
            self.roots += [self.home, *_package(self.home)]

    def find(self, name: str) -> tuple[str, str, str]:
        """(path, its folder, problem) of a mesh; either the path or the problem is empty."""
        if not name or len(name) > _LONGEST or not name.isprintable():
            return "", "", f"the name of a mesh must be 1 to {_LONGEST} printable characters"
        if PurePosixPath(name).suffix.lower() not in SUFFIXES:
            return "", "", f"a mesh must be a file {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}"
        scheme, mark, rest = name.partition("://")
        rest = unquote(rest)
        if "\0" in rest:
            return "", "", "the name of a mesh must not contain %00"
        if mark and scheme not in (*_PACKAGE, "file"):
            return "", "", "a mesh must be a file on this computer"
        outside = False
        for path in self._candidates(scheme if mark else "", rest if mark else name):
            real = os.path.realpath(path)
            if not os.path.exists(real):
                continue
            for root in self.roots:
                if Path(real).is_relative_to(os.path.realpath(root)):
                    return real, os.path.realpath(root), ""
            outside = True
        if outside:
            return "", "", f"a mesh must lie in a known folder; {_ADVICE}"
        return "", "", f"not found; {_ADVICE}"

    def _candidates(self, scheme: str, rest: str) -> Iterator[str]:
        if scheme in _PACKAGE:
            parts = [x for x in rest.split("/") if x]
            for root in self.roots:
                yield os.path.join(root, *parts)
                if root.name == parts[0]:
                    yield os.path.join(root, *parts[1:])
            return
        if scheme == "file" and sys.platform == "win32":
            rest = re.sub("^/+(?=[A-Za-z]:)", "", rest)  # file:///C:/x is C:/x
        for root in [Path("/")] if os.path.isabs(rest) else self.roots:
            yield os.path.join(root, rest)


def _several(given: Any, file: str) -> list[Any]:
    if given is None or given is False:
        return []
    if isinstance(given, (str, os.PathLike)):
        return [cast(Any, given)]
    if not isinstance(given, Iterable):
        raise FileFormatError(
            f"load({file!r}): meshes must be a folder, a list of folders, or False, got {brief(given)}."
        )
    return list(cast(Iterable[Any], given))


def _folder(given: Any, file: str) -> Path:
    if isinstance(given, (str, os.PathLike)) and os.path.isdir(cast(Any, given)):
        return Path(cast(Any, given)).absolute()
    raise FileFormatError(
        f"load({file!r}): every mesh folder must exist, got {brief(cast(object, given))}."
    )


def _package(home: Path) -> list[Path]:
    """ROS package to which a folder belongs."""
    return [p for p in (home, *home.parents) if (p / "package.xml").is_file()][:1]
