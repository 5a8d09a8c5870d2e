"""MATLAB that cannot be read: each construct is an error with its file and line, never a guess."""

from __future__ import annotations

import pytest

from equamo import FileFormatError, UnknownNameError
from equamo.review.programs import open_code, read_code
from foreign_code import read

# {line 2 of `function r = f(x, q, n)`: what the error says}
LINES = {
    "if x > 0, r = 1; end": "the comparison > depends on the state",
    "if x, r = 1; end": "a branch depends on",
    "r = ~x;": "a branch depends on",
    "r = x && 1;": "a branch depends on",
    "if 0.1 + 0.2 == 0.3, r = 1; end": "must differ by more than rounding errors",
    "while 1, end": "a while loop cannot be read",
    "do r = 1; until 1": "a do loop cannot be read",
    "switch n, end": "switch cannot be read",
    "try, r = 1; end": "try cannot be read",
    "global g": "global cannot be read",
    "persistent g": "persistent cannot be read",
    "for i = 1:2, break; end": "break cannot be read",
    "disp(x)": "a statement must assign a variable",
    "x": "a statement must assign a variable",
    "clear all": "a statement must assign a variable",
    "r = @(t) t + 1;": "got '@'",
    "r = {1, 2};": "got '{'",
    "r = q{1};": "cells in braces cannot be read",
    "r = 'text';": "expected a number or a matrix, got 'text'",
    'r = "text";': "expected a number or a matrix, got 'text'",
    "r = 'text;": "a string must end on its line",
    "r = 3i;": "expected the end of the statement, got 'i'",
    "r = y;": "'y' is not defined",
    "r = i;": "'i' is not defined",
    "r = gamma(x);": "'gamma' is neither a variable nor a known function",
    "r = inv(eye(2));": "'inv' is neither a variable nor a known function",
    "r = eval('1');": "'eval' is neither a variable nor a known function",
    "r = eye(2)\\[1; 2];": "a linear solve cannot be read",
    "r = 1/eye(2);": "a linear solve cannot be read",
    "r = eye(2)^2;": "the power of a matrix",
    "r = 2^eye(2);": "the power of a matrix",
    "r = x^x;": "An exponent must be",
    "r = x/0;": "has no value: Division by zero",
    "r = q';": "the shape of the argument 'q' must be known",
    "r = numel(q);": "the shape of the argument 'q' must be known",
    "r = q(end);": "the shape of the argument 'q' must be known",
    "r = q(1:2);": "the shape of the argument 'q' must be known",
    "r = q(:, 1);": "the shape of the argument 'q' must be known",
    "r = q(1, 2);": "the shape of the matrix 'q' must be known",
    "r = q(1) + q;": "must be used in one way",
    "r = q + q(1);": "must be used in one way",
    "r = q(1) + q.m;": "must be used in one way",
    "r = q(0);": "is not one of its entries, got -1",
    "r = q(1.5);": "expected a known integer",
    "r = q(x);": "expected a known integer",
    "q(1) = 2;": "an entry of the argument 'q' must not be assigned",
    "x.y = 2;": "expected a variable or an entry of a matrix",
    "t = 1; r = t.y;": "a field of",
    "r = zeros(2)(3, 1);": "at least 1 and at most 2, got 3",
    "t = zeros(2); r = t(5);": "at least 1 and at most 4, got 5",
    "t = zeros(2); r = t(0, 1);": "at least 1 and at most 2, got 0",
    "t = zeros(2); r = t(1, 1, 1);": "one or two indices, got 3",
    "t = zeros(2); t(0, 1) = 1;": "an index must be at least 1",
    "t = zeros(2); t(5) = 1;": "at least 1 and at most 4",
    "t = zeros(2); t(:) = 1;": "A(:) = … cannot be read",
    "t = zeros(2); t(:, 1) = [];": "must not be removed",
    "t = zeros(2); t(1, :) = [1 2 3];": "expected a matrix of shape",
    "t = zeros(2); t(:, :) = [1 2 3];": "expected a matrix of shape",
    "t = zeros(2); r = t([1 2; 3 4]);": "a matrix of indices cannot be read",
    "r = [1 2; 3];": "must have fitting shapes",
    "r = [1 2] + [1 2 3];": "must fit each other",
    "r = [1 2]*[1 2];": "must have fitting shapes",
    "r = zeros(2, 2, 2);": "zeros takes 0 to 2 arguments here, got 3",
    "r = zeros(2000, 2000);": "at most 1,000,000 entries",
    "r = zeros(x);": "expected a known integer",
    "r = zeros([1 2 3]);": "expected the number of rows and columns, got 3",
    "r = reshape([1 2 3], 2, 2);": "must have as many entries, got 3",
    "r = cross([1 2], [3 4]);": "cross takes vectors of 3 entries",
    "r = dot([1 2], [3 4 5]);": "two vectors of the same length",
    "r = sum(eye(2));": "sum takes a vector here",
    "r = norm(eye(2));": "norm takes a vector here",
    "r = size(eye(2), 3);": "the axis of size must be 1 or 2",
    "r = sin(x, x);": "sin takes 1 arguments here, got 2",
    "r = 1:x;": "the numbers of a range must be known",
    "r = 1:0:3;": "must not be 0",
    "r = 1:1e9;": "at most 1,000,000 numbers",
    "for i = 1:5000, r = i; end": "at most 1,000 statements",
    "[a, b] = sin(x);": "a function that the file defines",
    "[a, b, c] = two(x);": "two has 2 outputs, expected 3",
    "[a, b] = two(x);": "the output 't' must be assigned",
    "r = none(x);": "none must have an output",
    "r = two(x, x);": "two takes 1 arguments, got 2",
    "r = recurse(x);": "nested at most 60 deep",
    "r = 1e99999*x;": "has no value",
    "r = 1e9999999*x;": "an exponent of at most 5",
    "r = (x;": "'(' must be closed by",
    "r = x);": "must close an open bracket",
    "r = [1 2);": "must close an open bracket",
    "r = x $ 2;": "the character '$' cannot be read",
    "r = ;": "expected a number, a name or a matrix",
    "r = x x;": "expected the end of the statement",
    "r = end;": "expected a name, got 'end'",
    "r = eye(end);": "must be an index",
    "r == 1;": "a statement must assign a variable",
}  # fmt: skip
TAIL = """
function [s, t] = two(u)
s = u;
end
function none(u)
v = u;
end
function r = recurse(u)
r = recurse(u);
end
"""
ELSEWHERE = ("nested at most", "two takes")


