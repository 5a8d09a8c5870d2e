"""IR that integrators write: values, blocks of memory, time and calls of the kernel."""

from __future__ import annotations

import pytest

from equamo.algebra.expr import parse, symbols
from equamo.code.ir.lower import lower
from equamo.code.ir.program import Argument
from equamo.code.jit.llvm import Types
from equamo.code.steps.writer import Writer


def writer(lanes: int = 1) -> Writer:
    """For a program f(q[2], v[1]) -> a, and states of three numbers."""
    x, y, u = symbols("x y u")
    program = lower("f", [Argument("q", (x, y)), Argument("v", (u,))], {"a": parse("x*u + y")})
    return Writer(program, Types("float64", lanes), 2, 3)


def test_values() -> None:
    w = writer()
    a = w.intrinsic("maxnum", "%x", "%y")
    flag = w.is_one(a)
    assert w.any(flag) == flag
    assert w.everywhere("%x") == "%x"
    assert (a, flag, w.select(flag, a, "%y")) == ("%t1", "%t2", "%t3")
    assert w.lines == [
        "  %t1 = call double @llvm.maxnum.f64(double %x, double %y)",
        "  %t2 = fcmp oeq double %t1, 0x3FF0000000000000",
        "  %t3 = select i1 %t2, double %t1, double %y",
    ]
    assert w.declared == {"declare double @llvm.maxnum.f64(double, double)"}


def test_values_of_several_lanes() -> None:
    w = writer(2)
    assert w.flag == "<2 x i1>"
    assert w.any(w.is_one(w.everywhere("%x"))) == "%t5"
    one = "<double 0x3FF0000000000000, double 0x3FF0000000000000>"
    assert w.lines == [
        "  %t1 = insertelement <2 x double> poison, double %x, i32 0",
        "  %t2 = shufflevector <2 x double> %t1, <2 x double> poison, <2 x i32> zeroinitializer",
        f"  %t3 = fcmp oeq <2 x double> %t2, {one}",
        "  %t4 = bitcast <2 x i1> %t3 to i2",
        "  %t5 = icmp ne i2 %t4, 0",
    ]


@pytest.mark.parametrize(("lanes", "value", "align"), [(1, "double", 8), (4, "<4 x double>", 32)])
def test_blocks(lanes: int, value: str, align: int) -> None:
    """A block is allocated at first use; it has the size of a state if no other is given."""
    w = writer(lanes)
    w.block("new", 0)
    w.copy("old", "new")
    w.set("flag", w.get("flag"))
    assert w.entry == [
        f"  %block_new = alloca [{lanes} x double], align {max(16, align)}",
        f"  %block_old = alloca [{3 * lanes} x double], align {max(16, align)}",
        f"  %block_flag = alloca [{lanes} x double], align {max(16, align)}",
    ]
    expected = []
    for e in range(3):
        k = 3 * e + 1
        expected += [
            f"  %t{k} = getelementptr double, ptr %block_old, i64 {e * lanes}",
            f"  %t{k + 1} = load {value}, ptr %t{k}, align {align}",
            f"  %t{k + 2} = getelementptr double, ptr %block_new, i64 {e * lanes}",
            f"  store {value} %t{k + 1}, ptr %t{k + 2}, align {align}",
        ]
    assert w.lines[:12] == expected
    assert w.lines[12:] == [
        "  %t10 = getelementptr double, ptr %block_flag, i64 0",
        f"  %t11 = load {value}, ptr %t10, align {align}",
        "  %t12 = getelementptr double, ptr %block_flag, i64 0",
        f"  store {value} %t11, ptr %t12, align {align}",
    ]


def test_clock_and_jump() -> None:
    w = writer()
    w.clock(0.5, 1.0, 0.25)
    w.jump("next")
    assert w.entry == ["  %block_clock = alloca [3 x double], align 16"]
    assert w.lines == [
        "  %t1 = fmul double %step, 0x3FE0000000000000",
        "  %t2 = fadd double %time, %t1",
        "  %t3 = getelementptr double, ptr %block_clock, i64 0",
        "  store double %t2, ptr %t3, align 8",
        "  %t4 = fmul double %step, 0x3FF0000000000000",
        "  %t5 = getelementptr double, ptr %block_clock, i64 1",
        "  store double %t4, ptr %t5, align 8",
        "  %t6 = fmul double %step, 0x3FD0000000000000",
        "  %t7 = getelementptr double, ptr %block_clock, i64 2",
        "  store double %t6, ptr %t7, align 8",
        "  br label %next",
        "next:",
    ]


@pytest.mark.parametrize("lanes", [1, 2])
def test_calls_of_the_kernel(lanes: int) -> None:
    """q and v are parts of one block, the point; each call has a table of pointers of its own."""
    w = writer(lanes)
    w.call(point="start", a="slope")
    w.call(point="end")
    assert w.lines == ["  call void @kernel(ptr %call0)", "  call void @kernel(ptr %call1)"]
    expected = []
    for table, point, a in (("%call0", "start", "slope"), ("%call1", "end", "a")):
        expected.append(f"  {table} = alloca [3 x ptr], align 16")
        for k, (block, offset) in enumerate(((point, 0), (point, 2 * lanes), (a, 0))):
            if k != 1:  # the first use of its block
                expected.append(f"  %block_{block} = alloca [{3 * lanes} x double], align 16")
            expected += [
                f"  {table}_to{k} = getelementptr double, ptr %block_{block}, i64 {offset}",
                f"  {table}_at{k} = getelementptr ptr, ptr {table}, i64 {k}",
                f"  store ptr {table}_to{k}, ptr {table}_at{k}",
            ]
    assert w.entry == expected
