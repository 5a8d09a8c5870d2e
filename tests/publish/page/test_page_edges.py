"""Pages of robots and screens at the edge: nothing moves, quaternions, phones, keys; wrong arguments."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.code.codegen.quantities import quantities
from equamo.motion.simulation.simulate import simulate
from equamo.publish.page.report import report
from equamo.publish.page.sections.motion import default_motion
from robot_pages import equations, opened

pytestmark = pytest.mark.needs("pinocchio")


@pytest.mark.browser
@pytest.mark.parametrize("mass", ["m", 2])
def test_a_robot_that_cannot_move_has_a_page(tmp_path: Path, mass: Any) -> None:
    parameters = [eq.Parameter("m", 2)] if mass == "m" else []
    body = eq.Body("stone", eq.fixed(at="0 0 1"), mass=mass, com="1 0 0", inertia="1 1 1")
    path = report(eq.Robot("stone", [body], parameters=parameters), tmp_path / "s.html")
    with opened(path) as page:
        page.evaluate("equamo.state.update(); equamo.view.draw()")
        assert page.quiet(), page.messages
        assert "Infinity" not in page.evaluate("document.getElementById('coordinates').outerHTML")
        facts = page.evaluate("document.querySelector('.facts').textContent")
        assert "1 body" in facts
        assert f"· {'2 parameters' if mass == 'm' else '1 parameter'} ·" in facts  # g is one


@pytest.mark.browser
def test_quaternions_stay_on_the_sphere_whatever_is_typed(tmp_path: Path) -> None:
    robot = eq.Robot("plate", [eq.Body("plate", eq.free("b"), mass=1, inertia="1 2 3")])
    path = report(robot, tmp_path / "p.html", time=False, prove=False)
    names = [s.name for s in robot.q]
    group = [names.index(s.name) for s in robot.unit_groups[0]]
    with opened(path) as page:
        for k, typed in ((group[0], 7), (group[1], -3), (group[2], 0.5), (group[3], 1e9)):
            page.evaluate(f"""(() => {{
                const field = document.querySelectorAll("#coordinates input[type=number]")[{k}];
                field.value = {typed};
                field.dispatchEvent(new Event("change"));
            }})()""")
            q = np.array(page.evaluate("equamo.state.q"))
            assert np.linalg.norm(q[group]) == pytest.approx(1, abs=1e-12)
            assert q[k] == pytest.approx(np.clip(typed, -1, 1), abs=1e-12)


def test_units_of_chosen_speeds_and_of_quaternions() -> None:
    found = quantities(eq.load("wheeled_inverted_pendulum"))
    assert {x.name: x.unit for x in found["q"]} == {
        "X0": "m", "Y0": "m", "theta_L": "rad", "theta_R": "rad", "q_imu": "rad",
    }  # fmt: skip
    assert not any(x.unit for x in found["v"])
    robot = eq.Robot("plate", [eq.Body("plate", eq.free("b"), mass=1, inertia="1 2 3")])
    units = {s for g in robot.unit_groups for s in g}
    for s, quantity in zip(robot.q, quantities(robot)["q"], strict=True):
        assert quantity.unit == ("" if s in units else "m")


@pytest.mark.ci
def test_the_panda_starts_and_stays_within_its_limits() -> None:
    eom = equations("panda")
    made = default_motion(eom)
    assert made is not None
    for name, limits in eom.robot.limits.items():
        low, high = (float(eom.evaluate(x)) for x in (limits.lower, limits.upper))
        assert low - 1e-9 <= made[0][name][0] <= high + 1e-9, name


@pytest.mark.parametrize(
    "given",
    [{"trajectory": 5}, {"certificate": "x"}, {"audit": 5}, {"audit": [5]}, {"audit": "x"}],
)
def test_what_is_no_result_is_refused(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(eq.EquamoError, match=next(iter(given))):
        report(eq.load("rr_arm"), tmp_path / "x.html", **given)
    assert not (tmp_path / "x.html").exists()


def test_an_empty_trajectory_is_refused(tmp_path: Path) -> None:
    motion = simulate(equations("rr_arm"), duration=1)
    arrays = ("t", "q", "v", "vdot", "inputs", "external", "lengths", "directions")
    empty = replace(motion, **{n: getattr(motion, n)[:0] for n in arrays})
    with pytest.raises(eq.EquamoError, match="no samples"):
        report(motion.eom, tmp_path / "x.html", trajectory=empty)


@pytest.mark.browser
def test_a_phone_shows_whole_tables_and_letters_of_their_size() -> None:
    with opened("wheeled_inverted_pendulum", width=390, height=800) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
        cut = """[...document.querySelectorAll(".proofs")].map((t) =>
            t.parentElement.scrollWidth - t.parentElement.clientWidth)"""
        assert max(page.evaluate(cut)) <= 0
        scale = """[...document.querySelectorAll("svg.chart")].map((s) =>
            s.getBoundingClientRect().width / s.viewBox.baseVal.width)"""
        assert min(page.evaluate(scale)) > 0.9
        # the name breaks at its underscores only
        parts = page.evaluate("""[...document.querySelector("h1").childNodes]
            .filter((n) => n.nodeType === 3).map((n) => {
                const range = document.createRange();
                range.selectNodeContents(n);
                return range.getClientRects().length; })""")
        assert set(parts) == {1}


@pytest.mark.browser
def test_tabs_go_by_arrow_keys_and_say_what_they_control() -> None:
    with opened("krang") as page:
        page.evaluate("document.getElementById('tab-M').focus()")
        page.key("ArrowRight")
        chosen = "document.querySelector('#tabs [aria-selected=true]').id"
        assert page.evaluate(chosen) != "tab-M"
        assert page.evaluate(f"document.activeElement.id === {chosen}")
        page.key("ArrowLeft")
        assert page.evaluate(chosen) == "tab-M"
        page.key("End")
        page.key("ArrowRight")
        assert page.evaluate(chosen) == "tab-M"
        lost = """[...document.querySelectorAll("[role=tab]")].filter((t) =>
            document.getElementById(t.getAttribute("aria-controls"))?.role !== "tabpanel").length"""
        assert page.evaluate(lost) == 0
        label = "document.querySelectorAll('#grid td')[1].getAttribute('aria-label')"
        first, second = (s.name for s in equations("krang").q[:2])
        assert page.evaluate(label) == f"M[{first}, {second}]"
        assert page.evaluate("getComputedStyle(document.getElementById('canvas')).touchAction") == (
            "pan-y"
        )


@pytest.mark.browser
def test_a_coordinate_outside_its_limits_is_marked_and_explained() -> None:
    eom = equations("panda")
    name = "panda_joint4"  # its default, 0, is above its upper limit
    k = [s.name for s in eom.q].index(name)
    with opened("panda") as page:
        row = f"document.querySelectorAll('#coordinates .row')[{k}]"
        marked = f"{row}.classList.contains('outside')"
        note = "document.querySelector('#coordinates .notice')"
        # The page opens at the first state of its motion, which is within the limits.
        assert page.evaluate("equamo.state.q")[k] < 0
        assert not page.evaluate(marked)
        assert page.evaluate(f"{note}.hidden")
        page.evaluate(f"equamo.state.setCoordinate({k}, 0); equamo.state.update()")
        assert page.evaluate(marked)
        assert page.evaluate(f"{row}.title").endswith("outside the limits")
        assert page.evaluate(f"{note}.textContent").startswith(
            "Outside the limits of the joint: panda_joint4 is at 0 °, limits −176 to −3.999 °. "
        )
        page.evaluate(f"equamo.state.setCoordinate({k}, -1.5); equamo.state.update()")
        assert page.evaluate(f"{note}.hidden")
        assert not page.evaluate(marked)
