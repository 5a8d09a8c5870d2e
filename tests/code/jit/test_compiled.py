"""eq.compile: every way to give states, against the evaluation of the expressions themselves."""

import inspect
from typing import Any

import numpy as np
import pytest
from numpy.lib.stride_tricks import as_strided

import equamo as eq
from compiled_robots import LANES, close, compiled, equations, of, states, values
from conftest import WHOLE_SWEEPS
from equamo.code.jit import batch
from equamo.code.jit.compiled import compile
from equamo.errors import EquamoError, EvaluationError, UnknownNameError

ROBOTS = ["rr_arm", "iiwa", "rolling_disc", "krang_on_wheels", "starleth", "one_of_each"]
ROBOTS = ROBOTS if WHOLE_SWEEPS else ["rr_arm", "rolling_disc", "one_of_each"]


# -- numbers -------------------------------------------------------------------------------------------
@pytest.mark.sweep(1)
@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("shape", [(), (7,)])
def test_numbers_are_those_of_the_expressions(robot: str, shape: tuple[int, ...]) -> None:
    eom, fast = equations(robot), compiled(robot)
    x, more = states(eom, 1, *shape), values(eom)
    for name in (
        "inverse_dynamics", "mass_matrix", "bias", "gravity", "coriolis_matrix", "passive_force",
        "input_matrix", "kinematic_map", "kinetic_energy", "potential_energy", "center_of_mass",
    ):  # fmt: skip
        found = of(fast, name, x, values=more)
        known = {n: x[n] for n in ("q", "v", "vdot", "inputs")}
        wanted = eom.evaluate(name, **known, values=more)
        assert np.shape(found) == np.shape(wanted), name
        assert close(found, wanted), name
    frame = eom.robot.bodies[-1].name
    f = eom.frame(frame)
    known = {"q": x["q"], "v": x["v"], "values": more}
    assert close(fast.pose(frame, x["q"], values=more), eom.evaluate(f.transform(), **known))
    assert close(fast.jacobian(frame, x["q"], values=more), eom.evaluate(f.jacobian(), **known))
    found = fast.jacobian_dot_v(frame, x["q"], x["v"], values=more)
    assert close(found, eom.evaluate(f.acceleration(), **known), 1e-11)


@pytest.mark.parametrize("robot", ROBOTS)
def test_forward_and_inverse_dynamics_undo_each_other(robot: str) -> None:
    eom, fast = equations(robot), compiled(robot)
    x, more = states(eom, 2, 9), values(eom)
    vdot = fast.forward_dynamics(x["q"], x["v"], x["tau"], values=more)
    assert close(fast.inverse_dynamics(x["q"], x["v"], vdot, values=more), x["tau"], 1e-9)
    vdot = fast.forward_dynamics(x["q"], x["v"], inputs=x["inputs"], values=more)
    tau = np.einsum("ijk,ik->ij", fast.input_matrix(x["q"], values=more), x["inputs"])
    found = fast.inverse_dynamics(x["q"], x["v"], vdot, values=more)
    assert np.max(np.abs(found - tau)) < 1e-9 * np.max(np.abs(x["tau"]))  # tau may be zero
    one = {n: y[0] for n, y in x.items()}
    np.testing.assert_array_equal(
        fast.forward_dynamics(one["q"], one["v"], inputs=one["inputs"], values=more), vdot[0]
    )


@pytest.mark.parametrize("robot", ROBOTS)
def test_factors_of_the_mass_matrix(robot: str) -> None:
    eom, fast = equations(robot), compiled(robot)
    q, more = states(eom, 3)["q"], values(eom)
    LD = fast.mass_matrix_factors(q, values=more)
    L, D = np.tril(LD, -1) + np.eye(len(LD)), np.diag(np.diag(LD))
    assert close(L.T @ D @ L, fast.mass_matrix(q, values=more))


def test_numeric_parameters_are_folded_in() -> None:
    eom = equations("iiwa")
    plain, folded = compiled("iiwa"), compiled("iiwa", parameters="numeric")
    x = states(eom, 4, 5)
    for name in ("inverse_dynamics", "mass_matrix"):
        assert close(of(folded, name, x), of(plain, name, x))
        assert folded.function(name).cost.estimate < plain.function(name).cost.estimate
    with pytest.raises(EvaluationError, match=r'parameters="numeric".*m1'):
        folded.gravity(x["q"], values={next(n for n in eom.robot.values if n.startswith("m")): 1})


