"""Programs that somebody else wrote, in C, NumPy and MATLAB: read, never run."""

from equamo.review.programs import read_code
from fuzz.documents import texts
from fuzz.edits import words_of
from fuzz.reader import Reader, file

C = (
    b"double f(double x) { double y = x; y *= y; return y + 1; }\n",
    b"""#include <math.h>
#define SQ(a) ((a)*(a))
static double g(double a) { return a < 0 ? -a : a; }
void f(double x, const double *q, double M[2][2], double *r) {
  int i, j; double A[2][2] = {{x, 1}, {2}}, *p = r;
  for (i = 0; i < 2; i++) for (j = 0; j < 2; ++j) { M[i][j] = A[i][j]*SQ(q[i]); if (i == j) continue; }
  *p++ = sin(x)*pow(q[0], 3) + M_PI + g(x); p[0] = fmax(x, 1)/2 + 0x10 + 1e-3f;
  switch (3) { case 1: r[2] = x; break; default: r[2] = 0; } do { r[3] = x; } while (0);
}
""",
    b"typedef struct { double a[3]; int n; } S;\nvoid f(const S *s, double *r)"
    b" { r[0] = s->a[s->n > 0 ? 0 : 1]; }\n",
)
NUMPY = (
    b"def f(x):\n    y = x\n    return y*y + 1\n",
    b"""import math
import numpy as np
from numpy.linalg import norm
def g(a, b=2): return a*b
def f(x, y, q, A):
    M = np.zeros((2, 2)); M[0, 0] = x; M[-1, 0] += y; r = M[1]; r *= 3
    for i, j in zip(range(2), [1, 2]):
        M[i, :] = np.array([np.sin(x), j])
        if i == 1: continue
    while False: pass
    return M.T @ M + np.eye(2)*math.sqrt(2) + g(x, b=y) + [k for k in range(2)][0] + np.cross(q, q)[0]
""",
)
MATLAB = (
    b"function r = f(x)\nr = x^2 + 1;\nend\n",
    b"""function [M, c] = f(x, y, q)
% remark
M = zeros(2, 2); M(1, 1) = sin(x)*cos(y); M(2, :) = [q(1) -2; ]; M(end) += pi;
for i = 1:2, for j = [1 5], M(1, i) = M(1, i) + j*q(i)'; end; end
if 1 ~= 2 && ~0, c = [x, y; 1 2]*[x; 1]; elseif 0, c = 0; else c = 1; end
c = c.*c + 2.^[1; 2] ...
  - norm(q)*ones(2, 1);
switch 2, case 1, c = 1; otherwise, c = c'; end
end
function r = h(a), r = a; end
""",
)


def _read(data: bytes, name: str) -> None:
    read_code(file(data, name), shapes={"q": (3,), "A": (2, 3), "x": (), "y": ()})


def read_c(data: bytes) -> None:
    _read(data, "f.c")


def read_numpy(data: bytes) -> None:
    _read(data, "f.py")


def read_matlab(data: bytes) -> None:
    _read(data, "f.m")


C_WORDS = (
    'double int f ( ) { } [ ] ; = + - * / x 1 2.0 for if else return , & ! < ++ struct void # "'
)
NUMPY_WORDS = "def f ( x ) : return np . sin [ ] , = + - * / ** 1 lambda for in if \n \t @ : not"
MATLAB_WORDS = "function r = f ( x ) end [ ] ; , ' : . * ^ + - 1 for if == ~ @ % ... \n"
READERS = [
    Reader("c_program", read_c, texts(C, words_of(C_WORDS, 30)), C[:2]),
    Reader("numpy_program", read_numpy, texts(NUMPY, words_of(NUMPY_WORDS, 30)), NUMPY[:1]),
    Reader("matlab_program", read_matlab, texts(MATLAB, words_of(MATLAB_WORDS, 30)), MATLAB[:1]),
]
