"""Tree of a robot as SVG: one box per body, one line per joint with the symbol of its kind."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from ..model import WORLD, Body, Robot

GAP, STEP_Y, BOX_Y = 40, 30, 22  # pixels: gap between boxes, row spacing, box height
MARGIN: Final = 10
LONGEST: Final = 22  # longest name that is written in full; the tooltip has it all
LETTER: Final = 6.4  # width in pixels


def schematic(robot: Robot) -> str:
    """Draw the tree as an SVG element; each body is a group with its name as `data-body`.

    >>> from equamo.robots import load
    >>> text = schematic(load("rr_arm"))
    >>> text.count("data-body"), "revolute" in text
    (2, True)
    """
    children: dict[str, list[Body]] = {WORLD: []}
    for b in robot.bodies:
        children[b.parent].append(b)
        children[b.name] = []
    box = 18 + LETTER * min(LONGEST, max(len(n) for n in children))
    places = {
        n: (MARGIN + (box + GAP) * x, MARGIN + STEP_Y * y)
        for n, (x, y) in _places(robot, children).items()
    }
    width = MARGIN + max(x for x, _ in places.values()) + box
    height = MARGIN + max(y for _, y in places.values()) + BOX_Y
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" class="robot-schematic" '
        'font-family="system-ui, sans-serif" font-size="11" fill="currentColor">',
        f"<title>{_text(robot.name)}</title>",
    ]
    for b in robot.bodies:
        lines += _edge(b, places, box)
    lines += _box(WORLD, places[WORLD], box, "world", dashed=False)
    for b in robot.bodies:
        still = not b.joint.coordinates and b.inertia.is_zero
        lines += _box(b.name, places[b.name], box, f"{b.name}: {_kind(b)}", dashed=still)
    return "\n".join([*lines, "</svg>"])


def _places(robot: Robot, children: dict[str, list[Body]]) -> dict[str, tuple[float, float]]:
    """(depth, row) of every body: each limb has its own row, level with its parent if it is first."""
    depth = {WORLD: 0}
    for b in robot.bodies:
        depth[b.name] = depth[b.parent] + 1
    row: dict[str, float] = {}
    free = 0
    # Depth first, without recursion, since chains can be long.
    stack = [WORLD]
    while stack:
        name = stack.pop()
        row[name] = free
        if not children[name]:
            free += 1
        stack += [c.name for c in reversed(children[name])]
    return {n: (float(depth[n]), row[n]) for n in depth}


def _box(
    name: str, place: tuple[float, float], wide: float, title: str, dashed: bool
) -> Iterator[str]:
    x, y = place
    attribute = "" if name == WORLD else f' data-body="{_text(name)}"'
    label = name if len(name) <= LONGEST else name[: LONGEST - 1] + "…"
    stroke = ' stroke-dasharray="3 3"' if dashed else ""
    yield f'<g class="body"{attribute}><title>{_text(title)}</title>'
    yield (
        f'<rect x="{x:g}" y="{y:g}" width="{wide:g}" height="{BOX_Y}" rx="6" fill="none" '
        f'stroke="currentColor" stroke-opacity="0.55"{stroke}/>'
    )
    yield (
        f'<text x="{x + wide / 2:g}" y="{y + BOX_Y / 2:g}" text-anchor="middle" '
        f'dominant-baseline="central">{_text(label)}</text></g>'
    )


def _edge(b: Body, places: dict[str, tuple[float, float]], wide: float) -> Iterator[str]:
    (x1, y1), (x2, y2) = places[b.parent], places[b.name]
    start, end = (x1 + wide, y1 + BOX_Y / 2), (x2, y2 + BOX_Y / 2)
    bend, middle = start[0] + 10, (start[0] + 10 + end[0]) / 2
    path = f"M{start[0]:g} {start[1]:g}H{bend:g}V{end[1]:g}H{end[0]:g}"
    yield f'<path d="{path}" fill="none" stroke="currentColor" stroke-opacity="0.55"/>'
    sign = _SIGNS.get(_kind(b), _MANY)
    if b.joint.coordinates:
        title = f"{_kind(b)}: {', '.join(b.joint.coordinates)}"
        yield f'<g transform="translate({middle:g} {end[1]:g})"><title>{_text(title)}</title>{sign}</g>'


_PAPER: Final = 'fill="var(--paper, #fff)" stroke="currentColor" stroke-width="1.3"'
_TURN: Final = f'<circle r="6" {_PAPER}/><circle r="1.4"/>'
_BLOCK: Final = f'<rect x="-7" y="-4.5" width="14" height="9" {_PAPER}/>'
_SLIDE: Final = f'{_BLOCK}<path d="M-4 0H4" stroke="currentColor"/>'
_MANY: Final = f'<circle r="6" {_PAPER}/><path d="M-6 0H6M0 -6V6" stroke="currentColor"/>'
_SIGNS: Final = {"revolute": _TURN, "prismatic": _SLIDE}


def _kind(b: Body) -> str:
    """Kind of a joint by what it does: revolute, prismatic, fixed, or the name of its class."""
    joint = b.joint
    if not joint.coordinates:
        return "fixed"
    if len(joint.speeds) == 1:
        S_w, S_v = joint.columns[0]
        if S_w.is_zero:
            return "prismatic"
        return "revolute" if S_v.is_zero else type(joint).__name__.lower()
    return type(joint).__name__.lower()


def _text(name: str) -> str:
    """Escape text for XML and remove characters that XML does not allow."""
    plain = "".join(c if c >= " " or c in "\t\n" else "\ufffd" for c in name)
    return escape(plain, quote=True)
