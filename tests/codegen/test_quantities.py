"""Units and default values of what a function takes."""

import equamo as eq
from equamo.codegen.quantities import quantities


def test_external_wrenches_are_zero_by_default() -> None:
    body = eq.Body("a", eq.revolute("q1"), mass=1, com="1 0 0")
    robot = eq.Robot("arm", [body], forces=[eq.wrench("a", force="F 0 0", at="1 0 0")])
    external = quantities(robot)["external"]
    assert [(x.name, x.default) for x in external] == [(s.name, 0) for s in robot.external]
    assert external
