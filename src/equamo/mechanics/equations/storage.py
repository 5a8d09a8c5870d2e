"""Files of equations of motion: exact, versioned, and checked against the robot they contain.

The digest finds damage; anybody can compute one, so it does not show who wrote the file.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, cast, get_args

from ...algebra.expr import Expr, as_expr, parse, symbol
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.store import dump, load as load_nodes
from ...algebra.expr.vector import Vector
from ...algebra.identity import prove_zero
from ...basics.wording import brief, counted
from ...errors import EquamoError, FileFormatError
from ...robot.formats.json_file import digest, read_body
from ...robot.formats.text_file import check_ending, write_text
from ...robot.model.robot import Robot
from ...robot.model.storage import robot_from_data, robot_to_data
from ..formulations.derivation import Derivation
from .derive import FORMULATIONS, derive, formulate
from .equations import Coriolis, EquationsOfMotion

KIND: Final = "equamo equations of motion"
VERSION: Final = 1


def save(eom: EquationsOfMotion, path: str | Path) -> None:
    """Write the robot and the derived M, bias, gravity and forces to a file."""
    check_ending(path, ".eom", ".json")
    body = {
        **choices_to_data(eom),
        "robot": robot_to_data(eom.robot),
        "forces": list(eom.derivation.forces),
        "expressions": dump(eom.derivation.entries),
    }
    data = {"kind": KIND, "version": VERSION, "sha256": digest(body), "equations": body}
    write_text(path, json.dumps(data, ensure_ascii=False))


def choices_to_data(eom: EquationsOfMotion) -> dict[str, Any]:
    """Formulation, Coriolis matrix and substitutions: with a robot, all that `derive_again` needs."""
    return {"by": eom.by, "coriolis": eom.coriolis, "replaced": replaced_to_data(eom)}


def derive_again(robot: Robot, choices: Any) -> EquationsOfMotion:
    """Equations from what `choices_to_data` returned.

    Raises:
        FileFormatError: The data is damaged.
        UnknownNameError: The formulation or the Coriolis matrix is unknown.
    """
    if not isinstance(choices, dict) or not {"by", "coriolis", "replaced"} <= choices.keys():  # pyright: ignore[reportUnknownMemberType]
        raise FileFormatError(
            "the choices of equations must be 'by', 'coriolis' and 'replaced', got "
            f"{brief(cast(object, choices))}."
        )
    data = cast(dict[str, Any], choices)
    return _chosen(derive(robot, by=data["by"], coriolis=data["coriolis"]), data)


def chosen_again(
    eoms: Mapping[str, EquationsOfMotion], choices: Mapping[str, Any]
) -> EquationsOfMotion:
    """The same from equations that are derived, by formulation."""
    eom = eoms[choices["by"]]
    eom = EquationsOfMotion(eom.robot, eom.by, eom.derivation, choices["coriolis"])
    return _chosen(eom, choices)


def _chosen(eom: EquationsOfMotion, choices: Mapping[str, Any]) -> EquationsOfMotion:
    for step in replaced_from_data(choices["replaced"]):
        eom = eom.subs(step)
    return eom


def replaced_to_data(eom: EquationsOfMotion) -> list[list[list[str]]]:
    """Substitutions, step by step, as pairs of text."""
    steps = () if eom.replaced is None else eom.replaced.steps
    return [
        [[str(symbol(k) if isinstance(k, str) else k), str(as_expr(x))] for k, x in step.items()]
        for step in steps
    ]


def load(path: str | Path) -> EquationsOfMotion:
    """Read a file that `save` wrote, and check that its equations are those of its robot.

    The equations are derived again by the same formulation. Entries that are not the same nodes, as in
    a file of another version, are proved equal.

    Raises:
        FileFormatError: The file is damaged, or its equations are not those of its robot.
    """
    body = read_body(path, KIND, VERSION, "equations")
    by: Any = body.get("by")
    coriolis: Any = body.get("coriolis")
    if by not in (*FORMULATIONS, "boltzmann_hamel") or coriolis not in get_args(Coriolis):
        raise FileFormatError(
            f"{path}: unknown formulation {brief(by)} with Coriolis matrix {brief(coriolis)}."
        )
    try:
        robot = robot_from_data(body.get("robot"))
        derivation = _derivation(robot, body.get("expressions"), body.get("forces"))
        steps = replaced_from_data(body.get("replaced"))
        same = _check_derived(robot, by, derivation)
        eom = EquationsOfMotion(robot, by, derivation, coriolis)
        object.__setattr__(eom, "is_recursive", same and by == "recursive")
        for step in steps:
            eom = eom.subs(step)
    except EquamoError as error:
        raise FileFormatError(f"{path}: {error}") from None
    return eom


def _derivation(robot: Robot, expressions: Any, names: Any) -> Derivation:
    """Read M, bias, gravity and forces from the stored expressions."""
    if names != [f.name for f in robot.forces]:
        raise FileFormatError("The stored forces must match those of the robot; derive them again.")
    entries, n = load_nodes(expressions), len(robot.v)
    expected = n * n + (2 + len(names)) * n
    if len(entries) != expected:
        raise FileFormatError(
            f"{counted(n, 'equation')} must have {expected} stored expressions, got {len(entries)}."
        )
    rows = [Vector(entries[i : i + n]) for i in range(0, len(entries), n)] if n else []
    bias, gravity, *forces = rows[n:] or [Vector([])] * (2 + len(names))
    return Derivation(Matrix(rows[:n]), bias, gravity, dict(zip(names, forces, strict=True)))


def _check_derived(robot: Robot, by: str, stored: Derivation) -> bool:
    """Check that the stored equations are those of the robot; return whether nodes are the same."""
    derived = formulate(robot, by if by in FORMULATIONS else "recursive")
    pairs = zip(stored.entries, derived.entries, strict=True)
    different = [x - y for x, y in pairs if x is not y]
    if different and not prove_zero(different, unit=robot.unit_groups):
        raise FileFormatError(
            f"The stored equations must match those of robot {robot.name!r}; derive them again."
        )
    return not different


def replaced_from_data(data: Any) -> list[dict[Expr, Expr]]:
    """Read the substitutions from pairs of text."""
    steps: list[dict[Expr, Expr]] = []
    for step in _list(data):
        pairs = [_list(pair) for pair in _list(step)]
        if not all(len(pair) == 2 and all(isinstance(x, str) for x in pair) for pair in pairs):
            raise FileFormatError(f"A substitution must be pairs of text, got {brief(step)}.")
        steps.append({parse(k): parse(x) for k, x in pairs})
    return steps


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise FileFormatError(f"Stored data must be a list, got {brief(data)}.")
    return cast(list[Any], data)
