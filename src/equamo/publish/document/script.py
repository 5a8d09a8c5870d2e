r"""Script: the numbered equations of a paper, in the order in which they are written.

Chapters ask the script for the equation of a recorded step, of a law, or of a value assembled
from recorded ones. The script numbers it, notes from which earlier equations it follows, and keeps
what must be proved: that the printed form, with its names replaced by their meaning, equals the recorded
value. All proofs are made at the end, in one call.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import count
from typing import final

from ...algebra.expr import ZERO, Expr, internal
from ...algebra.expr.closed_form.closed_form import closed_form
from ...algebra.expr.differentiate import directional
from ...algebra.expr.graph import NEG
from ...algebra.expr.matrix import Matrix, diagonal
from ...algebra.expr.printing.latex import visible_width
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import ZERO3, Vector
from ...algebra.expr.walk import symbols
from ...algebra.identity.prove import differences, prove_all
from ...mechanics.formulations.derivation import Derivation
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...mechanics.kinematics.force_projection import rotor_inertia
from ...mechanics.kinematics.poses import coordinate_rates
from ...mechanics.kinematics.quantity_name import QuantityName
from ...mechanics.kinematics.steps import Step, Value
from ...robot.model.robot import Robot
from .blocks import Equation, Section, Standing
from .printed import WIDTH, closed, entries, inserted, is_zero, latex_of, mapped, width_of
from .style import Style

_numbers = count(1)  # unique in the process; a paper is renumbered at the end
_AXES = "xyz"
_WIDE = 110  # characters; the typeset width of a fraction is less than that of its LaTeX
_MANY = 8  # most equations listed as origins of a general one


@final
class Script:
    """Numbered equations, and what has to be proved for each."""

    style: Style
    derivation: Derivation
    robot: Robot

    def __init__(self, style: Style, derivation: Derivation, by: str) -> None:
        self.style, self.robot, self.derivation = style, style.robot, derivation
        self.by = by  # the method
        self._speeds = ChosenSpeeds(self.robot)
        self._steps: dict[QuantityName, list[Step]] = {}
        for step in derivation.steps:
            self._steps.setdefault(step.quantity, []).append(step)
        self._claims: dict[int, list[Expr]] = {}  # expressions that must be zero, by equation
        self._dependent: dict[Expr, Expr] = {}  # value of an eliminated coordinate -> its symbol
        self._numbers: dict[Step, int] = {}
        self._latest: dict[QuantityName, int] = {}
        self._forms: dict[QuantityName, Value] = {}  # as printed, in symbols of the model only
        self._meaning: dict[Expr, Expr] = {}  # symbol of a component -> its node
        # With chosen speeds, Kane's quantities are written in terms of these, not of the joint speeds.
        self._in_v = by == "kane" and not self._speeds.trivial
        self._written: dict[str, str] = {}  # LaTeX of such a symbol, by its name
        self._rates: dict[Expr, str] = {}  # LaTeX of the rates of coordinates that are not speeds
        for q, rate in zip(self.robot.q, coordinate_rates(self.robot), strict=True):
            if rate.name not in style.notation:
                self._rates[rate] = self._written[rate.name] = style.notation[f"d{q.name}"]

    # -- recorded steps --------------------------------------------------------------------------
    def eliminate(self, name: str, value: Expr) -> None:
        """Write an eliminated coordinate by its own symbol from now on."""
        q = {x.name: x for x in self.robot.joint_coordinates}[name]
        self._dependent[closed_form(value)] = q
        self._meaning[q] = value
        self._written[q.name] = self.style.notation[q.name]

    def recorded(self, name: QuantityName, first: bool = False) -> Step | None:
        """The latest (or first) step of a quantity, or None."""
        steps = self._steps.get(name)
        return None if steps is None else steps[0 if first else -1]

    def value(self, name: QuantityName) -> Value:
        """Recorded value of a quantity."""
        return self._steps[name][-1].result

    def shown(self, name: QuantityName) -> Value:
        """Recorded value, in the speeds in which it is written."""
        return self.in_speeds(self.value(name)) if self._in_v else self.value(name)

    def has(self, name: QuantityName) -> bool:
        """Whether a quantity was recorded with a value that is not zero."""
        step = self.recorded(name)
        return step is not None and not is_zero(step.result)

    def number(self, name: QuantityName) -> int:
        """Number of the latest equation of a quantity; 0 if it was not written."""
        return self._latest.get(name, 0)

    def form(self, name: QuantityName) -> Value:
        """Printed form of a quantity; its recorded value if it was not printed."""
        return self._forms[name] if name in self._forms else self.value(name)

    @property
    def speeds(self) -> list[str]:
        """Names of the speeds that index quantities of bodies: Kane's method uses the chosen ones."""
        robot = self.robot
        return [x.name for x in (robot.v if self.by == "kane" else robot.joint_speeds)]

    def vector(self, name: QuantityName) -> Vector:
        """A recorded vector; zero if there is none."""
        step = self.recorded(name)
        value = ZERO3 if step is None else step.result
        assert isinstance(value, Vector)
        return value

    def matrix(self, name: QuantityName) -> Matrix:
        """A recorded matrix."""
        value = self.value(name)
        assert isinstance(value, Matrix)
        return value

    def slope(self, x: Vector) -> Vector:
        """Time derivative of a vector in the joint speeds, at v̇ = 0."""
        robot = self.robot.tree
        q_dot = robot.kinematic_map @ Vector(robot.v)
        rates = dict(zip(robot.q, q_dot, strict=True)) | robot.base.rates()
        return x.map(lambda e: directional(e, rates))

    def rotor(self, name: QuantityName) -> Expr:
        """Contribution of rotors to an entry of M: Wᵀ I_a W."""
        if name.letter != "M" or not self.rotors:
            return ZERO
        I_a = diagonal(rotor_inertia(self.robot))
        W, names = self._speeds.W, [x.name for x in self.robot.v]
        i, j = (names.index(x) for x in name.by)
        return (W.T @ I_a @ W)[i, j]

    @property
    def rotors(self) -> bool:
        """Whether rotors add to the mass matrix, besides the bodies."""
        return any(x is not ZERO for x in rotor_inertia(self.robot))

    def in_speeds(self, value: Value) -> Value:
        """A value in the joint speeds, or in q̇, written in the speeds v."""
        if self._speeds.trivial and not self.robot.has_unit_map:
            q_dot = self.robot.kinematic_map @ Vector(self.robot.v)
            rates = dict(zip(coordinate_rates(self.robot), q_dot, strict=True))
            return mapped(value, lambda e: substitute(e, rates))
        return mapped(value, self._speeds.insert)

    def joint_accelerations(self, case: str) -> list[Expr]:
        """Derivatives of the joint speeds; in the case "bias" at v̇ = 0."""
        if case != "bias":
            return list(self.robot.joint_accelerations)
        return [ZERO] * len(self.robot.v) if self._speeds.trivial else list(self._speeds.bias)

    # -- equations -------------------------------------------------------------------------------
    def law(self, left: str, *lines: str, follows: Iterable[int] = (), how: str = "") -> Equation:
        """An equation that holds for every robot."""
        return self._add(left, lines, follows=tuple(follows), standing="law", how=how)

    def step(
        self,
        name: QuantityName,
        rule: str = "",
        left: str = "",
        form: Value | None = None,
        cites: Sequence[int] = (),
        first: bool = False,
        how: str = "closed form",
        standing: Standing = "proved",
        also: Sequence[Value] = (),
        row: bool = False,
        follows: Sequence[int] | None = None,
    ) -> Equation:
        """The equation of a recorded step.

        Args:
            name: Its quantity.
            rule: Middle member, in general symbols.
            left: Left side; the LaTeX of the quantity if empty.
            form: What is printed; the closed form of the recorded value if None.
            cites: Numbers of laws from which it follows, besides its recorded inputs.
            first: Take the first step of this quantity, not the latest.
            how: What is proved, in a few words.
            standing: "definition" for a quantity that the model provides.
            also: Values found by another route, which must be equal, such as the middle member.
            row: Write a vector as a row.
            follows: Numbers of the equations from which it follows, instead of those of its recorded
                inputs.
        """
        step = self.recorded(name, first)
        assert step is not None, name
        value = step.result
        if name.minus:  # the recorded value is minus the quantity
            value = mapped(value, lambda entries: [-x for x in entries])
            name = replace(name, minus=False)
        if self._in_v:
            value, also = self.in_speeds(value), [self.in_speeds(x) for x in also]
        sources = (*cites, *(self._sources(step) if follows is None else follows))
        left = left or self.style.latex(name)
        equation = self.line(left, value, rule, form, sources, how, standing, name, also, row)
        self._numbers[step] = equation.number
        return equation

    def is_wide(self, form: Value) -> bool:
        """Whether a vector or a matrix in symbols of the model does not fit between the margins."""
        return width_of(form, self.style.short, {**self.style.notation, **self._written}) > _WIDE

    def components(
        self,
        name: QuantityName,
        rule: str = "",
        form: Value | None = None,
        cites: Sequence[int] = (),
        how: str = "closed form",
        also: Sequence[Value] = (),
        row: bool = False,
    ) -> list[Equation]:
        """The equation of a recorded vector, or one for each component if it is too wide."""
        form = closed(self.shown(name)) if form is None else form
        if not isinstance(form, Vector) or len(form) != 3 or not self.is_wide(form):
            return [self.step(name, rule, form=form, cites=cites, how=how, also=also, row=row)]
        step = self.recorded(name)
        assert step is not None
        sources = (*cites, *self._sources(step))
        shown = [self.in_speeds(x) if self._in_v else x for x in also]
        parts = [entries(x) for x in (self.shown(name), *shown)]
        found: list[Equation] = []
        zero: list[str] = []
        for i, x in enumerate(form):
            left = self.style.latex(replace(name, component=_AXES[i]))
            if x is ZERO:
                zero.append(left)
                continue
            value, *others = (p[i] for p in parts)
            found.append(self.line(left, value, "", x, sources, how, also=others))
        if zero:
            found.append(self.line(" = ".join(zero), ZERO, follows=sources, how=how))
        self.covers(name, found[0].number)
        self._forms[name] = form
        return found

    def line(
        self,
        left: str,
        value: Value,
        rule: str = "",
        form: Value | None = None,
        follows: Iterable[int] = (),
        how: str = "closed form",
        standing: Standing = "proved",
        name: QuantityName | None = None,
        also: Sequence[Value] = (),
        row: bool = False,
        left_value: Expr | None = None,
        left_names: Sequence[tuple[str, Expr]] = (),
    ) -> Equation:
        """The equation of a known value; the values `also` must be equal to it.

        `left_value` is that of a left side that is a formula, `left_names` are names in it.
        """
        form = closed(value) if form is None else form
        if self._dependent:  # write ψ for its formula
            form = mapped(form, lambda e: substitute(e, self._dependent))
        used = {x for x in symbols(entries(form)) if x in self._meaning}
        used -= set(
            symbols(entries(value))
        )  # a coordinate that is not yet eliminated stands for itself
        meaning = {x: self._meaning[x] for x in used}
        room = WIDTH - visible_width(left) - visible_width(rule) - 6
        notation = {**self.style.notation, **self._written}
        lines = latex_of(form, self.style.short, notation, room, row)
        names = tuple(sorted((self._written[x.name], meaning[x]) for x in used))
        rates = [(self._rates[x], x) for x in symbols(entries(form)) if x in self._rates]
        names = (*names, *rates, *left_names)
        equation = self._add(left, lines, rule, tuple(follows), standing, how, value, names, name)
        equation = replace(equation, left_value=left_value)
        claims = differences(inserted(form, meaning), value)
        for other in also:
            claims += differences(other, value)
        self._claims[equation.number] = claims
        if name is not None:
            self._latest[name] = equation.number
            self._forms[name] = inserted(form, meaning)
        return equation

    def general(
        self,
        left: str,
        right: str,
        claims: Sequence[Expr],
        follows: Iterable[int] = (),
        how: str = "",
        left_value: Expr | None = None,
    ) -> Equation:
        """An equation for all bodies or speeds, whose instances are proved: each claim must be 0.

        `left_value` is that of a left side without general symbols.
        """
        equation = self._add(left, (right,), follows=tuple(follows), standing="proved", how=how)
        equation = replace(equation, left_value=left_value)
        self._claims[equation.number] = list(claims)
        return equation

    def covers(self, name: QuantityName, number: int) -> None:
        """Say that a quantity is given by a general equation."""
        for step in self._steps.get(name, ()):
            self._numbers.setdefault(step, number)
        self._latest.setdefault(name, number)

    def sources(self, names: Iterable[QuantityName]) -> list[int]:
        """Numbers of the equations from which several quantities follow; if many, the shared ones."""
        each = [set(self._sources(x)) for x in map(self.recorded, names) if x is not None]
        found = set[int]().union(*each)
        if len(found) > _MANY:
            shared = [n for n in found if sum(n in x for x in each) > 1]
            found = set(shared if len(shared) <= _MANY else ())
        return sorted(found)

    def in_names(self, name: QuantityName) -> Value:
        """The recorded value in components of the quantities that it was computed from."""
        step = self.recorded(name)
        assert step is not None
        known: dict[Expr, Expr] = {}
        for x in self._written_inputs(step):
            for i, node in enumerate(entries(x.result)):
                if isinstance(x.result, Vector) and len(x.result) == 3 and node.args:
                    symbol = self.component(x.quantity, i)
                    known.setdefault(node, symbol)
                    if node.op == NEG:
                        known.setdefault(node.a, -symbol)
        return mapped(step.result, lambda e: substitute(e, known))

    def component(self, name: QuantityName, axis: int) -> Expr:
        """Symbol that stands for a component of a quantity that was written before.

        A component that is a number or a single symbol stands for itself.
        """
        value = entries(self.value(name))[axis]
        if not value.args:
            return value
        assert self.number(name), f"{name} must be written before it is used"
        part = replace(name, component=_AXES[axis])
        symbol = internal("component", part.text)
        self._meaning[symbol] = value
        self._written[symbol.name] = self.style.latex(part)
        return symbol

    def _sources(self, step: Step) -> list[int]:
        """Numbers of the inputs of a step; an input that is not written counts as its own inputs."""
        return sorted({self._numbers[x] for x in self._written_inputs(step)})

    def _written_inputs(self, step: Step) -> list[Step]:
        found: list[Step] = []
        stack, seen = list(step.inputs), set[Step]()
        while stack:
            x = stack.pop()
            if x in seen:
                continue
            seen.add(x)
            if x in self._numbers:
                found.append(x)
            else:
                stack += x.inputs
        return found

    def _add(
        self,
        left: str,
        lines: tuple[str, ...],
        rule: str = "",
        follows: tuple[int, ...] = (),
        standing: Standing = "proved",
        how: str = "",
        value: Value | None = None,
        names: tuple[tuple[str, Expr], ...] = (),
        name: QuantityName | None = None,
    ) -> Equation:
        number = next(_numbers)
        follows = tuple(sorted(set(follows) - {0}))
        return Equation(number, left, lines, rule, follows, standing, how, (), value, names, name)

    # -- the end ---------------------------------------------------------------------------------
    def finished(
        self, sections: Sequence[Section], others: Sequence[Script] = ()
    ) -> tuple[Section, ...]:
        """The sections with the proof of every equation, numbered in their final order.

        Equations of `others`, which derive the same robot, may be among those of this script.
        """
        written = [x.number for section in sections for x in section.equations()]
        order = {number: i for i, number in enumerate(written, 1)}
        claims: dict[int, list[Expr]] = {}
        for script in (self, *others):
            claims |= script._claims
        groups = [claims.get(n, []) for n in written]
        proofs = prove_all(groups, unit=self.robot.unit_groups)
        found = {n: x for n, x in zip(written, proofs, strict=True) if n in claims}

        def change(x: Equation) -> Equation:
            follows = tuple(sorted(order[n] for n in x.follows if n in order))
            own = tuple(found[n] for n in (x.number,) if n in found)
            standing = x.standing if all(own) else own[0].verdict
            return replace(
                x, number=order[x.number], follows=follows, standing=standing, proofs=own
            )

        return tuple(x.map(change) for x in sections)
