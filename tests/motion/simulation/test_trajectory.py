"""Trajectory: names, interpolation, files, figures; and the command that makes one."""

from __future__ import annotations

import csv
import json
import pickle
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import typer
from PIL import Image
from typer.testing import CliRunner

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.cli import simulate as verb
from equamo.errors import EquamoError, EvaluationError, FileFormatError, UnknownNameError
from equamo.motion.simulation.simulate import simulate
from equamo.motion.simulation.stick_figure import segments
from equamo.motion.simulation.trajectory import Trajectory
from force_robots import arm, one_of_each

pytestmark = pytest.mark.needs("PIL", "matplotlib")


@pytest.fixture(scope="module")
def motion() -> Trajectory:
    eom = eq.derive(eq.load("rr_arm"))
    return simulate(eom, {"q1": 1}, duration=1, control={"tau2": "-dq2"}, events="q1")


def test_names(motion: Trajectory) -> None:
    assert len(motion) == len(motion.t) == len(motion.q)
    np.testing.assert_array_equal(motion["q2"], motion.q[:, 1])
    np.testing.assert_array_equal(motion["dq1"], motion.v[:, 0])
    np.testing.assert_array_equal(motion["tau2"], -motion["dq2"])
    np.testing.assert_array_equal(motion["ddq2"], motion.vdot[:, 1])
    with pytest.raises(UnknownNameError, match="q1, q2"):
        motion["q3"]
    assert "'rr_arm' by DOP853" in repr(motion)


def test_joint_speeds_by_name() -> None:
    """Of the pendulum on wheels: Ẋ₀ and Ẏ₀ are the speed along the heading."""
    made = simulate(
        eq.derive(eq.load("wheeled_inverted_pendulum")), v={"dx": 1, "dpsi": 1}, duration=1
    )
    np.testing.assert_allclose(made["dX0"], made["dx"] * np.cos(made["psi"]), rtol=1e-12)
    np.testing.assert_allclose(made["dY0"], made["dx"] * np.sin(made["psi"]), rtol=1e-12)


def test_acceleration_is_the_derivative_of_speed(motion: Trajectory) -> None:
    h = 1e-4
    inner = (motion.t > h) & (motion.t < 1 - h)
    t = motion.t[inner]
    slope = (motion.at(t + h)[1] - motion.at(t - h)[1]) / (2 * h)
    np.testing.assert_allclose(motion.vdot[inner], slope, atol=1e-4)


def test_at_passes_through_the_samples(motion: Trajectory) -> None:
    q, v = motion.at(motion.t)
    np.testing.assert_allclose(q, motion.q, atol=1e-12)
    np.testing.assert_allclose(v, motion.v, atol=1e-12)
    assert motion.at(0.3)[0].shape == (2,)
    between = simulate(motion.eom, {"q1": 1}, duration=0.3, control={"tau2": "-dq2"}, rtol=1e-12)
    np.testing.assert_allclose(motion.at(0.3)[0], between.q[-1], atol=1e-7)
    for wrong in (-0.1, 1.5, np.nan, [[0.1]]):
        with pytest.raises(EvaluationError, match="between 0 and 1"):
            motion.at(wrong)


def test_pickle(motion: Trajectory) -> None:
    copy = pickle.loads(pickle.dumps(motion))
    np.testing.assert_array_equal(copy.q, motion.q)
    np.testing.assert_array_equal(copy.at(0.77)[1], motion.at(0.77)[1])
    np.testing.assert_array_equal(copy.energy.total, motion.energy.total)


def test_npz_comes_back_whole(tmp_path: Path) -> None:
    eom = eq.derive(arm(*one_of_each()))
    made = simulate(eom, [1, 0, 0.1], [0, 1, 0], duration=1, control={"F": "t"}, events=["q2"])
    made.save(tmp_path / "motion.npz")
    back = Trajectory.load(tmp_path / "motion.npz")
    for name in ("t", "q", "v", "vdot", "inputs", "external", "directions"):
        np.testing.assert_array_equal(getattr(back, name), getattr(made, name))
    for name, work in made.energy.work.items():
        np.testing.assert_array_equal(back.energy.work[name], work)
    np.testing.assert_array_equal(back.torques.passive, made.torques.passive)
    np.testing.assert_allclose(back.at(0.5)[0], made.at(0.5)[0], atol=1e-3)  # by cubics
    assert dict(back.events).keys() == {"q2"}
    assert back.eom.robot.name == "arm"


