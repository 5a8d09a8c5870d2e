"""Films: their frames show the robot at their times; every argument is checked."""

import itertools
import stat
import sys
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import equamo as eq
from equamo.publish.picture import animate
from equamo.publish.picture.animate import _durations, _times
from equamo.publish.picture.camera import Camera
from equamo.publish.picture.raster import paint

pytestmark = pytest.mark.needs("PIL", "matplotlib")


@cache
def swing() -> eq.Trajectory:
    return eq.simulate(eq.derive(eq.load("rr_arm")), q={"q1": 1}, duration=0.5)


def test_a_gif_has_the_frames_of_the_motion(tmp_path: Path) -> None:
    told: list[float] = []
    path = eq.animate(
        swing(), tmp_path / "run.gif", fps=10, width=200, height=150, progress=told.append
    )
    assert told == [1, 2, 3, 4, 5, 6]
    with Image.open(path) as film:
        assert (film.n_frames, film.size, film.info["loop"]) == (6, (200, 150), 0)
        frames, duration = [], 0
        for k in range(film.n_frames):
            film.seek(k)
            duration += film.info["duration"]
            frames.append(np.asarray(film.convert("RGB"), dtype=int))
    assert duration == 600
    for a, b in itertools.pairwise(frames):
        assert (np.abs(a - b).sum(axis=2) > 60).sum() > 50  # the arm has moved
    dark = [(f.sum(axis=2) < 500).sum() for f in frames]
    assert min(dark) > 200  # and is in every picture


def test_times_of_frames() -> None:
    assert _times(swing(), 10, 1).tolist() == pytest.approx([0, 0.1, 0.2, 0.3, 0.4, 0.5])
    assert _times(swing(), 10, 2.5).tolist() == pytest.approx([0, 0.25, 0.5])
    assert _times(swing(), 1, 100).tolist() == pytest.approx([0, 0.5])


@pytest.mark.parametrize("fps", [50, 30, 24.5, 7])
def test_a_gif_lasts_as_long_as_it_should(fps: float) -> None:
    each = _durations(200, fps)
    assert np.abs(np.cumsum(each) - 1000 * np.arange(1, 201) / fps).max() <= 5
    assert min(each) >= 20


def test_a_robot_that_moves_away_stays_in_the_picture(tmp_path: Path) -> None:
    body = eq.Body("ball", eq.free("b"), mass=1, inertia="0.1 0.1 0.1")
    robot = eq.Robot("ball", [body], forces=[], gravity="0 0 0")
    far = eq.simulate(eq.derive(robot), v={"b_vx": 100}, duration=1.0)
    path = eq.animate(far, tmp_path / "far.gif", fps=2, width=160, height=120)
    with Image.open(path) as film:
        film.seek(film.n_frames - 1)
        assert (np.asarray(film.convert("L")) < 200).sum() > 200


FAKE = """#!/bin/sh
for last; do :; done
cat > "${last#file:}"
echo "$@" > "$(dirname "$0")/arguments"
"""


def fake(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    """A program of the name ffmpeg, which is the only one on the path besides the system's."""
    program = folder / "bin" / "ffmpeg"
    program.parent.mkdir()
    program.write_text(text)
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{program.parent}:/usr/bin:/bin")


@pytest.mark.posix
def test_mp4_gets_raw_frames(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, FAKE)
    path = eq.animate(swing(), str(tmp_path / "run.mp4"), fps=8, width=64, height=48)
    assert path.stat().st_size == 5 * 64 * 48 * 3
    arguments = (tmp_path / "bin" / "arguments").read_text()
    assert "-pix_fmt rgb24 -s 64x48 -r 8 -i -" in arguments
    assert f"file:{path}" in arguments


@pytest.mark.posix
def test_mp4_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "#!/bin/sh\necho no such codec >&2\nexit 3\n")
    with pytest.raises(eq.EquamoError, match=r"ended with status 3: no such codec\."):
        eq.animate(swing(), tmp_path / "run.mp4", fps=20)
    monkeypatch.setattr("equamo.publish.picture.animate.paint", _broken)
    with pytest.raises(ZeroDivisionError):
        eq.animate(swing(), tmp_path / "run.mp4")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(eq.EquamoError, match=r"needs the program ffmpeg, which is not installed"):
        eq.animate(swing(), tmp_path / "run.mp4")


