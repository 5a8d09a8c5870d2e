"""Trajectories in files: npz (all of it, with the equations), csv, gif; and as a pandas DataFrame."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from importlib import import_module
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, Final
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from ..errors import EquamoError, EvaluationError, FileFormatError, UnknownNameError
from ..expr.store import dump, load as load_nodes
from ..formats.text_file import open_file
from ..formulations.equations import EquationsOfMotion
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
    """Read a .npz file that `save` wrote."""
    from .trajectory import Trajectory

    try:
        with open_file(path, MOST_BYTES) as file:
            _check_unpacked(file, path)
            with np.load(file, allow_pickle=False) as stored:
                data: dict[str, Any] = {name: stored[name] for name in stored.files}
        head: Any = json.loads(str(data["head"]))
        if head["kind"] != KIND:
            raise KeyError("kind")
    except FileFormatError:
        raise
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read ({error.strerror or error}).") from None
    except Exception:  # no archive, no such entry, no JSON
        raise FileFormatError(f"{path}: is not a file of {KIND}.") from None
    if head["version"] != VERSION:
        raise FileFormatError(
            f"{path}: has version {brief(head['version'])}, this equamo reads {VERSION}."
        )
    with TemporaryDirectory() as folder:
        equations = Path(folder) / "equations"
        equations.write_text(str(data["equations"]), encoding="utf-8")
        eom = EquationsOfMotion.load(equations)
    return Trajectory(
        eom,
        head["method"],
        values=head["values"],
        work={name: data[f"work_{k}"] for k, name in enumerate(head["work"])},
        events={name: data[f"event_{k}"] for k, name in enumerate(head["events"])},
        stopped_by=head["stopped_by"],
        signs=tuple(load_nodes(head["signs"])),
        **{name: data[name] for name in ARRAYS},
    )


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
