"""Python code that cannot be read: each construct is an error with its file and line, never a guess."""

from __future__ import annotations

import pytest

from equamo import FileFormatError, UnknownNameError
from equamo.algebra.expr import symbol
from equamo.review.programs import open_code, read_code
from equamo.review.programs.numpy_language.arrays import Call
from equamo.review.programs.numpy_language.functions import FUNCTIONS
from equamo.review.programs.place import Place
from equamo.review.programs.scalar_functions import NUMPY_ONE, NUMPY_TWO
from foreign_code import read

# {body of f(x, q, n) on line 21: what the error says}
LINES = {
    "if x > 0: return 1": "a comparison depends on the number x",
    "if x: return 1": "a branch depends on",
    "return x if x > 0 else -x": "a comparison depends on the number x",
    "return x and 1": "a branch depends on",
    "if 0.1 + 0.2 == 0.3: return 1": "must differ by more than rounding errors",
    "if 1/2 - 0.5: return 1": "must differ by more than rounding errors",
    "while True: pass": "got a while loop",
    "try: return 1\n    except: return 2": "got try",
    "with x: return 1": "got with",
    "raise ValueError": "got raise",
    "def g(): return 1": "got a nested function",
    "class A: pass": "got a class",
    "global g": "got global",
    "del x": "got del",
    "print(x)": "a call with an unused result",
    "x.y.z()": "a call with an unused result",
    "return (lambda a: a)(x)": "'lambda a: a' is unknown",
    "return [f(a) for a in q]": "the shape of the argument 'q' must be known",
    "return f'{x}'": "got a formatted text",
    "return (y := x)": "got :=",
    "yield x": "expected a supported statement",
    "return await x": "",
    "return 1j": "expected a number, got 1j",
    "return b'a'": "expected a number, got b'a'",
    "return 'text'": "expected a number, got 'text'",
    "return y": "'y' is not defined",
    "y += 1": "'y' is not defined",
    "return gamma(x)": "the function 'gamma' is unknown",
    "return np.linalg.inv(np.eye(2))": "the function 'np.linalg.inv' is unknown",
    "return scipy.sin(x)": "the function 'scipy.sin' is unknown",
    "return np.random.rand()": "the function 'np.random.rand' is unknown",
    "return np.euler": "'np.euler' is unknown",
    "return np.array([x]).max()": "the method 'max' of an array",
    "return np.array([x]).real": "the attribute 'real'",
    "return x.T": "the shape of the argument 'x' must be known",
    "return q @ q": "the shape of the argument 'q' must be known",
    "return len(q)": "the shape of the argument 'q' must be known",
    "return q[1:]": "the shape of the argument 'q' must be known",
    "return q[-1]": "the shape of the argument 'q' must be known",
    "return q[0, 1]": "the shape of the matrix 'q' must be known",
    "return q[0] + q": "must be used in one way",
    "return q + q[0]": "must be used in one way",
    "return q[0] + q.m": "used as an array before and is used as a record here",
    "return q[x]": "expected a known integer",
    "return q[99999]": "is not one of its entries",
    "a, b = q; c, d, e = q": "must have 3 entries",
    "a, b = q; return q[2]": "is not one of its entries",
    "a = q[3]; b, c = q": "must have 2 entries, but 4 are used",
    "a, b = 1, 2, 3": "expected 2 values, got 3",
    "a, *b = [1, 2]": "a starred target cannot be read",
    "a, b = x*2": "expected a sequence",
    "q[0] = 1": "an entry of the argument 'q' must not be assigned",
    "x.y = 1": "expected a variable or an entry of an array",
    "x.y += 1": "expected a variable or an entry of an array",
    "G[0] = 1": "it belongs to the module",
    "G[0] += 1": "it belongs to the module",
    "return TWICE": "'TWICE' of the module must be assigned once",
    "return LATER": "'LATER' of the module must be assigned once",
    "return CHANGED": "'CHANGED' of the module must be assigned once",
    "return GLOBAL": "'GLOBAL' of the module must be assigned once",
    "return ITSELF": "'ITSELF' of the module must be assigned once",
    "return LIST[0]": "a variable of the module must be",
    "return inner(x)": "'inner' of the module must be assigned once",
    "M = np.array([[0, 0], [0, 0]]); M[0, 0] = x": "this array holds integers",
    "M = np.zeros(2, dtype=int); M[0] = x": "this array holds integers",
    "M = np.array([1, 2]); M /= 2": "this array holds integers",
    "return np.array([x], dtype=int)": "NumPy would truncate them",
    "return np.array(q, dtype=int)": "NumPy would truncate",
    "return np.zeros(2, dtype=complex)": "'complex' is not defined",
    "return np.zeros(2, dtype='c16')": "dtype must be a real or an integer type",
    "return np.array([1, 2])**-1": "must not have a negative exponent",
    "M = np.empty(2); return M[0] + 1": "must be assigned before it is read",
    "M = np.zeros((2, 2)); return M[2, 0]": "less than 2, got 2",
    "M = np.zeros((2, 2)); return M[0, 0, 0]": "must have fewer indices",
    "M = np.zeros((2, 2)); return M[[0, 1]]": "an index must be a number or a slice",
    "M = np.zeros((2, 2)); return M[..., 0]": "an index must be a number or a slice",
    "M = np.zeros((2, 2)); M[0] = [1, 2, 3]": "must fit the shape",
    "return np.zeros((2, 2)) + np.zeros(3)": "must fit each other",
    "return np.zeros((2, 2)) @ np.zeros(3)": "must have fitting shapes",
    "return np.zeros((2, 2)) @ 2": "takes arrays, got a number",
    "return np.zeros((2, 2)) // 2": "the operator FloorDiv on arrays",
    "return np.zeros((2, 2, 2))": "at most two axes",
    "return np.zeros(10**7)": "at most 1,000,000 entries",
    "return np.zeros(-1)": "at most 1,000,000 entries",
    "return np.zeros(x)": "expected a known integer",
    "return np.array([[1, 2], [3]])": "must have one shape",
    "return np.array([[[1]]])": "at most 2 axes",
    "return np.zeros(4).reshape(3, 1)": "must keep its size",
    "M = np.zeros((2, 2)).T.ravel(); M[0] = 1": "whether NumPy copies",
    "return np.cross([1, 2], [3, 4])": "two vectors of 3 entries",
    "return np.sum(np.eye(2), axis=0)": "over an axis cannot be read",
    "return np.concatenate([])": "at least one array",
    "return np.concatenate([[1], [2]], axis=1)": "the axis must be one of the first array, got 1",
    "return np.vstack([[1, 2], [3]])": "must have fitting shapes",
    "return np.sin(x, out=x)": "got 1 arguments and out=",
    "return np.sin()": "sin takes 1 arguments here, got 0",
    "return np.arctan2(x)": "takes 2 arguments here, got 1",
    "return helper(x, x, x)": "helper takes 2 arguments, got 3",
    "return helper(x, c=1)": "helper takes no argument 'c'",
    "return helper(b=1)": "helper needs the argument 'a'",
    "return helper(**x)": "** cannot be read",
    "return recurse(x)": "nested at most 60 deep",
    "return decorated(x)": "must have no decorator",
    "return variadic(x)": "fixed number of arguments",
    "return x(1)": "'x' is a value",
    "for a in x*2: pass": "expected a sequence",
    "for a in range(10**7): pass": "at most 1,000,000 numbers",
    "for a in range(0, 5, 0): pass": "must not be 0",
    "for a in range(5000): y = a": "at most 1,000 statements",
    "return [1, 2][5]": "less than 2, got 5",
    "a = [1]; a[3] = 2": "less than 1, got 3",
    "a = [1]; a += [2]": "must not be changed in place",
    "return [1][::0]": "must not be 0",
    "return [0]*10**6": "at most 10,000 items",
    "return {x: 1}": "must be strings",
    "return {'a': 1}['b']": "the dictionary has no key",
    "return 1//0": "divided by 0",
    "return x/0": "has no value: Division by zero",
    "return x//2": "the operator FloorDiv on real numbers",
    "return x % 2": "the operator Mod on real numbers",
    "return 1 << 2": "the operator LShift on these integers",
    "return ~1": "the operator ~ cannot be read",
    "return x**x": "An exponent must be",
    "return 9**9**9": "An exponent must be",
    "return x is q": "the comparison Is cannot be read",
    "return 1e99999*x": "has no value",
    "return 1e-9999999*x": "an exponent of at most 5",
    "return int(x)": "expected a known integer",
    "return not x": "a branch depends on",
    "pass": "f must return a value",
    "return": "f must return a value",
    "return None": "expected a number, got None",
    "return np.newaxis": "expected a number, got None",
    "return 5 +": "this text is not Python",
    "return list(range(3)).sort()": "the method 'sort'",
    "return (x, [1, 2])[1][x]": "expected a known integer",
}  # fmt: skip
HEAD = """import numpy as np
import scipy
G = np.zeros(2)
TWICE = 1
TWICE = 2
for LATER in range(3): pass
CHANGED = np.zeros(2)
CHANGED[0] = 1
GLOBAL = 1
def other(): global GLOBAL; GLOBAL = 2
ITSELF = ITSELF + 1
LIST = [1]
if True:
    def inner(a): return a
def helper(a, b=1): return a
def recurse(a): return recurse(a)
@np.vectorize
def decorated(a): return a
def variadic(*a): return a
def f(x, q, n):
"""
ELSEWHERE = (
    "of the module must be",
    "nested at most",
    "decorator",
    "fixed number",
    "f must return",
)


