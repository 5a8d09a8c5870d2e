"""Edits of valid documents: text, bytes, XML elements and plain data, each driven by a `Random`."""

from __future__ import annotations

import json
import re
import tomllib
import xml.etree.ElementTree as ET
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

from equamo.robot.formats.toml_text import key_text, value_text
from mutated_text import VALUES, WORDS, mutated_text, mutated_tree

Edit = Callable[[bytes, Random], bytes]

NUMBERS = (
    "0", "-0", "1", "-1", "nan", "inf", "-inf", "1e308", "-1e309", "1e-320", "5e-324", "1e-400", "0.1",
    "1e999999999", "9" * 400, "0." + "0" * 300 + "1", "3.141592653589793", "1.5707963267948966", "0x10",
    "1_000", "١", "１", "1,5", "1/3", "--1", "+1", ".", "1e", "", " ", "1 2 3", "2147483648", "1e5",
)  # fmt: skip
MILD = ("0", "1", "-1", "2", "0.5", "-0.25", "3.5e-2", "10", "1e-6", "100")  # likely to be accepted
NAMES = (
    "", " ", "world", "q1", "dq1", "x" * 300, "é", "θ", "𝒒", "ﬁ", "a/b", "../../etc/passwd", "/dev/zero",
    "\u202e", "\u200b", "a b", "q'1", '"', "<", "&", "%s", "{0}", "`", "\n", "\t", "__class__", "pi",
    "sin", "nan", "lambda", "t", "0", "-", "a.b", "file:///", "package://a/b.stl", "#", "\\", "$(1)",
)  # fmt: skip
DAMAGES = (
    b"\x00", b"\xff\xfe", b"\xef\xbb\xbf", b"\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\r", b"\r\n",
    b"\x1b[31m", b"\x7f", b"\xc0\xaf", b"\x0c", b"\xe2\x80\xa8",
)  # fmt: skip
BOMB = (
    '<!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">'
    '<!ENTITY c SYSTEM "file:///etc/passwd">]>'
)


# -- text and bytes ----------------------------------------------------------------------------------
def edit_text(data: bytes, r: Random) -> bytes:
    """Characters, words and lines deleted, doubled, swapped, put in."""
    return mutated_text(data.decode("utf-8", "replace"), r).encode("utf-8", "replace")


def edit_words(data: bytes, r: Random) -> bytes:
    """A word replaced by another word of the document, a hostile number or a hostile name."""
    text = data.decode("utf-8", "replace")
    words = [*re.finditer(r"[+-]?\d[\w.+-]*|\w+|[^\w\s]", text)]
    if not words:
        return data
    w = r.choice(words)
    others = r.choice(([x.group() for x in words], MILD, NUMBERS, NAMES))
    new = r.choice(others)
    return (text[: w.start()] + new + text[w.end() :]).encode("utf-8", "replace")


def edit_bytes(data: bytes, r: Random) -> bytes:
    """Bytes changed, cut off, doubled, put in; another encoding."""
    kind, i = r.randrange(7), r.randrange(len(data) + 1)
    if kind == 0:
        return data[:i]
    if kind == 1:
        return data[:i] + r.choice(DAMAGES) + data[i:]
    if kind == 2:
        return data[:i] + bytes([r.randrange(256)]) + data[i + 1 :]
    if kind == 3:
        return data[:i] + data[i + r.randint(1, 64) :]
    if kind == 4:
        j = r.randrange(len(data) + 1)
        return data[:i] + data[j : j + r.randint(1, 200)] + data[i:]
    if kind == 5:
        code = r.choice(("utf-16", "utf-8-sig", "latin-1", "utf-32"))
        return data.decode("utf-8", "replace").encode(code, "replace")
    number = r.choice((0, 1, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x7F800000, 0x7FC00000, len(data)))
    return data[:i] + number.to_bytes(4, "little") + data[i + 4 :]


def edit_nesting(data: bytes, r: Random) -> bytes:
    """Many brackets where there was one character."""
    i, n = r.randrange(len(data) + 1), r.choice((3, 40, 70, 1200, 20_000))
    opening = r.choice(
        (b"(", b"[", b"{", b"-", b"<a>", b"sin(", b"\\frac{", b"[[", b"{a=", b"1+", b"!")
    )
    closing = {b"(": b")", b"[": b"]", b"{": b"}", b"<a>": b"</a>", b"sin(": b")", b"[[": b"]]"}
    end = closing.get(opening, b"") * (n if r.random() < 0.5 else 0)
    return data[:i] + opening * n + b"1" + end + data[i + 1 :]


def words_of(text: str, most: int = 14) -> Edit:
    """Not an edit of the document: a new one, of words of its language, given with blanks between."""
    words = text.split(" ")

    def made(_: bytes, r: Random) -> bytes:
        chosen = [r.choice(words) for _ in range(r.randint(1, most))]
        return r.choice((" ", "")).join(chosen).encode("utf-8", "replace")

    return made


