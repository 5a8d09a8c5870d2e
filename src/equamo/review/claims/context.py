"""Context of a claim: derived equations, and their translation into the document's symbols."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, final

from ...algebra.expr import ZERO, Expr, as_expr, symbol
from ...algebra.expr.graph import NEG, SYMBOL
from ...algebra.expr.matrix import Matrix, diagonal, skew
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...algebra.identity import prove_equal
from ...basics.wording import brief
from ...errors import EquamoError, ParseError, ShapeError, ShapeMismatchError
from ...mechanics.equations import EquationsOfMotion
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...robot.model.rotation import euler_xyz
from .arrangement import Arrangement
from .claim import Formula, Part, Place, Setting, formula as as_formula
from .evaluation import Evaluation, Scope
from .field import PRIME, field_values
from .latex_names import squeezed
from .latex_reader import read_latex
from .latex_writer import written
from .motion import check_determined, solved
from .quantities import Frames, Quantities
from .scopes import PaperScope, PlainScope, RobotScope, symbols_of_robot
from .syntax import Node, Source
from .values import Value, described, entries_of, replaced

Pairs = list[tuple[str, Value, Value]]  # label, left, right


@final
@dataclass(frozen=True)
class Context:
    """Setting of a claim with the derived equations of its robot."""

    setting: Setting
    eom: EquationsOfMotion | None
    inserted: Mapping[str, Any]  # substituted after the derivation, in the robot's symbols
    named: Mapping[str, Callable[[], Value]]  # printed values of named claims
    frames: Frames = field(default_factory=Frames)  # shared by all contexts

    # -- scopes ----------------------------------------------------------------------------------
    @cached_property
    def paper(self) -> PaperScope:
        """Scope of the document's names."""
        self._check_names()
        s = self.setting
        robot = None if self.eom is None else (lambda: self.robot)
        return PaperScope(s.definitions, self.named, self._declared, lambda: self._paper_rates,
                          robot, self.image, self.value, lambda: self._known_names,
                          lambda: self._declared_names)  # fmt: skip

    def _check_names(self) -> None:
        """Check that no name of the document is π, or a symbol of the robot that keeps its name."""
        s = self.setting
        own = {**s.vectors, **s.matrices, **s.definitions, **self.named}
        for name in {*own, *s.known, *s.rates} & {"pi", "π"}:
            raise EquamoError(
                f"a name of the document must not be that of a number, but {name!r} is the number π; "
                "give the document's symbol another name."
            )
        if self.eom is None:
            return
        renamed = {d + x for x in s.symbols for d in ("", "d", "dd")}
        for name in own.keys() & symbols_of_robot(self.eom.robot).keys() - renamed:
            raise EquamoError(
                f"{brief(name)} is a symbol of the robot and must not be another thing in the document; "
                f"say in [symbols] what the document calls the robot's {brief(name)}."
            )

    @cached_property
    def robot(self) -> RobotScope:
        """Scope of the robot's names."""
        assert self.eom is not None
        arrangement = Arrangement(self.eom, self.setting.order, self.setting.flip)
        quantities = Quantities(self.eom, arrangement, self.frames)
        return RobotScope(quantities, self._robot_rates, self.paper.defined, lambda: self._image_of)

    @cached_property
    def _declared(self) -> dict[str, Value]:
        """General vectors and matrices, each with its own symbols."""
        values: dict[str, Value] = {}
        for name, n in self.setting.vectors.items():
            suffixes = "xyz" if n == 3 else [str(i + 1) for i in range(n)]
            values[name] = Vector([symbol(f"{name}_{s}") for s in suffixes])
        for name, kind in self.setting.matrices.items():
            values[name] = _general_matrix(name, kind)
        names = {} if self.eom is None else symbols_of_robot(self.eom.robot)
        owner = dict.fromkeys(names, "the robot")
        for name, value in values.items():
            for x in symbols(entries_of(value)):
                if owner.setdefault(x.name, name) != name:
                    raise EquamoError(
                        f"Components of a general vector or matrix must be new symbols, but {x.name!r} "
                        f"of {name!r} is also a symbol of {owner[x.name]}; rename {name!r}."
                    )
        return values

    # -- time ------------------------------------------------------------------------------------
    @cached_property
    def _robot_rates(self) -> dict[Expr, Expr]:
        """Time derivatives: q → N v, v → v̇, and those of dependent coordinates."""
        assert self.eom is not None
        robot = self.eom.robot
        rates = self.robot_motion
        table = {x: rates[u] for x, u in zip(robot.joint_coordinates, robot.joint_speeds, strict=False)
                 if u in rates} if robot.speed_map else {}  # fmt: skip
        q_dot = robot.kinematic_map @ Vector(robot.v)
        table |= dict(zip(robot.q, q_dot, strict=True))
        table |= robot.base.rates()  # its velocities are parameters that are not constant
        return table | dict(zip(robot.v, robot.vdot, strict=True))

    @cached_property
    def robot_motion(self) -> dict[Expr, Expr]:
        """Rates of all joints, and dependent coordinates, in terms of q and v."""
        assert self.eom is not None
        robot = self.eom.robot
        if robot.speed_map is None:
            q_dot = robot.kinematic_map @ Vector(robot.v)
            rates = {f"d{q.name}": r for q, r in zip(robot.q, q_dot, strict=True)}
            # A parameter of the robot may have the name of a rate, and takes precedence.
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
        for name, formula in self.setting.rates.items():
            x = self._declared.get(name, symbol(name))
            rate = self.value(formula, self.paper)
            if len(entries_of(x)) != len(entries_of(rate)):
                raise formula.place.error(
                    f"the rate of {name} must be {described(x)}, got {described(rate)}."
                )
            new = dict(zip(entries_of(x), entries_of(rate), strict=True))
            if any(table.get(y, r) is not r for y, r in new.items()):
                raise formula.place.error(
                    f"the rate of {name} follows from the robot and must not be another; define the "
                    "speed in [symbols]."
                )
            table |= new
        return table

    def _note(self, table: dict[Expr, Expr], x: Expr, value: Expr) -> None:
        """Add x = value in the document's symbols, if x is one of them or its negative."""
        y = self._image_of.get(x, x)
        if y.op == SYMBOL:
            table[y] = self._scalar_image(value)
        elif y.op == NEG and y.a.op == SYMBOL:
            table[y.a] = -self._scalar_image(value)

    @cached_property
    def motion(self) -> dict[Expr, Expr]:
        """Rates and dependent coordinates in the document's symbols."""
        table: dict[Expr, Expr] = {}
        if self.eom is not None:
            for x, value in self.robot_motion.items():
                self._note(table, x, value)
        return {x: e for x, e in table.items() if x is not e}

    # -- from the robot's symbols to the document's ------------------------------------------------
    @cached_property
    def _image_of(self) -> dict[Expr, Expr]:
        table: dict[Expr, Expr] = {}
        for name, formula in self.setting.symbols.items():
            self._check_symbol(name, formula.place)
            value = self.value(formula, self.paper)
            if not isinstance(value, Expr):
                raise formula.place.error(f"a symbol must be a scalar, got {described(value)}.")
            table[symbol(name)] = value
        for x, y in list(table.items()):  # θ for q implies dθ for dq
            plain, sign = (y.a, -1) if y.op == NEG else (y, 1)
            for level in (1, 2):
                rate = symbol("d" * level + x.name)
                if plain.op == SYMBOL and rate not in table and rate in self._rates_of_robot:
                    new = symbol("d" * level + plain.name)
                    table[rate] = new if sign > 0 else -new
        self._check_distinct(table)
        return table

    def _check_distinct(self, table: Mapping[Expr, Expr]) -> None:
        """Check that no two symbols of the robot become the same, or one the negative of the other."""
        images = {x: table.get(x, x) for x in self.robot.symbols.values()}
        values = field_values(list(images.values()))
        seen: dict[object, Expr] = {}
        for (x, y), value in zip(images.items(), values, strict=True):
            if y.value is not None or value == 0:  # such as an arm of length 0
                continue
            key = y if value is None else min(value, PRIME - value)
            other = seen.setdefault(key, x)
            if other is not x:
                names = {x.name, other.name} & self.setting.symbols.keys()
                place = self.setting.symbols[max(names)].place if names else Place("symbols")
                raise place.error(
                    f"two symbols of the robot must not become the same one, but {other.name} and "
                    f"{x.name} both become {y}. If they are equal in the document, substitute one for "
                    "the other in the robot: `subs` of [robots.*], or eom.subs()."
                )

    @cached_property
    def _rates_of_robot(self) -> set[Expr]:
        if self.eom is None:
            return set()
        robot = self.eom.robot
        return {*robot.joint_speeds, *robot.joint_accelerations, *robot.v, *robot.vdot}

    def _check_symbol(self, name: str, place: Place) -> None:
        assert self.eom is not None
        if name not in self.robot.symbols:
            import difflib

            near = difflib.get_close_matches(name, self.robot.symbols, n=3)
            hint = f" Did you mean {' or '.join(near)}?" if near else ""
            valid = ", ".join(self.robot.symbols)
            raise place.error(
                f"unknown symbol {brief(name)} of robot {self.eom.robot.name!r}.{hint} Valid: {valid}."
            )

    @cached_property
    def _undefined_rates(self) -> dict[Expr, str]:
        """Speeds without a definition, of coordinates that are replaced by an expression."""
        undefined: dict[Expr, str] = {}
        for x, y in self._image_of.items():
            rate = symbol(f"d{x.name}")
            plain = y.op == SYMBOL or (y.op == NEG and y.a.op == SYMBOL) or y.value is not None
            if not plain and rate in self._rates_of_robot and rate not in self._image_of:
                undefined[rate] = x.name
        return undefined

    def image(self, x: Value) -> Value:
        """Quantity of the robot in the document's symbols."""
        if self.inserted:
            table = {symbol(k): as_expr(v) for k, v in self.inserted.items()}
            x = replaced(x, table)
        if self._undefined_rates:
            for s in symbols(entries_of(x)):
                if s in self._undefined_rates:
                    raise EquamoError(
                        f"Coordinate {brief(self._undefined_rates[s])} is replaced by an expression, so "
                        f"its speed needs one, too; define {brief(s.name)} in [symbols]."
                    )
        return replaced(x, self._image_of)

    def _scalar_image(self, x: Expr) -> Expr:
        y = self.image(x)
        assert isinstance(y, Expr)
        return y

    def image_or_self(self, x: Expr) -> Expr:
        """Symbol of the robot in the document's symbols."""
        return self._image_of.get(x, x)

    @cached_property
    def unit(self) -> list[list[Expr]]:
        """Groups of the document's symbols whose squares sum to one: quaternions."""
        if self.eom is None:
            return []
        groups = [[self.image_or_self(x) for x in g] for g in self.eom.robot.unit_groups]
        return [g for g in groups if all(x.is_symbol for x in g)]

    @cached_property
    def positive(self) -> frozenset[Expr]:
        """Symbols of the document that are never negative: declared ones, or lengths and masses.

        A parameter whose default value is negative is a coordinate of a point, not a length.
        """
        names = {symbol(n) for n in self.setting.positive}
        if self.eom is not None:
            for p in self.eom.robot.parameter_info.values():
                size = p.unit in ("m", "kg") and (p.value is None or p.value >= 0)
                if p.nonnegative or size:
                    names.add(self.image_or_self(p.symbol))
        return frozenset(x for x in names if x.is_symbol)

    @cached_property
    def state(self) -> frozenset[Expr]:
        """Coordinates, speeds and accelerations in the document's symbols."""
        moving = [*self._paper_rates, *self._paper_rates.values()]
        if self.eom is not None:
            robot = self.eom.robot
            state = (*robot.joint_coordinates, *robot.joint_speeds, *robot.joint_accelerations,
                     *robot.q, *robot.v, *robot.vdot)  # fmt: skip
            moving += [self.image_or_self(x) for x in state]
        # Symbols and their negatives; other symbols in an expression may be parameters.
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
        """Trees of a text; LaTeX is read here, when the names are known."""
        if part.problem is not None:
            raise part.problem
        source = part.source or self._from_latex(part)
        if part.labelled and len(source.sides) == 2 and self._is_label(source.tree):
            return replace(source, sides=source.sides[1:])
        return source

    def _from_latex(self, part: Part) -> Source:
        composite = {*self.setting.definitions, *self.named}
        try:
            return read_latex(
                part.text, self._known_names, self._aliases, composite, self.setting.accents,
                self._accented,
            )  # fmt: skip
        except ParseError as error:
            raise part.place.error(str(error), error.position, part.text) from None

    @cached_property
    def _accented(self) -> frozenset[str]:
        """Names that the document itself defines, over which an accent may mark a vector."""
        s = self.setting
        return frozenset(map(squeezed, {*s.definitions, *s.vectors, *s.matrices, *self.named}))

    @cached_property
    def _known_names(self) -> frozenset[str]:
        return self._declared_names | set(self.setting.known)

    @cached_property
    def _declared_names(self) -> frozenset[str]:
        """Names that belong to the robot, or that the document defines."""
        s = self.setting
        names = {*s.definitions, *s.vectors, *s.matrices, *s.rates, *self.named}
        texts = [*s.symbols.values(), *s.definitions.values(), *s.rates.values()]
        names |= {n for f in texts for n in _names_in(f)}
        for f in s.symbols.values():  # θ for q implies dθ for dq
            used = _names_in(f)
            names |= {f"{d}{n}" for n in used for d in ("d", "dd")} if len(used) == 1 else set()
        names |= {x.name for value in self._declared.values() for x in symbols(entries_of(value))}
        if self.eom is not None:
            names |= set(self.robot.symbols) - set(s.symbols)
        return frozenset(names)

    @cached_property
    def _aliases(self) -> dict[str, Node]:
        aliases: dict[str, Node] = {}
        for latex, formula in self.setting.aliases.items():
            part = formula.rows[0][0]
            assert part.source is not None
            aliases[latex] = part.source.tree
            self._check_alias(latex, aliases[latex], formula.place)
        return aliases

    def _check_alias(self, latex: str, node: Node, place: Place) -> None:
        """Check that an alias does not change the meaning of LaTeX that can be read without it."""
        try:
            tree = read_latex(latex, self._known_names).tree
            if not {x.value for x in tree.walk() if x.kind == "name"} <= self._known_names:
                return
            if tree.kind == "name" and (
                node.kind != "name" or node.value not in self._known_names
            ):  # g, printed for a vector
                return
            read = Evaluation(PlainScope()).value(tree)
        except EquamoError:  # it cannot be read, or has several meanings
            return
        try:
            same = bool(prove_equal(read, Evaluation(PlainScope()).value(node)))
        except EquamoError:  # such as a quantity, or another shape
            same = False
        if not same:
            raise place.error(
                f"an alias must not change the meaning of LaTeX that can be read, but {brief(latex)} is "
                f"{brief(written(tree))}, not {brief(written(node))}. Correct the formula instead."
            )

    def value(self, formula: Formula, scope: Scope) -> Value:
        """Value of a formula; an error names its place."""
        values = [[self._part(p, scope) for p in row] for row in formula.rows]
        if formula.shape == "single":
            return values[0][0]
        for row, parts in zip(values, formula.rows, strict=True):
            for x, p in zip(row, parts, strict=True):
                if not isinstance(x, Expr):
                    raise p.place.error(f"an entry must be a scalar, got {described(x)}.")
        return Vector(values[0]) if formula.shape == "vector" else Matrix(values)

    def _part(self, part: Part, scope: Scope) -> Value:
        source = self.source(part)
        if source.is_equation:
            raise part.place.error("expected a formula, found an equation.", 0, part.text)
        return self._tree(source.tree, part, scope)

    def _is_label(self, node: Node) -> bool:
        """Whether a left side only names what is printed: a new name, or a force such as tau_1."""
        inputs = () if self.eom is None else self.eom.inputs
        forces = {self.image_or_self(x).name for x in inputs if self.image_or_self(x).is_symbol}
        return node.kind == "name" and (node.value in forces or node.value not in self._known_names)

    def check_labels(self, printed: Formula, derived: Value, sign: int) -> None:
        """Check that forces on left sides are those of the derived entries; other labels are new names.

        A force may stand before its equation, and before what is left of it at v̇ = 0 or v = 0.
        """
        forces = {} if self.eom is None else {self.image_or_self(x): x for x in self.eom.inputs}
        entries = entries_of(derived)
        for i, part in enumerate(printed.parts):
            source = part.source or self._from_latex(part)
            force = (
                forces.get(symbol(str(source.tree.value))) if source.tree.kind == "name" else None
            )
            if force is None or not part.labelled or len(source.sides) != 2:
                continue
            entry = entries[i] if len(entries) == len(printed.parts) else ZERO
            if not any(
                prove_equal(sign * entry, x, unit=self.unit) for x in self._values_of(force)
            ):
                raise part.place.error(
                    f"a force before a quantity must be that of its equation, got {source.tree.value}; "
                    "correct the entries or the quantity, or leave the left side out.",
                    source.tree.position, part.text,
                )  # fmt: skip

    def _values_of(self, force: Expr) -> list[Expr]:
        """What an input is on a motion, also at v̇ = 0 or v = 0; empty if no row determines it."""
        assert self.eom is not None
        eom, B = self.eom, self.eom.input_matrix
        column = [row[eom.inputs.index(force)] for row in B.rows]
        rows = [i for i, b in enumerate(column) if b.value != 0]
        if is_augmented(eom.robot) or len(rows) != 1 or column[rows[0]].value is None:
            return []
        if sum(b.value != 0 for b in B.rows[rows[0]]) > 1:
            return []
        quantity = self.value(as_formula("inverse_dynamics"), self.robot)
        place = self.robot.quantities.arrangement.permutation.index(rows[0])
        value = entries_of(quantity)[place] / column[rows[0]]
        at_rest: list[tuple[Expr, ...]] = [(), eom.vdot, eom.v, (*eom.v, *eom.vdot)]
        return [self._scalar_image(value.subs(dict.fromkeys(x, ZERO))) for x in at_rest]

    def _tree(self, node: Node, part: Part, scope: Scope) -> Value:
        try:
            return Evaluation(scope).value(node)
        except ParseError as error:
            placed = part.place.error(str(error), error.position, part.text)
            if isinstance(error.__cause__, ShapeError):
                raise ShapeMismatchError(str(placed), str(error).rstrip(".")) from None
            raise placed from None

    def on_motion(self, x: Value, kind: bool | Literal["equations"]) -> Value:
        """Value along the motions of the robot; with "equations", those that obey its equations."""
        if not kind or self.eom is None:
            return x
        x = replaced(x, self.motion)
        return replaced(x, self._equations_of_motion) if kind == "equations" else x

    @cached_property
    def _equations_of_motion(self) -> dict[Expr, Expr]:
        assert self.eom is not None
        table: dict[Expr, Expr] = {}
        for x, value in solved(self.eom).items():
            self._note(table, x, value)
        check_determined(table)
        return table

    def equations(self, formula: Formula, on_motion: bool | Literal["equations"]) -> Pairs:
        """Left and right side of every `=` in all texts of a formula, which are equations."""
        pairs: Pairs = []
        many = len(formula.parts) > 1
        for i, part in enumerate(formula.parts, 1):
            sides = [self._tree(n, part, self.paper) for n in self.source(part).sides]
            sides = [self.on_motion(x, on_motion) for x in sides]
            for k in range(len(sides) - 1):
                label = f"{i}: = {k + 1}" if many else f"= {k + 1}"
                pairs.append((label, sides[k], sides[k + 1]))
        return pairs

    def with_setting(self, **changes: Any) -> Context:
        """Copy with other conventions."""
        return replace(self, setting=replace(self.setting, **changes))


