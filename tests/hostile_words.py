"""Words that a compiler, an interpreter or our own templates use, asked of these themselves."""

from __future__ import annotations

import builtins
import json
import keyword
import math
import re
import subprocess
from functools import cache

import numpy as np

from equamo.code.codegen.generate import package_of
from equamo.code.codegen.targets import TARGETS, target
from generated_code import equations, package

# Headers that generated code includes, and others that people include before ours.
HEADERS = (
    "math", "stdio", "stdlib", "string", "stdint", "inttypes", "limits", "float", "errno", "assert",
    "complex", "ctype", "fenv", "locale", "setjmp", "stdarg", "stdbool", "stddef", "time", "wchar",
    "wctype",
)  # fmt: skip
# C23, C++23 with its alternative tokens, and JavaScript: no program here lists them.
_KEYWORDS = """
 alignas alignof auto bool break case char const constexpr continue default do double else enum
extern false float for goto if inline int long nullptr register restrict return short signed sizeof
static static_assert struct switch thread_local true typedef typeof typeof_unqual union unsigned
void volatile while and and_eq asm bitand bitor catch char16_t char32_t char8_t class co_await
co_return co_yield compl concept consteval constinit const_cast decltype delete dynamic_cast
explicit export friend mutable namespace new noexcept not not_eq operator or or_eq private protected
public reinterpret_cast requires static_cast template this throw try typeid typename using virtual
wchar_t xor xor_eq final override await debugger eval arguments finally function implements import
in instanceof interface let null package super typeof undefined var with yield constructor prototype
__proto__ then async of get set from as target classdef elseif end global otherwise parfor
persistent spmd methods properties events enumeration ans
"""
KEYWORDS = _KEYWORDS.split()
# Names that differ only before they are made identifiers, by case, or after 31 or 63 characters.
ALIKE = ("L1", "l1", "rr_arm_real", "RR_ARM_H", "t12", "x_1", "a__b", "a_b", "a_b_", "θ", "theta", "q_1",
         "Θ", "Theta", "x" * 80, "x" * 79 + "y", "f_work", "f", "f_n_in", "adj_f", "out_f", "jac_f",
         "Selftest", "tau_2", "ß", "naïve", "日本")  # fmt: skip


def _output(*command: str, given: str = "") -> str:
    done = subprocess.run(
        command, input=given, capture_output=True, text=True, timeout=100, check=True
    )
    return done.stdout


def macros(*headers: str) -> set[str]:
    """Macros that are defined behind the headers, but for those that begin with an underscore."""
    text = "".join(f"#include <{h}.h>\n" for h in headers)
    lines = _output("gcc", "-dM", "-E", "-x", "c", "-", given=text).splitlines()
    names = {re.split(r"[ (]", line)[1] for line in lines}
    return {n for n in names if not n.startswith("_")}


def declared(*headers: str) -> set[str]:
    """Identifiers that occur in the headers."""
    text = "".join(f"#include <{h}.h>\n" for h in headers)
    found = _output("gcc", "-E", "-P", "-x", "c", "-", given=text)
    return set(re.findall(r"\b[A-Za-z]\w*", found))


def octave() -> set[str]:
    """Keywords and functions of Octave."""
    code = "w = [iskeyword()(:); __list_functions__()(:); __builtins__()(:)]; printf('%s\\n', w{:})"
    words = _output("octave-cli", "--norc", "--eval", code).split()
    return {w for w in words if re.fullmatch(r"[A-Za-z]\w*", w)}


def javascript() -> set[str]:
    """Global names of node, and of objects and functions."""
    code = """
        const all = [globalThis, Object.prototype, Function.prototype, Math, Array.prototype];
        console.log(JSON.stringify(all.flatMap(Object.getOwnPropertyNames)));
    """
    return set(json.loads(_output("node", "-e", code)))


def python() -> set[str]:
    """Keywords, built-in names, and names of NumPy and the library of mathematics."""
    return {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *dir(np), *dir(math)}


def templates(to: str = "") -> set[str]:
    """Identifiers in the files of an ordinary robot: a new one in a template is found by itself."""
    two = {"pair": {"first": "q1", "second": "dq1*q2"}}
    texts: list[str] = []
    for language in [to] if to else TARGETS:
        found = [package_of(equations("rr_arm"), ["gravity", two], to=language)]
        if language != "casadi":
            found += package("rr_arm"), package("every_operation")
        texts += (text for p in found for text in target(language).files(p).values())
    return set(re.findall(r"\b[A-Za-z_]\w*", "\n".join(texts)))


@cache
def hostile_words() -> tuple[str, ...]:
    """All of them that Python takes for an identifier, as names of functions and inputs must be."""
    words = {*KEYWORDS, *ALIKE, *macros(*HEADERS), *declared(*HEADERS), *octave(), *javascript(),
             *python(), *templates()}  # fmt: skip
    return tuple(sorted(w for w in words if w.isidentifier()))


def chosen_words(to: str, one_in: int) -> tuple[str, ...]:
    """The keywords and what is in the templates of a language; of all other words, one in so many."""
    first = {w for w in (*KEYWORDS, *ALIKE, *templates(to)) if w.isidentifier()}
    return tuple(sorted({*first, *hostile_words()[::one_in]}))
