"""The graph of hash-consed scalar nodes: equal sub-expressions are always the same node.

A node is `(op, a, b)`; what `a` and `b` hold depends on `op`:

    op        a            b          op        a       b
    CONST     int ≥ 0 or   –          ADD       left    right     (structural order)
              Fraction > 0            SUB       left    right     (structural order)
    PI        –            –          MUL       left    right     (structural order)
    SYMBOL    name         purpose    DIV       left    right
    NEG       node         –          ATAN2     y       x
    POW       node         int ≥ 2    function  node    –         (opcode ≥ FIRST_FUNCTION)

A minus sign is always the outermost node of a product, so `CONST` is never negative. The purpose of a
user's symbol is None; a symbol that a derivation invents has one ("rate", "clock" …), so the two kinds
can never be the same node, whatever their names. Only `rules` make nodes. The table of nodes is weak:
a node lives as long as something refers to it.
"""

from __future__ import annotations

import threading
import warnings
import weakref
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from hashlib import blake2b
from typing import TYPE_CHECKING, Any, Final, final

from ...basics.wording import brief
from ...errors import BudgetWarning, ExpressionError

if TYPE_CHECKING:
    import sympy

    from .count import Count

CONST, PI, SYMBOL, NEG, POW, ADD, SUB, MUL, DIV, ATAN2 = range(10)
FIRST_FUNCTION: Final = 10
MAX_NUMBER_BITS: Final = 14_000  # Python's default limit on decimal text, 4,300 digits
LAST_LEAF: Final = SYMBOL  # op <= LAST_LEAF: no operands
FIRST_BINARY: Final = ADD  # FIRST_BINARY <= op < FIRST_FUNCTION: two operands


