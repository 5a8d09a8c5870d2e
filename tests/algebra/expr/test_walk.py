"""The walk: every node once, operands first."""

from equamo.algebra.expr import parse, sin, symbol, symbols
from equamo.algebra.expr.walk import above, depends, has_at_most, symbols as symbols_of, walk

e = parse("sin(a*b)*a + (a*b)**3/atan2(c, 2) - sqrt(c)")
f = parse("a*b - d")


def test_every_node_once_and_operands_first() -> None:
    order = walk([e, f])
    position = {n: i for i, n in enumerate(order)}
    assert len(position) == len(order)
    assert {e, f} <= position.keys()
    for n in order:
        assert all(position[a] < position[n] for a in n.args)


def test_all_below_and_nothing_else() -> None:
    below = {e}
    while True:
        more = below | {a for n in below for a in n.args}
        if more == below:
            break
        below = more
    assert set(walk([e])) == below
    assert walk([e, e]) == walk([e])
    assert walk([]) == []


def test_a_walk_stops_where_it_is_told() -> None:
    ab = parse("a*b")
    order = walk([e], stop=[ab])
    assert ab not in order
    assert symbol("a") in order  # by another way
    assert symbol("b") not in order
    assert walk([e], stop=[e]) == []


def test_symbols_are_sorted_by_name() -> None:
    assert symbols_of([e, f]) == symbols("a b c d")
    assert symbols_of([parse("2*pi")]) == ()


def test_depends() -> None:
    on = [symbol("a"), symbol("c"), parse("a*b")]
    mask = depends(walk([e, f]), on)
    for n, bits in mask.items():
        for i, x in enumerate(on):
            assert bits >> i & 1 == (x in walk([n]))


def test_above_is_the_part_of_a_walk_that_is_reached() -> None:
    product, sine = parse("a*b"), parse("sin(a*b)")
    for roots in ([e], [e, f], [e, product], [e, sine], [parse("sin(c + sin(a*b))"), sine]):
        order = walk(roots)
        assert above(order, roots, set()) == order
        for stop in ({product}, {sine, parse("c")}, {e}, {n for n in order if n.op == sine.op}):
            below = set(walk(roots, stop=stop))
            reached = below | {n for n in stop if n in roots or any(n in x.args for x in below)}
            assert above(order, roots, stop) == [n for n in order if n in reached]


def test_counting_stops_at_its_limit() -> None:
    nodes = len(walk([e]))
    assert has_at_most(e, nodes)
    assert not has_at_most(e, nodes - 1)
    assert has_at_most(symbol("a"), 1)
    deep = symbol("a")
    for _ in range(3000):
        deep = sin(deep)
    assert not has_at_most(deep, 40)
