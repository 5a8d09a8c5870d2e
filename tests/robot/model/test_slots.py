"""Which symbols each quantity of a robot may depend on: every slot with every kind of symbol."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr import Expr, symbol
from equamo.algebra.expr.matrix import Matrix
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_zero
from equamo.errors import EquamoError, ModelError
from equamo.robot.model import forces as kinds_of_force, joints as kinds_of_joint
from equamo.robot.model.force import ForceElement, SpeedForce
from equamo.robot.model.joint import Joint
from equamo.robot.model.shape import Shape
from equamo.robot.model.slots import TABLE, Kind, entries_of

# A symbol of each kind in the robots below.
SYMBOLS = {
    Kind.PARAMETER: "p", Kind.COORDINATE: "q1", Kind.SPEED: "dq1", Kind.ACCELERATION: "ddq1",
    Kind.INPUT: "tau1", Kind.EXTERNAL: "Fx", Kind.TIME: "t",
}  # fmt: skip


def robot(*elements: ForceElement, **changes: Any) -> eq.Robot:
    body = {"mass": 1, "com": "1/2 0 0", "inertia": "0.1 0.2 0.25"}
    joint = eq.revolute("q2", axis="y", at="1 0 0")
    body |= {k: changes.pop(k) for k in list(changes) if k in ("mass", "com", "inertia", "joint")}
    bodies = [
        eq.Body("a", eq.revolute("q1", axis="y"), mass=1, com="1/2 0 0", inertia="0.1 0.2 0.25"),
        eq.Body("b", **{"joint": joint, **body}, parent="a"),
    ]
    inputs = [
        eq.joint_actuator("q1"),
        eq.joint_actuator("q2"),
        eq.wrench("b", "Fx 0 0", name="ext"),
    ]
    changes = {"parameters": {"p": "0.3", "g": "9.81"}} | changes
    return eq.Robot("r", bodies, forces=[*inputs, *elements], **changes)


def moving(**motion: Any) -> eq.Robot:
    return robot(base=eq.BaseMotion(**motion))


# Each slot with a symbol s in it, and the kinds that it accepts.
P, Q, V, I, E, T = (
    Kind.PARAMETER, Kind.COORDINATE, Kind.SPEED, Kind.INPUT, Kind.EXTERNAL, Kind.TIME,
)  # fmt: skip
LAW = P | Q | V | E | T
SLOTS: dict[str, tuple[Callable[[str], eq.Robot], Kind]] = {
    "gravity": (lambda s: robot(gravity=f"0 0 -9-{s}"), P),
    "w of the base's motion": (lambda s: moving(w=f"0 {s} 0", alpha=f"0 {int(s == 't')} 0"), P | T),
    "v of the base's motion": (lambda s: moving(v=f"0 {s} 0", a=f"0 {int(s == 't')} 0"), P | T),
    "alpha of the base's motion": (lambda s: moving(w="0 p 0", alpha=f"0 {s} 0"), P | T),
    "a of the base's motion": (lambda s: robot(base=eq.BaseMotion(a=f"0 {s} 0")), P | T),
    "mass of body 'b'": (lambda s: robot(mass=f"1+{s}"), P),
    "com of body 'b'": (lambda s: robot(com=f"0 {s} 0"), P),
    "inertia of body 'b'": (lambda s: robot(inertia=f"1 1+{s} 1"), P),
    "at of the joint": (lambda s: robot(joint=eq.revolute("q2", at=f"{s} 0 0")), P),
    "rotation of the joint": (lambda s: robot(joint=eq.revolute("q2", rotation=f"0 0 {s}")), P),
    "axis of the joint": (lambda s: robot(joint=eq.revolute("q2", axis=f"cos({s}) sin({s}) 0")), P),
    "pitch of the joint": (lambda s: robot(joint=eq.helical("q2", s)), P),
    "position of the joint": (lambda s: robot(joint=eq.custom("q2", position=f"q2*{s} 0 0")), P),
    "lower of the limits": (lambda s: robot(limits={"q2": (f"-9-{s}", 9)}), P),
    "size of a shape": (lambda s: robot(shapes={"b": [Shape("sphere", Vector([f"1+{s}"]))]}), P),
    "gear of": (lambda s: robot(eq.joint_actuator("q2", "i", gear=f"2+{s}")), P | Q | T),
    "damping of": (lambda s: robot(eq.joint_damper("q2", f"2+{s}")), LAW),
    "coulomb of": (lambda s: robot(eq.joint_friction("q2", f"2+{s}")), LAW),
    "viscous of": (lambda s: robot(eq.joint_friction("q2", viscous=f"2+{s}")), LAW),
    "smoothing of": (lambda s: robot(eq.joint_friction("q2", 3, smoothing=f"2+{s}")), LAW),
    "stiffness of": (lambda s: robot(eq.joint_spring("q2", f"2+{s}")), P | Q),
    "rest of": (lambda s: robot(eq.joint_spring("q2", 2, rest=s)), P | Q),
    "rotor of": (lambda s: robot(eq.rotor_inertia("q2", f"1+{s}")), P),
    "ratio of": (lambda s: robot(eq.rotor_inertia("q2", 1, ratio=f"5+{s}")), P),
    "at of force element 'push'": (
        lambda s: robot(eq.force_actuator("b", "a", "0 0 T", at=f"{s} 0 0", name="push")), P | Q | T),
    "to_at of force element 'push'": (
        lambda s: robot(eq.force_actuator("b", "a", "0 0 T", to_at=f"{s} 0 0", name="push")),
        P | Q | T),
    "at of force element 'w'": (lambda s: robot(eq.wrench("b", "0 0 W", at=f"{s} 0 0", name="w")), LAW),
    "at of force element 's'": (
        lambda s: robot(eq.spring("b", "world", 2, at=f"1+{s} 1 0", name="s")), P),
    "to_at of force element 's'": (
        lambda s: robot(eq.spring("b", "world", 2, to_at=f"9+{s} 1 0", name="s")), P),
    "stiffness of force element 's'": (
        lambda s: robot(eq.spring("b", "world", f"2+{s}", to_at="9 1 0", name="s")), P | Q),
    "rest of force element 's'": (
        lambda s: robot(eq.spring("b", "world", 2, rest=f"1+{s}", to_at="9 1 0", name="s")), P | Q),
    "damping of force element 's'": (
        lambda s: robot(eq.damper("b", "world", f"2+{s}", to_at="9 1 0", name="s")), LAW),
    "at of force element 'c'": (
        lambda s: robot(eq.cylinder("b", "world", "C", at=f"1+{s} 1 0", name="c")), P),
}  # fmt: skip
# Symbols of these are inputs or external loads, so that no other can be in them.
FORCES: dict[str, Callable[[str], eq.Robot]] = {
    "torque": lambda s: robot(eq.torque_actuator("b", "a", f"0 {s} 0")),
    "force": lambda s: robot(eq.force_actuator("b", "a", f"0 0 {s}")),
    "force of force element 'w'": lambda s: robot(eq.wrench("b", f"{s} 0 0", name="w")),
    "torque of force element 'w'": lambda s: robot(eq.wrench("b", "0 0 0", f"{s} 0 0", name="w")),
}


def of_kind(kind: Kind) -> list[Any]:
    return [pytest.param(n, kind, id=f"{n}-{kind.name}") for n in SLOTS]


@pytest.mark.parametrize(("slot", "kind"), [x for k in SYMBOLS for x in of_kind(k)])
def test_each_slot_with_each_kind_of_symbol(slot: str, kind: Kind) -> None:
    make, accepts = SLOTS[slot]
    if kind in accepts or (kind is T and slot != "position of the joint"):
        made = make(SYMBOLS[kind])
        assert SYMBOLS[kind] in {x.name for x in made.parameters} or kind is not P
        return
    with pytest.raises(ModelError) as error:
        make(SYMBOLS[kind])
    text = str(error.value)
    assert slot in text
    assert f"must not depend on {SYMBOLS[kind]!r}, which is a" in text or kind is T
    assert "it may depend only on parameters" in text


def test_accelerations_are_accepted_nowhere() -> None:
    assert not any(Kind.ACCELERATION in e.accepts for c in TABLE for e in entries_of(c).values())


@pytest.mark.parametrize("slot", FORCES)
@pytest.mark.parametrize("name", ["q1", "dq1", "ddq1"])
def test_forces_are_made_of_symbols_of_their_own(slot: str, name: str) -> None:
    with pytest.raises(ModelError, match=rf"{slot}.* must not depend on '{name}'"):
        FORCES[slot](name)


def test_every_quantity_of_every_class_has_an_entry() -> None:
    """A quantity that is not in the table would not be looked at."""
    classes = [
        c
        for module, base in ((kinds_of_joint, Joint), (kinds_of_force, ForceElement))
        for c in vars(module).values()
        if isinstance(c, type) and issubclass(c, base) and is_dataclass(c)
    ]
    assert len(classes) == 23
    for c in classes:
        assert c in TABLE
        quantities = {f.name for f in fields(c) if any(n in str(f.type) for n in ("Expr", "Vector",
                      "Matrix"))}  # fmt: skip
        assert quantities == set(entries_of(c)), c


# -- what is accepted is right -----------------------------------------------------------------------
ACCEPTED = [
    pytest.param(n, k, id=f"{n}-{k.name}")
    for n, (_, accepts) in SLOTS.items()
    for k in (Q, V, E)
    if k in accepts
]


@pytest.mark.parametrize(("slot", "kind"), ACCEPTED)
def test_forward_and_inverse_dynamics_agree_where_a_slot_depends_on_the_state(
    slot: str, kind: Kind
) -> None:
    made = SLOTS[slot][0](SYMBOLS[kind])
    eom = eq.derive(made, by="kane")
    rng = np.random.default_rng(7)
    q, v = rng.uniform(0.2, 1, 2), rng.uniform(0.2, 1, 2)
    inputs = rng.uniform(-1, 1, len(made.inputs))
    state = {"q": q, "v": v, "inputs": inputs, "external": {"Fx": 0.7}}
    vdot = eom.evaluate(eom.state_derivative, **state)[2:]
    tau = eom.evaluate(eom.inverse_dynamics, vdot=vdot, **state)
    assert tau == pytest.approx(eom.evaluate(eom.input_matrix, **state) @ inputs, abs=1e-9)


@pytest.mark.parametrize("slot", ["stiffness of", "rest of", "rest of force element 's'"])
def test_a_spring_with_a_coordinate_in_it_has_no_energy(slot: str) -> None:
    """½ k (q − rest)² is not what its power is the rate of; the certificate holds without it."""
    make, _ = SLOTS[slot]
    name = make("p").forces[-1].name
    assert eq.derive(make("p")).forces[name].energy is not None
    assert eq.derive(make("q1")).forces[name].energy is None
    assert eq.prove(make("q1"), seed=1).ok


# -- accelerations, as users wrote them ----------------------------------------------------------------
def cart(**changes: Any) -> eq.Robot:
    bodies = [eq.Body("c", eq.prismatic("x", axis="x"), mass="m"),
              eq.Body("l", eq.prismatic("y", axis="z"), mass="m", parent="c")]  # fmt: skip
    return eq.Robot("cart", bodies, **changes)


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"forces": [eq.joint_friction("x", coulomb="mu*m*(g+ddy)")]}, "coulomb .*'ddy'"),
        ({"forces": [eq.joint_spring("x", "k", rest="-ma*ddx/k")]}, "rest .*'ddx'"),
        ({"forces": [eq.joint_damper("x", "1+ddy**2")]}, "damping .*'ddy'"),
        ({"forces": [eq.joint_actuator("x", "F", gear="ddy")]}, "gear .*'ddy'"),
        ({"forces": [eq.rotor_inertia("x", "1+ddy")]}, "rotor .*'ddy'"),
        ({"forces": [eq.joint_friction("x", 1, smoothing="1+ddx**2")]}, "smoothing .*'ddx'"),
        ({"base": eq.BaseMotion(a="ddx*k 0 0")}, "a of the base's motion .*'ddx'"),
        ({"speeds": "u1 u2", "rates": {"dx": "u1", "dy": "u2*du1"}}, "the rate of 'dy' .*'du1'"),
        ({"speeds": "u1 u2", "rates": {"dx": "u1", "dy": "u2+ddx"}}, "the rate of 'dy' .*'ddx'"),
        ({"speeds": {"u1": "dx"}, "constraints": ["dy = du1*dx"]}, "the constraint .*'du1'"),
        ({"speeds": {"u1": "dx"}, "constraints": ["dy = du1"]}, "the constraint .*'du1'"),
        ({"speeds": {"u1": "dx*ddy"}, "constraints": ["dy = dx"]}, "the speed 'u1' .*'ddy'"),
        ({"speeds": {"u1": "dx"}, "constraints": ["dy = 2*dx"], "forces": [],
          "eliminate": {"y": "2*x + t"}}, "eliminated coordinate 'y' .*'t'"),
        ({"speeds": "u1 u2", "rates": {"dx": "u1", "dy": "u2*dx"}}, "the rate of 'dy' .*'dx'"),
        ({"speeds": "u1 u2", "rates": {"dx": "u1", "dy": "u2*t"}}, "the rate of 'dy' .*'t'"),
        ({"speeds": {"u1": "dx"}, "constraints": ["dy = t*dx"]}, "'t', which is the time"),
    ],
)  # fmt: skip
def test_what_would_give_wrong_forward_dynamics(changes: dict[str, Any], text: str) -> None:
    with pytest.raises(EquamoError, match=text):
        cart(**changes)


def test_of_an_edited_and_of_a_stored_robot_too() -> None:
    body = eq.Body("tool", eq.prismatic("z"), mass=1, com="ddx 0 0")
    with pytest.raises(ModelError, match="com of body 'tool' must not depend on 'ddx'"):
        cart().attach(body, to="l")


# -- the time ----------------------------------------------------------------------------------------
def swing(**changes: Any) -> eq.Robot:
    return robot(joint=eq.custom("q2", position="q2*(1+t) 0 0"), **changes)


def test_a_t_that_is_differentiated_is_declared() -> None:
    with pytest.raises(
        ModelError, match=r"'t', which is the time.*To use a parameter t, declare it in"
    ):
        swing()
    with pytest.raises(ModelError, match="'t', which is the time"):
        swing(parameters=[eq.Parameter("t")])
    for declared in (
        {"t": 2},
        [eq.Parameter("t", unit="m")],
        [eq.Parameter("t", description="wall")],
    ):
        made = swing(parameters=declared)
        assert "t" in {x.name for x in made.parameters}
        assert made.with_home(q1=1).bodies[1].joint == made.bodies[1].joint
    moving = robot(base=eq.BaseMotion(a="0 0 sin(t)"))  # it stays the time in robots made from it
    with pytest.raises(ModelError, match="which is the time"):
        moving.attach(eq.Body("c", eq.custom("q3", position="q3+t 0 0"), mass=1), to="b")


@pytest.mark.parametrize(
    ("motion", "message"),
    [
        ({"v": "V*t 0 0"}, "a - w × v .* whose x is t[*]V with the derivative V, got 0"),
        ({"w": "0 0 w0*t"}, "alpha of the base.* whose z is t[*]w0 with the derivative w0, got 0"),
        ({"w": "0 0 t", "alpha": "0 0 2"}, "the derivative 1, got 2"),
        ({"alpha": "0 sin(t) 0"}, "whose y is 0 with the derivative 0, got sin"),
        (
            {"w": "0 0 w0", "v": "cos(t) 0 0", "a": "-sin(t) 0 0"},
            "whose y is 0 with the derivative 0, got -w0[*]cos",
        ),
    ],
)
def test_a_base_that_moves_in_time_has_its_own_derivatives(
    motion: dict[str, str], message: str
) -> None:
    """All formulations would agree on equations without the missing acceleration."""
    with pytest.raises(ModelError, match=message):
        moving(**motion)


def test_derivatives_of_a_base_that_moves_in_time() -> None:
    assert moving(w="0 0 sin(k*t)", alpha="0 0 k*cos(k*t)").base.alpha[2] is not eq.parse("0")
    moving(w="0 0 w0", v="cos(t) 0 0", a="-sin(t) w0*cos(t) 0")
    moving(w="0 0 w0", alpha="0 0 sin(t)")  # w0 is the value of a moment
    moving(a="0 0 sin(t)")  # accelerations do not depend on v
    robot(base=eq.BaseMotion(v="t 0 0"), parameters={"t": 2, "p": 1, "g": 9})  # a constant


def test_any_other_t_is_a_parameter() -> None:
    made = robot(mass="t", com="0 0 t/2", inertia="t t t")
    assert "t" in {x.name for x in made.parameters}
    assert eq.prove(made, seed=1).ok


def test_a_coordinate_may_be_called_t() -> None:
    made = eq.Robot("r", [eq.Body("b", eq.revolute("t", axis="y"), mass=1, com="1 0 0")])
    assert eq.prove(made, seed=1).ok


# -- classes of a user's own ---------------------------------------------------------------------------
class Drag(ForceElement):
    """Not in the table: its loads are looked at as a whole."""

    def __init__(self, name: str, speed: str, force: Expr) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "_load", SpeedForce(speed, force))

    def loads(self, geometry: Any = None) -> tuple[SpeedForce, ...]:
        return (self._load,)  # type: ignore[attr-defined]


def test_a_force_element_of_a_users_own_class() -> None:
    made = cart(forces=[Drag("drag", "dx", -symbol("c") * symbol("dx") ** 3)])
    assert prove_zero(eq.derive(made).forces["drag"][0] + symbol("c") * symbol("dx") ** 3)
    with pytest.raises(ModelError, match="a load of force element 'drag' must not depend on 'ddy'"):
        cart(forces=[Drag("drag", "dx", symbol("ddy"))])


# -- actuators whose vectors are formulas --------------------------------------------------------------
@pytest.mark.parametrize(
    "vector", ["0 T+5 0", "T 0 5", "0 0 K*i", "0 sin(T) 0", "0 T/S 0", "0 T**2 0"]
)
def test_the_vector_of_an_actuator_is_linear_in_its_inputs(vector: str) -> None:
    """B · inputs is all that comes of it: the 5 would be lost."""
    with pytest.raises(
        ModelError, match=r"torque of torque_actuator .* must be linear in its inputs"
    ):
        eq.torque_actuator("b", "a", vector)
    with pytest.raises(
        ModelError, match=r"force of force_actuator .* must be linear in its inputs"
    ):
        eq.force_actuator("b", "a", vector)


def test_a_constant_or_several_inputs_are_linear() -> None:
    eq.torque_actuator("b", "a", "0 0 5", name="constant")
    two = eq.torque_actuator("b", "a", "0 (T1 - 3*T2)/2 0")
    assert two.inputs() == ("T1", "T2")


def test_the_table_is_used_when_a_robot_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr("equamo.robot.model.robot.check_slots", lambda r: seen.append(r.name))
    cart()
    assert seen == ["cart"]


def test_matrices_are_looked_at() -> None:
    A = Matrix([["cos(q1)", "-sin(q1)", 0], ["sin(q1)", "cos(q1)", 0], [0, 0, 1]])
    with pytest.raises(
        ModelError, match=r"rotation of the joint of body 'b' must not depend on 'q1'"
    ):
        robot(joint=eq.custom("q2", rotation=A, position="q2 0 0"))
    own = A.subs({"q1": "q2"})
    assert robot(joint=eq.custom("q2", rotation=own)).q[1].name == "q2"
    with pytest.raises(ModelError, match="at of the joint of body 'b' must not depend on 'q2'"):
        robot(joint=eq.revolute("q2", at="q2 0 0"))  # a joint's own, but its frame stands still
