"""`check`: problems of the text while it is typed, names for completion, and the tree of bodies."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final, cast

from ...errors import EquamoError
from ...robot.formats.toml import FORCES, JOINTS, body_of, force_of
from ...robot.formats.toml_positions import Path
from ...robot.formats.toml_table import Table
from .messages import Request, Say
from .model_text import ModelText
from .problems import FILE, Problem, problem_of

_NAME: Final = re.compile(r"""^\s*name\s*=\s*["']([^"']+)["']""", re.MULTILINE)
_COORDINATE: Final = re.compile(r"""\bq\s*=\s*["']([^"']+)["']""")
QUANTITIES: Final = (
    "mass_matrix", "coriolis_matrix", "bias", "gravity", "input_matrix", "passive_force",
    "kinetic_energy", "potential_energy", "inverse_dynamics",
)  # fmt: skip


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `check`; problems of the text are part of it, never an error."""
    found = problems(model)
    ok = not found
    return {
        "ok": ok,
        "problems": found,
        "names": names(model, ok),
        "tree": tree(model),
        "structure": model.structure if ok else None,
        "shown": model.shown if ok else None,
        "numbers": model.numbers if ok else None,
    }


def problems(model: ModelText) -> list[Problem]:
    """Problems in text order: of the syntax, else of all bodies and forces, else of the robot."""
    first = model.problem
    if first is None:
        return []
    found = [first]
    try:
        positions = model.positions
    except EquamoError:
        return found
    lines = positions.lines()
    for key, read in (("bodies", body_of), ("forces", force_of)):
        for k, data in enumerate(_tables(model.data, key)):
            try:
                read(Table(data, FILE, lines, (key, k)))
            except EquamoError as error:
                found.append(problem_of(error, positions))
    distinct = {(p["line"], p["column"], p["message"]): p for p in found}
    return [distinct[key] for key in sorted(distinct)]


def names(model: ModelText, ok: bool) -> dict[str, list[str]]:
    """Names for completion: those of the robot, or those that the text seems to define."""
    fixed: dict[str, list[str]] = {
        "joint_kinds": list(JOINTS),
        "force_kinds": list(FORCES),
        "quantities": list(QUANTITIES),
    }
    if not ok:
        joints = dict.fromkeys(n for x in _COORDINATE.findall(model.text) for n in x.split())
        return {
            "bodies": ["world", *dict.fromkeys(_NAME.findall(model.text))],
            "joints": list(joints), "forces": [], "parameters": [], **fixed,
        }  # fmt: skip
    robot = model.robot
    return {
        "bodies": ["world", *(b.name for b in robot.bodies)],
        "joints": [s.name for s in robot.joint_coordinates],
        "forces": [f.name for f in robot.forces],
        "parameters": [s.name for s in robot.parameters],
        "inputs": [s.name for s in robot.inputs],
        **fixed,
    }


def tree(model: ModelText) -> list[dict[str, Any]]:
    """Bodies in the order of the text, with the source text of each field; empty if it is not TOML."""
    try:
        bodies, positions = _tables(model.data, "bodies"), model.positions
    except EquamoError:
        return []
    rows: list[dict[str, Any]] = []
    for k, body in enumerate(bodies):
        joint = body.get("joint")
        table = cast(dict[str, Any], joint) if isinstance(joint, dict) else {}
        spot = positions.nearest(("bodies", k))
        rows.append({
            "body": str(body.get("name", "")),
            "parent": str(body.get("parent", "world")),
            "joint": _plain(table.get("q", "")),
            "kind": str(table.get("kind", "fixed")),
            "path": ["bodies", k],
            "line": 1 if spot is None else positions.line_and_column(spot.key)[0],
            "fields": [
                *_fields(model, ("bodies", k), {n: x for n, x in body.items() if n != "joint"}),
                *_fields(model, ("bodies", k, "joint"), table),
            ],
        })  # fmt: skip
    return rows


def _fields(model: ModelText, path: Path, data: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Path, line and source text of each field of a table; text values are without their quotes."""
    positions = model.positions
    rows: list[dict[str, Any]] = []
    for key, value in data.items():
        own = (*path, key)
        spot = positions.spots.get(own)
        if spot is None:
            continue
        source = model.text[spot.value : positions.end(own)]
        rows.append({
            "path": list(own),
            "value": value if isinstance(value, str) else source.strip(),
            "is_text": isinstance(value, str),
            "line": positions.line_and_column(spot.value)[0],
        })  # fmt: skip
    return rows


def _tables(data: Mapping[str, Any], key: str) -> list[dict[str, Any]]:
    found = data.get(key)
    items = cast(list[Any], found) if isinstance(found, list) else []
    return [cast(dict[str, Any], x) if isinstance(x, dict) else {} for x in items]


def _plain(names: Any) -> str:
    return " ".join(map(str, cast(list[Any], names))) if isinstance(names, list) else str(names)
