"""Names of intermediates stay values: recursion, programs and the page hand on the same parts."""

from dataclasses import FrozenInstanceError, replace

import pytest

from equamo.algebra.expr.graph import NEG
from equamo.code.ir.functions import functions
from equamo.mechanics.equations import derive
from equamo.mechanics.kinematics.quantity_name import QuantityName
from equamo.publish.page.origins import named_nodes
from equamo.robot.library import load
from equamo.robot.model import Robot

# Body names that a reader of text could take for a letter, a sign or a component.
ODD = {"link1": "minus_f_x", "link2": "n_", "link3": "f_a_z"}


def odd_arm() -> Robot:
    arm = load("three_link_arm")
    bodies = [replace(b, name=ODD[b.name], parent=ODD.get(b.parent, b.parent)) for b in arm.bodies]
    plain = [f for f in arm.forces if not set(f.bodies()) & set(ODD)]
    return Robot(arm.name, bodies, forces=plain, gravity=arm.gravity)


def test_a_name_cannot_be_changed() -> None:
    name = QuantityName("w", "fore", "z")
    with pytest.raises(FrozenInstanceError):
        name.letter = "a"  # pyright: ignore[reportAttributeAccessIssue]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (QuantityName("w", "fore", "z"), "w_fore_z"),
        (QuantityName("n", "fore", "z", minus=True), "minus_n_fore_z"),
        (QuantityName("mc", "3"), "mc_3"),
        (QuantityName("F", "3", by=("dq1",), case="bias"), "F_bias_3_dq1"),
    ],
)
def test_text(name: QuantityName, text: str) -> None:
    assert name.text == str(name) == text


def test_bodies_keep_their_names_from_the_recursion_to_programs_and_the_page() -> None:
    eom = derive(odd_arm())
    bodies = set(ODD.values())
    program = functions(eom)["inverse_dynamics"].program()
    for names in (eom.quantity_names, program.names, named_nodes(eom)):
        assert {x.body for x in names.values()} == bodies
    assert {x.letter for x in program.names.values()} <= {"w", "alpha", "a", "fr", "nr"}
    assert {"fr", "nr"} & {x.letter for x in program.names.values()}
    assert eom.names == {node: name.text for node, name in eom.quantity_names.items()}


def test_a_sign_is_where_the_recursion_has_the_negative() -> None:
    eom = derive(load("three_link_arm"))
    minus = [node for node, name in eom.quantity_names.items() if name.minus]
    assert minus
    assert not any(node.op == NEG for node in eom.quantity_names)


def test_the_page_has_the_names_of_the_recursion() -> None:
    eom = derive(load("krang"))
    found = {x.text for x in named_nodes(eom).values()}
    assert {"Jc_3_xx", "a_10l_x", "F_3_x"} <= found
