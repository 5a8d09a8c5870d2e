"""A claim's context: the derived equations, and the way from the robot's symbols to the document's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, final

from ..equations import EquationsOfMotion
from ..errors import EquamoError, FileFormatError, ParseError, ShapeError, ShapeMismatchError
from ..expr import Expr, as_expr, symbol
from ..expr.graph import NEG, SYMBOL
from ..expr.matrix import Matrix, diagonal, skew
from ..expr.vector import Vector
from ..expr.walk import symbols
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..model.rotation import euler_xyz
from ..wording import brief
from .arrangement import Arrangement
from .claim import Formula, Part, Place, Setting
from .evaluation import Evaluation, Scope
from .latex_reader import read_latex
from .quantities import Frames, Quantities
from .scopes import PaperScope, RobotScope, symbols_of_robot
from .syntax import Node, Source
from .values import Value, described, entries_of, replaced

Pairs = list[tuple[str, Value, Value]]  # label, left, right


@final
@dataclass(frozen=True)
class Context:
    """The setting of a claim with its robot derived."""

    setting: Setting
    eom: EquationsOfMotion | None
    inserted: Mapping[str, Any]  # put into the equations after the derivation, robot's symbols
    named: Mapping[str, Callable[[], Value]]  # printed values of named claims
    frames: Frames = field(default_factory=Frames)  # shared by all contexts

    # -- scopes ----------------------------------------------------------------------------------
    @cached_property
    def paper(self) -> PaperScope:
        """Names as the document means them."""
        s = self.setting
        robot = None if self.eom is None else (lambda: self.robot)
        return PaperScope(s.definitions, self.named, self._declared, lambda: self._paper_rates,
                          robot, self.image, self.value)  # fmt: skip

    @cached_property
    def robot(self) -> RobotScope:
        """Names as the robot means them."""
        assert self.eom is not None
        arrangement = Arrangement(self.eom, self.setting.order, self.setting.flip)
        quantities = Quantities(self.eom, arrangement, self.frames)
        return RobotScope(quantities, self._robot_rates, self.paper.defined)

    @cached_property
    def _declared(self) -> dict[str, Value]:
        """General vectors and matrices, made of symbols of their own."""
        found: dict[str, Value] = {}
        for name, n in self.setting.vectors.items():
            suffixes = "xyz" if n == 3 else [str(i + 1) for i in range(n)]
            found[name] = Vector([symbol(f"{name}_{s}") for s in suffixes])
        for name, kind in self.setting.matrices.items():
            found[name] = _general_matrix(name, kind)
        own = {} if self.eom is None else symbols_of_robot(self.eom.robot)
        owner = dict.fromkeys(own, "the robot")
        for name, value in found.items():
            for x in symbols(entries_of(value)):
                if owner.setdefault(x.name, name) != name:
                    raise EquamoError(
                        f"The general vector or matrix {name!r} has a component {x.name!r}, which is "
                        f"also a symbol of {owner[x.name]}; give {name!r} another name."
                    )
        return found

    # -- time ------------------------------------------------------------------------------------
    @cached_property
    def _robot_rates(self) -> dict[Expr, Expr]:
        """q → N v, v → v̇, dependent coordinates and joint speeds by what they are."""
        assert self.eom is not None
        robot = self.eom.robot
        rates = self.robot_motion
        table = {x: rates[u] for x, u in zip(robot.joint_coordinates, robot.joint_speeds, strict=False)
                 if u in rates} if robot.speed_map else {}  # fmt: skip
        q_dot = robot.kinematic_map @ Vector(robot.v)
        table |= dict(zip(robot.q, q_dot, strict=True))
        return table | dict(zip(robot.v, robot.vdot, strict=True))

    @cached_property
    def robot_motion(self) -> dict[Expr, Expr]:
        """Rates of all joints, and dependent coordinates, on the motion."""
        assert self.eom is not None
        robot = self.eom.robot
        if robot.speed_map is None:
            q_dot = robot.kinematic_map @ Vector(robot.v)
            rates = {f"d{q.name}": r for q, r in zip(robot.q, q_dot, strict=True)}
            # A parameter of the robot may have the name of a rate; then it is that parameter.
            return {symbol(n): r for n, r in rates.items() if n not in symbols_of_robot(robot)}
        insert = ChosenSpeeds(robot).insert
        dependent = [symbol(n) for n, _ in robot.speed_map.dependent]
        names = [*robot.joint_speeds, *robot.joint_accelerations, *dependent]
        return dict(zip(names, insert(names), strict=True))

    @cached_property
    def _paper_rates(self) -> dict[Expr, Expr]:
        table: dict[Expr, Expr] = {}
        if self.eom is not None:
            for x, rate in self._robot_rates.items():
                self._note(table, x, rate)
        for name, given in self.setting.rates.items():
            what = self._declared.get(name, symbol(name))
            rate = self.value(given, self.paper)
            if len(entries_of(what)) != len(entries_of(rate)):
                raise given.place.error(f"{name} is {described(what)}, its rate {described(rate)}.")
            table |= dict(zip(entries_of(what), entries_of(rate), strict=True))
        return table

    def _note(self, table: dict[Expr, Expr], x: Expr, value: Expr) -> None:
        """x = value in the document's symbols, where x is one of them or its negative."""
        y = self._image_of.get(x, x)
        if y.op == SYMBOL:
            table[y] = self._scalar_image(value)
        elif y.op == NEG and y.a.op == SYMBOL:
            table[y.a] = -self._scalar_image(value)

    @cached_property
    def motion(self) -> dict[Expr, Expr]:
        """The document's rates of coordinates, and dependent coordinates, on the robot's motion."""
        table: dict[Expr, Expr] = {}
        if self.eom is not None:
            for x, value in self.robot_motion.items():
                self._note(table, x, value)
        return {x: e for x, e in table.items() if x is not e}

    # -- from the robot's symbols to the document's ------------------------------------------------
    @cached_property
    def _image_of(self) -> dict[Expr, Expr]:
        table: dict[Expr, Expr] = {}
        for name, given in self.setting.symbols.items():
            self._check_symbol(name, given.place)
            value = self.value(given, self.paper)
            if not isinstance(value, Expr):
                raise given.place.error(f"a symbol is a scalar, not {described(value)}.")
            table[symbol(name)] = value
        for x, y in list(table.items()):  # θ for q brings dθ for dq
            plain, sign = (y.a, -1) if y.op == NEG else (y, 1)
            for level in (1, 2):
                rate = symbol("d" * level + x.name)
                if plain.op == SYMBOL and rate not in table and rate in self._rates_of_robot:
                    new = symbol("d" * level + plain.name)
                    table[rate] = new if sign > 0 else -new
        return table

    @cached_property
    def _rates_of_robot(self) -> set[Expr]:
        if self.eom is None:
            return set()
        robot = self.eom.robot
        return {*robot.joint_speeds, *robot.joint_accelerations, *robot.v, *robot.vdot}

    def _check_symbol(self, name: str, place: Place) -> None:
        if self.eom is None:
            raise place.error("there is no robot, so there are no symbols of it to write anew.")
        if name not in self.robot.symbols:
            import difflib

            near = difflib.get_close_matches(name, self.robot.symbols, n=3)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            valid = ", ".join(self.robot.symbols)
            raise place.error(
                f"robot {self.eom.robot.name!r} has no symbol {brief(name)}.{hint} Valid: {valid}."
            )

    @cached_property
    def _unsaid(self) -> dict[Expr, str]:
        """Speeds of coordinates that became an expression, where nobody said what they are."""
        found: dict[Expr, str] = {}
        for x, y in self._image_of.items():
            rate = symbol(f"d{x.name}")
            plain = y.op == SYMBOL or (y.op == NEG and y.a.op == SYMBOL) or y.value is not None
            if not plain and rate in self._rates_of_robot and rate not in self._image_of:
                found[rate] = x.name
        return found

    def image(self, x: Value) -> Value:
        """A quantity of the robot in the document's symbols."""
        if self.inserted:
            table = {symbol(k): as_expr(v) for k, v in self.inserted.items()}
            x = replaced(x, table)
        if self._unsaid:
            for s in symbols(entries_of(x)):
                if s in self._unsaid:
                    raise EquamoError(
                        f"The coordinate {brief(self._unsaid[s])} is written as an expression; say in "
                        f"[symbols] what its speed {brief(s.name)} is."
                    )
        return replaced(x, self._image_of)

    def _scalar_image(self, x: Expr) -> Expr:
        y = self.image(x)
        assert isinstance(y, Expr)
        return y

    def image_or_self(self, x: Expr) -> Expr:
        """A symbol of the robot in the document's symbols."""
        return self._image_of.get(x, x)

    @cached_property
    def unit(self) -> list[list[Expr]]:
        """Groups of the document's symbols whose squares sum to one: quaternions."""
        if self.eom is None:
            return []
        groups = [[self.image_or_self(x) for x in g] for g in self.eom.robot.unit_groups]
        return [g for g in groups if all(x.is_symbol for x in g)]

    @cached_property
    def state(self) -> frozenset[Expr]:
        """Coordinates, speeds and accelerations in the document's symbols."""
        moving = [*self._paper_rates, *self._paper_rates.values()]
        if self.eom is not None:
            robot = self.eom.robot
            own = (*robot.joint_coordinates, *robot.joint_speeds, *robot.joint_accelerations,
                   *robot.q, *robot.v, *robot.vdot)  # fmt: skip
            moving += [self.image_or_self(x) for x in own]
        # Symbols and their negatives; what else stands in an expression may be a parameter.
        return frozenset(s for x in moving for s in (x, -x) if s.is_symbol)

    @cached_property
    def units(self) -> dict[Expr, str]:
        """Units of the document's symbols that are parameters of the robot."""
        if self.eom is None:
            return {}
        info = self.eom.robot.parameter_info
        pairs = [(self.image_or_self(x), info[x.name].unit) for x in self.eom.parameters]
        return {x: unit for x, unit in pairs if x.is_symbol and unit}

    # -- formulas --------------------------------------------------------------------------------
    def source(self, part: Part) -> Source:
        """The trees of a text; LaTeX is read now that the names are known."""
        if part.source is not None:
            return part.source
        try:
            return read_latex(part.text, self._known_names, self._aliases)
        except ParseError as error:
            raise part.place.error(str(error), error.position, part.text) from None

    @cached_property
    def _known_names(self) -> frozenset[str]:
        s = self.setting
        names = {*s.known, *s.definitions, *s.vectors, *s.matrices, *s.rates, *self.named}
        texts = [*s.symbols.values(), *s.definitions.values(), *s.rates.values()]
        for p in (p for f in texts for p in f.parts if p.source is not None):
            assert p.source is not None
            names |= {n.value for side in p.source.sides for n in side.walk() if n.kind == "name"}
        if self.eom is not None:
            names |= set(self.robot.symbols) - set(s.symbols)
        return frozenset(names)

    @cached_property
    def _aliases(self) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for latex, given in self.setting.aliases.items():
            part = given.rows[0][0]
            assert part.source is not None
            found[latex] = part.source.tree
        return found

    def value(self, given: Formula, scope: Scope) -> Value:
        """The value of a formula; an error names its place."""
        values = [[self._part(p, scope) for p in row] for row in given.rows]
        if given.shape == "single":
            return values[0][0]
        for row, parts in zip(values, given.rows, strict=True):
            for x, p in zip(row, parts, strict=True):
                if not isinstance(x, Expr):
                    raise p.place.error(f"an entry is a scalar, not {described(x)}.")
        return Vector(values[0]) if given.shape == "vector" else Matrix(values)

    def _part(self, part: Part, scope: Scope) -> Value:
        source = self.source(part)
        if source.is_equation:
            raise part.place.error("an equation where a formula is expected.", 0, part.text)
        return self._tree(source.tree, part, scope)

    def _tree(self, node: Node, part: Part, scope: Scope) -> Value:
        try:
            return Evaluation(scope).value(node)
        except ParseError as error:
            found = part.place.error(str(error), error.position, part.text)
            if isinstance(error.__cause__, ShapeError):
                raise ShapeMismatchError(str(found), str(error).rstrip(".")) from None
            raise found from None
        except FileFormatError:
            raise
        except EquamoError as error:
            raise part.place.error(str(error), node.position, part.text) from None

    def equations(self, given: Formula, on_motion: bool) -> Pairs:
        """Left and right of every `=`; of several texts, all of theirs."""
        pairs: Pairs = []
        many = len(given.parts) > 1
        for i, part in enumerate(given.parts, 1):
            sides = [self._tree(n, part, self.paper) for n in self.source(part).sides]
            if len(sides) < 2:
                raise part.place.error(
                    "neither a quantity nor an equation: give `quantity`, or write `left = right`."
                )
            if on_motion:
                sides = [replaced(x, self.motion) for x in sides]
            for k in range(len(sides) - 1):
                label = f"{i}: = {k + 1}" if many else f"= {k + 1}"
                pairs.append((label, sides[k], sides[k + 1]))
        return pairs

    def with_setting(self, **changes: Any) -> Context:
        """The same with other conventions."""
        return replace(self, setting=replace(self.setting, **changes))


def _general_matrix(name: str, kind: Any) -> Value:
    """A matrix of symbols of its own: [n, m], "symmetric 3", "skew 3", "diagonal 3", "rotation"."""
    if isinstance(kind, str):
        word, _, size = kind.partition(" ")
        if word == "rotation":
            return euler_xyz(*(symbol(f"{name}_{a}") for a in "abc"))
        n = range(1, int(size) + 1)
        if word == "diagonal":
            return diagonal([symbol(f"{name}_{i}_{i}") for i in n])
        if word == "skew":
            if int(size) != 3:
                raise ShapeError("A skew matrix is 3×3 here.")
            return skew(Vector([symbol(f"{name}_{s}") for s in "xyz"]))
        return Matrix([[symbol(f"{name}_{min(i, j)}_{max(i, j)}") for j in n] for i in n])
    rows, columns = kind
    return Matrix(
        [[symbol(f"{name}_{i}_{j}") for j in range(1, columns + 1)] for i in range(1, rows + 1)]
    )
