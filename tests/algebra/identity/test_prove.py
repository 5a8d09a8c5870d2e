"""`prove_equal` and `prove_zero`: verdicts, bounds, and cases made to deceive them."""

import random
from fractions import Fraction
from math import prod

import pytest
import sympy

import equamo as eq
from equamo.algebra.expr import Expr, constant, cos, parse, sin, symbol, symbols
from equamo.algebra.expr.matrix import Matrix, identity
from equamo.algebra.expr.vector import Vector
from equamo.algebra.identity import prove_all
from equamo.algebra.identity.proof import Proof, power_of_two
from equamo.algebra.identity.prove import new_seed, seed_bits
from equamo.errors import ExpressionError, ShapeError

pytestmark = pytest.mark.needs("sympy")

EQUAL = [
    ("cos(a)*cos(b) - sin(a)*sin(b)", "cos(a + b)"),
    ("cos(R*(a - b)/L)", "cos(R*a/L)*cos(R*b/L) + sin(R*a/L)*sin(R*b/L)"),
    ("cos(a)", "1 - 2*sin(a/2)**2"),
    ("tan(a + b)", "(tan(a) + tan(b))/(1 - tan(a)*tan(b))"),
    ("tan(a/2)", "sin(a)/(1 + cos(a))"),
    ("cos(a + pi/4)", "(cos(a) - sin(a))/sqrt(2)"),
    ("sin(a + 3*pi/2)", "-cos(a)"),
    ("cos(0.3*a)*2*sin(0.3*a)", "sin(3*a/5)"),
    ("cos(5*a)", "16*cos(a)**5 - 20*cos(a)**3 + 5*cos(a)"),
    ("cos(10**6*x + y)", "cos(10**6*x)*cos(y) - sin(10**6*x)*sin(y)"),
    ("cos(10**200*x)**2", "1 - sin(10**200*x)**2"),
    ("cos(1)**2", "1 - sin(1)**2"),
    ("sqrt(a)**2", "a"),
    ("sqrt(a)*sqrt(a + 1)*sqrt(a)", "a*sqrt(1 + a)"),
    ("sqrt(x**2)", "abs(x)"),
    ("sqrt(4*x**2)", "2*abs(-x)"),
    ("sqrt(x**4)", "x**2"),
    ("sqrt(9*x**6)", "3*abs(x)*x**2"),
    ("abs(x)*abs(x)", "x*x*sign(x)**2"),
    ("sqrt(2*x)", "sqrt(2)*sqrt(x)"),
    ("cos(atan2(y, x))*sqrt(x**2 + y**2)", "x"),
    ("cos(2*atan2(y, x))", "(x**2 - y**2)/(x**2 + y**2)"),
    ("sin(asin(x) + acos(y))", "x*y + sqrt(1 - x**2)*sqrt(1 - y**2)"),
    ("sin(2*atan(x))", "2*x/(1 + x**2)"),
    ("tanh(x*(y + 1))", "tanh(x*y + x)"),
    ("tanh(a - b)", "-tanh(b - a)"),
    ("sign(sin(x)**2 + cos(x)**2 - 1)", "0"),
    ("exp(cos(2*x))", "exp(1 - 2*sin(x)**2)"),
    ("log(sqrt(x)**2)", "log(x)"),
    ("(a**3 - b**3)/(a - b)", "a**2 + a*b + b**2"),
    ("1/(1/a + 1/b)", "a*b/(a + b)"),
    ("0.1 + 0.2", "0.3"),
    ("1/3 + 1/10**30", "(10**30 + 3)/(3*10**30)"),
]


@pytest.mark.parametrize(("a", "b"), EQUAL)
def test_equal(a: str, b: str) -> None:
    proof = eq.prove_equal(a, b)
    assert proof
    assert proof.verdict == "proved"
    assert proof.bound <= 2.0**-100
    assert proof.counterexample is None
    assert str(proof).startswith("proved")


PRIMES = [2**61 - 1, 2**127 - 1, 2**521 - 1, 2**31 - 1, 2305843009213693951, 10**9 + 7]

