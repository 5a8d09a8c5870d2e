"""The viewer in a real browser: what it draws lies where Python says, and it asks for nothing."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import equamo as eq
from chromium import Page, browser
from conftest import WHOLE_SWEEPS
from equamo.algebra.expr.vector import Vector
from equamo.publish.page.scene_data import scene_data
from equamo.publish.picture.camera import Camera
from equamo.publish.picture.drawing import skeleton
from peer_urdf import file as urdf_file
from viewer_page import write_viewer

pytestmark = [pytest.mark.browser, pytest.mark.needs("pinocchio")]

SIZE = (640, 560)
FILES = {"panda": "panda_description/urdf/panda.urdf", "g1": "g1_29dof_rev_1_0.urdf"}
SAMPLE = (
    "krang",
    "starleth",
    "wheeled_inverted_pendulum",
    "rr_arm",
    "krang_on_wheels",
    "panda",
    "g1",
)
LOOPS = ("four_bar", "cassie_leg")
ROBOTS = (*SAMPLE, "rolling_disc", "stanford", "rx90", "iiwa", *LOOPS) if WHOLE_SWEEPS else SAMPLE

# At each pose: the middle of each marker on the page; at some, the bodies that are drawn there too.
MARKERS = """
((poses, some) => {
  viewer.setOptions({ground: false});
  const canvas = document.getElementById("canvas").getBoundingClientRect();
  return poses.map((q, k) => {
    viewer.setPose(q);
    viewer.draw();
    return Array.from(document.querySelectorAll(".viewer-marker"), (m) => {
      const r = m.getBoundingClientRect();
      const x = r.x + r.width / 2 - canvas.x, y = r.y + r.height / 2 - canvas.y;
      return [x, y, k %% some ? null : viewer.pick(x, y)];
    });
  });
})(%s, %d)
"""


@cache
def robot(name: str) -> eq.Robot:
    """Robots as rods; `test_viewer_meshes` has their meshes."""
    return eq.load(str(urdf_file(FILES[name])), meshes=False) if name in FILES else eq.load(name)


def opened(model: eq.Robot, folder: Path, **more: int) -> Page:
    page = browser().open(write_viewer(model, folder / "viewer.html"), *SIZE, **more)
    page.wait_for("window.viewer && viewer.stats().frames")
    return page


@pytest.fixture
def arm(tmp_path: Path) -> Iterator[Page]:
    page = opened(robot("rr_arm"), tmp_path)
    yield page
    assert page.quiet(), (page.messages, page.requests)
    page.close()


def poses_of(model: eq.Robot) -> np.ndarray:
    """Home, then each coordinate alone at a part of its range; quaternions stay of length 1."""
    found = skeleton(model)
    home = np.array([c.home for c in found.coordinates])
    rows = [home]
    for k, c in enumerate(found.coordinates):
        q = home.copy()
        q[k] += 0.3 * ((c.upper if c.upper > c.home else c.lower) - c.home)
        for group in found.unit_groups:
            q[list(group)] /= np.linalg.norm(q[list(group)])
        rows.append(q)
    return np.array(rows)


def projected(clip: list[float], points: np.ndarray) -> np.ndarray:
    """Points (…, 3) in CSS pixels, by the camera matrix that the page uses."""
    matrix = np.array(clip).reshape(4, 4).T
    ends = np.concatenate([points, np.ones((*points.shape[:-1], 1))], axis=-1) @ matrix.T
    ndc = ends[..., :2] / ends[..., 3:]
    return (0.5 + 0.5 * ndc * [1, -1]) * SIZE


@pytest.mark.parametrize("name", ROBOTS)
def test_markers_lie_where_python_says(name: str, tmp_path: Path) -> None:
    model = robot(name)
    eom, tips = eq.derive(model), skeleton(model).tips
    poses = poses_of(model)
    entries = [x for k, p in tips
               for x in eom.frame(model.bodies[k].name).position(at=p.tolist())]  # fmt: skip
    points = eom.evaluate(Vector(entries), q=poses).reshape(len(poses), len(tips), 3)
    page = opened(model, tmp_path)
    some = max(1, len(poses) // 4)
    seen = page.evaluate(MARKERS % (poses.tolist(), some))
    camera = page.evaluate("viewer.camera()")
    assert page.quiet(), (page.messages, page.requests)
    page.close()
    places = np.array([[m[:2] for m in row] for row in seen])
    assert places.shape == (len(poses), len(tips), 2)
    right = projected(camera["clip"], points)
    assert np.abs(places - right).max() < 0.1
    # The picture itself agrees: at the end of a limb there is a body, that limb or one before it.
    inside = ((right > 4) & (right < np.array(SIZE) - 4)).all(axis=-1)
    drawn = [seen[k][j][2] for k in range(0, len(poses), some) for j in np.flatnonzero(inside[k])]
    assert drawn
    assert None not in drawn


def test_every_coordinate_moves_a_marker() -> None:
    """So that the test above cannot pass with sliders that do nothing (a wheel spins on the spot)."""
    model = robot("krang")
    eom, poses = eq.derive(model), poses_of(model)
    entries = [x for k, p in skeleton(model).tips
               for x in eom.frame(model.bodies[k].name).position(at=p.tolist())]  # fmt: skip
    points = eom.evaluate(Vector(entries), q=poses)
    assert (np.abs(points[1:] - points[0]).max(axis=1) > 1e-3).all()


@pytest.mark.parametrize("name", ["krang", "rr_arm", "starleth"])
def test_static_camera_is_the_viewers(name: str, tmp_path: Path) -> None:
    model = robot(name)
    page = opened(model, tmp_path)
    points = np.random.default_rng(3).uniform(-0.5, 0.5, (20, 3))
    theirs = [page.evaluate(f"viewer.project({p.tolist()})") for p in points]
    page.close()
    mine, _ = Camera.fitted(skeleton(model), *SIZE).project(points)
    assert np.abs(mine - theirs).max() < 1e-3


def camera(page: Page) -> dict[str, float]:
    return page.evaluate("viewer.camera()")


def test_mouse(arm: Page) -> None:
    before = camera(arm)
    arm.drag((300, 300), (360, 280))
    turned = camera(arm)
    assert turned["yaw"] < before["yaw"]
    assert turned["pitch"] < before["pitch"]
    assert turned["distance"] == before["distance"]
    arm.drag((300, 300), (360, 280), modifiers=8)  # with shift
    panned = camera(arm)
    assert panned["target"] != turned["target"]
    assert panned["yaw"] == turned["yaw"]
    arm.drag((300, 300), (360, 280), button="right", buttons=2)
    assert camera(arm)["target"] != panned["target"]
    arm.mouse("mouseWheel", 300, 300, deltaX=0, deltaY=-200)
    arm.wait_for(f"viewer.camera().distance < {before['distance']}")
    arm.evaluate("viewer.fit()")
    assert camera(arm) == before


def test_keyboard(arm: Page) -> None:
    before = camera(arm)
    arm.evaluate("document.getElementById('canvas').focus()")
    arm.key("ArrowLeft")
    arm.key("ArrowUp")
    turned = camera(arm)
    assert turned["yaw"] > before["yaw"]
    assert turned["pitch"] > before["pitch"]
    arm.key("+")
    assert camera(arm)["distance"] < before["distance"]
    arm.key("-")
    arm.key("-")
    assert camera(arm)["distance"] > before["distance"]
    arm.key("f")
    assert camera(arm) == before


def test_touch(tmp_path: Path) -> None:
    page = opened(robot("rr_arm"), tmp_path)
    page.resize(*SIZE, touch=True)
    before = camera(page)
    page.touch("touchStart", (300, 300))
    page.touch("touchMove", (340, 300))
    page.touch("touchEnd")
    turned = camera(page)
    assert turned["yaw"] < before["yaw"]
    page.touch("touchStart", (250, 300), (350, 300))
    page.touch("touchMove", (200, 300), (400, 300))
    page.touch("touchEnd")
    assert camera(page)["distance"] == pytest.approx(turned["distance"] / 2, rel=0.02)
    assert page.quiet(), page.messages
    page.close()


def test_hover_pick_and_highlight(arm: Page) -> None:
    # A point in the middle of each link, from the equations' own frames.
    eom = eq.derive(robot("rr_arm"))
    arm.evaluate("viewer.onHover((n) => seen.push(n)); viewer.onPick((n) => seen.push(n))")
    for body in ("upper", "fore"):
        point = eom.evaluate(eom.frame(body).position(at="1/2 0 0")).reshape(1, 1, 3)
        x, y = projected(camera(arm)["clip"], point)[0, 0]
        arm.evaluate(
            "window.seen = []; viewer.onHover((n) => seen.push(n)); viewer.onPick((n) => seen.push(n))"
        )
        arm.mouse("mouseMoved", x, y)
        assert arm.wait_for("seen.at(-1)") == body
        arm.evaluate("seen.length = 0")
        arm.click(x, y)
        assert arm.wait_for("seen.at(-1)") == body
        arm.mouse("mouseMoved", 5, 5)
        arm.wait_for("seen.includes(null)")
    label = (
        "[...document.querySelectorAll('.viewer-label')]"
        ".filter((x) => x.style.visibility === 'visible')"
    )
    assert arm.evaluate(f"{label}.length") == 0
    arm.evaluate("viewer.highlight('fore'); viewer.draw()")
    assert arm.evaluate(f"{label}.map((x) => x.textContent)") == ["fore"]
    arm.evaluate("viewer.highlight(null); viewer.setOptions({labels: true}); viewer.draw()")
    assert arm.evaluate(f"{label}.length") == 2


def test_each_option_changes_the_picture(tmp_path: Path) -> None:
    page = opened(robot("starleth"), tmp_path)
    page.evaluate("viewer.setOptions({markers: false}); viewer.draw()")
    plain = page.screenshot(tmp_path / "plain.png").read_bytes()
    for option, value in (("frames", True), ("coms", True), ("ellipsoids", True), ("axes", True),
                          ("labels", True), ("ground", False), ("markers", True)):  # fmt: skip
        said = str(value).lower()
        page.evaluate(f"viewer.setOptions({{{option}: {said}}}); viewer.draw()")
        changed = page.screenshot(tmp_path / "changed.png").read_bytes()
        assert changed != plain, option
        page.evaluate(f"viewer.setOptions({{{option}: {str(not value).lower()}}}); viewer.draw()")
        assert page.screenshot(tmp_path / "again.png").read_bytes() == plain, option
    page.scheme("dark")
    page.evaluate("viewer.recolor(); viewer.draw()")
    assert page.screenshot(tmp_path / "dark.png").read_bytes() != plain
    assert page.quiet(), page.messages
    page.close()


def test_without_webgl2(tmp_path: Path) -> None:
    path = write_viewer(robot("rr_arm"), tmp_path / "viewer.html")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("<body>", "<body><script>HTMLCanvasElement.prototype.getContext"
                                 " = () => null;</script>"), encoding="utf-8")  # fmt: skip
    page = browser().open(path)
    page.browser.events(0.3)
    assert len(page.messages) == 1
    assert "The 3D view needs WebGL2" in page.messages[0]
    page.close()


def test_a_narrow_window_shows_all(arm: Page) -> None:
    arm.resize(240, 500)
    arm.wait_for("viewer.camera().width === 240")
    arm.evaluate("viewer.fit(); viewer.draw()")
    x, y = arm.evaluate("viewer.project([2, 0, 0])")
    assert 0 < x < 240
    assert 0 < y < 500


def test_names_are_text(tmp_path: Path) -> None:
    bad = [
        "</script><img src=x onerror=document.title='bad'>",
        "<b>&amp;",
        "__proto__",
        "a\u2028b\"'`${1}",
    ]
    parents = ["world", *bad]
    model = eq.Robot("<!--<script>", [
        eq.Body(n, eq.revolute(f"q{k}", at="1 0 0"), mass=1, com="1/2 0 0", parent=parents[k])
        for k, n in enumerate(bad)
    ], gravity=[0, 0, -9])  # fmt: skip
    page = opened(model, tmp_path)
    page.evaluate("viewer.setOptions({labels: true}); viewer.draw()")
    texts = page.evaluate(
        "[...document.querySelectorAll('.viewer-label')].map((x) => x.textContent)"
    )
    assert texts == bad
    assert page.evaluate("document.title") == "viewer"
    assert page.evaluate("document.images.length") == 0
    assert page.quiet(), page.messages
    page.close()


def test_scene_is_plain_data_of_the_model() -> None:
    scene = scene_data(robot("krang"))
    assert [b["name"] for b in scene["bodies"]] == [b.name for b in robot("krang").bodies]
    names = [b.name for b in robot("krang").bodies]
    for data, body in zip(scene["bodies"], robot("krang").bodies, strict=True):
        assert data["parent"] == (names.index(body.parent) if body.parent in names else -1)
    assert [c["name"] for c in scene["coordinates"]] == [x.name for x in robot("krang").q]
    mass = eq.derive(robot("krang")).evaluate(sum((b.inertia.mass for b in robot("krang").bodies),
                                                  eq.parse("0")))  # fmt: skip
    assert sum(b["mass"] for b in scene["bodies"]) == pytest.approx(mass, rel=1e-9)
