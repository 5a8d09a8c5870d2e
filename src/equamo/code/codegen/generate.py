"""`eq.generate`: functions of a robot as source code in another language."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, cast

from ...basics.arguments import is_one_of
from ...basics.renamed import warn_renamed
from ...basics.wording import brief
from ...errors import EquamoError, ExpressionError, UnknownNameError
from ...mechanics.certificate import Certificate, proved
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.model import Robot
from ..ir.function import Function, folded, without_empty
from ..ir.lookup import is_users_own
from ..ir.non_smooth import remarks
from ..ir.program import DTYPES, Dtype, Program
from ..ir.sensitivities import prefix_of
from .golden import golden
from .package_names import PackageNames
from .program_proof import program_heads
from .provenance import provenance
from .put_in_place import put_in_place
from .quantities import quantities
from .selection import OF_CASADI, chosen_functions, fixed_values, with_derivatives
from .targets import Package, Routine, target
from .text_proof import proof_line, prove_package


def generate(
    eom: EquationsOfMotion,
    to: str = "c",
    out: str | Path = "build",
    functions: Iterable[Any] | Mapping[str, Any] | None = None,
    dtype: Dtype = "float64",
    parameters: Literal["symbolic", "numeric"] = "symbolic",
    certificate: Certificate | None = None,
    prove: bool = True,
    values: Mapping[str, Any] | None = None,
) -> list[Path]:
    """Write functions of a robot as source code.

    The robot is proved first, unless it was proved in this process, and the programs are proved equal to
    the equations. The written text is read back from disk and proved equal to the programs, with each
    constant rounded once, before it is put in place. The head of each file says what is proved.

    Args:
        eom: Equations of motion.
        to: Language: "c", "cpp", "numpy", "matlab", "javascript", or "casadi" for C with the external
            interface of CasADi, and the Jacobian, adjoint and Hessian of each function.
        out: Folder to write to.
        functions: Names such as "inverse_dynamics" or "pose_hand"; by default all that have a value,
            with the frames at the tips; for CasADi only the dynamics. The head of each file lists
            what was omitted, such as the forward dynamics of a robot without inertia. {name:
            expression, vector or matrix, {result: one of these}, a controller, or a function from
            `eq.function`} adds further functions; in a list of names, such a mapping adds
            them to the named ones.
        dtype: "float64" or "float32".
        parameters: "symbolic" parameters are arguments of the functions; "numeric" ones are folded in.
        certificate: Certificate of exactly these equations from `eq.prove`, used instead of a new
            proof. One from a file is proved again by `eq.check_file`.
        prove: Whether to prove robot, programs and text; if not, the files say so.
        values: Values of parameters, which are always folded in; the defaults are used for the others.

    Returns:
        The paths of the files.

    Raises:
        UnknownNameError: Unknown language, function, dtype or parameter.
        ProofError: A program or a text is refuted; nothing is written.
        EquamoError: Another argument is not valid, or the folder cannot be written.

    >>> from tempfile import TemporaryDirectory
    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> with TemporaryDirectory() as folder:
    ...     [path.name for path in generate(eom, "c", folder, functions=["gravity"])]
    ['rr_arm.h', 'rr_arm.c', 'rr_arm_selftest.c', 'rr_arm_example.c']
    """
    language = target(to)
    if not isinstance(prove, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): prove must be True or False, got {brief(prove)}.")
    if not isinstance(out, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): out must be the path of a folder, got {brief(out)}.")
    if isinstance(parameters, Mapping):
        warn_renamed("generate()", "parameters={…}", "values={…}")
        parameters, values = "symbolic", cast(Mapping[str, Any], parameters)
    if is_one_of(dtype, DTYPES) and dtype not in language.dtypes:
        raise UnknownNameError("dtype", dtype, language.dtypes, f"generate(to={to!r})")
    package = package_of(eom, functions, dtype, parameters, certificate, prove, values, to)
    folder = Path(out)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise EquamoError(f"{folder}: the folder could not be created: {error.strerror}.") from None
    if prove:
        package = replace(package, provenance=(*package.provenance, proof_line(language, dtype)))
    check = partial(prove_package, out=folder, language=language, package=package)
    return put_in_place(folder, language.files(package), check if prove else lambda _: None)


def package_of(
    eom: EquationsOfMotion,
    functions: Iterable[Any] | Mapping[str, Any] | None = None,
    dtype: Dtype = "float64",
    parameters: Literal["symbolic", "numeric"] = "symbolic",
    certificate: Certificate | None = None,
    prove: bool = False,
    values: Mapping[str, Any] | None = None,
    to: str = "c",
) -> Package:
    """Input of a target: programs of the functions, golden vectors, names and provenance."""
    language = target(to)
    if not isinstance(eom, EquationsOfMotion):  # pyright: ignore[reportUnnecessaryIsInstance]
        hint = "derive them first: eq.derive(robot)" if isinstance(eom, Robot) else "see eq.derive"
        raise EquamoError(f"generate() takes EquationsOfMotion, got {brief(eom)}; {hint}.")
    if not is_one_of(dtype, DTYPES):
        raise UnknownNameError("dtype", dtype, DTYPES, "generate()")
    robot = eom.robot
    fixed = fixed_values(robot, parameters, {} if values is None else values)
    usual = functions is None or isinstance(functions, Mapping)
    named = chosen_functions(eom, functions, OF_CASADI if language.differentiates else None)
    names = PackageNames.of(robot, named)
    named = [names.renamed(f) for f in named]
    bases = [without_empty(folded(f, fixed)) for f in named]
    chosen, left_out = bases, list[str]()
    if language.differentiates:
        chosen, left_out = with_derivatives(eom, named, fixed, leave_out=usual)
    programs, missing = _programs(chosen, leave_out=usual)
    missing = [*left_out, *missing]
    # Last, since it takes longest: errors in the arguments come first.
    heads = provenance(eom, proved(eom) if prove and certificate is None else certificate)
    made = [(f, programs[f.name]) for f in chosen if f.name in programs]
    heads = (*heads, *program_heads(eom, made, prove), *missing, *names.remarks())
    jumps = dict.fromkeys(text for f, _ in made for text in remarks(f, eom))
    heads = (*heads, *(f"Derivatives: {text}." for text in jumps))
    whole = eom
    if fixed:
        eom = eom.subs(fixed)
        heads = (*heads, f"{len(fixed)} of {len(robot.parameters)} parameters were folded in.")
    routines = tuple(
        Routine(
            prefix_of(f) + names.functions[f.name.removeprefix(prefix_of(f))],
            programs[f.name],
            () if language.differentiates else golden(eom, f, dtype=dtype, whole=whole),
            _places(f),
            is_own=is_users_own(eom, f),
        )
        for f in chosen
        if f.name in programs
    )
    return Package(
        names.package,
        routines,
        quantities(robot, fixed, bases),
        heads,
        dtype,
        is_augmented(robot),
    )


def _places(f: Function) -> str:
    """Rows and columns of the entries of a packed function, counted from 0."""
    if prefix_of(f):  # its sparsities say it
        return ""
    texts: list[str] = []
    for y in f.results:
        if y.places is not None:
            places = " ".join(f"({i},{j})" for i, j in y.places)
            half = ", the lower triangle of a symmetric matrix" if y.symmetric else ""
            texts.append(
                f"entries of {y.name} ({y.whole[0]}x{y.whole[1]}{half}): {places or 'none'}"
            )
    return "; ".join(texts)


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
