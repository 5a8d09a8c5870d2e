"""Small URDF files for the tests of the referee."""

from __future__ import annotations

from pathlib import Path

INERTIA = '<inertia ixx="0.3" ixy="0.01" ixz="0" iyy="0.4" iyz="0.02" izz="0.5"/>'


def link(name: str, mass: float | None = 2.0, inertia: str = INERTIA, geometry: str = "") -> str:
    origin = '<origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/>'
    inertial = f'<inertial>{origin}<mass value="{mass}"/>{inertia}</inertial>'
    inertial = "" if mass is None else inertial
    collision = f"<collision><geometry>{geometry}</geometry></collision>" if geometry else ""
    return f'<link name="{name}">{inertial}{collision}</link>'


def joint(name: str, parent: str, child: str, kind: str = "revolute", more: str = "") -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/>'
        f'<origin xyz="0.1 0 0.4" rpy="0.2 0.1 0"/><axis xyz="0 0.6 0.8"/>'
        f'<limit lower="-1" upper="1" effort="9" velocity="9"/>{more}</joint>'
    )


def arm(
    *more: str, dynamics: str = "", hand: str | None = None, base: str = '<link name="base"/>'
) -> str:
    """Two moving links, one of them with a joint that has other children."""
    parts = [
        base, link("upper"), link("hand") if hand is None else hand,
        joint("shoulder", "base", "upper", more=dynamics), joint("elbow", "upper", "hand"), *more,
    ]  # fmt: skip
    return f'<robot name="arm">{"".join(parts)}</robot>'


def written(folder: Path, text: str) -> Path:
    path = folder / "arm.urdf"
    path.write_text(text, encoding="utf-8")
    return path
