// Robot without WebGL2: lines and points in SVG, rotated by dragging, with the viewer's interface.

export function createSketch(box, scene, kinematics) {
  const drawing = svg("svg", { class: "sketch", viewBox: "-1 -1 2 2", role: "img" });
  box.append(drawing);
  const up = scene.up ?? [0, 0, 1];
  const poses = new Float64Array(16 * scene.bodies.length);
  const size = scene.size || 1;
  const extent = scene.box ? Math.hypot(...[0, 1, 2].map((k) => scene.box[1][k] - scene.box[0][k])) : size;
  let center = scene.box ? [0, 1, 2].map((k) => (scene.box[0][k] + scene.box[1][k]) / 2) : [0, 0, 0];
  let turn = 0.9, tilt = 0.35, zoom = 1, lit = null;
  let hovered = () => {};

  const basis = () => {
    const u = up;
    const side = Math.abs(u[2]) > 0.9 ? [1, 0, 0] : [0, 0, 1];
    let e = cross(side, u);
    e = scaled(e, 1 / Math.hypot(...e));
    const f = cross(u, e);
    const across = plus(scaled(e, Math.cos(turn)), scaled(f, Math.sin(turn)));
    const away = cross(across, u);
    return { across, upward: plus(scaled(u, Math.cos(tilt)), scaled(away, Math.sin(tilt))) };
  };
  const at = (body, point) => {
    if (body < 0) return point;
    const m = poses.subarray(16 * body, 16 * body + 16);
    return [0, 1, 2].map((i) => m[i] * point[0] + m[4 + i] * point[1] + m[8 + i] * point[2] + m[12 + i]);
  };
  const flat = (point, axes) => {
    const d = plus(point, scaled(center, -1));
    const k = zoom * Math.min(1.5 / size, 1.9 / extent);
    return [k * dot(d, axes.across), -k * dot(d, axes.upward)];
  };

  function draw() {
    const axes = basis();
    const rods = scene.rods ?? [];
    drawing.replaceChildren(...rods.map((rod) => {
      const [x1, y1] = flat(at(rod.from, rod.start), axes);
      const [x2, y2] = flat(at(rod.to, rod.end), axes);
      const line = svg("line", { x1, y1, x2, y2, class: rod.body === lit ? "rod lit" : "rod" });
      line.addEventListener("pointerenter", () => hovered(scene.bodies[rod.body]?.name ?? null));
      line.addEventListener("pointerleave", () => hovered(null));
      return line;
    }), ...scene.bodies.map((body, k) => {
      const [cx, cy] = flat(at(k, [0, 0, 0]), axes);
      return svg("circle", { cx, cy, r: 0.014, class: k === lit ? "joint lit" : "joint" });
    }));
  }

  let from = null;
  drawing.addEventListener("pointerdown", (event) => { from = [event.clientX, event.clientY]; });
  window.addEventListener("pointerup", () => { from = null; });
  window.addEventListener("pointermove", (event) => {
    if (!from) return;
    turn -= (event.clientX - from[0]) * 0.01;
    tilt = Math.max(-1.5, Math.min(1.5, tilt + (event.clientY - from[1]) * 0.01));
    from = [event.clientX, event.clientY];
    draw();
  });
  return {
    setPose(q) { kinematics(q, poses); draw(); },
    setOptions() {},
    highlight(name) { lit = scene.bodies.findIndex((b) => b.name === name); draw(); },
    onHover(f) { hovered = f; },
    onPick() {},
    project(point) {
      const [x, y] = flat(point, basis());
      const r = drawing.getBoundingClientRect(), half = Math.min(r.width, r.height) / 2;
      return [r.width / 2 + x * half, r.height / 2 + y * half];
    },
    fit() { zoom = 1; draw(); },
    move(d) { center = plus(center, d); draw(); },
    draw,
    stats() { return { scriptMs: 0 }; },
  };
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const scaled = (a, k) => [a[0] * k, a[1] * k, a[2] * k];
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
