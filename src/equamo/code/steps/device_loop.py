"""IR of runs on a GPU: one run per thread, with its state in registers.

    kernel(i64 count, i64 steps, i64 every, double start, double step, then for each array of ARRAYS a
    pointer and its strides between runs and between elements, and two strides between steps:
    of the inputs (0: constant) and of the rows of the trajectory)

One iteration of the loop is one evaluation of a method's kernel: one per step of semi-implicit Euler,
four per step of Runge-Kutta, whose stages differ in three numbers. Quaternions are divided by their
length after each step. A diverging run has infinite numbers or NaN from then on.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..ir.program import Program
from ..jit.cuda.layout import Layout
from ..jit.cuda.staging import GLOBAL
from ..jit.cuda.thread import REGISTERS, ThreadWriter, thread_number
from .rk4 import STAGES

Stages = tuple[tuple[float, float, float], ...]
ARRAYS: Final = ("q", "v", "inputs", "external", "parameters", "trajectory")
# (c, a, b) of each stage
METHODS: Final[dict[str, Stages]] = {"semi_implicit_euler": ((0, 1, 0),), "rk4": STAGES}


class DeviceLoop(ThreadWriter):
    """Writer of the loop of a method's program; `text()` is its IR.

    `point`, `base`, `sum` and `clock` are values instead of arrays; `unit` has the indices of unit
    quaternions, `size` is the number of coordinates and speeds.
    """

    n: int
    size: int
    unit: Sequence[Sequence[int]]
    lines: list[str]
    stages: Stages
    before: int
    after: int

    def __init__(
        self,
        program: Program,
        method: str,
        dtype: str,
        coordinates: int,
        size: int,
        unit: Sequence[Sequence[int]],
    ) -> None:
        layout = Layout((), (), "float64" if dtype == "float64" else "float32")
        super().__init__(program, layout)
        self.given: tuple[Program, str, str, int, int, Sequence[Sequence[int]]] = (
            program,
            method,
            dtype,
            coordinates,
            size,
            unit,
        )
        self.stages, self.n, self.size, self.unit = METHODS[method], coordinates, size, unit
        self.named: dict[str, list[str]] = {}  # values of arguments
        self.results: dict[tuple[int, int], str] = {}
        self.before = self.after = 0  # numbers of values before and after the program

    def load(self, array: int, element: int) -> str:
        name = self.program.arguments[array].name
        if name in self.named:
            return self.named[name][element]
        E, B = self.types.element, self.types.bytes
        step = self._line(f"mul i64 %element_{name}, {element}")
        at = self._line(f"getelementptr i8, {GLOBAL} %own_{name}, i64 {step}")
        return self._line(f"load {E}, {GLOBAL} {at}, align {B}, !invariant.load !0")

    def store(self, x: str, array: int, element: int) -> None:
        self.results[array - len(self.program.arguments), element] = x

    def text(self) -> str:
        E, B, S = self.types.element, self.types.bytes, len(self.stages)
        several = S > 1
        states = range(self.size)
        kinds = ("x", "point", "sum") if several else ("x",)
        # -- start
        for e in states:
            name, k = ("q", e) if e < self.n else ("v", e - self.n)
            self.lines += [
                f"  %initial_step{e} = mul i64 %element_{name}, {k}",
                f"  %initial_at{e} = getelementptr i8, {GLOBAL} %own_{name}, i64 %initial_step{e}",
                f"  %initial{e} = load {E}, {GLOBAL} %initial_at{e}, align {B}, !invariant.load !0",
            ]
        self._row([f"%initial{e}" for e in states], "%own_trajectory")
        self.lines += ["  br label %turn", "turn:", "  %j = phi i64 [ 0, %entry ], [ %j1, %again ]"]
        for kind in kinds:
            self.lines += [
                f"  %{kind}{e} = phi {E} [ %initial{e}, %entry ], [ %{kind}_next{e}, %again ]"
                for e in states
            ]
        # -- time and stage
        self.lines += [
            "  %j1 = add i64 %j, 1",
            f"  %s = udiv i64 %j, {S}",
            f"  %stage = urem i64 %j, {S}",
            f"  %s_number = sitofp i64 %s to {E}",
            f"  %since = fmul {E} %s_number, %step",
            f"  %time = fadd {E} %start, %since",
            "  %input_offset = mul i64 %s, %input_step",
            f"  %own_inputs = getelementptr i8, {GLOBAL} %first_inputs, i64 %input_offset",
        ]
        clock: list[str] = []
        for k in range(3):
            factor = self._chosen([float(stage[k]) for stage in self.stages])
            scaled = self._line(f"fmul {E} %step, {factor}")
            clock.append(self._line(f"fadd {E} %time, {scaled}") if k == 0 else scaled)
        point = [f"%{'point' if several else 'x'}{e}" for e in states]
        self.named = {
            "q": point[: self.n], "v": point[self.n :], "clock": clock,
            "base": [f"%x{e}" for e in states], "sum": [f"%sum{e}" for e in states],
        }  # fmt: skip
        self.before = self.count
        self.body()
        self.after = self.count
        after = [self.results[0, e] for e in states]
        total = [self.results[1, e] for e in states] if several else after
        y = list(total)
        for group in self.unit:
            self._normalise(y, group)
        # -- end of a stage or of a step
        for e in states:
            if several:
                self.lines += [
                    f"  %x_next{e} = select i1 %ends, {E} {y[e]}, {E} %x{e}",
                    f"  %point_next{e} = select i1 %ends, {E} {y[e]}, {E} {after[e]}",
                    f"  %sum_next{e} = select i1 %ends, {E} {y[e]}, {E} {total[e]}",
                ]
            else:
                self.lines.append(f"  %x_next{e} = fadd {E} {y[e]}, {self.types.literal(-0.0)}")
        at = self.lines.index("  %stage = urem i64 %j, " + str(S)) + 1
        self.lines.insert(at, f"  %ends = icmp eq i64 %stage, {S - 1}")
        self.lines += [
            "  %s1 = add i64 %s, 1",
            "  %beyond = urem i64 %s1, %every",
            "  %due = icmp eq i64 %beyond, 0",
            "  %shown = and i1 %due, %ends",
            "  br i1 %shown, label %show, label %again",
            "show:",
            "  %row = udiv i64 %s1, %every",
            "  %row_offset = mul i64 %row, %row_step",
            f"  %row_at = getelementptr i8, {GLOBAL} %own_trajectory, i64 %row_offset",
        ]
        self._row([f"%x_next{e}" for e in states], "%row_at")
        self.lines += [
            "  br label %again",
            "again:",
            f"  %turns = mul i64 %steps, {S}",
            "  %more = icmp slt i64 %j1, %turns",
            "  br i1 %more, label %turn, label %done",
            "done:",
            "  ret void",
            "}",
            "!0 = !{}",
            "",
        ]
        head = [*self._head(), *thread_number()]
        for name in ARRAYS:
            own = "first_inputs" if name == "inputs" else f"own_{name}"
            head += [
                f"  %offset_{name} = mul i64 %i, %state_{name}",
                f"  %{own} = getelementptr i8, {GLOBAL} %array_{name}, i64 %offset_{name}",
            ]
        return "\n".join([*REGISTERS, *dict.fromkeys(self.declared), *head, *self.lines])

    def _head(self) -> list[str]:
        E = self.types.element
        given = ["i64 %count", "i64 %steps", "i64 %every", f"{E} %start", f"{E} %step"]
        for name in ARRAYS:
            given.append(f"{GLOBAL} %array_{name}, i64 %state_{name}, i64 %element_{name}")
        given += ["i64 %input_step", "i64 %row_step"]
        return [f"define ptx_kernel void @kernel({', '.join(given)}) nounwind {{", "entry:"]

    def _chosen(self, numbers: Sequence[float]) -> str:
        """Number of the stage."""
        E = self.types.element
        found = self.types.literal(numbers[-1])
        for k, x in enumerate(numbers[:-1]):
            test = self._line(f"icmp eq i64 %stage, {k}")
            found = self._line(f"select i1 {test}, {E} {self.types.literal(x)}, {E} {found}")
        return found

    def _row(self, values: Sequence[str], start: str) -> None:
        """Write a state to a row of the trajectory."""
        E, B = self.types.element, self.types.bytes
        for e, x in enumerate(values):
            step = self._line(f"mul i64 %element_trajectory, {e}")
            at = self._line(f"getelementptr i8, {GLOBAL} {start}, i64 {step}")
            self.lines.append(f"  store {E} {x}, {GLOBAL} {at}, align {B}")

    def _normalise(self, y: list[str], group: Sequence[int]) -> None:
        """Divide the four entries of a quaternion by their length."""
        E = self.types.element
        squares = self._line(f"fmul {E} {y[group[0]]}, {y[group[0]]}")
        for e in group[1:]:
            squares = self._intrinsic("fmuladd", y[e], y[e], squares)
        length = self._intrinsic("sqrt", squares)
        for e in group:
            y[e] = self._line(f"fdiv {E} {y[e]}, {length}")
