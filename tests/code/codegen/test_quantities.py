"""Units and default values of what a function takes."""

import equamo as eq
from equamo.algebra.expr import symbols
from equamo.code.codegen.quantities import quantities
from equamo.code.ir.function import Function
from equamo.code.ir.program import Argument


def test_external_wrenches_are_zero_by_default() -> None:
    body = eq.Body("a", eq.revolute("q1"), mass=1, com="1 0 0")
    robot = eq.Robot("arm", [body], forces=[eq.wrench("a", force="F 0 0", at="1 0 0")])
    external = quantities(robot)["external"]
    assert [(x.name, x.default) for x in external] == [(s.name, 0) for s in robot.external]
    assert external


def test_arguments_that_are_no_quantity_of_the_robot() -> None:
    """Listed if all functions agree on their entries."""
    robot, (a, b, c) = eq.load("rr_arm"), symbols("a b c")

    def function(**arguments: tuple[eq.Expr, ...]) -> Function:
        return Function("f", tuple(Argument(*x) for x in arguments.items()), (), (), dict)

    one, other = function(gains=(a, b), q=robot.q), function(gains=(a, b), load=(c,))
    third = function(gains=(a, c))
    listed = quantities(robot, functions=[one, other])
    assert [(x.name, x.unit, x.default) for x in listed["gains"]] == [("a", "", 0), ("b", "", 0)]
    assert [x.name for x in listed["load"]] == ["c"]
    assert "gains" not in quantities(robot, functions=[one, other, third])
    assert quantities(robot, functions=[one])["q"] == quantities(robot)["q"]
