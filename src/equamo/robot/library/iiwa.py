"""KUKA LBR iiwa 14 R820: seven revolute joints, with the frames and values of its public URDF.

Source: iiwa_stack (C. Hennersperger et al., Towards MRI-based autonomous robotic US acquisitions, IEEE
Trans. Medical Imaging 36(2), 2017; github.com/IFL-CAMP/iiwa_stack), iiwa_description/urdf/iiwa14. The
distances are 0.36 m (base to shoulder), 0.42 m (to elbow), 0.40 m (to wrist) and 0.126 m (to flange),
as in KUKA's data sheet; each is divided between the frames of two neighbouring links. Masses and
inertias about the centres of mass are those of the file; KUKA does not publish any.
"""

from __future__ import annotations

from fractions import Fraction

from ..model import WORLD, Body, Parameter, Robot, fixed, joint_actuator, joint_damper, revolute

# origin of the joint in its parent, its rotation (roll, pitch, yaw as a matrix), length [m]
_FLIP = [[-1, 0, 0], [0, 0, 1], [0, 1, 0]]  # Rz(π) Rx(π/2), and Ry(π) Rx(−π/2)
_TILT = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]  # Rx(π/2)
_JOINTS: list[tuple[str, list[list[int]] | None, str]] = [
    ("0 0 l1", None, "0.1575"),
    ("0 0 l2", _FLIP, "0.2025"),
    ("0 l3 0", _FLIP, "0.2045"),
    ("0 0 l4", _TILT, "0.2155"),
    ("0 l5 0", _FLIP, "0.1845"),
    ("0 0 l6", _TILT, "0.2155"),
    ("0 l7 0", _FLIP, "0.0810"),
]
# mass [kg], centre of mass [m], principal moments about it [kg m²], limit [degrees]
_LINKS = [
    ("4", "0 -0.03 0.12", "0.1 0.09 0.02", 170),
    ("4", "0.0003 0.059 0.042", "0.05 0.018 0.044", 120),
    ("3", "0 0.03 0.13", "0.08 0.075 0.01", 170),
    ("2.7", "0 0.067 0.034", "0.03 0.01 0.029", 120),
    ("1.7", "0.0001 0.021 0.076", "0.02 0.018 0.005", 170),
    ("1.8", "0 0.0006 0.0004", "0.005 0.0036 0.0047", 120),
    ("0.3", "0 0 0.02", "0.001 0.001 0.001", 175),
]


def iiwa(damping: bool = True) -> Robot:
    """Build the LBR iiwa 14.

    Args:
        damping: Add the damping of the file, 0.5 N m s/rad at every joint.

    Returns:
        The robot.

    >>> print(iiwa())
    Robot iiwa: 8 bodies, 7 degrees of freedom, 59 parameters, 7 inputs
    """
    bodies: list[Body] = []
    parameters: list[Parameter] = []
    for i, ((at, rotation, length), (mass, com, moments, _)) in enumerate(
        zip(_JOINTS, _LINKS, strict=True), 1
    ):
        parameters.append(
            Parameter(f"l{i}", Fraction(length), "m", f"from joint {i - 1} to joint {i}")
        )
        m = _named(parameters, [f"m{i}"], [mass], "kg", f"mass of link {i}")
        c = _named(
            parameters, [f"c{a}{i}" for a in "xyz"], com.split(), "m", f"centre of mass of link {i}"
        )
        I = _named(parameters, [f"I{a}{a}{i}" for a in "xyz"], moments.split(), "kg m²",
                   f"inertia of link {i}")  # fmt: skip
        joint = revolute(f"q{i}", "z", at=at, rotation=rotation)
        parent = f"link{i - 1}" if i > 1 else WORLD
        bodies.append(Body(f"link{i}", joint, m[0], c, I, parent=parent))
    bodies.append(Body("flange", fixed("0 0 l8"), parent="link7"))
    parameters.append(Parameter("l8", Fraction("0.045"), "m", "from joint 7 to the flange"))
    joints = range(1, 8)
    forces = [joint_actuator(f"q{i}") for i in joints]
    dampers = [joint_damper(f"q{i}", f"d{i}") for i in joints] if damping else []
    parameters += [
        Parameter(f"d{i}", Fraction(1, 2), "N m s/rad", f"damping of joint {i}", nonnegative=True)
        for i in (joints if damping else ())
    ]
    parameters.append(Parameter("g", Fraction("9.81"), "m/s²", "gravity, along −z"))
    limits = {f"q{i}": (f"-{x}*pi/180", f"{x}*pi/180") for i, (*_, x) in enumerate(_LINKS, 1)}
    return Robot(
        "iiwa",
        bodies,
        forces=[*forces, *dampers],
        parameters=parameters,
        limits=limits,
        description="KUKA LBR iiwa 14, seven revolute joints (iiwa_stack)",
    )


def _named(
    parameters: list[Parameter], names: list[str], values: list[str], unit: str, text: str
) -> list[str]:
    """Replace nonzero numbers by symbols."""
    for n, x in zip(names, values, strict=True):
        if Fraction(x):
            parameters.append(Parameter(n, Fraction(x), unit, f"{text} (iiwa_stack)"))
    return [n if Fraction(x) else "0" for n, x in zip(names, values, strict=True)]
