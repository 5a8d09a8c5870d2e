"""Names of the quantities of a derivation, as values: no module parses a name that another one wrote.

`w_fore_z` is the letter w, the body fore and the component z. Printers, generated code and the page use
the parts they need, or `text` if they need one word.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, slots=True)
class QuantityName:
    """Name of a quantity of a derivation, or of one of its components.

    >>> QuantityName("w", "fore", component="z").text
    'w_fore_z'
    >>> QuantityName("M", by=("dq1", "dq2")).text
    'M_dq1_dq2'
    """

    letter: str
    body: str = ""  # that it belongs to; empty for a quantity of the whole robot
    component: str = ""  # x, y, z of a vector, xx … zz of a tensor; empty for all of them
    minus: bool = False  # whether the value is the quantity with its sign changed
    by: tuple[str, ...] = ()  # force elements, coordinates or speeds that index it
    case: str = (
        ""  # "bias" at v̇ = 0, "gravity" at rest, "load" of a force element; empty: all terms
    )

    @property
    def text(self) -> str:
        """The parts joined to one word."""
        sign = "minus" if self.minus else ""
        parts = (sign, self.letter, self.case, self.body, *self.by, self.component)
        return "_".join(x for x in parts if x)

    def __str__(self) -> str:
        return self.text
