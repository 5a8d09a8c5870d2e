r"""LaTeX of equations of motion: the whole system, as matrices or one equation per line.

    M v̇ + C v + g = B τ + Σ f + Aᵀ λ        φ(q) = 0 and A v = 0 with loops and held contacts
    q̇ = N v                                 unless v is q̇

Bold letters are vectors and matrices, so g and M may also be parameters. Entries are closed forms;
if these are too long, every intermediate is written once, before its first use.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, cast, final

from ...algebra.expr.graph import ADD, ONE, SUB, ZERO, Expr, internal, symbol
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.printing.appearance import appearance
from ...algebra.expr.printing.latex import shared_latex, to_latex
from ...algebra.expr.printing.latex_arrays import bmatrix
from ...algebra.expr.printing.symbol_name import whole_name
from ...algebra.expr.rules import mul
from ...algebra.expr.vector import Vector, dot
from ...basics.arguments import flag, is_one_of
from ...errors import UnknownNameError
from .closed_parts import Part, Parts, closed_parts, has_unit_inputs, parts_of
from .equations import EquationsOfMotion, Form
from .notation import angles, are_clear, notation_of

FORMS: Final = ("matrix", "equations")
LENGTH: Final = 20_000  # most characters of closed forms
TRANSPOSED: Final = r"^{\mathsf T}"
NOTHING: Final = r"\boldsymbol{0}"
Line = tuple[str, str]  # left-hand side and right-hand side
Term = tuple[Expr, Expr]  # coefficient and the symbol that it multiplies


def equations_to_latex(eom: EquationsOfMotion, form: Form = "matrix", short: bool = False) -> str:
    """LaTeX of the equations of motion; see `EquationsOfMotion.latex`."""
    short = flag("latex(): short", short)
    if not is_one_of(form, FORMS):
        raise UnknownNameError("form", form, FORMS, "latex()")
    parts = closed_parts(eom, parts_of(eom, "C" if form == "matrix" else "Cv"), LENGTH)
    if parts is None:
        writer = _Writer(eom, dict(parts_of(eom, "Cv")), short)
        entries = writer.entries() if form == "matrix" else writer.sides()
        lines = writer.intermediates(entries)
    else:
        writer, lines = _Writer(eom, parts, short), []
    return _aligned(lines + (writer.matrices() if form == "matrix" else writer.equations()))


def notebook_latex(eom: EquationsOfMotion, longest: int) -> str | None:
    """LaTeX of the matrix form with C v instead of C, which takes less work; None if it is too long."""
    parts = closed_parts(eom, parts_of(eom, "Cv"), longest)
    text = None if parts is None else _aligned(_Writer(eom, parts, short=True).matrices())
    return None if text is None or len(text) > longest else text


def _aligned(lines: Iterable[Line]) -> str:
    body = " \\\\\n".join(f"{left} &= {right}" for left, right in lines)
    return f"\\begin{{aligned}}\n{body}\n\\end{{aligned}}"


@final
class _Writer:
    """Lines of one system of equations."""

    def __init__(self, eom: EquationsOfMotion, parts: Parts, short: bool) -> None:
        self.eom = eom
        self.parts = parts
        self.forces = {x.removeprefix("f "): f for x, f in parts.items() if x.startswith("f ")}
        self.B = cast(Matrix, parts["B"])
        self.N = cast("Matrix | None", parts.get("N"))
        A = cast("Matrix | None", parts.get("A"))
        # Rows of loops and contacts, without 0 = 0 (as out of the plane of a planar loop).
        self.kept = [] if A is None else [i for i, r in enumerate(A.rows) if set(r) != {ZERO}]
        self.A = None if A is None else Matrix([A.rows[i] for i in self.kept])
        rows = [eom.robot.rows[i] for i in self.kept]
        phi = cast("Vector | None", parts.get("φ"))
        self.phi = Vector([] if phi is None else [phi[r.name] for r in rows if r.phi is not None])
        self.speed_rows = [k for k, r in enumerate(rows) if r.phi is None]
        self.multipliers = [internal("multiplier", str(k)) for k in range(1, len(self.kept) + 1)]
        own = {x.name: rf"\lambda_{{{k}}}" for k, x in enumerate(self.multipliers, 1)}
        self.notation = notation_of(eom.robot, {appearance(x) for x in own.values()}) | own
        self.short = short and are_clear(angles(eom.robot), self.notation)
        self._texts: dict[Expr, str] = {}  # LaTeX of entries in terms of intermediates

    def latex(self, e: Expr) -> str:
        known = self._texts.get(e)
        if known is not None:
            return known
        return to_latex(e, short=self.short, notation=self.notation)

    # -- intermediates of large systems ------------------------------------------------------------
    def intermediates(self, exprs: Sequence[Expr]) -> list[Line]:
        """Definitions of the intermediates; from now on `latex` writes in terms of them."""
        pairs = shared_latex(exprs, notation=self.notation)
        texts = [text for name, text in pairs if not name]
        self._texts = dict(zip(exprs, texts, strict=True))
        return [(name, text) for name, text in pairs if name]

    def entries(self) -> list[Expr]:
        """Entries of all parts."""
        parts: Iterable[Part | None] = (*self.parts.values(), self.A, self.phi)
        return list(dict.fromkeys(e for part in parts if part is not None for e in part.entries))

    def sides(self) -> list[Expr]:
        """Both sides of all scalar equations, as expressions."""
        sides = [side for i in range(len(self.eom.v)) for side in self._row(i)]
        sides += self.phi.entries
        sides += [dot(self._row_of_A(k), self.eom.v) for k in self.speed_rows]
        if self.N is not None:
            sides += self.N @ Vector(self.eom.v)
        return list(dict.fromkeys(sides))

    # -- matrices ----------------------------------------------------------------------------------
    def matrices(self) -> list[Line]:
        """The equation in letters with its constraints, then vectors of symbols, then matrices."""
        eom, parts = self.eom, self.parts
        unit = eom.robot.has_unit_map
        v, v_dot = (_dotted("q", 1), _dotted("q", 2)) if unit else (_bold("v"), _dotted("v", 1))
        left, right = [f"{_bold('M')} {v_dot}"], list[str]()
        constraints: list[Line] = []
        vectors: list[Line] = [(_bold("q"), self._vector(eom.q))]
        if not unit:
            vectors.append((v, self._vector(eom.v)))
        arrays: list[Line] = [(_bold("M"), self._array(parts["M"]))]
        velocity = parts["C"] if "C" in parts else parts["Cv"]
        if not velocity.is_zero:
            left.append(f"{_bold('C')} {v}")
            arrays.append((_bold("C") if "C" in parts else left[-1], self._array(velocity)))
        if not parts["g"].is_zero:
            left.append(_bold("g"))
            arrays.append((left[-1], self._array(parts["g"])))
        if eom.inputs:
            tau = _bold(r"\tau")
            vectors.append((tau, self._vector(eom.inputs)))
            right.append(tau if has_unit_inputs(eom) else f"{_bold('B')} {tau}")
            if not has_unit_inputs(eom):
                arrays.append((_bold("B"), self._array(self.B)))
        for name, force in self.forces.items():
            right.append(f"{_bold('f')}_{{{whole_name(name).latex}}}")
            arrays.append((right[-1], self._array(force)))
        if self.A is not None and self.kept:
            A, multiplier = _bold("A"), _bold(r"\lambda")
            right.append(f"{A}{TRANSPOSED} {multiplier}")
            constraints.append((f"{A} {v}", NOTHING))
            vectors.append((multiplier, self._vector(self.multipliers)))
            arrays.append((A, self._array(self.A)))
        if self.phi.entries:
            constraints.append((_bold(r"\varphi"), NOTHING))
            arrays.append((_bold(r"\varphi"), self._array(self.phi)))
        if self.N is not None:
            constraints.append((_dotted("q", 1), f"{_bold('N')} {v}"))
            arrays.append((_bold("N"), self._array(self.N)))
        return [(" + ".join(left), " + ".join(right) or NOTHING), *constraints, *vectors, *arrays]

    def _array(self, part: Part) -> str:
        rows = part.rows if isinstance(part, Matrix) else [(e,) for e in part.entries]
        return bmatrix([map(self.latex, row) for row in rows])

    def _vector(self, symbols: Sequence[Expr]) -> str:
        row = [self.latex(x) for x in symbols]
        return row[0] if len(row) == 1 else bmatrix([row]) + TRANSPOSED

    # -- scalar equations --------------------------------------------------------------------------
    def equations(self) -> list[Line]:
        """One line per equation of motion, then constraints and rates of coordinates."""
        eom = self.eom
        lines: list[Line] = []
        for i in range(len(eom.v)):
            left, right = self._row(i)
            if self._texts:
                lines.append((self.latex(left), self.latex(right)))
                continue
            g, Cv = self.parts["g"].entries[i], self.parts["Cv"].entries[i]
            forces = [(f.entries[i], ONE) for f in self.forces.values()]
            lines.append((
                self._sum([*self._terms(self._M(i), eom.vdot), (Cv, ONE), (g, ONE)]),
                self._sum([
                    *self._terms(self.B.rows[i], eom.inputs), *forces,
                    *self._terms(self._column_of_A(i), self.multipliers),
                ]),
            ))  # fmt: skip
        lines += [(self.latex(e), "0") for e in self.phi]
        for k in self.speed_rows:
            row = self._row_of_A(k)
            whole = self.latex(dot(row, eom.v))
            lines.append((whole if self._texts else self._sum(self._terms(row, eom.v)), "0"))
        for k, q in enumerate(eom.q if self.N is not None else ()):
            assert self.N is not None
            rate, q_dot = dot(self.N.rows[k], eom.v), symbol(f"d{q.name}")
            if rate is not q_dot:  # otherwise q̇ = v is obvious from the names
                sum_ = self._sum(self._terms(self.N.rows[k], eom.v))
                lines.append((self.latex(q_dot), self.latex(rate) if self._texts else sum_))
        return lines

    def _row(self, i: int) -> tuple[Expr, Expr]:
        """Both sides of an equation of motion."""
        parts = self.parts
        left = dot(self._M(i), self.eom.vdot) + parts["Cv"].entries[i] + parts["g"].entries[i]
        right = dot(self.B.rows[i], self.eom.inputs) if self.eom.inputs else ZERO
        right = sum((f.entries[i] for f in self.forces.values()), right)
        return left, right + dot(self._column_of_A(i), self.multipliers)

    def _M(self, i: int) -> tuple[Expr, ...]:
        return cast(Matrix, self.parts["M"]).rows[i]

    def _row_of_A(self, k: int) -> tuple[Expr, ...]:
        assert self.A is not None
        return self.A.rows[k]

    def _column_of_A(self, i: int) -> list[Expr]:
        return [] if self.A is None else [row[i] for row in self.A.rows]

    @staticmethod
    def _terms(coefficients: Iterable[Expr], symbols: Iterable[Expr]) -> list[Term]:
        return list(zip(coefficients, symbols, strict=True))

    def _sum(self, terms: Iterable[Term]) -> str:
        """Terms in this order: (a + b) x + c y + …; 0 if there are none."""
        text = ""
        for c, x in terms:
            if c is ZERO:
                continue
            if c.op in (ADD, SUB) and x is not ONE:
                term = rf"\left({self.latex(c)}\right) {self.latex(x)}"
            else:
                term = self.latex(mul(c, x))
            if text:
                text += f" - {term[1:].lstrip()}" if term.startswith("-") else f" + {term}"
            else:
                text = term
        return text or "0"


def _bold(letter: str) -> str:
    return rf"\boldsymbol{{{letter}}}"


def _dotted(letter: str, times: int) -> str:
    return rf"\{'d' * times}ot{{{_bold(letter)}}}"
