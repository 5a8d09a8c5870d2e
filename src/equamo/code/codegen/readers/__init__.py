"""Readers of generated text that are not its printers. In reading order: source (tokens), literals,
arithmetic (sums and products to expressions), code_file (result of a reader), c_tokens, c_body,
c_header, c, cpp, casadi_queries, casadi, javascript, matlab, numpy_frame, numpy_expression, numpy (on
Python's syntax trees), read (a file)."""

from __future__ import annotations

from .code_file import CodeFile, Meant
from .read import MOST_BYTES, READERS, read

__all__ = ["MOST_BYTES", "READERS", "CodeFile", "Meant", "read"]
