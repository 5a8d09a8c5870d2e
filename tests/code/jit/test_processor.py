"""Machine code for a processor level: equal results, no instruction that the level lacks, same bytes."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from compiled_robots import close, equations, of, states, values
from equamo.algebra.expr import parse
from equamo.cli import doctor
from equamo.code.ir.functions import functions
from equamo.code.jit import engine, processor
from equamo.code.jit.engine import Machine
from equamo.code.jit.kernel import Kernel
from equamo.code.jit.llvm import ir
from equamo.code.jit.machine_code import Options
from equamo.code.jit.processor import LEVELS, NAMES
from equamo.errors import EquamoError, FileFormatError, UnknownNameError
from equamo.mechanics.certificate import check_file

X86 = [n for n in LEVELS if n.startswith("x86")]
USABLE = [n for n in NAMES if not processor.missing(n)]
ROBOTS = ["rr_arm", "rolling_disc", "one_of_each"]
OLD = Machine("x86_64-unknown-linux-gnu", "sandybridge", "+cmov,+cx8,+sse,+sse2,+avx,-avx2,-fma")
OTHERS = {
    "old": OLD,
    "new": Machine("x86_64-unknown-linux-gnu", "znver5", "+avx512f,+avx512vp2intersect,+fma"),
}
THIS_IS_X86 = engine.host().triple.startswith("x86_64")

SetHost = Callable[[Machine], None]


@pytest.fixture
def set_host(monkeypatch: pytest.MonkeyPatch) -> SetHost:
    return lambda machine: monkeypatch.setattr(engine, "host", lambda: machine)


def text(machine: Machine, dtype: Any = "float64", lanes: int | None = None) -> str:
    program = functions(equations("rr_arm"))["inverse_dynamics"].program()
    width = engine.widest(dtype, machine) if lanes is None else lanes
    return ir(program, dtype, width, engine.fuses(machine))


# -- results -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("cpu", USABLE)
@pytest.mark.parametrize("robot", ROBOTS)
def test_numbers_are_those_of_the_expressions(robot: str, cpu: str) -> None:
    eom, fast = equations(robot), eq.compile(equations(robot), cpu=cpu)
    for shape in ((), (11,)):
        x, more = states(eom, 1, *shape), values(eom)
        known = {n: x[n] for n in ("q", "v", "vdot", "inputs")}
        for name in ("inverse_dynamics", "mass_matrix", "kinetic_energy"):
            found = of(fast, name, x, values=more)
            assert close(found, eom.evaluate(name, **known, values=more)), (name, shape)
        single = {n: y.astype(np.float32) for n, y in x.items()}
        found = of(fast, "mass_matrix", single, values=more)
        assert found.dtype == np.float32
        assert close(found, eom.evaluate("mass_matrix", **known, values=more), 1e-4), shape


@pytest.mark.parametrize("cpu", USABLE)
def test_a_state_has_the_same_result_alone_and_in_every_batch(cpu: str) -> None:
    """Also with more lanes than the registers of the level have."""
    eom = equations("rr_arm")
    x = states(eom, 1, 19)
    alone = eq.compile(eom, cpu=cpu)
    one = [
        alone.inverse_dynamics(q, v, a) for q, v, a in zip(x["q"], x["v"], x["vdot"], strict=True)
    ]
    for lanes in (None, 1, 2, 4, 8, 16):
        fast = eq.compile(eom, cpu=cpu, lanes=lanes, threads=1)
        np.testing.assert_array_equal(fast.inverse_dynamics(x["q"], x["v"], x["vdot"]), one)


@pytest.mark.parametrize("cpu", USABLE)
@pytest.mark.parametrize("method", ["rk4", "implicit_midpoint"])
def test_runs_and_functions_of_expressions(method: str, cpu: str) -> None:
    eom = equations("rr_arm")
    known = eq.rollout(eom, {"q1": [0.1, 0.2, 0.3]}, step=0.01, steps=20, method=method)
    found = eq.rollout(eom, {"q1": [0.1, 0.2, 0.3]}, step=0.01, steps=20, method=method, cpu=cpu)
    assert close(found.states, known.states)
    f = eq.function(eom.mass_matrix, {"q": eom.q}, values=eom.robot.values, cpu=cpu)
    assert close(f([0.3, 0.5]), eom.evaluate("mass_matrix", q=[0.3, 0.5]))
    assert pickle.loads(pickle.dumps(f)).compiled.options.cpu == cpu


# -- instructions --------------------------------------------------------------------------------------
def test_registers_and_multiply_adds_of_each_level() -> None:
    made = {n: engine.assembly(text(processor.machine(n)), processor.machine(n)) for n in LEVELS}
    assert not re.search(r"vfn?m(add|sub)|%[yz]mm|\tv\w+pd", made["x86-64-v2"])
    assert re.search(r"vfn?madd", made["x86-64-v3"])
    assert "%ymm" in made["x86-64-v3"]
    assert "%zmm" not in made["x86-64-v3"]
    assert re.search(r"vfn?madd\w+\t.*%zmm", made["x86-64-v4"])
    assert "%ymm" not in made["x86-64-v4"]  # LLVM's own tuning prefers 256 bits
    assert re.search(r"fml[as]\tv\d+\.2d", made["armv8-a"])


def test_widths_and_multiply_adds_of_each_level() -> None:
    found = {
        n: (engine.widest("float64", m), engine.widest("float32", m), engine.fuses(m))
        for n, m in ((n, processor.machine(n)) for n in LEVELS)
    }
    assert found == {
        "x86-64-v2": (2, 4, False),
        "x86-64-v3": (4, 8, True),
        "x86-64-v4": (8, 16, True),
        "armv8-a": (2, 4, True),
    }


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
@pytest.mark.parametrize("lanes", [1, None])
def test_nothing_of_the_host_enters_the_code(
    lanes: int | None, other: Machine, set_host: SetHost
) -> None:
    if not THIS_IS_X86:
        set_host(Machine("x86_64-unknown-linux-gnu", "znver4", ""))
    here = {n: processor.machine(n) for n in LEVELS}
    made = {n: engine.object_code(text(m, lanes=lanes), m) for n, m in here.items()}
    set_host(other)
    for n in LEVELS:
        machine = processor.machine(n)
        assert engine.object_code(text(machine, lanes=lanes), machine) == made[n], n


# -- the cache -----------------------------------------------------------------------------------------
def test_each_level_has_entries_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "cache"
    monkeypatch.setenv("EQUAMO_CACHE", str(folder))
    eom = equations("rr_arm")
    x = states(eom, 1, 3)

    def entries() -> int:
        return len(list(folder.rglob("*.entry")))

    known = entries()
    for cpu in USABLE * 2:
        fast = eq.compile(eom, cpu=cpu)
        fast.gravity(x["q"][0])
        fast.gravity(x["q"])
        eq.rollout(eom, step=0.01, steps=2, cpu=cpu)
    assert entries() - known == 3 * len(USABLE)


# -- the certificate -----------------------------------------------------------------------------------
@pytest.mark.parametrize("cpu", USABLE)
def test_code_of_a_level_is_proved_and_proved_again_elsewhere(
    cpu: str, tmp_path: Path, set_host: SetHost
) -> None:
    eom = equations("rr_arm")
    fast = eq.compile(eom, cpu=cpu)
    x = states(eom, 1, 3)
    fast.inverse_dynamics(x["q"], x["v"], x["vdot"])
    fast.inverse_dynamics(x["q"][0], x["v"][0], x["vdot"][0])
    certificate = fast.certificate()
    assert certificate.ok
    assert certificate.code is not None
    assert certificate.code.get("cpu", "host") == cpu
    certificate.save(tmp_path / "certificate.json")
    set_host(OLD)  # which could not run most of it
    assert check_file(tmp_path / "certificate.json").ok


def test_a_certificate_with_an_unknown_processor() -> None:
    from equamo.code.jit.certificate import prove_code_again

    fast = eq.compile(equations("rr_arm"))
    fast.gravity([0, 0])
    code = {**(fast.certificate().code or {}), "cpu": "z80"}
    with pytest.raises(FileFormatError, match="z80"):
        list(prove_code_again(fast.eom.robot, code, 100, [1]))


# -- names ---------------------------------------------------------------------------------------------
@pytest.mark.parametrize("cpu", ["x86-64-v5", "znver4", "", "HOST", 3, ["host"]])
def test_unknown_names(cpu: Any) -> None:
    with pytest.raises(UnknownNameError, match="host, x86-64-v2, x86-64-v3, x86-64-v4, armv8-a"):
        eq.compile(equations("rr_arm"), cpu=cpu)
    with pytest.raises(UnknownNameError):
        eq.function("a", {"a": "a"}, cpu=cpu)
    with pytest.raises(UnknownNameError):
        eq.rollout(equations("rr_arm"), step=0.1, steps=1, cpu=cpu)


def test_what_the_host_lacks(set_host: SetHost) -> None:
    eom = equations("rr_arm")
    haswell = Machine(
        "x86_64-unknown-linux-gnu", "haswell", processor.machine("x86-64-v3").features
    )
    set_host(haswell)
    assert [n for n in NAMES if not processor.missing(n)] == ["host", "x86-64-v2", "x86-64-v3"]
    with pytest.raises(EquamoError) as refused:
        eq.compile(eom, cpu="x86-64-v4")
    assert str(refused.value) == (
        "compile: cpu must name a processor whose code runs on this machine, got 'x86-64-v4', which "
        "needs avx512bw, avx512cd, avx512dq, avx512f, avx512vl; use one of 'host', 'x86-64-v2', "
        "'x86-64-v3'."
    )
    with pytest.raises(EquamoError, match="got 'armv8-a', which needs the architecture arm64"):
        eq.compile(eom, cpu="armv8-a")
    set_host(engine.MACOS)
    assert [n for n in NAMES if not processor.missing(n)] == ["host", "armv8-a"]
    assert processor.machine("armv8-a").triple == engine.MACOS.triple
    with pytest.raises(EquamoError, match="got 'x86-64-v2', which needs the architecture x86_64"):
        eq.compile(eom, cpu="x86-64-v2")


def test_a_pickle_from_a_bigger_machine(monkeypatch: pytest.MonkeyPatch, set_host: SetHost) -> None:
    """It must be refused: an instruction that the processor lacks ends the process."""
    monkeypatch.delenv(processor.VARIABLE, raising=False)
    if not THIS_IS_X86:
        set_host(Machine("x86_64-unknown-linux-gnu", "", processor.machine("x86-64-v4").features))
    fast = eq.compile(equations("rr_arm"), cpu="x86-64-v2")
    assert "cpu='x86-64-v2'" in repr(fast)
    data = pickle.dumps(fast)
    set_host(engine.MACOS)
    with pytest.raises(EquamoError, match="x86-64-v2"):
        pickle.loads(data).gravity([0, 0])


# -- the environment -----------------------------------------------------------------------------------
def test_the_environment_selects_the_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    eom, level = equations("rr_arm"), USABLE[-1]
    monkeypatch.setenv(processor.VARIABLE, level)
    chosen = eq.compile(eom)
    assert chosen.options.cpu == level
    assert eq.compile(eom, cpu="host").options.cpu == "host"
    assert processor.current() == processor.machine(level)
    assert f"{level} (by EQUAMO_CPU)" in doctor.facts()["cpu"]
    for text in ("", " ", "host"):
        monkeypatch.setenv(processor.VARIABLE, text)
        assert eq.compile(eom).options.cpu == "host"
    assert doctor.facts()["cpu"].startswith(f"host ({engine.host().cpu})")
    # What was selected stays, also in another process.
    assert pickle.loads(pickle.dumps(chosen)).options.cpu == level
    assert chosen.function("gravity").machine_code.machine == processor.machine(level)


def test_kernels_of_simulations_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Machine | None] = []
    compiled = engine.object_code

    def recorded(ir: str, machine: Machine | None = None, level: int = 2) -> bytes:
        made.append(machine)
        return compiled(ir, machine, level)

    monkeypatch.setenv("EQUAMO_CACHE", "off")
    monkeypatch.setattr(engine, "object_code", recorded)
    for cpu in USABLE:
        monkeypatch.setenv(processor.VARIABLE, cpu)
        made.clear()
        Kernel("f", [], [[parse("2")]])
        assert made[0] == processor.machine(cpu)


def test_wrong_names_in_the_environment(monkeypatch: pytest.MonkeyPatch, set_host: SetHost) -> None:
    eom = equations("rr_arm")
    monkeypatch.setenv(processor.VARIABLE, "x86-64-v5")
    with pytest.raises(UnknownNameError, match=r"Unknown processor 'x86-64-v5' in EQUAMO_CPU\."):
        eq.compile(eom)
    assert "EQUAMO_CPU" in doctor.facts()["cpu"]
    eq.compile(eom, cpu="host")
    set_host(engine.MACOS)
    monkeypatch.setenv(processor.VARIABLE, "x86-64-v2")
    with pytest.raises(EquamoError, match=r"^EQUAMO_CPU must name a processor whose code runs on"):
        eq.compile(eom)


def test_a_gpu_needs_no_processor(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(EquamoError, match="lanes, threads and cpu must be left out"):
        Options(device="cuda", cpu="host")
    monkeypatch.setenv(processor.VARIABLE, "nonsense")
    assert Options(device="cuda").cpu is None
