r"""300 lines of LaTeX are read, written and read again; 100 that have two readings are refused.

The value of each line is computed beside it, without the reader: by hand for the first lines, and
together with the text for random ones.
"""

import math
import re
from itertools import pairwise
from random import Random

import pytest

from equamo.errors import ParseError
from equamo.review.claims.latex_reader import read_latex
from equamo.review.claims.latex_writer import name_latex, written
from equamo.review.claims.syntax import Node, same

VALUES = {
    "m_1": 1.3, "m_2": 0.7, "L_1": 0.9, "Lc2": 0.4, "q1": 0.6, "q_2": -0.8, "dq1": 1.1, "dq_2": 0.3,
    "ddq1": 0.2, "theta": 0.5, "dtheta": 1.7, "g": 9.81, "a": 2.5, "b": 1.5, "c": 0.25, "x": 3.5,
    "MX_b": 0.45, "mass": 2.25, "sbar_1": 0.35, "f": 1.25, "d": 0.55,
}  # fmt: skip
KNOWN = tuple(VALUES)
V = {k.replace("_", ""): x for k, x in VALUES.items()}
sin, cos = math.sin, math.cos

# Lines and their values, worked out by hand.
LINES: list[tuple[str, float]] = [
    (r"2", 2),
    (r"0.5", 0.5),
    (r"-a^2", -(2.5**2)),
    (r"(-a)^2", 2.5**2),
    (r"a - -b", math.nan),
    (r"-a + b", -1),
    (r"-a b", -3.75),
    (r"--a", 2.5),
    (r"a - (b - c)", 1.25),
    (r"a - b - c", 0.75),
    (r"a(b + c)", 2.5 * 1.75),
    (r"(a)(b)", 3.75),
    (r"2ab", 7.5),
    (r"a b c", 0.9375),
    (r"a {b} c", 0.9375),
    (r"a {b c}", 0.9375),
    (r"{a + b}", 4),
    (r"a^{b + c}", 2.5**1.75),
    (r"a^{-1}", 0.4),
    (r"a^2 b", 9.375),
    (r"{a}^2 b", 9.375),
    (r"a/b", 2.5 / 1.5),
    (r"a b/c", 15),
    (r"a/b^2", 2.5 / 2.25),
    (r"a/(b c)", 2.5 / 0.375),
    (r"\frac{a}{b} c", 2.5 / 1.5 * 0.25),
    (r"\frac{a}{b}^2", (2.5 / 1.5) ** 2),
    (r"\frac a b", 2.5 / 1.5),
    (r"\frac12 a", 1.25),
    (r"\frac{1}{2}\frac{a}{b}", 2.5 / 3),
    (r"2\frac{a}{3}", 5 / 3),
    (r"\frac{\frac{a}{b}}{c}", 2.5 / 1.5 / 0.25),
    (r"\frac{a}{\frac{b}{c}}", 2.5 * 0.25 / 1.5),
    (r"a \cdot b", 3.75),
    (r"2 \cdot 3", 6),
    (r"a b \cdot c", 0.9375),
    (r"a \times b", 3.75),
    (r"2 \times 10^{3}", 2000),
    (r"a * b", 3.75),
    (r"a × b", 3.75),
    (r"a · b", 3.75),
    (r"a − b", 1),
    (r"\sqrt{a + b}", 2),
    (r"\sqrt a b", math.sqrt(2.5) * 1.5),
    (r"\sqrt{a}^2", 2.5),
    (r"\sqrt{4}", 2),
    (r"\sin\theta", sin(0.5)),
    (r"\sin(\theta)", sin(0.5)),
    (r"\sin{\theta}", sin(0.5)),
    (r"\sin\left(\theta\right)", sin(0.5)),
    (r"\sin 2\theta", sin(1)),
    (r"\sin{2\theta}", sin(1)),
    (r"\sin^2\theta", sin(0.5) ** 2),
    (r"\sin^{2}(\theta)", sin(0.5) ** 2),
    (r"(\sin\theta)^2", sin(0.5) ** 2),
    (r"\sin(\theta^2)", sin(0.25)),
    (r"\sin(q_1 + q_2)", sin(-0.2)),
    (r"\cos q_1 + q_2", cos(0.6) - 0.8),
    (r"\cos q_1 \dot{q}_2", cos(0.6) * 0.3),
    (r"\cos q_1 (a + b)", cos(0.6) * 4),
    (r"\cos q_1 \sin q_2", cos(0.6) * sin(-0.8)),
    (r"\sin a \cos b", sin(2.5) * cos(1.5)),
    (r"\sin\frac{a}{b}", sin(2.5 / 1.5)),
    (r"\sin(a)/b", sin(2.5) / 1.5),
    (r"\sin(a) b", sin(2.5) * 1.5),
    (r"a \sin b + c", 2.5 * sin(1.5) + 0.25),
    (r"\ln a", math.log(2.5)),
    (r"\exp(-a)", math.exp(-2.5)),
    (r"\arctan\frac{a}{b}", math.atan(2.5 / 1.5)),
    (r"\operatorname{atan2}(a, b)", math.atan2(2.5, 1.5)),
    (r"\mathrm{sin}(a)", sin(2.5)),
    (r"\operatorname{cos} b", cos(1.5)),
    (r"\text{sin}\,\theta", sin(0.5)),
    (r"\dot{q}_1^2", 1.21),
    (r"\dot{q_1}^2", 1.21),
    (r"\dot q_1 \dot q_2", 0.33),
    (r"\ddot{q}_1", 0.2),
    (r"\dot\theta^2", 1.7**2),
    (r"q_{1 }", 0.6),
    (r"q_{1}q_2", -0.48),
    (r"L_{c2}^2", 0.16),
    (r"L_{c_2}", 0.4),
    (r"\mathbf{M}\mathbf{X}_b", 0.45),
    (r"\mathit{mass} g", 2.25 * 9.81),
    (r"\bar{s}_1", 0.35),
    (r"\bar{s_1} + 1", 1.35),
    (r"m_1gL_1", 1.3 * 9.81 * 0.9),
    (r"\frac{d}{2}", 0.275),
    (r"d q_1", 0.33),
    (r"\pi", math.pi),
    (r"\frac{\pi}{2} - \theta", math.pi / 2 - 0.5),
    (r"\{a + b\}[a - b]", 4),
    (r"\left[a + b\right]^2", 16),
    (r"a \left\{ b + c \right\}", 2.5 * 1.75),
    (r"x^{2}\,a^{0}", 12.25),
    (r"a,", 2.5),
    (r"a + b \quad (3)", 4),
    (r"a + b \tag{3}", 4),
    (r"\underbrace{a + b}_{4} c", 1),
    (r"\sum_{i=1}^{2} m_i", 2),
    (r"\sum_{i=1}^{2} i m_i + c", 1.3 + 1.4 + 0.25),
    (r"m_2 2 L_1", 0.7 * 2 * 0.9),
]  # fmt: skip
LINES = [x for x in LINES if not math.isnan(x[1])]


