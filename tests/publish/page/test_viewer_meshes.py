"""Meshes in a real browser: they are drawn where Python says, in their colours, and can be picked."""

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import equamo as eq
from chromium import Page, browser
from conftest import WHOLE_SWEEPS
from equamo.publish.page.mesh_data import TRIANGLES
from equamo.publish.page.report import report
from equamo.publish.picture.drawing import skeleton
from equamo.publish.picture.posture import Posture
from mesh_files import binary_stl, urdf
from peer_urdf import file as urdf_file
from viewer_page import write_viewer

pytestmark = [pytest.mark.browser, pytest.mark.needs("PIL", "pinocchio")]

SIZE = (500, 460)
FILES = {
    "panda": ("panda_description/urdf/panda.urdf", "fixed"),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", "fixed"),
    "anymal": ("anymal_b_simple_description/robots/anymal.urdf", "free"),
    "g1": ("g1_29dof_rev_1_0.urdf", "free"),
}
ROBOTS = tuple(FILES) if WHOLE_SWEEPS else ("ur5",)
MOST_BYTES = 8_000_000


def opened(model: eq.Robot, folder: Path) -> Page:
    page = browser().open(write_viewer(model, folder / "viewer.html"), *SIZE)
    page.wait_for("window.viewer && viewer.stats().frames")
    page.evaluate("viewer.setOptions({ground: false})")
    return page


def test_a_mesh_is_drawn_in_its_colour_and_picked(tmp_path: Path) -> None:
    """The cube is blue where its centre is projected, at two poses and in the dark scheme."""
    (tmp_path / "cube.stl").write_bytes(binary_stl())
    arm = eq.load(urdf(tmp_path, "cube.stl", scale="0.1 0.1 0.1"))
    center = np.array([0.0, 0.0, 0.5, 1.0])
    page = opened(arm, tmp_path)
    for q, scheme in ((0.0, "light"), (0.1, "dark")):
        page.scheme(scheme)
        point = (Posture(arm)(np.array([q]))[1] @ center)[:3]
        page.evaluate(f"(viewer.setPose([{q}]), viewer.draw())")
        x, y = page.evaluate(f"viewer.project({json.dumps(point.tolist())})")
        assert page.evaluate(f"viewer.pick({x}, {y})") == "hand"
        assert page.evaluate("viewer.pick(2, 2)") is None
        with Image.open(page.screenshot(tmp_path / "cube.png")) as picture:
            red, green, blue = picture.convert("RGB").getpixel((round(x), round(y)))
        assert blue > 100 > max(red, green)
    assert page.quiet(), (page.messages, page.requests)
    page.close()


@pytest.mark.parametrize("name", ROBOTS)
def test_meshes_of_real_robots(name: str, tmp_path: Path) -> None:
    """Every mesh is read, the page is small, and what is picked at a mesh is a body of the robot."""
    file, base = FILES[name]
    robot = eq.load(urdf_file(file), base=base)
    found = skeleton(robot, triangles=TRIANGLES)
    assert found.meshes.problems == ()
    assert 0.5 * TRIANGLES < sum(len(s.faces) for s in found.meshes.surfaces) <= TRIANGLES
    page = opened(robot, tmp_path)
    picked = set()
    some = found.meshes.solids[:: 1 if WHOLE_SWEEPS else 5]
    for m in some:
        pose = Posture(robot)(np.array([c.home for c in found.coordinates]))[m.body]
        point = pose[:3, :3] @ m.ends.mean(axis=0) + pose[:3, 3]
        x, y = page.evaluate(f"viewer.project({json.dumps(point.tolist())})")
        picked.add(page.evaluate(f"viewer.pick({x}, {y})"))
    assert len(picked - {None}) > len({m.body for m in some}) / 3
    assert page.quiet(), (page.messages, page.requests)
    page.close()
    if not WHOLE_SWEEPS:
        return
    path = report(robot, tmp_path / "page.html", prove=False, simulate=False, time=False)
    assert path.stat().st_size < MOST_BYTES
