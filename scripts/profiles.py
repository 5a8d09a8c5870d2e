"""Run pytest once per test profile: other processors, and another place.

    python scripts/profiles.py [--only v2,v3] [--others] [--list] -- [pytest arguments]

A profile sets everything that selects code by the processor: equamo's machine code (EQUAMO_CPU),
OpenBLAS, NumPy's loops, and the C library. So a machine with AVX-512 tests what older ones compute.
The profile `elsewhere` keeps the processor and changes the surroundings: locale, time zone, temporary
folder, terminal, threads, hash seed. Before the tests, each profile is checked in a process of its own:
a setting without effect is an error. Profiles that the processor does not support are listed and left
out.
"""

from __future__ import annotations

import argparse
import ctypes
import getpass
import hashlib
import json
import locale
import math
import os
import platform
import random
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from equamo.code.jit import processor

NEWER_THAN = {  # first letters of NumPy's names of what a level lacks, and of glibc's
    "v2": (("AVX", "FMA", "F16C", "X86_V3", "X86_V4"), ("AVX", "AVX2", "FMA", "FMA4", "BMI2")),
    "v3": (("AVX512", "X86_V4"), ()),
    "v4": (("AVX512_ICL", "AVX512_SPR", "AVX512_KN"), None),
}
GLIBC_512 = ("AVX512F", "AVX512VL", "AVX512BW", "AVX512DQ", "AVX512CD")
OPENBLAS = {"v2": "Prescott", "v3": "Haswell", "v4": "SkylakeX"}
SELECTING = ("EQUAMO_CPU", "OPENBLAS_CORETYPE", "NPY_DISABLE_CPU_FEATURES", "GLIBC_TUNABLES")
SAME_CORE = {"Katmai": "Prescott"}  # the same functions under two names
COMMA = ("de_DE", "fr_FR", "es_ES", "it_IT", "nl_NL", "pt_BR", "ru_RU", "sv_SE")


@dataclass(frozen=True)
class Profile:
    """Environment of a run of the tests, and what a process must then observe."""

    name: str
    environment: Mapping[str, str]
    expected: Mapping[str, Any]
    unlike: Mapping[str, Any] = field(default_factory=dict[str, Any])  # what it must not observe


# -- what a process observes ---------------------------------------------------------------------------
def observed() -> dict[str, Any]:
    """Everything that a profile may change, in this process."""
    locale.setlocale(locale.LC_ALL, "")
    return {
        "cpu": processor.selected(),
        "numpy": enabled_in_numpy(),
        "openblas": openblas("corename", ctypes.c_char_p),
        "openblas threads": openblas("num_threads", ctypes.c_int),
        "libm": libm_digest(),
        "decimal point": locale.localeconv()["decimal_point"],
        "hours from UTC": time.localtime().tm_gmtoff / 3600,
        "temporary folder": tempfile.gettempdir(),
        "columns": shutil.get_terminal_size().columns,
    }


def enabled_in_numpy() -> list[str]:
    """Instruction sets that NumPy selects loops by and that are enabled, by NumPy's names."""
    inner = getattr(np, "_core", None) or np.core
    found = inner._multiarray_umath
    return [name for name in found.__cpu_dispatch__ if found.__cpu_features__.get(name)]


def openblas(what: str, kind: Any) -> Any:
    """Name of the core or number of threads of NumPy's OpenBLAS; None if NumPy has another BLAS."""
    folder = Path(f"{Path(np.__file__).parent}.libs")
    for path in folder.glob("*openblas*"):
        library = ctypes.CDLL(str(path))
        for prefix in ("scipy_", ""):
            for suffix in ("64_", ""):
                function = getattr(library, f"{prefix}openblas_get_{what}{suffix}", None)
                if function is not None:
                    function.restype = kind
                    answer = function()
                    text = answer.decode() if isinstance(answer, bytes) else answer
                    return SAME_CORE.get(text, text)
    return None


