"""`eq.generate`: a robot's functions as source code in a language."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import prod
from pathlib import Path
from typing import Any, Final, Literal, cast

from ..certificate import Certificate, proved
from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError, ExpressionError, UnknownNameError
from ..formats.text_file import write_text
from ..ir.functions import (
    FRAME_FUNCTIONS,
    Function,
    folded,
    frame_function,
    frames,
    functions as functions_of,
)
from ..ir.program import DTYPES, Dtype, Program
from ..model import Robot
from ..model.arguments import number
from ..renamed import warn_renamed
from ..wording import brief
from .golden import golden
from .names import LONGEST, injective
from .program_proof import program_heads
from .provenance import Proved, provenance
from .quantities import quantities
from .targets import Package, Routine, target

ROUTINE: Final = 36  # longest name of a function; with the robot's name before it, LONGEST


def generate(
    eom: EquationsOfMotion,
    to: str = "c",
    out: str | Path = "build",
    functions: Iterable[str] | None = None,
    dtype: Dtype = "float64",
    parameters: Literal["symbolic", "numeric"] = "symbolic",
    certificate: Proved | None = None,
    prove: bool = True,
    values: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write the functions of a robot to the folder `out`; returns the paths of the files.

    `to` is a language: "c", "numpy", "matlab" or "javascript". `functions` are names such as
    "inverse_dynamics" or "pose_hand"; without them all that have a value, of the frames those at the
    tips; the head of each file names what was left out (forward dynamics of a robot without inertia).
    `parameters`: "symbolic" parameters are arguments of the functions, "numeric" ones are folded in,
    with the numbers of `values` or else their defaults. Parameters in `values` are always folded in.
    The robot is proved first, and the head of each file says what is proved: `certificate` is one that
    `eq.prove` gave, and a robot that was proved in this process is not proved again. The programs are
    proved equal to the equations; one that is refuted is a ProofError, and nothing is written.
    `prove=False` leaves all of this out, and the files say so.

    >>> from tempfile import TemporaryDirectory
    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> eom = derive(load("rr_arm"))
    >>> with TemporaryDirectory() as folder:
    ...     [path.name for path in generate(eom, "c", folder, functions=["gravity"])]
    ['rr_arm.h', 'rr_arm.c', 'rr_arm_selftest.c', 'rr_arm_example.c']
    """
    language = target(to)
    if not isinstance(prove, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): prove must be True or False, got {brief(prove)}.")
    if certificate is not None and (
        not isinstance(certificate, Certificate) or certificate.code is not None
    ):
        raise EquamoError(f"generate(): certificate must be what eq.prove(robot) gives, got "
                          f"{brief(certificate)}.")  # fmt: skip
    if not isinstance(out, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): out is the path of a folder, not {brief(out)}.")
    if isinstance(parameters, Mapping):
        warn_renamed("generate()", "parameters={…}", "values={…}")
        parameters, values = "symbolic", cast(Mapping[str, Any], parameters)
    package = package_of(eom, functions, dtype, parameters, certificate, prove, values)
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EquamoError(f"{folder}: no folder can be made there: {error.strerror}.") from None
    written: list[Path] = []
    for name, text in language.files(package).items():
        write_text(folder / name, text)
        written.append(folder / name)
    return written


def package_of(
    eom: EquationsOfMotion,
    names: Iterable[str] | None = None,
    dtype: Dtype = "float64",
    parameters: Literal["symbolic", "numeric"] = "symbolic",
    certificate: Proved | None = None,
    prove: bool = False,
    values: Mapping[str, Any] | None = None,
) -> Package:
    """What a target is given: the programs of the functions, golden vectors, names, provenance."""
    if not isinstance(eom, EquationsOfMotion):  # pyright: ignore[reportUnnecessaryIsInstance]
        hint = "derive them first: eq.derive(robot)" if isinstance(eom, Robot) else "see eq.derive"
        raise EquamoError(f"generate() takes EquationsOfMotion, not {brief(eom)}; {hint}.")
    if dtype not in DTYPES:
        raise UnknownNameError("dtype", dtype, DTYPES, "generate()")
    robot = eom.robot
    fixed = _fixed(robot, parameters, values or {})
    chosen = _default_functions(eom) if names is None else _named(eom, names)
    chosen = [_without_empty(folded(f, fixed)) for f in chosen]
    programs, missing = _programs(chosen, leave_out=names is None)
    # Last, since it takes longest: what cannot be generated is said before.
    heads = provenance(eom, proved(eom) if prove and certificate is None else certificate)
    made = [(f, programs[f.name]) for f in chosen if f.name in programs]
    heads = (*heads, *program_heads(eom, made, prove), *missing)
    if fixed:
        eom = eom.subs(fixed)
        heads = (*heads, f"{len(fixed)} of {len(robot.parameters)} parameters were folded in.")
    # One folder may hold files of all: equal on systems that do not tell A from a is equal.
    called = injective(programs, fold_case=True, longest=ROUTINE)
    routines = tuple(
        Routine(called[f.name], programs[f.name], golden(eom, f, dtype=dtype))
        for f in chosen
        if f.name in programs
    )
    taken = {*sys.stdlib_module_names, "numpy"}  # a module of that name would stand before them
    name = injective([robot.name], taken, longest=LONGEST - 1 - ROUTINE)[robot.name]
    return Package(name, routines, quantities(robot, fixed), heads, dtype)


