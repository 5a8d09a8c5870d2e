"""IR of `rollout`: complete runs, one block of lanes at a time.

    void rollout(ptr args, ptr strides, ptr numbers, ptr stop, i64 begin, i64 end)

computes runs begin ≤ i < end. `args` are arrays. `strides` has two numbers per array, in bytes: from run
to run (0 if all runs share it) and from element to element; then four more numbers:

    args      initial  inputs  external  parameters  trajectory  final  broken  middle
    strides   … from step to step of the inputs (0: constant), from row to row of the trajectory,
              the number of steps, and the number of steps per row
    numbers   the time at the start, the step
    stop      a number that ends the loop if it is not 0

After each step quaternions are divided by their length. A run whose state is no longer finite has
diverged: its last finite state is kept, its rows are NaN from then on, and `broken` has the number of
steps that it made (−1: all). `middle` has the point (q_m, v_m) of the last step of a method with one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ..ir.program import Program
from ..jit.llvm import Types
from .method import Method
from .writer import Writer

ARRAYS: Final = (
    "initial", "inputs", "external", "parameters", "trajectory", "final", "broken", "middle"
)  # fmt: skip
LENGTHS: Final = ("input_step", "row_step", "steps", "every")
_SIGNATURE: Final = "ptr %args, ptr %strides, ptr %numbers, ptr %stop, i64 %begin, i64 %end"


def rollout_ir(
    program: Program,
    method: Method,
    types: Types,
    coordinates: int,
    size: int,
    unit: Sequence[Sequence[int]],
) -> str:
    """IR text to add to the kernel of a method; `unit` has the indices of unit quaternions."""
    write = Writer(program, types, coordinates, size)
    lengths = {a.name: len(a) for a in program.arguments}
    for name in ("inputs", "external", "parameters"):
        write.block(name, lengths.get(name, 0))
    sizes = {"initial": size, "final": size, "trajectory": size, "broken": 1} | {
        name: lengths.get(name, 0) for name in ("inputs", "external", "parameters")
    }
    sizes["middle"] = size if method.has_middle else 0
    nan = types.literal(float("nan"))

    def take(array: str, block: str, at: str | None = None) -> str:
        return _move("take", array, sizes[array], write.block(block), at)

    def give(array: str, block: str, at: str | None = None) -> str:
        return _move("give", array, sizes[array], write.block(block), at)

    def row(at: str) -> None:
        """Write the states to a row; NaN for runs that have diverged."""
        alive = _alive(write)
        for e in range(size):
            x = write.load("x", e)
            write.store(write.select(alive, x, nan), "output", e)
        write.lines.append(give("trajectory", "output", at))

    # -- start of every run
    write.lines += [
        "  br i1 %some, label %run, label %done",
        "run:",
        "  %i = phi i64 [ %begin, %entry ], [ %following, %finish ]",
        take("initial", "x"),
        take("inputs", "inputs"),
        take("external", "external"),
        take("parameters", "parameters"),
    ]
    write.set("health", types.literal(0.0))
    write.set("broken", types.literal(-1.0))
    row("%array_trajectory")
    method.begin(write)
    write.jump("first")

    # -- every step
    write.jump("next_step")
    write.lines += [
        "  %s = phi i64 [ 0, %first ], [ %s1, %stepped ]",
        "  %s1 = add i64 %s, 1",
        "  %stopped = load volatile i64, ptr %stop",
        "  %halt = icmp ne i64 %stopped, 0",
        "  br i1 %halt, label %done, label %try_inputs",
        "try_inputs:",
        "  br i1 %inputs_change, label %read_inputs, label %take_step",
        "read_inputs:",
        "  %input_offset = mul i64 %s, %input_step",
        "  %inputs_now = getelementptr i8, ptr %array_inputs, i64 %input_offset",
        take("inputs", "inputs", "%inputs_now"),
    ]
    write.jump("take_step")
    write.lines += [
        f"  %s_number = sitofp i64 %s to {types.element}",
        f"  %since = fmul {types.element} %s_number, %step",
        f"  %time = fadd {types.element} %start, %since",
    ]
    method.step(write)
    for group in unit:
        _normalise(write, group)
    _keep_finite(write)
    write.lines += [
        "  %beyond = urem i64 %s1, %every",
        "  %due = icmp eq i64 %beyond, 0",
        "  br i1 %due, label %show, label %stepped",
        "show:",
        "  %row = udiv i64 %s1, %every",
        "  %row_offset = mul i64 %row, %row_step",
        "  %row_now = getelementptr i8, ptr %array_trajectory, i64 %row_offset",
    ]
    row("%row_now")
    write.jump("stepped")
    write.lines += [
        "  %more_steps = icmp slt i64 %s1, %steps",
        "  br i1 %more_steps, label %next_step, label %finish",
        "finish:",
        give("final", "x"),
        give("broken", "broken"),
        give("middle", "middle"),
        f"  %following = add i64 %i, {types.lanes}",
        "  %more_runs = icmp slt i64 %following, %end",
        "  br i1 %more_runs, label %run, label %done",
        "done:",
        "  ret void",
        "}",
    ]
    head = [f"define void @rollout({_SIGNATURE}) nounwind {{", "entry:", *_reading(types)]
    moves = [_mover("take", types), _mover("give", types)]
    return "\n".join([*sorted(write.declared), *moves, *head, *write.entry, *write.lines, ""])


def _reading(types: Types) -> list[str]:
    """Load %array_…, %state_…, %element_… of each array, and the numbers that follow."""
    out: list[str] = []

    def number(name: str, place: int) -> None:
        out.append(f"  %{name}_at = getelementptr i64, ptr %strides, i64 {place}")
        out.append(f"  %{name} = load i64, ptr %{name}_at")

    for k, name in enumerate(ARRAYS):
        out.append(f"  %at_{name} = getelementptr ptr, ptr %args, i64 {k}")
        out.append(f"  %array_{name} = load ptr, ptr %at_{name}")
        number(f"state_{name}", 2 * k)
        number(f"element_{name}", 2 * k + 1)
    for k, name in enumerate(LENGTHS, 2 * len(ARRAYS)):
        number(name, k)
    return [
        *out,
        "  %inputs_change = icmp ne i64 %input_step, 0",
        f"  %start = load {types.element}, ptr %numbers",
        f"  %step_at = getelementptr i8, ptr %numbers, i64 {types.bytes}",
        f"  %step = load {types.element}, ptr %step_at",
        "  %last = sub i64 %end, 1",
        "  %some = icmp slt i64 %begin, %end",
    ]


def _move(function: str, array: str, size: int, block: str, at: str | None) -> str:
    """Call of `take` or `give` for the runs of this block."""
    return (
        f"  call void @{function}(ptr {at or f'%array_{array}'}, i64 %state_{array}, "
        f"i64 %element_{array}, i64 {size}, i64 %i, i64 %last, ptr {block})"
    )


def _mover(name: str, types: Types) -> str:
    """Function `take` (elements of L runs from an array to the lanes of a block) or `give` (back).

    Lanes beyond the last run repeat it bit for bit, so that they may write, too.
    """
    E, L, B = types.element, types.lanes, types.bytes
    out = [
        f"define internal void @{name}(ptr %array, i64 %state, i64 %element, i64 %size, i64 %i, "
        "i64 %last, ptr %block) nounwind {",
        "entry:",
        "  %some = icmp sgt i64 %size, 0",
    ]
    for lane in range(L):
        out += [
            f"  %own{lane} = add i64 %i, {lane}",
            f"  %in{lane} = icmp slt i64 %own{lane}, %last",
            f"  %run{lane} = select i1 %in{lane}, i64 %own{lane}, i64 %last",
            f"  %offset{lane} = mul i64 %run{lane}, %state",
            f"  %row{lane} = getelementptr i8, ptr %array, i64 %offset{lane}",
        ]
    out += [
        "  br i1 %some, label %elements, label %done",
        "elements:",
        "  %k = phi i64 [ 0, %entry ], [ %k1, %elements ]",
        "  %along = mul i64 %k, %element",
        f"  %lanes = mul i64 %k, {L * B}",
    ]
    for lane in range(L):
        source, target = f"%outer{lane}", f"%inner{lane}"
        if name == "give":
            source, target = target, source
        out += [
            f"  %outer{lane} = getelementptr i8, ptr %row{lane}, i64 %along",
            f"  %place{lane} = add i64 %lanes, {lane * B}",
            f"  %inner{lane} = getelementptr i8, ptr %block, i64 %place{lane}",
            f"  %x{lane} = load {E}, ptr {source}, align {B}",
            f"  store {E} %x{lane}, ptr {target}, align {B}",
        ]
    out += [
        "  %k1 = add i64 %k, 1",
        "  %more = icmp slt i64 %k1, %size",
        "  br i1 %more, label %elements, label %done",
        "done:",
        "  ret void",
        "}",
    ]
    return "\n".join(out)


def _normalise(write: Writer, group: Sequence[int]) -> None:
    """Divide the four entries y of a quaternion by |y|."""
    T = write.types.value
    y = [write.load("y", e) for e in group]
    squares = write.line(f"fmul {T} {y[0]}, {y[0]}")
    for x in y[1:]:
        squares = write.intrinsic("fmuladd", x, x, squares)
    length = write.intrinsic("sqrt", squares)
    for e, x in zip(group, y, strict=True):
        write.store(write.line(f"fdiv {T} {x}, {length}"), "y", e)


def _alive(write: Writer) -> str:
    return write.line(f"fcmp ord {write.types.value} {write.get('health')}, {write.get('health')}")


def _keep_finite(write: Writer) -> None:
    """x ← y in lanes that are finite and always were; `health` is 0 there, and NaN in the others."""
    T, zero = write.types.value, write.types.literal(0.0)
    before = write.get("health")
    health = before
    for e in range(write.size):
        health = write.intrinsic("fmuladd", write.load("y", e), zero, health)
    write.set("health", health)
    alive = _alive(write)
    for e in range(write.size):
        x, y = write.load("x", e), write.load("y", e)
        write.store(write.select(alive, y, x), "x", e)
    # broken ← s in lanes that were finite before this step and are not now
    steps = write.everywhere("%s_number")
    was = write.line(f"fcmp ord {T} {before}, {before}")
    now = write.line(f"fcmp uno {T} {health}, {health}")
    broke = write.line(f"and {write.flag} {was}, {now}")
    kept = write.get("broken")
    write.set("broken", write.select(broke, steps, kept))
