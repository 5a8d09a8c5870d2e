"""What benchmarks/dynamics.py compares is the same robot in every program."""

import sys
from pathlib import Path
from typing import Any

import casadi as ca
import mujoco
import numpy as np
import pinocchio as pin
import pytest

pytestmark = [pytest.mark.ci, pytest.mark.needs("casadi", "mujoco", "pinocchio")]

BENCHMARKS = Path(__file__).parents[1] / "benchmarks"
sys.path.append(str(BENCHMARKS))

from harness.agreement import from_mujoco, relative  # noqa: E402
from harness.casadi_calls import expression as casadi_expression, graph  # noqa: E402
from harness.casadi_recursions import Recursions  # noqa: E402
from harness.derivative_report import DERIVATIVE_PARTS  # noqa: E402
from harness.equamo_calls import columns, load  # noqa: E402
from harness.models import SOURCES, Source, States, Tree, pinocchio_model, tree  # noqa: E402
from harness.mujoco_calls import arrange, mjcf  # noqa: E402
from harness.report import PARTS  # noqa: E402
from harness.tables import Table, write  # noqa: E402
from loops import LOOP_PARTS  # noqa: E402
from packed_mass_matrix import PACKED_PARTS  # noqa: E402

COUNT = 3
PAGE = Path(__file__).parents[1] / "docs" / "project" / "performance.md"


@pytest.fixture(params=SOURCES.values(), ids=SOURCES.keys(), scope="module")
def robot(request: pytest.FixtureRequest) -> tuple[Source, Any, Tree, States]:
    model = pinocchio_model(request.param)
    plain = tree(model)
    return request.param, model, plain, States(plain, COUNT, seed=7)


def dynamics(model: Any, states: States, k: int) -> dict[str, np.ndarray]:
    """Pinocchio's inverse dynamics, mass matrix and forward dynamics at one state."""
    data, q = model.createData(), states.pinocchio_q()[k]
    M = np.triu(pin.crba(model, data, q))
    return {
        "inverse_dynamics": pin.rnea(model, data, q, states.v[k], states.vdot[k]).copy(),
        "mass_matrix": M + np.triu(M, 1).T,
        "forward_dynamics": pin.aba(model, data, q, states.v[k], states.tau[k]).copy(),
    }


def test_arrays_rebuild_the_model(robot: tuple[Source, Any, Tree, States]) -> None:
    """A model built from the arrays that C++ gets is Pinocchio's own reading of the file."""
    _, model, plain, states = robot
    built = pin.Model()
    built.gravity.linear = np.array(plain.gravity)
    for i, kind in enumerate(plain.kinds):
        make = getattr(pin, f"JointModel{kind}")
        joint = make(plain.axes[i]) if kind.endswith("Unaligned") else make()
        place = pin.SE3(plain.rotations[i], plain.positions[i])
        index = built.addJoint(int(plain.parents[i]) + 1, joint, place, plain.names[i])
        inertia = pin.Inertia(float(plain.masses[i]), plain.centers[i], plain.tensors[i])
        built.appendBodyToJoint(index, inertia, pin.SE3.Identity())
    for k in range(COUNT):
        theirs = dynamics(model, states, k)
        for name, x in dynamics(built, states, k).items():
            assert relative(x, theirs[name]) < 1e-12, name


def test_mujoco_has_the_same_robot(robot: tuple[Source, Any, Tree, States]) -> None:
    _, model, plain, states = robot
    simulated = mujoco.MjModel.from_xml_string(mjcf(plain))
    data = mujoco.MjData(simulated)
    q, v, vdot, tau = arrange(states)
    M = np.zeros((simulated.nv, simulated.nv))
    for k in range(COUNT):
        data.qpos, data.qvel, data.qfrc_applied = q[k], v[k], tau[k]
        mujoco.mj_forward(simulated, data)
        mujoco.mj_fullM(simulated, data, M)
        found = {"mass_matrix": M, "forward_dynamics": data.qacc.copy()}
        data.qacc, data.qfrc_applied = vdot[k], np.zeros(simulated.nv)
        mujoco.mj_inverse(simulated, data)
        found["inverse_dynamics"] = data.qfrc_inverse
        theirs = dynamics(model, states, k)
        for name, x in found.items():
            assert relative(from_mujoco(name, x, plain, states, k), theirs[name]) < 1e-10, name