def test_csv_has_every_digit(motion: Trajectory, tmp_path: Path) -> None:
    motion.save(tmp_path / "motion.csv")
    with (tmp_path / "motion.csv").open(newline="") as file:
        head, *rows = list(csv.reader(file))
    assert head[:7] == ["t", "q1", "q2", "dq1", "dq2", "tau1", "tau2"]
    np.testing.assert_array_equal(np.array(rows, float)[:, 1:3], motion.q)


@pytest.mark.needs("pandas")
def test_dataframe(motion: Trajectory, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = motion.to_dataframe()
    np.testing.assert_array_equal(frame["dq2"].to_numpy(), motion["dq2"])
    np.testing.assert_array_equal(frame.index.to_numpy(), motion.t)
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(EquamoError, match=r'pip install "equamo\[pandas\]"'):
        motion.to_dataframe()


def test_gif_has_a_frame_for_each_moment(motion: Trajectory, tmp_path: Path) -> None:
    motion.save(tmp_path / "motion.gif", fps=5, size=2)
    with Image.open(tmp_path / "motion.gif") as image:
        assert image.n_frames == 6  # type: ignore[attr-defined]
    with pytest.raises(EvaluationError, match="fps"):
        motion.save(tmp_path / "motion.gif", fps=0)


def test_the_stick_figure_has_the_lengths_of_the_links(motion: Trajectory) -> None:
    value = {n: float(x) for n, x in motion.eom.robot.values.items() if x is not None}
    lines = segments(motion, motion.q)
    lengths = np.linalg.norm(lines[:, :, 1] - lines[:, :, 0], axis=-1)
    expected = [0, value["L1"], value["Lc2"]]  # to the shoulder, the elbow, the fore arm's centre
    np.testing.assert_allclose(lengths, np.tile(expected, (len(motion), 1)), atol=1e-12)


def test_plot_shows_the_motion(motion: Trajectory, monkeypatch: pytest.MonkeyPatch) -> None:
    figure = motion.plot()
    labels = [ax.get_ylabel() for ax in figure.axes]
    assert labels == ["q [rad]", "v [rad/s]", "energy [J]", "inputs [N m]"]
    x, y = figure.axes[0].lines[0].get_data()
    np.testing.assert_allclose(y, motion.at(x)[0][:, 0], atol=1e-12)
    total = next(line for line in figure.axes[2].lines if line.get_label() == "total")
    done = next(line for line in figure.axes[2].lines if line.get_label() == "work of tau2")
    np.testing.assert_allclose(
        total.get_ydata() - done.get_ydata(), motion.energy.total[0], atol=1e-6
    )
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(EquamoError, match=r'pip install "equamo\[draw\]"'):
        motion.plot()


def test_files_that_cannot_be(motion: Trajectory, tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="npz"):
        motion.save(tmp_path / "motion.xls")
    with pytest.raises(UnknownNameError, match=r"Unknown option 'fps' in a \.csv file"):
        motion.save(tmp_path / "motion.csv", fps=3)
    with pytest.raises(FileFormatError, match="cannot be written"):
        motion.save(tmp_path / "nowhere" / "motion.csv")
    with pytest.raises(EvaluationError, match="must have at least one sample, got none"):
        replace(motion, t=motion.t[:0]).save(tmp_path / "motion.gif")
    (tmp_path / "other.npz").write_bytes(b"no archive")
    np.savez(tmp_path / "plain.npz", t=motion.t)
    for name in ("other.npz", "plain.npz"):
        with pytest.raises(
            FileFormatError, match="is not an equamo trajectory; it must be written by"
        ):
            Trajectory.load(tmp_path / name)
    with pytest.raises(FileFormatError, match="cannot be read"):
        Trajectory.load(tmp_path / "missing.npz")


# -- the command ---------------------------------------------------------------------------------------
def command(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    app.command()(verb.run)
    done = CliRunner().invoke(app, arguments)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.stdout


def test_command(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    code, text = command(
        "rr_arm", "--duration", "1", "--q", "q1=pi/4,q2=1", "--v", "dq1=0.5", "--save", str(out)
    )
    assert code == 0
    assert "kinetic" in text
    row = out.read_text().splitlines()[1].split(",")
    np.testing.assert_allclose([float(x) for x in row[1:4]], [np.pi / 4, 1, 0.5])


def test_command_in_json() -> None:
    code, text = command(
        "rr_arm", "--duration", "1", "--q", "q1=1", "--control", "tau1=-atan2(q1, 2),tau2=-dq2",
        "--value", "m1=2", "--samples", "5", "--json",
    )  # fmt: skip
    data = json.loads(text)
    assert (code, data["samples"], data["t"]) == (0, 5, 1.0)
    assert data["energy"]["drift"] < 1e-6


def test_command_on_a_run_that_breaks(tmp_path: Path) -> None:
    out = tmp_path / "out.npz"
    code, _ = command(
        "rr_arm", "--duration", "20", "--q", "q1=1", "--control", "tau1=1e4*exp(q1)", "--save", str(out)
    )  # fmt: skip
    assert code == 1
    assert len(Trajectory.load(out)) > 1


def test_command_with_bad_input() -> None:
    for bad, said in (("q1", "name=number"), ("q1=a", "'a'"), ("q9=1", "'q9'")):
        with pytest.raises(EquamoError, match=said):
            command("rr_arm", "--q", bad)


def test_command_names_option_and_coordinate() -> None:
    for arguments, said in (
        (("--q", "q1=x"), r"--q takes name=number, got 'q1=x'"),
        (("--v", "dq1="), r"--v takes name=number"),
        (("--control", "tau1"), r"--control takes name=expression, got 'tau1'"),
        (("--samples", "1"), r"--samples must be at least 2, got 1"),
        (("--samples", "5", "--method", "rk4"), r"--samples can be used only with .*DOP853"),
    ):
        with pytest.raises(EquamoError, match=said):
            command("rr_arm", *arguments)


# -- names, and what is refused ------------------------------------------------------------------------
def named(coordinate: str, robot: str = "slide") -> Trajectory:
    """x = 1 + 2 t."""
    body = eq.Body("block", eq.prismatic(symbol(coordinate), axis="x"), mass=2)
    eom = eq.derive(eq.Robot(robot, [body], gravity="0 0 0"))
    return simulate(eom, [1], [2], duration=1, t_eval=[0, 0.25, 1])


@pytest.mark.needs("pandas")
def test_a_coordinate_t_leaves_the_time_in_tables(tmp_path: Path) -> None:
    motion = named("t")
    motion.save(tmp_path / "out.csv")
    with (tmp_path / "out.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    np.testing.assert_allclose([float(r["time [s]"]) for r in rows], [0, 0.25, 1])
    np.testing.assert_allclose([float(r["t"]) for r in rows], [1, 1.5, 3])
    frame = motion.to_dataframe()
    assert frame.index.name == "time [s]"
    np.testing.assert_allclose(frame["t"], 1 + 2 * frame.index)


def test_two_columns_of_one_name_are_refused(tmp_path: Path) -> None:
    with pytest.raises(EquamoError, match="must have different names, got 'kinetic energy' twice"):
        named("kinetic energy").save(tmp_path / "out.csv")


def test_names_with_a_dollar_are_drawn_as_they_are(tmp_path: Path) -> None:
    motion = named(r"$\frac{", robot=r"$\sqrt{")
    figure = motion.plot()
    figure.savefig(tmp_path / "out.png")
    motion.save(tmp_path / "out.gif", fps=2, size=2)
    assert (tmp_path / "out.gif").stat().st_size > 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"rate": 3}, "fps, speed, size"),
        ({"size": "a"}, "size of a gif must be a number greater than 0, got 'a'"),
        ({"fps": 0}, "fps of a gif must be a number greater than 0, got 0"),
        ({"fps": 1e9}, r"a gif must have at most 2000 frames, got \d+; use a lower fps="),
    ],
)
def test_options_of_a_gif(
    motion: Trajectory, tmp_path: Path, options: dict[str, object], said: str
) -> None:
    with pytest.raises(EquamoError, match=said):
        motion.save(tmp_path / "out.gif", **options)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("t", ["x", None, [[0.1], [0.2, 0.3]]])
def test_at_takes_times(motion: Trajectory, t: object) -> None:
    with pytest.raises(EvaluationError, match=r"at\(\): t must be"):
        motion.at(t)
