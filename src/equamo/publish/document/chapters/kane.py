r"""Kane's method: partial velocities, inertia forces body by body, their sums, and the projections."""

from __future__ import annotations

from ....algebra.expr.matrix import Matrix
from ....algebra.expr.vector import Vector
from ....mechanics.kinematics.quantity_name import QuantityName
from ....mechanics.kinematics.steps import Value
from ....robot.model.body import Body
from ..blocks import Block, Section, Text
from ..families import Family, write
from ..script import Script
from ..style import is_large
from .energy_route import from_energy
from .equations import Sources, terms
from .transforms import transforms
from .velocities import accelerations, partial_velocities, velocities


def kane(script: Script) -> list[Section]:
    """Chapters of Kane's method."""
    intro = _introduction(script)
    sections = [
        intro,
        transforms(script),
        velocities(script),
        partial_velocities(script),
        accelerations(script, "bias"),
        _contributions(script),
    ]
    sums, law = _sums(script)
    sections.append(sums)
    also = from_energy(script)
    sources = Sources({}, {"M": law, "bias": law, "gravity": law}, also)
    return [*sections, *terms(script, sources)]


def _introduction(script: Script) -> Section:
    law = script.law(
        r"\sum_{j} \left(m_{j} \boldsymbol{a}_{G,j} \cdot \boldsymbol{v}_{G,j}^{(s)} + "
        r"\dot{\boldsymbol{H}}_{j} \cdot \boldsymbol{\omega}_{j}^{(s)}\right)",
        r"\sum_{n} \boldsymbol{F}_{n} \cdot \boldsymbol{v}_{n}^{(s)} + "
        r"\sum_{n} \boldsymbol{M}_{n} \cdot \boldsymbol{\omega}_{n}^{(s)}",
    )
    return Section(
        "Kane's equations",
        (
            Text(
                "Kane's method projects the motion of every body onto the directions in which the robot "
                "can move. For every speed $v_{s}$,"
            ),
            law,
            Text(
                r"where $\boldsymbol{v}^{(s)}$ and $\boldsymbol{\omega}^{(s)}$ are partial velocities, "
                r"$\boldsymbol{H}_{j}$ is the angular momentum at the centre of mass $G$ of body "
                r"$j$, and the "
                r"right-hand side sums over all forces $\boldsymbol{F}_{n}$ and moments "
                r"$\boldsymbol{M}_{n}$ "
                "from outside and from the actuators."
            ),
        ),
    )


# -- contributions -----------------------------------------------------------------------------------
def _contributions(script: Script) -> Section:
    """F and T of every body: by v̇_s, at v̇ = 0, and of its weight."""
    force = script.law(r"\boldsymbol{F}_{j}", _FORCE)
    moment = script.law(r"\boldsymbol{T}_{j}", _MOMENT)
    text = Text(
        r"About the origin of frame $j$, with the first moment $m_{j} \boldsymbol{s}_{j}$ and "
        r"the inertia "
        r"tensor $\boldsymbol{J}_{j}$, the bracket is $\boldsymbol{F}_{j} \cdot "
        r"\boldsymbol{v}_{j}^{(s)} + "
        r"\boldsymbol{T}_{j} \cdot \boldsymbol{\omega}_{j}^{(s)}$ with the force and the moment"
    )
    linear = [
        Family("F", _F_BY, by=True, law=force.number, check=_force(script, linear=True)),
        Family("T", _T_BY, by=True, law=moment.number, check=_moment(script, linear=True)),
    ]
    bias = [
        Family("F", _marked(_FORCE), "bias", False, force.number, _force(script), large="general"),
        Family(
            "T", _marked(_MOMENT), "bias", False, moment.number, _moment(script), large="general"
        ),
    ]
    weight = [
        Family("F", _WEIGHT, "gravity", check=_weight(script, "F"), large="general"),
        Family("T", _WEIGHT_MOMENT, "gravity", check=_weight(script, "T"), large="general"),
    ]
    bodies = script.robot.bodies
    blocks: list[Block | Section] = [text, force, moment]
    blocks += [
        Text(
            r"Both are linear in the accelerations. Their parts for $\dot v_{s} = 1$, marked "
            r"$(s)$, come from the partial velocities:"
        ),
        *write(script, linear, bodies),
        Text(r"Their parts at $\dot{\boldsymbol{v}} = \boldsymbol{0}$ are marked with a circle:"),
        *write(script, bias, bodies),
        Text(r"The weight of a body, marked $\mathrm{g}$, is a force at its centre of mass:"),
        *write(script, weight, bodies),
    ]
    return Section("Contributions, body by body", tuple(blocks))