DIFFERENT = [
    ("(2**61 - 1)*x", "0"),
    ("(2**127 - 1)*x", "0"),
    (f"{prod(PRIMES)}*x", "0"),
    (f"x + {prod(range(1, 400))}*y", "x"),  # a coefficient with all small primes
    ("*".join(f"(x - {i})" for i in range(51)), "0"),  # zero at many small points
    ("*".join(f"(x - {i}/100)*(x + {i}/100)" for i in range(1, 101)), "0"),
    ("cos(a)*(1 + 1/10**12)", "cos(a)"),
    ("cos(a) + cos(b)/10**40", "cos(a)"),
    ("sqrt(x**2)", "x"),
    ("abs(x)", "x"),
    ("sqrt(x**2 + 2*x*y + y**2)", "x + y"),
    ("atan2(y, x)", "atan(y/x)"),
    ("sin(a + pi/4)", "(cos(a) - sin(a))/sqrt(2)"),
    ("cos(10**6*x)", "cos((10**6 + 1)*x)"),
    ("cos(10**6*x)", "1"),
    ("sin(x)", "x"),  # inside and outside are not the same
    ("sin(x)", "x - x**3/6 + x**5/120"),
    ("tanh(x*(y + 1))", "tanh(x*y - x)"),
    ("tanh(x)", "x"),
    ("sign(x)", "1"),
    ("exp(x + y)", "exp(x) + exp(y)"),
    ("sqrt(x)*sqrt(y)", "-sqrt(x*y)"),
    ("sqrt(5 + 2*sqrt(6))", "sqrt(2) - sqrt(3)"),
    ("pi", "22/7"),
    ("pi", "3141592653589793238462643383279502884197/10**39"),
    ("cos(1)", "0.5403"),
    ("cos(pi/7)", "9/10"),
    ("1/x", "x"),
    ("1", "0"),
    ("sqrt(exp(x))", "5"),
]


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different(a: str, b: str) -> None:
    for seed in range(3):
        proof = eq.prove_equal(a, b, seed=seed)
        assert not proof
        assert proof.verdict == "refuted"
        assert proof.bound == 1.0
        assert proof.difference != 0
        assert proof.counterexample is not None
        assert proof.counterexample.keys() == {s.name for s in parse(f"({a}) - ({b})").symbols()}
        assert str(proof).startswith("refuted")


# True, or without meaning: whatever is said, it is not "refuted".
TRUE_BUT_HARD = [
    ("sqrt(a)*sqrt(b)", "sqrt(a*b)"),
    ("sqrt(5 + 2*sqrt(6))", "sqrt(2) + sqrt(3)"),
    ("sqrt(1009*1013)", "sqrt(1009)*sqrt(1013)"),
    ("exp(x + y)", "exp(x)*exp(y)"),
    ("tanh(2*x)", "2*tanh(x)/(1 + tanh(x)**2)"),
    ("log(exp(x))", "x"),
    ("sqrt(x**4)", "x**2"),
    ("sqrt(x**2*y)", "abs(x)*sqrt(y)"),
    ("abs(x*y)", "abs(x)*abs(y)"),
    ("asin(x) + acos(x)", "pi/2"),
    ("cos(pi/5)", "(1 + sqrt(5))/4"),
    ("cos(a + pi/3)", "cos(a)/2 - sqrt(3)/2*sin(a)"),
    ("2*cos(pi/8)**2 - 1", "sqrt(2)/2"),
    ("sign((z + x**2/10**200) - z)", "sign(x)**2"),
    ("sqrt(x**4) - x**2 + ((z + x/10**200) - z)", "x/10**200"),
]
NOWHERE_DEFINED = [
    ("sqrt(-1 - x**2)", "x"),
    ("sqrt(-4)*y", "1"),
    ("1/(sin(x)**2 + cos(x)**2 - 1)", "5"),
    ("x/(abs(y) - sqrt(y**2))", "1"),
    ("tan(pi/2)", "x"),
    ("sin(atan2(0, 0))", "x"),
    ("log(-exp(x))", "0"),
    ("asin(2 + x**2)", "1"),
]


@pytest.mark.parametrize(("a", "b"), TRUE_BUT_HARD)
def test_true_but_hard(a: str, b: str) -> None:
    for seed in range(3):
        assert eq.prove_equal(a, b, seed=seed).verdict != "refuted"


@pytest.mark.parametrize(("a", "b"), NOWHERE_DEFINED)
def test_nowhere_defined(a: str, b: str) -> None:
    proof = eq.prove_equal(a, b)
    assert proof.verdict == "undecided"
    assert proof.reason
    assert str(proof) == f"undecided: {proof.reason}"


