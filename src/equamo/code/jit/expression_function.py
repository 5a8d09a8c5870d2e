"""`eq.function`: any expressions, vectors and matrices as machine code, without a robot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, cast, final

import numpy as np

from ...algebra.identity import Proof
from ...algebra.identity.prove import ERROR_BITS, check_options, differences, new_seed, prove_all
from ...basics.wording import brief
from ...errors import EquamoError, EvaluationError, UnknownNameError
from ...robot.model.arguments import Number, number
from ..ir.cost import Cost
from ..ir.expressions import Expressions
from ..ir.function import Result, entries_of
from ..ir.program import DTYPES, Dtype, Program
from ..ir.rebuild import rebuild
from ..ir.reserved import expect_free
from .compiled_function import CompiledFunction
from .machine_code import Options
from .origin import Formulas

PLACE = "function"


def function(
    outputs: Any,
    inputs: Mapping[str, Any] | None = None,
    *,
    values: Mapping[str, Any] | None = None,
    name: str = "function",
    dtype: Any = None,
    lanes: int | None = None,
    threads: int | None = None,
    cache: bool = True,
    parameters: Literal["symbolic", "numeric"] = "symbolic",
    cpu: str | None = None,
) -> ExpressionFunction:
    """Compile expressions to machine code for this processor; neither a robot nor a compiler is needed.

    Args:
        outputs: {name: quantity, vector or matrix}, also as text, numbers and lists; or a single one
            without a name, whose value a call then returns; or a controller, whose law defines
            the inputs.
        inputs: {name: symbols}: arguments in order, such as {"q": eom.q, "v": eom.v}. An input that is
            one symbol, not a list, is passed as a number.
        values: {name: number} of symbols that are not inputs: their defaults, which a call can replace
            with `values=`. Other names are ignored, so `robot.values` can be passed.
        name: Name of the function, in messages.
        dtype: "float32" or "float64" for all calls; by default float32 if all inputs are, else float64.
        lanes: States per vector in a batch; by default as many as the processor supports.
        threads: Threads for big batches; by default one per processor.
        cache: Whether to keep the machine code on disk.
        parameters: "symbolic" parameters can be changed in every call; "numeric" ones are compiled in
            with their values.
        cpu: Processor to make code for, as in `compile`; by default that in EQUAMO_CPU, else "host".

    Returns:
        The function. It takes its inputs by position or by name, as one state or as a batch.

    Raises:
        EquamoError: An output, an input or an option is not valid.

    >>> f = function({"y": "k*x1", "r": ["x1*x2", "x1 - x2"]}, {"x": ["x1", "x2"]}, values={"k": 2})
    >>> f([3, 4])
    {'y': 6.0, 'r': array([12., -1.])}
    >>> f(x=[[3, 4], [5, 6]], values={"k": 10})["y"]
    array([30., 50.])
    """
    if not isinstance(name, str) or not name.isidentifier():  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"{PLACE}: name must be an identifier, such as 'f', got {brief(name)}.")
    expect_free(PLACE, name, of_robot=False)
    law = getattr(outputs, "law", outputs)
    read = law if isinstance(law, Expressions) else Expressions.read(PLACE, outputs, inputs)
    try:
        kind = None if dtype is None else cast(Dtype, np.dtype(dtype).name)
    except Exception:  # NumPy reads almost anything as a dtype, and raises what it likes
        raise UnknownNameError("dtype", dtype, DTYPES, PLACE) from None
    options = Options(kind, lanes, threads, cache, parameters, cpu=cpu)
    return ExpressionFunction(Formulas(name, read, _numbers(read, values)), options)


def _numbers(read: Expressions, values: Any) -> dict[str, Number]:
    """Values of the symbols that are not inputs, as far as they were passed."""
    if not isinstance(values, (Mapping, type(None))):
        raise EquamoError(f"{PLACE}: values must be {{name: number}}, got {brief(values)}.")
    table = {
        str(getattr(k, "name", k)): x for k, x in cast(Mapping[Any, Any], values or {}).items()
    }
    named = {s.name: table.get(s.name) for s in read.rest}
    return {n: number(f"{PLACE}: the value of {n!r}", x) for n, x in named.items() if x is not None}


@final
class ExpressionFunction:
    """Expressions in machine code: a call returns {result: array}, or one array if it has no name.

    Keywords of a call: `values={name: number}` replaces defaults of symbols that are not inputs, `out=`
    passes an array for each result, by name if results have names, and `packed=True` returns only the
    entries of matrices that can differ from zero.
    """

    def __init__(self, origin: Formulas, options: Options) -> None:
        self.expressions: Expressions = origin.expressions
        self.compiled: CompiledFunction = CompiledFunction(origin, options, origin.kind)
        self._names = [y.name for y in self.compiled.results]
        self._entry: Any = None

    @property
    def law(self) -> Expressions:
        """The expressions, for `eq.compile(eom, functions={…})` and `eq.generate`."""
        return self.expressions

    @property
    def results(self) -> tuple[Result, ...]:
        """Name and shape of each result."""
        return self.compiled.results

    @property
    def program(self) -> Program:
        """Straight-line code of the function."""
        return self.compiled.program

    @property
    def cost(self) -> Cost:
        """Cost of one evaluation: instructions, sines, registers and bytes."""
        return self.compiled.cost

    def __call__(self, *given: Any, **named: Any) -> Any:
        """Evaluate at one state or a batch; inputs by position or by name."""
        if self._entry is None:
            self._entry = self.compiled.entry
        if not self.expressions.named:
            return self._entry(*given, **named)
        if named.get("out") is not None:
            named["out"] = self._out(named["out"])
        found = self._entry(*given, **named)
        return dict(zip(self._names, (found,) if len(self._names) == 1 else found, strict=True))

    def _out(self, out: Any) -> Any:
        """Arrays for the results, in order."""
        table: dict[Any, Any] = dict(cast(Any, out)) if isinstance(out, Mapping) else {}
        if set(table) != set(self._names):
            raise EvaluationError(
                f"{self.compiled.name}: out must be {{result: array}} of {', '.join(self._names)}, got "
                f"{brief(cast(object, out))}."
            )
        arrays = [table[n] for n in self._names]
        return arrays if len(arrays) > 1 else arrays[0]

    def prove(self, *, error_bits: int = ERROR_BITS, seed: int | None = None) -> dict[str, Proof]:
        """Prove that program and machine code compute the expressions.

        Args:
            error_bits: n for a probability of a wrong verdict of at most 2⁻ⁿ, all together.
            seed: Seed of the random points; by default they are different every time.

        Returns:
            {statement: proof}: the program, its constants exact, equals the expressions; and for each
            module that was compiled so far, its constants are rounded once and the LLVM IR computes the
            program. LLVM's translation of the IR is trusted.

        >>> f = function("a*(b + 1)", {"x": ["a", "b"]})
        >>> _ = f([1, 2])
        >>> [f"{statement}: {proof.verdict}" for statement, proof in f.prove().items()]
        ['program = expressions: proved', 'float64, constants rounded once: proved',
         'float64, LLVM IR = program: proved']
        """
        from .certificate import STATEMENTS, Module

        check_options(error_bits, seed)
        modules = [
            Module(code, *variant) for code in self.compiled.codes for variant in code.loaded
        ]
        bits = error_bits + (1 + len(STATEMENTS) * len(modules)).bit_length()
        chosen = new_seed(bits) if seed is None else seed
        source, found = self.compiled.source, rebuild(self.program)
        assert source.specified is not None
        expected = source.outputs(source.specified)
        zero = [
            d
            for y in source.results
            for d in differences(entries_of(expected[y.name]), found[y.name])
        ]
        (proof,) = prove_all([zero], error_bits=bits, seed=chosen)
        proofs = {"program = expressions": proof}
        for module in modules:
            for statement, prove in STATEMENTS.items():
                variant = module.name.removeprefix(f"{source.name}, ")
                proofs[f"{variant}, {statement}"] = prove(module, bits, chosen)
        return proofs

    def __repr__(self) -> str:
        return repr(self.compiled)

    def __reduce__(self) -> tuple[Any, ...]:
        return ExpressionFunction, (self.compiled.origin, self.compiled.options)
