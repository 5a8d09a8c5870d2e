"""Static SVG picture of a robot, for print and for browsers without WebGL2."""

from __future__ import annotations

from typing import Any, Final

from ...robot.model import Robot
from .camera import Camera
from .drawing import skeleton
from .flat import COLORS, flat, shaded
from .posture import Array, Posture, Values, coordinates

_MARGIN: Final = 12.0  # above and below a trimmed picture


def static_svg(
    robot: Robot,
    q: Any = None,
    values: Values | None = None,
    width: int = 640,
    height: int = 480,
    trimmed: bool = False,
) -> str:
    """Draw a robot as a self-contained SVG element; body names do not occur in it.

    A trimmed picture has no empty stripes above and below the robot, so its height may be smaller.

    >>> from equamo.robot.library import load
    >>> static_svg(load("rr_arm"), {"q1": 0.5})[:4]
    '<svg'
    """
    solids = skeleton(robot, values)
    poses = Posture(robot, values)(coordinates(robot, q, values))
    picture = flat(solids, poses, Camera.fitted(solids, width, height, poses))
    heights = [y for p in picture.polygons for _, y in p.points] if trimmed else []
    top = max(min(heights, default=0.0) - _MARGIN, 0.0)
    bottom = min(max(heights, default=float(height)) + _MARGIN, float(height))
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {bottom - top:.0f}" role="img" '
        f'class="robot-picture" stroke-linejoin="round">'
    ]
    lines.append(f'<g stroke="{COLORS["grid"]}" stroke-width="0.7">')
    for line in picture.grid:
        (x1, y1), (x2, y2) = line.start, line.end
        way = f"M{x1:.1f} {y1 - top:.1f}L{x2:.1f} {y2 - top:.1f}"
        lines.append(f'<path d="{way}" opacity="{0.7 * line.opacity:.2f}"/>')
    lines.append(f'</g><g fill="{COLORS["shadow"]}" opacity="0.12">')
    lines += [f'<path d="{_path(p, top)}"/>' for p in picture.shadows if len(p) > 2]
    lines.append("</g>")
    for p in picture.polygons:
        if len(p.points) > 2:
            lines.append(
                f'<path d="{_path(p.points, top)}" fill="{shaded(p.color or COLORS[p.role], p.light)}"/>'
            )
    lines.append("</svg>")
    return "\n".join(lines)


def _path(points: Array, top: float) -> str:
    return "M" + "L".join(f"{x:.1f} {y - top:.1f}" for x, y in points) + "Z"
