"""Check that the files an MJCF file includes lie in its folder, unless the caller allows more.

MuJoCo follows any path, so an untrusted file could include any file that the user can read. MuJoCo
resolves a relative path against the folder of the main file, that of the including file and the asset
folders; every file that exists there is checked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, final

from ...basics.wording import brief
from ...errors import FileFormatError, UnknownNameError
from .text_file import read_bytes
from .xml_tree import Element, parse_xml

Includes = Literal["folder", "anywhere"]
_CHOICES: Final = ("folder", "anywhere")
_FOLDERS: Final = ("assetdir", "meshdir", "texturedir")  # of <compiler>


def check_includes(path: str | Path, data: bytes, includes: str) -> None:
    """Refuse an MJCF file whose includes leave its folder.

    Args:
        path: Path of the main file.
        data: Bytes of the main file.
        includes: "folder", or "anywhere" to allow all paths.

    Raises:
        FileFormatError: An include or sub-model lies outside, or is not a readable XML file.
        UnknownNameError: `includes` is neither "folder" nor "anywhere".
    """
    if includes not in _CHOICES:
        raise UnknownNameError("choice of includes", includes, _CHOICES)
    if includes == "folder":
        _Included(Path(path)).check(Path(path), parse_xml(data, str(path)))


@final
class _Included:
    def __init__(self, main: Path) -> None:
        # `main` may be a symbolic link: the folder of its target is allowed, too.
        self.inside = {os.path.realpath(main.parent), os.path.dirname(os.path.realpath(main))}
        self.places = [main.parent]  # folders that relative paths are resolved against
        self.seen = {os.path.realpath(main)}

    def check(self, file: Path, root: Element) -> None:
        """Check all files that a file includes, directly or indirectly."""
        stack = [(file, root)]
        while stack:
            file, root = stack.pop()
            elements = list(_walk(root))
            for e in elements:
                if e.tag == "compiler":
                    self.places += [self.places[0] / e.attributes.get(n, "") for n in _FOLDERS]
            for e in elements:
                if e.tag in ("include", "model") and "file" in e.attributes:
                    stack += self._included(file, e)

    def _included(self, file: Path, e: Element) -> Iterator[tuple[Path, Element]]:
        name = e.attributes["file"]
        for place in dict.fromkeys([*self.places, file.parent]):
            path = place / name
            if "\0" in name or not os.path.exists(path):
                continue  # MuJoCo reports a file that exists in none of the folders
            real = os.path.realpath(path)
            if not any(Path(real).is_relative_to(folder) for folder in self.inside):
                raise FileFormatError(
                    f"{file}:{e.line}: <{e.tag} file={brief(name)}> must lie in the folder of the main "
                    f'file, got {real}; to allow it, pass includes="anywhere" to load().'
                )
            if real not in self.seen:
                self.seen.add(real)
                yield path, parse_xml(read_bytes(path), str(path))


def _walk(root: Element) -> Iterator[Element]:
    stack = [root]
    while stack:
        e = stack.pop()
        yield e
        stack += e.children
