"""Equations of motion in a file: exact, versioned, checked by a digest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final

from ..errors import FileFormatError
from ..expr.matrix import Matrix
from ..expr.store import dump, load as load_nodes
from ..expr.vector import Vector
from ..model.storage import robot_from_data, robot_to_data
from .derivation import Derivation
from .equations import EquationsOfMotion

KIND: Final = "equamo equations of motion"
VERSION: Final = 1


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
    }
    data = {"kind": KIND, "version": VERSION, "sha256": digest(body), "equations": body}
    Path(path).write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def load(path: str | Path) -> EquationsOfMotion:
    """Read what `save` wrote; FileFormatError if it is anything else."""
    data = read_json(path, KIND, VERSION)
    body = data["equations"]
    if digest(body) != data.get("sha256"):
        raise FileFormatError(
            f"{path}: the digest does not match, the file was changed or damaged."
        )
    robot = robot_from_data(body["robot"])
    entries = iter(load_nodes(body["expressions"]))
    n = len(robot.v)

    def vector() -> Vector:
        return Vector(next(entries) for _ in range(n))

    M = Matrix([[next(entries) for _ in range(n)] for _ in range(n)])
    bias, gravity = vector(), vector()
    forces = {name: vector() for name in body["forces"]}
    return EquationsOfMotion(
        robot, body["by"], Derivation(M, bias, gravity, forces), body["coriolis"]
    )


def read_json(path: str | Path, kind: str, version: int) -> dict[str, Any]:
    """A JSON file of a kind and version of ours."""
    try:
        data: Any = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise FileFormatError(f"{path}: cannot be read ({error.strerror}).") from None
    except (ValueError, RecursionError):
        raise FileFormatError(f"{path}: is not JSON.") from None
    if not isinstance(data, dict) or data.get("kind") != kind:  # pyright: ignore
        raise FileFormatError(f"{path}: is not a file of {kind}.")
    if data.get("version") != version:  # pyright: ignore
        found = data.get("version")  # pyright: ignore
        raise FileFormatError(f"{path}: has version {found!r}, this equamo reads {version}.")
    return data  # pyright: ignore
