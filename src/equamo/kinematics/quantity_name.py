"""Names of the quantities of a derivation, as values: nothing writes a name that another has to read.

`w_fore_z` is the letter w, the body fore and the component z. Printers, generated code and the page
take the parts they need; `text` is for where one word is wanted.
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
    body: str = ""  # which it belongs to; none for a quantity of the whole robot
    component: str = ""  # x, y, z of a vector, xx … zz of a tensor; none for all of them
    minus: bool = False  # the value is the quantity with its sign changed
    by: tuple[str, ...] = ()  # the force elements, coordinates or speeds that it is indexed by
    case: str = ""  # "bias" at v̇ = 0, "gravity" at rest, "load" of a force element; none: all

    @property
    def text(self) -> str:
        """The parts joined to one word."""
        sign = "minus" if self.minus else ""
        parts = (sign, self.letter, self.case, self.body, *self.by, self.component)
        return "_".join(x for x in parts if x)

    def __str__(self) -> str:
        return self.text
