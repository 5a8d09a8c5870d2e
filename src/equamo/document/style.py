r"""Style of a paper: labels of bodies and speeds, letters of results, short sines and cosines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, final

from ..errors import UnknownNameError
from ..expr import Expr
from ..expr.printing.notation import name_to_latex
from ..kinematics.quantity_latex import quantity_latex
from ..kinematics.quantity_name import QuantityName
from ..model.body import WORLD
from ..model.robot import Robot

LETTERS: Final = ("MCg", "DCG")
WRITTEN_OUT: Final = 4  # most speeds of a robot whose equations are written out in symbols
_LONGEST_LABEL: Final = 5


@final
@dataclass(frozen=True)
class Style:
    """Options of a paper, and the labels that follow from the robot."""

    robot: Robot
    short: bool
    letters: str
    labels: Mapping[str, str] = field(repr=False)  # of bodies and speeds, by name
    notation: Mapping[str, str] = field(repr=False)  # LaTeX of symbols, by name

    @staticmethod
    def of(robot: Robot, short: bool | None, letters: str) -> Style:
        """Style for a robot; short sines and cosines are the default for large robots.

        >>> from equamo.robots import load
        >>> Style.of(load("rr_arm"), None, "MCg").labels["fore"]
        '2'

        Raises:
            UnknownNameError: `letters` is not one of LETTERS.
        """
        if letters not in LETTERS:
            raise UnknownNameError("letters of a paper", letters, LETTERS)
        labels = (
            {WORLD: "0", "_i": "i", "_j": "j", "_s": "s"}
            | _body_labels(robot)
            | _speed_labels(robot)
        )
        notation = {x.name: name_to_latex(x.name) for x in _symbols(robot)} | dict(robot.notation)
        return Style(robot, is_large(robot) if short is None else short, letters, labels, notation)

    def latex(self, name: QuantityName) -> str:
        """LaTeX of a quantity, in the letters of the paper."""
        text = quantity_latex(name, self.labels)
        changed = {"M": "D", "gravity": "G"}.get(name.letter) if self.letters == "DCG" else None
        return text if changed is None or name.body else changed + text[1:]

    @property
    def M(self) -> str:
        """The mass matrix."""
        return rf"\boldsymbol{{{self.letters[0]}}}"

    @property
    def g(self) -> str:
        """The gravity vector."""
        return rf"\boldsymbol{{{self.letters[2]}}}"

    def body(self, name: str) -> str:
        """Label of a body."""
        return self.labels[name]


def is_large(robot: Robot) -> bool:
    """Whether intermediates are named, because written-out equations would fill pages."""
    return len(robot.v) > WRITTEN_OUT


def _symbols(robot: Robot) -> list[Expr]:
    joint = (*robot.joint_coordinates, *robot.joint_speeds, *robot.joint_accelerations)
    state = (*robot.q, *robot.v, *robot.vdot)
    known = (*robot.parameters, *joint, *state, *robot.inputs, *robot.external)
    return list(dict.fromkeys(known))


def _body_labels(robot: Robot) -> dict[str, str]:
    """The names if they are short, otherwise numbers in tree order."""
    names = [b.name for b in robot.bodies]
    if all(len(x) <= 3 and x.isalnum() and not x.isalpha() for x in names):
        return {x: x for x in names}
    return {x: str(i) for i, x in enumerate(names, 1)}


def _speed_labels(robot: Robot) -> dict[str, str]:
    """Indices of q̇_imu, q̇_w … if all speeds have such names, otherwise numbers in their order.

    With chosen speeds there are two lists of speeds, which may share names; then symbols are labels.
    """
    names = [x.name for x in robot.joint_speeds]
    if robot.speed_map is not None:
        both = dict.fromkeys([*names, *(x.name for x in robot.v)])
        return {x: name_to_latex(x).replace(r"\dot ", "", 1) for x in both}
    found = [_index(name_to_latex(x)) for x in names]
    if None in found or len(set(found)) < len(found):
        found = [str(i) for i in range(1, len(names) + 1)]
    return {x: y for x, y in zip(names, found, strict=True) if y is not None}


def _index(latex: str) -> str | None:
    """imu of \\dot q_{imu}"""
    head, _, rest = latex.partition("_{")
    index = rest.removesuffix("}")
    fits = head == r"\dot q" and index.isalnum() and len(index) <= _LONGEST_LABEL
    return index if fits else None
