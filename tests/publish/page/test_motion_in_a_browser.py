"""What the page plays is the trajectory; the robot stays in the picture; charts are of what they say."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from chromium import Page
from equamo.motion.simulation.simulate import simulate
from equamo.publish.page.report import report
from equamo.publish.page.resample import coordinate_rates, resampled
from equamo.publish.page.sections.motion import default_motion
from robot_pages import equations, opened

pytestmark = [pytest.mark.browser, pytest.mark.needs("pinocchio")]

MARKS = r"""[...document.querySelectorAll(".viewer-marker")].map((m) =>
    m.style.transform.match(/([-\d.]+)px, ([-\d.]+)px/).slice(1).map(Number))"""


def island(path: Path, name: str) -> Any:
    text = path.read_text(encoding="utf-8")
    start = text.index(f'id="data-{name}">') + len(f'id="data-{name}">')
    return json.loads(text[start : text.index("</script>", start)])


def played(page: Page, time: float) -> np.ndarray:
    return np.array(page.evaluate(f"(equamo.player.seek({time!r}), equamo.state.q)"))


def spinning_body() -> eq.Robot:
    return eq.Robot("plate", [eq.Body("plate", eq.free("b"), mass=1, inertia="1 2 3")])


def test_the_page_plays_the_trajectory_between_the_steps_of_the_solver(tmp_path: Path) -> None:
    eom = equations("rr_arm")
    motion = simulate(eom, q={"q1": 1, "q2": 2}, duration=20)
    path = report(eom, tmp_path / "m.html", trajectory=motion, time=False, prove=False)
    times = np.sort(np.random.default_rng(5).uniform(0, 20, 50))
    with opened(path) as page:
        assert page.evaluate("equamo.player.duration") == pytest.approx(20, abs=1e-9)
        for time, q in zip(times, motion.at(times)[0], strict=True):
            np.testing.assert_allclose(played(page, float(time)), q, rtol=0, atol=1e-3)


def test_a_quaternion_is_played_and_its_rates_are_the_slopes(tmp_path: Path) -> None:
    eom = eq.derive(spinning_body())
    motion = simulate(eom, v=np.array([0.1, 0, 0, 2, 3, 1.0]), duration=3)
    path = report(eom, tmp_path / "m.html", trajectory=motion, time=False, prove=False)
    times = np.sort(np.random.default_rng(6).uniform(0, 3, 20))
    with opened(path) as page:
        for time, q in zip(times, motion.at(times)[0], strict=True):
            np.testing.assert_allclose(played(page, float(time)), q, atol=1e-4)
    data = island(path, "motion")["motion"]
    t, q, rates = (np.array(data[x]) for x in ("t", "q", "rates"))
    slopes = (q[2:] - q[:-2]) / (t[2:] - t[:-2])[:, None]
    np.testing.assert_allclose(rates[1:-1], slopes, atol=2e-2)


@pytest.mark.parametrize("name", ["rr_arm", "wheeled_inverted_pendulum"])
def test_phase_portraits_are_of_a_coordinate_and_its_rate(name: str) -> None:
    eom = equations(name)
    made = default_motion(eom)
    assert made is not None
    motion = resampled(made[0], 1000, 10_000)
    slopes = np.gradient(motion.q, motion.t, axis=0)
    np.testing.assert_allclose(coordinate_rates(motion)[1:-1], slopes[1:-1], rtol=0, atol=5e-3)
    with opened(name) as page:
        options = page.evaluate(
            "[...document.querySelectorAll('#chart-phase option')].map((o) => o.textContent)"
        )
        assert options == [s.name for s in eom.q]
        said = page.evaluate("document.querySelector('#chart-phase svg').textContent")
        expected = "vertical: dq1 [rad/s]" if name == "rr_arm" else "vertical: rate of X0 [m/s]"
        assert expected in said
        # the dot is at (qₖ, q̇ₖ), each up to the scale of its axis
        k = len(eom.q) // 2  # theta_L of the pendulum: no speed is its rate
        page.evaluate(f"""(() => {{
            const choice = document.querySelector("#chart-phase select");
            choice.selectedIndex = {k};
            choice.dispatchEvent(new Event("change"));
        }})()""")
        times = np.arange(0.5, 6, 0.5)  # at samples: charts are straight between them
        dots: list[list[float]] = []
        for time in times.tolist():
            page.evaluate(f"equamo.player.seek({time})")
            dot = "document.querySelector('#chart-phase circle').getAttribute"
            dots.append([float(page.evaluate(f"{dot}('{c}')")) for c in ("cx", "cy")])
        at = np.searchsorted(motion.t, times - 1e-9)
        for column, y in enumerate((motion.q[at, k], coordinate_rates(motion)[at, k])):
            shown = np.array(dots)[:, column]
            fitted = np.polyval(np.polyfit(y, shown, 1), y)
            np.testing.assert_allclose(shown, fitted, atol=0.5)


def test_the_ledger_and_the_torques_are_of_the_states_that_are_played() -> None:
    eom = equations("rr_arm")
    control = {"tau1": "-3*q1 - dq1", "tau2": "sin(2*t)"}
    motion = simulate(eom, q={"q1": 1}, duration=4, control=control)
    found = resampled(motion, 40, 1000)
    again = simulate(eom, q={"q1": 1}, duration=4, control=control, t_eval=found.t)
    for mine, theirs in (
        (found.energy.kinetic, again.energy.kinetic),
        (found.energy.potential, again.energy.potential),
        *zip(found.energy.work.values(), again.energy.work.values(), strict=True),
    ):
        np.testing.assert_allclose(mine, theirs, atol=1e-5)
    np.testing.assert_allclose(found.torques.gravity, again.torques.gravity, atol=1e-5)
    assert float(np.abs(found.energy.drift).max()) < 1e-5


@pytest.mark.parametrize("name", ["rr_arm", "wheeled_inverted_pendulum", "starleth"])
@pytest.mark.parametrize("size", [(1200, 800), (390, 800)])
def test_the_robot_stays_in_the_picture(name: str, size: tuple[int, int]) -> None:
    with opened(name, *size) as page:
        width, height = page.evaluate(
            "(({ width, height }) => [width, height])(equamo.view.camera())"
        )
        for time in np.linspace(0, 6, 20).tolist():
            page.evaluate(f"equamo.player.seek({time!r}); equamo.state.update()")
            page.evaluate("equamo.view.draw()")
            marks = np.array(page.evaluate(MARKS))
            assert len(marks)
            assert (marks >= 0).all(), (time, marks)
            assert (marks <= (width, height)).all(), (time, marks)
            if time == 6:  # fitted again, where the robot has driven to
                page.evaluate("equamo.view.fit(); equamo.view.draw()")
                np.testing.assert_allclose(page.evaluate(MARKS), marks, atol=1.5)


def test_one_sample_is_no_motion(tmp_path: Path) -> None:
    eom = equations("rr_arm")
    motion = simulate(eom, q={"q1": 1}, duration=1, t_eval=[0.5])
    path = report(eom, tmp_path / "one.html", trajectory=motion, time=False, prove=False)
    with opened(path) as page:
        assert page.evaluate("document.getElementById('player').hidden")
        page.evaluate("equamo.player.play(); equamo.player.seek(0)")
        np.testing.assert_allclose(page.evaluate("equamo.state.q"), motion.q[0], atol=1e-8)
        assert page.quiet(), page.messages


def test_a_robot_that_drives_is_said_to_have_no_ground_contact() -> None:
    for name, on_the_ground in (("rr_arm", False), ("wheeled_inverted_pendulum", True)):
        with opened(name) as page:
            said = page.evaluate("document.querySelector('#motion p').textContent")
            assert ("Ground contact is not modelled" in said) == on_the_ground
