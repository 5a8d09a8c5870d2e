"""Symbols that an object file defines and needs (ELF, COFF, Mach-O, 64 bit).

LLVM ends the process when it loads an object of another machine, and links unknown names to address 0;
so both are checked here before an object is loaded.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import error as struct_error, iter_unpack, unpack_from
from typing import Final, final

from ...errors import FileFormatError

_ELF: Final = b"\x7fELF\x02\x01"  # 64 bit, little endian
_MACH_O: Final = b"\xcf\xfa\xed\xfe"
_COFF_MACHINES: Final = (b"\x64\x86", b"\x64\xaa")  # x86-64, arm64
_ELF_SYMBOL_TABLE: Final = 2
_MACH_O_SYMBOL_TABLE: Final = 2


@final
@dataclass(frozen=True)
class ObjectFile:
    """Format, machine and global symbols of an object file."""

    kind: str  # format and its number for the machine, such as "ELF 62"
    defined: frozenset[str]
    undefined: frozenset[str]


def read(data: bytes) -> ObjectFile:
    """Read the symbols that an object file defines and needs, by their names in the source.

    >>> read(b"no object")
    Traceback (most recent call last):
    equamo.errors.FileFormatError: Not an object file (ELF, COFF or Mach-O): it starts with b'no obj'.
    """
    try:
        if data.startswith(_ELF):
            return _elf(data)
        if data.startswith(_MACH_O):
            return _mach_o(data)
        if data.startswith(_COFF_MACHINES):
            return _coff(data)
    except (struct_error, ValueError, IndexError, OverflowError) as damage:
        raise FileFormatError(f"The object file is damaged: {damage}.") from damage
    raise FileFormatError(f"Not an object file (ELF, COFF or Mach-O): it starts with {data[:6]!r}.")


def _name(data: bytes, start: int) -> str:
    return data[start : data.index(b"\0", start)].decode("ascii")


def _elf(data: bytes) -> ObjectFile:
    (machine,) = unpack_from("<H", data, 18)
    (headers,) = unpack_from("<Q", data, 40)
    size, count = unpack_from("<HH", data, 58)
    sections = [unpack_from("<IIQQQQIIQQ", data, headers + i * size) for i in range(count)]
    defined: set[str] = set()
    undefined: set[str] = set()
    for section in sections:
        if section[1] == _ELF_SYMBOL_TABLE:
            start, length, names = section[4], section[5], sections[section[6]][4]
            entries = iter_unpack("<IBBHQQ", data[start : start + length])
            for name, info, _, place, _, _ in entries:
                if info >> 4 and name:  # not local
                    (defined if place else undefined).add(_name(data, names + name))
    return ObjectFile(f"ELF {machine}", frozenset(defined), frozenset(undefined))


def _coff(data: bytes) -> ObjectFile:
    machine, _, _, start, count, _, _ = unpack_from("<HHIIIHH", data)
    names = start + 18 * count
    defined: set[str] = set()
    undefined: set[str] = set()
    i = 0
    while i < count:
        short, value, place, _, storage, more = unpack_from("<8sIhHBB", data, start + 18 * i)
        zero, offset = unpack_from("<II", short)
        name = short.rstrip(b"\0").decode("ascii") if zero else _name(data, names + offset)
        if storage == 2:  # external; a value without a section is a common block
            (defined if place or value else undefined).add(name)
        i += 1 + more
    return ObjectFile(f"COFF {machine}", frozenset(defined), frozenset(undefined))


def _mach_o(data: bytes) -> ObjectFile:
    _, machine, _, _, commands, _ = unpack_from("<IIIIII", data)
    at = 32
    defined: set[str] = set()
    undefined: set[str] = set()
    for _ in range(commands):
        command, length = unpack_from("<II", data, at)
        if length < 8:  # else the next command would be this one, up to 2³² times
            raise ValueError("a load command must have at least 8 bytes")
        if command == _MACH_O_SYMBOL_TABLE:
            symbols, count, names, _ = unpack_from("<IIII", data, at + 8)
            for name, kind, *_ in iter_unpack("<IBBHQ", data[symbols : symbols + 16 * count]):
                if kind & 1 and not kind & 0xE0:  # external, and not a debugger entry
                    place = defined if kind & 0x0E else undefined
                    place.add(_name(data, names + name).removeprefix("_"))
        at += length
    return ObjectFile(f"Mach-O {machine}", frozenset(defined), frozenset(undefined))
