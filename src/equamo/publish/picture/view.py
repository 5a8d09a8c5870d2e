"""`eq.view`: picture of a robot by matplotlib."""

from __future__ import annotations

from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ...basics.arguments import flag
from ...basics.extras import library
from ...basics.wording import brief
from ...errors import EquamoError
from ...mechanics.equations.derive import derive
from ...mechanics.equations.equations import EquationsOfMotion
from ...motion.simulation.plot import plain
from ...robot.model import Robot
from .camera import Camera
from .drawing import skeleton
from .flat import COLORS, Flat, flat, shaded
from .flat_meshes import TRIANGLES
from .force_arrows import loads, resting_forces
from .posture import Array, Posture, Values, coordinates
from .skeleton import WORLD_INDEX, place

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH, HEIGHT = 720, 540  # pixels at 100 per inch


def view(
    robot: Robot | EquationsOfMotion,
    q: Any = None,
    ax: Axes | None = None,
    save: str | PathLike[str] | None = None,
    values: Values | None = None,
    labels: bool = False,
    forces: bool = False,
) -> Axes:
    """Draw a robot at given coordinates.

    Args:
        robot: Robot, or its equations of motion.
        q: Coordinates: a sequence, or {name: number} with the others at home; None for home. Loops
            are closed starting from these.
        ax: Axes of matplotlib to draw in; a new figure if None.
        save: File to write, such as arm.png, arm.svg or arm.pdf.
        values: Values of parameters, in place of their defaults.
        labels: Whether to write the names of the bodies beside them.
        forces: Whether to draw the forces of loops and sticking contacts on the bodies as the robot
            starts from rest with the inputs of its default state. The longest arrow is as long as
            a third of the robot; its label gives its magnitude.

    Returns:
        The axes of matplotlib.

    Raises:
        EquamoError: `robot` is not a robot, has no constraint forces to draw, or the file cannot be
            written.
        EvaluationError: `q` is not valid, or a parameter has no value.
        AssemblyError: A loop of the robot cannot be closed.

    >>> from equamo.robot.library import load
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     axes = view(load("rr_arm"), {"q1": 0.5}, save=f"{folder}/arm.png")
    >>> axes.get_title()
    'rr_arm'
    """
    eom = robot if isinstance(robot, EquationsOfMotion) else None
    robot = eom.robot if eom is not None else cast(Robot, robot)
    if not isinstance(robot, Robot):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"view() takes a Robot, such as eq.load('krang'), got {brief(robot)}.")
    if ax is not None and not hasattr(ax, "add_collection"):
        raise EquamoError(f"view(): ax must be axes of matplotlib, got {brief(ax)}.")
    if save is not None and not isinstance(save, (str, PathLike)):  # pyright: ignore
        raise EquamoError(f"view(): save must be the path of a picture, got {brief(save)}.")
    model = skeleton(robot, values, TRIANGLES)
    where = coordinates(robot, q, values)
    poses = Posture(robot, values)(where)
    camera = Camera.fitted(model, WIDTH, HEIGHT, poses)
    axes: Any = _new_axes(save is not None) if ax is None else ax
    _draw(axes, flat(model, poses, camera))
    axes.set_title(plain(robot.name), fontsize=11, color=COLORS["label"])
    if flag("view(): labels", labels):
        drawn = (*model.rods, *model.solids, *model.meshes.solids)
        bodies = sorted({x.body for x in drawn})
        for k in (k for k in bodies if k != WORLD_INDEX):
            x, y = camera.project(poses[k, :3, 3])[0][0]
            axes.text(x + 6, y - 6, plain(model.parts[k].name), fontsize=7, color=COLORS["label"])
    if flag("view(): forces", forces):
        eom = derive(robot) if eom is None else eom
        vectors = _forces(eom, where, poses, values)
        _draw_forces(axes, vectors, camera, model.size)
    if save is not None:
        _save(axes, Path(save))
    return axes


def _forces(
    eom: EquationsOfMotion, q: Array, poses: Array, values: Values | None
) -> list[tuple[Array, Array]]:
    """(point, force on it) of every loop and sticking contact, in the world."""
    found = loads(eom.robot, values)
    if not found or eom.robot.speed_map is not None:
        raise EquamoError(
            f"view(forces=True) needs loops or sticking contacts with all joint speeds, got robot "
            f"{eom.robot.name!r}; use eom.augmented(), or eom.in_mode(…) to hold contacts."
        )
    multipliers = resting_forces(eom, q, values)
    return [(place(poses, x.body, x.at), x.force(poses, multipliers)) for x in found]


def _draw_forces(
    axes: Any, vectors: list[tuple[Array, Array]], camera: Camera, size: float
) -> None:
    sizes = [float(np.linalg.norm(f)) for _, f in vectors]
    largest = max(sizes)
    for (point, force), length in zip(vectors, sizes, strict=True):
        if length <= 1e-9 * largest:
            continue
        ends, _ = camera.project(np.array([point, point + force * size / (3 * largest)]))
        axes.annotate(
            "", xy=tuple(ends[1]), xytext=tuple(ends[0]), zorder=3,
            arrowprops={"arrowstyle": "-|>", "color": COLORS["force"], "linewidth": 1.6},
        )  # fmt: skip
        if length == largest:
            axes.text(
                ends[1][0] + 5, ends[1][1], f"{length:.3g} N", fontsize=7, color=COLORS["force"]
            )


def _new_axes(for_file: bool) -> Axes:
    size = (WIDTH / 100, HEIGHT / 100)
    if for_file:  # without a window, and no figure is left open
        figure: Any = library("matplotlib.figure", "view").Figure(figsize=size, dpi=100)
    else:
        figure = library("matplotlib.pyplot", "view").figure(figsize=size, dpi=100)
    return figure.add_axes((0.0, 0.0, 1.0, 0.94))


def _draw(axes: Axes, picture: Flat) -> None:
    from matplotlib.collections import LineCollection, PolyCollection
    from matplotlib.colors import to_rgba

    grid: Any = LineCollection(
        [cast(Any, (line.start, line.end)) for line in picture.grid],
        colors=[to_rgba(COLORS["grid"], 0.7 * line.opacity) for line in picture.grid],
        linewidths=0.6,
        zorder=0,
    )
    axes.add_collection(grid)
    shadows = [p for p in picture.shadows if len(p) > 2]
    axes.add_collection(_polygons(PolyCollection, shadows, ["#e4e7eb"] * len(shadows), 1))
    bodies = [p for p in picture.polygons if len(p.points) > 2]
    colors = [shaded(p.color or COLORS[p.role], p.light) for p in bodies]
    axes.add_collection(_polygons(PolyCollection, [p.points for p in bodies], colors, 2))
    axes.set_xlim(0, picture.width)
    axes.set_ylim(picture.height, 0)
    axes.set_aspect("equal")
    axes.set_axis_off()


def _polygons(kind: Any, points: list[Array], colors: list[str], zorder: int) -> Any:
    return kind(points, facecolors=colors, edgecolors=colors, linewidths=0.3, zorder=zorder)


def _save(axes: Axes, path: Path) -> None:
    figure: Any = axes.figure
    formats: dict[str, str] = figure.canvas.get_supported_filetypes()
    ending = path.suffix.removeprefix(".").lower()
    if ending not in formats:
        raise EquamoError(
            f"{path}: the file name must end in one of {', '.join(sorted(formats))}, got "
            f"{path.suffix!r}."
        )
    try:
        figure.savefig(path)
    except OSError as error:
        raise EquamoError(f"{path}: could not be written: {error.strerror}.") from None
