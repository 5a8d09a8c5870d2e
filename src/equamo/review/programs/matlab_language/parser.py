"""Parser of MATLAB and Octave: tokens to trees.

function    'function' [outputs '='] name ['(' names ')'] statement* ['end']
statement   targets '=' expression | 'for' name '=' expression … | 'if' … | 'return'
expression  operators of MATLAB in their order of precedence
"""

from __future__ import annotations

from typing import Final, NoReturn, final

from ....basics.wording import brief
from ..place import Place
from .syntax import Definition, Node, Statement
from .tokens import Token, tokens

# Levels of binary operators, the weakest first. Ranges are between the last two rows.
_LEVELS: Final = (("||",), ("&&",), ("|",), ("&",), ("<", "<=", ">", ">=", "==", "~=", "!="))
_SUMS: Final = ("+", "-")
_PRODUCTS: Final = ("*", "/", "\\", ".*", "./", ".\\")
_POWERS: Final = ("^", ".^")
_TRANSPOSES: Final = ("'", ".'")
_ENDS: Final = {
    "for": ("end", "endfor"),
    "if": ("end", "endif"),
    "function": ("end", "endfunction"),
}
_ALL_ENDS: Final = {"end", "endfor", "endif", "endfunction", "else", "elseif", "function"}
_UNREADABLE: Final = {
    "while": "a while loop",
    "do": "a do loop",
    "switch": "switch",
    "try": "try",
    "global": "global",
    "persistent": "persistent",
    "break": "break",
    "continue": "continue",
    "parfor": "parfor",
    "classdef": "a class",
}


def functions(text: str, file: str) -> list[Definition]:
    """The functions of a file.

    >>> (f,) = functions("function y = f(x)\\n  y = 2*x;\\nend", "f.m")
    >>> f.name, f.arguments, f.outputs, len(f.body)
    ('f', ('x',), ('y',), 1)
    """
    return _Parser(tokens(text, file), file).file_()


