"""LaTeX of the whole system: every line, read back by the audit's reader, is what was derived."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import equamo as eq
from equamo.algebra.expr import Expr, parse, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.printing.symbol_name import whole_name
from equamo.algebra.expr.vector import Vector
from equamo.algebra.expr.walk import walk
from equamo.algebra.identity import prove_all, prove_equal
from equamo.errors import UnknownNameError
from equamo.mechanics.equations import EquationsOfMotion, closed_parts
from equamo.mechanics.equations.closed_parts import has_unit_inputs, passive_forces
from equamo.mechanics.equations.latex import notebook_latex
from equamo.review.claims.evaluation import Evaluation
from equamo.review.claims.latex_reader import read_latex
from equamo.review.claims.scopes import PlainScope

BEGIN, END = "\\begin{aligned}\n", "\n\\end{aligned}"
LETTERS = r"\boldsymbol{M} \ddot{\boldsymbol{q}} + \boldsymbol{C} \dot{\boldsymbol{q}}"


def damped() -> EquationsOfMotion:
    """Pendulum on a cart: one input for two joints, a damper and a spring."""
    cart = eq.Body("cart", eq.prismatic("x"), mass="M")
    rod = eq.Body("rod", eq.revolute("phi"), mass="m", com="0 -l 0", parent="cart")
    forces = [
        eq.joint_actuator("x", "F"),
        eq.joint_damper("x", "d", name="bearing"),
        eq.joint_spring("phi", "k", name="hair_spring"),
    ]
    return eq.derive(eq.Robot("cart", [cart, rod], gravity="0 -g 0", forces=forces))


def held_rod() -> EquationsOfMotion:
    """Rod with a contact at its end: rows without φ."""
    body = eq.Body("rod", eq.planar("x y phi"), mass="m", inertia="0 0 I")
    contacts = [eq.contact("end", "rod", "a 0 0", "y")]
    robot = eq.Robot("rod", [body], gravity="0 -g 0", contacts=contacts)
    return eq.derive(robot).in_mode(end="stick")


@cache
def derived(name: str) -> EquationsOfMotion:
    made = {"damped": damped, "held_rod": held_rod}
    return made[name]() if name in made else eq.derive(eq.load(name))


def lines(text: str) -> list[tuple[str, str]]:
    """(left, right) of every line."""
    assert text.startswith(BEGIN)
    assert text.endswith(END)
    pairs = [line.split(" &= ") for line in text[len(BEGIN) : -len(END)].split(" \\\\\n")]
    assert all(len(p) == 2 for p in pairs)
    return [(left, right) for left, right in pairs]


def reader(eom: EquationsOfMotion, extra: tuple[str, ...] = ()) -> Callable[[str], Any]:
    symbols = (*eom.q, *eom.v, *eom.vdot, *eom.inputs, *eom.external, *eom.parameters)
    multipliers = (f"lambda_{k}" for k in range(1, len(eom.robot.rows) + 1))
    names = (*(x.name for x in symbols), *(f"d{q.name}" for q in eom.q), *multipliers, *extra)
    known = tuple(dict.fromkeys(names))

    def read(latex: str) -> Any:
        return Evaluation(PlainScope()).value(read_latex(latex, known).tree)

    return read


def kept(eom: EquationsOfMotion) -> tuple[Matrix, Vector, list[int]]:
    """Rows of A that are not zero, φ of those that have one, and the places of the others."""
    A = eom.constraint_matrix
    rows = [i for i in range(len(A)) if not A.row(i).closed_form().is_zero]
    names = [eom.robot.rows[i] for i in rows]
    phi = Vector([eom.closure[r.name] for r in names if r.phi is not None])
    others = [k for k, r in enumerate(names) if r.phi is None]
    return Matrix([A.rows[i] for i in rows]), phi, others


def equations(eom: EquationsOfMotion) -> list[tuple[Expr | None, Expr]]:
    """(left or None for 0, right) of every line: 0 = M v̇ + … − B τ − Aᵀ λ, constraints, rates."""
    rest = list(eom.inverse_dynamics - eom.input_matrix @ Vector(eom.inputs))
    wanted: list[tuple[Expr | None, Expr]] = []
    v = Vector(eom.v)
    if eom.robot.rows and eom.robot.speed_map is None:
        A, phi, others = kept(eom)
        force = A.T @ Vector([symbol(f"lambda_{k}") for k in range(1, len(A) + 1)])
        rest = list(Vector(rest) - force)
        wanted += [(None, e) for e in phi] + [(None, (A @ v)[k]) for k in others]
    if not eom.robot.has_unit_map:
        rates = eom.kinematic_map @ v
        pairs = [(symbol(f"d{q.name}"), e) for q, e in zip(eom.q, rates, strict=True)]
        wanted += [(left, e) for left, e in pairs if left is not e]
    return [(None, e) for e in rest] + wanted


ROBOTS = ["rr_arm", "rolling_disc", "wheeled_inverted_pendulum", "four_bar", "damped", "held_rod"]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", ROBOTS)
def test_scalar_equations(name: str) -> None:
    eom = derived(name)
    read = reader(eom)
    found, wanted = lines(eom.latex("equations")), equations(eom)
    assert len(found) == len(wanted)
    differences: list[list[Expr]] = []
    for (left, right), (rate, e) in zip(found, wanted, strict=True):
        a, b = read(left), read(right)
        if rate is not None:
            assert a is rate
        differences.append([b - e if rate is not None else a - b - e])
    assert all(prove_all(differences))


@pytest.mark.parametrize("name", ROBOTS)
def test_matrices(name: str) -> None:
    eom = derived(name)
    read = reader(eom)
    table = {left: right for left, right in lines(eom.latex()) if right != r"\boldsymbol{0}"}
    wanted: dict[str, Matrix | Vector] = {
        "M": eom.mass_matrix, "C": eom.coriolis_matrix, "g": eom.gravity, "B": eom.input_matrix
    }  # fmt: skip
    if eom.robot.rows and eom.robot.speed_map is None:
        wanted["A"], wanted[r"\varphi"], _ = kept(eom)
    if not eom.robot.has_unit_map:
        wanted["N"] = eom.kinematic_map
    for force, f in passive_forces(eom).items():
        wanted[f"f {force}"] = f
    for letter, part in wanted.items():
        text = table.get(rf"\boldsymbol{{{letter}}}")
        if letter.startswith("f "):
            text = table[rf"\boldsymbol{{f}}_{{{whole_name(letter[2:]).latex}}}"]
        if text is None:  # left out
            assert part.closed_form().is_zero or (letter == "B" and has_unit_inputs(eom))
        else:
            assert prove_equal(read(text), part.column(0) if part.shape[1:] == (1,) else part), (
                letter
            )  # type: ignore[union-attr]


def test_the_first_line_has_every_term() -> None:
    def first(name: str) -> tuple[str, str]:
        return lines(derived(name).latex())[0]

    assert first("rr_arm") == (LETTERS + r" + \boldsymbol{g}", r"\boldsymbol{\tau}")
    forces = r"\boldsymbol{f}_{\text{bearing}} + \boldsymbol{f}_{\text{hair\_spring}}"
    assert first("damped")[1] == rf"\boldsymbol{{B}} \boldsymbol{{\tau}} + {forces}"
    assert first("four_bar")[1].endswith(r" + \boldsymbol{A}^{\mathsf T} \boldsymbol{\lambda}")
    assert first("rolling_disc") == (
        r"\boldsymbol{M} \dot{\boldsymbol{v}} + \boldsymbol{C} \boldsymbol{v} + \boldsymbol{g}",
        r"\boldsymbol{0}",
    )


def test_constraints_follow_the_equation() -> None:
    zero = r"\boldsymbol{0}"
    assert lines(derived("four_bar").latex())[1:3] == [
        (r"\boldsymbol{A} \dot{\boldsymbol{q}}", zero),
        (r"\boldsymbol{\varphi}", zero),
    ]
    disc = dict(lines(derived("rolling_disc").latex()))
    assert disc[r"\dot{\boldsymbol{q}}"] == r"\boldsymbol{N} \boldsymbol{v}"
    assert (
        disc[r"\boldsymbol{v}"]
        == r"\begin{bmatrix} u_{1} & u_{2} & u_{3} \end{bmatrix}^{\mathsf T}"
    )


@pytest.mark.parametrize("form", ["matrix", "equations"])
@pytest.mark.parametrize("name", ["four_bar", "held_rod", "rolling_disc"])
def test_intermediates_of_long_systems_are_defined_before_use(
    name: str, form: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closed_parts, "ALL_NODES", 10)  # of any system
    eom = derived(name)
    read = reader(eom, tuple(f"{x}{k}" for x in ("x", "lambda_") for k in range(1, 100)))
    text = lines(eom.latex(form))
    known: dict[Expr, Expr] = {}

    def value(latex: str) -> Any:
        e = read(latex)
        symbols = {x for x in walk([e] if isinstance(e, Expr) else e.entries) if x.is_symbol}
        new = {x for x in symbols if x.name[0] == "x" and len(x.name) > 1}
        assert new <= known.keys()
        return e.subs(known)

    for k, (left, right) in enumerate(text, 1):
        if left != f"x_{{{k}}}":
            break
        known[symbol(f"x{k}")] = value(right)
    assert len(known) >= 5
    rest = text[len(known) :]
    if form == "equations":
        wanted = equations(eom)
        differences: list[list[Expr]] = []
        for (left, right), (rate, e) in zip(rest, wanted, strict=True):
            differences.append([value(right) - e if rate else value(left) - value(right) - e])
        assert all(prove_all(differences))
    else:
        table = {left: right for left, right in rest if right != r"\boldsymbol{0}"}
        assert prove_equal(value(table[r"\boldsymbol{M}"]), eom.mass_matrix)
        v = r"\dot{\boldsymbol{q}}" if eom.robot.has_unit_map else r"\boldsymbol{v}"
        if not eom.bias.is_zero:
            assert prove_equal(value(table[rf"\boldsymbol{{C}} {v}"]), eom.bias)
        if r"\boldsymbol{A}" in table:
            assert prove_equal(value(table[r"\boldsymbol{A}"]), kept(eom)[0])


def test_rates_of_symbols_with_their_own_latex() -> None:
    body = eq.Body("rod", eq.revolute("q1"), mass="m", com="l 0 0", inertia="0 0 I")
    robot = eq.Robot("rod", [body], gravity="0 -g 0", notation={"q1": r"\theta"})
    text = eq.derive(robot).latex("equations")
    assert (
        text
        == BEGIN + r"\left(I + l^{2} m\right) \ddot \theta + g l m \cos \theta &= \tau_{1}" + END
    )


def test_short_sines() -> None:
    assert "c_{12}" in derived("rr_arm").latex(short=True)
    assert "c_{12}" not in derived("rr_arm").latex()


def test_unknown_form() -> None:
    with pytest.raises(
        UnknownNameError, match=r"Unknown form 'matrices' in latex\(\)\. Did you mean"
    ):
        derived("rr_arm").latex("matrices")  # type: ignore[arg-type]


def test_notebooks_show_what_is_short() -> None:
    eom = derived("rr_arm")
    text = notebook_latex(eom, 4_000)
    assert text is not None
    assert r"\boldsymbol{C} \dot{\boldsymbol{q}} &=" in text
    assert notebook_latex(eom, 300) is None
    assert notebook_latex(eq.derive(eq.load("iiwa")), 4_000) is None


def test_after_a_substitution() -> None:
    eom = derived("rr_arm").subs({"g": 0, "m1": 2})
    assert r"\boldsymbol{g}" not in eom.latex()
    assert "2 L_{c1}^{2}" in eom.latex()
    assert parse("g") not in eom.gravity.entries


def three(*coordinates: str, notation: dict[str, str] | None = None) -> eq.Robot:
    """A chain of links that turn in one plane."""
    bodies = [
        eq.Body(f"b{k}", eq.revolute(x, at="l 0 0"), mass=f"m{k}", parent=f"b{k - 1}" if k else "world",
                com="a 0 0")
        for k, x in enumerate(coordinates)
    ]  # fmt: skip
    return eq.Robot("chain", bodies, gravity="0 -g 0", notation=notation)


@pytest.mark.parametrize(
    "robot",
    [three("q1", "q2", "q12"), three("q1", "q2", notation={"l": "c_1"}), three("q1", "th1")],
    ids=["sum", "symbol", "two letters"],
)
def test_short_sines_have_one_meaning_in_all_entries(robot: eq.Robot) -> None:
    """c_{12} would be cos q_12 in M and cos(q_1 + q_2) in g."""
    eom = eq.derive(robot)
    assert eom.latex(short=True) == eom.latex()
    text = notebook_latex(eom, 9_000)
    assert text is not None
    assert "c_{" not in text


def test_intermediates_look_like_no_symbol(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither like the coordinate x1, of which the equations do not depend, nor like LaTeX of a user."""
    monkeypatch.setattr("equamo.mechanics.equations.latex.LENGTH", 10)
    bodies = [
        eq.Body("cart", eq.prismatic("x1", axis="x"), mass="m0"),
        eq.Body("pole", eq.revolute("q1"), mass="m1", com="l 0 0", inertia="0 0 J", parent="cart"),
    ]
    robot = eq.Robot(
        "cart", bodies, gravity="0 -g 0", notation={"l": "x_2", "x4": "k", "J": r"x_{\text{3}}"}
    )
    text = eq.derive(robot).latex()
    defined = re.findall(r"^(x_\S+) &=", text, re.MULTILINE)
    assert defined
    assert not {"x_{1}", "x_{2}", "x_{3}", "x_{4}"} & set(defined)
    assert r"\text{x" not in text
