"""Text of C after its preprocessor: macros expanded, headers included, lines kept.

Headers of the standard library are skipped: the reader knows the functions and constants of math.h.
Another header must lie in the folder of the file. Every message of the preprocessor is an error.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path, PurePath
from types import SimpleNamespace
from typing import Any, Final, NoReturn, final

from ....basics.extras import missing
from ....basics.wording import brief
from ....errors import FileFormatError
from ..place import Place
from ..source_text import read_source

MOST_TOKENS: Final = 1_000_000  # most tokens after macro expansion
DEEPEST: Final = 40  # deepest nesting of headers
_TRIGRAPH: Final = re.compile(r"\?\?[=/'()!<>-]")
_LITERAL_OR_COMMENT: Final = re.compile(
    r"""//[^\n]*|/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?""", re.DOTALL
)
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

    text: str
    files: list[str]

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
        folder: Folder of its headers; None if the text does not come from a file.

    Raises:
        FileFormatError: A header cannot be found, a macro is used wrongly, or the preprocessor does not
            understand a line.
        MissingLibraryError: pcpp or pycparser is not installed.

    >>> print(preprocessed("#define SQ(x) ((x)*(x))\\nSQ(a)\\n", "x.c", None).text.strip())
    #line 2 "0"
     ( ( a ) * ( a ) )
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
    except ImportError as error:
        raise missing(error.name or "pcpp", f"{file}: reading C") from error


def _number(token: Any) -> Any:
    r"""\.?\d([eEpP][+-]|[\w.])*"""  # a number as the preprocessor of C defines it
    whole = re.fullmatch(r"(0[xX][\da-fA-F]+|\d+)([uUlL]{0,3})", token.value)
    token.type = "CPP_INTEGER" if whole else "CPP_FLOAT"
    return token


@cache
def _class() -> Any:
    """The class that runs pcpp, which is imported on demand."""
    import pcpp  # pyright: ignore
    import pcpp.parser  # pyright: ignore
    import pycparser  # pyright: ignore  # noqa: F401

    base: Any = pcpp.Preprocessor  # pyright: ignore
    # pcpp cuts 1.e5 into 1, a point and the name e5, which could be a macro.
    parser: Any = pcpp.parser  # pyright: ignore
    rules = SimpleNamespace(**{**vars(parser), "t_CPP_INTEGER": _number})
    # Without lextab="" the tables of pcpp would be overwritten on disk.
    lexer: Any = parser.lex.lex(module=rules, lextab="", errorlog=parser.lex.NullLogger())

    class Run(base):
        """pcpp with our headers and errors."""

        def __init__(self, text: str, file: str, folder: Path | None) -> None:
            base.__init__(self, lexer.clone())
            self.files: list[str] = [file]
            self.folder = folder
            self.numbers: dict[Path, str] = {}  # of headers
            self.expanded = 0
            self.before = ""
            self.depth = 0
            self.rewrite_paths: list[Any] = []
            for line in _DEFINED:
                self.define(line)
            self.ignore: dict[str, Any] = {}
            self.parser = self.parsegen(_spliced(text, file), "0", "0")

        def token(self) -> Any:
            # pcpp writes tokens side by side, where - and -x would become --x.
            token = base.token(self)
            if token is None or token.type in self.t_WS:
                return token
            if not (token.value == "." and self.before == "."):  # ... is three tokens
                self.before = token.value
                token.value = f" {token.value}"
            return token

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
            return place.fail(f"expected a supported directive, got #{name}")

        def expand_macros(self, tokens: Any, expanding_from: Any = ()) -> Any:
            # Called again for every nested macro: a chain of doublings is stopped early here.
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
                    place.fail(f"the header <{name}> must be a standard header")
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
            text = _spliced(read_source(path, name), name)
            if not number:
                number = self.numbers[path] = str(len(self.files))
                self.files.append(name)
            self.depth += 1
            yield from self.parsegen(text, number, number)
            self.depth -= 1

    return Run


def _spliced(text: str, file: str) -> str:
    """Join lines that end with a backslash with the next, as C does first of all.

    The removed line ends are put after the joined line, so that later lines keep their numbers.
    """
    found = _TRIGRAPH.search(text)
    if found is not None:  # their meaning depends on the options of the compiler
        line = text.count("\n", 0, found.start()) + 1
        Place(file, line).fail(f"trigraphs must not be used, got {brief(found[0])}")
    lines: list[str] = []
    joined: list[str] = []
    for line in text.split("\n"):
        joined.append(line)
        if line.rstrip(" \t").endswith("\\"):
            joined[-1] = line.rstrip(" \t")[:-1]
            continue
        lines += ["".join(joined), *[""] * (len(joined) - 1)]
        joined = []
    return "\n".join([*lines, "".join(joined)])


def comments(text: str, file: str) -> list[tuple[int, str]]:
    """(line, text) of each comment; what looks like one inside a string is none.

    >>> comments('char *s = "/* a */"; // b', "x.c")
    [(1, '// b')]
    """
    spliced = _spliced(text, file)
    return [
        (spliced.count("\n", 0, m.start()) + 1, m[0])
        for m in _LITERAL_OR_COMMENT.finditer(spliced)
        if m[0].startswith("/")
    ]


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
