"""Chapters of a paper: constraints and chosen speeds, velocities and accelerations."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo.mechanics.equations import derivation
from equamo.publish.document.blocks import Equation, Section, Text
from equamo.publish.document.chapters.constraints import constraints
from equamo.publish.document.chapters.gibbs_appell import gibbs_appell
from equamo.publish.document.chapters.kane import kane
from equamo.publish.document.chapters.lagrange_large import lagrange_large
from equamo.publish.document.chapters.loops import loops
from equamo.publish.document.chapters.velocities import (
    accelerations,
    partial_velocities,
    velocities,
)
from equamo.publish.document.compose import compose
from equamo.publish.document.paper import Paper
from equamo.publish.document.script import Script
from equamo.publish.document.style import Style
from loops_examples import parallelogram


def script_of(robot: eq.Robot, by: str = "kane") -> Script:
    return Script(Style.of(robot, None, "MCg", (by,)), derivation(robot, by), by)


def written(script: Script, section: Section | None) -> list[str | tuple[str, ...]]:
    """Texts, and equations as (left, right, standing, how); all of them are proved."""
    assert section is not None
    (section,) = script.finished([section])
    found: list[str | tuple[str, ...]] = []
    for x in section.blocks:
        if isinstance(x, Text):
            found.append(x.text)
        else:
            assert isinstance(x, Equation)
            assert all(x.proofs)
            assert x.proofs or x.standing == "law"
            found.append((x.left, " ".join(x.lines), x.standing, x.how))
    return found


def test_a_robot_whose_speeds_are_free_has_no_chapter_of_constraints() -> None:
    assert constraints(script_of(eq.load("rr_arm"))) is None


def test_rolling_wheels() -> None:
    """The constraints, the coordinate that follows from them, and all joint speeds."""
    robot = eq.load("wheeled_inverted_pendulum")
    script = script_of(robot)
    found = written(script, constraints(script))
    assert found[0] == "The joint speeds are not independent. Contact without slip requires"
    assert [x[1:] for x in found[1:4]] == [("0", "proved", "holds for the speeds below")] * 3
    assert found[4] == (
        r"As independent speeds $\boldsymbol{v}$ we choose $\dot x$, $\dot \psi$, $\dot \phi$. All "
        r"joint speeds follow from them, $\boldsymbol{u} = \boldsymbol{W} \boldsymbol{v}$:"
    )
    psi = r"\frac{R \left(\theta_{R} - \theta_{L}\right)}{L}"
    assert found[5] == (r"\psi", psi, "definition", "integrated constraint")
    # Later lines have ψ for its formula.
    heading = script.line("y", eq.parse("L*sin(R*(theta_R - theta_L)/L)"))
    assert heading.lines == (r"L \sin \psi",)
    rest = found[6:]
    assert {x[2:] for x in rest} == {("definition", "chosen speeds")}
    speeds = [x for x in robot.joint_speeds if x not in robot.v]
    assert len(rest) == len(speeds)


def test_a_loop_in_explicit_form() -> None:
    """Its coordinates follow from the loop: no multipliers, and no chapter of loops."""
    script = script_of(eq.derive(parallelogram()).explicit().robot)
    first, *rows = written(script, constraints(script))
    assert first == "The joint speeds are not independent. The closed loops require"
    assert [x[1:] for x in rows[:2]] == [("0", "proved", "holds for the speeds below")] * 2
    assert rows[2:] == [
        r"As independent speeds $\boldsymbol{v}$ we choose $\dot q_{1}$. All joint speeds follow from "
        r"them, $\boldsymbol{u} = \boldsymbol{W} \boldsymbol{v}$:",
        ("q_{2}", "-q_{1}", "definition", "integrated constraint"),
        ("q_{3}", "q_{1}", "definition", "integrated constraint"),
        (r"\dot q_{2}", r"-\dot q_{1}", "definition", "chosen speeds"),
        (r"\dot q_{3}", r"\dot q_{1}", "definition", "chosen speeds"),
    ]
    assert loops(script) is None


def test_loops_in_minimal_form_have_no_multipliers_either() -> None:
    script = script_of(eq.derive(parallelogram()).minimal().robot)
    found = written(script, constraints(script))
    assert found[0] == "The joint speeds are not independent. The closed loops require"
    assert [x[0] for x in found[4:]] == [r"\dot q_{2}", r"\dot q_{3}"]
    assert loops(script) is None


@pytest.mark.ci
def test_the_paper_of_a_loop_in_explicit_form() -> None:
    paper = compose(eq.derive(parallelogram()).explicit().robot, by="kane")
    assert "Loops" not in [x.title for x in paper.sections]
    assert all(all(x.proofs) for x in paper.equations)


def lever(gravity: str = "0 0 0", com: str = "0 0 0") -> eq.Robot:
    return eq.Robot(
        "lever",
        [
            eq.Body("arm", eq.revolute("q1"), mass="m"),
            eq.Body("hand", eq.revolute("q2", at="a 0 0"), mass="m", com=com, parent="arm"),
        ],
        gravity=gravity,
    )


@pytest.mark.parametrize(
    ("by", "case", "at", "mark"),
    [
        ("kane", "bias", r" at $\dot{\boldsymbol{v}} = \boldsymbol{0}$", r"^{\circ}"),
        ("gibbs_appell", "", "", ""),
    ],
)
def test_accelerations(by: str, case: str, at: str, mark: str) -> None:
    script = script_of(lever(), by)
    velocities(script)
    section = accelerations(script, case)
    assert section.title == "Accelerations"
    text, alpha, a, *lines = written(script, section)
    assert text == (
        r"Angular acceleration $\boldsymbol{\alpha}_{j}$ and acceleration $\boldsymbol{a}_{j}$ of the "
        f"origin{at}, in components of frame $j$:"
    )
    left = rf"\boldsymbol{{\alpha}}_{{j}}{mark}", rf"\boldsymbol{{a}}_{{j}}{mark}"
    omega = r"\boldsymbol{\omega}_{j} \times \boldsymbol{v}_{j}"
    assert alpha == (left[0], r"\dot{\boldsymbol{\omega}}_{j}", "law", "")
    assert a == (left[1], r"\dot{\boldsymbol{v}}_{j} + " + omega, "law", "")
    hand = next(x for x in lines if x[0] == rf"\boldsymbol{{a}}_{{2}}{mark}")
    assert hand[2:] == ("proved", "derivative of the velocity")
    assert (r"\ddot" in hand[1]) is (case == "")


def test_velocities_and_partial_velocities() -> None:
    script = script_of(lever())
    section = velocities(script)
    assert section.title == "Velocities"
    _, w, v, *lines = written(script, section)
    assert (w[0], v[0]) == (r"\boldsymbol{\omega}_{j}", r"\boldsymbol{v}_{j}")
    assert {x[0]: x[3] for x in lines if isinstance(x, tuple)} == {
        r"\boldsymbol{\omega}_{1}": "derivative of the rotation",
        r"\boldsymbol{\omega}_{2}": "derivative of the rotation",
        r"\boldsymbol{v}_{2}": "derivative of the position",
    }
    section = partial_velocities(script)
    assert section.title == "Partial velocities"
    text, *rows = written(script, section)
    assert text == (
        "Partial velocities are the coefficients of the speeds $v_{s}$ in the velocities: how a body "
        "would move if one speed were 1 and the others 0."
    )
    slope = r"\frac{\partial \boldsymbol{%s}_{j}}{\partial v_{s}}"
    assert rows[0][:2] == (r"\boldsymbol{\omega}_{j}^{(s)}", slope % r"\omega")
    assert rows[1][:2] == (r"\boldsymbol{v}_{j}^{(s)}", slope % "v")
    assert {x[2:] for x in rows[2:] if isinstance(x, tuple)} == {
        ("proved", "derivative of the velocity")
    }


def chapters_of(by: str, robot: eq.Robot) -> tuple[Script, list[Section]]:
    script = script_of(robot, by)
    write = {"kane": kane, "gibbs_appell": gibbs_appell, "lagrange": lagrange_large}[by]
    return script, write(script)


def claims(script: Script, section: Section) -> dict[str, int]:
    """How many claims each equation must prove, by its left side; laws have none."""
    found = script._claims  # pyright: ignore[reportPrivateUsage]
    return {x.left: len(found[x.number]) for x in section.equations() if x.number in found}


BODY_BY_BODY = {
    "gibbs_appell": {"H}_{1": 72, "H}_{2": 72, "c}_{2": 12, "s}_{2": 12, "G}_{1": 12, "G}_{2": 12},
    "kane": {
        **dict.fromkeys(("F}_{2}^{(1)", "F}_{2}^{(2)", "T}_{2}^{(1)", "T}_{2}^{(2)"), 6),
        **dict.fromkeys((r"F}_{2}^{\circ", r"T}_{2}^{\circ"), 6),
        **dict.fromkeys((r"F}_{1}^{\mathrm{g}", r"F}_{2}^{\mathrm{g}", r"T}_{2}^{\mathrm{g}"), 6),
    },
}


@pytest.mark.parametrize(
    ("by", "entries"),
    [
        ("gibbs_appell", [2, 2, 2, 2, 2, 2, 2]),
        ("kane", [2, 2, 2, 1, 1, 1, 1]),  # no second route for h and g
        ("lagrange", [2, 2, 2, 2, 2, 2, 2]),
    ],
)
def test_entries_are_proved_by_a_second_route_too(by: str, entries: list[int]) -> None:
    script, sections = chapters_of(by, lever(gravity="0 -g 0", com="b 0 0"))
    found = {x.title: claims(script, x) for x in sections}
    lines = found["Mass matrix"] | found["Coriolis and centrifugal terms"] | found["Gravity"]
    names = ("M_{11}", "M_{12}", "M_{22}", "h_{1}", "h_{2}", "g_{1}", "g_{2}")
    assert [lines[x] for x in names] == entries
    assert lines[r"\boldsymbol{C}"] == lines[r"\boldsymbol{h}"] == 4
    if by == "lagrange":
        assert found["Energies"] == {"T_{2}": 2, "T": 1, "U": 1}
        assert lines["M_{is}"] == 4  # all entries, as sums of products
    else:
        bodies = next(x for title, x in found.items() if title.endswith("body by body"))
        assert bodies == {rf"\boldsymbol{{{x}}}": n for x, n in BODY_BY_BODY[by].items()}


def test_kane_adds_up_from_the_tips() -> None:
    """The sums of a body need those of the bodies it carries, which stand above it."""
    bodies = [
        eq.Body(f"b{k}", eq.prismatic(f"q{k}"), mass="m", parent=f"b{k - 1}" if k > 1 else "world")
        for k in (1, 2, 3)
    ]
    script, sections = chapters_of("kane", eq.Robot("chain", bodies, gravity="0 0 0"))
    sums = next(x for x in sections if x.title == "Sums from the tips to the base")
    lefts = [x for x in claims(script, sums) if r"\Sigma" in x]
    assert lefts == [
        rf"\boldsymbol{{F}}_{{b{k}}}^{{\Sigma({s})}}" for k in (2, 1) for s in (1, 2, 3)
    ]


def laws(paper: Paper) -> dict[str, str]:
    return {x.left: x.right for x in paper.equations}


def test_general_symbols_of_lagrange_for_speeds_that_are_not_rates() -> None:
    """A quaternion has four rates and three speeds: neither M nor g is a derivative by them."""
    body = eq.Body("b", eq.free("x y z e0 e1 e2 e3"), mass="m", inertia="I1 I2 I3")
    paper = eq.paper(eq.Robot("body", [body], gravity="0 0 -g"), letters="DCG")
    found = laws(paper)
    assert found["D_{ij}"] == r"\frac{\partial^{2} T}{\partial v_{i} \partial v_{j}}"
    rate = r"\frac{\partial \dot q_{k}}{\partial v_{i}}"
    assert found["G_{i}"] == rf"\sum_{{k}} {rate} \frac{{\partial U}}{{\partial q_{{k}}}}"
    assert found["h_{i}"].endswith(r"- \sum_{j} D_{ij} \dot v_{j}")
    assert r"\frac{d}{dt} \frac{\partial L}{\partial \dot q_{i}} - " not in paper.latex()
    assert "There is no actuator." in paper.latex()
    assert "1 instances" not in paper.latex()


def test_general_symbols_of_lagrange_on_a_moving_base() -> None:
    """T is not a quadratic form in the rates."""
    bodies = [
        eq.Body(f"b{k}", eq.revolute(f"q{k}"), mass="m", com="a 0 0",
                parent=f"b{k - 1}" if k else "world")
        for k in range(5)
    ]  # fmt: skip
    fixed = eq.Robot("r", bodies)
    moving = eq.Robot("r", bodies, base=eq.BaseMotion(v="V 0 0"))
    assert laws(eq.paper(fixed, quantities=["C"]))["h_{i}"].startswith(r"\sum_{j} \dot M_{ij}")
    h = laws(eq.paper(moving, quantities=["C"]))["h_{i}"]
    assert h.endswith(r"- \sum_{j} M_{ij} \ddot q_{j}")


@pytest.mark.ci
def test_rates_of_quaternions_are_dotted_and_read_back() -> None:
    body = eq.Body("b", eq.spherical("s"), mass="m", inertia="I1 I2 I3")
    paper = eq.paper(eq.Robot("body", [body]), quantities=["M"])
    kinetic = next(x for x in paper.equations if x.left == "T_{1}")
    assert kinetic.standing == "proved"
    assert r"\dot s_{qw}" in kinetic.right
    assert "rate`" not in paper.latex()


def test_the_laws_of_one_body_are_written_in_order() -> None:
    """The terms of the acceleration of the origin first, since the second line starts with a sign."""
    robot = lever(gravity="0 -g 0", com="b 0 0")
    _, sections = chapters_of("gibbs_appell", robot)
    (S,) = [x for section in sections for x in section.equations() if x.left == "S_{j}"]
    assert S.lines[0].startswith(r"\frac{1}{2} m_{j} \boldsymbol{a}_{j}^{\mathsf{T}}")
    assert S.lines[1].startswith(r"+ \frac{1}{2} \boldsymbol{\alpha}_{j}^{\mathsf{T}}")


def test_sums_of_energies_follow_from_the_energies_of_a_body() -> None:
    """The law of the kinetic energy stands in the first chapter, that of U_j above the sums."""
    _, sections = chapters_of("lagrange", lever(gravity="0 -g 0", com="b 0 0"))
    laws, energies = ({y.left: y for y in x.equations()} for x in (sections[0], sections[3]))
    assert laws["T"].number in energies["T"].follows
    assert energies["T_{2}"].number in energies["T"].follows
    assert energies["U_{j}"].number in energies["U"].follows
    assert laws["U"].number not in energies["T"].follows


def test_components_that_are_zero_share_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a vector that is too wide for one line."""
    monkeypatch.setattr("equamo.publish.document.script._WIDE", 0)
    script = script_of(eq.load("rr_arm"))
    lines = written(script, velocities(script))
    found = [x[:2] for x in lines if isinstance(x, tuple) and x[0].startswith(r"\omega")]
    assert found == [
        (r"\omega_{1,z}", r"\dot q_{1}"),
        (r"\omega_{1,x} = \omega_{1,y}", "0"),
        (r"\omega_{2,z}", r"\dot q_{1} + \dot q_{2}"),
        (r"\omega_{2,x} = \omega_{2,y}", "0"),
    ]
