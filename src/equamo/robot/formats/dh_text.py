"""Read DH tables in text: lines `key: value`, a line of column names, then one row per joint.

    # planar arm on a rail; everything after # is a comment
    convention: modified            standard (default) or modified
    angles: deg                     rad (default) or deg
    lengths: mm                     m (default), cm or mm
    gravity: 0 0 -g
    base: 0 0 h                     position; three angles may follow
    tool: 0 0 120
    parameter L1: 0.4 m

    theta   d      a    alpha   mass  cx  cy  cz  Ixx  Iyy  Izz
    0       q1     0    0       m1    0   0   0   0    0    0
    q2+90   0      L1   -90     m2    L2/2 0  0   0    I2   I2

The joint variable q<i> appears in theta or in d. Cells are separated by blanks, or by | if they contain
blanks. Columns theta, d, a and alpha are required; q, mass, cx, cy, cz, Ixx, Iyy, Izz, Ixy, Iyz, Ixz,
Jm, G, B, Tc (or Tc+ and Tc-), lower and upper are optional; the order is free. The units of angles and
lengths apply to theta, alpha, d, a, cx, cy, cz, lower and upper, and to the symbols in them. Masses are
in kg and inertias in kg m². Nothing in the text is executed.
"""

from __future__ import annotations

import os
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NoReturn, cast

from ...algebra.expr import Expr, as_expr, parse, symbol
from ...algebra.expr.graph import PI_NODE
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols
from ...basics.wording import brief, counted
from ...errors import EquamoError, FileFormatError, ParseError, UnknownNameError
from ..model import Parameter, Robot
from ..model.names import read_name
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
    """Read a robot from a file with a DH table.

    Args:
        path: Path of the file; its stem is the default name of the robot.

    Returns:
        The robot.

    Raises:
        FileFormatError: The file cannot be read or is not a DH table; the message gives the line.
        UnknownNameError: Unknown key, column or unit.
    """
    file = os.fspath(path)
    return parse_dh(read_text(path), file, Path(file).stem)


def parse_dh(text: str, file: str = "text", name: str = "robot") -> Robot:
    """Build the robot that the text of a DH table describes.

    Args:
        text: The table.
        file: How messages name the text.
        name: Name of the robot if the text has no line `name: …`.

    Returns:
        The robot.

    Raises:
        FileFormatError: The text is not a DH table; the message gives the line.
        UnknownNameError: Unknown key, column or unit.

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
            raise FileFormatError(f"{file}: a DH table must have at most {MAX_LENGTH:,} characters, "
                                  f"got {len(text):,}.")  # fmt: skip
        self.file, self.line = file, 0
        self.keys: dict[str, str] = {"name": name}
        self.places: dict[str, int] = {}
        self.parameters: list[Parameter] = []
        self.columns: list[str] = []
        self.rows: list[tuple[int, list[str]]] = []
        for self.line, raw in enumerate(text.splitlines(), 1):
            line = raw.split("#", 1)[0].strip()
            if line:
                self._read_line(line)

    def _fail(self, message: str, line: int | None = None) -> NoReturn:
        raise FileFormatError(f"{self.file}, line {line or self.line}: {message}")

    def _read_line(self, line: str) -> None:
        key, colon, value = (x.strip() for x in line.partition(":"))
        if colon and not self.columns:
            self._key(key, value)
            return
        cells = [c.strip() for c in line.strip("|").split("|")] if "|" in line else line.split()
        if not self.columns:
            self._header(cells)
        elif len(cells) != len(self.columns):
            self._fail(f"a row must have {counted(len(self.columns), 'cell')} "
                       f"({', '.join(self.columns)}), got {len(cells)}.")  # fmt: skip
        elif not all(set(c) <= set("-=+:") for c in cells):  # skip a rule drawn below the header
            self.rows.append((self.line, cells))

    def _key(self, key: str, value: str) -> None:
        place = f"{self.file}, line {self.line}"
        if key.startswith("parameter "):
            self._parameter(key.split(maxsplit=1)[1], value)
        elif key not in _KEYS:
            raise UnknownNameError("key", key, (*_KEYS, "parameter <name>"), place)
        elif key in self.places:
            self._fail(f"key {key!r} occurs twice; remove one.")
        else:
            self.keys[key], self.places[key] = value, self.line

    def _parameter(self, name: str, value: str) -> None:
        number, _, unit = value.partition(" ")
        e = self._quantity(number, "value", self.line)
        if e.value is None:
            self._fail(f"the value of a parameter must be a number, got {brief(number)}.")
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
                self._fail(f"column {c!r} occurs twice; remove one.")
        for c in _NEEDED:
            if c not in cells:
                self._fail(f"column {c!r} is missing; required: {', '.join(_NEEDED)}.")
        if "Tc" in cells and ("Tc+" in cells or "Tc-" in cells):
            self._fail("Coulomb friction must be column Tc, or columns Tc+ and Tc-, got both.")
        self.columns = cells

    # -- the robot -------------------------------------------------------------------------------
    def robot(self) -> Robot:
        if not self.columns:
            raise FileFormatError(
                f"{self.file}: a DH table needs a line with the column names {', '.join(_NEEDED)}."
            )
        if not self.rows:
            raise FileFormatError(f"{self.file}: the table must have at least one row, got none.")
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
        except (ArithmeticError, ValueError) as error:  # from floats: root of a negative number
            raise FileFormatError(
                f"{self.file}: a quantity could not be computed: {error}."
            ) from None

    def _choice(self, key: str, choices: dict[str, Any], default: str) -> Any:
        choice = self.keys.get(key, default)
        if choice not in choices:
            place = f"{self.file}, line {self.places[key]}"
            raise UnknownNameError(f"choice of {key}", choice, choices, place)
        return choices[choice]

    def _pose(self, key: str, angle: Expr, length: Expr) -> tuple[Vector, Vector] | None:
        if key not in self.keys:
            return None
        parts = self._parts(key, self.keys[key], 3, 6)
        angles = [x * angle for x in parts[3:]] or [as_expr(0)] * 3
        return Vector(x * length for x in parts[:3]), Vector(angles)

    def _parts(self, key: str, text: str, *sizes: int) -> list[Expr]:
        line = self.places.get(key, 0)
        parts = text.split(",") if "," in text else text.split()
        if len(parts) not in sizes:
            self._fail(
                f"{key} must have {' or '.join(map(str, sizes))} quantities, got {len(parts)}.",
                line,
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
    """Convert to radians or metres; the joint variable already has these units."""
    if variable not in symbols([e]):
        return e * unit
    offset = e.subs({variable: as_expr(0)})
    return (e - offset).closed_form() + offset * unit
