"""`check_file`: recompute a saved certificate and compare every entry.

A certificate of compiled functions names the formulation, the substitutions in the equations, and each
function with its number types and lanes. From these and the robot the programs and their IR are made
again, and every line is proved again like any other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, cast

from ..._version import __version__
from ...algebra.identity.prove import check_options
from ...basics.attached import attached
from ...basics.wording import brief, counted
from ...errors import EquamoError, FileFormatError
from ...robot.formats.json_file import read_body
from ...robot.model import Robot
from ...robot.model.robot import expect_robot
from ...robot.model.storage import robot_from_data, robot_to_data
from ..equations import EquationsOfMotion
from ..equations.storage import derive_again
from .certificate import KIND, VERSION, Certificate
from .prove import prove_at

_SEED: Final = re.compile(r"[0-9]{1,4000}")
_MOST_BITS: Final = 10_000  # a stronger bound would take too long
_BOUND_DIGITS: Final = 6  # digits of log₂ of a bound that are the same on all machines


def check_file(
    path: str | Path,
    robot: Robot | None = None,
    *,
    seed: int | None = None,
    progress: Callable[[str], None] | None = None,
) -> Certificate:
    """Recompute everything in a saved certificate, compare, and prove again at new random points.

    Args:
        path: File that `Certificate.save` wrote.
        robot: Expected robot; if None, the robot in the file is accepted.
        seed: Seed of the new random points; by default they are different every time.
        progress: Function that is called with the name of each stage.

    Returns:
        The new certificate; its `ok` says whether every line is proved.

    Raises:
        FileFormatError: The file is damaged, belongs to another version or robot, or an entry (line,
            bound, remark, digest) differs from the recomputed one.

    >>> import tempfile
    >>> from equamo.mechanics.certificate import prove
    >>> from equamo.robot.library import load
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     prove(load("rr_arm")).save(f"{folder}/arm.json")
    ...     check_file(f"{folder}/arm.json", load("rr_arm")).ok
    True
    """
    stored = read_body(path, KIND, VERSION, "certificate")
    if stored.get("equamo") != __version__:
        raise FileFormatError(
            f"{path}: must be written by equamo {__version__}, got {brief(stored.get('equamo'))}; "
            "prove the robot again: equamo prove ROBOT --out FILE."
        )
    try:
        own = robot_from_data(stored.get("robot"))
    except EquamoError as error:
        raise FileFormatError(f"{path}: {error}") from None
    if robot is not None:
        _expect_same(path, expect_robot(robot, "check_file"), own)
    chosen, error_bits = stored.get("seed"), stored.get("error_bits")
    if not isinstance(chosen, str) or not _SEED.fullmatch(chosen):
        raise FileFormatError(f"{path}: the seed must be an integer ≥ 0, got {brief(chosen)}.")
    if type(error_bits) is not int or not 1 <= error_bits <= _MOST_BITS:
        raise FileFormatError(
            f"{path}: error_bits must be an integer from 1 to {_MOST_BITS}, got {brief(error_bits)}."
        )
    seeds, code = [int(chosen), seed], stored.get("code")
    if code is None:
        subject = _subject(path, own, stored.get("choices"))
        certificates = prove_at(subject, error_bits, seeds, progress)
    else:
        check_options(error_bits, seed)
        certificates = _prove_code(path, own, code, error_bits, seeds)
    _compare(path, stored, next(certificates).to_data()["certificate"])
    return next(certificates)


def _subject(path: str | Path, robot: Robot, choices: Any) -> Robot | EquationsOfMotion:
    """The robot, or its equations with the stored substitutions and Coriolis matrix."""
    try:
        return robot if choices is None else derive_again(robot, choices)
    except EquamoError as error:
        raise FileFormatError(f"{path}: {error}") from None


def _prove_code(
    path: str | Path, robot: Robot, code: Any, error_bits: int, seeds: list[int | None]
) -> Iterator[Certificate]:
    """Lines about compiled functions, proved again by the layer that compiles them."""
    prove_again = attached(robot, "prove_code_again")
    if not isinstance(code, dict) or prove_again is None:
        raise FileFormatError(f"{path}: code must be null or list the compiled functions.")
    try:
        yield from prove_again(code, error_bits, seeds)
    except EquamoError as error:
        raise FileFormatError(f"{path}: {error}") from None


def _expect_same(path: str | Path, meant: Robot, own: Robot) -> None:
    """Check that the robot in the file is the expected one."""
    ours, theirs = robot_to_data(meant), robot_to_data(own)
    different = [n for n in {**ours, **theirs} if ours.get(n) != theirs.get(n)]
    if different:
        raise FileFormatError(
            f"{path}: certifies a robot other than {meant.name!r}: {', '.join(different)} differ."
        )


def _compare(path: str | Path, stored: dict[str, Any], computed: dict[str, Any]) -> None:
    """Raise an error that names the first differing entry; times need only be valid."""
    for name in {**computed, **stored}:
        before, now = stored.get(name), computed.get(name)
        if name == "lines":
            _compare_lines(path, before, now)
        elif before != now and not (name == "seconds" and _is_time(before)):
            raise FileFormatError(
                f"{path}: {brief(name)} differs from the recomputed value: {brief(before)} in the file, "
                f"{brief(now)} now."
            )


def _compare_lines(path: str | Path, before: Any, now: Any) -> None:
    old, new = _lines(before), _lines(now)
    for x, y in zip(old, new, strict=False):
        if x != y:
            raise FileFormatError(
                f"{path}: a line differs from the recomputed one: {brief(x)} in the file, "
                f"{brief(y)} now."
            )
    if len(old) != len(new):
        raise FileFormatError(
            f"{path}: must have {counted(len(new), 'line')}, like a new certificate, got {len(old)}."
        )


def _lines(data: Any) -> list[Any]:
    """Lines without times, with bounds rounded to the digits that agree on all machines."""
    lines: list[Any] = []
    for line in cast(list[Any], data) if isinstance(data, list) else []:
        if isinstance(line, dict) and _is_time(cast(dict[str, Any], line).get("seconds")):
            line = {k: x for k, x in cast(dict[str, Any], line).items() if k != "seconds"}
            if isinstance(line.get("bound_bits"), float):
                line["bound_bits"] = round(line["bound_bits"], _BOUND_DIGITS)
        lines.append(line)
    return lines


def _is_time(x: Any) -> bool:
    """Whether x is a valid number of seconds."""
    return type(x) in (int, float) and 0 <= x < 1e9
