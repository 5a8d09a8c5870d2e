"""DH tables as text: lines `key: value`, a line of column names, then a row for each joint.

    # planar arm on a rail; everything after # is a comment
    convention: modified            standard (default) or modified
    angles: deg                     rad (default) or deg
    lengths: mm                     m (default), cm or mm
    gravity: 0 0 -g
    base: 0 0 h                     position, and three angles if it is turned
    tool: 0 0 120
    parameter L1: 0.4 m

    theta   d      a    alpha   mass  cx  cy  cz  Ixx  Iyy  Izz
    0       q1     0    0       m1    0   0   0   0    0    0
    q2+90   0      L1   -90     m2    L2/2 0  0   0    I2   I2

The joint variable q<i> stands in theta or in d. Cells have no blanks in them, or are kept apart by |.
Columns theta, d, a and alpha are needed; q, mass, cx, cy, cz, Ixx, Iyy, Izz, Ixy, Iyz, Ixz, Jm, G, B,
Tc (or Tc+ and Tc-), lower and upper may follow, in any order. Units of angles and lengths are those of
theta, alpha, d, a, cx, cy, cz, lower and upper; symbols in them have that unit too. Masses are in kg and
inertias in kg m². Nothing in it is run as code.
"""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NoReturn, cast

from ..errors import EquamoError, FileFormatError, ParseError, UnknownNameError
from ..expr import Expr, as_expr, parse, symbol
from ..expr.graph import PI_NODE
from ..expr.vector import Vector
from ..expr.walk import symbols
from ..model import Parameter, Robot
from ..model.names import read_name
from ..wording import brief, counted
from .dh import Convention, Row, dh_robot
from .text_file import read_text

MAX_LENGTH: Final = 1_000_000  # characters of a table
_NEEDED: Final = ("theta", "d", "a", "alpha")
_COM: Final = ("cx", "cy", "cz")
_TENSOR: Final = ("Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz")
_COLUMNS: Final = (*_NEEDED, "q", "mass", *_COM, "Ixx", "Iyy", "Izz", "Ixy", "Iyz", "Ixz", "Jm", "G",
                   "B", "Tc", "Tc+", "Tc-", "lower", "upper")  # fmt: skip
_KEYS: Final = ("name", "description", "convention", "angles", "lengths", "gravity", "base", "tool")
_ANGLES: Final = {"rad": as_expr(1), "deg": PI_NODE / 180}
_LENGTHS: Final = {"m": Fraction(1), "cm": Fraction(1, 100), "mm": Fraction(1, 1000)}


def read_dh(path: str | os.PathLike[str]) -> Robot:
    """The robot of a file with a DH table."""
    file = os.fspath(path)
    return parse_dh(read_text(path), file, Path(file).stem)


def parse_dh(text: str, file: str = "text", name: str = "robot") -> Robot:
    """The robot of a DH table.

    >>> rp = parse_dh('''
    ... angles: deg
    ... theta  d   a   alpha  mass
    ... q1     h   0   90     m1
    ... 0      q2  0   0      m2
    ... ''')
    >>> print(rp)
    Robot robot: 4 bodies, 2 degrees of freedom, 4 parameters, 2 inputs
    """
    return _Reader(text, file, name).robot()