@final
class _Parser:
    def __init__(self, found: list[Token], file: str) -> None:
        self.tokens, self.file, self.i = found, file, 0
        self.indexing = 0  # how many index lists are open: `end` is a number there

    # -- tokens --------------------------------------------------------------------------------------
    @property
    def token(self) -> Token:
        return self.tokens[self.i]

    def fail(self, message: str) -> NoReturn:
        Place(self.file, self.token.line).fail(message)

    def shown(self) -> str:
        word = self.token.text
        return {"": "the end of the file", "\n": "the end of the line"}.get(word, brief(word))

    def at(self, *words: str) -> bool:
        return self.token.kind in ("operator", "name") and self.token.text in words

    def take(self, *words: str) -> Token:
        if not self.at(*words):
            self.fail(f"expected {' or '.join(map(repr, words))}, got {self.shown()}")
        return self.next()

    def next(self) -> Token:
        token = self.token
        self.i += 1
        return token

    def name(self) -> str:
        if self.token.kind != "name" or self.token.text in _ALL_ENDS | _UNREADABLE.keys():
            self.fail(f"expected a name, got {self.shown()}")
        return self.next().text

    def blank_lines(self) -> None:
        while self.token.kind == "newline" or self.at(";", ","):
            self.i += 1

    # -- functions and statements --------------------------------------------------------------------
    def file_(self) -> list[Definition]:
        found: list[Definition] = []
        self.blank_lines()
        while self.token.kind != "end":
            if not self.at("function"):
                self.fail(f"expected a function, got {self.shown()}; scripts cannot be read")
            found.append(self.function())
            self.blank_lines()
        return found

    def function(self) -> Definition:
        line = self.take("function").line
        outputs: list[str] = []
        if self.at("["):
            self.next()
            while not self.at("]"):
                outputs.append(self.name())
                if self.at(","):
                    self.next()
            self.next()
            self.take("=")
            name = self.name()
        else:
            name = self.name()
            if self.at("="):
                self.next()
                outputs, name = [name], self.name()
        arguments: list[str] = []
        if self.at("("):
            self.next()
            while not self.at(")"):
                if self.at("~"):
                    self.next()
                    arguments.append(f"~{len(arguments)}")
                else:
                    arguments.append(self.name())
                if not self.at(")"):
                    self.take(",")
            self.next()
        body = self.statements()
        if self.at(*_ENDS["function"]):
            self.next()
        elif self.token.kind != "end" and not self.at("function"):
            self.fail(f"expected the end of the function, got {self.shown()}")
        return Definition(name, tuple(arguments), tuple(outputs), body, line)

    def statements(self) -> tuple[Statement, ...]:
        found: list[Statement] = []
        self.blank_lines()
        while self.token.kind != "end" and not self.at(*_ALL_ENDS):
            found.append(self.statement())
            if self.token.kind not in ("newline", "end") and not self.at(";", ","):
                self.fail(f"expected the end of the statement, got {self.shown()}")
            self.blank_lines()
        return tuple(found)

    def statement(self) -> Statement:
        token = self.token
        if token.kind == "name":
            if token.text in _UNREADABLE:
                self.fail(f"{_UNREADABLE[token.text]} cannot be read; only code with loops over known "
                          "numbers can")  # fmt: skip
            if token.text == "return":
                self.next()
                return Statement("return", token.line)
            if token.text == "for":
                return self.for_()
            if token.text == "if":
                return self.if_()
        return self.assignment()

    def for_(self) -> Statement:
        line = self.take("for").line
        wrapped = self.at("(")
        if wrapped:
            self.next()
        target = Node("name", self.name(), (), line)
        self.take("=")
        value = self.expression()
        if wrapped:
            self.take(")")
        body = self.statements()
        self.take(*_ENDS["for"])
        return Statement("for", line, targets=(target,), value=value, body=body)

    def if_(self) -> Statement:
        line = self.take("if").line
        branches: list[tuple[Node | None, tuple[Statement, ...]]] = []
        condition: Node | None = self.expression()
        while True:
            branches.append((condition, self.statements()))
            if self.at("elseif"):
                self.next()
                condition = self.expression()
            elif self.at("else"):
                self.next()
                condition = None
            else:
                break
        self.take(*_ENDS["if"])
        return Statement("if", line, branches=tuple(branches))

    def assignment(self) -> Statement:
        line = self.token.line
        start = self.i
        targets: list[Node | None] = []
        if self.at("["):
            targets = self.targets()
        if not targets:
            self.i = start
            targets = [self.postfix()]
        if not self.at("=", "+=", "-=", "*=", "/="):
            self.fail(
                f"expected an assignment, got {self.shown()}; a statement must assign a variable"
            )
        op = self.next().text
        value = self.expression()
        return Statement("assign", line, op, tuple(targets), value)

    def targets(self) -> list[Node | None]:
        """[a, b(1), ~] of an assignment to several variables."""
        self.take("[")
        found: list[Node | None] = []
        while not self.at("]"):
            if self.at("~", "!"):
                self.next()
                found.append(None)
            else:
                found.append(self.postfix())
            if self.at(","):
                self.next()
            elif not self.at("]"):
                self.fail(f"expected a variable to assign, got {self.shown()}")
        self.next()
        return found

    # -- expressions ---------------------------------------------------------------------------------
    def expression(self, level: int = 0) -> Node:
        if level == len(_LEVELS):
            return self.range()
        found = self.expression(level + 1)
        while self.at(*_LEVELS[level]):
            op = self.next()
            found = Node("binary", op.text, (found, self.expression(level + 1)), op.line)
        return found

    def range(self) -> Node:
        first = self.sum()
        if not self.at(":") or self._closes_index(self.i + 1):
            return first
        line = self.next().line
        second = self.sum()
        if not self.at(":"):
            return Node("range", "", (first, second), line)
        self.next()
        return Node("range", "", (first, second, self.sum()), line)

    def _closes_index(self, i: int) -> bool:
        return self.tokens[i].text in (")", ",")

    def sum(self) -> Node:
        found = self.product()
        while self.at(*_SUMS):
            op = self.next()
            found = Node("binary", op.text, (found, self.product()), op.line)
        return found

    def product(self) -> Node:
        found = self.unary()
        while self.at(*_PRODUCTS):
            op = self.next()
            found = Node("binary", op.text, (found, self.unary()), op.line)
        return found

    def unary(self) -> Node:
        if self.at("+", "-", "~", "!"):
            op = self.next()
            return Node("unary", op.text, (self.unary(),), op.line)
        return self.power()

    def power(self) -> Node:
        found = self.postfix()
        while self.at(*_POWERS):
            op = self.next()
            signs: list[Token] = []
            while self.at("+", "-"):  # 2^-1
                signs.append(self.next())
            exponent = self.postfix(transposes=False)  # A.^2' is (A.^2)'
            for sign in reversed(signs):
                exponent = Node("unary", sign.text, (exponent,), sign.line)
            found = Node("binary", op.text, (found, exponent), op.line)
            found = self.transposes(found)
        return found

    def transposes(self, found: Node) -> Node:
        while self.at(*_TRANSPOSES):
            op = self.next()
            found = Node("postfix", "'", (found,), op.line)
        return found

    def postfix(self, transposes: bool = True) -> Node:
        found = self.primary()
        while True:
            if self.at("("):
                line = self.next().line
                found = Node("index", "", (found, *self.indices()), line)
            elif self.at(".") and self.tokens[self.i + 1].kind == "name":
                self.next()
                found = Node("field", self.next().text, (found,), self.token.line)
            elif self.at("{"):
                self.fail("cells in braces cannot be read")
            elif transposes and self.at(*_TRANSPOSES):
                found = self.transposes(found)
            else:
                return found

    def indices(self) -> list[Node]:
        found: list[Node] = []
        self.indexing += 1
        while not self.at(")"):
            if self.at(":") and self._closes_index(self.i + 1):
                found.append(Node("colon", ":", (), self.next().line))
            else:
                found.append(self.expression())
            if not self.at(")"):
                self.take(",")
        self.indexing -= 1
        self.next()
        return found

    def primary(self) -> Node:
        token = self.token
        if token.kind in ("number", "text"):
            return Node(token.kind, self.next().text, (), token.line)
        if token.kind == "name":
            if token.text == "end" and self.indexing:
                return Node("end", self.next().text, (), token.line)
            return Node("name", self.name(), (), token.line)
        if self.at("("):
            self.next()
            found = self.expression()
            self.take(")")
            return found
        if self.at("["):
            return self.matrix()
        return self.fail(f"expected a number, a name or a matrix, got {self.shown()}")

    def matrix(self) -> Node:
        line = self.take("[").line
        rows: list[Node] = []
        row: list[Node] = []
        while not self.at("]"):
            if self.at(";"):
                self.next()
                rows += [Node("row", "", tuple(row), line)] if row else []
                row = []
            elif self.at(","):
                self.next()
            else:
                row.append(self.expression())
                if not self.at(",", ";", "]"):
                    self.fail(f"expected the next entry of a matrix, got {self.shown()}")
        self.next()
        rows += [Node("row", "", tuple(row), line)] if row else []
        return Node("matrix", "", tuple(rows), line)
