"""The same programs called from Python: one state per call, and many states.

Each `…_calls` gives, for a function of ours, a callable that takes the number of a state, and each
`…_batch` one without arguments that computes all states, and how it goes about that.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import mujoco
import numpy as np
import pinocchio as pin

from .casadi_calls import CasadiCalls
from .equamo_calls import EquamoCalls
from .models import States
from .mujoco_calls import arrange, mjcf

Call = Callable[[int], Any]


def equamo_calls(ours: EquamoCalls, function: str) -> Call:
    entry = getattr(ours.fast, function)
    rows = [list(a) for a in ours.arguments(function)]
    if len(rows) == 1:
        (q,) = rows
        return lambda i: entry(q[i])
    q, v, x = rows
    return lambda i: entry(q[i], v[i], x[i])


def pinocchio_calls(model: Any, states: States, function: str) -> Call:
    data = model.createData()
    q, v = list(states.pinocchio_q()), list(states.v)
    x = list(states.tau if function == "forward_dynamics" else states.vdot)
    if function == "mass_matrix":
        return lambda i: pin.crba(model, data, q[i])
    if function == "inverse_dynamics":
        return lambda i: pin.rnea(model, data, q[i], v[i], x[i])
    return lambda i: pin.aba(model, data, q[i], v[i], x[i])


def mujoco_calls(states: States, function: str) -> Call:
    """mj_inverse, mj_fwdPosition + mj_fullM, mj_forward; contacts and constraints are off."""
    model = mujoco.MjModel.from_xml_string(mjcf(states.tree))
    data = mujoco.MjData(model)
    q, v, vdot, tau = (list(x) for x in arrange(states))
    M = np.zeros((model.nv, model.nv))

    def inverse_dynamics(i: int) -> Any:
        data.qpos, data.qvel, data.qacc = q[i], v[i], vdot[i]
        mujoco.mj_inverse(model, data)
        return data.qfrc_inverse

    def mass_matrix(i: int) -> Any:
        data.qpos = q[i]
        mujoco.mj_fwdPosition(model, data)
        mujoco.mj_fullM(model, data, M)
        return M

    def forward_dynamics(i: int) -> Any:
        data.qpos, data.qvel, data.qfrc_applied = q[i], v[i], tau[i]
        mujoco.mj_forward(model, data)
        return data.qacc

    found = (inverse_dynamics, mass_matrix, forward_dynamics)
    return {f.__name__: f for f in found}[function]


def casadi_calls(theirs: CasadiCalls, function: str) -> Call | None:
    """CasADi's fastest way: a buffer that holds arguments and result."""
    theirs.build(function)
    if function in theirs.missing:
        return None
    n, rows = theirs.tree.nv, [list(a) for a in theirs.arguments(function)]
    given = [np.zeros(len(a[0])) for a in rows]
    result = np.zeros((n, n) if function == "mass_matrix" else n)
    run = casadi_buffer(theirs.python(function), given, result)
    if len(rows) == 1:
        ((q,), (q_rows,)) = given, rows

        def of_position(i: int) -> Any:
            q[:] = q_rows[i]
            run()
            return result

        return of_position
    (q, v, x), (q_rows, v_rows, x_rows) = given, rows

    def of_motion(i: int) -> Any:
        q[:], v[:], x[:] = q_rows[i], v_rows[i], x_rows[i]
        run()
        return result

    return of_motion


def casadi_buffer(
    function: Any, given: Sequence[np.ndarray], result: np.ndarray
) -> Callable[[], Any]:
    """A call of CasADi that reads and writes arrays in place."""
    buffer, trigger = function.buffer()
    for k, array in enumerate(given):
        buffer.set_arg(k, memoryview(array))
    buffer.set_res(0, memoryview(result))
    kept = (buffer, given, result)  # as long as the call is
    return lambda _kept=kept: trigger()


# -- many states -----------------------------------------------------------------------------------
def loop(call: Call, count: int) -> Callable[[], Any]:
    """A Python loop over calls with one state, for programs that take no batch."""

    def run() -> None:
        for i in range(count):
            call(i)

    return run


def equamo_batch(ours: EquamoCalls, function: str, compiled: Any = None) -> Callable[[], Any]:
    entry, arrays = getattr(compiled or ours.fast, function), ours.arguments(function)
    out = entry(*arrays)
    return lambda: entry(*arrays, out=out)


def mujoco_batch(states: States) -> Callable[[], Any] | None:
    """Forward dynamics of many states by mujoco.batch, which is one call; it has no inverse."""
    try:
        from mujoco.batch import Batch
    except ImportError:
        return None
    model = mujoco.MjModel.from_xml_string(mjcf(states.tree))
    batch = Batch(model, nsim=states.count, nthread=1)
    q, v, _, tau = arrange(states)
    batch.bind("qpos")[:], batch.bind("qvel")[:], batch.bind("qfrc_applied")[:] = q, v, tau
    batch.bind("qacc")
    return batch.forward


def casadi_batch(theirs: CasadiCalls, function: str) -> Callable[[], Any] | None:
    """CasADi's `map`: one call, states in columns."""
    theirs.build(function)
    if function in theirs.missing:
        return None
    given = [np.ascontiguousarray(a) for a in theirs.arguments(function)]  # columns of CasADi
    n, count = theirs.tree.nv, theirs.states.count
    result = np.zeros((count, n * n if function == "mass_matrix" else n))
    return casadi_buffer(theirs.python(function).map(count), given, result)