def _broken(*_: object) -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize(("given", "message"), [
    ({"fps": 0}, "fps must be greater than 0, got 0"), ({"fps": True}, "got True"),
    ({"speed": -1}, "speed must be greater than 0, got -1"), ({"speed": "fast"}, "got 'fast'"),
    ({"speed": float("nan")}, "got nan"), ({"fps": 10**400}, "fps must be greater than 0, got an int"),
    ({"fps": np.complex128(3)}, "fps must be greater than 0"),
    ({"fps": 60}, "at most 50 frames per second and last at most 600 s, got fps 60 and 0.5167 s;"),
    ({"fps": 1e-3}, "got fps 0.001 and 2000 s; change fps= or speed=, or write an .mp4 file"),
    ({"width": 101}, "width must be an even number of pixels from 16 to 4000, got 101"),
    ({"height": 1e3}, "height must be an even number"), ({"height": 8000}, "got 8000"),
    ({"fps": 10_000}, "at most 2000 frames, got 5000; use a lower fps= or a higher speed="),
])  # fmt: skip
def test_arguments(given: dict, message: str, tmp_path: Path) -> None:
    with pytest.raises(eq.EvaluationError, match="animate") as error:
        eq.animate(swing(), tmp_path / "run.gif", **given)
    assert message in str(error.value)


def test_trajectory_and_path(tmp_path: Path) -> None:
    with pytest.raises(eq.EvaluationError, match=r"must come from eq\.simulate"):
        eq.animate(eq.load("rr_arm"), "run.gif")
    with pytest.raises(eq.EvaluationError, match="must be the path of a file, got 3"):
        eq.animate(swing(), 3)
    for name in ("a\0.gif", "\ud800.gif"):
        with pytest.raises(eq.EvaluationError, match="must be the path of a file, got"):
            eq.animate(swing(), name)
    with pytest.raises(eq.UnknownNameError, match="avi"):
        eq.animate(swing(), "run.avi")
    with pytest.raises(eq.FileFormatError, match="cannot be written: No such file"):
        eq.animate(swing(), tmp_path / "no" / "run.gif", fps=4)
    from dataclasses import replace

    empty = replace(swing(), t=np.empty(0))
    with pytest.raises(eq.EvaluationError, match="at least one sample, got none"):
        eq.animate(empty, "run.gif")


def test_a_caption_is_written() -> None:
    from equamo.publish.picture.flat import Flat

    page = Flat(120.0, 60.0, (), (), ())
    assert np.asarray(paint(page)).min() == 255
    assert np.asarray(paint(page, "arm")).min() < 150


def test_without_pillow_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "PIL.Image", None)
    with pytest.raises(eq.MissingLibraryError, match=r'^animate needs Pillow, .*"equamo\[draw\]"'):
        eq.animate(swing(), tmp_path / "run.gif")
    assert not list(tmp_path.iterdir())


def test_the_camera_follows(monkeypatch: pytest.MonkeyPatch) -> None:
    """The view moves with a robot that moves away, and stays behind by the same distance."""
    seen: list[tuple[np.ndarray, np.ndarray]] = []

    def flat(model: object, poses: np.ndarray, camera: Camera) -> None:
        seen.append((poses[:, :3, 3].mean(axis=0), camera.target))

    monkeypatch.setattr(animate, "flat", flat)
    monkeypatch.setattr(animate, "paint", lambda picture, text: text)
    body = eq.Body("block", eq.prismatic("x", axis="x"), mass=1, com="0 0 0.1", inertia="1 1 1")
    run = eq.simulate(eq.derive(eq.Robot("slide", [body], forces=[])), v=[30], duration=2)
    texts = list(animate._frames(run, np.linspace(0, 2, 5), 320, 240))
    assert texts == [f"slide   t = {t:.2f} s" for t in (0, 0.5, 1, 1.5, 2)]
    places, targets = (np.array(x) for x in zip(*seen, strict=True))
    assert places[:, 0] == pytest.approx(30 * np.linspace(0, 2, 5))
    behind = (places - targets)[1:]  # at the start it is not followed yet
    assert behind == pytest.approx(np.tile(behind[0], (4, 1)))
    assert 0 < (targets[1] - targets[0])[0] < places[1, 0]
