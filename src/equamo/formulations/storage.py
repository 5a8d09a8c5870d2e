"""Equations of motion in a file: exact, versioned, and checked against the robot in it.

A digest finds damage; anybody can compute one, so it says nothing about who wrote the file.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final, cast, get_args

from ..errors import EquamoError, FileFormatError
from ..expr import Expr, as_expr, parse, symbol
from ..expr.matrix import Matrix
from ..expr.store import dump, load as load_nodes
from ..expr.vector import Vector
from ..formats.text_file import read_text
from ..identity import prove_zero
from ..model.robot import Robot
from ..model.storage import robot_from_data, robot_to_data
from ..wording import brief
from .derivation import Derivation
from .derive import FORMULATIONS, formulate
from .equations import Coriolis, EquationsOfMotion

KIND: Final = "equamo equations of motion"
VERSION: Final = 1
MOST_BYTES: Final = 256 << 20  # of a file that `save` wrote; real ones have a few million


def canonical(data: Any) -> bytes:
    """The bytes a digest is taken over: JSON without blanks, keys sorted."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def digest(data: Any) -> str:
    """SHA-256 of plain data."""
    return hashlib.sha256(canonical(data)).hexdigest()


def save(eom: EquationsOfMotion, path: str | Path) -> None:
    """Write the robot and the derived M, bias, gravity and forces."""
    body = {
        "by": eom.by,
        "coriolis": eom.coriolis,
        "robot": robot_to_data(eom.robot),
        "forces": list(eom.derivation.forces),
        "expressions": dump(eom.derivation.entries),
        "replaced": _replaced(eom),
    }
    data = {"kind": KIND, "version": VERSION, "sha256": digest(body), "equations": body}
    write_text(path, json.dumps(data, ensure_ascii=False))


def write_text(path: str | Path, text: str) -> None:
    """Write a file; FileFormatError where that is not possible."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except (OSError, TypeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{path}: cannot be written ({reason}).") from None


def _replaced(eom: EquationsOfMotion) -> list[list[list[str]]]:
    """What was replaced, step after step, as pairs of text."""
    steps = () if eom.replaced is None else eom.replaced.steps
    return [
        [[str(symbol(k) if isinstance(k, str) else k), str(as_expr(x))] for k, x in step.items()]
        for step in steps
    ]


def load(path: str | Path) -> EquationsOfMotion:
    """Read what `save` wrote, and check that the equations are those of the robot in the file.

    The robot is derived again by the same formulation. Entries that are not the same nodes, as in a
    file of another version, are proved equal.

    Raises:
        FileFormatError: the file is damaged, or its equations are not those of its robot.
    """
    body = read_body(path, KIND, VERSION, "equations")
    by: Any = body.get("by")
    coriolis: Any = body.get("coriolis")
    if by not in (*FORMULATIONS, "boltzmann_hamel") or coriolis not in get_args(Coriolis):
        raise FileFormatError(f"{path}: {brief(by)} with {brief(coriolis)} is not a formulation.")
    try:
        robot = robot_from_data(body.get("robot"))
        derivation = _derivation(robot, body.get("expressions"), body.get("forces"))
        steps = _steps(body.get("replaced"))
        same = _check_derived(robot, by, derivation)
        eom = EquationsOfMotion(robot, by, derivation, coriolis)
        object.__setattr__(eom, "is_recursive", same and by == "recursive")
        for step in steps:
            eom = eom.subs(step)
    except EquamoError as error:
        raise FileFormatError(f"{path}: {error}") from None
    return eom


def _derivation(robot: Robot, expressions: Any, names: Any) -> Derivation:
    """M, bias, gravity and forces from the stored expressions, as many as the robot has."""
    if names != [f.name for f in robot.forces]:
        raise FileFormatError("The stored forces are not those of the robot.")
    entries, n = load_nodes(expressions), len(robot.v)
    if len(entries) != n * n + (2 + len(names)) * n:
        raise FileFormatError(f"{len(entries)} stored expressions are not those of {n} equations.")
    rows = [Vector(entries[i : i + n]) for i in range(0, len(entries), n)] if n else []
    bias, gravity, *forces = rows[n:] or [Vector([])] * (2 + len(names))
    return Derivation(Matrix(rows[:n]), bias, gravity, dict(zip(names, forces, strict=True)))


def _check_derived(robot: Robot, by: str, stored: Derivation) -> bool:
    """Check that the stored equations are those of the robot; whether they are the same nodes."""
    derived = formulate(robot, by if by in FORMULATIONS else "recursive")
    pairs = zip(stored.entries, derived.entries, strict=True)
    different = [x - y for x, y in pairs if x is not y]
    if different and not prove_zero(different, unit=robot.unit_groups):
        raise FileFormatError(
            f"The stored equations are not those of robot {robot.name!r}; derive them again."
        )
    return not different


def _steps(data: Any) -> list[dict[Expr, Expr]]:
    """What was replaced, from pairs of text."""
    steps: list[dict[Expr, Expr]] = []
    for step in _list(data):
        pairs = [_list(pair) for pair in _list(step)]
        if not all(len(pair) == 2 and all(isinstance(x, str) for x in pair) for pair in pairs):
            raise FileFormatError(f"What was replaced is pairs of text, not {brief(step)}.")
        steps.append({parse(k): parse(x) for k, x in pairs})
    return steps


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise FileFormatError(f"{brief(data)} is not a list.")
    return cast(list[Any], data)


def read_body(path: str | Path, kind: str, version: int, name: str) -> dict[str, Any]:
    """The content of a JSON file of ours, its digest checked."""
    data = read_json(path, kind, version)
    body: Any = data.get(name)
    try:
        intact = isinstance(body, dict) and digest(body) == data.get("sha256")
        json.dumps(body, ensure_ascii=False).encode()  # half a surrogate pair is not text
    except (RecursionError, UnicodeError):
        intact = False
    if not intact:
        raise FileFormatError(
            f"{path}: the digest does not match, the file was changed or damaged."
        )
    return cast(dict[str, Any], body)


def read_json(path: str | Path, kind: str, version: int) -> dict[str, Any]:
    """A JSON file of a kind and version of ours."""
    try:
        data: Any = json.loads(read_text(path, MOST_BYTES))
    except (ValueError, RecursionError):
        raise FileFormatError(f"{path}: is not JSON.") from None
    if not isinstance(data, dict) or data.get("kind") != kind:  # pyright: ignore
        raise FileFormatError(f"{path}: is not a file of {kind}.")
    if data.get("version") != version:  # pyright: ignore
        found = data.get("version")  # pyright: ignore
        version_found = brief(found)  # pyright: ignore[reportUnknownArgumentType]
        raise FileFormatError(f"{path}: has version {version_found}, this equamo reads {version}.")
    return data  # pyright: ignore
