"""Paper: the derivation of one robot's equations as a document, in any format."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, cast, final

from ...basics.wording import brief, counted
from ...errors import EquamoError, FileFormatError, UnknownNameError
from ...robot.model.robot import Robot
from .blocks import Equation, Section
from .formats_read import check_html, check_typst
from .html import to_html
from .latex import to_latex_document
from .notebook import to_notebook
from .typst import expect_typst, to_pdf, to_typst_source

SUFFIXES: Final = (".pdf", ".html", ".tex", ".ipynb", ".typ")


@final
@dataclass(frozen=True, slots=True, repr=False)
class Paper:
    """A document: title, abstract and sections.

    Numbers of equations depend on the robot, the methods and the options only.
    """

    title: str  # plain text
    robot: Robot  # robot it is about
    formulations: tuple[str, ...]  # one method, or two side by side
    abstract: str  # one paragraph
    sections: tuple[Section, ...]  # chapters, in order
    notation: Mapping[str, str]  # LaTeX of the robot's symbols by name
    short: bool = False  # whether c_{1}, s_{12} stand for cosines and sines of coordinates

    @property
    def equations(self) -> tuple[Equation, ...]:
        """All numbered equations, in order."""
        return tuple(x for section in self.sections for x in section.equations())

    def equation(self, number: int) -> Equation:
        """Equation by its number.

        Raises:
            UnknownNameError: No equation has this number.
        """
        found = [x for x in self.equations if x.number == number]
        if not found:
            numbers = f"1 to {len(self.equations)}"
            raise UnknownNameError("number of an equation", number, [numbers], "the paper")
        return found[0]

    def __repr__(self) -> str:
        return f"<paper {self.title!r}, {counted(len(self.equations), 'equation')}>"

    def latex(self) -> str:
        """The document as LaTeX."""
        return to_latex_document(self)

    def html(self) -> str:
        """The document as one HTML file, whose equations look as in LaTeX.

        Raises:
            ProofError: An equation looks different.
        """
        text = to_html(self)
        check_html(self.latex(), text)
        return text

    def typst(self) -> str:
        """The document in the language of typst, whose equations look as in LaTeX.

        Raises:
            ProofError: An equation looks different.
        """
        text = to_typst_source(self)
        check_typst(self.latex(), text)
        return text

    def notebook(self) -> str:
        """The document as a Jupyter notebook."""
        return to_notebook(self)

    def pdf(self) -> bytes:
        """The document as PDF.

        Raises:
            EquamoError: The package typst is not installed.
        """
        return to_pdf(self.typst())

    def save(self, path: str | os.PathLike[str]) -> Path:
        """Write the document; the suffix of the path selects the format.

        Args:
            path: File that ends with .pdf, .html, .tex, .ipynb or .typ.

        Returns:
            The path.

        Raises:
            EquamoError: The suffix is not one of these, or a PDF needs typst and it is not installed.
            FileFormatError: The file cannot be written.
        """
        file = file_of(path)
        suffix = checked_format(file)
        writers = {
            ".html": self.html, ".tex": self.latex, ".ipynb": self.notebook, ".typ": self.typst,
        }  # fmt: skip
        content = self.pdf() if suffix == ".pdf" else writers[suffix]().encode()
        try:
            file.write_bytes(content)
        except OSError as error:
            raise FileFormatError(f"{file}: cannot be written ({error.strerror}).") from None
        return file


def file_of(path: object) -> Path:
    """The path of a document.

    Raises:
        EquamoError: The argument is not a path.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise EquamoError(f"paper: path must be a file name, got {brief(path)}.")
    return Path(cast("str | os.PathLike[str]", path))


def checked_format(path: Path) -> str:
    """Suffix of a path in lower case, if a document can be written in its format.

    Raises:
        EquamoError: The suffix is not that of a format, or the PDF needs typst and it is not installed.
        FileFormatError: The folder does not exist.
    """
    suffix = path.suffix.lower()
    if suffix not in SUFFIXES:
        raise EquamoError(
            f"paper: the file must end with one of {', '.join(SUFFIXES)}, got {brief(path.name)}."
        )
    if suffix == ".pdf":
        expect_typst()
    if not path.parent.is_dir():
        raise FileFormatError(
            f"{path}: the folder of the file must exist, but {brief(str(path.parent))} does not; create "
            "it first."
        )
    return suffix
