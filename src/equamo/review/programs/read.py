"""Source code in any supported language, by the ending of a file or the name of a language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from ...algebra.expr.collector import collector_paused
from ...basics.wording import brief
from ...errors import FileFormatError, UnknownNameError
from .c_language import text as c_text
from .c_language.file import CFile
from .function import Function, Shape, Unread
from .matlab_language import tokens as matlab_tokens
from .matlab_language.file import MatlabFile
from .numpy_language import file as numpy_file
from .numpy_language.file import NumpyFile
from .source_text import plain, read_source

LANGUAGES: Final = ("c", "numpy", "matlab")
ENDINGS: Final = {".c": "c", ".h": "c", ".py": "numpy", ".m": "matlab"}
Shapes = Mapping[str, Shape]


class CodeFile(Protocol):
    """A source file whose functions can be read one by one."""

    @property
    def names(self) -> tuple[str, ...]:
        """Public functions of the file, in file order."""
        ...

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Public functions of the file that are not among its `names`."""
        ...

    def line(self, name: str) -> int:
        """The line on which a function begins."""
        ...

    def read(self, name: str) -> Function:
        """Read one function."""
        ...


def _c(text: str, file: str, folder: Path | None, shapes: Shapes) -> CodeFile:
    return CFile(text, file, folder)


def _numpy(text: str, file: str, folder: Path | None, shapes: Shapes) -> CodeFile:
    return NumpyFile(text, file, dict(shapes))


def _matlab(text: str, file: str, folder: Path | None, shapes: Shapes) -> CodeFile:
    return MatlabFile(text, file, dict(shapes))


_FILES: Final[dict[str, Callable[[str, str, Path | None, Shapes], CodeFile]]] = {
    "c": _c,
    "numpy": _numpy,
    "matlab": _matlab,
}


_COMMENTS: Final[dict[str, Callable[[str, str], list[tuple[int, str]]]]] = {
    "c": c_text.comments,
    "numpy": numpy_file.comments,
    "matlab": matlab_tokens.comments,
}


def comments_of(text: str, file: str) -> list[tuple[int, str]]:
    """(line, text) of each comment of a source file, as its language defines comments.

    Args:
        text: The source.
        file: Its name, whose ending says the language.

    >>> comments_of("x = '% a'; % b", "x.m")
    [(1, '% b')]
    """
    language = _ending(Path(file))
    assert language is not None
    return _COMMENTS[language](plain(text, file), file)


def open_code(
    source: str | Path, language: str | None = None, shapes: Shapes | None = None
) -> CodeFile:
    """Open a source file; its functions are read on demand.

    Args:
        source: A path that ends with .c, .h, .py or .m, or the text itself.
        language: "c", "numpy" or "matlab"; needed for a text.
        shapes: {name of an argument: shape} if the code does not declare it. NumPy and MATLAB code never
            declares the size of an argument.

    Returns:
        The file, with the `names` of its functions.

    Raises:
        FileFormatError: The file cannot be read, or its text does not follow the language.
        UnknownNameError: Unknown language.

    >>> open_code("double f(double x) { return 2*x; }", "c").names
    ('f',)
    """
    if language is not None and language not in LANGUAGES:
        raise UnknownNameError("language", language, LANGUAGES)
    with collector_paused():
        ending = _ending(source)
        if ending is None:
            if language is None:
                raise FileFormatError(
                    f"read_code: expected a file that ends with {', '.join(ENDINGS)}, or a text and its "
                    f"language ({', '.join(LANGUAGES)}), got {brief(str(source))}."
                )
            return _FILES[language](plain(str(source), "text"), "text", None, shapes or {})
        path = Path(source)
        text = read_source(path, str(path))
        return _FILES[language or ending](text, str(path), path.resolve().parent, shapes or {})


def read_code(
    source: str | Path,
    language: str | None = None,
    only: Iterable[str] | None = None,
    shapes: Shapes | None = None,
) -> tuple[Function, ...]:
    """Read the functions of a source file into expressions.

    Args:
        source: A path that ends with .c, .h, .py or .m, or the text itself.
        language: "c", "numpy" or "matlab"; needed for a text.
        only: Names of the functions to read; all by default.
        shapes: {name of an argument: shape} if the code does not declare it.

    Returns:
        The functions, in the order of the file (of `only`, if that is given).

    Raises:
        FileFormatError: Something cannot be read; the message names the file and the line.
        UnknownNameError: Unknown language or function.

    >>> (f,) = read_code("double f(double x) { double y = x; y *= y; return y + 1; }", "c")
    >>> f.inputs[0].symbols, f.outputs[0].entries
    ((x,), {(): x**2 + 1})
    """
    code = open_code(source, language, shapes)
    names = code.names if only is None else tuple(only)
    with collector_paused():
        return tuple(code.read(name) for name in names)


def _ending(source: Any) -> str | None:
    """Language according to the ending of a path; None for a text."""
    if isinstance(source, str) and "\n" in source:
        return None
    ending = ENDINGS.get(Path(source).suffix)
    if ending is None and isinstance(source, Path):
        raise FileFormatError(
            f"{source}: expected source code, a file that ends with {', '.join(ENDINGS)}."
        )
    return ending
