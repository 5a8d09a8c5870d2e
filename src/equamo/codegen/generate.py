"""`eq.generate`: functions of a robot as source code in another language."""

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
from ..wording import at_most, brief
from .golden import golden
from .names import LONGEST, injective
from .program_proof import program_heads
from .provenance import Proved, provenance
from .quantities import quantities
from .targets import Package, Routine, target

ROUTINE: Final = 36  # longest name of a function; LONGEST with the robot's name before it


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
    """Write functions of a robot as source code.

    The robot is proved first, unless it was proved in this process, and the programs are proved equal to
    the equations. The head of each file says what is proved.

    Args:
        eom: Equations of motion.
        to: Language: "c", "numpy", "matlab" or "javascript".
        out: Folder to write to.
        functions: Names such as "inverse_dynamics" or "pose_hand"; by default all that have a value,
            with the frames at the tips. The head of each file lists what was left out, such as the
            forward dynamics of a robot without inertia.
        dtype: "float64" or "float32".
        parameters: "symbolic" parameters are arguments of the functions; "numeric" ones are folded in.
        certificate: Certificate from `eq.prove`, used instead of a new proof.
        prove: Whether to prove robot and programs; if not, the files say so.
        values: Values of parameters, which are always folded in; the defaults are used for the others.

    Returns:
        The paths of the files.

    Raises:
        UnknownNameError: Unknown language, function, dtype or parameter.
        ProofError: A program is refuted; nothing is written.
        EquamoError: Another argument is not valid, or the folder cannot be written.

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
        raise EquamoError(
            f"generate(): certificate must be a Certificate from eq.prove(robot), got "
            f"{brief(certificate)}."
        )
    if not isinstance(out, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): out must be the path of a folder, got {brief(out)}.")
    if isinstance(parameters, Mapping):
        warn_renamed("generate()", "parameters={…}", "values={…}")
        parameters, values = "symbolic", cast(Mapping[str, Any], parameters)
    package = package_of(eom, functions, dtype, parameters, certificate, prove, values)
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EquamoError(f"{folder}: the folder could not be created: {error.strerror}.") from None
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
    """Input of a target: programs of the functions, golden vectors, names and provenance."""
    if not isinstance(eom, EquationsOfMotion):  # pyright: ignore[reportUnnecessaryIsInstance]
        hint = "derive them first: eq.derive(robot)" if isinstance(eom, Robot) else "see eq.derive"
        raise EquamoError(f"generate() takes EquationsOfMotion, got {brief(eom)}; {hint}.")
    if dtype not in DTYPES:
        raise UnknownNameError("dtype", dtype, DTYPES, "generate()")
    robot = eom.robot
    fixed = _fixed(robot, parameters, values or {})
    chosen = _default_functions(eom) if names is None else _named(eom, names)
    chosen = [_without_empty(folded(f, fixed)) for f in chosen]
    programs, missing = _programs(chosen, leave_out=names is None)
    # Last, since it takes longest: errors in the arguments come first.
    heads = provenance(eom, proved(eom) if prove and certificate is None else certificate)
    made = [(f, programs[f.name]) for f in chosen if f.name in programs]
    heads = (*heads, *program_heads(eom, made, prove), *missing)
    if fixed:
        eom = eom.subs(fixed)
        heads = (*heads, f"{len(fixed)} of {len(robot.parameters)} parameters were folded in.")
    # All files may be in one folder, and some file systems ignore case.
    called = injective(programs, fold_case=True, longest=ROUTINE)
    routines = tuple(
        Routine(called[f.name], programs[f.name], golden(eom, f, dtype=dtype))
        for f in chosen
        if f.name in programs
    )
    taken = {*sys.stdlib_module_names, "numpy"}  # a module of that name would shadow them
    name = injective([robot.name], taken, longest=LONGEST - 1 - ROUTINE)[robot.name]
    return Package(name, routines, quantities(robot, fixed), heads, dtype)


def _fixed(robot: Robot, parameters: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters that are folded in, as {name: number}."""
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
    """Function without its empty arguments."""
    return replace(function, arguments=tuple(a for a in function.arguments if len(a)))


def _programs(chosen: Iterable[Function], leave_out: bool) -> tuple[dict[str, Program], list[str]]:
    """{name: program}, and lines on omitted functions with reasons, if they may be omitted."""
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
    """All functions of the robot and of the frames at its tips, except empty ones."""
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
        raise EquamoError(
            f"generate(): functions must name at least one function of {place}, got none. "
            f"Valid: {at_most(valid, 600)}."
        )
    found: list[Function] = []
    for n in wanted:
        if not isinstance(n, str) or (n not in whole and n not in by_frame):
            raise UnknownNameError("function", n, (*whole, *by_frame), place)
        f = whole[n] if n in whole else frame_function(eom, *by_frame[n])
        if not prod(f.shape):
            raise EquamoError(
                f"generate(): function {n!r} of {place} has no entries (shape {f.shape}); remove it "
                "from functions."
            )
        found.append(f)
    return found


def _texts(names: Iterable[object]) -> list[object]:
    """List of names, without duplicates; a single name need not be in a list."""
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): functions must be a list of names, got {brief(names)}.")
    given = list(names)
    return [n for k, n in enumerate(given) if not isinstance(n, str) or n not in given[:k]]
