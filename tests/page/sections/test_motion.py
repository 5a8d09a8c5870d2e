"""The default motion of a page, if no trajectory was given."""

import numpy as np
import pytest

import equamo as eq
from equamo.motion.inputs import TIME
from equamo.page.sections import motion
from equamo.page.sections.motion import RATE, SWAY


def arm(forces: list[object]) -> eq.EquationsOfMotion:
    """Four links in a plane."""
    bodies = [
        eq.Body(f"link{k}", eq.revolute(f"q{k}", at="1 0 0" if k > 1 else "0 0 0"), mass=1,
                com="1/2 0 0", inertia="0 0 1/10", parent=f"link{k - 1}" if k > 1 else "world")
        for k in range(1, 5)
    ]  # fmt: skip
    return eq.derive(eq.Robot("arm", bodies, gravity="0 -g 0", forces=forces))  # type: ignore[arg-type]


def test_joints_that_are_driven_alone_follow_a_sway() -> None:
    """Not through a gear, and not by a torque that acts on several joints."""
    eom = arm([
        eq.joint_actuator("q1", "plain"), eq.joint_actuator("q2", "geared", gear=2),
        eq.joint_actuator("q3", "reversed", gear=-1), eq.joint_actuator("q4", "last"),
        eq.torque_actuator("link4", "world", "0 0 several"),
    ])  # fmt: skip
    B = np.asarray(eom.evaluate("input_matrix"))
    names = [s.name for s in eom.inputs]
    assert B[:, names.index("geared")].tolist() == [0, 2, 0, 0]
    assert B[:, names.index("reversed")].tolist() == [0, 0, -1, 0]
    assert np.count_nonzero(B[:, names.index("several")]) == 4
    control = motion._followed(eom)  # pyright: ignore[reportPrivateUsage]
    assert list(control) == ["plain", "last"]


def test_the_weight_is_carried_and_the_joint_drawn_to_its_sway() -> None:
    """g + M (ω² (r − q) − 2ω v), joint by joint, if a joint has no actuator."""
    eom = arm([eq.joint_actuator(f"q{k}", f"tau{k}") for k in range(1, 4)])
    control = motion._followed(eom)  # pyright: ignore[reportPrivateUsage]
    q, v, t, pull = _pulls()
    M, g = eom.evaluate("mass_matrix"), eom.evaluate("gravity", q=q)
    assert len(control) == 3
    for k, (name, torque) in enumerate(control.items()):
        assert name == f"tau{k + 1}"
        given = eom.evaluate(torque.subs({TIME: t}), q=q, v=v)
        assert float(given) == pytest.approx(g[k] + M[k, k] * pull[k], abs=1e-4)


def test_joints_that_are_all_driven_have_exactly_the_accelerations_of_the_sway() -> None:
    eom = arm([eq.joint_actuator(f"q{k}", f"tau{k}") for k in range(1, 5)])
    control = motion._followed(eom)  # pyright: ignore[reportPrivateUsage]
    q, v, t, pull = _pulls()
    torques = [eom.evaluate(control[f"tau{k}"].subs({TIME: t}), q=q, v=v) for k in range(1, 5)]
    M, C, g = (eom.evaluate(x, q=q, v=v) for x in ("mass_matrix", "bias", "gravity"))
    assert np.linalg.solve(M, torques - C - g) == pytest.approx(pull, abs=1e-6)


def _pulls() -> tuple[np.ndarray, np.ndarray, float, np.ndarray]:
    """A state, a time, and ω² (r − q) − 2ω v there."""
    rng = np.random.default_rng(3)
    q, v, t = rng.uniform(-1, 1, 4), rng.uniform(-1, 1, 4), 0.7
    target = SWAY * np.sin(2 * (1 + np.arange(4) % 3) / 6 * np.pi * t)
    return q, v, t, RATE**2 * (target - q) - 2 * RATE * v


def test_the_ledger_and_the_torques_of_a_motion() -> None:
    """Terms of the equations, all on one side: they add up to 0; forces that are 0 are left out."""
    body = eq.Body("rod", eq.revolute("q", axis="y"), mass=1, com="1/2 0 0", inertia="0 1/10 0")
    found: dict[str, dict[str, object]] = {}
    for name, forces in (
        ("free", []),
        ("damped", [eq.joint_damper("q", damping=2)]),
        ("driven", [eq.joint_actuator("q", "tau")]),
    ):
        eom = eq.derive(eq.Robot(name, [body], forces=forces))
        control = {"tau": 3} if name == "driven" else None
        run = eq.simulate(eom, q=[0.3], v=[1], control=control, duration=0.1)
        found[name] = motion._motion(run)  # pyright: ignore[reportPrivateUsage]
        terms = {n: np.array(x) for n, x in found[name]["torques"].items()}  # type: ignore[attr-defined]
        assert sum(terms.values()) == pytest.approx(0, abs=1e-4)
        rate = np.array(found[name]["v"])
        if name == "damped":
            assert list(terms) == ["M v\u0307", "C v", "g", "passive"]
            assert terms["passive"] == pytest.approx(2 * rate, rel=1e-4)
        elif name == "driven":
            assert list(terms) == ["M v\u0307", "C v", "g", "inputs"]
            assert terms["inputs"] == pytest.approx(-3, rel=1e-4)
        ledger = found[name]["ledger"]
        removed = [] if name == "free" else ["removed by forces"]
        assert list(ledger) == ["kinetic", "potential", *removed, "sum"]  # type: ignore[call-overload]


def test_digits_of_numbers_that_are_drawn() -> None:
    assert motion._rounded(np.array([1 / 3, 2e5 / 3])) == [0.3333333, 66666.67]  # pyright: ignore[reportPrivateUsage]
