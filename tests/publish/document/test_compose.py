"""Papers as a whole: every line proved, nothing used before it is defined, options, two methods."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.errors import EquamoError, UnknownNameError
from equamo.mechanics.kinematics.steps import Value
from equamo.publish.document import printed, script
from equamo.publish.document.blocks import Section, SideBySide, Text
from equamo.publish.document.chapters.loops import has_multipliers, loop_matrix, loops, multipliers
from equamo.publish.document.compose import compose
from equamo.publish.document.paper import Paper
from equamo.publish.document.script import Script
from equamo.publish.document.style import Style
from papers import paper_of

METHODS = ("kane", "lagrange", "projected_newton_euler", "gibbs_appell", "recursive")
ROBOTS = (
    "rr_arm", "rp_arm", "three_link_arm", "wheeled_inverted_pendulum", "krang", "starleth", "four_bar",
)  # fmt: skip


def assert_sound(paper: Paper) -> None:
    """Numbers are consecutive, a line follows from earlier ones, and every statement is proved."""
    for i, e in enumerate(paper.equations, 1):
        assert e.number == i
        assert all(n < i for n in e.follows), f"{e.left} follows from {e.follows}"
        assert e.standing == "law" or e.proofs, e.left
        assert all(e.proofs), f"({i}) {e.left}: {e.proofs}"
    assert_defined_before_use(paper)


def assert_defined_before_use(paper: Paper) -> None:
    """The name of a component belongs to a quantity that an earlier equation gives."""
    given: set[str] = set()
    for e in paper.equations:
        for name, _ in e.names:
            assert _kind(name) in given or name in given, f"({e.number}) uses {name}"
        given |= {_kind(e.left), e.left}


def _kind(latex: str) -> str:
    """Letter and exponent of a quantity, without bold type, index and the label of the speed."""
    plain = re.sub(r"\\boldsymbol\{(\\?\w+)\}", r"\1", latex)
    letter, _, rest = plain.partition("_{")
    exponent = rest.partition("}^{")[2].removesuffix("}")
    return letter + re.sub(r"\([^)]*\)", "(s)", exponent)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("by", METHODS)
def test_every_line_of_a_small_robot_is_proved(by: str) -> None:
    assert_sound(paper_of("rr_arm", by))


@pytest.mark.parametrize("by", METHODS)
@pytest.mark.parametrize("robot", ROBOTS)
def test_every_line_of_all_robots_is_proved(robot: str, by: str, whole_sweeps: bool) -> None:
    if whole_sweeps or (robot, by) == ("krang", "lagrange"):
        assert_sound(paper_of(robot, by))


def test_a_wrong_printed_form_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The proof is about what is printed: one more term in a form makes its line wrong."""
    right = printed.closed

    def wrong(value: Value, budget: int = printed.BUDGET) -> Value:
        form = right(value, budget)
        return form + symbol("m1") if isinstance(form, eq.Expr) else form

    monkeypatch.setattr(script, "closed", wrong)
    paper = compose(eq.load("rr_arm"), "lagrange")
    bad = [e for e in paper.equations if e.proofs and not all(e.proofs)]
    assert {e.left for e in bad} >= {"U_{1}", "T_{1}", r"T_{\mathrm{rot},1}"}
    assert all(e.proofs[0].verdict == e.standing == "refuted" for e in bad)
    number = bad[0].number
    assert f"all of them are proved except ({number}), " in paper.abstract


