"""Numerical evaluation of equations at one state, or at a batch with the batch axis first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast

from ...algebra.arrays import NDArray, np
from ...algebra.expr import Expr
from ...algebra.expr.evaluate import Arrays, Tape
from ...algebra.expr.graph import SYMBOL
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...basics.wording import brief
from ...errors import EvaluationError, UnknownNameError
from .equations import EquationsOfMotion, quantity
from .state_reader import Reader, batch_size, native, no_value

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
    """Evaluate a quantity by name, or any Expr, Vector or Matrix, as float64.

    Args:
        eom: Equations of motion.
        what: Name of a quantity or force element, an Expr, a Vector or a Matrix.
        q: Coordinates: a sequence, a batch (N, n), or {name: number} with the others at `robot.home`.
        v: Speeds, like q.
        vdot: Derivatives of the speeds, like q.
        inputs: Inputs, like q.
        external: External wrenches, like q.
        values: Values of parameters, in place of their defaults.

    Returns:
        A float or array of shape (), (n,) or (n, m), with N in front for a batch.

    Raises:
        UnknownNameError: `what` or a name in the state is unknown.
        EvaluationError: A shape is wrong, or a parameter has no value.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> eom.evaluate("gravity", q=[0, 0], values={"g": 0})
    array([0., 0.])
    """
    target = quantity(eom, what) if isinstance(what, str) else what
    space = eom.robot.state_space
    arguments = {"q": q, "v": v, "vdot": vdot, "inputs": inputs, "external": external}
    readers = {name: Reader("evaluate", getattr(space, name), exact=True) for name in arguments}
    arrays = {name: reader.read_or_home(arguments[name]) for name, reader in readers.items()}
    parameters = Reader("evaluate", space.values, exact=True)
    table = parameters.table(values)
    arrays["values"] = parameters.read_names(table)
    size = batch_size("evaluate", arrays)
    known: dict[Expr, Any] = {}
    for name, array in arrays.items():
        symbols: tuple[Expr, ...] = getattr(space, name).symbols
        known |= zip(symbols, native(array, "float64").T, strict=True)
    entries, shape = _entries(target)
    tape = Tape(entries)
    leaves = [leaf for leaf in tape.leaves if leaf.op == SYMBOL]
    for leaf in leaves:
        if leaf not in known:
            raise UnknownNameError("symbol", leaf.name, [s.name for s in known], "this expression")
    used = {leaf.name for leaf in leaves}
    missing = [n for n in space.missing(parameters.names_of(table)) if n in used]
    if missing:
        raise no_value("evaluate", space.robot, missing)
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
        f"evaluate() takes the name of a quantity, an Expr, a Vector or a Matrix, got {brief(target)}."
    )
