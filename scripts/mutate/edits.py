"""The edits that make an error: an operator, a condition, a constant, an order, a dropped statement."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator
from itertools import pairwise
from typing import NamedTuple

from .source_text import SourceText

OPERATORS: dict[type[ast.AST], tuple[str, str]] = {  # how it is written, what it becomes
    ast.Add: ("+", "-"), ast.Sub: ("-", "+"), ast.Mult: ("*", "/"), ast.Div: ("/", "*"),
    ast.FloorDiv: ("//", "*"), ast.Mod: ("%", "*"), ast.Pow: ("**", "*"),
    ast.LShift: ("<<", ">>"), ast.RShift: (">>", "<<"),
    ast.BitOr: ("|", "&"), ast.BitAnd: ("&", "|"), ast.BitXor: ("^", "&"),
    ast.Eq: ("==", "!="), ast.NotEq: ("!=", "=="), ast.Lt: ("<", "<="), ast.LtE: ("<=", "<"),
    ast.Gt: (">", ">="), ast.GtE: (">=", ">"), ast.Is: ("is", "is not"), ast.IsNot: ("is not", "is"),
    ast.In: ("in", "not in"), ast.NotIn: ("not in", "in"), ast.And: ("and", "or"), ast.Or: ("or", "and"),
}  # fmt: skip
# Arguments that no result depends on, or only when the program is wrong already.
UNSEEN_KEYWORDS = {"strict", "stacklevel", "encoding", "maxsize", "__doc__"}
LARGE = 100  # budgets and sizes, which are round numbers: one more or less is as good
# Calls with a type among their arguments, and the arguments that are not one.
WITH_TYPES = {
    "cast": slice(1, None), "isinstance": slice(1), "issubclass": slice(0), "TypeVar": slice(0),
}  # fmt: skip
ORDERED = {*WITH_TYPES, "hasattr", "getattr", "setattr"}  # any other order is a TypeError
# Calls that give the same result in another order: `module.name`, and the arguments k for which k and
# k + 1 may change places.
EVERY = range(9)
SYMMETRIC = {
    "max": EVERY, "min": EVERY, "math.gcd": EVERY, "math.lcm": EVERY, "math.hypot": EVERY,
    "np.maximum": EVERY, "np.minimum": EVERY, "np.fmax": EVERY, "np.array_equal": EVERY,
    # expressions: a sum or a product orders its operands by their hashes
    "rules.add": EVERY, "rules.mul": EVERY, "rules.signed_product": EVERY,
    "rules.sum_of_products": (0,), "rules.difference_of_products": (0, 2),
    "vector.dot": EVERY, "planar_loop.dot2": EVERY,
    "accumulate.plus_dot": (1,), "accumulate.minus_dot": (1,),
    # polynomials: the order of their terms has no meaning
    "trigonometry.total": EVERY, "trigonometry.product": EVERY, "polynomial._product": EVERY,
    # all(…) of any number of expressions
    "geometry.is_constant": EVERY,
}  # fmt: skip


class Edit(NamedTuple):
    """The bytes from `start` to `end` become `after`."""

    kind: str
    start: int
    end: int
    after: str


class Finder:
    """Walks a module and yields the edits, with the rules of what is left alone."""

    def __init__(self, text: SourceText, module: str = "") -> None:
        self.text, self.module = text, module
        self.origins: dict[str, str] = {}  # of functions: name here → module.name
        self.parameters: list[str] = []
        self.assigned: set[str] = set()
        self.depth = 0  # of functions

    def edits(self, tree: ast.Module) -> Iterator[Edit]:
        self.origins = _origins(tree, self.module)
        for statement in tree.body:
            yield from self.statement(statement)

    # -- statements --------------------------------------------------------------------------------
    def statement(self, node: ast.stmt) -> Iterator[Edit]:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Assert() | ast.Global() | ast.Nonlocal():
                return
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from self.function(node)
                return
            case ast.ClassDef():
                for inner in node.body:
                    yield from self.statement(inner)
                return
            case ast.Expr(value=ast.Constant()):
                return  # a docstring, or `...`
            case ast.If(test=test) if _for_tools_only(test):
                return
            case ast.Assign(targets=[ast.Name(id=name)]) if name.startswith("__"):
                return
            case ast.Raise() | ast.Expr(value=ast.Call()) if _is_message(node):
                yield self.drop(node)
                return
            case ast.AnnAssign():
                if node.value is not None:
                    yield from self.expression(node.value)
                return
            case _:
                pass
        if self.can_drop(node):
            yield self.drop(node)
        yield from self.own_edits(node)
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                yield from self.statement(child)
            else:
                yield from self.parts(child)
        if isinstance(node, ast.Assign):
            self.assigned |= {t.id for t in node.targets if isinstance(t, ast.Name)}

    def parts(self, node: ast.AST) -> Iterator[Edit]:
        """Edits of anything: an expression, or what holds expressions and statements."""
        if isinstance(node, ast.expr):
            yield from self.expression(node)
        elif not isinstance(node, ast.pattern):
            for child in ast.iter_child_nodes(node):
                is_statement = isinstance(child, ast.stmt)
                yield from self.statement(child) if is_statement else self.parts(child)

    def function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Edit]:
        if any(isinstance(d, ast.Name) and d.id == "overload" for d in node.decorator_list):
            return
        for default in [*node.args.defaults, *node.args.kw_defaults]:
            if default is not None:
                yield from self.expression(default)
        arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
        outer = self.parameters, self.assigned
        self.parameters = [a.arg for a in arguments if a.arg not in ("self", "cls")]
        self.assigned = set(self.parameters)
        self.depth += 1
        for inner in node.body:
            yield from self.statement(inner)
        self.depth -= 1
        self.parameters, self.assigned = outer

    def can_drop(self, node: ast.stmt) -> bool:
        """Whether the module can work without a statement: else any import would fail."""
        match node:
            case ast.Expr(value=ast.Call()) | ast.AugAssign() | ast.Raise() | ast.Delete():
                return True
            case ast.Continue() | ast.Break():
                return True
            case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
                return True
            case ast.Assign(targets=[ast.Name(id=name)]):
                return name in self.assigned
            case _:
                return False

    def drop(self, node: ast.stmt) -> Edit:
        return Edit("dropped statement", *self.text.span(node), "pass")

    def own_edits(self, node: ast.stmt) -> Iterator[Edit]:
        match node:
            case ast.AugAssign() if type(node.op) in OPERATORS and not _is_text(node.value):
                written, other = (f"{sign}=" for sign in OPERATORS[type(node.op)])
                place = self.between(node.target, node.value, written)
                yield Edit("operator", *place, other)
            case ast.Return(value=ast.Name(id=name)) if name in self.parameters:
                for each in self.parameters:
                    if each != name:
                        yield Edit("other argument", *self.text.span(node), f"return {each}")
            case ast.If(test=test) | ast.While(test=test):
                yield self.negate(test)
            case _:
                return

    # -- expressions -------------------------------------------------------------------------------
    def expression(self, node: ast.expr) -> Iterator[Edit]:
        match node:
            case ast.JoinedStr():
                return  # text; and its places are wrong before Python 3.12
            case ast.BinOp():
                yield from self.binary(node)
            case ast.Compare():
                ends = [node.left, *node.comparators]
                for op, (left, right) in zip(node.ops, pairwise(ends), strict=True):
                    yield self.swap("comparison", op, left, right)
            case ast.BoolOp():
                for left, right in pairwise(node.values):
                    yield self.swap("and, or", node.op, left, right)
            case ast.UnaryOp(op=ast.USub() | ast.Not() as op):
                sign = "-" if isinstance(op, ast.USub) else "not"
                start = self.text.span(node)[0]
                yield Edit(f"dropped {sign}", start, start + len(sign), " ")
            case ast.IfExp(test=test):
                yield self.negate(test)
            case ast.Constant(value=value):
                yield from self.constant(node, value)
            case ast.Call():
                yield from self.call(node)
                return
            case ast.Lambda():
                yield from self.expression(node.body)
                return
            case _:
                pass
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.comprehension):
                yield from (self.negate(test) for test in child.ifs)
            yield from self.parts(child)

    def binary(self, node: ast.BinOp) -> Iterator[Edit]:
        if isinstance(node.op, ast.MatMult):
            left, right = self.text.of(node.left), self.text.of(node.right)
            yield Edit("swapped operands", *self.text.span(node), f"({right}) @ ({left})")
        elif isinstance(node.op, ast.BitOr) and not self.depth:
            return  # a type
        elif not _is_text(node.left) and not _is_text(node.right):
            yield self.swap("operator", node.op, node.left, node.right)

    def call(self, node: ast.Call) -> Iterator[Edit]:
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        yield from self.parts(node.func)
        plain = [a for a in node.args if not isinstance(a, ast.Starred)]
        if len(plain) == len(node.args) >= 2 and name not in ORDERED:
            symmetric = self.symmetric(node)
            for k, (a, b) in enumerate(pairwise(plain)):
                (start, _), (_, end) = self.text.span(a), self.text.span(b)
                if _is_literal(a) or _is_literal(b) or k in symmetric:
                    continue  # a wrong type at once, more than a slip; or the same result
                between = self.text.source[self.text.span(a)[1] : self.text.span(b)[0]].decode()
                if "(" not in between and ")" not in between:
                    after = self.text.of(b) + between + self.text.of(a)
                    yield Edit("swapped arguments", start, end, after)
        for argument in node.args[WITH_TYPES.get(name, slice(None))]:
            yield from self.expression(argument)
        for keyword in node.keywords:
            if keyword.arg not in UNSEEN_KEYWORDS:
                yield from self.expression(keyword.value)

    def symmetric(self, node: ast.Call) -> Collection[int]:
        """Arguments that may change places with the next one; with a key, the first of equals wins."""
        match node.func:
            case ast.Name(id=name):
                full = self.origins.get(name, name)
            case ast.Attribute(value=ast.Name(id=owner), attr=name):
                full = f"{self.module if owner == 'self' else owner}.{name}"
            case _:
                return ()
        return () if any(k.arg == "key" for k in node.keywords) else SYMMETRIC.get(full, ())

    def constant(self, node: ast.Constant, value: object) -> Iterator[Edit]:
        place = self.text.span(node)
        if isinstance(value, bool):
            yield Edit("constant", *place, str(not value))
        elif isinstance(value, int | float) and abs(value) < LARGE:
            for step in (1, -1):
                changed = value + step
                if changed != value:
                    yield Edit("constant", *place, f"{changed}" if changed >= 0 else f"({changed})")

    def swap(self, kind: str, op: ast.AST, left: ast.expr, right: ast.expr) -> Edit:
        written, other = OPERATORS[type(op)]
        return Edit(kind, *self.between(left, right, written), other)

    def between(self, left: ast.expr, right: ast.expr, sign: str) -> tuple[int, int]:
        return self.text.operator(self.text.span(left)[1], self.text.span(right)[0], sign)

    def negate(self, test: ast.expr) -> Edit:
        return Edit("negated condition", *self.text.span(test), f"not ({self.text.of(test)})")


def _origins(tree: ast.Module, module: str) -> dict[str, str]:
    """Where the functions of a module come from: {name: module.name}, of the last part of a module."""
    origins: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            last = (node.module or "").rpartition(".")[2]
            origins |= {a.asname or a.name: f"{last}.{a.name}" for a in node.names}
        elif isinstance(node, ast.FunctionDef):
            origins[node.name] = f"{module}.{node.name}"
    return origins


def _is_literal(node: ast.expr) -> bool:
    return isinstance(
        node, ast.Constant | ast.JoinedStr | ast.Lambda | ast.List | ast.Tuple | ast.Dict
    )


def _is_text(node: ast.expr) -> bool:
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text or isinstance(node, ast.JoinedStr)


def _is_message(node: ast.stmt) -> bool:
    """Whether a statement raises an error or warns."""
    if isinstance(node, ast.Raise):
        return True
    call = node.value if isinstance(node, ast.Expr) else None
    return isinstance(call, ast.Call) and (
        (isinstance(call.func, ast.Name) and call.func.id == "warn")
        or (isinstance(call.func, ast.Attribute) and call.func.attr == "warn")
    )


def _for_tools_only(test: ast.expr) -> bool:
    """Whether a condition holds for type checkers, or for scripts, only."""
    names = {n.id for n in ast.walk(test) if isinstance(n, ast.Name)}
    names |= {n.attr for n in ast.walk(test) if isinstance(n, ast.Attribute)}
    return bool(names & {"TYPE_CHECKING", "__name__"})
