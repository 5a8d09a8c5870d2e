"""Python on NumPy arrays, from its syntax tree; nothing is executed. In reading order:

names                  what imports make of names
values                 numbers, sequences and operators
functions              functions of NumPy and of Python
expression, file       nodes of the tree, run on symbols
"""
