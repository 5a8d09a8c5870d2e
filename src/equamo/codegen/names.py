"""Names in generated code: readable, injective, and without reserved words.

The same names are used in every language, so that files of two targets can be read side by side:
letters, digits and single underscores, a letter first, at most 63 characters (the significant length in
MATLAB, and in C99 for internal names).
"""

from __future__ import annotations

import keyword
import re
import sys
import unicodedata
from collections.abc import Collection, Iterable
from typing import Final, final

from ..ir.program import Program

LONGEST: Final = 63
ROUTINE: Final = 36  # longest name of a function; with the robot's name before it, LONGEST

_C = """
auto break case char const continue default do double else enum extern float for goto if inline int
long register restrict return short signed sizeof static struct switch typedef union unsigned void
volatile while main errno assert offsetof NULL EOF INFINITY NAN HUGE_VAL DOMAIN SING OVERFLOW UNDERFLOW
TLOSS PLOSS M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2
M_SQRT1_2 MAXFLOAT linux unix printf
"""
_CPP = """
alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class co_await
co_return co_yield compl concept consteval constexpr constinit const_cast decltype delete dynamic_cast
explicit export false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private
protected public reinterpret_cast requires static_assert static_cast template this thread_local throw
true try typeid typename using virtual wchar_t xor xor_eq std Eigen Real Vector Matrix
"""
_MATLAB = """
break case catch classdef continue do else elseif end end_try_catch end_unwind_protect endfor
endfunction endif endparfor endswitch endwhile endclassdef endenumeration endevents endmethods
endproperties endspmd enumeration events for function global if methods otherwise parfor persistent
properties arguments endarguments return spmd switch try until unwind_protect
unwind_protect_cleanup while ans eps i j e Inf inf NaN nan NA pi nargin nargout varargin varargout
error numel zeros ones double single true false mexFunction reshape isempty
"""
_JAVASCRIPT = """
arguments await break case catch class const continue debugger default delete do else enum eval
export extends false finally for function if implements import in instanceof interface let new null
package private protected public return static super switch this throw true try typeof undefined
var void while with yield Math NaN Infinity Number Array Float32Array Float64Array RangeError check_size
default_parameters
"""
_PYTHON = [
    *keyword.kwlist,
    *keyword.softkwlist,
    "np",
    "print",
    "range",
    "len",
    "abs",
    "float",
    "int",
]
# Functions that the generated code calls, and names defined by common microcontroller headers.
_CALLED = """
casadi_arg casadi_res casadi_iw casadi_w casadi_mem casadi_real casadi_int casadi_sign
CASADI_SYMBOL_EXPORT
sin cos tan sqrt exp log tanh fabs abs sign asin acos atan atan2 sinf cosf tanf sqrtf expf logf tanhf
fabsf asinf acosf atanf atan2f B0 B1 F PI HALF_PI TWO_PI EULER DEG_TO_RAD RAD_TO_DEG min max round sq bit
"""
RESERVED: Final = frozenset(
    [*_C.split(), *_CPP.split(), *_MATLAB.split(), *_JAVASCRIPT.split(), *_PYTHON, *_CALLED.split()]
)


def identifier(text: str, longest: int = LONGEST) -> str:
    """Readable identifier for a text; different texts can have the same identifier.

    >>> identifier("left/arm-joint 1"), identifier("3link"), identifier("θ̇1"), identifier("for")
    ('left_arm_joint_1', 'x_3link', 'theta1', 'for_')
    """
    plain = "".join(map(_ascii, unicodedata.normalize("NFKD", text)))
    plain = re.sub(r"_+", "_", plain).strip("_")
    if not plain or plain[0].isdigit():
        plain = f"x_{plain}".rstrip("_")
    plain = plain[:longest].rstrip("_")
    return f"{plain}_" if plain in RESERVED else plain


def _ascii(c: str) -> str:
    if c.isascii():
        return c if c.isalnum() else "_"
    if unicodedata.combining(c):
        return ""  # the dot of q̇
    name = unicodedata.name(c, "").split()
    if name[:1] == ["GREEK"] and "LETTER" in name:
        letter = name[name.index("LETTER") + 1]
        return letter.capitalize() if "CAPITAL" in name else letter.lower()
    return "_"


@final
class Names:
    """Names in use; `new` never returns the same name twice.

    >>> names = Names(taken=["q"])
    >>> names.new("q"), names.new("hip/x"), names.new("hip.x"), names.new("hip_x_2")
    ('q_2', 'hip_x', 'hip_x_2', 'hip_x_2_2')
    """

    def __init__(
        self, taken: Iterable[str] = (), fold_case: bool = False, longest: int = LONGEST
    ) -> None:
        self._longest = longest
        self._fold = fold_case  # for file names, since some file systems ignore case
        self._taken = {self._key(x) for x in taken}
        self._next: dict[str, int] = {}

    def _key(self, name: str) -> str:
        return name.casefold() if self._fold else name

    def new(self, text: str) -> str:
        """Unused identifier similar to `text`."""
        wanted = identifier(text, self._longest)
        name, count = wanted, self._next.get(wanted, 2)
        while self._key(name) in self._taken or name in RESERVED:
            name = self._with_suffix(wanted, str(count))
            count += 1
            self._next[wanted] = count
        self._taken.add(self._key(name))
        return name

    def _with_suffix(self, name: str, suffix: str) -> str:
        stem = name.rstrip("_")[: self._longest - 1 - len(suffix)].rstrip("_")
        return f"{stem}_{suffix}"

    def part(self, whole: str) -> str:
        """Name of an intermediate from which `whole` is computed: `w_fore_z_a`, `w_fore_z_b` …

        >>> names = Names()
        >>> names.part("w_fore_z"), names.part("w_fore_z")
        ('w_fore_z_a', 'w_fore_z_b')
        """
        wanted = identifier(whole, self._longest)
        while True:
            count = self._next.get(f"{wanted} part", 0)
            self._next[f"{wanted} part"] = count + 1
            name = self._with_suffix(wanted, _letters(count))
            if self._key(name) not in self._taken and name not in RESERVED:
                self._taken.add(self._key(name))
                return name


