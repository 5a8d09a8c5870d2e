"""Equations of motion in a file: exact, versioned, checked by a digest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from ..errors import FileFormatError
from ..expr import as_expr, parse, symbol
from ..expr.matrix import Matrix
from ..expr.store import dump, load as load_nodes
from ..expr.vector import Vector
from ..formats.text_file import read_text
from ..model.storage import robot_from_data, robot_to_data
from ..wording import brief
from .derivation import Derivation
from .equations import EquationsOfMotion

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
    d = eom.derivation
    entries = [*d.mass_matrix.entries, *d.bias, *d.gravity]
    for f in d.forces.values():
        entries += f
    body = {
        "by": eom.by,
        "coriolis": eom.coriolis,
        "robot": robot_to_data(eom.robot),
        "forces": list(d.forces),
        "expressions": dump(entries),
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
    """Read what `save` wrote; FileFormatError if it is anything else."""
    data = read_json(path, KIND, VERSION)
    body: Any = data.get("equations")
    if not isinstance(body, dict) or digest(body) != data.get("sha256"):
        raise FileFormatError(
            f"{path}: the digest does not match, the file was changed or damaged."
        )
    stored: dict[str, Any] = body  # pyright: ignore[reportUnknownVariableType]
    robot = robot_from_data(stored["robot"])
    entries = iter(load_nodes(stored["expressions"]))
    n = len(robot.v)

    def vector() -> Vector:
        return Vector(next(entries) for _ in range(n))

    M = Matrix([[next(entries) for _ in range(n)] for _ in range(n)])
    bias, gravity = vector(), vector()
    forces = {name: vector() for name in stored["forces"]}
    derivation = Derivation(M, bias, gravity, forces)
    eom = EquationsOfMotion(robot, stored["by"], derivation, stored["coriolis"])
    for step in stored["replaced"]:
        eom = eom.subs({parse(k): parse(x) for k, x in step})
    return eom


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
