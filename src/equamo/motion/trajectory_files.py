"""Trajectories in files: npz (all of it, with the equations), csv, gif; and as a pandas DataFrame."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast, final
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError, EvaluationError, FileFormatError, UnknownNameError
from ..expr import Expr
from ..expr.functions import BY_NAME
from ..expr.store import dump, load as load_nodes
from ..formats.text_file import open_file
from ..wording import brief

if TYPE_CHECKING:
    from .trajectory import Trajectory

Floats = NDArray[np.float64]

KIND: Final = "equamo trajectory"
VERSION: Final = 1
MOST_BYTES: Final = 4 << 30  # of a file, and of the arrays in it
SUFFIXES: Final = (".npz", ".csv", ".gif")
TIME_TAKEN: Final = "time [s]"  # the name of the time where a coordinate is named t
ARRAYS: Final = ("t", "q", "v", "vdot", "inputs", "external", "lengths", "directions")


def save(trajectory: Trajectory, path: str | Path, **options: Any) -> None:
    """Write a file by its suffix."""
    if not isinstance(path, (str, PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        choices = ", ".join(SUFFIXES)
        raise EvaluationError(
            f"save(): path must be that of a file ({choices}), got {brief(path)}."
        )
    target = Path(path)
    suffix = target.suffix.lower()
    if suffix not in SUFFIXES:
        raise UnknownNameError("file suffix", suffix, SUFFIXES, str(path))
    if options and suffix != ".gif":
        raise UnknownNameError("option", next(iter(options)), (), f"a {suffix} file")
    try:
        if suffix == ".npz":
            _save_npz(trajectory, target)
        elif suffix == ".csv":
            _save_csv(trajectory, target)
        else:
            from .stick_figure import save_gif

            save_gif(trajectory, target, **options)
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be written ({error.strerror or error}).") from None


# -- npz -----------------------------------------------------------------------------------------------
def _save_npz(trajectory: Trajectory, path: Path) -> None:
    with TemporaryDirectory() as folder:
        equations = Path(folder) / "equations"
        trajectory.eom.save(equations)
        text = equations.read_text(encoding="utf-8")
    head = {
        "kind": KIND,
        "version": VERSION,
        "method": trajectory.method,
        "values": dict(trajectory.values),
        "work": list(trajectory.work),
        "events": list(trajectory.events),
        "stopped_by": trajectory.stopped_by,
        "signs": dump(trajectory.signs),
    }
    arrays: dict[str, Any] = {name: getattr(trajectory, name) for name in ARRAYS}
    arrays |= {f"work_{k}": x for k, x in enumerate(trajectory.work.values())}
    arrays |= {f"event_{k}": x for k, x in enumerate(trajectory.events.values())}
    # What could not be read back is not written.
    _check_size(len(text) + sum(x.nbytes for x in arrays.values()), path)
    with path.open("wb") as file:
        np.savez_compressed(file, head=json.dumps(head), equations=text, **arrays)


def load(path: str | Path) -> Trajectory:
    """Read a .npz file that `save` wrote; FileFormatError if it is anything else."""
    from .trajectory import Trajectory

    try:
        with open_file(path, MOST_BYTES) as file:
            _check_unpacked(file, path)
            with np.load(file, allow_pickle=False) as stored:
                data: dict[str, Any] = {name: stored[name] for name in stored.files}
        head: Any = json.loads(str(data["head"]))
        json.dumps(head, ensure_ascii=False).encode()  # half a surrogate pair is not text
        if head["kind"] != KIND:
            raise KeyError("kind")
    except FileFormatError:
        raise
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read ({error.strerror or error}).") from None
    except Exception:  # no archive, no such entry, no JSON
        raise FileFormatError(f"{path}: is not a file of {KIND}.") from None
    if head.get("version") != VERSION:
        raise FileFormatError(
            f"{path}: has version {brief(head.get('version'))}, this equamo reads {VERSION}."
        )
    with TemporaryDirectory() as folder:
        equations = Path(folder) / "equations"
        equations.write_text(str(data.get("equations", "")), encoding="utf-8", errors="replace")
        eom = EquationsOfMotion.load(equations)
    return Trajectory(eom, **_checked(Stored(str(path), data, head), eom))


@final
@dataclass(frozen=True)
class Stored:
    """A file of a trajectory: its arrays and what its head says."""

    path: str
    arrays: dict[str, Any]
    head: dict[str, Any]

    def damaged(self, problem: str) -> FileFormatError:
        return FileFormatError(f"{self.path}: is damaged: {problem}.")

    def floats(self, name: str, *shape: int, finite: bool = False) -> Floats:
        """An array of a shape; −1 is any length."""
        found = self.arrays.get(name)
        if found is None or found.dtype != np.float64 or found.ndim != len(shape):
            raise self.damaged(f"{name!r} must be an array of float64 of {len(shape)} dimensions")
        if any(n not in (-1, m) for n, m in zip(shape, found.shape, strict=True)):
            raise self.damaged(f"{name!r} must have the shape {shape}, got {found.shape}")
        if finite and not np.isfinite(found).all():
            raise self.damaged(f"{name!r} must be finite")
        return found

    def names(self, entry: str, kind: str, valid: Sequence[str] | None = None) -> list[str]:
        """Names of things of a kind, all different, that exist."""
        found = self.head.get(entry)
        if not isinstance(found, list) or not all(isinstance(x, str) for x in cast(Any, found)):
            raise self.damaged(
                f"{entry!r} must be a list of names, got {brief(cast(object, found))}"
            )
        names = cast(list[str], found)
        unknown = [n for n in names if valid is not None and n not in valid]
        if unknown or len(set(names)) < len(names):
            raise self.damaged(f"{brief((unknown or names)[0])} in {entry!r} is not a {kind}")
        return names


def _checked(stored: Stored, eom: EquationsOfMotion) -> dict[str, Any]:
    """What a Trajectory is made of, in the sizes of its equations."""
    robot, head = eom.robot, stored.head
    t = stored.floats("t", -1, finite=True)
    T = len(t)
    if (np.diff(t) <= 0).any():
        raise stored.damaged("the times 't' must be ascending")
    method, stopped_by = head.get("method"), head.get("stopped_by")
    if not isinstance(method, str):
        raise stored.damaged(f"the method must be text, got {brief(method)}")
    work = stored.names("work", "force element", [f.name for f in robot.forces])
    events = stored.names("events", "event")
    if stopped_by is not None and stopped_by not in events:
        raise stored.damaged(f"{brief(stopped_by)} is not one of its events")
    signs = _signs(stored)
    return {
        "method": method,
        "values": _values(stored, eom),
        "work": {name: stored.floats(f"work_{k}", T) for k, name in enumerate(work)},
        "events": {name: stored.floats(f"event_{k}", -1) for k, name in enumerate(events)},
        "stopped_by": stopped_by,
        "signs": signs,
        "t": t,
        "q": stored.floats("q", T, len(eom.q), finite=True),
        "v": stored.floats("v", T, len(eom.v), finite=True),
        "vdot": stored.floats("vdot", T, len(eom.v), finite=True),
        "inputs": stored.floats("inputs", T, len(eom.inputs)),
        "external": stored.floats("external", T, len(eom.external)),
        "lengths": stored.floats("lengths", T, len(robot.unit_groups)),
        "directions": stored.floats("directions", T if signs else -1, len(signs)),
    }


def _signs(stored: Stored) -> tuple[Expr, ...]:
    """sign(a) of dry friction."""
    try:
        signs = tuple(load_nodes(stored.head.get("signs")))  # pyright: ignore[reportArgumentType]
    except EquamoError as error:
        raise stored.damaged(str(error).rstrip(".")) from None
    if any(x.op != BY_NAME["sign"].opcode for x in signs):
        raise stored.damaged("the directions of friction must be signs")
    return signs


def _values(stored: Stored, eom: EquationsOfMotion) -> dict[str, float]:
    """A number for every parameter."""
    given = stored.head.get("values")
    expected = [x.name for x in eom.parameters]
    if not isinstance(given, dict) or sorted(cast(Any, given)) != sorted(expected):
        raise stored.damaged("'values' must have a number for every parameter of the robot")
    values = cast(dict[str, Any], given)
    for name, x in values.items():
        if type(x) is not float and (type(x) is not int or abs(x) > sys.float_info.max):
            raise stored.damaged(f"the value of {name!r} must be a number, got {brief(x)}")
    return {name: float(x) for name, x in values.items()}


def _check_unpacked(file: BinaryIO, path: str | Path) -> None:
    """A small archive can hold arrays that fill the memory; its directory says how large they are."""
    with ZipFile(file) as archive:
        _check_size(sum(part.file_size for part in archive.infolist()), path)
    file.seek(0)


def _check_size(size: int, path: str | Path) -> None:
    if size > MOST_BYTES:
        raise FileFormatError(
            f"{path}: a trajectory in a file must have at most {MOST_BYTES} bytes, this one has "
            f"{size}; take fewer samples with t_eval=."
        )


# -- tables --------------------------------------------------------------------------------------------
def table(trajectory: Trajectory) -> Mapping[str, Floats]:
    """Columns by name: the time first, q, v, inputs, external loads, and energies."""
    eom, energy = trajectory.eom, trajectory.energy
    states = [(s.name, trajectory[s.name]) for s in (*eom.q, *eom.v, *eom.inputs, *eom.external)]
    time = TIME_TAKEN if "t" in dict(states) else "t"
    energies = {"kinetic": energy.kinetic, "potential": energy.potential, "total": energy.total}
    found = [(time, trajectory.t), *states, *((f"{n} energy", x) for n, x in energies.items())]
    names = [name for name, _ in found]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise EquamoError(
            f"A table of the trajectory of robot {eom.robot.name!r} would have two columns "
            f"{', '.join(twice)}; rename them in the robot, or save to .npz."
        )
    return dict(found)


def _save_csv(trajectory: Trajectory, path: Path) -> None:
    columns = table(trajectory)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(
            [repr(float(x)) for x in row] for row in zip(*columns.values(), strict=True)
        )


def to_dataframe(trajectory: Trajectory) -> Any:
    """A pandas DataFrame with the time as its index."""
    try:
        pandas: Any = import_module("pandas")
    except ImportError:
        raise EquamoError(
            "to_dataframe() needs pandas, which is not installed: pip install pandas. "
            "Without it: traj.save('motion.csv'), or the arrays traj.t, traj.q, traj.v."
        ) from None
    columns = table(trajectory)
    return pandas.DataFrame(columns).set_index(next(iter(columns)))
