"""The page in a real browser: it is quiet, its numbers are Python's, and its parts are linked."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from chromium import Page
from equamo.algebra.expr import symbol
from equamo.publish.page.report import report
from robot_pages import ROBOTS, SAMPLED, equations, opened, written

pytestmark = [pytest.mark.browser, pytest.mark.needs("pinocchio")]

QUANTITIES = {
    "M": "mass_matrix", "C": "coriolis_matrix", "b": "bias", "g": "gravity", "B": "input_matrix",
    "f": "passive_force", "N": "kinematic_map",
}  # fmt: skip


def state(eom: eq.EquationsOfMotion, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A random pose near the default one, and speeds."""
    generator = np.random.default_rng(seed)
    home = np.array([float(x) for x in eom.robot.home.q.values()])
    q = home + generator.uniform(-0.5, 0.5, len(home))
    at = {s: k for k, s in enumerate(eom.q)}
    for group in eom.robot.unit_groups:
        k = [at[s] for s in group]
        q[k] /= np.linalg.norm(q[k])
    return q, generator.uniform(-1, 1, len(eom.v))


def put(page: Page, q: np.ndarray, v: np.ndarray) -> None:
    page.evaluate(f"equamo.state.set({q.tolist()}, {v.tolist()}); equamo.state.update()")


def values(page: Page, part: str) -> np.ndarray:
    """All entries of a part of the equations, as the page has them."""
    return np.array(
        page.evaluate(
            f"""JSON.parse(document.getElementById("data-equations").textContent).parts
            .find((p) => p.id === "{part}").entries
            .map((k) => k < 0 ? 0 : equamo.state.tape.values[k])"""
        )
    )


def shown_number(text: str) -> float:
    return float(text.replace("−", "-"))


@pytest.mark.parametrize("name", ROBOTS)
def test_nothing_is_said_and_nothing_is_asked_for(name: str) -> None:
    with opened(name) as page:
        parts = page.evaluate(
            """JSON.parse(document.getElementById("data-equations").textContent).parts
            .map((p) => [p.id, p.rows.length, Math.max(1, p.columns.length)])"""
        )
        for part, rows, columns in parts:
            page.evaluate(f"equamo.equations.open('{part}', {rows - 1}, {columns - 1})")
            for kind in ("latex", "sympy", "c"):
                page.evaluate(f"equamo.equations.view.text?.('{kind}').length")
        for box in range(6):
            page.evaluate(f"document.querySelectorAll('#options input')[{box}].click()")
        page.evaluate("equamo.player?.seek(1.5); equamo.player?.play()")
        page.evaluate(
            "equamo.state.light(0); document.querySelector('#tree g').dispatchEvent(new Event('click'))"
        )
        assert page.quiet(), (page.messages, page.requests)
        policy = page.evaluate("document.querySelector('meta[http-equiv]').content")
        assert policy.startswith("default-src 'none'; script-src 'unsafe-inline'; ")
        assert not page.evaluate("document.querySelectorAll('[src], link, iframe, object').length")


