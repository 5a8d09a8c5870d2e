"""Files that an MJCF file names: includes and sub-models stay in its folder unless more is allowed.

MuJoCo follows any path, so a file from somebody else could pull in any other file that its reader may
read. MuJoCo looks for a relative path in the folder of the main file, in that of the including file and
in the asset folders; whatever exists there is checked.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Literal, final

from ..errors import FileFormatError, UnknownNameError
from ..wording import brief
from .text_file import read_bytes
from .xml_tree import Element, parse_xml

Includes = Literal["folder", "anywhere"]
_CHOICES: Final = ("folder", "anywhere")
_FOLDERS: Final = ("assetdir", "meshdir", "texturedir")  # of <compiler>


def check_includes(path: str | Path, data: bytes, includes: str) -> None:
    """Refuse an MJCF file whose includes leave its folder.

    Args:
        path: The main file, for its folder.
        data: Its bytes.
        includes: "folder", or "anywhere" to allow all paths.

    Raises:
        FileFormatError: An include or sub-model lies outside, or is not a readable XML file.
        UnknownNameError: `includes` is neither of the two.
    """
    if includes not in _CHOICES:
        raise UnknownNameError("choice of includes", includes, _CHOICES)
    if includes == "folder":
        _Included(Path(path)).check(Path(path), parse_xml(data, str(path)))


@final
class _Included:
    def __init__(self, main: Path) -> None:
        # A link to the file may stand elsewhere: what lies beside the file itself is its folder too.
        self.inside = {os.path.realpath(main.parent), os.path.dirname(os.path.realpath(main))}
        self.places = [main.parent]  # where a relative path may begin
        self.seen = {os.path.realpath(main)}

    def check(self, file: Path, root: Element) -> None:
        """All that a file names, and all that those name."""
        waiting = [(file, root)]
        while waiting:
            file, root = waiting.pop()
            elements = list(_walk(root))
            for e in elements:
                if e.tag == "compiler":
                    self.places += [self.places[0] / e.attributes.get(n, "") for n in _FOLDERS]
            for e in elements:
                if e.tag in ("include", "model") and "file" in e.attributes:
                    waiting += self._named(file, e)

    def _named(self, file: Path, e: Element) -> Iterator[tuple[Path, Element]]:
        name = e.attributes["file"]
        for place in dict.fromkeys([*self.places, file.parent]):
            found = place / name
            if "\0" in name or not os.path.exists(found):
                continue  # MuJoCo says so, if it is nowhere
            real = os.path.realpath(found)
            if not any(Path(real).is_relative_to(folder) for folder in self.inside):
                raise FileFormatError(
                    f"{file}:{e.line}: <{e.tag} file={brief(name)}> must lie in the folder of the main "
                    f'file, but leads to {real}; to allow it: load(…, includes="anywhere").'
                )
            if real not in self.seen:
                self.seen.add(real)
                yield found, parse_xml(read_bytes(found), str(found))


def _walk(root: Element) -> Iterator[Element]:
    waiting = [root]
    while waiting:
        e = waiting.pop()
        yield e
        waiting += e.children
