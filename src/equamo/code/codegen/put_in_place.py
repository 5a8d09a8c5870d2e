"""Files are written beside the place where they belong, checked there, and only then put in place."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from ...errors import FileFormatError
from ...robot.formats.text_file import write_text


def put_in_place(
    folder: Path, texts: Mapping[str, str], check: Callable[[Path], None]
) -> list[Path]:
    """Write files to a folder if `check`, called with the folder that they are in before, allows it.

    Args:
        folder: The folder where they belong; it exists.
        texts: {file name: text}.
        check: Raises an error if the files must not be put in place; then none of them is.

    Returns:
        The paths of the files.

    Raises:
        FileFormatError: A file cannot be written.
    """
    try:
        # In the same folder, and so on the same disk: a file is moved as a whole or not at all.
        with TemporaryDirectory(prefix=".equamo-", dir=folder) as scratch:
            for name, text in texts.items():
                write_text(Path(scratch, name), text)
            check(Path(scratch))
            for name in texts:
                os.replace(Path(scratch, name), folder / name)
    except OSError as error:
        name = error.filename2 or error.filename or folder
        raise FileFormatError(f"{name}: cannot be written ({error.strerror}).") from None
    return [folder / name for name in texts]
