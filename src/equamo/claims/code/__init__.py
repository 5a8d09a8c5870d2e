"""Readers of source code that somebody else wrote, in C, NumPy or MATLAB. In reading order:

function               what a reader gives: arguments, outputs, expressions
place                  files and lines of errors
scalar_functions       sin, cos, sqrt … in the names of each language
c_text, c_types        C: preprocessor; types
c_memory, c_literals   values and memory; numbers
c_arithmetic, c_order  operators; effects whose order is open
c_expression, c_statement, c_arrays, c_casadi, c   a function, run on symbols
read                   a file of any language
"""

from .function import Argument, Function, Output
from .read import CodeFile, open_code, read_code

__all__ = ["Argument", "CodeFile", "Function", "Output", "open_code", "read_code"]