class Expr:
    """Exact scalar expression, a node of the graph. `==` compares structure; it is not a proof.

    >>> from equamo.algebra.expr import parse
    >>> x = parse("m*s**2*sin(q)**2 + m*s**2*cos(q)**2")
    >>> print(x.closed_form())
    m*s**2
    """

    __slots__ = ("__weakref__", "a", "b", "h", "op")

    op: int  # kind of the node
    a: Any  # the table at the top of this file says what a and b hold
    b: Any  # second operand
    h: int  # structural hash: depends on the node alone, not on when or where it was built

    def __new__(cls) -> Expr:
        raise TypeError("Expr() cannot be called; use symbol(), parse() and arithmetic.")

    # -- contents ----------------------------------------------------------------------------------
    @property
    def args(self) -> tuple[Expr, ...]:
        """Operands, left to right (empty for numbers and symbols)."""
        op = self.op
        if op <= LAST_LEAF:
            return ()
        if FIRST_BINARY <= op < FIRST_FUNCTION:
            return (self.a, self.b)
        return (self.a,)

    @property
    def name(self) -> str:
        """Name of a symbol; names of internal symbols contain a backquote, users' names cannot."""
        if self.op != SYMBOL:
            raise AttributeError(f"only a symbol has a name, {brief(self)} is not a symbol")
        return self.a if self.b is None else f"{self.b}`{self.a}"

    @property
    def value(self) -> int | Fraction | None:
        """Value of a number, else None."""
        if self.op == CONST:
            return self.a
        if self.op == NEG and self.a.op == CONST:
            return -self.a.a
        return None

    @property
    def is_symbol(self) -> bool:
        """Whether this is a symbol."""
        return self.op == SYMBOL

    def symbols(self) -> tuple[Expr, ...]:
        """Symbols of the expression, sorted by name."""
        from .walk import symbols

        return symbols([self])

    # -- arithmetic --------------------------------------------------------------------------------
    def __add__(self, other: Any) -> Expr:
        b = rules.operand(other)
        return NotImplemented if b is None else rules.add(self, b)

    def __radd__(self, other: Any) -> Expr:
        b = rules.operand(other)
        return NotImplemented if b is None else rules.add(b, self)

    def __sub__(self, other: Any) -> Expr:
        b = rules.operand(other)
        return NotImplemented if b is None else rules.sub(self, b)

    def __rsub__(self, other: Any) -> Expr:
        b = rules.operand(other)
        return NotImplemented if b is None else rules.sub(b, self)

    def __mul__(self, other: Any) -> Expr:
        b = rules.operand(other)
        return NotImplemented if b is None else rules.mul(self, b)

    def __rmul__(self, other: Any) -> Expr:
        b = rules.operand(other)
        return NotImplemented if b is None else rules.mul(b, self)

    def __truediv__(self, other: Any) -> Expr:
        b = rules.operand(other)
        return NotImplemented if b is None else rules.div(self, b)

    def __rtruediv__(self, other: Any) -> Expr:
        b = rules.operand(other)
        return NotImplemented if b is None else rules.div(b, self)

    def __pow__(self, other: Any) -> Expr:
        b = rules.operand(other)
        return NotImplemented if b is None else rules.power(self, b)

    def __rpow__(self, other: Any) -> Expr:
        b = rules.operand(other)
        return NotImplemented if b is None else rules.power(b, self)

    def __neg__(self) -> Expr:
        return rules.neg(self)

    def __pos__(self) -> Expr:
        return self

    def __float__(self) -> float:
        from .evaluate import evaluate_floats

        return evaluate_floats([self], {})[0]

    # -- operations (each in its own file) -----------------------------------------------------------
    def diff(self, x: Expr | str, times: int = 1) -> Expr:
        """Derivative of order `times` with respect to a symbol or the symbol of that name."""
        from ...basics.arguments import whole_number
        from .differentiate import derivative

        e = self
        for _ in range(whole_number("diff: times", times, 0, 1000)):
            e = derivative([e], x)[0]
        return e

    def subs(self, replacements: Mapping[Any, Any]) -> Expr:
        """Replace symbols (by node or name) or whole sub-expressions, all at once."""
        from .substitute import substitute

        return substitute([self], replacements)[0]

    def operations(self) -> Count:
        """Operation count, with shared sub-expressions counted once."""
        from .count import count

        return count([self])

    count = operations

    def closed_form(self, budget: int | None = None) -> Expr:
        """Short readable form within a budget of work (None: a default of a second or two).

        Past the budget: the expression itself, with a BudgetWarning. It prints as t1 = …; t2 = …; …
        """
        from .closed_form.closed_form import DEFAULT_BUDGET, closed_form_or_none

        limit = DEFAULT_BUDGET if budget is None else budget
        form = closed_form_or_none(self, limit)
        if form is None:
            shown = f"{limit:,}" if isinstance(limit, (int, float)) else str(limit)  # pyright: ignore
            warnings.warn(
                f"closed_form: the budget of {shown} is too small for this expression; the shared "
                "form is returned. Pass a larger budget, or keep the shared form.",
                BudgetWarning,
                stacklevel=2,
            )
            return self
        return form

    def sympy(self, simplify: bool = True) -> sympy.Expr:
        """Convert to SymPy: the closed form if it is within the budget, or the expression as it is."""
        from .sympy_bridge import to_sympy

        return to_sympy(self, simplify)

    def latex(self, short: bool = False, width: int | None = None, simplify: bool = True) -> str:
        """LaTeX of the closed form; see `to_latex`, also for its arguments."""
        from .printing.latex import to_latex

        return to_latex(self, short=short, width=width, simplify=simplify)

    def __str__(self) -> str:
        from .printing.text import to_text

        return to_text(self)

    def __repr__(self) -> str:
        from .printing.text import ECHO, to_text

        return to_text(self, limit=ECHO)

    def _brief_(self, limit: int) -> str:
        from .printing.text import to_text

        return to_text(self, limit)

    def _repr_latex_(self) -> str | None:
        from .printing.latex import repr_latex

        return repr_latex(self)

    # -- copying -----------------------------------------------------------------------------------
    def __copy__(self) -> Expr:
        return self

    def __deepcopy__(self, memo: object) -> Expr:
        return self

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        from .store import dump, load_one

        return load_one, (dump([self]),)


@final
class Number(Expr):
    """Node of a rational number; it equals that Python number and has its hash.

    >>> from equamo.algebra.expr import parse
    >>> parse("1/2") == 0.5, {parse("2"): "two"}[2]
    (True, 'two')
    """

    # Only for numbers: all other nodes are compared and hashed by identity, without a Python call.
    __slots__ = ("number_hash",)
    number_hash: int  # cached: hashing a Fraction takes a power modulo a prime

    def __hash__(self) -> int:
        return self.number_hash

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return isinstance(other, (int, float, Fraction)) and self.value == other


# -- the table of nodes ----------------------------------------------------------------------------
class _Ref(weakref.ref[Expr]):
    __slots__ = ("key",)
    key: tuple[Any, ...]


_table: dict[tuple[Any, ...], _Ref] = {}
_lock = threading.RLock()
_new = object.__new__
lookup: Callable[[tuple[Any, ...]], _Ref | None] = _table.get  # hot path of the rules


