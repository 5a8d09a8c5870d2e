"""`eq.generate`: a robot's functions as source code in a language."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

from ..certificate import Certificate, proved
from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError, ExpressionError, UnknownNameError
from ..ir.functions import Function, folded
from ..ir.program import DTYPES, Dtype, Program
from ..model import Robot
from ..renamed import warn_renamed
from ..wording import brief
from .golden import golden
from .names import package_name, routine_names
from .program_proof import program_heads
from .provenance import Proved, provenance
from .put_in_place import put_in_place
from .quantities import quantities
from .selection import default_functions, fixed_values, named_functions, without_empty
from .targets import Package, Routine, target
from .text_proof import prove_package, said


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
    proved equal to the equations. What is written is read back from disk and proved equal to the
    programs, each constant rounded once, before it is put in place. A program or a text that is refuted
    is a ProofError, and there are no files. `prove=False` leaves all of this out, and the files say so.

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
    if prove:
        package = replace(package, provenance=(*package.provenance, said(language, dtype)))
    check = partial(prove_package, out=folder, language=language, package=package)
    return put_in_place(folder, language.files(package), check if prove else lambda _: None)


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
    fixed = fixed_values(robot, parameters, values or {})
    chosen = default_functions(eom) if names is None else named_functions(eom, names)
    chosen = [without_empty(folded(f, fixed)) for f in chosen]
    programs, missing = _programs(chosen, leave_out=names is None)
    # Last, since it takes longest: what cannot be generated is said before.
    heads = provenance(eom, proved(eom) if prove and certificate is None else certificate)
    made = [(f, programs[f.name]) for f in chosen if f.name in programs]
    heads = (*heads, *program_heads(eom, made, prove), *missing)
    if fixed:
        eom = eom.subs(fixed)
        heads = (*heads, f"{len(fixed)} of {len(robot.parameters)} parameters were folded in.")
    called = routine_names(programs)
    routines = tuple(
        Routine(called[f.name], programs[f.name], golden(eom, f, dtype=dtype))
        for f in chosen
        if f.name in programs
    )
    return Package(package_name(robot.name), routines, quantities(robot, fixed), heads, dtype)


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