def injective(
    texts: Iterable[str],
    taken: Collection[str] = (),
    fold_case: bool = False,
    longest: int = LONGEST,
) -> dict[str, str]:
    """Distinct identifiers {text: identifier}.

    >>> injective(["joint-1", "joint 1", "joint_1"])
    {'joint-1': 'joint_1_2', 'joint 1': 'joint_1_3', 'joint_1': 'joint_1'}
    """
    texts = list(dict.fromkeys(texts))
    names = Names(taken, fold_case, longest)
    # Texts that are valid identifiers keep their names, whatever comes before them.
    first = sorted(texts, key=lambda t: identifier(t, longest) != t)
    found = {t: names.new(t) for t in first}
    return {t: found[t] for t in texts}


def package_name(robot: str) -> str:
    """The first part of every public name of generated C and MATLAB, and of file names."""
    taken = {*sys.stdlib_module_names, "numpy"}  # a module of that name would shadow them
    return injective([robot], taken, longest=LONGEST - 1 - ROUTINE)[robot]


def routine_names(names: Iterable[str]) -> dict[str, str]:
    """{function: its name in generated code}."""
    # One folder may hold files of all: equal on systems that do not tell A from a is equal.
    return injective(names, fold_case=True, longest=ROUTINE)


def _letters(count: int) -> str:
    """Letters a … z, aa, ab …"""
    text = ""
    count += 1
    while count:
        count, digit = divmod(count - 1, 26)
        text = chr(97 + digit) + text
    return text


@final
class ValueNames:
    """Names of the values of a program, in one function of generated code.

    A value has its name from the derivation; an input that of its symbol; the sine of q1 is `sin_q1`.
    Any other value is named after the next named value that uses it: `w_fore_z_a`.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._names = Names([x.name for x in (*program.arguments, *program.outputs)])
        self._given: dict[int, str] = {}
        self._wanted = _wanted(program)
        self._results = _results(program)
        self._serves = _serves(program, self._wanted, self._results)
        symbols = {i: w for i, w in self._wanted.items() if program.instructions[i].op == "input"}
        for group in (symbols, self._wanted):  # symbols come first, so they keep their names
            for i, text in group.items():
                if i not in self._given:
                    self._given[i] = self._names.new(text)

    def has_name(self, value: int) -> bool:
        """Whether the value has its own name, from the derivation or from its operation."""
        return value in self._wanted

    def __getitem__(self, value: int) -> str:
        if value not in self._given:
            if value in self._results:
                self._given[value] = self._names.new(self._results[value])
            else:
                self._given[value] = self._names.part(self._serves[value])
        return self._given[value]


def _wanted(program: Program) -> dict[int, str]:
    wanted: dict[int, str] = {}
    texts: dict[int, str] = {}  # names of short sums of inputs: sin_q1_plus_q2
    for i, (op, args, leaf) in enumerate(program.instructions):
        if isinstance(leaf, tuple):
            texts[i] = wanted[i] = program.arguments[leaf[0]].symbols[leaf[1]].name
        elif i in program.names and op not in ("constant", "pi", "sincos"):
            texts[i] = wanted[i] = program.names[i].text
        elif op in ("add", "sub") and all(a in texts for a in args):
            join = "plus" if op == "add" else "minus"
            text = f"{texts[args[0]]}_{join}_{texts[args[1]]}"
            if len(text) <= LONGEST // 2:
                texts[i] = text
        elif op == "sincos" and args[0] in texts:
            texts[i] = texts[args[0]]
        elif op in ("sine", "cosine", "sin", "cos") and args[0] in texts:
            text = f"{op[:3]}_{texts[args[0]]}"
            if len(text) <= LONGEST // 2:
                wanted[i] = text
    return wanted


def _results(program: Program) -> dict[int, str]:
    """Names of results: M_0_1 for entry (0, 1) of M."""
    found: dict[int, str] = {}
    for y in program.outputs:
        for k, i in enumerate(y.values):
            index = _index(k, y.shape) or ["value"]
            found.setdefault(i, "_".join([y.name, *map(str, index)]))
    return found


def _serves(program: Program, wanted: dict[int, str], results: dict[int, str]) -> dict[int, str]:
    """For each value, the name of the first named value that needs it."""
    serves = dict(results)
    for i in reversed(range(len(program.instructions))):
        for a in program.instructions[i].args:
            serves[a] = wanted.get(i) or results.get(i) or serves.get(i, program.name)
    return serves


def _index(k: int, shape: tuple[int, ...]) -> list[int]:
    """Row and column of entry k."""
    index: list[int] = []
    for n in reversed(shape):
        k, rest = divmod(k, n)
        index.insert(0, rest)
    return index
