"""Replace the numbers of a DH table by named symbols, with the numbers as default values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ...algebra.expr import Expr, as_expr
from ...algebra.expr.vector import vector3
from ..model import Inertia, Parameter
from ..model.inertia import NAMES, symmetric
from .dh import Row

_LENGTHS = {"a": "length a", "d": "offset d"}
_TENSOR = (("Ixx", 0, 0), ("Ixy", 0, 1), ("Ixz", 0, 2), ("Iyy", 1, 1), ("Iyz", 1, 2), ("Izz", 2, 2))


def dh_symbols(
    rows: Iterable[Row], source: str, full: bool = False
) -> tuple[list[Row], list[Parameter]]:
    """Replace numbers by symbols `a2 d3 m2 cx2 Ixx2 Jm1 G1 B1 Tcp1 Tcm1 …`; zeros stay zeros.

    Args:
        rows: The rows of the table, with numbers.
        source: Where the numbers come from, for the descriptions of the parameters.
        full: Give every link the ten symbols `m2 MX2 … ZZ2` about its frame, even for zeros.

    Returns:
        The rows with symbols, and the parameters.

    >>> rows, parameters = dh_symbols([Row("q1", a="0.4", mass=2)], "made up")
    >>> rows[0].a, rows[0].mass, [p.name for p in parameters]
    (a1, m1, ['a1', 'm1'])
    """
    parameters: list[Parameter] = []
    named = [_Namer(i, source, parameters).row(r, full) for i, r in enumerate(rows, 1)]
    return named, parameters


class _Namer:
    def __init__(self, i: int, source: str, parameters: list[Parameter]) -> None:
        self.i, self.source, self.parameters = i, source, parameters

    def symbol(self, name: str, x: Any, unit: str, text: str, positive: bool = False) -> Expr:
        """Symbol for a number; zeros and expressions that are not numbers are returned unchanged."""
        e = as_expr(x)
        if e.value is None or e.value == 0:
            return e
        return self.always(name, e, unit, text, positive)

    def always(self, name: str, e: Expr, unit: str, text: str, positive: bool = False) -> Expr:
        p = Parameter(
            f"{name}{self.i}", e.value, unit, f"{text} {self.i} ({self.source})", positive
        )
        self.parameters.append(p)
        return p.symbol

    def row(self, row: Row, full: bool) -> Row:
        lengths = {
            n: self.symbol(n, getattr(row, n), "m", f"{text} of link")
            for n, text in _LENGTHS.items()
        }
        motor = "at the motor of joint"
        inertia = self.ten(row) if full else self.central(row)
        return replace(
            row, **lengths, **inertia,
            Jm=self.symbol("Jm", row.Jm, "kg m²", f"rotor inertia {motor}", True),
            G=row.G if as_expr(row.G).value == 1 else self.symbol("G", row.G, "", "gear ratio of joint"),
            B=self.symbol("B", row.B, "N m s/rad", f"viscous friction {motor}", True),
            Tc=self.coulomb(row.Tc, f"Coulomb friction {motor}"),
        )  # fmt: skip

    def coulomb(self, Tc: Any, text: str) -> Any:
        if not isinstance(Tc, tuple):
            return self.symbol("Tc", Tc, "N m", text, True)
        plus, minus = Tc  # pyright: ignore[reportUnknownVariableType]
        return (
            self.symbol("Tcp", plus, "N m", f"forward {text}", True),
            -self.symbol("Tcm", -as_expr(minus), "N m", f"backward {text}", True),
        )

    def central(self, row: Row) -> dict[str, Any]:
        J = symmetric(row.inertia)
        about = "about the centre of mass of link"
        return {
            "mass": self.symbol("m", row.mass, "kg", "mass of link"),
            "com": [
                self.symbol(f"c{c}", x, "m", f"centre of mass along {c} of link")
                for c, x in zip("xyz", vector3(row.com), strict=True)
            ],
            "inertia": [self.symbol(n, J[i, j], "kg m²", f"{n} {about}") for n, i, j in _TENSOR],
        }

    def ten(self, row: Row) -> dict[str, Any]:
        I = (
            Inertia.central(row.mass, row.com, row.inertia)
            if row.ten is None
            else Inertia.about_origin(row.ten)
        )
        units = ["kg", *["kg m"] * 3, *["kg m²"] * 6]
        texts = ["mass", *["first moment"] * 3, *["inertia about the frame"] * 6]
        return {
            "ten": [
                self.always(n, e, unit, f"{text} ({n}) of link" if n != "m" else "mass of link")
                for n, e, unit, text in zip(NAMES, I.ten, units, texts, strict=True)
            ]
        }
