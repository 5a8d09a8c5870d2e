"""Ten right and ten wrong equations of documents 003 and 004, as a person types them in the studio."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final


@final
@dataclass(frozen=True, slots=True)
class Sheet:
    """Equations about one robot, with the verdict on each."""

    robot: str
    coriolis: str
    definitions: tuple[str, ...]
    right: tuple[str, ...]
    wrong: tuple[str, ...]

    @property
    def text(self) -> str:
        """Text of the field "Check my equation"."""
        return "\n".join((*self.definitions, *self.right, *self.wrong))

    @property
    def verdicts(self) -> list[str]:
        """Expected verdicts, in the order of the text."""
        return ["proved"] * len(self.right) + ["wrong"] * len(self.wrong)


SHEETS: Final = (
    Sheet(  # document 003, eq. (27)
        "wheeled_inverted_pendulum",
        "split",
        (
            *(
                f"{n}_b := {n}_B"
                for n in ("m", "MX", "MY", "MZ", "XX", "XY", "XZ", "YY", "YZ", "ZZ")
            ),
            "M1 := MY_B*cos(q_imu) + MZ_B*sin(q_imu)",
            "M2 := MZ_B*cos(q_imu) - MY_B*sin(q_imu)",
            "M8 := YZ_B*cos(2*q_imu) + (ZZ_B - YY_B)*cos(q_imu)*sin(q_imu)",
            "M7 := ((MZ_B**2 - MY_B**2)*sin(2*q_imu) + 2*MX_B*MZ_B*cos(2*q_imu))/m_B - 2*M8",
        ),
        (
            r"M_{11} = m_B + 2m_w + \frac{2\mathbf{Y}\mathbf{Y}_w}{R^2}",
            r"M_{12} = \mathbf{M}\mathbf{X}_b",
            r"M_{21} = \mathbf{M}\mathbf{X}_b",
            r"M_{13} = -(\mathbf{M}\mathbf{Y}_b \cos q_{imu} + \mathbf{M}\mathbf{Z}_b \sin q_{imu})",
            r"M_{33} = \frac{1}{m_B} (\mathbf{M}\mathbf{Y}_b^2 + \mathbf{M}\mathbf{Z}_b^2)"
            r" + \mathbf{X}\mathbf{X}_b",
        ),
        (
            "M[2,2] = m_w*L^2/2 + YY_w*L^2/(2*R^2) + 2*ZZ_w + M2^2/m_b + ZZ_b*sin(q_imu)^2"
            " + YY_b*cos(q_imu)^2 + YZ_b*cos(q_imu)*sin(q_imu) + MX_b^2/m_B",
            r"M_{23} = \mathbf{X}\mathbf{Z}_b \sin q_{imu} + \mathbf{X}\mathbf{Y}_b \cos q_{imu}"
            r" + \frac{\mathbf{M}\mathbf{X}_b}{m_B} (\mathbf{M}\mathbf{Y}_b \cos q_{imu}"
            r" + \mathbf{M}\mathbf{Z}_b \sin q_{imu})",
            "C[2,2] = -1/2*M2*dx + 1/2*M7*dphi",
            "C[3,2] = M8 - M1*M2/m_b",
        ),
    ),
    Sheet(  # document 004, RR robot
        "rr_arm",
        "christoffel",
        ("theta1 := q1", "theta2 := q2"),
        (
            r"M_{11} = m_1 L_{c1}^2 + m_2 (L_1^2 + L_{c2}^2 + 2L_1 L_{c2} \cos(\theta_2)) + I_1 + I_2",
            r"M_{12} = m_2 (L_{c2}^2 + L_1 L_{c2} \cos(\theta_2)) + I_2",
            r"M_{21} = m_2 (L_{c2}^2 + L_1 L_{c2} \cos(\theta_2)) + I_2",
            r"M_{22} = m_2 L_{c2}^2 + I_2",
            r"g_1 = (m_1 L_{c1} + m_2 L_1) g \cos(\theta_1) + m_2 L_{c2} g \cos(\theta_1 + \theta_2)",
        ),
        (
            r"g_2 = m_2 L_{c2} \cos(\theta_1 + \theta_2)",
            r"M_{11} = m_1 L_{c1} + m_2 (L_1^2 + L_{c2}^2 + 2L_1 L_{c2} \cos(\theta_2)) + I_1 + I_2",
            r"M_{22} = m_2 (m_2 L_{c2}^2) + I_2",
        ),
    ),
    Sheet(  # document 004, RP robot
        "rp_arm",
        "christoffel",
        (),
        (),
        (
            r"M_{11} = \frac{m_1 L_1^2}{4} + I_{z_1} + m_2 \left(L_1 + \frac{q_2}{2} \right)^2",
            r"g_2 = - \frac{m_2 g}{2} \sin q_1",
            r"g_1 = - \left(\frac{m_1 L_1 g}{2} + m_2 g \left(L_1 + \frac{q_2}{2} \right) \right)"
            r" \cos q_1",
        ),
    ),
)