@pytest.mark.parametrize("name", ROBOTS)
def test_every_entry_has_the_value_that_python_gives(name: str) -> None:
    eom = equations(name)
    with opened(name) as page:
        for seed in range(2):
            q, v = state(eom, seed)
            put(page, q, v)
            for part, quantity in QUANTITIES.items():
                if not page.evaluate(f"!!document.getElementById('tab-{part}')"):
                    continue
                expected = np.asarray(eom.evaluate(quantity, q=q, v=v))
                scale = max(np.abs(expected).max(), 1e-30)
                error = np.abs(values(page, part) - expected.ravel()).max() / scale
                assert error < 1e-12, (part, error)
            energies = [eom.evaluate(x, q=q, v=v) for x in ("kinetic_energy", "potential_energy")]
            np.testing.assert_allclose(values(page, "E"), energies, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("name", SAMPLED)
def test_an_opened_entry_shows_the_value_that_python_gives(name: str) -> None:
    eom = equations(name)
    q, v = state(eom, 7)
    n = len(eom.v)
    M = np.asarray(eom.evaluate("mass_matrix", q=q, v=v))
    with opened(name) as page:
        put(page, q, v)
        for i, j in ((0, 0), (0, n - 1), (n // 2, n - 1), (n - 1, n - 1)):
            page.evaluate(f"equamo.equations.open('M', {i}, {j})")
            shown = shown_number(
                page.evaluate("document.getElementById('entry-value').textContent")
            )
            assert shown == pytest.approx(M[i, j], rel=1e-12, abs=1e-12 * np.abs(M).max())
        q2, v2 = state(eom, 8)  # and it follows the pose
        put(page, q2, v2)
        shown = shown_number(page.evaluate("document.getElementById('entry-value').textContent"))
        assert shown == pytest.approx(eom.evaluate("mass_matrix", q=q2)[n - 1, n - 1], rel=1e-12)


@pytest.mark.parametrize("name", SAMPLED)
def test_every_slider_moves_its_coordinate_and_the_markers(name: str) -> None:
    eom = equations(name)
    data = _data(name)
    ranges, tips, bodies = data["ranges"], data["scene"]["tips"], data["scene"]["bodies"]
    units = {s for g in eom.robot.unit_groups for s in g}
    with opened(name) as page:
        for k, s in enumerate(eom.q):
            if s in units:
                continue
            page.evaluate("equamo.state.reset(); equamo.state.update()")
            wanted = ranges[k]["low"] + 0.7 * (ranges[k]["high"] - ranges[k]["low"])
            scale = 180 / np.pi if ranges[k]["unit"] == "rad" else 1
            page.evaluate(f"""(() => {{
                const slider = document.querySelectorAll("#coordinates input[type=range]")[{k}];
                slider.value = {wanted * scale!r};
                slider.dispatchEvent(new Event("input"));
                equamo.state.update();
                equamo.view.draw();
            }})()""")
            q = np.array(page.evaluate("equamo.state.q"))
            assert q[k] == pytest.approx(wanted, rel=1e-9, abs=1e-9)
            camera = page.evaluate("equamo.view.camera()")
            marks = page.evaluate(
                r"""[...document.querySelectorAll(".viewer-marker")].map((m) =>
                m.style.transform.match(/([-\d.]+)px, ([-\d.]+)px/).slice(1).map(Number))"""
            )
            for tip, mark in zip(tips, marks, strict=True):
                T = _transform(eom, bodies[tip["body"]]["name"], q)
                place = T @ np.array([*tip["point"], 1.0])
                x, y = _projected(camera, place)
                assert np.hypot(x - mark[0], y - mark[1]) < 2


def _data(name: str) -> dict[str, Any]:
    text = written(name).read_text(encoding="utf-8")
    start = text.index('id="data-robot">') + len('id="data-robot">')
    return json.loads(text[start : text.index("</script>", start)])


def _transform(eom: eq.EquationsOfMotion, body: str, q: np.ndarray) -> np.ndarray:
    return np.asarray(eom.evaluate(eom.frame(body).transform(), q=q))


def _projected(camera: dict[str, Any], place: np.ndarray) -> tuple[float, float]:
    clip = np.array(camera["clip"]).reshape(4, 4).T @ place
    x, y = clip[:2] / clip[3]
    return (x + 1) / 2 * camera["width"], (1 - y) / 2 * camera["height"]


def test_a_term_lights_up_its_body_and_a_body_its_terms() -> None:
    with opened("rr_arm") as page:
        page.evaluate("equamo.equations.open('M', 0, 0)")
        terms = page.evaluate(
            """[...document.querySelectorAll("#entry .term")].map((t) => {
            const r = t.getBoundingClientRect();
            return { text: t.textContent, x: r.x + r.width / 2, y: r.y + r.height / 2 }; })"""
        )
        own = {"I1": 0, "m1": 0, "I2": 1, "m2": 1}  # whose inertia each parameter is
        assert len(terms) >= 3
        for term in terms:
            (body,) = {b for n, b in own.items() if n in term["text"]}
            page.mouse("mouseMoved", term["x"], term["y"])
            assert page.evaluate("equamo.state.lit") == body
            caption = page.evaluate("document.querySelector('.caption').textContent")
            assert caption == ("upper", "fore")[body]
        page.mouse("mouseMoved", 2, 2)
        assert page.evaluate("equamo.state.lit") is None
        # a body in the tree lights up the terms with its parameters, and no others
        for body, parameters in ((0, ("I1", "m1")), (1, ("I2", "m2"))):
            page.evaluate(f"""document.querySelectorAll("#tree g")[{body}]
                .dispatchEvent(new PointerEvent("pointerenter"))""")
            lit = page.evaluate(
                """[...document.querySelectorAll("#entry .term")]
                .map((t) => [t.textContent, t.classList.contains("lit")])"""
            )
            assert all(on == any(p in text for p in parameters) for text, on in lit)


def test_terms_in_parentheses_light_up_alone() -> None:
    """Of a factored closed form only what has the body's own parameters: m3, s3, Θ3 of link3."""
    with opened("three_link_arm") as page:
        page.evaluate("equamo.equations.open('M', 0, 0)")
        for body in range(3):
            page.evaluate(f"equamo.state.light({body})")
            lit = page.evaluate(
                "[...document.querySelectorAll('#entry .lit')].map((t) => t.textContent)"
            )
            rest = page.evaluate("""(() => {
                const copy = document.querySelector("#entry .root").cloneNode(true);
                copy.querySelectorAll(".lit").forEach((t) => t.remove());
                return copy.textContent;
            })()""")
            others = "".join(str(k + 1) for k in range(3) if k != body)
            assert lit
            assert all(re.search(rf"[msΘ]{body + 1}", text) for text in lit)
            assert not any(re.search(rf"[mΘ][{others}]", text) for text in lit)
            assert not re.search(rf"[mΘ]{body + 1}", rest)


def test_a_body_of_krang_lights_up_the_entries_that_carry_it() -> None:
    eom = equations("krang")
    with opened("krang") as page:
        for body in (2, 8, 16):
            name = eom.robot.bodies[body].name
            page.evaluate(f"equamo.state.light({body})")
            lit = page.evaluate(
                """[...document.querySelectorAll("#grid td")].map((c) => c.classList.contains("lit"))"""
            )
            inertia = {s for e in eom.robot.body(name).inertia.entries() for s in e.symbols()}
            expected = [bool(inertia & set(e.symbols())) for e in eom.mass_matrix.entries]
            assert lit == expected


def test_five_seconds_played_are_five_seconds_of_motion() -> None:
    with opened("rr_arm") as page:
        played, passed = page.evaluate(
            """new Promise((done) => {
            const { player } = equamo, start = performance.now();
            player.play();
            const wait = () => {
              const now = performance.now();
              if (now - start < 5000) return requestAnimationFrame(wait);
              player.pause();
              done([player.elapsed, (now - start) / 1000]);
            };
            requestAnimationFrame(wait);
            })"""
        )
        assert passed >= 5
        assert played == pytest.approx(passed, abs=0.15)
        assert page.evaluate("equamo.player.time") == pytest.approx(played % 6.0, abs=1e-6)


def test_charts_follow_the_time() -> None:
    with opened("rr_arm") as page:
        places = []
        for time in (0, 3, 6):
            page.evaluate(f"equamo.player.seek({time})")
            places.append(
                float(
                    page.evaluate(
                        "document.querySelector('#chart-energy .cursor').getAttribute('x1')"
                    )
                )
            )
        assert places[1] == pytest.approx((places[0] + places[2]) / 2, abs=0.6)
        assert places[0] < places[1] < places[2]


def test_mathml_comes_in_portions() -> None:
    with opened("krang") as page:
        page.evaluate("equamo.equations.open('C', 0, 1)")
        math = "[...document.querySelectorAll('#entry math')]"
        size = f"{math}.reduce((n, m) => n + m.outerHTML.length, 0)"
        before = page.evaluate(size)
        assert 5_000 < before <= 30_000
        page.evaluate("document.querySelector('#entry .more').click()")
        assert before < page.evaluate(size) <= before + 30_000
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0


def test_names_that_want_to_be_markup_stay_names(tmp_path: Path) -> None:
    bad = [
        "</script><script>window.taken=1</script>", "<img src=x onerror=window.taken=1>",
        "\"><b onclick='x'>", "${taken}", "<!--", "</title></style>",
    ]  # fmt: skip
    robot = eq.Robot(
        bad[0],
        [
            eq.Body(bad[1], eq.revolute(symbol(bad[2])), mass="m1", com="1 0 0", inertia="1 1 1"),
            eq.Body(
                bad[3], eq.revolute(symbol(bad[4]), at="1 0 0"), mass=2, com="1 0 0", parent=bad[1]
            ),
            eq.Body(bad[0], eq.prismatic(symbol(bad[5])), mass=1, parent=bad[3]),
        ],
        parameters=[eq.Parameter("m1", 1, bad[1], bad[0])],
        description=bad[1],
    )
    path = report(robot, tmp_path / "bad.html", time=False)
    with opened(path) as page:
        for part in ("M", "C", "g", "J0"):
            page.evaluate(f"equamo.equations.select('{part}')")
            for kind in ("latex", "sympy", "c"):
                assert page.evaluate(f"equamo.equations.view.text('{kind}').length") > 0
        page.evaluate("document.querySelectorAll('#options input')[4].click()")
        assert page.quiet(), page.messages
        assert page.evaluate("window.taken") is None
        assert page.evaluate("document.querySelectorAll('img, b').length") == 0
        assert page.evaluate("document.querySelector('h1').textContent") == bad[0]
        assert page.evaluate("document.querySelector('#tree').textContent").count("<img") >= 1


def test_without_webgl2_the_robot_is_drawn_with_lines_and_the_page_says_so() -> None:
    blocked = """HTMLCanvasElement.prototype.getContext = ((original) => function (kind, ...rest) {
        return kind === "webgl2" ? null : original.call(this, kind, ...rest);
    })(HTMLCanvasElement.prototype.getContext);"""
    with opened("krang", before=blocked) as page:
        assert "No WebGL2" in page.evaluate("document.getElementById('over').textContent")
        before = page.evaluate("document.querySelector('.sketch').outerHTML")
        page.evaluate("equamo.player.seek(1); equamo.state.update()")
        assert page.evaluate("document.querySelector('.sketch').outerHTML") != before
        assert page.quiet(), page.messages


def test_a_narrow_screen_does_not_scroll_sideways() -> None:
    with opened("krang", width=390, height=800) as page:
        assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_the_page_is_small() -> None:
    assert written("krang").stat().st_size < 3e6
    if "g1" in ROBOTS:
        assert written("g1").stat().st_size < 8e6