# -- batches -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_a_state_gives_the_same_at_every_place(dtype: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Bit by bit: alone, in any batch, for any number of lanes, with and without threads."""
    eom = equations("iiwa")
    x = {n: y.astype(dtype) for n, y in states(eom, 5, 37).items()}
    single = np.array(
        [
            of(compiled("iiwa", dtype=dtype), "inverse_dynamics", {n: y[i] for n, y in x.items()})
            for i in range(37)
        ]
    )
    assert single.dtype == dtype
    monkeypatch.setattr(batch, "WORTH_A_THREAD", 1)
    for lanes in (*LANES, *([16] if dtype == "float32" else [])):
        for threads in (1, 3):
            fast = compiled("iiwa", lanes=lanes, threads=threads)
            for n in (0, 1, 2, 3, 5, 8, 15, 16, 17, 36, 37):
                part = {k: y[37 - n :] for k, y in x.items()}
                np.testing.assert_array_equal(
                    of(fast, "inverse_dynamics", part), single[37 - n :], strict=True
                )


def test_pieces_cover_the_batch_once(monkeypatch: pytest.MonkeyPatch) -> None:
    f = compiled("rr_arm").function("gravity")
    code = f.machine_code.module("float64", 4)
    assert len(code.pieces(10, 8)) == 1  # not worth a thread
    monkeypatch.setattr(batch, "WORTH_A_THREAD", 1)
    for count in range(1, 60):
        for threads in range(1, 9):
            pieces = code.pieces(count, threads)
            assert [i for a, b in pieces for i in range(a, b)] == list(range(count))
            assert len(pieces) <= threads


def test_all_strides_and_orders() -> None:
    eom, fast = equations("iiwa"), compiled("iiwa")
    x = states(eom, 6, 12)
    wanted = of(fast, "inverse_dynamics", x)
    q = x["q"]
    wide = np.zeros((24, 21))
    wide[::2, 1::3] = q
    read_only = q.copy()
    read_only.flags.writeable = False
    unaligned = np.zeros(q.nbytes + 1, np.uint8)[1:].view(np.float64).reshape(q.shape)
    unaligned[...] = q
    field = np.zeros((12, 7), [("time", "i4"), ("q", "f8")])
    field["q"] = q
    for given in (
        np.asfortranarray(q), wide[::2, 1::3], q[::-1][::-1], q[::-1].copy()[::-1],
        q[:, ::-1].copy()[:, ::-1], read_only, unaligned, field["q"], q.astype(">f8"),
        q.tolist(), tuple(map(tuple, q)), q.astype(np.longdouble), q.view(np.matrix),
        memoryview(q), np.broadcast_to(q, (2, 12, 7))[1],
    ):  # fmt: skip
        found = fast.inverse_dynamics(given, x["v"], x["vdot"])
        np.testing.assert_array_equal(found, wanted)
        assert found.flags.c_contiguous
    same = fast.inverse_dynamics(as_strided(q, (12, 7), (0, 8)), x["v"], x["vdot"])
    np.testing.assert_array_equal(same, fast.inverse_dynamics(q[0], x["v"], x["vdot"]))
    np.testing.assert_array_equal(same[0], wanted[0])


def test_one_state_goes_with_every_state_of_a_batch() -> None:
    eom, fast = equations("iiwa"), compiled("iiwa")
    x, one = states(eom, 7, 6), states(eom, 8)
    for name in ("q", "v", "vdot"):
        mixed = {**x, name: one[name]}
        whole = {**x, name: np.tile(one[name], (6, 1))}
        np.testing.assert_array_equal(
            of(fast, "inverse_dynamics", mixed), of(fast, "inverse_dynamics", whole)
        )


def test_types_of_numbers() -> None:
    eom, fast = equations("iiwa"), compiled("iiwa")
    x = states(eom, 9, 4)
    single = {n: y.astype("f4") for n, y in x.items()}
    wanted = of(fast, "inverse_dynamics", x)
    for part in (slice(None), 0):
        low = {n: y[part] for n, y in single.items()}
        assert of(fast, "inverse_dynamics", low).dtype == np.float32
        assert close(of(fast, "inverse_dynamics", low), wanted[part], 1e-5)
        assert of(fast, "inverse_dynamics", {**low, "v": x["v"][part]}).dtype == np.float64
        always = compiled("iiwa", dtype="float64")
        assert of(always, "inverse_dynamics", low).dtype == np.float64
        never = compiled("iiwa", dtype=np.float32)
        high = {n: y[part] for n, y in x.items()}
        assert of(never, "inverse_dynamics", high).dtype == np.float32
        np.testing.assert_array_equal(
            of(never, "inverse_dynamics", high), of(fast, "inverse_dynamics", low)
        )
    whole = [1, 0, -1, 2, 0, 1, 1]
    np.testing.assert_array_equal(fast.gravity(whole), fast.gravity(np.array(whole, np.float64)))
    assert fast.gravity(np.array(whole, np.int32)).dtype == np.float64


