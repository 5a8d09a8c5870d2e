"""Generated C as a CasADi function: written, proved, compiled and loaded."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from hashlib import sha256
from os import PathLike
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

from ...basics.wording import brief
from ...code.codegen.generate import generate
from ...code.codegen.package_names import PackageNames
from ...code.codegen.selection import chosen_functions
from ...errors import EquamoError
from ...mechanics.equations.equations import EquationsOfMotion

COMPILERS: Final = ("cc", "gcc", "clang")
_ENDING: Final = {"darwin": ".dylib", "win32": ".dll"}


def external(
    casadi: Any,
    eom: EquationsOfMotion,
    name: str,
    own: Mapping[str, Any] | None = None,
    *,
    parameters: Literal["symbolic", "numeric"] = "symbolic",
    folder: str | Path | None = None,
    compiler: str | None = None,
    flags: Sequence[str] = ("-O1",),
    prove: bool = True,
) -> Any:
    """CasADi function of compiled C, with its Jacobian and Hessian in C too.

    Args:
        casadi: The module.
        eom: Equations of motion.
        name: Name of the function, such as "inverse_dynamics" or "pose_hand".
        own: {name: expressions} of the user's functions.
        parameters: "symbolic" parameters are the last argument; "numeric" ones are constants.
        folder: Where the C file and the library are kept; by default in a temporary folder.
        compiler: Command of a C compiler; by default the first of cc, gcc and clang that is installed.
        flags: Options for the compiler.
        prove: Whether to prove the robot, the programs and the text.

    Returns:
        A `casadi.Function`. Its `jacobian()` and `reverse(1)` come from the library.

    Raises:
        EquamoError: There is no compiler, or it fails.
        UnknownNameError: Unknown function.
    """
    if isinstance(flags, str) or not all(isinstance(x, str) for x in flags):  # pyright: ignore
        raise EquamoError(
            f'external(): flags must be a list of options such as ["-O1"], got {brief(flags)}.'
        )
    if not isinstance(folder, str | PathLike | None):  # pyright: ignore
        raise EquamoError(f"external(): folder must be a path, got {brief(folder)}.")
    command = _command(compiler)
    functions = [dict(own) if own else name]
    with TemporaryDirectory(prefix="equamo-", ignore_cleanup_errors=True) as scratch:
        place = Path(scratch if folder is None else folder)
        (source,) = generate(eom, "casadi", place, functions, parameters=parameters, prove=prove)
        names = PackageNames.of(eom.robot, chosen_functions(eom, functions))
        symbol = f"{names.package}_{names.functions[name]}"
        # A loaded library must not be overwritten, and the same path is not loaded twice.
        made_from = sha256(source.read_bytes() + repr((command, *flags)).encode()).hexdigest()[:12]
        ending = _ENDING.get(sys.platform, ".so")
        library = (place / f"{symbol}_{made_from}{ending}").resolve()
        if library.exists():
            return casadi.external(symbol, str(library))
        arguments = [command, *flags, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"]
        done = subprocess.run(
            arguments, capture_output=True, check=False, encoding="utf-8", errors="replace"
        )
        if done.returncode or not library.exists():
            said = brief(done.stderr.strip(), 300) if done.stderr.strip() else "no library"
            raise EquamoError(
                f"external(): {command} could not compile {source.name}: {said}; "
                "check compiler= and flags=."
            )
        return casadi.external(symbol, str(library))


def _command(compiler: str | None) -> str:
    """Path of the compiler."""
    if not isinstance(compiler, str | None):  # pyright: ignore
        raise EquamoError(
            f"external(): compiler must be the command of a C compiler, got {brief(compiler)}."
        )
    wanted = COMPILERS if compiler is None else (compiler,)
    found = next((path for path in map(shutil.which, wanted) if path is not None), None)
    if found is None:
        raise EquamoError(
            f"external() needs a C compiler, but none of {', '.join(wanted)} was found; "
            "install one, pass compiler=, or use function(), which needs no compiler."
        )
    return found
