"""Specification of pushforwards and pullbacks, and of derivatives by parameters: residuals that vanish.

Each is compared with the other way to differentiate, from the definition, and shares no line with the
code that makes it. A function of a unit quaternion x is y(x, a) = |x|^w y₀(x/|x|, a/|x|^u) for weights
w and u. Let the length n be a symbol of its own, with the rate x·δ, and insert n = 1 in the end:

    (1) ẏ = D_δ [n^w y₀(x/n, a/n^u)]   at n = 1

    pushforward     λ·ẏ − λ·Y = 0        for symbols λ; λ·ẏ is computed backwards, by the gradient of λ·y
    pullback        Σ grad·δ − λ·ẏ = 0   for symbols δ; ẏ is computed forwards
    by parameters   λ·Y δ − λ·ẏ = 0      for symbols λ and δ, backwards
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...algebra.expr import ONE, Expr, internal
from ...algebra.expr.differentiate import directional, gradient
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import dot
from ...mechanics.equations.equations import EquationsOfMotion
from .differentials import active_arguments, more_arguments
from .function import Function

Rates = dict[Expr, Expr]


def differential_residuals(
    eom: EquationsOfMotion, function: Function, y: Sequence[Expr], outputs: Sequence[Expr]
) -> list[Expr]:
    """One residual of a pushforward or pullback; y are the entries of the function itself."""
    d = function.derivative
    assert d is not None
    assert d.base is not None
    active, more = active_arguments(d.base, d.ending), more_arguments(d.base, d.ending)
    extended, lengths = _extended(eom, d.base, y)
    if d.kind == "pushforward":
        rates: Rates = {}
        for a, step in zip(active, more, strict=True):
            rates |= zip(a.symbols, step.symbols, strict=True)
        lam = [internal("virtual result", str(k)) for k in range(len(y))]
        total = dot(lam, outputs) - _backwards(dot(lam, extended), _with_lengths(rates, lengths))
    else:
        rates = {s: internal(f"virtual {a.name}", s.name) for a in active for s in a.symbols}
        moved = directional(extended, _with_lengths(rates, lengths))
        lam = [s for a in more for s in a.symbols]
        total = dot(outputs, [rates[s] for a in active for s in a.symbols]) - dot(lam, moved)
    return list(substitute([total], dict.fromkeys(lengths, ONE)))


def parameter_residuals(
    function: Function, y: Sequence[Expr], outputs: Sequence[Expr]
) -> list[Expr]:
    """One residual of a derivative by parameters; y are the entries of the function itself."""
    d = function.derivative
    assert d is not None
    assert d.base is not None
    step = [internal("virtual by", x.name) for x in d.by]
    lam = [internal("virtual result", str(k)) for k in range(len(y))]
    of_results = d.base.split(lam)
    rest, total = list(outputs), -_backwards(dot(lam, y), dict(zip(d.by, step, strict=True)))
    for result, weights in zip(d.base.results, of_results, strict=True):
        m, size = len(step), result.size
        own, rest = rest[: size * m], rest[size * m :]
        for k, s in enumerate(step):
            # of a matrix, one matrix per parameter; otherwise, one column per parameter
            column = own[k * size : (k + 1) * size] if len(result.shape) == 2 else own[k::m]
            total = total + s * dot(weights, column)
    return [total]


def _backwards(scalar: Expr, rates: Mapping[Expr, Expr]) -> Expr:
    """Rate of a scalar, by its gradient."""
    symbols = list(rates)
    return dot(gradient(scalar, symbols), [rates[s] for s in symbols])


def _extended(
    eom: EquationsOfMotion, f: Function, y: Sequence[Expr]
) -> tuple[list[Expr], dict[Expr, list[Expr]]]:
    """n^w y₀(x/n, a/n^u) of all entries, and the components of x by the symbol n of their length."""
    arguments, results = _powers(f)
    q = next((a.symbols for a in f.arguments if a.name == "q"), ())
    lengths: dict[Expr, list[Expr]] = {}
    length_of: dict[int, Expr] = {}
    for group in eom.robot.unit_groups:
        if set(group) <= set(q):
            n = internal("length", group[0].name)
            lengths[n] = list(group)
            length_of |= {q.index(x): n for x in group}
    scaled: Rates = {}
    for a in f.arguments:
        if power := arguments.get(a.name, 0):
            scaled |= {a.symbols[i]: a.symbols[i] / n**power for i, n in length_of.items()}
    powers = [(i, w) for r, w in zip(f.results, results, strict=True) for i in range(r.size)]
    entries = substitute(list(y), scaled) if scaled else list(y)
    return [
        length_of[i] ** w * e if w and i in length_of else e
        for e, (i, w) in zip(entries, powers, strict=True)
    ], lengths


def _with_lengths(rates: Rates, lengths: Mapping[Expr, list[Expr]]) -> Rates:
    """The rates, and x·δ of each length, if q is among what moves."""
    return rates | {n: dot(x, [rates[s] for s in x]) for n, x in lengths.items() if x[0] in rates}


def _powers(f: Function) -> tuple[dict[str, int], list[int]]:
    """Powers of |x| with which arguments and results scale: q and its δ by 1, what is dual by −1."""
    d = f.derivative
    if d is None or d.base is None or d.kind not in ("pushforward", "pullback"):
        return {"q": 1}, [0] * len(f.results)
    arguments, results = _powers(d.base)
    of_active = [arguments.get(a.name, 0) for a in active_arguments(d.base, d.ending)]
    new = [a.name for a in more_arguments(d.base, d.ending)]
    if d.kind == "pushforward":
        return {**arguments, **dict(zip(new, of_active, strict=True))}, results
    dual = dict(zip(new, (-w for w in results), strict=True))
    return {**arguments, **dual}, [-w for w in of_active]
