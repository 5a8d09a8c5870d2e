"""Machine code in this process and for other machines, under the lowest and the newest llvmlite."""

import ctypes
import gc
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from equamo.code.jit import engine, object_file
from equamo.errors import EquamoError, FileFormatError, UnknownNameError

ROOT = Path(__file__).parents[3]
MACHINES = {
    "windows": engine.WINDOWS,
    "macos": engine.MACOS,
    "linux-arm": engine.LINUX_ARM,
    "linux": engine.Machine("x86_64-unknown-linux-gnu", "x86-64-v4"),
    "linux-plain": engine.Machine("x86_64-unknown-linux-gnu", "x86-64"),
}
ADD = "define double @add(double %x) nounwind {\n  %y = fadd double %x, NUMBER\n  ret double %y\n}"
EXP = """
declare double @exp(double)
define double @twice(double %x) nounwind {
  %y = call double @exp(double %x)
  %z = fmul double %y, 2.0
  ret double %z
}"""


def call(loaded: engine.Loaded, name: str = "add") -> Callable[[float], float]:
    return ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_double)(loaded.address(name))


def long_sum(lanes: int, terms: int) -> str:
    """y = Σ x[k]² + k/8 with every product alive at once: a frame that no register file holds."""
    T, S = ("double", "f64") if lanes == 1 else (f"<{lanes} x double>", f"v{lanes}f64")

    def number(x: float) -> str:
        return f"{x}" if lanes == 1 else f"<{', '.join([f'double {x}'] * lanes)}>"

    lines = [
        f"declare {T} @llvm.fmuladd.{S}({T}, {T}, {T})",
        "define void @kernel(ptr %x, ptr %y) nounwind {",
    ]
    for k in range(terms):
        lines += [
            f"  %p{k} = getelementptr double, ptr %x, i64 {k * lanes}",
            f"  %x{k} = load volatile {T}, ptr %p{k}, align 8",
            f"  %s{k} = call {T} @llvm.fmuladd.{S}({T} %x{k}, {T} %x{k}, {T} {number(k / 8)})",
        ]
    total = f"%s{terms - 1}"  # the last first: all others wait
    for k in reversed(range(terms - 1)):
        lines.append(f"  %t{k} = fadd {T} {total}, %s{k}")
        total = f"%t{k}"
    return "\n".join([*lines, f"  store {T} {total}, ptr %y, align 8", "  ret void", "}"])


@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
def test_vector_code_runs(lanes: int) -> None:
    """Small integers and eighths: every order of summation gives the same number."""
    terms = 200
    loaded = engine.load(engine.object_code(long_sum(lanes, terms)))
    kernel = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(loaded.address("kernel"))
    x = np.random.default_rng(lanes).integers(-9, 9, (terms, lanes)).astype(float)
    y = np.empty(lanes)
    kernel(x.ctypes.data, y.ctypes.data)
    assert (y == (x**2).sum(axis=0) + np.arange(terms).sum() / 8).all()


@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_calls_of_libm(level: int) -> None:
    f = call(loaded := engine.load(engine.object_code(EXP, level=level)), "twice")
    assert f(1.5) == pytest.approx(2 * math.exp(1.5), rel=1e-15)
    assert loaded.symbols == {"twice"}