# Equal wherever both sides, as they are written, are defined. Where one is not, nothing is refuted.
RESTRICTED = [
    ("sqrt(x)**2", "abs(x)"),
    ("abs(x)", "x**0.5*x**0.5"),
    ("sqrt(x)*sqrt(x)", "abs(x)"),
    ("x + log(x) - log(x)", "abs(x)"),
    ("x + 0*log(x)", "abs(x)"),
    ("x*sqrt(x)**0", "abs(x)"),
    ("x + 0/sqrt(x)", "abs(x)"),
    ("x*(log(x)/log(x))", "abs(x)"),
    ("x*log(x)/log(x)", "abs(x)"),
    ("log(x)*(x/log(x))", "abs(x)"),
    ("x*acos(x)**3/acos(x)**3", "acos(cos(x))*sign(x)"),
    ("sqrt(x)**-2*x**2", "abs(x)"),
    ("x**(-1/2)*x**(3/2)", "abs(x)"),
    ("sign(sqrt(x) - 1)*0 + x", "abs(x)"),
    ("sign(log(x))**2*abs(x)", "sign(log(x))**2*x"),
    ("atan2(0*log(x), 1) + x", "abs(x)"),
    ("abs(asin(x)/asin(x))*sqrt((1 - x**2)**2)", "1 - x**2"),
]


@pytest.mark.parametrize(("a", "b"), RESTRICTED)
def test_no_state_outside_of_the_domain_refutes(a: str, b: str) -> None:
    for seed in range(3):
        assert eq.prove_equal(a, b, seed=seed).verdict != "refuted"
        assert eq.prove_zero(f"{a} - ({b})", seed=seed).verdict != "refuted"
        assert eq.prove_equal([a, "y"], [b, "y"], seed=seed).verdict != "refuted"


@pytest.mark.parametrize(("a", "b"), RESTRICTED)
def test_a_state_inside_of_the_domain_still_refutes(a: str, b: str) -> None:
    proof = eq.prove_equal(a, f"{b} + x/10**20")
    assert proof.verdict == "refuted"
    assert proof.counterexample is not None


def test_an_undefined_argument_is_not_a_number() -> None:
    """Arb's atan2(nan, x) is the finite ball ±π, and this was refuted at x = −9.458."""
    assert eq.prove_equal("cos(atan2(sqrt(1 - x**2), x))", "x")
    for text in ("sign(sqrt(x)) + abs(sign(log(x)))", "abs(atan2(sqrt(x), x))", "tanh(1/log(x))"):
        proof = eq.prove_equal(text, "3")
        assert proof.counterexample is not None
        assert proof.counterexample["x"] > 0


def test_the_domain_of_a_text_is_its_own() -> None:
    """The two texts make the same nodes; the condition of the first does not reach the second."""
    assert eq.prove_equal("sqrt(x)**2", "abs(x)").verdict == "undecided"
    assert eq.prove_equal("x", "abs(x)").verdict == "refuted"
    both = eq.prove_equal(["sqrt(x)**2", "x"], ["abs(x)", "abs(x)"])
    assert (both.verdict, both.entry) == ("refuted", 1)


def test_an_expression_is_what_it_prints() -> None:
    e = parse("sqrt(x)**2")
    assert str(e) == "x"
    assert eq.prove_equal(e, "abs(x)").verdict == "refuted"


def test_the_domain_of_a_sympy_expression() -> None:
    x = sympy.Symbol("x")
    square = sympy.Pow(sympy.sqrt(x), 2, evaluate=False)
    assert eq.prove_equal(square, sympy.Abs(x)).verdict == "undecided"
    assert eq.prove_equal(x, sympy.Abs(x)).verdict == "refuted"


# -- unit quaternions ------------------------------------------------------------------------------
Q = symbols("qw qx qy qz")


def rotation(w: Expr, x: Expr, y: Expr, z: Expr) -> Matrix:
    return Matrix([
        [w**2 + x**2 - y**2 - z**2, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w**2 - x**2 + y**2 - z**2, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w**2 - x**2 - y**2 + z**2],
    ])  # fmt: skip


def test_the_rotation_of_a_unit_quaternion_is_orthonormal() -> None:
    R = rotation(*Q)
    assert eq.prove_equal(R @ R.T, identity(3), unit=[Q])
    free = eq.prove_equal(R @ R.T, identity(3))
    assert free.verdict == "refuted"
    assert free.entry in (0, 4, 8)