# -- XML ---------------------------------------------------------------------------------------------
def edit_xml(data: bytes, r: Random) -> bytes:
    """Elements dropped, doubled, moved, renamed, nested; attributes and texts changed; an entity."""
    try:
        root = ET.fromstring(data)
    except (ET.ParseError, LookupError, ValueError):  # damaged by an earlier edit
        return edit_bytes(data, r)
    for _ in range(r.choice((1, 1, 2))):
        _edit_element(root, r)
    text = ET.tostring(root, encoding="unicode")
    if r.random() < 0.03:
        text = BOMB + text.replace(">", ">&b;", 1)
    return text.encode("utf-8", "replace")


def _edit_element(root: ET.Element, r: Random) -> None:
    parents = [x for x in root.iter() if len(x)] or [root]
    elements = list(root.iter())
    parent, e = r.choice(parents), r.choice(elements)
    k = r.randrange(max(len(parent), 1))
    kind = r.randrange(9)
    if kind == 0 and len(parent):
        parent.remove(parent[k])
    elif kind == 1 and len(parent):
        parent.insert(r.randrange(len(parent) + 1), deepcopy(parent[k]))
    elif kind == 2 and len(parent):
        child = parent[k]
        parent.remove(child)
        r.choice([x for x in root.iter() if x is not child]).append(child)
    elif kind == 3:
        e.tag = r.choice(elements).tag
    elif kind == 4:
        depth = r.choice((2, 70))
        for _ in range(depth):
            e = ET.SubElement(e, e.tag)
    elif kind == 5 and e.attrib:
        del e.attrib[r.choice(sorted(e.attrib))]
    elif e.text and e.text.strip() and kind == 6:
        e.text = _value(e.text, r)
    else:
        owner = r.choice([x for x in elements if x.attrib] or elements)
        names = sorted(owner.attrib) or ["name"]
        name = r.choice(names) if r.random() < 0.9 else r.choice(("name", "type", "link", "xyz"))
        others = [x.attrib[name] for x in elements if name in x.attrib]
        owner.attrib[name] = r.choice((_value(owner.get(name, ""), r), r.choice(others or [""])))


def _value(text: str, r: Random) -> str:
    """One of the words of an attribute or text replaced, dropped or doubled."""
    parts = text.split() or [""]
    k = r.randrange(len(parts))
    parts[k : k + 1] = r.choice(
        ([r.choice(MILD)], [r.choice(NUMBERS)], [r.choice(NAMES)], [], [parts[k], parts[k]])
    )
    return " ".join(parts).replace("\x00", "")


# -- plain data --------------------------------------------------------------------------------------
HOSTILE: tuple[Any, ...] = (
    *VALUES, *NAMES, *WORDS, float("nan"), float("inf"), 1e308, 5e-324, -0.0, 1e-320, False, 10**400,
    2**53 + 1, -(2**63), {}, [[[[]]]], "\ud800",
)  # fmt: skip


def edit_data(data: Any, r: Random) -> Any:
    """A copy of plain data (dictionaries, lists, texts, numbers) with one or two edits."""
    data = deepcopy(data)
    if r.random() < 0.02:
        return deepcopy(r.choice(HOSTILE))
    if not isinstance(data, (dict, list)):
        return data
    for _ in range(r.choice((1, 1, 2))):
        if r.random() < 0.3:
            mutated_tree(data, r)
            continue
        where: Any = data
        while True:
            if not where:
                break
            key = r.choice(list(where)) if isinstance(where, dict) else r.randrange(len(where))
            if isinstance(where[key], (dict, list)) and where[key] and r.random() < 0.85:
                where = where[key]
                continue
            where[key] = _another(where[key], r)
            break
    return data


def _another(x: Any, r: Random) -> Any:
    """Another value, half of the time of the same kind."""
    if r.random() < 0.5:
        return deepcopy(r.choice(HOSTILE))
    if isinstance(x, str):
        return _value(x, r)
    if isinstance(x, bool) or x is None:
        return r.choice((True, False, None))
    if isinstance(x, (int, float)):
        number = float(r.choice(MILD))
        return int(number) if isinstance(x, int) else number
    return deepcopy(r.choice(HOSTILE))


def edit_json(data: bytes, r: Random) -> bytes:
    """A JSON document whose data is edited."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):  # damaged by an earlier edit
        return edit_bytes(data, r)
    return json.dumps(edit_data(found, r)).encode("utf-8", "replace")


def edit_toml(data: bytes, r: Random) -> bytes:
    """A TOML document whose data is edited."""
    try:
        found: Any = tomllib.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):  # damaged by an earlier edit
        return edit_text(data, r)
    changed = edit_data(found, r)
    if not isinstance(changed, dict):
        return edit_text(data, r)
    # An empty text stands for None, which TOML cannot write.
    rows = [f"{key_text(k)} = {value_text('' if x is None else x)}" for k, x in changed.items()]
    return "\n".join(rows).encode("utf-8", "replace")
