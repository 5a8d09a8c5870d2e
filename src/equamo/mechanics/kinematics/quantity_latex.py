r"""LaTeX of the quantities of a derivation: vectors and matrices in bold type, with their indices.

Bodies and speeds are written as labels: their names, unless the caller passes shorter ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from ...algebra.expr.printing.notation import name_to_latex
from .quantity_name import QuantityName

# Letter of a quantity -> (LaTeX of the letter, whether it is a vector or a matrix)
_LETTERS: Final[dict[str, tuple[str, bool]]] = {
    "A": ("A", True), "r": ("r", True), "T_joint": ("T", True),
    "w": (r"\omega", True), "V": ("v", True), "alpha": (r"\alpha", True), "a": ("a", True),
    "E": ("T", False), "U": ("U", False), "L": ("L", True), "p": ("p", True),
    "E_trans": ("T", False), "E_rot": ("T", False), "r_G": ("r", True), "v_G": ("v", True),
    "J_v": ("J", True), "J_w": ("J", True), "JJ_v": ("H", True), "JJ_w": ("H", True),
    "M": ("M", False), "bias": ("h", False), "gravity": ("g", False), "Q": ("Q", False),
    "F": ("F", True), "T": ("T", True), "N": ("N", True), "P": ("P", True),
    "F_sum": ("F", True), "T_sum": ("T", True), "V_own": ("v", True), "w_own": (r"\omega", True),
    "theta": (r"\Theta", True), "r_S": ("r", True), "J_R": ("J", True), "J_O": ("J", True),
    "Omega": (r"\Omega", True), "Omega_dot": (r"\dot{\Omega}", True),
    "r_S_dot": (r"\dot{r}", True), "r_S_ddot": (r"\ddot{r}", True),
    "p_dot": (r"\dot{p}", True), "N_dot": (r"\dot{N}", True), "F_g": ("F", True),
    "P_dot": (r"\dot{P}", True), "L_dot": (r"\dot{L}", True),
    "S": ("S", False), "H": ("H", True), "c": ("c", True), "dS": ("s", True), "G": ("G", True),
    "mc": ("m", False), "hc": ("h", True), "Jc": ("J", True), "f": ("f", True), "n": ("n", True),
}  # fmt: skip
# Additions to the index and to the exponent.
_INDEX: Final = {
    "E_trans": r"\mathrm{trans}", "E_rot": r"\mathrm{rot}", "r_G": "G", "v_G": "G",
    "J_v": "v", "J_w": r"\omega", "JJ_v": "v", "JJ_w": r"\omega",
    "r_S": "S", "r_S_dot": "S", "r_S_ddot": "S", "J_R": "R",
    "J_O": "O", "F_g": r"\mathrm{g}", "T_joint": r"\mathrm{joint}",
    "V_own": r"\mathrm{own}", "w_own": r"\mathrm{own}",
}  # fmt: skip
_EXPONENT: Final = {"F_sum": r"\Sigma", "T_sum": r"\Sigma", "mc": "c", "hc": "c", "Jc": "c"}
_CASES: Final = {"": "", "bias": r"\circ", "gravity": r"\mathrm{g}", "load": r"\mathrm{e}"}
_DERIVATIVES: Final = {
    "dL_dv": r"\frac{\partial L}{\partial %s}",
    "dL_dv_dot": r"\frac{d}{dt} \frac{\partial L}{\partial %s}",
    "dL_dq": r"\frac{\partial L}{\partial %s}",
}


def quantity_latex(
    name: QuantityName,
    labels: Mapping[str, str] | None = None,
    notation: Mapping[str, str] | None = None,
) -> str:
    r"""LaTeX of a quantity, or of one of its components.

    Args:
        name: The quantity.
        labels: LaTeX of the labels of bodies and speeds, by name; others are written by their name.
        notation: LaTeX of the symbols by which L is differentiated, by the name of the quantity's speed.

    >>> quantity_latex(QuantityName("w", "fore"), {"fore": "2"})
    '\\boldsymbol{\\omega}_{2}'
    >>> quantity_latex(QuantityName("F", "fore", component="x", by=("dq1",)), {"fore": "2", "dq1": "1"})
    'F_{2,x}^{(1)}'
    >>> quantity_latex(QuantityName("M", by=("dq1", "dq2")), {"dq1": "1", "dq2": "2"})
    'M_{12}'
    """
    known = labels or {}

    def label(word: str) -> str:
        return known[word] if word in known else _plain(word)

    if name.letter in _DERIVATIVES:
        symbol = name_to_latex(name.by[0])
        if name.letter == "dL_dq":
            symbol = symbol.replace(r"\dot ", "", 1)
        return _DERIVATIVES[name.letter] % (notation or {}).get(name.by[0], symbol)
    letter, is_bold = _LETTERS.get(name.letter, (_plain(name.letter), False))
    if name.letter == "L" and not name.body:
        is_bold = False  # the Lagrangian
    index = [_INDEX.get(name.letter, ""), label(name.body) if name.body else ""]
    exponent = [_EXPONENT.get(name.letter, ""), _CASES.get(name.case, name.case)]
    if name.body and name.by:
        exponent.append(f"({','.join(label(x) for x in name.by)})")
    else:
        index += [joined_labels([label(x) for x in name.by])]
    index.append(name.component)
    sub, sup = ",".join(x for x in index if x), "".join(x for x in exponent if x)
    text = _bold(letter) if is_bold and not name.component else letter
    return text + (f"_{{{sub}}}" if sub else "") + (f"^{{{sup}}}" if sup else "")


def _bold(letter: str) -> str:
    r"""Bold letter; an accent is above the bold letter."""
    for accent in (r"\ddot", r"\dot"):
        if letter.startswith(accent + "{"):
            return rf"{accent}{{\boldsymbol{{{letter.removeprefix(accent + '{')}}}"
    return rf"\boldsymbol{{{letter}}}"


def component_letters(bodies: Iterable[str]) -> list[str]:
    """LaTeX of the components of all vectors of these bodies, without exponents."""
    return [
        f"{letter}_{{{','.join(x for x in (_INDEX.get(name, ''), body, axis) if x)}}}"
        for name, (letter, is_bold) in _LETTERS.items()
        if is_bold
        for body in bodies
        for axis in "xyz"
    ]


def joined_labels(labels: Sequence[str]) -> str:
    """Indices side by side if each is one digit, otherwise with commas."""
    return ("" if all(len(x) == 1 for x in labels) else ",").join(labels)


def _plain(word: str) -> str:
    """A name as an upright index."""
    shown = word.replace("_", r"\_")
    return shown if len(shown) == 1 else rf"\mathrm{{{shown}}}"
