"""Derivatives: forward mode (many outputs, one symbol), reverse mode (one output), and in time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from ...basics.wording import brief
from ...errors import ExpressionError
from .functions import TABLE
from .graph import ADD, ATAN2, DIV, MUL, NEG, ONE, POW, SUB, SYMBOL, ZERO, Expr, constant, symbol
from .rules import add, div, mul, neg, power, signed_product, signed_sum, sub
from .walk import depends, walk


def as_symbol(x: Expr | str) -> Expr:
    """Return the symbol, or the symbol of that name; raise ExpressionError for other expressions."""
    node = symbol(x) if isinstance(x, str) else x
    if not isinstance(node, Expr) or node.op != SYMBOL:  # pyright: ignore
        raise ExpressionError(
            f"The variable of differentiation must be a symbol, got {brief(node)}."
        )
    return node


class _Slopes:
    """ẋ of nodes: values without sign, and the nodes whose value has a minus sign."""

    __slots__ = ("_minus", "_value")

    def __init__(self, value: dict[Expr, Expr], minus: set[Expr]) -> None:
        self._value, self._minus = value, minus

    def __getitem__(self, n: Expr) -> Expr:
        d = self._value.get(n, ZERO)
        return neg(d) if n in self._minus else d


def _forward(order: Iterable[Expr], seeds: Mapping[Expr, Expr]) -> _Slopes:
    """ẋ of every node of the walk that depends on a seed, for given ẋ of the seeds; without zeros."""
    dot: dict[Expr, Expr] = {}
    minus: set[Expr] = set()  # signs are kept apart from the nodes: most are removed again
    for s, d in seeds.items():
        if d is not ZERO:
            dot[s] = d.a if d.op == NEG else d
            if d.op == NEG:
                minus.add(s)
    get: Callable[[Expr], Expr | None] = dot.get
    for n in order:
        op = n.op
        if op <= SYMBOL or n in seeds:
            continue
        a = n.a
        da = get(a)
        d: Expr | None = None
        negative = False
        if op == MUL:  # (ab)˙ = ȧ b + a ḃ
            b = n.b
            db = get(b)
            if da is not None:
                d, negative = signed_product(da, b)
                if a in minus:
                    negative = not negative
            if db is not None:
                e, other = signed_product(a, db)
                if b in minus:
                    other = not other
                d, negative = (e, other) if d is None else signed_sum(d, negative, e, other)
        elif op == ADD or op == SUB:  # noqa: SIM109
            db = get(n.b)
            if da is not None:
                d, negative = da, a in minus
            if db is not None:
                other = (n.b in minus) != (op == SUB)
                d, negative = (db, other) if d is None else signed_sum(d, negative, db, other)
        elif op == NEG:
            d, negative = da, a not in minus
        else:
            d = _other_slope(n, _signed(da, a in minus), op, get, minus)
            if d is not None and d.op == NEG:
                d, negative = d.a, True
        if d is not None and d is not ZERO:
            dot[n] = d
            if negative:
                minus.add(n)
    return _Slopes(dot, minus)


def _signed(d: Expr | None, minus: bool) -> Expr | None:
    return neg(d) if d is not None and minus else d


def _other_slope(
    n: Expr, da: Expr | None, op: int, get: Callable[[Expr], Expr | None], minus: set[Expr]
) -> Expr | None:
    """ṅ of a quotient, an arc tangent, a power or a function, for ȧ of its first operand."""
    if op == DIV:  # (a/b)˙ = (ȧ − (a/b) ḃ)/b
        db = _signed(get(n.b), n.b in minus)
        top = da
        if db is not None:
            e = mul(n, db)
            top = neg(e) if top is None else sub(top, e)
        return None if top is None else div(top, n.b)
    if op == ATAN2:  # atan2(y, x)˙ = (x ẏ − y ẋ)/(x² + y²)
        db = _signed(get(n.b), n.b in minus)
        if da is None and db is None:
            return None
        top = sub(mul(n.b, da or ZERO), mul(n.a, db or ZERO))
        return div(top, add(mul(n.a, n.a), mul(n.b, n.b)))
    return None if da is None else mul(_slope(n), da)


def _slope(n: Expr) -> Expr:
    """f'(x) of a node f(x), or n·xⁿ⁻¹ of a power."""
    if n.op == POW:
        return mul(constant(n.b), power(n.a, constant(n.b - 1)))
    return TABLE[n.op].derivative(n.a)


def directional(outputs: Iterable[Expr], seeds: Mapping[Expr, Expr]) -> list[Expr]:
    """Directional derivatives Σ ∂y/∂s · ṡ of every output y, for seeds {s: ṡ}, in one walk.

    >>> from equamo.algebra.expr import parse
    >>> q, dq = symbol("q"), symbol("dq")
    >>> directional([parse("sin(q)*q")], {q: dq})[0].closed_form()
    dq*(q*cos(q) + sin(q))
    """
    roots = list(outputs)
    dot = _forward(walk(roots), seeds)
    return [dot[y] for y in roots]


def derivative(outputs: Iterable[Expr], x: Expr | str) -> list[Expr]:
    """Derivative ∂y/∂x of every output y.

    >>> from equamo.algebra.expr import parse
    >>> derivative([parse("x**3"), parse("sin(2*x)")], "x")
    [3*x**2, 2*cos(2*x)]
    """
    return directional(outputs, {as_symbol(x): ONE})


