"""Notation: what the letters of the paper mean."""

from __future__ import annotations

from typing import Final

from ..blocks import Section, Table, Text
from ..printed_symbols import SAYS, spelled, symbols_of, unexplained
from ..script import Script

_COMMON: Final = (
    (
        r"$\boldsymbol{A}_{ij}$, $\boldsymbol{P}_{ij}$",
        "rotation and origin of frame $j$ in frame $i$",
    ),
    (r"$\boldsymbol{A}_{j}$, $\boldsymbol{r}_{j}$", "rotation and origin of frame $j$ in frame 0"),
    (r"$m_{j}$, $\boldsymbol{s}_{j}$", "mass of body $j$, and its centre of mass in frame $j$"),
    (
        r"$\boldsymbol{I}_{j}$, $\boldsymbol{J}_{j}$",
        "inertia tensor at the centre of mass, at the origin",
    ),
)
_BODY_FRAME: Final = (
    (
        r"$\boldsymbol{\omega}_{j}$, $\boldsymbol{v}_{j}$",
        "angular velocity of body $j$, velocity of its origin",
    ),
)
_METHODS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "kane": (
        *_BODY_FRAME,
        (
            r"$\boldsymbol{\alpha}_{j}$, $\boldsymbol{a}_{j}$",
            "angular acceleration, acceleration of the origin",
        ),
        (
            r"$\boldsymbol{\omega}_{j}^{(s)}$, $\boldsymbol{v}_{j}^{(s)}$",
            "partial velocities by the speed $v_{s}$",
        ),
        (
            r"$\boldsymbol{F}_{j}$, $\boldsymbol{T}_{j}$",
            "inertia force and moment; with $\\Sigma$: including all it carries",
        ),
    ),
    "lagrange": (
        *_BODY_FRAME,
        ("$T_{j}$, $U_{j}$, $L$", "kinetic energy, potential energy, Lagrangian"),
    ),
    "projected_newton_euler": (
        (
            r"$\boldsymbol{\Omega}_{j}$, $\boldsymbol{r}_{S,j}$",
            "angular velocity and centre of mass, in frame 0",
        ),
        (
            r"$\boldsymbol{J}_{R}^{(s)}$, $\boldsymbol{J}_{O}^{(s)}$",
            "rotation and translation for $v_{s} = 1$",
        ),
        (
            r"$\boldsymbol{p}_{j}$, $\boldsymbol{N}_{j}$",
            "momentum, angular momentum; $\\boldsymbol{P}$, $\\boldsymbol{L}$: sums",
        ),
        (r"$\boldsymbol{\Theta}_{j}$", "inertia tensor at the centre of mass, in frame 0"),
    ),
    "gibbs_appell": (
        *_BODY_FRAME,
        (
            r"$\boldsymbol{\alpha}_{j}$, $\boldsymbol{a}_{j}$",
            "angular acceleration, acceleration of the origin",
        ),
        (r"$S_{j}$", "energy of acceleration of body $j$"),
        (
            r"$\boldsymbol{s}_{j}$ with six components",
            "derivatives of $S_{j}$ by $\\boldsymbol{a}_{j}$, $\\boldsymbol{\\alpha}_{j}$",
        ),
    ),
    "recursive": (
        *_BODY_FRAME[:0],
        (
            r"$\boldsymbol{\omega}_{j}$, $\boldsymbol{\alpha}_{j}$, $\boldsymbol{a}_{j}$",
            "motion of body $j$ and of its origin",
        ),
        (
            r"$m_{j}^{c}$, $\boldsymbol{h}_{j}^{c}$, $\boldsymbol{J}_{j}^{c}$",
            "mass, first moment, tensor of a composite body",
        ),
        (
            r"$\boldsymbol{f}_{j}$, $\boldsymbol{n}_{j}$",
            "force and moment on body $j$; capitals: including all it carries",
        ),
    ),
}


def notation(script: Script, methods: tuple[str, ...]) -> Section:
    """A table of letters, and rules for marks."""
    style = script.style
    rows = [*_COMMON]
    for method in methods:
        rows += [x for x in _METHODS.get(method, ()) if x not in rows]
    rows += [
        (rf"${style.M}$, $\boldsymbol{{C}}$, ${style.g}$", "mass matrix, Coriolis matrix, gravity"),
        (
            r"$\boldsymbol{h}$, $\boldsymbol{Q}$",
            "Coriolis and centrifugal terms, generalized forces",
        ),
    ]
    text = Text(
        "Bold letters are vectors and matrices. The index $j$ is a body, $i$ its parent; vectors "
        "of body $j$ "
        "are in components of frame $j$ unless frame 0 is named. A dot is a time derivative, "
        r"$\boldsymbol{x}^{\times}$ the skew matrix with $\boldsymbol{x}^{\times} \boldsymbol{y} = "
        r"\boldsymbol{x} \times \boldsymbol{y}$. Each line says from which lines it follows and "
        r"what was proved."
    )
    short = Text(
        r"Sines and cosines of coordinates are abbreviated: $s_{1} = \sin q_{1}$, $c_{12} = \cos(q_{1} "
        r"+ q_{2})$."
    )
    table = Table(("symbol", "meaning"), tuple(rows), "Symbols.")
    names = _names(script)
    if len(methods) > 1:
        names.append(
            Text(
                "A letter that both methods use has in the chapter of each the meaning it has there."
            )
        )
    return Section("Notation", (text, *([short] if style.short else []), *names, table))


def _names(script: Script) -> list[Text]:
    """What printed symbols are called in the robot, where their LaTeX does not tell."""
    style = script.style
    notation = {x: style.notation[x] for x in symbols_of(script.robot)}
    names = spelled(notation)
    lines = [f"${notation[x]}$ {SAYS} `{names[x]}`" for x in unexplained(notation)]
    renamed = [
        f"`{names[x]}` is not ${latex}$" for x, latex in style.renamed.items() if x in notation
    ]
    if not lines:
        return []
    why = f" ({', '.join(renamed)}, which has another meaning here)" if renamed else ""
    return [Text(f"Symbols of the robot are written as they are called; {', '.join(lines)}{why}.")]
