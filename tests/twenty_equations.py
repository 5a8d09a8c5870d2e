"""Ten right and ten wrong equations of documents 003 and 004, as a reader would paste them.

Those that are marked "printed" are wrong in the document itself (examples/audits has the places); the
other wrong ones have one error of the kind that students make.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Pasted(NamedTuple):
    """An equation about a built-in robot, and whether it is right."""

    robot: str
    text: str
    right: bool


WHEELED, RR, RP = "wheeled_inverted_pendulum", "rr_arm", "rp_arm"

PASTED: Final = (
    # document 003, (27)
    Pasted(WHEELED, r"M_{11} = m_B + 2 m_w + \frac{2 YY_w}{R^2}", True),
    Pasted(WHEELED, "M[1, 2] = MX_B", True),
    Pasted(WHEELED, "M[1, 3] = -(MY_B*cos(q_imu) + MZ_B*sin(q_imu))", True),
    Pasted(WHEELED, "M[3, 3] = (MY_B^2 + MZ_B^2)/m_B + XX_B", True),
    Pasted(
        WHEELED,
        "M[2, 3] = XZ_B*sin(q_imu) + XY_B*cos(q_imu) - MX_B/m_B*(MY_B*cos(q_imu) + MZ_B*sin(q_imu))",
        True,
    ),
    Pasted(  # printed: the sign of the last term
        WHEELED,
        "M[2, 3] = XZ_B*sin(q_imu) + XY_B*cos(q_imu) + MX_B/m_B*(MY_B*cos(q_imu) + MZ_B*sin(q_imu))",
        False,
    ),
    Pasted(  # printed: YZ_B cos sin for 2 YZ_B cos sin
        WHEELED,
        "M[2, 2] = m_w*L^2/2 + YY_w*L^2/(2*R^2) + 2*ZZ_w + (MZ_B*cos(q_imu) - MY_B*sin(q_imu))^2/m_B"
        " + ZZ_B*sin(q_imu)^2 + YY_B*cos(q_imu)^2 + YZ_B*cos(q_imu)*sin(q_imu) + MX_B^2/m_B",
        False,
    ),
    Pasted(WHEELED, r"M_{11} = m_B + 2 m_w + \frac{YY_w}{R^2}", False),
    Pasted(WHEELED, "M[3, 3] = MY_B^2 + MZ_B^2 + XX_B", False),
    Pasted(WHEELED, "g[3] = g*(MY_B*sin(q_imu) + MZ_B*cos(q_imu))", False),
    # document 004, RR and RP robots
    Pasted(
        RR,
        r"M_{11} = m_1 L_{c1}^2 + m_2 (L_1^2 + L_{c2}^2 + 2 L_1 L_{c2} \cos(q_2)) + I_1 + I_2",
        True,
    ),
    Pasted(RR, r"M_{12} = m_2 (L_{c2}^2 + L_1 L_{c2} \cos(q_2)) + I_2", True),
    Pasted(RR, "M[2, 2] = m2*Lc2^2 + I2", True),
    Pasted(RR, "g[2] = m2*g*Lc2*cos(q1 + q2)", True),
    Pasted(RP, "M[2, 2] = m2/4", True),
    Pasted(RR, "M[2, 2] = m2^2*Lc2^2 + I2", False),  # printed: m2 twice
    Pasted(  # printed: Lc1 for its square
        RR, "M[1, 1] = m1*Lc1 + m2*(L1^2 + Lc2^2 + 2*L1*Lc2*cos(q2)) + I1 + I2", False
    ),
    Pasted(RP, "M[1, 1] = m1*L1^2/4 + Iz1 + m2*(L1 + q2/2)^2", False),  # printed: without Iz2
    Pasted(RP, "g[2] = -m2*g*sin(q1)/2", False),  # printed: the sign
    Pasted(RR, r"M_{12} = m_2 (L_{c2}^2 + 2 L_1 L_{c2} \cos(q_2)) + I_2", False),
)
