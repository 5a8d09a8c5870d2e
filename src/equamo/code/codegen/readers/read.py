"""The reader of a file, found by the ending of its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from ....algebra.expr.collector import collector_paused
from ....errors import FileFormatError
from ....robot.formats.text_file import read_bytes
from .c import read_c
from .casadi import is_casadi, read_casadi
from .code_file import Beside, CodeFile, Meant
from .cpp import read_cpp
from .javascript import read_javascript
from .matlab import read_matlab
from .numpy import read_numpy

MOST_BYTES: Final = 1 << 28  # of a generated file; that of a humanoid has some millions

READERS: Final[dict[str, Callable[[bytes, str, Meant, Beside], CodeFile]]] = {
    ".c": read_c,
    ".hpp": read_cpp,
    ".py": read_numpy,
    ".m": read_matlab,
    ".mjs": read_javascript,
}


def read(path: str | Path, meant: Meant, name: str = "") -> CodeFile:
    """Read a generated file as it is on disk.

    Args:
        path: A .c file (next to its header, if any), an .hpp, .py, .m or .mjs file.
        meant: The program that each function is meant to be, None for an unknown name.
        name: What errors call the file; its path by default.

    Returns:
        Every function of the file as expressions in the symbols of its arguments.

    Raises:
        FileFormatError: Some text is not in the subset, with its file and line.
    """
    path = Path(path)
    reader = READERS.get(path.suffix)
    if reader is None:
        raise FileFormatError(
            f"{path}: expected generated code, a file that ends with {', '.join(READERS)}."
        )

    def beside(file: str) -> tuple[bytes, str]:
        other = path.with_name(file)
        return read_bytes(other, MOST_BYTES), str(Path(name or path).with_name(file))

    data = read_bytes(path, MOST_BYTES)
    if reader is read_c and is_casadi(data):
        reader = read_casadi
    with collector_paused():  # as many tuples and nodes as there are tokens, and no cycles
        return reader(data, name or str(path), meant, beside)