def test_a_counterexample_is_a_unit_quaternion_too() -> None:
    proof = eq.prove_equal("qw**2 + qx**2 + qy**2", "1", unit=[["qw", "qx", "qy", "qz"]])
    assert proof.verdict == "refuted"
    assert proof.counterexample is not None
    seen = sum(Fraction(proof.counterexample[n]) ** 2 for n in ("qw", "qx", "qy"))
    assert seen <= 1
    assert not eq.prove_zero("qw", unit=[Q])
    assert not eq.prove_equal("qw*qx", "qy*qz", unit=[Q])


def test_two_quaternions() -> None:
    P = symbols("pw px py pz")
    A, B = rotation(*Q), rotation(*P)
    w = Q[0] * P[0] - Q[1] * P[1] - Q[2] * P[2] - Q[3] * P[3]
    v = Vector(Q[1:]) * P[0] + Vector(P[1:]) * Q[0] + Vector(Q[1:]).cross(Vector(P[1:]))
    assert eq.prove_equal(A @ B, rotation(w, *v))
    assert eq.prove_equal((A @ B).T @ A @ B, identity(3), unit=[Q, P])
    assert not eq.prove_equal((A @ B).T @ A @ B, identity(3), unit=[Q])


# -- large -----------------------------------------------------------------------------------------
def turn(axis: int, q: Expr) -> Matrix:
    c, s = cos(q), sin(q)
    rows = [[constant(0)] * 3 for _ in range(3)]
    i, j = (axis + 1) % 3, (axis + 2) % 3
    rows[axis][axis] = constant(1)
    rows[i][i], rows[i][j], rows[j][i], rows[j][j] = c, -s, s, c
    return Matrix(rows)


def test_sixty_nested_rotations() -> None:
    A = identity(3)
    for i in range(60):
        A = A @ turn(i % 3, symbol(f"q{i}"))
    proof = eq.prove_equal(A @ A.T, identity(3))
    assert proof
    assert proof.bound <= 2.0**-100
    wrong = A.subs({"q59": symbol("q59") + Fraction(1, 10**12)})
    assert eq.prove_equal(A, wrong).verdict == "refuted"


def ltdl_residual(n: int, change: Fraction = Fraction(0)) -> list[Expr]:
    """M x − r for the solution x of M x = r by LᵀDL of a dense symmetric M ([RBDA] section 6.5)."""
    M = [[symbol(f"a{min(i, j)}_{max(i, j)}") for j in range(n)] for i in range(n)]
    W = [row[:] for row in M]
    for k in reversed(range(n)):
        for i in reversed(range(k)):
            a = W[k][i] / W[k][k]
            for j in range(i + 1):
                W[i][j] = W[i][j] - a * W[k][j]
            W[k][i] = a * (1 + change)
    r = [symbol(f"r{i}") for i in range(n)]
    x = r[:]
    for i in reversed(range(n)):
        for j in range(i):
            x[j] = x[j] - W[i][j] * x[i]
    for i in range(n):
        x[i] = x[i] / W[i][i]
        for j in range(i):
            x[i] = x[i] - W[i][j] * x[j]
    return [sum((M[i][j] * x[j] for j in range(n)), constant(0)) - r[i] for i in range(n)]


def test_a_dense_solve_by_ltdl() -> None:
    proof = eq.prove_zero(ltdl_residual(30))
    assert proof
    assert proof.bound <= 2.0**-100
    assert eq.prove_zero(ltdl_residual(6, Fraction(1, 10**12))).verdict == "refuted"


# -- what can be asked -----------------------------------------------------------------------------
def test_scalars_vectors_matrices_and_lists() -> None:
    x = symbol("x")
    assert eq.prove_zero(Vector(["x - x", "sin(x)**2 + cos(x)**2 - 1"]))
    assert eq.prove_equal([x, 2 * x], [x, x + x])
    assert eq.prove_equal(Matrix([["2*x"]]), Matrix([[x + x]]))
    assert eq.prove_equal(0.1, Fraction(1, 10))
    proof = eq.prove_equal(Vector(["x", "y", "x*y"]), Vector(["x", "y", "x*y + y"]))
    assert proof.entry == 2
    assert "entry [2], difference" in str(proof)
    named = [Vector([0, x], ["q1", "q2"]) for x in (0, "x")]
    assert "entry [q2], difference" in str(eq.prove_equal(*named))
    matrices = [Matrix([[0, x]], ["a"], ["q1", "q2"]) for x in (0, "x")]
    assert "entry [a, q2], difference" in str(eq.prove_equal(*matrices))
    assert "entry [a, q2], difference" in str(eq.prove_zero(matrices[1]))
    assert "entry 1, difference" in str(eq.prove_zero([0, "x"]))  # a list has no names


