"""Read STL files, binary and text: triangles without shared corners and without units.

binary   80 bytes of text, the number n of triangles, then 50 bytes for each: normal, three corners,
         two unused bytes
text     solid … facet normal x y z / outer loop / vertex x y z (three times) … endsolid
"""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from ....basics.wording import brief
from ....errors import FileFormatError
from .triangles import MOST_TRIANGLES, Triangles, triangles

_HEAD: Final = 84  # bytes before the first triangle
_EACH: Final = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("unused", "<u2")])
_VERTEX: Final = re.compile(rb"\bvertex\s+(\S+)\s+(\S+)\s+(\S+)", re.IGNORECASE)
_FACET: Final = re.compile(rb"\bfacet\s+normal\b", re.IGNORECASE)


def read_stl(data: bytes, file: str) -> tuple[Triangles, ...]:
    """Read the content of an STL file; FileFormatError if it is damaged.

    >>> text = b"solid a facet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 0 1 0"
    >>> read_stl(text + b" endloop endfacet endsolid a", "a.stl")[0].points.shape
    (3, 3)
    """
    count = int.from_bytes(data[80:_HEAD], "little") if len(data) >= _HEAD else -1
    whole = count >= 0 and len(data) == _HEAD + _EACH.itemsize * count
    # A binary file may also begin with "solid", and may have bytes after its triangles.
    if not whole and data[:5].lower() == b"solid" and _FACET.search(data[:2000]):
        return (_text(data, file),)
    return (_binary(data, count, file),)


def _binary(data: bytes, count: int, file: str) -> Triangles:
    if count < 0:
        raise FileFormatError(
            f"{file}: an STL file must begin with 'solid' or have at least {_HEAD} bytes, got "
            f"{len(data)}."
        )
    if count > MOST_TRIANGLES:
        raise FileFormatError(
            f"{file}: an STL file must have at most {MOST_TRIANGLES:,} triangles, got {count:,}."
        )
    size = _HEAD + _EACH.itemsize * count
    if len(data) < size:
        raise FileFormatError(
            f"{file}: a binary STL file of {count:,} triangles must have {size:,} bytes, got "
            f"{len(data):,}; it is truncated or damaged."
        )
    rows = np.frombuffer(data, _EACH, count, _HEAD)
    return triangles(file, rows["corners"].reshape(-1, 3), np.arange(3 * count))


def _text(data: bytes, file: str) -> Triangles:
    # Counted and converted one by one: a list of all words would take many times the file's size.
    facets, corners = (sum(1 for _ in x.finditer(data)) for x in (_FACET, _VERTEX))
    if corners != 3 * facets or b"endsolid" not in data.lower():
        raise FileFormatError(
            f"{file}: an STL file of {facets:,} facets must have {3 * facets:,} lines 'vertex x y z' "
            f"and end with 'endsolid', got {corners:,} such lines; it is truncated or damaged."
        )
    try:
        words = (float(x) for found in _VERTEX.finditer(data) for x in found.groups())
        points = np.fromiter(words, np.float64, 3 * corners)
    except ValueError as error:
        raise FileFormatError(
            f"{file}: the numbers of 'vertex' must be decimal, got {brief(str(error))}."
        ) from None
    return triangles(file, points, np.arange(3 * facets))