@pytest.mark.parametrize("lanes", LANES)
def test_not_a_number_stays_in_its_state(lanes: int) -> None:
    eom, fast = equations("iiwa"), compiled("iiwa", lanes=lanes)
    x = states(eom, 10, 21)
    clean = of(fast, "inverse_dynamics", x)
    for bad in (np.nan, np.inf):
        for row in (0, 5, 20):
            q = x["q"].copy()
            q[row, 0] = q[row, 3] = bad
            found = of(fast, "inverse_dynamics", {**x, "q": q})
            assert np.isnan(found[row]).any()
            rest = np.arange(21) != row
            np.testing.assert_array_equal(found[rest], clean[rest])
    assert np.isnan(fast.gravity(np.full(7, np.nan))).any()


# -- out, values, external, names ----------------------------------------------------------------------
def test_out_is_filled_and_returned() -> None:
    eom, fast = equations("iiwa"), compiled("iiwa")
    for shape in ((), (5,)):
        x = states(eom, 12, *shape)
        wanted = of(fast, "mass_matrix", x)
        for out in (
            np.empty((*shape, 7, 7)),
            np.empty((*shape, 7, 7), order="F"),
            np.empty((*shape, 14, 7))[..., ::2, ::-1],
            np.zeros(8 * wanted.size + 1, np.uint8)[1:].view(np.float64).reshape(wanted.shape),
        ):
            assert fast.mass_matrix(x["q"], out=out) is out
            np.testing.assert_array_equal(out, wanted)
    energy = np.empty(())
    x = states(eom, 12)
    assert fast.potential_energy(x["q"], out=energy) is energy
    assert energy == fast.potential_energy(x["q"])


def test_out_over_an_input() -> None:
    eom, fast = equations("iiwa"), compiled("iiwa")
    for shape in ((), (9,)):
        for name in ("q", "v", "vdot"):
            x = states(eom, 13, *shape)
            wanted = of(fast, "inverse_dynamics", x)
            assert of(fast, "inverse_dynamics", x, out=x[name]) is x[name]
            np.testing.assert_array_equal(x[name], wanted)
    line = np.linspace(-1, 1, 30)
    q, out = line[:7].copy(), line[3:10]
    wanted = fast.gravity(q)
    np.testing.assert_array_equal(fast.gravity(line[:7], out=out), wanted)


def test_values_over_the_defaults() -> None:
    eom, fast = equations("iiwa"), compiled("iiwa")
    q = states(eom, 14)["q"]
    g = fast.gravity(q)
    assert close(fast.gravity(q, values={"g": 2 * float(eom.robot.values["g"] or 0)}), 2 * g)
    assert close(fast.gravity(q, values={eq.parse("g"): 0}), 0 * g)
    several = fast.gravity(q, values={"g": [0, 9.81, 19.62]})  # one for each state of a batch
    assert several.shape == (3, 7)
    assert close(several, np.outer([0, 1, 2], fast.gravity(q, values={"g": 9.81})))
    np.testing.assert_array_equal(fast.gravity(q), g)


def test_names_of_a_state_have_the_rest_at_home() -> None:
    robot = eq.load("rr_arm").with_home(q1=0.25)
    fast, more = compile(eq.derive(robot)), {"m1": 1, "m2": 2, "L1": 1, "Lc1": 0.5, "Lc2": 0.4}
    wanted = fast.gravity([0.25, 0.5], values=more)
    np.testing.assert_array_equal(fast.gravity({"q2": 0.5}, values=more), wanted)
    np.testing.assert_array_equal(fast.gravity({robot.q[1]: 0.5}, values=more), wanted)
    batch_of = fast.gravity({"q2": np.array([0.5, 0.7])}, values=more)
    np.testing.assert_array_equal(batch_of[0], wanted)
    np.testing.assert_array_equal(fast.gravity(q=[0.25, 0.5], values=more), wanted)


def test_external_wrenches() -> None:
    eom, fast = equations("one_of_each"), compiled("one_of_each")
    x = states(eom, 15, 6)
    f = np.random.default_rng(15).normal(size=(6, len(eom.external)))
    wanted = eom.evaluate("inverse_dynamics", q=x["q"], v=x["v"], vdot=x["vdot"], external=f)
    assert close(of(fast, "inverse_dynamics", x, external=f), wanted)
    one = {n: y[0] for n, y in x.items()}
    assert close(of(fast, "inverse_dynamics", one, external=list(f[0])), wanted[0])
    name = eom.external[1].name
    alone = np.zeros(len(eom.external))
    alone[1] = 3
    np.testing.assert_array_equal(
        of(fast, "inverse_dynamics", one, external={name: 3}),
        of(fast, "inverse_dynamics", one, external=alone),
    )