_FORCE = (
    r"m_{j} \boldsymbol{a}_{j} + \boldsymbol{\alpha}_{j} \times m_{j} \boldsymbol{s}_{j} + "
    r"\boldsymbol{\omega}_{j} \times \left(\boldsymbol{\omega}_{j} \times m_{j} "
    r"\boldsymbol{s}_{j}\right)"
)
_MOMENT = (
    r"m_{j} \boldsymbol{s}_{j} \times \boldsymbol{a}_{j} + \boldsymbol{J}_{j} \boldsymbol{\alpha}_{j} + "
    r"\boldsymbol{\omega}_{j} \times \boldsymbol{J}_{j} \boldsymbol{\omega}_{j}"
)
_F_BY = (
    r"m_{{{j}}} \boldsymbol{{v}}_{{{j}}}^{{({s})}} + "
    r"\boldsymbol{{\omega}}_{{{j}}}^{{({s})}} \times m_{{{j}}} \boldsymbol{{s}}_{{{j}}}"
)
_T_BY = (
    r"m_{{{j}}} \boldsymbol{{s}}_{{{j}}} \times \boldsymbol{{v}}_{{{j}}}^{{({s})}} + "
    r"\boldsymbol{{J}}_{{{j}}} \boldsymbol{{\omega}}_{{{j}}}^{{({s})}}"
)


_WEIGHT = r"m_{{{j}}} \boldsymbol{{A}}_{{{j}}}^{{\mathsf{{T}}}} \boldsymbol{{g}}_{{0}}"
_WEIGHT_MOMENT = (
    r"m_{{{j}}} \boldsymbol{{s}}_{{{j}}} \times \boldsymbol{{A}}_{{{j}}}^{{\mathsf{{T}}}} "
    r"\boldsymbol{{g}}_{{0}}"
)


def _marked(law: str) -> str:
    """A law as the middle member of a body's line, at v̇ = 0."""
    text = law.replace("{", "{{").replace("}", "}}").replace("{{j}}", "{{{j}}}")
    for letter in (r"\boldsymbol{{a}}", r"\boldsymbol{{\alpha}}"):
        text = text.replace(letter + "_{{{j}}}", letter + r"_{{{j}}}^{{\circ}}")
    return text


def _weight(script: Script, letter: str):
    def check(name: QuantityName, b: Body) -> Value:
        A = script.value(QuantityName("A", b.name))
        assert isinstance(A, Matrix)
        g = A.T @ script.robot.gravity
        return g * b.inertia.mass if letter == "F" else b.inertia.first_moment.cross(g)

    return check


def _of(script: Script, letter: str, name: QuantityName, case: str = "") -> Vector:
    by = name.by if not case else ()
    value = script.value(QuantityName(letter, name.body, by=by, case="" if case == "-" else case))
    assert isinstance(value, Vector)
    return value


def _force(script: Script, linear: bool = False):
    def check(name: QuantityName, b: Body) -> Value:
        m, ms = b.inertia.mass, b.inertia.first_moment
        if linear:
            return _of(script, "V", name) * m + _of(script, "w", name).cross(ms)
        a, alpha = _of(script, "a", name, "bias"), _of(script, "alpha", name, "bias")
        w = _of(script, "w", name, "-")
        return a * m + alpha.cross(ms) + w.cross(w.cross(ms))

    return check


def _moment(script: Script, linear: bool = False):
    def check(name: QuantityName, b: Body) -> Value:
        ms, J = b.inertia.first_moment, b.inertia.tensor
        if linear:
            return ms.cross(_of(script, "V", name)) + J @ _of(script, "w", name)
        a, alpha = _of(script, "a", name, "bias"), _of(script, "alpha", name, "bias")
        w = _of(script, "w", name, "-")
        return ms.cross(a) + J @ alpha + w.cross(J @ w)

    return check


