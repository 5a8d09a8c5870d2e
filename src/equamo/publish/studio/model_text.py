"""Model in the editor: its text, the robot it describes, and the equations derived from it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any, final

from ...code.ir.function import without_empty
from ...code.ir.functions import functions
from ...code.ir.program import Program
from ...errors import EquamoError
from ...mechanics.certificate import Certificate
from ...mechanics.equations import EquationsOfMotion, derive
from ...robot.formats.toml import robot_of
from ...robot.formats.toml_positions import Positions
from ...robot.formats.toml_table import Table, parse_toml
from ...robot.model import Robot
from .literals import lifted
from .problems import FILE, Problem, problem_of, syntax_problem


@final
class ModelText:
    """Text of a model; each part is computed when it is first needed.

    >>> from equamo.robot.formats.template import template
    >>> ModelText(template("rr")).robot
    <Robot robot: 2 bodies, 2 degrees of freedom, 12 parameters, 2 inputs>
    """

    def __init__(self, text: str) -> None:
        self.text: str = text.removeprefix("\ufeff").replace("\r\n", "\n")
        self.certificate: Certificate | None = None
        self._equations: dict[tuple[str, bool], EquationsOfMotion] = {}
        self._programs: dict[tuple[str, str, bool], Program] = {}

    @cached_property
    def data(self) -> dict[str, Any]:
        """Content of the text; an error if it is not TOML."""
        return parse_toml(self.text, FILE)

    @cached_property
    def positions(self) -> Positions:
        """Place of each key and value."""
        _ = self.data  # the scan relies on valid TOML
        return Positions(self.text)

    @cached_property
    def robot(self) -> Robot:
        """Robot of the text, with its numbers as they are written."""
        return robot_of(Table(self.data, FILE, self.positions.lines()))

    @cached_property
    def problem(self) -> Problem | None:
        """First error of the text with its place; None if it describes a robot."""
        try:
            positions = self.positions
        except EquamoError as error:
            return syntax_problem(error, self.text)
        try:
            _ = self.robot
        except EquamoError as error:
            return problem_of(error, positions)
        return None

    @cached_property
    def _programs_from(self) -> tuple[dict[str, Any], dict[str, Fraction], Robot]:
        """Data, values of its new parameters, and the robot that programs are made from."""
        data, values = lifted(self.data)
        if not values:
            return self.data, {}, self.robot
        try:
            return data, values, robot_of(Table(data, FILE, {}))
        except EquamoError:  # a number that must not become a parameter
            return self.data, {}, self.robot

    @property
    def literals(self) -> Mapping[str, Fraction]:
        """Numbers that are parameters of the programs, by name."""
        return self._programs_from[1]

    @property
    def program_robot(self) -> Robot:
        """Robot whose numbers are parameters; `robot` itself if all are symbols already."""
        return self._programs_from[2]

    @property
    def missing(self) -> tuple[str, ...]:
        """Parameters without a value."""
        return tuple(n for n, x in self.robot.values.items() if x is None)

    def filled(self, robot: Robot) -> Robot:
        """Copy in which parameters without a value are 1, so that it can be drawn and moved."""
        return robot.with_values(**dict.fromkeys(self.missing, 1)) if self.missing else robot

    def equations(self, by: str = "recursive") -> EquationsOfMotion:
        """Equations of motion by a method, as the studio shows them."""
        return self._derived(by, literal=True)

    def program_equations(self, by: str = "recursive") -> EquationsOfMotion:
        """Equations of motion that programs are made from."""
        return self._derived(by, literal=not self.literals)

    def _derived(self, by: str, literal: bool) -> EquationsOfMotion:
        key = by, literal
        if key not in self._equations:
            robot = self.robot if literal else self.program_robot
            self._equations[key] = derive(self.filled(robot), by=by)
        return self._equations[key]

    def program(self, name: str, by: str = "recursive", *, for_text: bool = False) -> Program:
        """Program of a function with its numbers as parameters, or those of the text if `for_text`."""
        key = name, by, for_text
        if key not in self._programs:
            eom = self.equations(by) if for_text else self.program_equations(by)
            function = without_empty(functions(eom)[name])
            self._programs[key] = function.program(fused=for_text)
        return self._programs[key]

    # -- what an edit changes ------------------------------------------------------------------------
    @cached_property
    def structure(self) -> str:
        """Digest of all that programs depend on: everything but numbers."""
        return _digest(self._programs_from[0])

    @cached_property
    def shown(self) -> str:
        """Digest of all that the shown equations depend on: everything but values of parameters."""
        return _digest(self.data)

    @cached_property
    def numbers(self) -> dict[str, Any]:
        """Values of the parameters of the programs, and home values of the state."""
        robot = self.filled(self.program_robot)
        home = robot.home
        return {
            "parameters": {n: None if x is None else float(x) for n, x in robot.values.items()},
            "home": {n: float(x) for n, x in {**home.q, **home.v, **home.inputs}.items()},
        }


def _digest(data: Mapping[str, Any]) -> str:
    """Digest of data without the values of parameters, home values, limits and description."""
    kept = {k: x for k, x in data.items() if k not in ("home", "limits", "description")}
    parameters = data.get("parameters")
    if isinstance(parameters, Mapping):
        kept["parameters"] = sorted(str(n) for n in parameters)  # pyright: ignore
    text = json.dumps(kept, sort_keys=True, default=str, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