def test_one_node_needs_no_trial() -> None:
    proof = eq.prove_equal("x + y", "y + x")
    assert (proof.bound, proof.trials, str(proof)) == (0.0, 0, "proved: the same expression")
    assert eq.prove_zero([])


def test_groups_share_their_points() -> None:
    x, y = symbols("x y")
    groups = [[sin(x) ** 2 + cos(x) ** 2 - 1], [x - y, x - x], [], [x - x]]
    proofs = prove_all(groups)
    assert [p.verdict for p in proofs] == ["proved", "refuted", "proved", "proved"]
    assert proofs[1].entry == 0


def test_a_bound_of_ones_own() -> None:
    proof = eq.prove_equal("sin(2*x)", "2*sin(x)*cos(x)", error_bits=1000)
    assert proof.bound_bits is not None
    assert proof.bound_bits <= -1000
    for wrong in (0, -5):
        with pytest.raises(ExpressionError, match="at least 1"):
            eq.prove_equal("x", "y", error_bits=wrong)
    with pytest.raises(ExpressionError, match="error_bits must be a whole number, got '100'"):
        eq.prove_equal("x", "y", error_bits="100")  # type: ignore[arg-type]  # pyright: ignore


@pytest.mark.parametrize("bits", [0, 1, 60, 128, 20_000])
def test_a_bound_is_not_below_what_the_seed_allows(bits: int) -> None:
    """2ⁿ seeds cannot make an error less likely than 2⁻ⁿ; the generator holds 19,937 bits."""
    for seed in (1 << bits, (1 << bits + 1) - 1, -(1 << bits)):
        assert seed_bits(seed) == min(bits, 19_937)
        proof = eq.prove_equal("sin(2*x)", "2*sin(x)*cos(x)", error_bits=200, seed=seed)
        assert proof.bound_bits is not None
        assert proof.bound_bits >= -bits
    assert eq.prove_equal("sin(2*x)", "2*sin(x)*cos(x)", error_bits=200).bound <= 2.0**-200
    assert eq.prove_equal("x", "x", seed=0).bound == 0  # exact: no random numbers
    assert seed_bits(0) == 0


@pytest.mark.parametrize("error_bits", [1, 100, 300, 5000])
def test_new_seeds_are_long_enough(error_bits: int) -> None:
    assert seed_bits(new_seed(error_bits)) >= max(128, error_bits + 28)
    assert len({new_seed(error_bits) for _ in range(5)}) == 5


A, B, C = (f"sin(x/{10**4000 + k})" for k in (1, 3, 5))
LIMITS = [
    ("cos(qw)**2*x", "x - x*sin(qw)**2", "component of a unit vector must not be an angle"),
    (f"{A}*({B} + {C})", f"{A}*{B} + {A}*{C}", "common denominator of at most 14000 bits"),
]


@pytest.mark.parametrize(("a", "b", "reason"), LIMITS)
def test_what_no_point_can_be_drawn_for_is_undecided(a: str, b: str, reason: str) -> None:
    unit = [("qw", "qx")]
    proof = eq.prove_equal(a, b, unit=unit)
    assert proof.verdict == "undecided"
    assert reason in proof.reason
    assert eq.prove_equal(a, f"3 + {b}", unit=unit).verdict == "refuted"  # at a real state
    one, gap = parse("sin(y)**2 + cos(y)**2 - 1"), parse(f"{a} - ({b})")
    proofs = prove_all([[one], [gap], [one, gap]], unit=unit)
    assert [p.verdict for p in proofs] == ["proved", "undecided", "undecided"]


def test_several_trials_are_honest() -> None:
    """√(a²·d) = a·√d holds for a > 0 only: however many trials, it is not proved."""
    for seed in range(8):
        proof = eq.prove_equal("sqrt(a**2*d)", "a*sqrt(d)", error_bits=125, seed=seed)
        assert proof.verdict == "refuted"
        assert proof.counterexample is not None
        assert proof.counterexample["a"] < 0


