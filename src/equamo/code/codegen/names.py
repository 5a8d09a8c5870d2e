"""Names in generated code: readable, injective, and without reserved words.

The same names are used in every language, so that files of two targets can be read side by side:
letters, digits and single underscores, a letter first, at most 63 characters (the significant length in
MATLAB, and in C99 for internal names).
"""

from __future__ import annotations

import re
import sys
import unicodedata
from collections.abc import Callable, Collection, Iterable
from typing import Final, final

from ..ir.program import Program
from .reserved import BESIDE, FILES, is_of_family, is_of_library, is_reserved

LONGEST: Final = 63
ROUTINE: Final = 36  # longest name of a function; with the robot's name before it, LONGEST
FIELD: Final = (
    LONGEST - (LONGEST - 1 - ROUTINE) - len("__size")
)  # of an input or a result: arm_q_size
# Arguments that the robot's own functions have.
ARGUMENTS: Final = ("q", "v", "vdot", "tau", "inputs", "t", "external", "parameters")
# What C for CasADi adds to the name of a function, and CasADi to those of inputs and results.
_QUERIES: Final = ("n_in", "n_out", "name_in", "name_out", "sparsity_in", "sparsity_out", "work")
_SEEDS: Final = ("adj_", "out_", "out_adj_")


def identifier(text: str, longest: int = LONGEST) -> str:
    """Readable identifier for a text; different texts can have the same identifier.

    >>> identifier("left/arm-joint 1"), identifier("3link"), identifier("θ̇1"), identifier("for")
    ('left_arm_joint_1', 'x_3link', 'theta1', 'for_')
    """
    plain = "".join(map(_ascii, unicodedata.normalize("NFKD", text)))
    plain = re.sub(r"_+", "_", plain).strip("_")
    if not plain or plain[0].isdigit():
        plain = f"x_{plain}".rstrip("_")
    if is_of_family(plain):
        plain = f"x_{plain}"
    plain = plain[:longest].rstrip("_")
    return f"{plain}_" if is_reserved(plain) else plain


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
        self,
        taken: Iterable[str] = (),
        fold_case: bool = False,
        longest: int = LONGEST,
        is_refused: Callable[[str], bool] = is_reserved,
        further: Callable[[str], Iterable[str]] = lambda name: (),
    ) -> None:
        self._longest = longest
        self._fold = fold_case  # for file names, since some file systems ignore case
        self._is_refused = is_refused
        self._further = further  # names that a file makes of a name, which must be unused as well
        self._taken = {self._key(x) for x in taken}
        self._next: dict[str, int] = {}

    def _key(self, name: str) -> str:
        return name.casefold() if self._fold else name

    def _takes(self, name: str) -> bool:
        """Whether the name was unused; it is used from now on."""
        made = {self._key(x) for x in (name, *self._further(name))}
        if self._is_refused(name) or not made.isdisjoint(self._taken):
            return False
        self._taken |= made
        return True

    def new(self, text: str) -> str:
        """Unused identifier similar to `text`."""
        wanted = identifier(text, self._longest)
        name, count = wanted, self._next.get(wanted, 2)
        while not self._takes(name):
            name = self._with_suffix(wanted, str(count))
            count += 1
            self._next[wanted] = count
        return name

    def all_new(self, texts: Iterable[str]) -> dict[str, str]:
        """{text: its identifier}; texts that are identifiers already are the first to get theirs."""
        texts = list(dict.fromkeys(texts))
        first = sorted(texts, key=lambda t: identifier(t, self._longest) != t)
        found = {t: self.new(t) for t in first}
        return {t: found[t] for t in texts}

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
            if self._takes(name):
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
    return Names(taken, fold_case, longest).all_new(texts)


def package_name(robot: str) -> str:
    """The first part of every public name of generated C and MATLAB, and of file names.

    >>> package_name("arm 7"), package_name("numpy"), package_name("Stdio"), package_name("con")
    ('arm_7', 'numpy_2', 'Stdio_2', 'con_2')
    """
    # A module or a header of that name would hide the one of the library.
    taken = {*sys.stdlib_module_names, *FILES}
    return Names(taken, fold_case=True, longest=LONGEST - 1 - ROUTINE).new(robot)


def routine_names(
    names: Iterable[str], package: str, fields: Collection[str] = ()
) -> dict[str, str]:
    """{function: its name in generated code}.

    Args:
        names: The functions.
        package: The name of the package.
        fields: Names of inputs and results in generated code.

    >>> routine_names(["gravity", "real", "q_size", "pose_left/hand"], "arm")
    {'gravity': 'gravity', 'real': 'real_2', 'q_size': 'q_size_2', 'pose_left/hand': 'pose_left_hand'}
    """

    def is_refused(name: str) -> bool:
        whole = f"{package}_{name}"
        return is_reserved(name) or is_of_library(whole) or whole in fields

    def further(name: str) -> Iterable[str]:
        return (f"{name}_{query}" for query in _QUERIES)

    taken = {*BESIDE, *(f"{a}_size" for a in (*ARGUMENTS, *fields))}
    # One folder may hold files of all: equal on systems that do not tell A from a is equal.
    return Names(taken, True, ROUTINE, is_refused, further).all_new(names)


def field_names(names: Iterable[str], package: str) -> dict[str, str]:
    """{input or result of a user's function: its name in generated code}.

    >>> field_names(["k", "double", "tau", "arm_real"], "arm")
    {'k': 'k', 'double': 'double_', 'tau': 'tau_2', 'arm_real': 'arm_real_2'}
    """

    def further(name: str) -> Iterable[str]:
        seeds = (f"{seed}{name}" for seed in _SEEDS)
        return (f"{name}_size", f"{package}_{name}_size", *seeds)

    taken = {f"{package}_{x}" for x in ("real", "sign", "default_parameters")}
    taken |= {"default_parameter_values", *ARGUMENTS, *(x for a in ARGUMENTS for x in further(a))}
    return Names(taken, longest=FIELD, further=further).all_new(names)


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
    Any other value is named after the next named value that uses it: `w_fore_z_a`. None has a name that
    is `taken` by the file.
    """

    def __init__(self, program: Program, taken: Iterable[str] = ()) -> None:
        self._program = program
        self._names = Names([*taken, *(x.name for x in (*program.arguments, *program.outputs))])
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