def libm_digest() -> str:
    """Digest of results of the C library: its variants round differently."""
    numbers = random.Random(1)
    results = [math.exp(numbers.uniform(0.1, 3)) for _ in range(20_000)]
    return hashlib.sha256(np.array(results).tobytes()).hexdigest()


# -- the profiles --------------------------------------------------------------------------------------
def profiles(here: Mapping[str, Any]) -> list[Profile]:
    """All profiles; `here` is what a process observes without one."""
    levels = [level(name, here) for name in NEWER_THAN]
    return [Profile("host", {}, {"cpu": "host"}), *levels, elsewhere(here)]


def level(name: str, here: Mapping[str, Any]) -> Profile:
    """A processor level, in equamo and in the libraries below it."""
    numpy_names, glibc_names = NEWER_THAN[name]
    disabled = [x for x in here["numpy"] if x.startswith(numpy_names)]
    environment = {"EQUAMO_CPU": f"x86-64-{name}", "OPENBLAS_CORETYPE": OPENBLAS[name]}
    expected: dict[str, Any] = {"cpu": f"x86-64-{name}"}
    unlike: dict[str, Any] = {}
    expected["numpy"] = [x for x in here["numpy"] if x not in disabled]
    if here["openblas"] is not None:
        expected["openblas"] = OPENBLAS[name]
    if disabled:
        environment["NPY_DISABLE_CPU_FEATURES"] = " ".join(disabled)
    if glibc_names is not None and platform.libc_ver()[0] == "glibc":
        # Names end with _Usable before glibc 2.33; unknown names are ignored.
        off = [f"-{x}{end}" for x in (*glibc_names, *GLIBC_512) for end in ("", "_Usable")]
        environment["GLIBC_TUNABLES"] = f"glibc.cpu.hwcaps={','.join(off)}"
        if name == "v2" and not processor.missing("x86-64-v3"):  # without FMA other variants run
            unlike["libm"] = here["libm"]
    return Profile(name, environment, expected, unlike)


def elsewhere(here: Mapping[str, Any]) -> Profile:
    """The same processor with another locale, time zone, temporary folder, terminal and hash seed."""
    comma = comma_locale()
    # A space and a letter outside ASCII, as in names of users.
    folder = Path(tempfile.gettempdir()) / f"équamo {getpass.getuser()}"
    folder.mkdir(mode=0o700, exist_ok=True)
    environment = {
        "LC_ALL": comma or "C",
        "TZ": "Pacific/Kiritimati",
        "TMPDIR": str(folder),
        "COLUMNS": "40",
        "TERM": "dumb",
        "OPENBLAS_NUM_THREADS": "4",
        "PYTHONHASHSEED": "20261118",
    }
    expected: dict[str, Any] = {
        "decimal point": "," if comma else ".",
        "hours from UTC": 14,
        "temporary folder": str(folder),
        "columns": 40,
    }
    if here["openblas threads"] is not None and "OPENBLAS_NUM_THREADS" not in os.environ:
        expected["openblas threads"] = min(4, here["openblas threads"])  # at most one per processor
    return Profile("elsewhere", environment, expected)


def comma_locale() -> str | None:
    """A locale of this system that writes 1,5 for 1.5."""
    for name in (f"{x}.{end}" for x in COMMA for end in ("UTF-8", "utf8")):
        try:
            locale.setlocale(locale.LC_ALL, name)
        except locale.Error:
            continue
        finally:
            locale.setlocale(locale.LC_ALL, "C")
        return name
    return None


# -- the runs ------------------------------------------------------------------------------------------
def whole_environment(profile: Profile) -> dict[str, str]:
    """Environment of a process under a profile, without what selects another processor."""
    return {n: x for n, x in os.environ.items() if n not in SELECTING} | dict(profile.environment)


