"""Andrews' squeezing mechanism: seven bodies, three loops, one degree of freedom, in 30 milliseconds.

Data and reference solution: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section
VII.7 (after R. Manning, 1981; problem "andrews" of the Test Set for IVP Solvers). There the constrained
equations are written by hand; here the mechanism is described, and its equations are derived. All bodies
move in a plane. K2, K3, K4 and K6 meet in one point P, where the loops cut K3, K4 and K6 from K2. A
spherical cut has three rows, of which the one across the plane is redundant.
"""

from fractions import Fraction

import equamo as eq

VALUES = {
    "m1": "0.04325", "m2": "0.00365", "m3": "0.02373", "m4": "0.00706", "m5": "0.07050",
    "m6": "0.00706", "m7": "0.05498",
    "I1": "2.194e-6", "I2": "4.410e-7", "I3": "5.255e-6", "I4": "5.667e-7", "I5": "1.169e-5",
    "I6": "5.667e-7", "I7": "1.912e-5",
    "xa": "-0.06934", "ya": "-0.00227", "xb": "-0.03635", "yb": "0.03273", "xc": "0.014",
    "yc": "0.072",
    "d": "0.028", "da": "0.0115", "e": "0.02", "ea": "0.01421", "rr": "0.007", "ra": "0.00092",
    "ss": "0.035", "sa": "0.01874", "sb": "0.01043", "sc": "0.018", "sd": "0.02", "ta": "0.02308",
    "tb": "0.00916", "u": "0.04", "ua": "0.01228", "ub": "0.00449", "zf": "0.02", "zt": "0.04",
    "fa": "0.01421",
    "c0": "4530", "l0": "0.07785",
}  # fmt: skip
DRIVE = 0.033  # [N m] on K1
START = {
    "beta": -0.0617138900142764496, "theta": 0.0, "gamma": 0.455279819163070380,
    "delta": 0.487364979543842550, "phi": 0.222668390165885885, "epsilon": 1.23054744454982119,
    "omega": -0.222668390165885885,
}  # fmt: skip
AFTER_30_MS = {
    "beta": 15.81077119629904, "theta": -15.75637105984298, "gamma": 0.04082224013073101,
    "delta": 0.5244099658805304, "phi": -0.5347301163226948, "epsilon": 1.048080741042263,
    "omega": 0.5347301163226948,
}  # fmt: skip


def squeezer() -> eq.Robot:
    """The mechanism; angles are those of the book, those of K4 and K6 relative to K5 and K7."""

    def body(k: int, q: str, at: str, com: str, parent: str = "world") -> eq.Body:
        joint = eq.revolute(q, at=at)
        return eq.Body(f"K{k}", joint, mass=f"m{k}", com=com, inertia=f"0 I{k} I{k}", parent=parent)

    bodies = [
        body(1, "beta", "0 0 0", "ra 0 0"),
        body(2, "theta", "rr 0 0", "-da 0 0", "K1"),
        body(3, "gamma", "xb yb 0", "sb -sa 0"),
        body(5, "delta", "xa ya 0", "ta tb 0"),
        body(4, "phi", "zt 0 0", "0 ea-e 0", "K5"),
        body(7, "epsilon", "xa ya 0", "-ub -ua 0"),
        body(6, "omega", "0 -u 0", "zf-fa 0 0", "K7"),
    ]
    ends = {"K3": "0 -ss 0", "K4": "0 -e 0", "K6": "zf 0 0"}  # P in these bodies
    loops = [
        eq.loop(f"P of {name}", "K2", "-d 0 0", to=name, to_at=at, joint="spherical")
        for name, at in ends.items()
    ]
    forces = [
        eq.joint_actuator("beta", "drive"),
        eq.spring("K3", "world", "c0", rest="l0", at="sd -sc 0", to_at="xc yc 0", name="spring"),
    ]
    parameters = [eq.Parameter(name, Fraction(x)) for name, x in VALUES.items()]
    return eq.Robot(
        "andrews_squeezer", bodies, forces=forces, gravity="0 0 0", parameters=parameters,
        loops=loops, home=START,
    )  # fmt: skip


def main() -> None:
    robot = squeezer()
    print(eq.mobility(robot))
    motion = eq.simulate(eq.derive(robot), duration=0.03, control={"drive": DRIVE}, start_gap=1e-14)
    print(motion.energy)
    print("after 30 ms:")
    for name, expected in AFTER_30_MS.items():
        print(f"  {name:8} {motion[name][-1]:19.15f}  off by {motion[name][-1] - expected:8.1e}")
        assert abs(motion[name][-1] - expected) < 1e-8
    errors = motion.closure_errors
    assert errors is not None
    assert errors.positions.max() < 1e-13


if __name__ == "__main__":
    main()
