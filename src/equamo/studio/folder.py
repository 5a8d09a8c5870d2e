"""Model files of the folder in which the studio was started; no path leads out of it."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from typing import Any, Final, final

from ..errors import EquamoError, FileFormatError
from ..formats.text_file import read_text, write_text
from ..wording import brief

SUFFIXES: Final = (".toml", ".urdf", ".xml", ".sdf", ".csv", ".txt")
LARGEST: Final = 8_000_000  # bytes of a file
MOST: Final = 500  # files that are listed


@final
class Folder:
    """Folder whose model files may be read and written."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Result of `files`, `open` or `save`."""
        kind = request["kind"]
        if kind == "files":
            return {"folder": self.root.name, "files": self.files()}
        name = request.get("name")
        if kind == "open":
            return {"name": name, "text": self.read(name)}
        text = request.get("text")
        if not isinstance(text, str):
            raise EquamoError(f"save: 'text' must be text, got {brief(text)}.")
        self.write(name, text)
        return {"name": name}

    def files(self) -> list[str]:
        """Names of the model files, in order."""
        found = (
            x.name for x in self.root.iterdir() if x.suffix.lower() in SUFFIXES and x.is_file()
        )
        return sorted(x for x in found if not x.startswith("."))[:MOST]

    def read(self, name: object) -> str:
        """Text of a file."""
        return read_text(self.path(name), LARGEST)

    def write(self, name: object, text: str) -> None:
        """Write a model file; only TOML files are written."""
        path = self.path(name)
        if path.suffix.lower() != ".toml":
            raise FileFormatError(f"A model must be saved as a .toml file, got {brief(path.name)}.")
        size = len(text.encode())
        if size > LARGEST:
            raise FileFormatError(
                f"A model must have at most {LARGEST:,} bytes to be saved, got {size:,}."
            )
        write_text(path, text)

    def path(self, name: object) -> Path:
        """Path of a file in the folder; an error for any other."""
        plain = PurePosixPath(name) if isinstance(name, str) and "\0" not in name else None
        valid = plain is not None and not plain.is_absolute() and ".." not in plain.parts
        path = (self.root / plain).resolve() if plain is not None and valid else None
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
