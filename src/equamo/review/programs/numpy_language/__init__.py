"""Python code on NumPy arrays, from its syntax tree; nothing is executed. In reading order:

names                  names bound by imports
values                 numbers, sequences and operators
arrays, functions      functions that make and join arrays; other functions of NumPy and of Python
expression, statement  nodes of the tree, run on symbols
file                   the functions of a module
"""
