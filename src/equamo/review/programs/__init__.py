"""Readers of foreign source code in C, NumPy or MATLAB. In reading order:

function               result of a reader: arguments, outputs, expressions
read                   a file of any language
source_text, place     the text of a file; files and lines of errors
scalar_functions       sin, cos, sqrt … in the names of each language
tensor, parameter      arrays; arguments whose shape the language does not declare
c_language, numpy_language, matlab_language   one reader each
"""

from .function import Argument, Function, Output
from .read import CodeFile, open_code, read_code

__all__ = ["Argument", "CodeFile", "Function", "Output", "open_code", "read_code"]
