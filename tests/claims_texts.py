"""A claims file with every kind of entry, which the tests of damaged files change."""

FILE = """
robot = "rr_arm"
order = ["q2", "q1"]
accept = ["splitting"]
known = ["c"]
[symbols]
m2 = "m"
q1 = "-theta"
[definitions]
h = "-m*L1*Lc2*sin(q2)"
J = "diag(a, b, [1, 2]'*[x, y])"
[vectors]
w = 3
[rates]
w = "[0, 0, 1]"
[settings.other]
sign = -1
symbols = { I2 = "I" }
[[claims]]
id = "a{i}"
for = { i = [1, 2] }
place = ["eq. 1", "eq. 2"]
printed = "m*Lc2**2 + I2"
quantity = "mass_matrix[1, {i}]"
expect = "wrong"
[[claims]]
id = "b"
name = "v"
place = "eq. 2"
latex = '\\\\begin{bmatrix} \\\\frac{1}{2} m c \\\\\\\\ \\\\sin^2 \\\\theta \\\\end{bmatrix}'
quantity = "gravity"
setting = "other"
[[claims]]
id = "c"
place = "eq. 3"
printed = "dt(w) = J*w - J*w + [0; 0; 1] = skew(w)*w + @linear_velocity(fore, at=[0, 0, 1])"
[[claims]]
id = "d"
place = "eq. 4"
from = "dot(v, v) + sum(k, 1, 2, v[k])"
quantity = "kinetic_energy"
entries = []
[[not_claims]]
place = "x"
reason = "y"
""".replace("\\\\", "\\")  # fmt: skip