@pytest.mark.parametrize("line", LINES)
def test_an_error_names_the_line(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("equamo.review.programs.numpy_language.statement.MOST_STEPS", 1000)
    with pytest.raises(FileFormatError) as error:
        read(f"{HEAD}    {line}\n", "numpy", only=["f"])
    message = str(error.value)
    assert LINES[line] in message
    assert message.startswith("text:" if any(t in message for t in ELSEWHERE) else "text:21:")


# {function: least and most arguments}; zip takes any number.
COUNTS = {
    **dict.fromkeys(NUMPY_ONE, (1, 1)),
    **dict.fromkeys(NUMPY_TWO, (2, 2)),
    **dict.fromkeys(("dot", "matmul", "outer", "cross", "full", "max", "min"), (2, 2)),
    **dict.fromkeys(("array", "asarray", "sum", "concatenate"), (1, 2)),
    **dict.fromkeys(("range", "arange"), (1, 3)),
    "reshape": (2, 4),
}
_OTHERS = """zeros ones empty zeros_like ones_like empty_like eye identity diag vstack hstack block copy
    column_stack transpose ravel squeeze trace linalg.norm len float float64 float32 int enumerate list
    tuple"""
COUNTS |= dict.fromkeys(_OTHERS.split(), (1, 1))


def test_every_function_counts_its_arguments() -> None:
    assert COUNTS.keys() == FUNCTIONS.keys() - {"zip"}
    place, x = Place("text", 3), symbol("x")
    for name, (least, most) in COUNTS.items():
        takes = f"{least}" if least == most else f"{least} to {most}"
        for count in {*range(least), most + 1, most + 2}:
            with pytest.raises(FileFormatError) as error:
                FUNCTIONS[name](Call(name, [x] * count, {}, place))
            expected = f"text:3: {name} takes {takes} arguments here, got {count} arguments"
            assert str(error.value).startswith(expected)
        with pytest.raises(FileFormatError, match=f" got {least} arguments and where="):
            FUNCTIONS[name](Call(name, [x] * least, {"where": x}, place))


@pytest.mark.parametrize("text", [
    "def f(:", "\x00", "def f(x):\nreturn x", "def f(x): return x\ndef f(x): return x",
    "def f(x): return " + "("*500 + "x" + ")"*500,
    "def f(x): return " + "-"*5000 + "x",
    "def f(x): return " + "np.sin("*150 + "x" + ")"*150 + "*y",
])  # fmt: skip
def test_a_file_that_cannot_be_read(text: str) -> None:
    with pytest.raises(FileFormatError, match=r"^text"):
        read_code(text, "numpy")


def test_names_of_other_modules_are_not_those_of_numpy() -> None:
    body = "def f(x): return cos(x)"
    assert read(body, "numpy").outputs
    for line in (
        "from mine import *",
        "from mine import cos",
        "import mine as cos",
        "from .mine import cos",
    ):
        with pytest.raises(FileFormatError, match="'cos' is unknown"):
            read(f"{line}\n{body}", "numpy")
    for line in ("from numpy import *", "from math import cos", "from numpy import cos"):
        assert str(read(f"{line}\n{body}", "numpy").outputs[0].entries[()]) == "cos(x)"
    renamed = read("from numpy import sin as cos\n" + body, "numpy")
    assert str(renamed.outputs[0].entries[()]) == "sin(x)"
    for line in ("cos = 3", "class cos: pass", "try:\n    cos\nexcept E as cos:\n    import cos"):
        with pytest.raises(FileFormatError):
            read(f"{line}\n{body}", "numpy")


def test_an_unsupported_function_does_not_hide_the_others() -> None:
    code = open_code("def f(x):\n    return x\ndef main():\n    print('a')\n", "numpy")
    assert code.names == ("f", "main")
    assert code.line("main") == 3
    assert code.read("f").outputs
    with pytest.raises(FileFormatError, match="text:4: "):
        code.read("main")
    with pytest.raises(UnknownNameError, match="Unknown function 'mian'"):
        code.read("mian")


@pytest.mark.parametrize(
    ("limit", "most", "inside", "beyond", "problem"),
    [
        ("statement.MOST_STEPS", 3, "y = x; y = x", "y = x; y = x; y = x",
         "a function must run at most 3 statements"),
        ("file.DEEPEST", 2, "y = g(x) + g(x)", "y = h(x)", "calls must be nested at most 2 deep"),
        ("values.DEEPEST", 2, "y = np.array([[x]])", "y = np.array([[[x]]])",
         "an array must have at most 2 axes"),
    ],
)  # fmt: skip
def test_limits_are_inclusive(
    limit: str, most: int, inside: str, beyond: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"equamo.review.programs.numpy_language.{limit}", most)
    head = "import numpy as np\ndef g(a): return a\ndef h(a): return g(a)\n"
    text = f"{head}def f(x):\n    {inside}\n    return x\n"
    assert str(read(text, "numpy", only=["f"]).outputs[0].entries[()]) == "x"
    with pytest.raises(FileFormatError, match=rf"^text:[2356]: {problem}\.$"):
        read(text.replace(inside, beyond), "numpy", only=["f"])
