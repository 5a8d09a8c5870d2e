r"""Style of a paper: labels of bodies and speeds, letters of results, short sines and cosines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from string import ascii_uppercase
from typing import Final, final

from ...basics.arguments import is_one_of
from ...errors import EquamoError, UnknownNameError
from ...mechanics.equations.notation import angles, are_clear, notation_of
from ...mechanics.kinematics.quantity_latex import quantity_latex
from ...mechanics.kinematics.quantity_name import QuantityName
from ...robot.model.body import WORLD
from ...robot.model.robot import Robot
from .own_letters import own_letters

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
    notation: Mapping[str, str] = field(repr=False)  # LaTeX of symbols, by name; no two look alike
    renamed: Mapping[str, str] = field(repr=False)  # LaTeX that a symbol would have, by name

    @staticmethod
    def of(robot: Robot, short: bool | None, letters: str, methods: Sequence[str]) -> Style:
        """Style for a robot; short sines and cosines are the default for large robots.

        Labels of bodies are numbers or short names. If a symbol of the robot would look like a letter of
        the paper, such as m₁ for a mass that is not that of body 1, they are letters; one that still
        looks like another one is written differently.

        >>> from equamo.robot.library import load
        >>> Style.of(load("rr_arm"), None, "MCg", ["kane"]).labels["fore"]
        '2'

        Raises:
            UnknownNameError: `letters` is not one of LETTERS.
            EquamoError: `short` is True, but short names would have two meanings.
        """
        if not is_one_of(letters, LETTERS):
            raise UnknownNameError("letters of a paper", letters, LETTERS)
        plain = notation_of(robot)
        speeds = _speed_labels(robot, plain)
        found: list[tuple[dict[str, str], dict[str, str]]] = []
        for bodies in _body_labels(robot):
            own = own_letters(robot, methods, bodies, speeds.values(), letters[0], letters[2])
            found.append((bodies, notation_of(robot, own)))
            if not _changed(plain, found[-1][1]):
                break
        bodies, notation = min(found, key=lambda x: len(_changed(plain, x[1])))
        labels = {WORLD: "0", "_i": "i", "_j": "j", "_s": "s"} | bodies | speeds
        clear = are_clear(angles(robot), notation)
        if short and not clear:
            raise EquamoError(
                "paper: short sines and cosines must have one meaning each, but the names of the "
                f"coordinates of {robot.name!r} give equal ones; use short=False."
            )
        short = is_large(robot) and clear if short is None else short
        return Style(robot, short, letters, labels, notation, _changed(plain, notation))

    def latex(self, name: QuantityName) -> str:
        """LaTeX of a quantity, in the letters of the paper."""
        text = quantity_latex(name, self.labels, self._differentiated(name))
        changed = {"M": "D", "gravity": "G"}.get(name.letter) if self.letters == "DCG" else None
        return text if changed is None or name.body else changed + text[1:]

    def _differentiated(self, name: QuantityName) -> dict[str, str]:
        """LaTeX of the speed or, in ∂L/∂q, of the coordinate that a derivative is taken by."""
        robot = self.robot
        symbols = robot.joint_coordinates if name.letter == "dL_dq" else robot.joint_speeds
        speeds = (x.name for x in robot.joint_speeds)
        return {v: self.notation[x.name] for v, x in zip(speeds, symbols, strict=False)}

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


def _changed(plain: Mapping[str, str], notation: Mapping[str, str]) -> dict[str, str]:
    """Symbols that are written differently in a paper, with their usual LaTeX."""
    return {name: plain[name] for name, latex in notation.items() if plain[name] != latex}


def _body_labels(robot: Robot) -> Iterator[dict[str, str]]:
    """The names if they are short, otherwise numbers in tree order; capital letters."""
    names = [b.name for b in robot.bodies]
    if all(len(x) <= 3 and x.isalnum() and not x.isalpha() for x in names):
        yield {x: x for x in names}
    else:
        yield {x: str(i) for i, x in enumerate(names, 1)}
    if len(names) <= len(ascii_uppercase):
        yield dict(zip(names, ascii_uppercase, strict=False))


def _speed_labels(robot: Robot, notation: Mapping[str, str]) -> dict[str, str]:
    """Indices of q̇_imu, q̇_w … if all speeds have such names, otherwise numbers in their order.

    With chosen speeds there are two lists of speeds, which may share names; then symbols are labels.
    """
    names = [x.name for x in robot.joint_speeds]
    if robot.speed_map is not None:
        both = dict.fromkeys([*names, *(x.name for x in robot.v)])
        return {x: notation[x].replace(r"\dot ", "", 1) for x in both}
    found = [_index(notation[x]) for x in names]
    if None in found or len(set(found)) < len(found):
        found = [str(i) for i in range(1, len(names) + 1)]
    return {x: y for x, y in zip(names, found, strict=True) if y is not None}


def _index(latex: str) -> str | None:
    """imu of \\dot q_{imu}"""
    head, _, rest = latex.partition("_{")
    index = rest.removesuffix("}")
    fits = head == r"\dot q" and index.isalnum() and len(index) <= _LONGEST_LABEL
    return index if fits else None
