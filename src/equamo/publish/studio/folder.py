"""Model files in the folder where the studio was started; paths outside it are rejected."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import Any, Final, final

from ...basics.wording import brief
from ...errors import EquamoError, FileFormatError
from ...robot.formats.text_file import read_bytes, write_text

SUFFIXES: Final = (".toml", ".urdf", ".xml", ".sdf", ".csv", ".txt")
LARGEST: Final = 8_000_000  # bytes of a file
MOST: Final = 500  # files that are listed


@final
class Folder:
    """Folder whose model files may be read and written."""

    def __init__(self, root: Path) -> None:
        self.root: Path = root.resolve()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Result of `files`, `open` or `save`."""
        kind = request["kind"]
        if kind == "files":
            return {"folder": self.root.name, "files": self.files()}
        name = request.get("name")
        if kind == "open":
            return {"name": name, "text": self.read(name)}
        text, before = request.get("text"), request.get("before")
        if not isinstance(text, str):
            raise EquamoError(f"save: 'text' must be text, got {brief(text)}.")
        saved = self.write(name, text, before, replace=request.get("replace") is True)
        return {"name": name, "saved": saved}

    def files(self) -> list[str]:
        """Names of the model files, in order."""
        try:
            found = [
                x.name for x in self.root.iterdir() if x.suffix.lower() in SUFFIXES and x.is_file()
            ]
        except OSError as error:
            raise FileFormatError(
                f"The folder {str(self.root)!r} cannot be read: {error.strerror}; start the studio in "
                "another one to open and save files."
            ) from None
        return sorted(x for x in found if not x.startswith("."))[:MOST]

    def read(self, name: object) -> str:
        """Text of a file, with "\\n" as line ends."""
        path = self.path(name)
        data = read_bytes(path, LARGEST)
        try:
            return data.decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")
        except UnicodeError:
            raise FileFormatError(f"{path}: cannot be read: it must be UTF-8 text.") from None

    def write(self, name: object, text: str, before: object, *, replace: bool = False) -> bool:
        """Write a TOML file; False if it exists with a text other than `before` and is not replaced.

        A page can thus overwrite only a file that it has read and that has not changed since.
        """
        path = self.path(name)
        if path.suffix.lower() != ".toml":
            raise FileFormatError(f"A model must be saved as a .toml file, got {brief(path.name)}.")
        size = len(text.encode())
        if size > LARGEST:
            raise FileFormatError(
                f"A model must have at most {LARGEST:,} bytes to be saved, got {size:,}."
            )
        if os.path.exists(path) and self.read(name) not in (before, text) and not replace:
            return False
        write_text(path, text)
        return True

    def name(self, path: Path) -> str | None:
        """Name of a file in the folder; None if it is not allowed."""
        try:
            name = path.relative_to(self.root).as_posix()
            self.path(name)
        except ValueError:
            return None
        return name

    def path(self, name: object) -> Path:
        """Path of a file in the folder; an error for any other."""
        plain = PurePosixPath(name) if isinstance(name, str) and "\0" not in name else None
        valid = plain is not None and not plain.is_absolute() and ".." not in plain.parts
        path = Path(os.path.realpath(self.root / plain)) if plain is not None and valid else None
        if (
            path is None
            or not path.is_relative_to(self.root)  # a link may lead out of the folder
            or path.suffix.lower() not in SUFFIXES
            or any(part.startswith(".") for part in path.relative_to(self.root).parts)
        ):
            raise FileFormatError(
                f"A file must be a model file in the folder {self.root.name!r}, got {brief(name)}."
            )
        return path
