"""Tree of a robot as SVG: one box per body, one line per joint with the symbol of its kind.

A joint that closes a loop is a dashed curve between its bodies; a contact is a triangle below its body.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from typing import Final

from ...robot.model import WORLD, Body, Robot
from ...robot.model.contact import Contact
from ...robot.model.loop import Loop

GAP, STEP_Y, BOX_Y = 40, 30, 22  # pixels: gap between boxes, row spacing, box height
MARGIN: Final = 10
LONGEST: Final = 22  # longest name that is written in full; the tooltip has it all
LETTER: Final = 6.4  # width in pixels


def schematic(robot: Robot) -> str:
    """Draw the tree as an SVG element; each body is a group with its name as `data-body`.

    >>> from equamo.robot.library import load
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
    width = MARGIN + max(x for x, _ in places.values()) + box + (GAP if robot.loops else 0)
    height = MARGIN + max(y for _, y in places.values()) + BOX_Y
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:g} {height:g}" '
        f'width="{width:g}" height="{height:g}" role="img" class="robot-schematic" '
        'font-family="system-ui, sans-serif" font-size="11" fill="currentColor">',
        f"<title>{_text(robot.name)}</title>",
    ]
    for b in robot.bodies:
        lines += _edge(b, places, box)
    for loop in robot.loops:
        lines += _loop(loop, places, box)
    lines += _box(WORLD, places[WORLD], box, "world", dashed=False)
    for b in robot.bodies:
        still = not b.joint.coordinates and b.inertia.is_zero
        lines += _box(b.name, places[b.name], box, f"{b.name}: {_kind(b)}", dashed=still)
    for contact in robot.contacts:
        lines += _contact(contact, places[contact.body], robot.mode[contact.name])
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


def _loop(loop: Loop, places: dict[str, tuple[float, float]], wide: float) -> Iterator[str]:
    (x1, y1), (x2, y2) = places[loop.to], places[loop.body]
    a, b = (x1 + wide, y1 + 0.8 * BOX_Y), (x2 + wide, y2 + 0.8 * BOX_Y)
    out = max(a[0], b[0]) + 0.7 * GAP
    title = f"{loop.joint}, closes loop {loop.name}: {loop.body} to {loop.to}"
    yield f'<g class="loop" data-loop="{_text(loop.name)}"><title>{_text(title)}</title>'
    yield (
        f'<path d="M{a[0]:g} {a[1]:g}C{out:g} {a[1]:g} {out:g} {b[1]:g} {b[0]:g} {b[1]:g}" '
        'fill="none" stroke="#c98a3d" stroke-width="1.5" stroke-dasharray="4 3"/></g>'
    )


def _contact(contact: Contact, place: tuple[float, float], mode: str) -> Iterator[str]:
    x, y = place[0] + 8, place[1] + BOX_Y
    fill = "none" if mode == "open" else "#2f8f5b"
    title = f"contact {contact.name}: {mode}"
    yield f'<g class="contact" data-contact="{_text(contact.name)}"><title>{_text(title)}</title>'
    yield f'<path d="M{x:g} {y:g}l4 6h-8z" fill="{fill}" stroke="#2f8f5b"/></g>'


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
        S = b.subspace[0]
        if S.angular.is_zero:
            return "prismatic"
        return "revolute" if S.linear.is_zero else type(joint).__name__.lower()
    return type(joint).__name__.lower()


def _text(name: str) -> str:
    """Escape text for XML and remove characters that XML does not allow."""
    plain = "".join(c if c >= " " or c in "\t\n" else "\ufffd" for c in name)
    return escape(plain, quote=True)