def test_casadi_has_the_same_robot(robot: tuple[Source, Any, Tree, States]) -> None:
    _, model, plain, states = robot
    recursions = Recursions(plain)
    outputs = {
        "inverse_dynamics": recursions.inverse_dynamics(),
        "mass_matrix": recursions.mass_matrix(),
        "forward_dynamics": recursions.forward_dynamics_factored(),
        "forward_dynamics by articulated bodies": recursions.forward_dynamics_articulated(),
    }
    for name, expression in outputs.items():
        function = ca.Function("f", recursions.symbols, [ca.densify(expression)])
        for k in range(COUNT):
            x = states.tau[k] if name.startswith("forward") else states.vdot[k]
            found = np.array(function(states.q[k], states.v[k], x)).squeeze()
            # π/2 with 11 digits is snapped here and not there
            assert relative(found, dynamics(model, states, k)[name.split(" by")[0]]) < 1e-9, name


@pytest.mark.parametrize("name", ["UR5", "ANYmal"])
def test_casadi_has_the_same_derivatives(name: str) -> None:
    """Nonzero entries of ∂τ/∂q along the joint speeds, ∂τ/∂v and the lower triangle of M."""
    model = pinocchio_model(SOURCES[name])
    plain = tree(model)
    states, recursions = States(plain, 1, seed=7), Recursions(plain)
    outputs = casadi_expression(recursions, "inverse_dynamics_derivatives")
    function = graph(recursions, "inverse_dynamics_derivatives", outputs)
    found = np.array(function(states.q[0], states.v[0], states.vdot[0])).squeeze()
    data, q = model.createData(), states.pinocchio_q()[0]
    by_q, by_v, M = pin.computeRNEADerivatives(model, data, q, states.v[0], states.vdot[0])
    parts = [by_q, by_v, np.tril(np.triu(M).T)]
    # Sums of powers, because the pattern of nonzero entries is CasADi's own.
    for power in (1, 2):
        theirs = sum(np.sum(part**power) for part in parts)
        assert np.sum(found**power) == pytest.approx(theirs, rel=1e-9)


def test_states_in_our_order(robot: tuple[Source, Any, Tree, States]) -> None:
    """Our mass matrix at the states in our order is Pinocchio's, its rows and columns in our order."""
    import equamo as eq

    source, model, plain, states = robot
    ours = load(source)
    q, v = columns(ours, plain)
    M = eq.derive(ours).evaluate("mass_matrix", q=states.q[:, q])
    for k in range(COUNT):
        theirs = dynamics(model, states, k)["mass_matrix"][np.ix_(v, v)]
        assert relative(M[k], theirs) < 1e-9


def test_a_table_on_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("a\n<!-- t -->\nold\n<!-- /t -->\nb\n")
    table = Table("title", ["robot", "ns"], [["UR5", "1"]], names=1)
    for _ in range(2):  # writing again changes nothing
        write(page, {"t": table.markdown()})
        shown = "a\n<!-- t -->\n| robot | ns |\n| --- | --: |\n| UR5 | 1 |\n<!-- /t -->\nb\n"
        assert page.read_text() == shown
    with pytest.raises(AssertionError, match="no place"):
        write(page, {"other": "x"})


def test_the_page_has_a_place_for_every_table(tmp_path: Path) -> None:
    copy = tmp_path / PAGE.name
    copy.write_text(PAGE.read_text(encoding="utf-8"), encoding="utf-8")
    parts = (*PARTS, *DERIVATIVE_PARTS, *PACKED_PARTS, *LOOP_PARTS)
    write(copy, {name: f"table {name}" for name in parts})
    assert all(f"\ntable {name}\n" in copy.read_text(encoding="utf-8") for name in parts)
