r"""Projected Newton-Euler equations: velocities, rates of momentum, weights, and their sums."""

from __future__ import annotations

from ....algebra.expr.vector import ZERO3, Vector
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value
from ....robot.model.body import Body
from ..blocks import Section, Text
from ..families import Check, Family, write
from ..script import Script


def owners(script: Script) -> dict[str, str]:
    """Body whose joint has a speed, by the name of the speed."""
    robot = script.robot.tree
    return {robot.v[j].name: b.name for b in robot.bodies for j in robot.columns(b)}


def carried(script: Script, b: Body) -> list[Body]:
    """Bodies with inertia that the joint of a body carries."""
    robot = script.robot
    return [c for c in robot.bodies if b in robot.path(c.name) and not c.inertia.is_zero]


def moment(script: Script, c: Body, p: Vector, name: QuantityName) -> Vector:
    """N + r × p of a carried body."""
    letter = "N" if name.letter == "L" else "N_dot"
    N = script.vector(QuantityName(letter, c.name, by=name.by, case=name.case))
    return N + script.vector(QuantityName("r_S", c.name)).cross(p)


# -- rates -------------------------------------------------------------------------------------------
def rates_of_momentum(script: Script) -> Section:
    """Velocities, rates of momentum at v̇ = 0, weights, and their sums."""
    robot, owner = script.robot, owners(script)
    speeds = dict(zip(script.speeds, robot.tree.v, strict=True))

    def velocity(name: QuantityName, b: Body) -> Value:
        w, v = robot.base.w, robot.base.v
        r = script.vector(QuantityName("r_S", b.name))
        for n, k in owner.items():
            if k in {x.name for x in robot.path(b.name)}:
                w = w + script.vector(QuantityName("J_R", k, by=(n,))) * speeds[n]
                v = v + script.vector(QuantityName("J_O", k, by=(n,))) * speeds[n]
        return w if name.letter == "Omega" else v + w.cross(r)

    def rate(name: QuantityName, b: Body) -> Value:
        k = b.name
        if name.letter == "p_dot":
            return script.vector(QuantityName("r_S_ddot", k, case="bias")) * b.inertia.mass
        theta, w = script.matrix(QuantityName("theta", k)), script.vector(QuantityName("Omega", k))
        w_dot = script.vector(QuantityName("Omega_dot", k, case="bias"))
        return theta @ w_dot + w.cross(theta @ w)

    def total(name: QuantityName, b: Body) -> Value:
        out = ZERO3
        for c in carried(script, b):
            if name.letter in "FT":
                F = robot.gravity * c.inertia.mass
                out = out + (F if name.letter == "F" else _lever(script, c).cross(F))
                continue
            p = script.vector(QuantityName("p_dot", c.name, case="bias"))
            out = out + p if name.letter == "P_dot" else out + moment(script, c, p, name)
        return out

    bodies = robot.bodies
    return Section(
        "Rates of momentum",
        (
            Text(
                "Velocities follow from the directions above, and were derived by differentiating poses:"
            ),
            *write(script, _velocity_families(velocity), bodies),
            Text(
                r"Their derivatives at $\dot{\boldsymbol{v}} = \boldsymbol{0}$, marked with a "
                r"circle, give the "
                "rates of momentum:"
            ),
            *write(script, _rate_families(script, rate), bodies),
            Text(
                "Weights, and the sums over all that each joint carries, about the origin of frame 0:"
            ),
            *write(script, _sum_families(total), bodies),
        ),
    )


def _lever(script: Script, c: Body) -> Vector:
    return script.vector(QuantityName("r_S", c.name))


def _velocity_families(check: Check) -> list[Family]:
    return [
        Family(
            "Omega",
            r"\sum_{{s}} \boldsymbol{{J}}_{{R}}^{{(s)}} v_{{s}}",
            check=check,
            how="directions, and derivative of the rotation",
            large="general",
        ),
        Family(
            "r_S_dot",
            r"\sum_{{s}} \left(\boldsymbol{{J}}_{{O}}^{{(s)}} + \boldsymbol{{J}}_{{R}}^{{(s)}} "
            r"\times \boldsymbol{{r}}_{{S,{j}}}\right) v_{{s}}",
            check=check,
            how="directions, and derivative of the position",
            large="general",
        ),
    ]


def _rate_families(script: Script, check: Check) -> list[Family]:
    def slope(name: QuantityName, b: Body) -> Value:
        letter = "Omega" if name.letter == "Omega_dot" else "r_S_dot"
        x = script.vector(QuantityName(letter, b.name))
        return script.slope(x) + script.robot.base.w.cross(x)

    return [
        Family(
            "Omega_dot",
            r"\dot{{\boldsymbol{{\Omega}}}}_{{{j}}}",
            "bias",
            check=slope,
            how="derivative",
            large="general",
        ),
        Family(
            "r_S_ddot",
            r"\ddot{{\boldsymbol{{r}}}}_{{S,{j}}}",
            "bias",
            check=slope,
            how="derivative",
            large="general",
        ),
        Family(
            "p_dot",
            r"m_{{{j}}} \ddot{{\boldsymbol{{r}}}}_{{S,{j}}}^{{\circ}}",
            "bias",
            check=check,
            how="rate of momentum",
            large="general",
        ),
        Family(
            "N_dot",
            r"\boldsymbol{{\Theta}}_{{{j}}} \dot{{\boldsymbol{{\Omega}}}}_{{{j}}}^{{\circ}} + "
            r"\boldsymbol{{\Omega}}_{{{j}}} \times \boldsymbol{{\Theta}}_{{{j}}} "
            r"\boldsymbol{{\Omega}}_{{{j}}}",
            "bias",
            check=check,
            how="Euler's equation",
            large="general",
        ),
    ]


def _sum_families(check: Check) -> list[Family]:
    return [
        Family(
            "P_dot",
            r"\sum_{{c}} \dot{{\boldsymbol{{p}}}}_{{c}}^{{\circ}}",
            "bias",
            check=check,
            how="sum",
            large="general",
        ),
        Family(
            "L_dot",
            r"\sum_{{c}} \left(\dot{{\boldsymbol{{N}}}}_{{c}}^{{\circ}} + "
            r"\boldsymbol{{r}}_{{S,c}} \times \dot{{\boldsymbol{{p}}}}_{{c}}^{{\circ}}\right)",
            "bias",
            check=check,
            how="sum",
            large="general",
        ),
        Family(
            "F",
            r"\sum_{{c}} m_{{c}} \boldsymbol{{g}}_{{0}}",
            check=check,
            how="sum",
            large="general",
        ),
        Family(
            "T",
            r"\sum_{{c}} \boldsymbol{{r}}_{{S,c}} \times m_{{c}} \boldsymbol{{g}}_{{0}}",
            check=check,
            how="sum",
            large="general",
        ),
    ]