class _Reader:
    def __init__(self, text: str, file: str, name: str) -> None:
        if len(text) > MAX_LENGTH:
            raise FileFormatError(f"{file}: {len(text)} characters; {MAX_LENGTH} are the limit.")
        self.file, self.line = file, 0
        self.keys: dict[str, str] = {"name": name}
        self.places: dict[str, int] = {}
        self.parameters: list[Parameter] = []
        self.columns: list[str] = []
        self.rows: list[tuple[int, list[str]]] = []
        for self.line, raw in enumerate(text.splitlines(), 1):
            line = raw.split("#", 1)[0].strip()
            if line:
                self._take(line)

    def _fail(self, message: str, line: int | None = None) -> NoReturn:
        raise FileFormatError(f"{self.file}, line {line or self.line}: {message}")

    def _take(self, line: str) -> None:
        key, colon, value = (x.strip() for x in line.partition(":"))
        if colon and not self.columns:
            self._key(key, value)
            return
        cells = [c.strip() for c in line.strip("|").split("|")] if "|" in line else line.split()
        if not self.columns:
            self._header(cells)
        elif len(cells) != len(self.columns):
            self._fail(f"{counted(len(cells), 'cell')} for {counted(len(self.columns), 'column')} "
                       f"({', '.join(self.columns)}).")  # fmt: skip
        elif not all(set(c) <= set("-=+:") for c in cells):  # a line drawn below the header
            self.rows.append((self.line, cells))

    def _key(self, key: str, value: str) -> None:
        place = f"{self.file}, line {self.line}"
        if key.startswith("parameter "):
            self._parameter(key.split(maxsplit=1)[1], value)
        elif key not in _KEYS:
            raise UnknownNameError("key", key, (*_KEYS, "parameter <name>"), place)
        elif key in self.places:
            self._fail(f"{key!r} is said twice.")
        else:
            self.keys[key], self.places[key] = value, self.line

    def _parameter(self, name: str, value: str) -> None:
        number, _, unit = value.partition(" ")
        e = self._quantity(number, "value", self.line)
        if e.value is None:
            self._fail(f"the value of a parameter is a number, not {brief(number)}.")
        try:
            symbol(name)
        except EquamoError as error:
            self._fail(str(error))
        self.parameters.append(Parameter(name, e.value, unit.strip()))

    def _header(self, cells: list[str]) -> None:
        place = f"{self.file}, line {self.line}"
        for c in cells:
            if c not in _COLUMNS:
                raise UnknownNameError("column", c, _COLUMNS, place)
            if cells.count(c) > 1:
                self._fail(f"two columns are named {c!r}.")
        for c in _NEEDED:
            if c not in cells:
                self._fail(f"the column {c!r} is missing.")
        if "Tc" in cells and ("Tc+" in cells or "Tc-" in cells):
            self._fail("Coulomb friction is Tc, or Tc+ and Tc-.")
        self.columns = cells

    # -- the robot -------------------------------------------------------------------------------
    def robot(self) -> Robot:
        if not self.columns:
            raise FileFormatError(f"{self.file}: no table: no line with the columns "
                                  f"{', '.join(_NEEDED)}.")  # fmt: skip
        if not self.rows:
            raise FileFormatError(f"{self.file}: the table has no rows.")
        angle = self._choice("angles", _ANGLES, "rad")
        length = as_expr(self._choice("lengths", _LENGTHS, "m"))
        convention = cast(Convention, self._choice("convention", {
            "standard": "standard", "modified": "modified"}, "standard"))  # fmt: skip
        rows = [self._row(i, n, c, angle, length) for i, (n, c) in enumerate(self.rows, 1)]
        gravity = self.keys.get("gravity", "0 0 -g")
        vector = Vector(self._parts("gravity", gravity, 3))
        poses = {k: self._pose(k, angle, length) for k in ("base", "tool")}
        try:
            return dh_robot(
                self.keys["name"], rows, convention, vector, poses["base"], poses["tool"],
                self.parameters, description=self.keys.get("description", ""),
            )  # fmt: skip
        except EquamoError as error:
            raise FileFormatError(f"{self.file}: {error}") from error
        except (ArithmeticError, ValueError) as error:  # of floats: the root of a negative number
            raise FileFormatError(f"{self.file}: a quantity that is no number: {error}.") from None

    def _choice(self, key: str, choices: dict[str, Any], default: str) -> Any:
        given = self.keys.get(key, default)
        if given not in choices:
            place = f"{self.file}, line {self.places[key]}"
            raise UnknownNameError(f"choice of {key}", given, choices, place)
        return choices[given]

    def _pose(self, key: str, angle: Expr, length: Expr) -> tuple[Vector, Vector] | None:
        if key not in self.keys:
            return None
        parts = self._parts(key, self.keys[key], 3, 6)
        turned = [x * angle for x in parts[3:]] or [as_expr(0)] * 3
        return Vector(x * length for x in parts[:3]), Vector(turned)

    def _parts(self, key: str, text: str, *sizes: int) -> list[Expr]:
        line = self.places.get(key, 0)
        parts = text.split(",") if "," in text else text.split()
        if len(parts) not in sizes:
            self._fail(
                f"{key} has {' or '.join(map(str, sizes))} quantities, not {len(parts)}.", line
            )
        return [self._quantity(p, key, line) for p in parts]

    def _quantity(self, text: str, column: str, line: int) -> Expr:
        try:
            return parse(text)
        except ParseError as error:
            raise FileFormatError(f"{self.file}, line {line}, {column}: {error}") from error

    def _row(self, i: int, line: int, cells: list[str], angle: Expr, length: Expr) -> Row:
        texts = dict(zip(self.columns, cells, strict=True))
        q = texts.pop("q", "") or f"q{i}"
        cell = {n: self._quantity(t, n, line) for n, t in texts.items() if t}
        try:
            variable = symbol(read_name(q, "the joint variable"))
        except EquamoError as error:
            self._fail(str(error), line)
        for n in (*_NEEDED, *_COM, "lower", "upper"):
            if n not in cell:
                continue
            slides = variable in symbols([cell.get("d", as_expr(0))])
            turns = n in ("theta", "alpha") or (n in ("lower", "upper") and not slides)
            cell[n] = _scaled(cell[n], variable, angle if turns else length)
        zero = as_expr(0)
        Tc: Any = cell.get("Tc", zero)
        if "Tc+" in cell or "Tc-" in cell:
            Tc = (cell.get("Tc+", zero), cell.get("Tc-", zero))
        limits = {n: cell[n] for n in ("lower", "upper") if n in cell}
        plain = {n: cell[n] for n in (*_NEEDED, "mass", "Jm", "G", "B") if n in cell}
        return Row(
            q=q, com=[cell.get(n, zero) for n in _COM], Tc=Tc, limits=limits or None,
            inertia=[cell.get(n, zero) for n in _TENSOR], **plain,
        )  # fmt: skip


def _scaled(e: Expr, variable: Expr, unit: Expr) -> Expr:
    """In radians or metres; the joint variable is in them already."""
    if variable not in symbols([e]):
        return e * unit
    offset = e.subs({variable: as_expr(0)})
    return (e - offset).closed_form() + offset * unit