def _fixed(robot: Robot, parameters: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """{name: number} of the parameters that are folded in."""
    if parameters not in ("symbolic", "numeric"):
        raise UnknownNameError(
            "choice of parameters", parameters, ("symbolic", "numeric"), "generate()"
        )
    if not isinstance(values, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): values must be {{parameter: number}}, got {brief(values)}.")
    for n in values:
        if n not in robot.values:
            raise UnknownNameError("parameter", n, robot.values, f"robot {robot.name!r}")
    fixed = {n: number(f"The value of {n!r}", x) for n, x in values.items()}
    if parameters == "symbolic":
        return fixed
    without = [n for n, x in robot.values.items() if x is None and n not in fixed]
    if without:
        pairs = ", ".join(f"{n!r}: ..." for n in without[:3]) + ", …" * (len(without) > 3)
        raise EquamoError(
            f"generate: no value for parameters {', '.join(without)} of robot {robot.name!r}; pass "
            f"values={{{pairs}}}."
        )
    return {**robot.values, **fixed}


def _without_empty(function: Function) -> Function:
    """The function without arguments that have no elements."""
    return replace(function, arguments=tuple(a for a in function.arguments if len(a)))


def _programs(chosen: Iterable[Function], leave_out: bool) -> tuple[dict[str, Program], list[str]]:
    """{name: program}, and lines that say which have none and why, if those may be left out."""
    programs: dict[str, Program] = {}
    missing: dict[str, list[str]] = {}
    for f in chosen:
        try:
            programs[f.name] = f.program()
        except ExpressionError as error:
            if not leave_out:
                raise
            _, _, reason = str(error).partition(" has no value: ")
            missing.setdefault(reason, []).append(f.name)
    return programs, [f"Without {', '.join(names)}: {why}" for why, names in missing.items()]


def _default_functions(eom: EquationsOfMotion) -> list[Function]:
    """All of the robot and those of the frames at its tips, but what has no entries."""
    parents = {b.parent for b in eom.robot.bodies}
    tips = [b.name for b in eom.robot.bodies if b.name not in parents]
    ends = (frame_function(eom, kind, tip) for tip in tips for kind in FRAME_FUNCTIONS)
    return [f for f in (*functions_of(eom).values(), *ends) if prod(f.shape)]


def _named(eom: EquationsOfMotion, names: Iterable[str]) -> list[Function]:
    place = f"robot {eom.robot.name!r}"
    whole = functions_of(eom)
    by_frame = {f"{k}_{frame}": (k, frame) for frame in frames(eom) for k in FRAME_FUNCTIONS}
    wanted = _texts(names)
    if not wanted:
        valid = ", ".join((*whole, *by_frame))
        raise EquamoError(f"generate(): functions is empty; it names some of {place}: {valid:.600}")
    found: list[Function] = []
    for n in wanted:
        if not isinstance(n, str) or (n not in whole and n not in by_frame):
            raise UnknownNameError("function", n, (*whole, *by_frame), place)
        f = whole[n] if n in whole else frame_function(eom, *by_frame[n])
        if not prod(f.shape):
            raise EquamoError(f"{n} of {place} is empty: its shape is {f.shape}.")
        found.append(f)
    return found


def _texts(names: Iterable[object]) -> list[object]:
    """What was named, each text once; one alone need not be in a list."""
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): functions is a list of names, not {brief(names)}.")
    given = list(names)
    return [n for k, n in enumerate(given) if not isinstance(n, str) or n not in given[:k]]
