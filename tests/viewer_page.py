"""A page with nothing but the viewer in it: a robot, its poses in JavaScript, and a canvas."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

from equamo.code.codegen.targets.javascript import JavaScript
from equamo.code.codegen.targets.package import Package, Routine
from equamo.code.ir.function import folded
from equamo.publish.page.scene_data import scene_data
from equamo.publish.picture.transforms import poses_function
from equamo.robot.model import Robot

VIEWER = ("camera.js", "shapes.js", "meshes.js", "picking.js", "scene.js")
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>viewer</title>
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'unsafe-inline';
 style-src 'unsafe-inline'; img-src data:">
<style>:root {{ color-scheme: light dark; }} html, body {{ height: 100%; margin: 0;
 background: light-dark(#fbfcfd, #14181e); color: light-dark(#39424e, #c9d2de); }}
 canvas {{ width: 100%; height: 100%; display: block; }}</style></head>
<body><canvas id="canvas"></canvas>
<script type="application/json" id="scene">{scene}</script>
<script type="module">
{script}
const scene = JSON.parse(document.getElementById("scene").textContent);
window.viewer = createViewer(document.getElementById("canvas"), scene, poses);
</script></body></html>
"""


def poses_javascript(robot: Robot) -> str:
    """The function `poses(q, out)` of a robot at its default parameters."""
    function = folded(poses_function(robot), robot.values)
    package = Package("robot", (Routine("poses", function.program()),), {}, ())
    return JavaScript().module(package)


def write_viewer(robot: Robot, path: Path) -> Path:
    """The page of a robot."""
    folder = files("equamo.publish.page") / "assets" / "viewer"
    parts = [(folder / name).read_text(encoding="utf-8") for name in VIEWER]
    script = "\n".join([poses_javascript(robot), *parts])
    script = re.sub(r"^import\b[^;]*;\n", "", script, flags=re.MULTILINE)
    script = re.sub(r"^export ", "", script, flags=re.MULTILINE)
    scene = json.dumps(scene_data(robot)).replace("<", "\\u003c")
    path.write_text(PAGE.format(scene=scene, script=script), encoding="utf-8")
    return path