def _forget(
    ref: _Ref, table: dict[tuple[Any, ...], _Ref] = _table, lock: threading.RLock = _lock
) -> None:
    # Check and delete under a lock: a late callback must not delete a successor's entry.
    with lock:
        if table.get(ref.key) is ref:
            del table[ref.key]


def intern(key: tuple[Any, Any, Any], h: int) -> Expr:
    """Return the node of this key, created if it does not exist; `h` is its structural hash."""
    ref = lookup(key)
    node = ref() if ref is not None else None
    return make(key, h) if node is None else node


def make(key: tuple[Any, Any, Any], h: int) -> Expr:
    """Create the node of a key that a lookup has not found."""
    node = _new(Expr)
    node.op, node.a, node.b = key
    node.h = h
    ref = _Ref(node, _forget)
    ref.key = key
    # Atomic: two threads agree on one node.
    return node if _table.setdefault(key, ref) is ref else _settle(key, ref, node)


def make_negative_number(a: Expr) -> Expr:
    """Create the node −a of a number that a lookup has not found."""
    return _make_number((NEG, a, None), a, hash((NEG, a.h)), -a.a)


def _make_number(key: tuple[Any, Any, Any], a: Any, h: int, value: int | Fraction) -> Expr:
    number = _new(Number)
    number.op, number.a, number.b, number.h = key[0], a, None, h
    number.number_hash = hash(value)
    ref = _Ref(number, _forget)
    ref.key = key
    return _settle(key, ref, number)


def _settle(key: tuple[Any, Any, Any], ref: _Ref, node: Expr) -> Expr:
    """Put a node into the table, or return the node that another thread has put there."""
    while (found := _table.setdefault(key, ref)) is not ref:
        other = found()
        if other is not None:
            return other
        _forget(found)  # dead, but its callback has not run yet
    return node


def table_size() -> int:
    """Number of living nodes."""
    return len(_table)


def digest(text: str) -> int:
    """63-bit hash of a text, the same in every process."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def constant(value: int | Fraction) -> Expr:
    """Node of an exact number, without tolerance or rounding."""
    n, d = value.numerator, value.denominator
    if n.bit_length() > MAX_NUMBER_BITS or d.bit_length() > MAX_NUMBER_BITS:
        raise ExpressionError(
            f"A number must have at most {MAX_NUMBER_BITS} bits, got a longer one."
        )
    if n < 0:
        return rules.neg(constant(-value))
    key = (CONST, n, d)  # hashing the value, a Fraction, would take a power modulo a prime
    ref = lookup(key)
    node = ref() if ref is not None else None
    if node is not None:
        return node
    value = n if d == 1 else value
    # Below every other hash: a constant operand always comes first.
    return _make_number(key, value, digest(f"{value}") - (1 << 65), value)


def symbol(name: str) -> Expr:
    """Symbol of this name; the same name is the same symbol everywhere.

    >>> symbol("q1") is symbol("q1")
    True
    """
    ref = lookup((SYMBOL, name, None))
    node = ref() if ref is not None else None
    return node or intern((SYMBOL, _check_name(name), None), digest(name))


def internal(purpose: str, name: str) -> Expr:
    """Symbol that a derivation invents for a purpose; it never equals a user's symbol.

    >>> internal("rate", "x") is internal("rate", "x"), internal("rate", "x") is symbol("x")
    (True, False)
    """
    return intern((SYMBOL, name, purpose), digest(f"{purpose}`{name}"))


def _check_name(name: object) -> str:
    if not isinstance(name, str) or not name.strip() or len(name) > 1000:
        raise ExpressionError(f"A symbol's name must be non-empty short text, got {brief(name)}.")
    if "`" in name or not name.isprintable():
        raise ExpressionError(
            f"A name must not contain a backquote or a control character, got {brief(name)}."
        )
    if name == "pi":
        raise ExpressionError("'pi' is the number 3.14…, not a symbol; use parse('pi').")
    return str(name)


def symbols(names: str | Iterable[str]) -> tuple[Expr, ...]:
    """Several symbols, from a sequence of names or from text separated by blanks or commas."""
    if isinstance(names, str):
        names = names.replace(",", " ").split()
    return tuple(symbol(n) for n in names)


ZERO: Final = constant(0)
ONE: Final = constant(1)
TWO: Final = constant(2)
HALF: Final = constant(Fraction(1, 2))
PI_NODE: Final = intern((PI, None, None), digest("pi") - (1 << 64))

from . import rules  # noqa: E402  (rules make nodes, nodes do arithmetic by rules)
