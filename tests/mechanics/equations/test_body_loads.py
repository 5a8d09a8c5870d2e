"""Loads on a body follow what was replaced in the equations."""

import equamo as eq


def test_subs_replaces_in_body_loads() -> None:
    """As in every other quantity: in force, torque and weight, step after step."""
    robot = eq.load("rr_arm").with_forces(eq.wrench("upper", "F 0 0", at="0 a 0", name="push"))
    eom = eq.derive(robot)
    whole = eom.body_loads("upper")
    steps = {"m1": "2*m", "F": "q1", "tau1": 0}, {"m": 3, "q1": "c"}
    loads = eom.subs(steps[0]).subs(steps[1]).body_loads("upper")
    for name in ("force", "torque", "weight"):
        assert getattr(loads, name) == getattr(whole, name).subs(steps[0]).subs(steps[1])
    assert loads.weight == eq.Vector([0, eq.parse("-6*g"), 0])
    assert loads.torque != whole.torque
    assert loads.body == "upper"
    assert loads.left_out == whole.left_out
