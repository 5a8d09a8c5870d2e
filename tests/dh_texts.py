"""A table of Denavit and Hartenberg's parameters with every column and line that may be in one."""

TABLE = """\
# an arm on a rail
convention: modified
angles: deg
lengths: mm
gravity: 0 0 -g
base: 0 0 h
tool: 0 0 120 0 90 0
parameter L1: 400 mm

theta | d  | a  | alpha | mass | cx | Ixx | Iyy | Izz | Jm | G | Tc+ | Tc-  | B   | lower | upper
------|----|----|-------|------|----|-----|-----|-----|----|---|-----|------|-----|-------|------
q1+90 | d1 | 0  | 90    | m1   | 3  | 1   | 1   | 1   | J  | 3 | 0.1 | -0.2 | 0.3 | -90   | 90
0     | q2 | L1 | -90   | m2   | 0  | 1   | 1   | I2  | 0  | 1 | 0   | 0    | 0   | 0     | 300
q3    | 0  | 10 | 0     | 2    | 0  | 0.1 | 0.1 | 0.1 | 0  | 1 | 0   | 0    | 0   | -1    | 1
"""
