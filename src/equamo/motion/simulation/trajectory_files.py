"""Trajectories as files: npz (everything, with the equations), csv, gif; and as pandas DataFrame."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, BinaryIO, Final, cast, final
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...algebra.expr.functions import BY_NAME
from ...algebra.expr.store import dump, load as load_nodes
from ...basics.extras import library
from ...basics.wording import brief
from ...errors import EquamoError, EvaluationError, FileFormatError, UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.formats.text_file import open_file, shown
from .flow_code import powers

if TYPE_CHECKING:
    from .trajectory import Trajectory

Floats = NDArray[np.float64]

KIND: Final = "equamo trajectory"
VERSION: Final = 1
MOST_BYTES: Final = 4 << 30  # largest size of a file, and of the arrays in it
SUFFIXES: Final = (".npz", ".csv", ".gif")
TIME_TAKEN: Final = "time [s]"  # name of the time column if a coordinate is named t
ARRAYS: Final = ("t", "q", "v", "vdot", "inputs", "external", "lengths", "directions")


def save(trajectory: Trajectory, path: str | Path, **options: Any) -> None:
    """Write a file in the format of its suffix."""
    suffix = checked_suffix(path)
    target = Path(path)
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


def checked_suffix(path: str | Path) -> str:
    """Suffix of a path, in lower case; an error if it names no format of trajectories."""
    if not isinstance(path, (str, PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        choices = ", ".join(SUFFIXES)
        raise EvaluationError(
            f"save(): path must be the path of a file ({choices}), got {brief(path)}."
        )
    suffix = Path(path).suffix.lower()
    if suffix not in SUFFIXES:
        raise UnknownNameError("file suffix", suffix, SUFFIXES, str(path))
    return suffix


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
    if trajectory.projections is not None:
        arrays["projections"] = trajectory.projections
    # A file that could not be read again must not be written.
    _check_size(len(text) + sum(x.nbytes for x in arrays.values()), path)
    with path.open("wb") as file:
        np.savez_compressed(file, head=json.dumps(head), equations=text, **arrays)


def load(path: str | Path) -> Trajectory:
    """Read a .npz file written by `save`; raise FileFormatError for anything else."""
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
    except Exception:  # not an archive, or without a head
        raise FileFormatError(
            f"{shown(path)}: is not an {KIND}; it must be written by traj.save('….npz')."
        ) from None
    if head.get("version") != VERSION:
        raise FileFormatError(
            f"{path}: version must be {VERSION}, got {brief(head.get('version'))}; this equamo cannot "
            f"read it."
        )
    with TemporaryDirectory() as folder:
        equations = Path(folder) / "equations"
        equations.write_text(
            str(data.get("equations", "")), encoding="utf-8", errors="replace", newline="\n"
        )
        eom = EquationsOfMotion.load(equations)
    return Trajectory(eom, **_checked(Stored(str(path), data, head), eom))


@final
@dataclass(frozen=True)
class Stored:
    """Content of a trajectory file: its arrays and its head."""

    path: str
    arrays: dict[str, Any]
    head: dict[str, Any]

    def damaged(self, problem: str) -> FileFormatError:
        return FileFormatError(f"{self.path}: file is damaged: {problem}.")

    def floats(self, name: str, *shape: int, finite: bool = False) -> Floats:
        """Array of a given shape; −1 stands for any length."""
        array = self.arrays.get(name)
        if array is None or array.dtype != np.float64 or array.ndim != len(shape):
            raise self.damaged(f"{name!r} must be a float64 array with {len(shape)} dimensions")
        if any(n not in (-1, m) for n, m in zip(shape, array.shape, strict=True)):
            raise self.damaged(f"{name!r} must have shape {shape}, got {array.shape}")
        if finite and not np.isfinite(array).all():
            raise self.damaged(f"{name!r} must be finite")
        return array

    def names(self, entry: str, kind: str, valid: Sequence[str] | None = None) -> list[str]:
        """List of different names in the head, each of a valid object."""
        value = self.head.get(entry)
        if not isinstance(value, list) or not all(isinstance(x, str) for x in cast(Any, value)):
            raise self.damaged(
                f"{entry!r} must be a list of names, got {brief(cast(object, value))}"
            )
        names = cast(list[str], value)
        unknown = [n for n in names if valid is not None and n not in valid]
        if unknown:
            raise self.damaged(f"unknown {kind} {brief(unknown[0])} in {entry!r}")
        if len(set(names)) < len(names):
            raise self.damaged(f"{entry!r} must have different names")
        return names


def _checked(stored: Stored, eom: EquationsOfMotion) -> dict[str, Any]:
    """Fields of a Trajectory, with sizes checked against its equations."""
    robot, head = eom.robot, stored.head
    t = stored.floats("t", -1, finite=True)
    T = len(t)
    if (np.diff(t) <= 0).any():
        raise stored.damaged("the times 't' must be increasing")
    method, stopped_by = head.get("method"), head.get("stopped_by")
    if not isinstance(method, str):
        raise stored.damaged(f"the method must be text, got {brief(method)}")
    work = stored.names("work", "force element or moving base", [*powers(eom)])
    events = stored.names("events", "event")
    if stopped_by is not None and stopped_by not in events:
        raise stored.damaged(f"'stopped_by' must be one of its events, got {brief(stopped_by)}")
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
        "projections": stored.floats("projections", T) if "projections" in stored.arrays else None,
    }


def _signs(stored: Stored) -> tuple[Expr, ...]:
    """Every sign(a) of dry friction."""
    try:
        signs = tuple(load_nodes(stored.head.get("signs")))  # pyright: ignore[reportArgumentType]
    except EquamoError as error:
        raise stored.damaged(str(error).rstrip(".")) from None
    if any(x.op != BY_NAME["sign"].opcode for x in signs):
        raise stored.damaged("'signs' must contain only sign(…)")
    return signs


def _values(stored: Stored, eom: EquationsOfMotion) -> dict[str, float]:
    """Values of all parameters."""
    table = stored.head.get("values")
    expected = [x.name for x in eom.parameters]
    if not isinstance(table, dict) or sorted(cast(Any, table)) != sorted(expected):
        raise stored.damaged("'values' must have a number for every parameter of the robot")
    values = cast(dict[str, Any], table)
    for name, x in values.items():
        if type(x) is not float and (type(x) is not int or abs(x) > sys.float_info.max):
            raise stored.damaged(f"the value of {name!r} must be a number, got {brief(x)}")
    return {name: float(x) for name, x in values.items()}


def _check_unpacked(file: BinaryIO, path: str | Path) -> None:
    """Check the unpacked size, since a small archive can hold arrays that fill the memory."""
    with ZipFile(file) as archive:
        _check_size(sum(part.file_size for part in archive.infolist()), path)
    file.seek(0)


def _check_size(size: int, path: str | Path) -> None:
    if size > MOST_BYTES:
        raise FileFormatError(
            f"{path}: a trajectory file must have at most {MOST_BYTES} bytes, got {size}; use fewer "
            f"samples with t_eval=."
        )


# -- tables --------------------------------------------------------------------------------------------
def table(trajectory: Trajectory) -> Mapping[str, Floats]:
    """Columns by name: time, q, v, inputs, external loads and energies."""
    eom, energy = trajectory.eom, trajectory.energy
    states = [(s.name, trajectory[s.name]) for s in (*eom.q, *eom.v, *eom.inputs, *eom.external)]
    time = TIME_TAKEN if "t" in dict(states) else "t"
    energies = {"kinetic": energy.kinetic, "potential": energy.potential, "total": energy.total}
    columns = [(time, trajectory.t), *states, *((f"{n} energy", x) for n, x in energies.items())]
    names = [name for name, _ in columns]
    twice = sorted({n for n in names if names.count(n) > 1})
    if twice:
        raise EquamoError(
            f"Columns of the trajectory of robot {eom.robot.name!r} must have different names, got "
            f"{', '.join(map(repr, twice))} twice; rename them in the robot, or save to .npz."
        )
    return dict(columns)


def _save_csv(trajectory: Trajectory, path: Path) -> None:
    columns = table(trajectory)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(
            [repr(float(x)) for x in row] for row in zip(*columns.values(), strict=True)
        )


def to_dataframe(trajectory: Trajectory) -> Any:
    """Pandas DataFrame indexed by time."""
    advice = "Without it, use traj.save('motion.csv') or the arrays traj.t, traj.q and traj.v."
    pandas = library("pandas", "to_dataframe()", advice)
    columns = table(trajectory)
    return pandas.DataFrame(columns).set_index(next(iter(columns)))
