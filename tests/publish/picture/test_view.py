"""`eq.view` and `equamo view`: files of every kind, and errors that say what to do."""

from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
import typer
from matplotlib.figure import Figure
from matplotlib.image import imread
from typer.testing import CliRunner

import equamo as eq
from equamo.cli import view as verb
from equamo.errors import EquamoError
from equamo.publish.picture.view import view

pytestmark = pytest.mark.needs("matplotlib")


@pytest.fixture(autouse=True)
def without_a_display() -> Iterator[None]:
    import matplotlib.pyplot as plt

    before = mpl.get_backend()
    plt.switch_backend("agg")
    yield
    plt.close("all")
    plt.switch_backend(before)


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_files(ending: str, tmp_path: Path) -> None:
    path = tmp_path / f"arm.{ending}"
    view(eq.load("rr_arm"), [0.3, 0.4], save=path, labels=True)
    assert path.stat().st_size > 1000


def test_the_pose_is_seen(tmp_path: Path) -> None:
    """The free end of the arm goes up with q1, and so do the dark pixels."""
    rows: list[float] = []
    for q1 in (0.0, 0.4, 0.8):
        view(eq.load("rr_arm"), {"q1": q1}, save=tmp_path / "arm.png")
        picture = imread(tmp_path / "arm.png")[:, :, :3].sum(axis=2)
        body = np.argwhere(picture[40:] < 2.4)  # below the title
        rows.append(float(body[body[:, 1] > 0.5 * picture.shape[1], 0].min()))
    assert rows[0] > rows[1] > rows[2]


def test_labels_are_the_names_of_bodies() -> None:
    robot = eq.load("rr_arm")
    names = [b.name for b in robot.bodies]
    for labels in (False, True):
        axes = view(robot, ax=Figure().add_subplot(), labels=labels)
        assert [x.get_text() for x in axes.texts] == (names if labels else [])
    assert not view(robot, ax=Figure().add_subplot()).texts


def test_axes_of_the_caller_and_equations() -> None:
    figure = Figure()
    axes = figure.add_subplot()
    assert view(eq.derive(eq.load("rp_arm")), ax=axes) is axes
    new = view(eq.load("rp_arm"))
    assert new is not axes
    assert new.get_title() == "rp_arm"


def test_a_name_is_no_mathematics(tmp_path: Path) -> None:
    body = eq.Body("$b", eq.revolute("q"), mass=1, com="1 0 0")
    robot = eq.Robot(r"$\frac{", [body], gravity=[0, 0, -9])
    view(robot, save=tmp_path / "x.png", labels=True)
    assert (tmp_path / "x.png").exists()


def test_errors(tmp_path: Path) -> None:
    arm = eq.load("rr_arm")
    with pytest.raises(EquamoError, match="takes a Robot"):
        view("rr_arm")  # type: ignore[arg-type]
    with pytest.raises(EquamoError, match=r"must end in one of .*png.*, got"):
        view(arm, save=tmp_path / "arm.doc")
    with pytest.raises(EquamoError, match="could not be written"):
        view(arm, save=tmp_path / "nowhere" / "arm.png")
    with pytest.raises(EquamoError, match=r"q must have shape \(2,\)"):
        view(arm, [0.1])


# -- the command ---------------------------------------------------------------------------------------
def command(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    app.command()(verb.run)
    done = CliRunner().invoke(app, list(arguments))
    if isinstance(done.exception, EquamoError):  # the command itself prints it and exits with 2
        return 2, str(done.exception)
    return done.exit_code, done.output


def test_command(tmp_path: Path) -> None:
    png, tree = tmp_path / "arm.png", tmp_path / "tree.svg"
    code, said = command("rr_arm", "--png", str(png), "--q", "q1=pi/2", "--q", "q2=-1", "--labels")
    assert (code, said) == (0, f"{png}: rr_arm\n")
    assert imread(png).shape[:2] == (540, 720)
    code, said = command("rr_arm", "--tree", str(tree))
    assert (code, said) == (0, f"{tree}: kinematic tree of rr_arm\n")
    assert "<svg" in tree.read_text(encoding="utf-8")


@pytest.mark.parametrize(("arguments", "message"), [
    (("no_such_robot", "--png", "x.png"), "no_such_robot"),
    (("rr_arm", "--png", "x.png", "--q", "q9=1"), "Valid: q1, q2"),
    (("rr_arm", "--png", "x.png", "--q", "q1"), "--q takes name=number"),
    (("rr_arm", "--png", "x.png", "--q", "q1=fast"), "--q takes name=number"),
    (("rr_arm", "--png", "x.png", "--q", "q1=nan"), "finite numbers"),
    (("rr_arm", "--png", "x.docx"), "must end in one of"),
    (("rr_arm",), "view needs a display"),
])  # fmt: skip
def test_command_with_bad_input(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code, said = command(*arguments)
    assert code == 2
    assert message in said
    assert not list(tmp_path.iterdir())


def test_the_picture_fills_its_axes() -> None:
    """Heights are counted from the top; a picture starts in the upper left corner."""
    axes = view(eq.load("rr_arm"), ax=Figure().add_subplot())
    (left, right), (bottom, top) = axes.get_xlim(), axes.get_ylim()
    assert left == top == 0
    assert right > 0 < bottom