def test_without_a_seed_the_system_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """No generator with a short state stands between the bound and the random bits."""
    asked: list[int] = []

    def urandom(n: int) -> bytes:
        asked.append(n)
        return bytes((37 * len(asked) + 11 * k) % 256 for k in range(n))

    monkeypatch.setattr(random, "_urandom", urandom)
    assert eq.prove_equal("sin(2*x)", "2*sin(x)*cos(x)")
    assert sum(asked) > 16 * 64  # the bases of the test of a prime, at least


RESOURCES = [
    "sin((((((2*x+y-y)**200+y-y)**200+y-y)**200+y-y)**200+y-y)**200+y-y)",  # a number of 10¹¹ bits
    "sqrt(-4)*x + sqrt(a) + sqrt(b) + sqrt(c) + sqrt(d) + sqrt(e)",
    "tan(" * 2000 + "x" + ")" * 2000,
    "sqrt(" * 3000 + "x" + ")" * 3000,
    "sqrt(1 + " * 3000 + "x" + ")" * 3000,
    "tan(1/(1 + " * 500 + "x" + "))" * 500,
]


@pytest.mark.parametrize("text", RESOURCES, ids=lambda t: t[:12])
def test_large_expressions_are_answered(text: str) -> None:
    proof = eq.prove_zero(text)
    assert proof.verdict in ("refuted", "undecided")
    assert proof.reason or proof.counterexample


def test_the_same_seed_gives_the_same_proof() -> None:
    a, b = (eq.prove_equal("sin(x)", "cos(x)", seed=3) for _ in range(2))
    assert a == b
    assert a.counterexample == b.counterexample


def test_shapes_must_fit() -> None:
    for other in (Vector([1, 2, 3]), Matrix([[1, 2]]), "x"):
        with pytest.raises(ShapeError, match="must have the same shape, got"):
            eq.prove_equal(Vector([1, 2]), other)


SHAPES = [
    "x", ["x"], [["x"]], [], [[]], [[], []], ["x", "x"], [["x", "x"]], [["x"], ["x"]], [["x"], "x"],
    ["x", ["x"]], [["x", "x"], ["x"]], [["x"], ["x", "x"]], [[["x"], ["x"]]], ["x"] * 4,
    [["x", "x"], ["x", "x"]], ["x", "x", ["x", "x"]], Vector([]), Matrix([]),
]  # fmt: skip


@pytest.mark.parametrize("i", range(len(SHAPES)))
def test_only_one_shape_is_compared(i: int) -> None:
    for j, other in enumerate(SHAPES):
        if i == j or {i, j} == {SHAPES.index([]), SHAPES.index(Vector([]))}:
            assert eq.prove_equal(SHAPES[i], other)
        else:
            with pytest.raises(ShapeError, match="must have the same shape, got"):
                eq.prove_equal(SHAPES[i], other)


def test_a_list_has_the_shape_of_a_vector_or_matrix() -> None:
    assert eq.prove_equal(Vector(["x", "y"]), ["x", "y"])
    rows = [["x", "y"], ["1", "2"]]
    for same in (rows, [Vector(r) for r in rows], tuple(rows)):
        assert eq.prove_equal(Matrix(rows), same)
    assert eq.prove_equal(Matrix(rows), [["x", "1"], ["y", "2"]]).verdict == "refuted"
    for wrong in (["x", "y", "1", "2"], [["x", "y", "1", "2"]], Vector(["x", "y", "1", "2"])):
        with pytest.raises(ShapeError, match=r"same shape, got \(2, 2\) and"):
            eq.prove_equal(Matrix(rows), wrong)


def test_huge_degrees_print() -> None:
    proof = Proof("proved", -100.5, 1 << 1500, 1, 2203)
    assert str(proof) == "proved: error ≤ 2⁻¹⁰⁰ (degree 2¹⁵⁰¹, 1 trial, 2203-bit prime)"


@pytest.mark.parametrize(
    ("bits", "text"), [(-100.5, "2⁻¹⁰⁰"), (-100, "2⁻¹⁰⁰"), (-99.2, "2⁻⁹⁹"), (12.1, "2¹³")]
)
def test_powers_of_two_are_rounded_to_the_weaker_side(bits: float, text: str) -> None:
    assert power_of_two(bits) == text