def test_a_wrong_recorded_step_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Velocities are proved against poses, sums against their parts: a wrong record does not pass."""
    from equamo.publish.document import compose as module

    def damaged(robot: eq.Robot, by: str) -> object:
        found = eq.derivation(robot, by=by)
        steps = tuple(
            replace(s, result=s.result * 2)
            if s.quantity.text in ("w_fore", "T_sum_upper_dq1")
            else s
            for s in found.steps
        )
        return replace(found, steps=steps)

    monkeypatch.setattr(module, "derivation", damaged)
    paper = compose(eq.load("rr_arm"), "kane")
    bad = {e.left for e in paper.equations if e.proofs and not all(e.proofs)}
    assert r"\boldsymbol{\omega}_{2}" in bad
    assert r"\boldsymbol{T}_{1}^{\Sigma(1)}" in bad


def test_numbers_do_not_depend_on_what_was_composed_before() -> None:
    first = paper_of("rr_arm", "recursive")
    again = compose(eq.load("rr_arm"), "recursive")
    assert [(e.number, e.left, e.right, e.follows) for e in first.equations] == [
        (e.number, e.left, e.right, e.follows) for e in again.equations
    ]


def test_two_methods_stand_side_by_side() -> None:
    paper = compose(eq.load("rr_arm"), ("kane", "recursive"))
    blocks = [b for s in paper.sections for b in s.blocks if isinstance(b, SideBySide)]
    assert len(blocks) == 1
    assert all(equal for _, _, equal in blocks[0].rows)
    assert [a.left for a, _, _ in blocks[0].rows if a] == [
        "M_{11}", "M_{12}", "M_{22}", "h_{1}", "h_{2}", "g_{1}", "g_{2}",
    ]  # fmt: skip
    assert paper.formulations == ("kane", "recursive")
    assert_sound(paper)


def test_quantities_of_two_methods() -> None:
    paper = compose(eq.load("rr_arm"), ("kane", "recursive"), quantities=["g"])
    blocks = [b for s in paper.sections for b in s.blocks if isinstance(b, SideBySide)]
    assert [a.left for a, _, _ in blocks[0].rows if a] == ["g_{1}", "g_{2}"]
    assert_sound(paper)


def test_letters_short_forms_and_choice_of_results() -> None:
    paper = compose(eq.load("rr_arm"), "recursive", short=True, letters="DCG", quantities=["M"])
    lefts = [e.left for e in paper.equations]
    assert "D_{12}" in lefts
    assert not any(x.startswith(("M_", "G_", "g_")) for x in lefts)
    assert any("c_{2}" in e.right for e in paper.equations)
    assert not any(r"\cos" in e.right for e in paper.equations)
    assert "Equations of motion" not in [s.title for s in paper.sections]
    assert compose(eq.load("rr_arm"), "recursive", title="Arm").title == "Arm"


def test_loops_have_closure_jacobian_and_multipliers() -> None:
    robot = eq.load("four_bar")
    lines = Script(Style.of(robot, None, "MCg", ("recursive",)), eq.derivation(robot), "recursive")
    section = loops(lines)
    assert section is not None
    (section,) = lines.finished([section])
    found = {e.left: e for e in section.equations()}
    assert {r"\varphi_{1}", r"\varphi_{2}", r"\boldsymbol{J}"} <= found.keys()
    assert all(all(e.proofs) for e in found.values())
    assert has_multipliers(lines)
    lam, latex = multipliers(lines)
    assert list(latex.values()) == [r"\lambda_{1}", r"\lambda_{2}"]
    assert len(loop_matrix(lines).T @ lam) == 3


def test_unknown_options_are_errors() -> None:
    arm = eq.load("rr_arm")
    with pytest.raises(UnknownNameError, match="formulation"):
        compose(arm, "newton")
    with pytest.raises(UnknownNameError, match="letters"):
        compose(arm, "recursive", letters="ABC")
    with pytest.raises(UnknownNameError, match="quantity"):
        compose(arm, "recursive", quantities=["M", "X"])
    with pytest.raises(UnknownNameError, match="Unknown formulation 3"):
        compose(arm, ("kane", 3))  # pyright: ignore[reportArgumentType]


def test_other_invalid_options_are_errors() -> None:
    arm = eq.load("rr_arm")
    with pytest.raises(EquamoError, match="short must be True or False, got 'yes'"):
        compose(arm, short="yes")  # pyright: ignore[reportArgumentType]
    with pytest.raises(EquamoError, match="quantities must be a list of names, got 3"):
        compose(arm, quantities=3)  # pyright: ignore[reportArgumentType]


def test_repr_and_unknown_numbers() -> None:
    paper = paper_of("rr_arm", "kane")
    count = len(paper.equations)
    assert repr(paper) == f'<paper "{paper.title}", {count} equations>'
    for number in (0, count + 1, "3"):
        with pytest.raises(UnknownNameError, match=f"Valid: 1 to {count}"):
            paper.equation(number)  # pyright: ignore[reportArgumentType]


def test_zeros_are_grouped() -> None:
    def texts(section: Section) -> list[str]:
        inner = [x for b in section.blocks if isinstance(b, Section) for x in texts(b)]
        return [b.text for b in section.blocks if isinstance(b, Text)] + inner

    paper = paper_of("rr_arm", "kane")
    everything = " ".join(x for s in paper.sections for x in texts(s))
    assert r"The others are zero: $\boldsymbol{v}_{1}$." in everything


@pytest.mark.parametrize("by", METHODS)
def test_a_quaternion_and_parameters_without_values(by: str) -> None:
    """No figure, no numbers; the equations are those of v, with q̇ = N v."""
    drone = eq.Robot("drone", [eq.Body("b", eq.free("f"), mass="m", inertia="Ix Iy Iz")])
    paper = compose(drone, by)
    assert_sound(paper)
    assert "Numerical example" not in [s.title for s in paper.sections]