@pytest.mark.parametrize("line", LINES)
def test_an_error_names_the_line(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equamo.review.programs.matlab_language.file.MOST_STEPS", 1000)
    with pytest.raises(FileFormatError) as error:
        read(f"function r = f(x, q, n)\n{line}\nend{TAIL}", "matlab", only=["f"])
    message = str(error.value)
    assert LINES[line] in message
    assert message.startswith("text:" if any(t in message for t in ELSEWHERE) else "text:2:")


@pytest.mark.parametrize("text", [
    "", "x = 1;", "function", "function r = f(", "function r = f(x", "\x00", "function [a b = f(x)",
    "function r = f(x)\nr = x;\nend\nfunction r = f(x)\nr = x;\nend",
    "function r = f(x)\nr = [x", "function r = f(x)\n%{\nr = x;", "classdef A\nend",
    "function r = f(x)\nr = " + "("*3000 + "x" + ")"*3000,
    "function r = f(x)\nr = " + "-"*5000 + "x",
    "function r = f(x)\ny = x;\nend", "function r = f(varargin)\nr = varargin{1};",
    "function r = f(x)\nr = x;\nend\nr = 1;",
])  # fmt: skip
def test_a_file_that_cannot_be_read(text: str) -> None:
    with pytest.raises(FileFormatError, match=r"^text"):
        read_code(text, "matlab")


def test_an_unsupported_function_does_not_hide_the_others() -> None:
    code = open_code("function r = f(x)\nr = x;\nend\nfunction g()\nr = y;\nend", "matlab")
    assert code.names == ("f", "g")
    assert code.line("g") == 4
    assert code.read("f").outputs
    with pytest.raises(FileFormatError, match="text:5: 'y' is not defined"):
        code.read("g")
    with pytest.raises(UnknownNameError, match="Unknown function 'h'"):
        code.read("h")


@pytest.mark.parametrize(
    ("limit", "most", "inside", "beyond", "problem"),
    [
        ("file.MOST_STEPS", 3, "r = x; r = x;", "r = x; r = x; r = x;",
         "a function must run at most 3 statements"),
        ("file.DEEPEST", 2, "r = g(x) + g(x);", "r = h(x) + 1;", "calls must be nested at most 2 deep"),
        ("values.MOST_ENTRIES", 4, "r = sum(1:4);", "r = sum(1:5);",
         "a range must have at most 4 numbers"),
    ],
)  # fmt: skip
def test_limits_are_inclusive(
    limit: str, most: int, inside: str, beyond: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"equamo.review.programs.matlab_language.{limit}", most)
    tail = "function r = g(u)\nr = u;\nend\nfunction r = h(u)\nr = g(u);\nend\n"
    text = f"function r = f(x)\n{inside}\nr = x;\nend\n{tail}"
    assert str(read_code(text, "matlab", only=["f"])[0].outputs[0].entries[()]) == "x"
    with pytest.raises(FileFormatError, match=rf"^text:[2345]: {problem}\.$"):
        read_code(text.replace(inside, beyond), "matlab", only=["f"])


@pytest.mark.parametrize(
    ("numbers", "entries"),
    [("1:3", "1 2 3"), ("1:2:6", "1 3 5"), ("3:-1:1", "3 2 1"), ("2:2", "2"), ("0.5:2", "1/2 3/2")],
)
def test_numbers_of_a_range(numbers: str, entries: str) -> None:
    (r,) = read(f"function r = f(x)\nr = [{numbers}];\nend", "matlab").outputs
    assert [str(e) for e in r.entries.values()] == entries.split()
    (n,) = read("function r = f(x)\nr = numel(3:1);\nend", "matlab").outputs
    assert str(n.entries[()]) == "0"
