"""The text of a module with the places of its parts, in bytes: so Python counts columns."""

from __future__ import annotations

import ast
import re


class SourceText:
    """A source and the places of its nodes, in bytes."""

    def __init__(self, source: bytes) -> None:
        self.source = source
        self.starts = [0]
        for line in source.splitlines(keepends=True):
            self.starts.append(self.starts[-1] + len(line))

    def span(self, node: ast.expr | ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        return (
            self.starts[node.lineno - 1] + node.col_offset,
            self.starts[node.end_lineno - 1] + node.end_col_offset,
        )

    def of(self, node: ast.expr | ast.stmt) -> str:
        start, end = self.span(node)
        return self.source[start:end].decode()

    def operator(self, start: int, end: int, sign: str) -> tuple[int, int]:
        """Place of an operator between two operands, past parentheses and comments."""
        pattern = re.compile(rb"\s+".join(re.escape(part).encode() for part in sign.split()))
        at = start
        while at < end:
            if self.source[at : at + 1] == b"#":
                at = self.source.index(b"\n", at)
            elif found := pattern.match(self.source, at):
                return found.span()
            at += 1
        raise ValueError(f"no {sign} between {start} and {end}")

    def lines(self, start: int, end: int, after: str) -> tuple[str, str]:
        """The whole lines around a span, before and after the edit, white space made single."""
        first = self.source.rfind(b"\n", 0, start) + 1
        last = self.source.find(b"\n", end)
        last = len(self.source) if last < 0 else last
        head, tail = self.source[first:start].decode(), self.source[end:last].decode()
        middle = self.source[start:end].decode()
        return " ".join((head + middle + tail).split()), " ".join((head + after + tail).split())
