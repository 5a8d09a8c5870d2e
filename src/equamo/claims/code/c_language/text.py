"""Text of C after its preprocessor: macros expanded, headers included, lines kept.

Headers of the standard library are left out: the reader knows the functions and constants of math.h.
Another header must lie in the folder of the file. Everything that the preprocessor reports is an error.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePath
from typing import Any, Final, NoReturn, final

from ....errors import FileFormatError
from ....formats.text_file import read_text
from ....wording import brief
from ..place import Place

MOST_TOKENS: Final = 1_000_000  # that macros may expand to
DEEPEST: Final = 40  # headers within headers
_NAMES: Final = (
    "assert errno fenv float inttypes limits math memory stdbool stddef stdint stdio stdlib string "
    "time"
)
STANDARD: Final = frozenset(f"{name}.h" for name in _NAMES.split())
_DEFINED: Final = (
    "__STDC__ 1",
    "__STDC_VERSION__ 201112L",
    "__STDC_HOSTED__ 1",
    "__attribute__(...)",  # hints for the compiler, and spellings of GCC
    "__extension__",
    "__restrict restrict",
    "__restrict__ restrict",
    "__inline inline",
    "__inline__ inline",
    "__const const",
    "__volatile__ volatile",
)


@final
class CText:
    """Preprocessed text; its lines name files as `0`, `1` …, which are places in `files`."""

    def __init__(self, text: str, files: list[str]) -> None:
        self.text, self.files = text, files

    def place(self, file: str, line: int) -> Place:
        """A line as the parser names it."""
        known = file.isdecimal() and int(file) < len(self.files)
        return Place(self.files[int(file)] if known else self.files[0], line)


def preprocessed(text: str, file: str, folder: Path | None) -> CText:
    """Run the preprocessor.

    Args:
        text: The source.
        file: Its name in errors.
        folder: Where its headers are; None if the text does not come from a file.

    Raises:
        FileFormatError: A package is missing, a header cannot be found, a macro is used wrongly, or the
            preprocessor does not understand a line.

    >>> print(preprocessed("#define SQ(x) ((x)*(x))\\nSQ(a)\\n", "x.c", None).text.strip())
    #line 2 "0"
    ((a)*(a))
    """
    make = _preprocessor(file)
    run = make(text, file, folder)
    out = io.StringIO()
    try:
        run.write(out)
    except FileFormatError:
        raise
    except RecursionError:
        Place(file, 0).fail("macros are nested too deeply")
    except Exception as error:  # pcpp raises many kinds of errors on damaged text
        where: Place = run.here()
        where.fail(f"the preprocessor could not read this line: {brief(str(error), 200)}")
    return CText(out.getvalue(), run.files)


def _preprocessor(file: str) -> Any:
    try:
        return _class()
    except ImportError:
        raise FileFormatError(
            f"{file}: reading C needs the packages pcpp and pycparser; run "
            "'pip install equamo[audit]'."
        ) from None


@cache
def _class() -> Any:
    """The class that runs pcpp, which is imported when it is needed."""
    import pcpp  # pyright: ignore
    import pycparser  # pyright: ignore  # noqa: F401

    base: Any = pcpp.Preprocessor  # pyright: ignore

    class Run(base):
        """pcpp with our headers and errors."""

        def __init__(self, text: str, file: str, folder: Path | None) -> None:
            base.__init__(self)
            self.files: list[str] = [file]
            self.folder = folder
            self.numbers: dict[Path, str] = {}  # of headers
            self.expanded = 0
            self.depth = 0
            self.rewrite_paths: list[Any] = []
            for line in _DEFINED:
                self.define(line)
            self.ignore: dict[str, Any] = {}
            self.parser = self.parsegen(text, "0", "0")

        def here(self) -> Place:
            return self._place(*self._last())

        def _last(self) -> tuple[Any, Any]:
            token = getattr(self, "lastdirective", None)
            return getattr(token, "source", "0"), getattr(token, "lineno", 0)

        def _place(self, source: Any, line: Any) -> Place:
            number = int(source) if str(source).isdecimal() else 0
            return Place(self.files[number], int(line or 0))

        def on_error(self, file: Any, line: Any, msg: str) -> NoReturn:
            self._place(file, line).fail(f"the preprocessor could not read this line: {msg}")

        def on_include_not_found(self, *args: Any) -> NoReturn:
            self.here().fail('expected #include <NAME> or #include "NAME", got something else')

        def on_directive_unknown(self, directive: Any, *args: Any) -> bool:
            name = str(directive.value)
            if name in ("pragma", "line", "ident", "warning"):  # nothing that changes a value
                return True
            place = self._place(directive.source, directive.lineno)
            return place.fail(f"expected a directive of C that can be read, got #{name}")

        def expand_macros(self, tokens: Any, expanding_from: Any = ()) -> Any:
            # Called again for every macro within a macro: a chain of doublings ends here early.
            result: Any = base.expand_macros(self, tokens, list(expanding_from))
            if expanding_from:
                self.expanded += len(result)
            if self.expanded > MOST_TOKENS:
                place = self._place(result[0].source if result else "0", self.linemacro)
                place.fail(f"macros must expand to at most {MOST_TOKENS:,} tokens")
            return result

        def include(self, tokens: Any, original_line: Any) -> Iterator[Any]:
            token = tokens[0] if tokens else None
            if token is not None and token.value != "<" and token.type != self.t_STRING:
                tokens = self.tokenstrip(self.expand_macros(tokens))
            words = "".join(str(x.value) for x in tokens).strip()
            place = self.here()
            name = words[1:-1]
            if words[:1] + words[-1:] == "<>":
                if name not in STANDARD:
                    place.fail(f"the header <{name}> must be one of the standard library")
                return
            if len(words) < 3 or words[0] != '"' or words[-1] != '"':
                self.on_include_not_found()
            if name in STANDARD:
                return
            if self.depth >= DEEPEST:
                place.fail(f"headers must be nested at most {DEEPEST} deep")
            path = _beside(self.folder, name, place)
            number = self.numbers.get(path, "")
            if number in self.include_once:  # a guard, or #pragma once
                return
            text = read_text(path)
            if not number:
                number = self.numbers[path] = str(len(self.files))
                self.files.append(name)
            self.depth += 1
            yield from self.parsegen(text, number, number)
            self.depth -= 1

    return Run


def _beside(folder: Path | None, name: str, place: Place) -> Path:
    """The path of a header, which must lie in the folder of the file."""
    if folder is None:
        place.fail(
            f"the header {brief(name)} must lie in the folder of the file, got a text without a folder; "
            "remove this line if the header only declares functions"
        )
    if PurePath(name).is_absolute() or ".." in PurePath(name).parts:
        place.fail(f"the header {brief(name)} must lie in the folder of the file")
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        place.fail(f"the header {brief(name)} must lie in the folder of the file")
    if not path.is_file():
        place.fail(
            f"the header {brief(name)} must lie in the folder of the file, where it is missing"
        )
    return path