# -- sums --------------------------------------------------------------------------------------------
def _sums(script: Script) -> tuple[Section, int]:
    """Sums from the tips to the base, contributions of the joints, and the law of the projection."""
    force = script.law(
        r"\boldsymbol{F}_{j}^{\Sigma}",
        r"\boldsymbol{F}_{j} + \sum_{c} \boldsymbol{A}_{jc} \boldsymbol{F}_{c}^{\Sigma}",
    )
    moment = script.law(
        r"\boldsymbol{T}_{j}^{\Sigma}",
        r"\boldsymbol{T}_{j} + \sum_{c} \left(\boldsymbol{A}_{jc} \boldsymbol{T}_{c}^{\Sigma} + "
        r"\boldsymbol{P}_{jc} \times \boldsymbol{A}_{jc} \boldsymbol{F}_{c}^{\Sigma}\right)",
    )
    bodies, large = script.robot.bodies[::-1], is_large(script.robot)
    blocks: list[Block | Section] = [
        Text(
            "The partial velocities of a body are the sum of those of its parent and of its own joint. "
            "So the forces "
            "and moments of a body and of everything that it carries are added up from the tips to the "
            "base. With $c$ for the bodies that body $j$ carries directly,"
        ),
        force,
        moment,
    ]
    for case, by in (("", True), ("bias", False), ("gravity", False)):
        mark = {"": "({s})", "bias": r"\circ", "gravity": r"\mathrm{{g}}"}[case]
        F, T = (x.replace("MARK", mark) if large else "" for x in (_F_SUM, _T_SUM))
        families = [
            Family("F_sum", F, case, by, force.number, _sum(script, "F"), "sum", "F", "general"),
            Family("T_sum", T, case, by, moment.number, _sum(script, "T"), "sum", "T", "general"),
        ]
        blocks += write(script, families, bodies)
    law = script.law(
        r"\sum_{j} \left(\boldsymbol{F}_{j} \cdot \boldsymbol{v}_{j}^{(s)} + "
        r"\boldsymbol{T}_{j} \cdot \boldsymbol{\omega}_{j}^{(s)}\right)",
        r"\sum_{j} \left(\boldsymbol{F}_{j}^{\Sigma} \cdot \boldsymbol{v}_{\mathrm{own},j}^{(s)} + "
        r"\boldsymbol{T}_{j}^{\Sigma} \cdot \boldsymbol{\omega}_{\mathrm{own},j}^{(s)}\right)",
    )
    own = [Family(x, by=True, large="listed") for x in ("V_own", "w_own")]
    blocks += [
        Text("The joint of body $j$ itself contributes the columns of its axes,"),
        *write(script, own, script.robot.bodies),
        Text(
            "by which each sum is multiplied. At $\\dot v_{s} = 1$ this is a column of the "
            "mass matrix, "
            "at $\\dot{\\boldsymbol{v}} = \\boldsymbol{0}$ the Coriolis and centrifugal terms, "
            "and with the "
            "weights, with the opposite sign, the gravity terms:"
        ),
        law,
    ]
    return Section("Sums from the tips to the base", tuple(blocks)), law.number


_F_SUM = (
    r"\boldsymbol{{F}}_{{{j}}}^{{MARK}} + \sum_{{c}} \boldsymbol{{A}}_{{{j}c}} "
    r"\boldsymbol{{F}}_{{c}}^{{\Sigma MARK}}"
)
_T_SUM = (
    r"\boldsymbol{{T}}_{{{j}}}^{{MARK}} + \sum_{{c}} \left(\boldsymbol{{A}}_{{{j}c}} "
    r"\boldsymbol{{T}}_{{c}}^{{\Sigma MARK}} + \boldsymbol{{P}}_{{{j}c}} \times "
    r"\boldsymbol{{A}}_{{{j}c}} \boldsymbol{{F}}_{{c}}^{{\Sigma MARK}}\right)"
)


def _sum(script: Script, letter: str):
    """F + Σ A F_c, or T + Σ (A T_c + P × A F_c), from the recorded parts."""

    def part(letter: str, body: str, name: QuantityName) -> Vector:
        key = QuantityName(letter, body, by=name.by, case=name.case)
        value = script.value(key) if script.recorded(key) else Vector([0, 0, 0])
        assert isinstance(value, Vector)
        return value

    def check(name: QuantityName, b: Body) -> Value:
        total = part(letter, b.name, name)
        for c in (c for c in script.robot.bodies if c.parent == b.name):
            X = script.robot.tree.joint_pose(c)
            F = X.rotation @ part("F_sum", c.name, name)
            if letter == "F":
                total = total + F
            else:
                T = X.rotation @ part("T_sum", c.name, name)
                total = total + T + X.position.cross(F)
        return total

    return check
