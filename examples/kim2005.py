"""Check a published model: Kim, Kim and Kwak 2005, a two-wheeled inverted pendulum.

Y. Kim, S. H. Kim and Y. K. Kwak, Dynamic analysis of a nonholonomic two-wheeled inverted pendulum
robot, Journal of Intelligent and Robotic Systems 44(1), 25–46, 2005. Document 003 (M. Zafar, 2015,
section 5.2.5) inserts the paper's symbols into its own equations, finds eq. (33), and compares with the
paper, eq. (28). Here the equations are derived, and every comparison is a proof.
"""

import equamo as eq
from equamo.algebra.expr.vector import Vector

v = Vector(["dx", "dpsi", "dphi"])
eom = eq.derive(eq.load("wheeled_inverted_pendulum"))

# (29) to (31); kappa = q_imu + phi is the angle from y1 to OG
PAPER = {
    "m_B": "m_S", "m_w": "m_C", "L": "2*L", "YY_w": "I_w3", "ZZ_w": "I_w2",
    "MX_B": 0, "MY_B": "m_S*d*cos(q_imu + phi)", "MZ_B": "m_S*d*sin(q_imu + phi)",
    "XX_B": "I_3", "XY_B": 0, "XZ_B": 0,
}  # fmt: skip


def principal(angle: str) -> dict[str, str]:
    """Principal moments I_1, I_2 about axes that are rotated by an angle in the body."""
    s, c = f"sin({angle})", f"cos({angle})"
    return {
        "YY_B": f"I_1*{s}**2 + I_2*{c}**2",
        "YZ_B": f"(I_2 - I_1)*{c}*{s}",
        "ZZ_B": f"I_1*{c}**2 + I_2*{s}**2",
    }


def show(title: str, rows: Vector) -> None:
    print(title)
    for name, row in zip(("x", "psi", "phi"), rows, strict=True):
        print(f"  {name:>3}: {row.closed_form()}")


# -- (33): inserted after the derivation, the inertia as the paper has it: upright at all times (32) ---
upright = eom.subs(PAPER | principal("q_imu"))
yaw = "2*m_C*L**2 + 2*I_w3*L**2/R**2 + 2*I_w2 + m_S*d**2*sin(phi)**2 + I_2"
A_33 = eq.Matrix([
    ["m_S + 2*m_C + 2*I_w3/R**2", 0, "-m_S*d*cos(phi)"],
    [0, yaw, 0],
    ["-m_S*d*cos(phi)", 0, "m_S*d**2 + I_3"],
])  # fmt: skip
C_33 = eq.Matrix([  # its second row has dx in the second entry, where the document prints dpsi
    [0, "m_S*d*sin(phi)*dpsi", "m_S*d*sin(phi)*dphi"],
    ["-m_S*d*sin(phi)*dpsi/2", "-m_S*d*sin(phi)*dx/2 + m_S*d**2*sin(2*phi)*dphi/2",
     "m_S*d**2*sin(2*phi)*dpsi/2"],
    [0, "-m_S*d**2*sin(2*phi)*dpsi/2", 0],
])  # fmt: skip
proof_A = eq.prove_equal(upright.mass_matrix, A_33)
proof_C = eq.prove_equal(upright.bias, C_33 @ v)
print(f"A of eq. (33): {proof_A}")
print(f"C v of eq. (33): {proof_C}")
assert proof_A
assert proof_C

# -- (28): the paper, brought to our side of the equation ------------------------------------
A_28 = eq.Matrix([
    ["-(m_S + 2*m_C + 2*I_w3/R**2)", 0, "m_S*d*cos(phi)"],
    [0, f"-({yaw})", 0],
    ["m_S*d*cos(phi)", 0, "-(m_S*d**2 + I_3)"],
])  # fmt: skip
Cv_28 = Vector([
    "m_S*d*sin(phi)*(dphi**2 + dpsi**2)",
    "m_S*d**2*sin(phi)*cos(phi)*dphi*dpsi",
    "-m_S*d**2*sin(phi)*cos(phi)*dpsi**2",
])  # fmt: skip
assert eq.prove_equal(upright.mass_matrix, -A_28)
missing = Vector([eq.residual(a, b) for a, b in zip(upright.bias, Cv_28, strict=True)])
show(
    "\nC v, derived minus eq. (28): what the paper's accelerations a_0 and alpha_B leave out",
    missing,
)
assert eq.prove_equal(missing, Vector([0, "m_S*d*sin(phi)*dpsi*(d*cos(phi)*dphi - dx)", 0]))

# As printed in the paper the last equation has dphi**2 for dpsi**2.
typo = eq.residual(upright.bias[2], "-m_S*d**2*sin(phi)*cos(phi)*dphi**2")
print(f"\nDerived minus the paper's last equation as printed: {typo}")
assert eq.prove_equal(typo, "m_S*d**2*sin(phi)*cos(phi)*(dphi**2 - dpsi**2)")

# -- the inertia constant in the body instead: its axes along and across OG ------------------
# kappa is a constant of the body while the equations are derived, and q_imu + phi afterwards.
in_body = eom.subs(PAPER | principal("q_imu + phi"))
extra_A = eq.residual(in_body.mass_matrix[1, 1], A_33[1, 1])
extra = Vector([eq.residual(a, b) for a, b in zip(in_body.bias, upright.bias, strict=True)])
print(f"\nWith an inertia that is constant in the body, A_22 is larger by {extra_A}")
show("and C v is larger by", extra)
assert eq.prove_equal(extra_A, "(I_1 - I_2)*sin(phi)**2")
assert eq.prove_equal(extra, Vector([
    0, "(I_1 - I_2)*sin(2*phi)*dphi*dpsi", "-(I_1 - I_2)*sin(2*phi)*dpsi**2/2"
]))  # fmt: skip