class Lines:
    """Random formulas as they are printed, each with its value."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def line(self) -> tuple[str, float]:
        return self.sum(3)

    def sum(self, depth: int) -> tuple[str, float]:
        text, value = self.product(depth)
        if self.random.random() < 0.2:
            text, value = f"-{text}", -value
        for _ in range(self.random.randrange(3)):
            more, x = self.product(depth)
            sign = self.random.choice("+-")
            text, value = f"{text} {sign} {more}", value + (x if sign == "+" else -x)
        return text, value

    def product(self, depth: int) -> tuple[str, float]:
        number = self.random.choice(("", "", "2", "3", "0.5"))
        parts = [(number, float(number))] if number else []
        parts += [self.factor(depth) for _ in range(self.random.randrange(1, 4))]
        for (left, _), (right, _) in pairwise(parts):  # \sin a b has two readings
            if re.search(r"\\(sin|cos) \S+$", left) and not right.startswith(("\\sin", "\\left")):
                return self.product(depth)
        joint = self.random.choice((" ", r" \cdot ", r"\,", " * "))
        if joint == r"\," and any(re.match(r"\d", text) for text, _ in parts[1:]):
            joint = " * "
        return joint.join(text for text, _ in parts), math.prod(x for _, x in parts)

    def factor(self, depth: int) -> tuple[str, float]:
        kind = self.random.randrange(9 if depth else 3)
        name = self.random.choice(KNOWN)
        if kind < 2:
            return self.name(name), VALUES[name]
        if kind == 2:
            k = self.random.randrange(2, 4)
            exponent = self.random.choice((f"^{k}", f"^{{{k}}}"))
            return f"{self.name(name)}{exponent}", VALUES[name] ** k
        if kind == 3:
            inside, x = self.sum(depth - 1)
            return rf"\left({inside}\right)", x
        if kind == 4:
            (a, x), (b, y) = self.sum(depth - 1), self.product(depth - 1)
            return rf"\frac{{{a}}}{{{b}}}", x / y if y else math.nan
        if kind == 5:
            inside, x = self.sum(depth - 1)
            if " " not in inside:  # m (x)^2 has two readings
                return self.factor(depth)
            return rf"\left({inside}\right)^2", x**2
        function = self.random.choice((sin, cos))
        command = rf"\{function.__name__}"
        if kind == 6:
            inside, x = self.sum(depth - 1)
            return rf"{command}\left({inside}\right)", function(x)
        if kind == 7:
            return rf"{command} {self.name(name)}", function(VALUES[name])
        inside, x = self.sum(depth - 1)
        return rf"\sqrt{{\left({inside}\right)^{{2}}}}", abs(x)

    def name(self, name: str) -> str:
        """One of the ways to print a name."""
        for dots in ("dd", "d"):
            rest = name.removeprefix(dots)
            if rest != name and rest in ("q1", "q_2", "theta"):
                letters, below = name_latex(rest).partition("_")[::2]
                dot = "ddot" if dots == "dd" else "dot"
                text = rf"\{dot}{{{letters}}}"
                return f"{text}_{below}" if below else text
        text = name_latex(name)
        return text.replace("{2}", "2") if self.random.random() < 0.5 and "c" not in text else text


def random_lines(count: int) -> list[tuple[str, float]]:
    source, lines = Lines(35), list[tuple[str, float]]()
    while len(lines) < count:
        text, value = source.line()
        if math.isfinite(value) and abs(value) < 1e6 and len(text) < 300:
            lines.append((text, value))
    return lines


def number(node: Node) -> float:
    """Value of a tree, computed without the package."""
    if node.kind == "number":
        return float(node.value)
    if node.kind == "name":
        return math.pi if node.value == "pi" else VALUES[node.value]
    a, *rest = map(number, node.children)
    b = rest[0] if rest else math.nan
    if node.kind == "call":
        if node.value == "atan2":
            return math.atan2(a, b)
        return getattr(math, node.value)(a)
    operations = {
        "+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "/": lambda: a / b,
        "**": lambda: a**b, "negative": lambda: -a, "dot": lambda: a * b, "cross": lambda: a * b,
    }  # fmt: skip
    return operations[node.kind]()


RANDOM = random_lines(320 - len(LINES))


def test_there_are_300_lines_and_100_ambiguous_ones() -> None:
    assert len({text for text, _ in LINES + RANDOM}) >= 300
    assert len(set(AMBIGUOUS)) >= 100


@pytest.mark.parametrize("lines", [LINES, RANDOM], ids=["by hand", "random"])
def test_what_is_read_has_its_value_and_is_written_as_it_was_read(
    lines: list[tuple[str, float]],
) -> None:
    for text, expected in lines:
        tree = read_latex(text, KNOWN).tree
        assert number(tree) == pytest.approx(expected, rel=1e-9, abs=1e-9), text
        again = written(tree)
        back = read_latex(again, KNOWN)
        assert same(back.sides, (tree,)), f"{text} was written as {again}"
        assert written(back.tree) == again


@pytest.mark.parametrize(
    "text",
    [
        r"[a \ b \ c]^T \times [a \ 0 \ 0]^T = a [1 \ 0 \ 0]^T",
        r"\begin{bmatrix} a & b \\ c & d \end{bmatrix}^{\mathsf{T}} \begin{matrix} a \\ b \end{matrix}",
        r"\frac{d}{dt}(a b) = \frac{\mathrm{d}(a b)}{\mathrm{d}t}",
        r"\frac{\partial (a^2 b)}{\partial a} - \frac{\partial^2 x}{\partial a \partial b}",
        r"[a \ b \ c]^T \cdot ([a \ b \ c]^T \times [c \ b \ a]^T) - \operatorname{sign}(x)",
        r"a - (-b) - (b + c) - (b - c) + (a \cdot b) \cdot c + a \cdot (b \cdot c) + (a/b) c + (2)",
        r"(a^{b})^{c} + a^{b^{c}} + (a b)^2 + (\frac{a}{b})^2 + (2)^3 + \sqrt{a}^{-1.25}",
    ],
)  # fmt: skip
def test_vectors_derivatives_and_nested_operations_are_written_as_they_were_read(text: str) -> None:
    source = read_latex(text, KNOWN)
    again = read_latex(" = ".join(map(written, source.sides)), KNOWN)
    assert same(again.sides, source.sides)


AMBIGUOUS = [
    # sums in braces that are not printed
    r"{a + b} c", r"c {a + b}", r"c - {a + b}", r"-{a + b}", r"{L_1 + L_{c2}} m_2", r"{a + b}^2",
    r"{a b}^2",
    r"{-a}^2", r"c {-a}", r"{a^2}^3", r"{a/b} c", r"\cos{q_1 + q_2}", r"\cos{q_1 q_2}",
    r"\sin{-a + b}",
    r"\frac{a}{b}{c + d}", r"a {b - c} d", r"\sqrt{a}{b + c}", r"\sin{a}/b", r"{a - b} \times c",
    r"\cos{q_1} q_2", r"\sin^2{a + b}", r"({a + b} c)", r"\frac{{a + b} c}{d}",
    # arguments without braces
    r"\frac ab", r"\frac mg L_1", r"\frac a bc", r"\frac{a}bc", r"\sqrt ab", r"\sqrt 12",
    r"\frac123",
    r"\frac a b_1", r"\frac{m}L_1", r"\sqrt q_1", r"\dot ab", r"\ddot qx", r"\bar ab",
    r"\mathbf ab",
    r"x^12", r"x^123", r"q_12", r"m_21",
    # arguments of functions
    r"\sin 2(q_1 + q_2)", r"\sin 2\cos a", r"\sin 2 \cdot a", r"\sin 2 [a]", r"\cos q_1 q_2",
    r"\sin a b",
    r"\ln a b", r"\sin^2 a b", r"\sin a 2", r"\sin a/b", r"\sin 2a b", r"\cos\theta a",
    r"\sin a \frac{b}{c}",
    r"\sin a \sqrt{b}", r"\sin a^2", r"\sin(a)^2", r"\sin\theta^2", r"\sin^{-1} a", r"\cos^{-1}(a)",
    r"\tan^{-2} a",
    r"\sin 2/3", r"\sin a {b}", r"\exp a b", r"\sin a \pi",
    # quotients
    r"a/b c", r"a/b/c", r"1/2 a", r"1/2(a + b)", r"a/b \cdot c", r"a/b * c", r"a/b \times c",
    r"a/(b) c",
    r"a b/c d", r"a/\sin(b) c", r"1/a b", r"2/3/4",
    # numbers
    r"9\,810", r"2 3", r"1 000 000", r"9.81 2", r"0,5", r"9{,}810", r"2\frac{1}{2}", r"1.2.3",
    r"1.5e-3", r"2E+4", r"a + 1.5e-3",
    r"x 2", r"2\,a + 9\;81",
    # accents, primes and fonts
    r"\bar a", r"\hat m_2", r"\bar{m}_2", r"\vec{L}_1", r"\tilde{q}_1", r"\dot{\bar{q}}_1", r"a'",
    r"a''", r"q_1'",
    r"\mathcal{L}_1 + L_1", r"\mathbf{a} a", r"\mathrm{d} a", r"\mathrm{d}q_1",
    # powers, products and functions that look alike
    r"a^2^3", r"a^{2}^{3}", r"a^2'", r"a^{(2)}", r"a \times b \times c", r"x(a)", r"a(2)",
    r"f(x)", r"u(a + b)", r"x(a)^2", r"x(a)^T", r"x^2(a)", r"x \left(a\right)^2", r"u^2(a + b)",
    r"\dot x(a)^2", r"\frac{d a}{d b}", r"\frac{d}{d x} a",
    r"\frac{\mathrm{d} a}{\mathrm{d} b}",
    r"\frac{d}{dt} a b", r"\frac{\partial}{\partial a} a b", r"gsina", r"acosb",
]  # fmt: skip


def test_what_has_two_readings_is_refused_with_both() -> None:
    for text in AMBIGUOUS:
        with pytest.raises(ParseError) as caught:
            read_latex(text, KNOWN)
        words = r"is ambiguous; it may be read as (.+) or as (.+)\. Write"
        found = re.search(words, str(caught.value))
        assert found, f"{text}: {caught.value}"
        assert found[1] != found[2], text
        assert 0 <= caught.value.position <= len(text)