@pytest.mark.sweep(8)
@pytest.mark.parametrize("lanes", [1, 2, 4, 8])
@pytest.mark.parametrize("machine", MACHINES.values(), ids=MACHINES)
def test_objects_for_other_machines_leave_only_named_symbols(
    machine: engine.Machine, lanes: int
) -> None:
    libm = "\n".join(
        f"declare double @{f}(double)\ndefine double @call_{f}(double %x) nounwind"
        f" {{\n  %y = call double @{f}(double %x)\n  ret double %y\n}}"
        for f in ("exp", "log", "tanh", "atan")
    )
    found = object_file.read(
        engine.object_code(long_sum(lanes, 40 + 640 // lanes) + "\n" + libm, machine)
    )
    assert {"kernel", "call_exp", "call_tanh"} <= found.defined
    assert {"exp", "log", "tanh", "atan"} <= found.undefined <= engine.UNDEFINED_ALLOWED
    if machine is engine.WINDOWS:
        # Frames over a page are probed: the case that the list has to know.
        assert {"__chkstk", "_fltused"} <= found.undefined
    else:
        assert found.undefined == {"exp", "log", "tanh", "atan"}


def test_kinds_of_objects() -> None:
    # The machine numbers of the three formats' own specifications.
    kinds = {k: object_file.read(engine.object_code("", m)).kind for k, m in MACHINES.items()}
    assert kinds == {
        "windows": f"COFF {0x8664}",
        "macos": f"Mach-O {0x0100000C}",
        "linux-arm": "ELF 183",
        "linux": "ELF 62",
        "linux-plain": "ELF 62",
    }


def test_widest_vectors() -> None:
    def of(features: str) -> tuple[int, int]:
        machine = engine.Machine("x86_64-unknown-linux-gnu", "", features)
        return engine.widest("float64", machine), engine.widest("float32", machine)

    assert of("+sse2") == (2, 4)
    assert of("+sse2,+avx,-avx512f") == (4, 8)
    assert of("+avx,+avx512f") == (8, 16)
    assert engine.widest("float64", engine.MACOS) == 2
    assert engine.widest("float32") == 2 * engine.widest("float64")
    with pytest.raises(UnknownNameError, match=r"float16.*Valid: float64, float32"):
        engine.widest("float16")


def test_objects_are_the_same_each_time() -> None:
    assert engine.object_code(EXP) == engine.object_code(EXP)


def test_equal_names_in_two_objects_stay_apart() -> None:
    one, two = (engine.load(engine.object_code(ADD.replace("NUMBER", n))) for n in ("1.0", "2.0"))
    first, second = call(one), call(two)
    assert (first(10), second(10)) == (11, 12)
    del one, first
    gc.collect()
    assert second(10) == 12


@pytest.mark.ci
def test_threads_compile_and_load_at_once() -> None:
    def work(i: int) -> float:
        total = 0.0
        for k in range(20):
            loaded = engine.load(engine.object_code(ADD.replace("NUMBER", f"{i}.0")))
            total += call(loaded)(float(k))
        return total

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(8))) == [sum(range(20)) + 20.0 * i for i in range(8)]


@pytest.mark.parametrize(
    ("ir", "message"),
    [
        ("define double @f(", "LLVM could not compile the program for"),
        ("define double @f() {\n  ret float 1.0\n}", "LLVM could not compile the program for"),
        ("declare double @system(double)", "external name 'system' in the IR.*Valid: .*atan2"),
        ("@environ = external global ptr", "external name 'environ'"),
    ],
)
def test_programs_that_are_refused(ir: str, message: str) -> None:
    with pytest.raises(EquamoError, match=message):
        engine.object_code(ir)


def test_unknown_machines_are_refused() -> None:
    with pytest.raises(EquamoError, match="LLVM could not compile the program for pdp11-dec-unix"):
        engine.object_code("", engine.Machine("pdp11-dec-unix"))


def test_objects_that_are_refused() -> None:
    for machine in (engine.WINDOWS, engine.MACOS, engine.LINUX_ARM):
        with pytest.raises(EquamoError, match="must be made by object_code for this machine"):
            engine.load(engine.object_code(EXP, machine))
    with pytest.raises(FileFormatError, match="Not an object file"):
        engine.load(b"")
    with pytest.raises(FileFormatError, match="damaged"):
        engine.load(engine.object_code(EXP)[:100])
    with pytest.raises(UnknownNameError, match=r"function 'thrice' in the object.*Valid: twice"):
        engine.load(engine.object_code(EXP)).address("thrice")


def python(program: str, **environment: str) -> Any:
    return subprocess.run(
        [sys.executable, "-c", program],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=True,
    ).stdout


@pytest.mark.linux
@pytest.mark.ci
def test_thousands_of_loads_keep_no_memory() -> None:
    """Resident memory after 1,500 loads is the same as after 250, except for a little noise."""
    program = f"""
from equamo.code.jit import engine
code = engine.object_code({EXP!r})
def resident():
    fields = dict(line.split(":") for line in open("/proc/self/status"))
    return int(fields["VmRSS"].split()[0])
for _ in range(250):
    engine.load(code).address("twice")
before = resident()
for _ in range(1250):
    engine.load(code).address("twice")
print(resident() - before)
"""
    assert int(python(program)) < 4096  # kB: 3 a load, and one that is kept takes 50


@pytest.mark.parametrize(
    ("module", "message"),
    [
        ("None", "needs llvmlite>=0.45 (tested up to 0.50), which is not installed; run pip"),
        ("Old()", "needs llvmlite>=0.45 (tested up to 0.50), but 0.44.0 is installed."),
    ],
)
def test_missing_or_old_llvmlite_is_named(module: str, message: str) -> None:
    program = f"""
import sys
from equamo.errors import EquamoError
from equamo.code.jit import engine
assert "llvmlite" not in sys.modules
class Old:
    __version__ = "0.44.0"
sys.modules["llvmlite"] = {module}
try:
    engine.host()
except EquamoError as e:
    print(e)
"""
    assert message in python(program)