# -- the object ----------------------------------------------------------------------------------------
def test_replaced_symbols_are_replaced_in_the_code() -> None:
    eom = equations("iiwa")
    fast = compile(eom.subs({"g": 0}))
    assert close(fast.gravity(np.ones(7)), np.zeros(7))
    assert not close(compiled("iiwa").gravity(np.ones(7)), np.zeros(7))


def test_what_it_says_of_itself() -> None:
    fast = compiled("iiwa")
    assert (
        repr(fast) == "<machine code of robot 'iiwa' by recursive, run again for fewer operations>"
    )
    assert repr(compile(fast.eom, lanes=2)).endswith("for fewer operations, lanes=2>")
    f = fast.function("inverse_dynamics")
    assert "inverse_dynamics(q, v, vdot) -> tau (7,)" in repr(f)
    assert f.address
    assert f.cost.sincos == 6  # gravity is along the first axis
    assert f.program.outputs[0].shape == (7,)
    assert {"inverse_dynamics", "forward_dynamics", "pose"} <= set(dir(fast))


def test_signatures() -> None:
    """Of the builtin functions: the states, and the options that each of them has."""
    fast = compiled("rr_arm")
    for name in (
        "inverse_dynamics",
        "forward_dynamics",
        "mass_matrix",
        "gravity",
        "kinetic_energy",
    ):
        function = fast.function(name)
        signature = inspect.signature(getattr(fast, name))
        options = ["out", "values", "external"]
        if name == "forward_dynamics":
            options.insert(0, "inputs")
        if any(len(shape) == 2 for shape in function.shapes):
            options.append("packed")
        assert [*signature.parameters] == [*function.states, *options], name
        for option in options:
            assert signature.parameters[option].kind is inspect.Parameter.KEYWORD_ONLY
            assert signature.parameters[option].default is (False if option == "packed" else None)


def test_names_that_do_not_exist() -> None:
    fast = compiled("iiwa")
    assert not hasattr(fast, "mass")
    wrong: Any = ["gravity"]
    with pytest.raises(UnknownNameError, match=r"must be given by name, got \['gravity'\]"):
        fast.function(wrong)
    with pytest.raises(
        UnknownNameError, match=r"Unknown function of a frame 'gravity'.*Valid: pose"
    ):
        fast.function("gravity", "link7")
    with pytest.raises(UnknownNameError, match=r"'mass_matricks'.*mass_matrix"):
        _ = fast.mass_matricks
    with pytest.raises(AttributeError):
        _ = fast.__array__
    for call in (
        lambda: fast.pose("hand", np.zeros(7)),
        lambda: fast.jacobian(["hand"], np.zeros(7)),  # type: ignore[arg-type]
        lambda: fast.function("pose"),
        lambda: fast.function("nothing"),
        lambda: fast.function("gravity", "link7"),
    ):
        with pytest.raises(UnknownNameError, match="Valid"):
            call()


@pytest.mark.parametrize(
    "options",
    [
        {"dtype": "complex128"}, {"dtype": "int"}, {"dtype": "nonsense"}, {"dtype": 3}, {"lanes": 3},
        {"lanes": "4"}, {"lanes": 4.0}, {"lanes": True}, {"lanes": [4]}, {"threads": 0},
        {"threads": 1.5}, {"threads": True}, {"parameters": "none"},
    ],
)  # fmt: skip
def test_options_that_do_not_exist(options: dict[str, Any]) -> None:
    with pytest.raises(EquamoError, match="compile"):
        compile(equations("rr_arm"), **options)


def test_only_equations_are_compiled() -> None:
    with pytest.raises(EquamoError, match="derive"):
        compile(eq.load("rr_arm"))  # type: ignore[arg-type]


def test_arrays_of_all_arguments() -> None:
    """What bridges call: parameters are an array, and a result of one number is one too."""
    fast = compiled("rr_arm")
    x = states(fast.eom, 5, 7)
    values = np.array([float(fast.eom.robot.values[s.name]) for s in fast.eom.parameters])
    for name in ("inverse_dynamics", "kinetic_energy", "forward_dynamics_derivatives"):
        f = fast.function(name)
        given = [x[n] for n in f.states]
        for rows in (slice(None), 0):
            ours = of(fast, name, {n: y[rows] for n, y in x.items()})
            found = f.run_arrays([*(y[rows] for y in given), values])
            for a, b in zip(ours if isinstance(ours, tuple) else (ours,), found, strict=True):
                assert isinstance(b, np.ndarray)
                assert np.array_equal(a, b)
        assert f.machine_code.identity == fast.function(name).machine_code.identity
    assert len({fast.function(n).machine_code.identity for n in ("bias", "gravity")}) == 2