def _names_in(formula: Formula) -> set[str]:
    """Names in the texts of a formula, except in LaTeX."""
    sources = [p.source for p in formula.parts if p.source is not None]
    return {n.value for s in sources for side in s.sides for n in side.walk() if n.kind == "name"}


def _general_matrix(name: str, kind: Any) -> Value:
    """Matrix with its own symbols: [n, m], "symmetric 3", "skew 3", "diagonal 3" or "rotation"."""
    if isinstance(kind, str):
        word, _, size = kind.partition(" ")
        if word == "rotation":
            return euler_xyz(*(symbol(f"{name}_{a}") for a in "abc"))
        n = range(1, int(size) + 1)
        if word == "diagonal":
            return diagonal([symbol(f"{name}_{i}_{i}") for i in n])
        if word == "skew":
            if int(size) != 3:
                raise ShapeError(f"A skew matrix must be 3×3, got size {size}.")
            return skew(Vector([symbol(f"{name}_{s}") for s in "xyz"]))
        return Matrix([[symbol(f"{name}_{min(i, j)}_{max(i, j)}") for j in n] for i in n])
    rows, columns = kind
    return Matrix(
        [[symbol(f"{name}_{i}_{j}") for j in range(1, columns + 1)] for i in range(1, rows + 1)]
    )
