"""The proof that a module of LLVM IR computes what its Program says.

Three statements, each about LLVM's printout of the module that was handed to it:

1. `kernel`, executed on symbols, gives the outputs of the program with its constants rounded, in every
   lane: by the same operations (`ir_execution` on terms), or else by equal ones (on expressions, then
   `prove_same`);
2. sine and cosine in it are the one sequence whose error is bounded (`ir_sincos`);
3. everything else, the loop over a batch and the entry of a call, is the text that is emitted for these
   sizes, lanes and signature, line by line. That text is tested, for every class of strides and every
   remainder of a batch (tests/code/jit/test_driver.py, tests/code/jit/test_entry.py).
"""

from __future__ import annotations

import re
import time
from dataclasses import replace
from functools import cache, lru_cache
from typing import Final

from ...algebra.identity import Proof
from ...algebra.identity.prove import ERROR_BITS
from ...basics.wording import brief
from ...errors import EquamoError
from ..ir.program import Dtype, Program
from ..ir.proof import prove_same
from . import engine
from .block import ARGUMENTS, loop, moves
from .entry import Signature, entry_ir
from .ir_algebra import Expressions, Terms, terms_of
from .ir_execution import execute
from .ir_reader import Printout, read
from .ir_sincos import pattern
from .llvm import BLOCKS, LIBM, PACK, Types

_INTRINSIC: Final = re.compile(r"llvm\.(fma|fmuladd|sqrt|fabs)\.(v\d+)?f(64|32)")
_ADDRESS: Final = r"ptr blockaddress\(@kernel, %block\d+\)"
_TABLE: Final = re.compile(
    rf"@{BLOCKS} = internal constant \[\d+ x ptr\] \[{_ADDRESS}(, {_ADDRESS})*\]"
)
_KERNEL: Final = "define void @kernel(ptr %args) nounwind { ret void }"


def prove_ir(
    program: Program,
    text: str,
    dtype: Dtype,
    lanes: int,
    fused: bool,
    signature: Signature | None = None,
    *,
    error_bits: int = ERROR_BITS,
    seed: int | None = None,
) -> Proof:
    """Prove that a module of IR computes the program with its constants rounded to the type.

    Args:
        program: What the module was emitted from.
        text: The module, as it was handed to LLVM.
        dtype: Its type of number.
        lanes: How many states its kernel takes at once.
        fused: Whether its sines are those of a processor with a multiply-add.
        signature: Of its entry, if it has one.
        error_bits: n for a probability of a wrong verdict of at most 2⁻ⁿ, if the operations differ.
        seed: Seed of the random points; by default they are different every time.

    Returns:
        The proof; undecided, with the reason, if any line of the module is not understood.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.ir.functions import functions
    >>> from equamo.code.jit.llvm import ir
    >>> from equamo.robot.library import load
    >>> program = functions(derive(load("rr_arm")))["mass_matrix"].program()
    >>> text = ir(program, "float64", 4)
    >>> print(prove_ir(program, text, "float64", 4, False))
    proved: the same expression
    >>> prove_ir(program, text.replace("= fadd", "= fsub", 1), "float64", 4, False).verdict
    'refuted'
    """
    start = time.perf_counter()
    types = Types(dtype, lanes)
    try:
        module = read(engine.printout(text))
        _check_the_rest(module, program, types, fused, signature)
        terms = Terms(program.arguments)
        expected = terms_of(program, dtype, terms)
        if execute(module, program, types, fused, terms) == expected:
            proof = Proof("proved")
        else:
            outputs = execute(module, program, types, fused, Expressions(program.arguments))
            proof = prove_same(program, outputs, dtype, error_bits=error_bits, seed=seed)
    except EquamoError as error:
        proof = Proof("undecided", reason=str(error))
    return replace(proof, seconds=time.perf_counter() - start)


def _check_the_rest(
    module: Printout, program: Program, types: Types, fused: bool, signature: Signature | None
) -> None:
    """All but the kernel and the tables of sines must be what is emitted."""
    expected = [_moves(types), _loop(program, types), *([_entry(signature)] if signature else [])]
    functions = {k: v for part in expected for k, v in part.functions.items()}
    variables = {k: v for part in expected for k, v in part.variables.items()}
    for lanes in (types.lanes, PACK[types.dtype]):
        p = pattern(types.dtype, lanes, fused)
        if p.table in module.variables:
            variables[p.table] = p.definition
    if BLOCKS in module.variables and _TABLE.fullmatch(module.variables[BLOCKS]):
        # Addresses that nothing reads: no known line of the kernel can refer to the table.
        variables[BLOCKS] = module.variables[BLOCKS]
    if module.functions.keys() != functions.keys():
        names, got = ", ".join(functions), ", ".join(module.functions)
        raise EquamoError(f"IR: the functions must be {names}, got {got}.")
    for name, lines in functions.items():
        if name != "kernel" and module.functions[name] != lines:
            raise EquamoError(f"IR: the function {name!r} must be as emitted.")
    for name, line in module.declarations.items():
        if not _INTRINSIC.fullmatch(name) and line not in _libm(types):
            raise EquamoError(f"IR: unknown declaration {brief(line)}.")
    if module.variables != variables:
        raise EquamoError(
            f"IR: the variables must be as emitted, got {', '.join(module.variables)}."
        )


@cache
def _libm(types: Types) -> frozenset[str]:
    """Declarations of the functions of the C library, without any attribute."""
    E, end = types.element, "" if types.dtype == "float64" else "f"
    numbers = {name: 2 if name == "atan2" else 1 for name in LIBM}
    return frozenset(f"declare {E} @{f}{end}({', '.join([E] * n)})" for f, n in numbers.items())


def _moves(types: Types) -> Printout:
    """`gather` and `scatter`, and what the engine adds to each module."""
    return _only(moves(types), "gather", "scatter", "equamo_anchor_address")


def _loop(program: Program, types: Types) -> Printout:
    stubs = (f"define void @{name}({ARGUMENTS}) {{ ret void }}" for name in ("gather", "scatter"))
    return _only("\n".join([_KERNEL, *stubs, loop(program, types)]), "batch", "kernel")


def _entry(signature: Signature) -> Printout:
    return _only(_KERNEL + entry_ir(signature), "entry", "bind", "kernel")


@lru_cache(64)
def _only(text: str, *names: str) -> Printout:
    found = read(engine.printout(text))
    return replace(found, functions={name: found.functions[name] for name in names})
