"""The default motion of a page, if no trajectory was given."""

import numpy as np
import pytest

import equamo as eq
from equamo.motion.simulation.inputs import TIME
from equamo.publish.page.context import Context
from equamo.publish.page.sections import motion
from equamo.publish.page.sections.motion import RATE, SWAY


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


def test_the_section_of_a_motion() -> None:
    """What was simulated, by what, with which error; times begin at 0, rates are named as speeds."""
    eom = eq.derive(eq.load("rolling_disc"))
    whole = eq.simulate(eom, duration=0.5, t_eval=[0.1, 0.2, 0.5])
    context = Context(eom, None, (), whole, "Free motion.", False)
    made = motion.section(context)
    drift = np.abs(whole.energy.drift).max()
    assert str(made.html) == (
        '<div><p>Free motion. 0.4 s simulated by DOP853; energy error at most '
        f"{drift:.1e} J, of {whole.energy.range:.3g} J exchanged.</p>"
        '<div class="charts"><div id="chart-energy"></div><div id="chart-phase"></div></div>'
        '<div id="chart-torque"></div><div id="chart-forces"></div></div>'
    )  # fmt: skip
    assert (made.id, made.title, list(made.data)) == ("motion", "Motion", ["motion"])
    data = made.data["motion"]
    assert (data["t"][0], data["t"][-1]) == (0, pytest.approx(0.4))
    N = np.array(eom.evaluate("kinematic_map", q=whole.q[-1]))
    rates = dict(zip(data["rateNames"], data["rates"][-1], strict=True))
    speeds = dict(zip([s.name for s in eom.v], data["v"][-1], strict=True))
    assert list(rates.values()) == pytest.approx(N @ whole.v[-1], rel=1e-8)
    assert sorted(rates) == sorted(
        ["u1", *(f"rate of {q.name}" for q in eom.q if q.name != "lean")]
    )
    assert rates["u1"] == pytest.approx(speeds["u1"], rel=1e-8)


def test_the_section_without_a_motion() -> None:
    for name, text in (
        ("rr_arm", "The joints sway to show how the robot moves; this is not a simulation. "),
        ("four_bar", "The joints of a robot with loops or held contacts do not sway, since they "
                     "depend on each other. "),
    ):  # fmt: skip
        eom = eq.derive(eq.load(name))
        made = motion.section(Context(eom, None, (), None, "", False))
        own = "use eq.report(robot, path, trajectory=eq.simulate(…))."
        assert str(made.html) == f"<p>{text}To show your own motion, {own}</p>"
        reach = 0.0 if name == "four_bar" else SWAY
        assert made.data == {"sway": {"reach": [reach] * len(eom.q), "duration": 6}}


def test_joints_sway_within_their_limits() -> None:
    """Once, twice or three times about home while the motion is played; a tenth as far on a slide."""
    bodies = [eq.Body("a", eq.revolute("q1")), eq.Body("b", eq.prismatic("q2", axis="x"), parent="a"),
              eq.Body("c", eq.revolute("q3"), mass=1, parent="b")]  # fmt: skip
    robot = eq.Robot("r", bodies, limits={"q3": (-0.1, 0.2)}, home={"q1": 0.5})
    found = motion.swaying(Context(eq.derive(robot), None, (), None, "", False))
    turns = np.linspace(0, 2 * np.pi, 61)
    assert found[:, 0] == pytest.approx(0.5 + SWAY * np.sin(turns))
    assert found[:, 1] == pytest.approx(0.2 * SWAY * np.sin(2 * turns))
    assert found[:, 2] == pytest.approx(0.15 * np.sin(3 * turns).clip(-0.1 / 0.15, 0.2 / 0.15))


def test_the_default_motion_takes_six_seconds() -> None:
    made = motion.default_motion(eq.derive(eq.load("rr_arm")))
    assert made is not None
    trajectory, text = made
    assert trajectory.t == pytest.approx(np.linspace(0, 6, 241))
    assert trajectory.q[0] == pytest.approx([0.1, -0.05])
    assert text == "Free motion, from near the default pose."