@pytest.mark.parametrize("module", [None, SimpleNamespace(__version__="0.44.0")])
def test_the_same_in_this_process(module: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llvmlite", module)
    with pytest.raises(EquamoError, match=r"needs llvmlite>=0\.45 .* installed"):
        engine._binding.__wrapped__()


def test_names_that_an_object_may_not_need(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UnknownNameError, match="Unknown external name 'system' in the object"):
        engine._make_known("system")
    monkeypatch.setattr(engine, "UNDEFINED_ALLOWED", frozenset({"no_such_function"}))
    with pytest.raises(EquamoError, match="needs 'no_such_function', which this system does not"):
        engine._make_known("no_such_function")


def test_version_names_llvmlite_and_llvm() -> None:
    import llvmlite
    from llvmlite import binding

    assert llvmlite.__version__ in engine.version()
    assert ".".join(map(str, binding.llvm_version_info)) in engine.version()


@pytest.mark.ci
def test_all_of_this_under_the_lowest_llvmlite(tmp_path: Path) -> None:
    """The other tests of this file, in a process that finds the lowest supported version first."""
    lowest = ".".join(map(str, (*engine.LOWEST, 0)))
    pip = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--no-compile",
        "--target",
    ]
    subprocess.run([*pip, str(tmp_path), f"llvmlite=={lowest}"], check=True)
    found = python(
        "from equamo.code.jit import engine; print(engine.version())", PYTHONPATH=str(tmp_path)
    )
    assert found.startswith(f"llvmlite {lowest},")
    run = subprocess.run(
        [
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist"),
            *(str(Path(__file__)), "-k", "not lowest"),
        ],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout
    print(found, run.stdout.splitlines()[-1])


def test_assembly_that_llvm_refuses() -> None:
    with pytest.raises(EquamoError, match="LLVM could not compile the program for apple-m1"):
        engine.assembly("define double @f( {", engine.MACOS)
    declared = "declare double @tanh(double)\n" + ADD.replace("NUMBER", "1.0")
    with pytest.raises(UnknownNameError, match="Unknown external name 'tanh'"):
        engine.assembly(declared, engine.MACOS)


def test_a_system_whose_cpu_features_are_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on some ARM systems: the name of the CPU is enough, and it still fuses."""

    def refuses() -> Any:
        raise RuntimeError("failed to get host cpu features")

    binding = SimpleNamespace(
        get_process_triple=lambda: "arm64-apple-darwin23.1.0",
        get_host_cpu_name=lambda: "apple-m1",
        get_host_cpu_features=refuses,
    )
    monkeypatch.setattr(engine, "_binding", lambda: binding)
    monkeypatch.setattr(sys, "platform", "darwin")
    found = engine.host.__wrapped__()
    assert found == engine.Machine("arm64-apple-darwin23.1.0", "apple-m1", "")
    assert engine.fuses(found)
    assert engine.widest("float64", found) == 2


def test_windows_loads_elf(monkeypatch: pytest.MonkeyPatch) -> None:
    here = engine.host()  # before the change: it is kept
    monkeypatch.setattr(sys, "platform", "win32")
    assert engine.host.__wrapped__().triple == here.triple + "-elf"


CONTRACTION = """
declare double @llvm.fmuladd.f64(double, double, double)
define double @separate(double %a, double %b, double %c) {
  %x = fmul double %a, %b
  %y = fadd double %x, %c
  ret double %y
}
define double @together(double %a, double %b, double %c) {
  %y = call double @llvm.fmuladd.f64(double %a, double %b, double %c)
  ret double %y
}
"""


@pytest.mark.parametrize("machine", [engine.MACOS, engine.LINUX_ARM, engine.WINDOWS])
def test_only_what_is_written_as_one_operation_is_fused(machine: engine.Machine) -> None:
    """No processor may round a product once where the program, and its proof, round twice."""
    text = engine.assembly(CONTRACTION, machine)
    separate, together = re.split(r"together:", text, maxsplit=1)
    fused = r"\b(v?fn?madd)"
    assert re.search(r"\bv?f?mul", separate)
    assert re.search(r"\bv?f?add", separate)
    assert not re.search(fused, separate)
    assert re.search(fused, together)