def observed_under(profile: Profile) -> dict[str, Any]:
    """What another process observes under a profile."""
    done = subprocess.run(
        [sys.executable, __file__, "--observe"],
        env=whole_environment(profile),
        capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    if done.returncode:
        raise SystemExit(f"{profile.name}: Python does not start under it:\n{done.stderr}")
    return json.loads(done.stdout)


def check(profile: Profile) -> None:
    """End the program if a setting has no effect."""
    found = observed_under(profile)
    wrong = [
        f"{n} must be {x}, got {found[n]}" for n, x in profile.expected.items() if found[n] != x
    ]
    wrong += [f"{n} must not be {x}" for n, x in profile.unlike.items() if found[n] == x]
    if wrong:
        raise SystemExit(f"Profile {profile.name} has no effect: {'; '.join(wrong)}.")


def run(profile: Profile, arguments: Sequence[str]) -> tuple[int, int, int, float]:
    """Exit code of pytest, tests that passed and failed, and minutes."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.xml"
        start = time.perf_counter()
        code = subprocess.run(
            [sys.executable, "-m", "pytest", f"--junitxml={report}", *arguments],
            env=whole_environment(profile), check=False,
        ).returncode  # fmt: skip
        minutes = (time.perf_counter() - start) / 60
        if not report.is_file():
            return code, 0, 0, minutes
        (suite,) = ElementTree.parse(report).getroot().iter("testsuite")
    tests, failed, errors, skipped = (
        int(suite.get(n, 0)) for n in ("tests", "failures", "errors", "skipped")
    )
    return code, tests - failed - errors - skipped, failed + errors, minutes


def line(profile: Profile) -> str:
    """Command that runs one profile by hand, up to the arguments of pytest."""
    settings = [shlex.quote(f"{n}={x}") for n, x in profile.environment.items()]
    return " ".join(["env", *settings, shlex.quote(sys.executable), "-m pytest"])


def main() -> int:
    """Read the arguments and run the chosen profiles."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--only", help="names of profiles: v2,v3")
    parser.add_argument(
        "--others", action="store_true", help="without those that a plain run already tests"
    )
    parser.add_argument("--list", action="store_true", help="print one command per profile")
    parser.add_argument("--observe", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("arguments", nargs="*", metavar="-- pytest arguments")
    options = parser.parse_args()
    if options.observe:
        print(json.dumps(observed()))
        return 0

    here = observed_under(Profile("host", {}, {}))
    every = {p.name: p for p in profiles(here)}
    unknown = set((options.only or "").split(",")) - {"", *every}
    if unknown:
        parser.error(f"unknown profiles {sorted(unknown)}; valid: {', '.join(every)}")
    chosen = [every[n] for n in options.only.split(",")] if options.only else [*every.values()]
    missing = {p.name: processor.missing(p.expected.get("cpu", "host")) for p in chosen}
    usable = [p for p in chosen if not missing[p.name]]
    if options.others:
        levels = [n for n in NEWER_THAN if not processor.missing(f"x86-64-{n}")]
        usable = [p for p in usable if p.name not in ("host", *levels[-1:])]
    for name, lacking in missing.items():
        if lacking:
            print(f"{name}: not supported here, it needs {lacking}")
    return report(usable, options.arguments, only_list=options.list)


def report(chosen: Sequence[Profile], arguments: Sequence[str], only_list: bool) -> int:
    """Check, print and run each profile; 1 if one of them failed."""
    rows: list[str] = []
    worst = 0
    for profile in chosen:
        check(profile)
        print(f"{profile.name}: {line(profile)} {shlex.join(arguments)}".rstrip(), flush=True)
        if not only_list:
            code, passed, failed, minutes = run(profile, arguments)
            worst = max(worst, int(code != 0))
            rows.append(f"{profile.name:<12}{passed:>8}{failed:>8}{minutes:>9.1f}")
    if rows:
        print(f"\n{'profile':<12}{'passed':>8}{'failed':>8}{'minutes':>9}", *rows, sep="\n")
    return worst


if __name__ == "__main__":
    sys.exit(main())
