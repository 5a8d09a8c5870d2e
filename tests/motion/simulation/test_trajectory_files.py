"""Files of trajectories: sizes, names and types are checked; errors are of ours."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.errors import EquamoError, FileFormatError
from equamo.motion.simulation import trajectory_files
from equamo.motion.simulation.trajectory import Trajectory
from force_robots import arm, one_of_each
from mutated_text import mutated_tree


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """Arrays of two files: with every force element, and with a quaternion."""
    path = tmp_path_factory.mktemp("trajectory") / "motion.npz"
    ball = eq.Robot("ball", [eq.Body("b", eq.spherical("s"), mass=1, com="1 0 0", inertia="1 2 3")])
    first = eq.simulate(
        eq.derive(arm(*one_of_each())), [1, 0, 0.1], [0, 1, 0], duration=0.2, events=["q2"]
    )
    found: list[dict[str, Any]] = []
    for made in (first, eq.simulate(eq.derive(ball), v=[1, 0, 0], duration=0.1)):
        made.save(path)
        with np.load(path) as stored:
            found.append({name: stored[name] for name in stored.files})
    return found


def load(content: dict[str, Any], path: Path) -> Trajectory:
    np.savez(path, **content)
    return Trajectory.load(path)


def use(motion: Trajectory) -> None:
    """Everything that reads the arrays together."""
    assert len(motion.energy.total) == len(motion)
    assert motion.torques is not None
    assert motion.constraint_violation is not None
    if len(motion):
        motion.at(float(motion.t[-1]))
    assert "trajectory of robot" in repr(motion)


def test_what_was_saved_is_accepted(tmp_path: Path, contents: list[dict[str, Any]]) -> None:
    for content in contents:
        use(load(content, tmp_path / "x.npz"))


@pytest.mark.parametrize("name", ["t", "q", "v", "vdot", "inputs", "external", "work_0", "event_0"])
@pytest.mark.parametrize("change", ["shorter", "flat", "text", "missing", "float32"])
def test_arrays_that_do_not_fit(
    tmp_path: Path, contents: list[dict[str, Any]], name: str, change: str
) -> None:
    content = dict(contents[0])
    array = content.pop(name)
    if change == "shorter":
        content[name] = array[:-1] if name != "event_0" else array[None]
    elif change == "flat":
        content[name] = np.array(1.0)
    elif change in ("text", "float32"):
        content[name] = array.astype("U8" if change == "text" else np.float32)
    with pytest.raises(FileFormatError, match=r"x\.npz: file is damaged"):
        load(content, tmp_path / "x.npz")


@pytest.mark.parametrize(
    ("entry", "value"),
    [
        ("method", 3),
        ("values", {}),
        ("values", None),
        ("values", "m1"),
        ("work", ["nobody"]),
        ("work", "tau1"),
        ("events", [3]),
        ("events", ["\ud800"]),
        ("events", ["q2", "q2"]),
        ("stopped_by", "somebody"),
        ("stopped_by", ["q2"]),
        ("signs", [[["symbol", "x"]], [0]]),
        ("signs", [[["sign", 5]], [0]]),
        ("signs", None),
        ("version", 2),
        ("version", None),
    ],
)
def test_heads_that_do_not_fit(
    tmp_path: Path, contents: list[dict[str, Any]], entry: str, value: Any
) -> None:
    head = json.loads(str(contents[0]["head"])) | {entry: value}
    with pytest.raises(FileFormatError):
        load({**contents[0], "head": json.dumps(head)}, tmp_path / "x.npz")


@pytest.mark.parametrize("value", [True, "1", None, 10**400])
def test_values_are_numbers(tmp_path: Path, contents: list[dict[str, Any]], value: Any) -> None:
    head = json.loads(str(contents[0]["head"]))
    head["values"]["m1"] = value
    with pytest.raises(FileFormatError, match="the value of 'm1'"):
        load({**contents[0], "head": json.dumps(head)}, tmp_path / "x.npz")


def test_times_ascend_and_states_are_finite(tmp_path: Path, contents: list[dict[str, Any]]) -> None:
    content = contents[0]
    with pytest.raises(FileFormatError, match="increasing"):
        load({**content, "t": content["t"][::-1]}, tmp_path / "x.npz")
    with pytest.raises(FileFormatError, match="finite"):
        load({**content, "q": content["q"] * np.nan}, tmp_path / "x.npz")


def test_files_that_are_too_large_or_cannot_be_read(
    tmp_path: Path, contents: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: Any, **__: Any) -> None:
        raise OSError(5, "Input/output error")

    with monkeypatch.context() as patch:
        patch.setattr(np, "load", failing)
        with pytest.raises(FileFormatError, match=r"cannot be read \(Input/output error\)"):
            load(contents[0], tmp_path / "x.npz")
    motion = load(contents[0], tmp_path / "x.npz")
    monkeypatch.setattr(trajectory_files, "MOST_BYTES", 1000)
    with pytest.raises(FileFormatError, match=r"must have at most 1000 bytes, got \d+; use fewer"):
        motion.save(tmp_path / "y.npz")


def test_random_changes(tmp_path: Path, contents: list[dict[str, Any]]) -> None:
    """What loads can be used; the rest is refused with an error of ours."""
    for seed in range(3000 if WHOLE_SWEEPS else 60):
        random = Random(seed)
        content = dict(contents[seed % 2])
        if random.random() < 0.5:
            head = json.loads(str(content["head"]))
            mutated_tree(head, random)
            content["head"] = np.array(json.dumps(head))
        else:
            name = random.choice([n for n in content if n != "equations"])
            content[name] = _changed(content[name], random)
        try:
            motion = load(content, tmp_path / "x.npz")
        except EquamoError:
            continue
        with np.errstate(all="ignore"):
            use(motion)


def _changed(array: Any, random: Random) -> Any:
    kinds = [
        lambda a: a[:-1], lambda a: a[..., None], lambda a: a.T, lambda a: a.reshape(-1),
        lambda a: a.astype("U8"), lambda a: np.zeros((0,) * a.ndim), lambda a: -a,
        lambda a: np.full_like(a, np.inf), lambda a: np.array("x"), lambda a: np.array(1.5),
    ]  # fmt: skip
    try:
        return random.choice(kinds)(array)
    except (IndexError, TypeError, ValueError, np.exceptions.DTypePromotionError):  # of text
        return np.array("x")
