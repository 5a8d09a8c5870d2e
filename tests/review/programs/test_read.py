"""Files and texts of any language, found by the ending or the name of the language."""

from __future__ import annotations

from pathlib import Path

import pytest

from equamo import FileFormatError, UnknownNameError
from equamo.algebra.expr import symbols
from equamo.review.programs import open_code, read_code
from equamo.review.programs.function import Argument, indices

TEXTS = {
    "f.c": "double f(double x) { return 2*x; }",
    "f.h": "static inline double f(double x) { return 2*x; }",
    "f.py": "def f(x):\n    return 2*x",
    "f.m": "function y = f(x)\n  y = 2*x;",
}


@pytest.mark.needs("pcpp", "pycparser", cases=r"\.[ch]$")
@pytest.mark.parametrize("name", TEXTS)
def test_the_ending_of_a_file_says_its_language(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(TEXTS[name])
    for source in (path, str(path)):
        (f,) = read_code(source, only=["f"])
        assert (f.file, str(f.outputs[0].entries[()])) == (str(path), "2*x")


def test_a_text_needs_a_language() -> None:
    with pytest.raises(
        FileFormatError, match=r"expected a file that ends with \.c, \.h, \.py, \.m, or a text"
    ):
        read_code(TEXTS["f.c"])
    with pytest.raises(FileFormatError, match="or a text and its language"):
        read_code("f.rs")
    with pytest.raises(UnknownNameError, match="Unknown language 'rust'"):
        read_code(TEXTS["f.c"], "rust")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(
        FileFormatError, match=r"f\.rs: expected source code, a file that ends with"
    ):
        read_code(tmp_path / "f.rs")
    with pytest.raises(FileFormatError, match="No such file"):
        read_code(tmp_path / "f.c")
    (tmp_path / "d.c").mkdir()
    with pytest.raises(FileFormatError, match="a folder"):
        open_code(tmp_path / "d.c")
    (tmp_path / "l.py").write_bytes(b"\xff\xfe")
    with pytest.raises(FileFormatError, match="cannot be read"):
        open_code(tmp_path / "l.py")


def test_entries_of_an_argument() -> None:
    argument = Argument("q", (2,), symbols("a b"))
    assert argument.entries == dict(zip(indices((2,)), symbols("a b"), strict=True))


@pytest.mark.parametrize("language", ["numpy", "matlab"])
def test_known_shapes(language: str) -> None:
    text = {
        "numpy": "def f(q, A):\n    return A @ q",
        "matlab": "function r = f(q, A)\n  r = A*q;",
    }[language]
    if language == "numpy":  # in MATLAB, A*q is also the product with a number
        with pytest.raises(FileFormatError, match="the shape of the argument 'q' must be known"):
            read_code(text, language, shapes={"A": (2, 2)})
    (f,) = read_code(text, language, shapes={"q": (2,), "A": (2, 2)})
    assert [a.shape for a in f.inputs] == [(2,), (2, 2)]
    q, A = (a.entries for a in f.inputs)
    assert f.outputs[0].entries == {(k,): A[k, 0] * q[0,] + A[k, 1] * q[1,] for k in range(2)}
