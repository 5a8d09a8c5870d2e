"""Flat pictures as pixels, by Pillow: painted at twice the size and reduced, for smooth edges."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ...basics.extras import library
from .flat import COLORS, Flat, shaded

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

_FINE: Final = 2  # pixels painted for each pixel of the result
_PAPER, _SHADOW = "#ffffff", "#e4e7eb"


def paint(picture: Flat, caption: str = "") -> Picture:
    """Paint a picture, with a line of text at its top, as an image of its size."""
    library("PIL", "animate")  # raises an error that says what to install
    from PIL import Image, ImageDraw, ImageFont

    size = (_FINE * round(picture.width), _FINE * round(picture.height))
    image = Image.new("RGB", size, _PAPER)
    brush = ImageDraw.Draw(image)
    for line in picture.grid:
        ends = [(_FINE * float(x), _FINE * float(y)) for x, y in (line.start, line.end)]
        brush.line(ends, fill=_faded(COLORS["grid"], 0.7 * line.opacity), width=_FINE)
    for points in (p for p in picture.shadows if len(p) > 2):
        brush.polygon([(x, y) for x, y in (_FINE * points).tolist()], fill=_SHADOW)
    for p in (p for p in picture.polygons if len(p.points) > 2):
        fill = shaded(p.color or COLORS[p.role], p.light)
        brush.polygon([(x, y) for x, y in (_FINE * p.points).tolist()], fill=fill)
    if caption:
        font = ImageFont.load_default(size=14 * _FINE)
        brush.text((12 * _FINE, 8 * _FINE), caption, fill=COLORS["label"], font=font)
    return image.reduce(_FINE)


def _faded(color: str, opacity: float) -> tuple[int, int, int]:
    """Colour on white paper."""
    r, g, b = (int(color[k : k + 2], 16) for k in (1, 3, 5))
    return (_mixed(r, opacity), _mixed(g, opacity), _mixed(b, opacity))


def _mixed(x: int, opacity: float) -> int:
    return round(255 + (x - 255) * opacity)
