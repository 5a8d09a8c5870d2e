"""Short names in formulas: short, distinct, and never in place of what a user chose."""

from __future__ import annotations

from typing import Any

import pytest

import equamo as eq
from equamo.algebra.expr.printing.symbol_name import SymbolName
from equamo.publish.page.abbreviations import labels, plain
from equamo.publish.page.context import Context
from robot_pages import equations

pytestmark = pytest.mark.needs("pinocchio")


def context(eom: eq.EquationsOfMotion) -> Context:
    return Context(eom, None, (), None, "", False)


def chain(names: list[str], **more: Any) -> Context:
    """A chain of revolute joints with the given coordinates."""
    bodies = [
        eq.Body(
            f"b{k}", eq.revolute(name), parent=f"b{k - 1}" if k else "world", mass=1, com="1 0 0"
        )
        for k, name in enumerate(names)
    ]
    return context(eq.derive(eq.Robot("chain", bodies, **more)))


def latex(found: Context) -> dict[str, str]:
    return {s.name: name.latex for s, name in found.symbol_names.items()}


def test_the_prefix_of_the_panda_is_omitted() -> None:
    found = context(equations("panda"))
    shown = latex(found)
    assert shown["panda_joint2"] == "q_{2}"
    assert shown["dpanda_joint2"] == r"\dot q_{2}"
    assert shown["ddpanda_joint2"] == r"\ddot q_{2}"
    assert shown["tau_panda_joint2"] == r"\tau_{2}"
    assert shown["panda_finger_joint1"] == "q_{finger,1}"
    assert found.labels["panda_link3"] == ("3",)
    assert found.heads(["panda_joint7", "panda_finger_joint1"]) == ["q₇", "finger 1"]
    (row,) = [s for s in found.symbols_data() if s["name"] == "panda_joint2"]
    assert row["tree"] == ["sub", ["i", "q"], ["n", "2"]]
    assert row["short"]


@pytest.mark.parametrize("name", ["rr_arm", "krang", "starleth", "iiwa"])
def test_letters_that_a_user_chose_are_kept(name: str) -> None:
    assert not any(s["short"] for s in context(equations(name)).symbols_data())


def test_given_latex_is_kept() -> None:
    shown = latex(chain(["hip_joint", "knee_joint"], notation={"hip_joint": r"\phi"}))
    assert shown["hip_joint"] == r"\phi"
    assert shown["knee_joint"] == "q_{knee}"


def test_a_short_name_that_is_taken_is_not_used() -> None:
    shown = latex(chain(["q1", "joint_1", "joint_2"]))
    assert shown["q1"] == "q_{1}"
    assert shown["joint_1"] != "q_{1}"
    assert shown["joint_2"] == "q_{2}"
    assert len(set(shown.values())) == len(shown)


def test_components_of_a_free_body_are_letters() -> None:
    one = eq.Body("base", eq.free("base"), mass=1, inertia="1 2 3")
    shown = latex(context(eq.derive(eq.Robot("one", [one]))))
    assert {shown[f"base_{n}"] for n in ("x", "qw", "vy", "wz")} == {
        "x", "q_{w}", "v_{y}", r"\omega_{z}",
    }  # fmt: skip
    other = eq.Body("ball", eq.free("ball"), mass=1, inertia="1 2 3")
    shown = latex(context(eq.derive(eq.Robot("two", [one, other]))))
    assert (shown["base_x"], shown["ball_wz"]) == ("x_{base}", r"\omega_{z,ball}")


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["left_hip_link", "right_hip_link"], [("L",), ("R",)]),
        (["left_hip", "L_hip", "knee"], [("left", "hip"), ("L", "hip"), ("knee",)]),
        (["joint"], [("joint",)]),
        (["a-b", "a_b"], [("a-b",), ("a_b",)]),
        (["iris__/imu_link", "iris__rotor_0"], [("imu",), ("rotor", "0")]),
        (["tool0", "ee_link"], [("tool0",), ("ee",)]),
        (["_", "__"], [("_",), ("__",)]),
    ],
)
def test_labels_are_distinct(names: list[str], expected: list[tuple[str, ...]]) -> None:
    assert list(labels(names).values()) == expected


def test_heads_of_rows() -> None:
    assert plain(SymbolName("tau", "greek", ("finger", "1"))) == "τ finger 1"
    assert plain(SymbolName("q", "letter", ("w", "base"))) == "qw base"
    assert plain(SymbolName("x", "letter")) == "x"