def jacobian(outputs: Iterable[Expr], xs: Sequence[Expr | str]) -> list[list[Expr]]:
    """Jacobian ∂y/∂x, one row per output y and one column per symbol x."""
    return directional_columns(outputs, [{as_symbol(x): ONE} for x in xs])


def directional_columns(
    outputs: Iterable[Expr], directions: Sequence[Mapping[Expr, Expr]]
) -> list[list[Expr]]:
    """Directional derivatives of every output (row) for several seeds {s: ṡ} (columns).

    >>> from equamo.algebra.expr import parse
    >>> x, y = symbol("x"), symbol("y")
    >>> directional_columns([parse("x*y")], [{x: ONE}, {x: y, y: ONE}])
    [[y, x + y**2]]
    """
    roots = list(outputs)
    order = walk(roots)
    seeded = list(dict.fromkeys(s for seeds in directions for s in seeds))
    bit = {s: 1 << i for i, s in enumerate(seeded)}
    mask = depends(order, seeded)
    columns: list[_Slopes] = []
    for seeds in directions:
        own = sum(bit[s] for s in seeds)
        part = [n for n in order if mask[n] & own]  # only nodes that depend on a seed
        columns.append(_forward(part, seeds))
    return [[column[y] for column in columns] for y in roots]


def hessian(gradient: Sequence[Expr], xs: Sequence[Expr | str]) -> list[list[Expr]]:
    """Second derivatives ∂²y/∂x² from the gradient of y; the upper triangle mirrors the lower one.

    Column k needs the entries of the gradient from k on; nodes needed only by earlier entries are not
    differentiated: in a tree, the momenta of joints closer to the tips depend on fewer speeds.

    >>> from equamo.algebra.expr import parse
    >>> hessian(gradient(parse("x**2 + x*y + y**3"), ["x", "y"]), ["x", "y"])
    [[2, 1], [1, 6*y]]
    """
    symbols = [as_symbol(x) for x in xs]
    order = walk(gradient)
    mask = depends(order, symbols)
    order = [n for n in order if mask[n]]
    last: dict[Expr, int] = {}  # the last entry of the gradient that contains a node
    for k, y in enumerate(gradient):
        last[y] = k
    for n in reversed(order):
        k = last[n]
        for x in n.args:
            if last.get(x, -1) < k:
                last[x] = k
    n = len(symbols)
    rows: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    needed = [(y, last[y], mask[y]) for y in order]
    for k, x in enumerate(symbols):
        own = 1 << k
        needed = [row for row in needed if row[1] >= k]
        dot = _forward([y for y, _, m in needed if m & own], {x: ONE})
        for j in range(k, n):
            rows[j][k] = rows[k][j] = dot[gradient[j]]
    return rows


def gradient(output: Expr, xs: Sequence[Expr | str]) -> list[Expr]:
    """Gradient ∂y/∂x of one output with respect to many symbols, in one backward pass.

    >>> from equamo.algebra.expr import parse
    >>> gradient(parse("x*y + y**2"), ["x", "y"])
    [y, x + 2*y]
    """
    return pullback([(output, ONE)], xs)


def pullback(weighted: Iterable[tuple[Expr, Expr]], xs: Sequence[Expr | str]) -> list[Expr]:
    """Weighted sum of gradients Σ w ∂y/∂x of outputs and their weights (y, w), in one backward pass.

    The weights may contain the symbols xs; they are not differentiated.

    >>> from equamo.algebra.expr import parse
    >>> x, y = symbol("x"), symbol("y")
    >>> pullback([(parse("x*y"), x), (parse("x + y"), y)], [x, y])
    [x*y + y, x**2 + y]
    """
    symbols = [as_symbol(x) for x in xs]
    bar: dict[Expr, Expr] = {}
    for y, w in weighted:
        bar[y] = add(bar[y], w) if y in bar else w
    order = walk(bar)
    mask = depends(order, symbols)

    def send(n: Expr, e: Expr) -> None:
        if mask[n]:
            old = bar.get(n)
            bar[n] = e if old is None else add(old, e)

    for n in reversed(order):
        y = bar.get(n)
        op = n.op
        if y is None or y is ZERO or op <= SYMBOL or not mask[n]:
            continue
        a = n.a
        if op == MUL:
            send(a, mul(y, n.b))
            send(n.b, mul(y, a))
        elif op == ADD:
            send(a, y)
            send(n.b, y)
        elif op == SUB:
            send(a, y)
            send(n.b, neg(y))
        elif op == NEG:
            send(a, neg(y))
        elif op == DIV:
            e = div(y, n.b)
            send(a, e)
            send(n.b, neg(mul(n, e)))
        elif op == ATAN2:
            e = div(y, add(mul(a, a), mul(n.b, n.b)))
            send(a, mul(n.b, e))
            send(n.b, neg(mul(a, e)))
        else:
            send(a, mul(y, _slope(n)))
    return [bar.get(x, ZERO) for x in symbols]


def time_derivative(
    outputs: Iterable[Expr],
    q: Sequence[Expr],
    q_dot: Sequence[Expr],
    v: Sequence[Expr] = (),
    v_dot: Sequence[Expr] = (),
) -> list[Expr]:
    """Time derivative of every output, a function of q and v, for given q̇ and v̇."""
    seeds = dict(zip(q, q_dot, strict=True)) | dict(zip(v, v_dot, strict=True))
    return directional(outputs, seeds)
