"""Numbers from equations: one state, or a batch of states with the batch axis first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ..errors import EvaluationError, UnknownNameError
from ..expr import Expr
from ..expr.evaluate import Arrays, Tape
from ..expr.graph import SYMBOL
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..wording import brief, counted
from .equations import EquationsOfMotion, quantity

Array = NDArray[np.float64]


def evaluate(
    eom: EquationsOfMotion,
    what: Any,
    *,
    q: Any = None,
    v: Any = None,
    vdot: Any = None,
    inputs: Any = None,
    external: Any = None,
    values: Mapping[str, float] | None = None,
) -> Any:
    """A quantity by name, or any Expr, Vector or Matrix, as float64.

    States are sequences or {name: number}, the rest at `robot.home`; (N, n) is a batch. `values` go
    over the parameters' defaults. Shapes (), (n,), (n, m), in a batch with N in front.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> eom = derive(load("rr_arm"))
    >>> eom.evaluate("gravity", q=[0, 0], values={"g": 0})
    array([0., 0.])
    """
    target = quantity(eom, what) if isinstance(what, str) else what
    robot, home = eom.robot, eom.robot.home
    known: dict[Expr, Any] = {}
    known |= _state("q", robot.q, q, home.q)
    known |= _state("v", robot.v, v, home.v)
    known |= _state("vdot", robot.vdot, vdot, {})
    known |= _state("inputs", robot.inputs, inputs, home.inputs)
    known |= _state("external", robot.external, external, {})
    known |= _parameters(eom, values or {})
    size = _batch_size(known)
    entries, shape = _entries(target)
    tape = Tape(entries)
    for leaf in tape.leaves:
        if leaf.op == SYMBOL and known.get(leaf) is None:
            if leaf.name in robot.parameter_info:
                raise EvaluationError(
                    f"The parameter {leaf.name!r} of robot {robot.name!r} has no default value; "
                    f"give one with values={{{leaf.name!r}: …}}."
                )
            raise UnknownNameError("symbol", leaf.name, [s.name for s in known], "this expression")
    with np.errstate(all="ignore"):
        results = tape.run(Arrays(), known)
    batch = () if size is None else (size,)
    columns = [np.broadcast_to(np.asarray(r, dtype=np.float64), batch) for r in results]
    stacked: Array = np.stack(columns, axis=-1) if columns else np.zeros((*batch, 0))
    return stacked.reshape((*batch, *shape)) if shape or batch else float(stacked.reshape(()))


def _entries(target: Any) -> tuple[list[Expr], tuple[int, ...]]:
    if isinstance(target, (Vector, Matrix)):
        return list(target.entries), target.shape
    if isinstance(target, Expr):
        return [target], ()
    if isinstance(target, (list, tuple)):
        entries = Vector(cast(Sequence[Any], target)).entries
        return list(entries), (len(entries),)
    raise EvaluationError(
        f"Only a name, an Expr, a Vector or a Matrix has numbers, not {brief(target)}."
    )


def _state(
    kind: str, symbols: Sequence[Expr], given: Any, home: Mapping[str, Any]
) -> dict[Expr, Any]:
    """{symbol: float or array of N} from a sequence, an (N, n) array or {name: number}."""
    names = [s.name for s in symbols]
    state: dict[Expr, Any] = {s: float(home.get(s.name, 0)) for s in symbols}
    if given is None:
        return state
    if isinstance(given, Mapping):
        table: Mapping[Any, Any] = given  # pyright: ignore[reportUnknownVariableType]
        for key, x in table.items():
            name = key.name if isinstance(key, Expr) else key
            if name not in names:
                raise UnknownNameError(f"name in {kind}", name, names)
            state[symbols[names.index(name)]] = _numbers(kind, x)
        return state
    array = _numbers(kind, given)
    if array.ndim not in (1, 2) or array.shape[-1] != len(symbols):
        raise EvaluationError(
            f"{kind} has {counted(len(symbols), 'entry')} ({', '.join(names[:8])}"
            f"{' …' * (len(names) > 8)}): "
            f"its shape is ({len(symbols)},) or (N, {len(symbols)}), not {array.shape}."
        )
    return {s: array[..., i] for i, s in enumerate(symbols)}


def _numbers(kind: str, given: Any) -> Array:
    try:
        return np.asarray(given, dtype=np.float64)
    except OverflowError:
        raise EvaluationError(f"{kind} must be made of numbers below 1.8e308 in size.") from None
    except (TypeError, ValueError):
        raise EvaluationError(f"{kind} is made of numbers, not {brief(given)}.") from None


def _parameters(eom: EquationsOfMotion, values: Mapping[str, Any]) -> dict[Expr, Any]:
    defaults = eom.robot.values
    for name in values:
        if name not in defaults:
            raise UnknownNameError("parameter", name, defaults, f"robot {eom.robot.name!r}")
    chosen: dict[Expr, Any] = {}
    for s in eom.robot.parameters:
        x = values.get(s.name, defaults[s.name])
        chosen[s] = None if x is None else _numbers(f"the value of {s.name!r}", x)
    return chosen


def _batch_size(known: Mapping[Expr, Any]) -> int | None:
    sizes = {x.shape[0] for x in known.values() if getattr(x, "ndim", 0) == 1}
    if len(sizes) > 1:
        raise EvaluationError(f"The states have different batch sizes: {sorted(sizes)}.")
    return sizes.pop() if sizes else None
