// Camera: orbits about a point, pans and zooms, by mouse, touch and keys. Matrices are 16 numbers,
// column by column; `up` is opposite to gravity.

export function multiplyMatrices(a, b, out) {
  for (let j = 0; j < 16; j += 4) {
    const x = b[j], y = b[j + 1], z = b[j + 2], w = b[j + 3];
    for (let i = 0; i < 4; i++) out[j + i] = a[i] * x + a[i + 4] * y + a[i + 8] * z + a[i + 12] * w;
  }
  return out;
}

export const crossVectors = (a, b) =>
  [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const dotVectors = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const sumVectors = (a, s, b) => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
export function unitVector(a) {
  const length = Math.hypot(a[0], a[1], a[2]) || 1;
  return [a[0] / length, a[1] / length, a[2] / length];
}

// Two directions on the ground; the first is along the world axis that is least upright.
export function groundBasis(up) {
  const least = [0, 1, 2].reduce((m, k) => (Math.abs(up[k]) < Math.abs(up[m]) - 1e-9 ? k : m), 0);
  const axis = [0, 0, 0];
  axis[least] = 1;
  const first = unitVector(sumVectors(axis, -dotVectors(axis, up), up));
  return [first, crossVectors(up, first)];
}

export function createCamera(scene) {
  const up = scene.up, [east, north] = groundBasis(up);
  const tangent = Math.tan(Math.PI / 12); // tangent of half the angle of view
  const camera = {
    target: [0, 1, 2].map((i) => (scene.box[0][i] + scene.box[1][i]) / 2), distance: 1, yaw: scene.view.yaw, pitch: scene.view.pitch,
    width: 1, height: 1, moved: false, followed: [0, 0, 0], clip: new Float64Array(16), eye: [0, 0, 0], right: east, above: up, forward: north,
  };

  camera.update = () => {
    const { yaw, pitch, distance, target } = camera;
    const level = sumVectors(east.map((x) => x * Math.cos(yaw)), Math.sin(yaw), north);
    const back = sumVectors(level.map((x) => x * Math.cos(pitch)), Math.sin(pitch), up);
    const right = unitVector(crossVectors(up, back)), above = crossVectors(back, right);
    const eye = sumVectors(target, distance, back);
    Object.assign(camera, { eye, right, above, forward: back.map((x) => -x) });
    const view = [0, 1, 2].flatMap((k) => [right[k], above[k], back[k], 0])
      .concat([-dotVectors(right, eye), -dotVectors(above, eye), -dotVectors(back, eye), 1]);
    const near = Math.max(distance - 4 * scene.size, 0.02 * distance), far = distance + 30 * scene.size;
    const aspect = camera.width / camera.height, d = 1 / (near - far);
    const lens = [1 / (tangent * aspect), 0, 0, 0, 0, 1 / tangent, 0, 0, 0, 0, (near + far) * d, -1,
      0, 0, 2 * near * far * d, 0];
    multiplyMatrices(lens, view, camera.clip);
  };
  camera.resize = (width, height) => {
    camera.width = Math.max(1, width);
    camera.height = Math.max(1, height);
    camera.update();
  };
  const home = { target: camera.target, yaw: camera.yaw, pitch: camera.pitch };
  // Fit the whole box, which contains the robot at home and along its motion in the following view.
  camera.fit = () => {
    Object.assign(camera, home, { target: sumVectors(home.target, 1, camera.followed), moved: false });
    camera.update();
    const back = camera.forward.map((x) => -x), aspect = camera.width / camera.height;
    camera.distance = 0;
    for (let s = 0; s < 8; s++) {
      const corner = [0, 1, 2].map((i) => scene.box[(s >> i) & 1][i] - home.target[i]);
      // A corner is in the picture if |x| <= t (d - b), which gives the distance d of the eye.
      const x = Math.abs(dotVectors(corner, camera.right)) / aspect, y = Math.abs(dotVectors(corner, camera.above));
      const distance = Math.max(x, y) / (0.9 * tangent) + dotVectors(corner, back);
      camera.distance = Math.max(camera.distance, distance);
    }
    camera.update();
  };
  camera.follow = (step) => { // a moving robot
    camera.followed = sumVectors(camera.followed, 1, step);
    camera.target = sumVectors(camera.target, 1, step);
    camera.update();
  };
  camera.orbit = (yaw, pitch) => {
    camera.moved = true;
    camera.yaw += yaw;
    camera.pitch = Math.min(1.55, Math.max(-1.55, camera.pitch + pitch));
    camera.update();
  };
  camera.zoom = (factor) => {
    camera.moved = true;
    camera.distance = Math.min(60 * scene.size, Math.max(0.05 * scene.size, camera.distance * factor));
    camera.update();
  };
  camera.pan = (x, y) => { // in pixels
    camera.moved = true;
    const scale = (2 * tangent * camera.distance) / camera.height;
    camera.target = sumVectors(sumVectors(camera.target, -x * scale, camera.right), y * scale, camera.above);
    camera.update();
  };
  // World point in CSS pixels, with its depth; null behind the eye.
  camera.project = (p) => {
    const m = camera.clip, [x, y, z, w] = [0, 1, 2, 3].map((i) =>
      m[i] * p[0] + m[i + 4] * p[1] + m[i + 8] * p[2] + m[i + 12]);
    if (w <= 0) return null;
    return [(0.5 + (0.5 * x) / w) * camera.width, (0.5 - (0.5 * y) / w) * camera.height, z / w];
  };
  camera.fit();
  return camera;
}

// Mouse, touch and keys on the canvas. `changed` requests a new frame; `clicked` gets a position.
export function steerCamera(canvas, camera, changed, clicked, signal) {
  const fingers = new Map();
  let travelled = 0;
  const place = (e) => [e.offsetX, e.offsetY];
  canvas.style.touchAction = "pan-y"; // vertical swipes scroll the page
  canvas.addEventListener("pointerdown", (e) => {
    if (!fingers.size) travelled = 0;
    fingers.set(e.pointerId, place(e));
    canvas.setPointerCapture(e.pointerId);
    canvas.focus({ preventScroll: true });
  }, { signal });
  canvas.addEventListener("pointermove", (e) => {
    const before = fingers.get(e.pointerId);
    if (!before) return;
    const now = place(e), dx = now[0] - before[0], dy = now[1] - before[1];
    travelled += Math.abs(dx) + Math.abs(dy);
    if (fingers.size === 2) {
      const [other] = [...fingers].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
      const apart = (p) => Math.hypot(p[0] - other[0], p[1] - other[1]) || 1;
      camera.zoom(apart(before) / apart(now));
      camera.pan(dx / 2, dy / 2);
    } else if (fingers.size === 1 && (e.shiftKey || e.buttons & 6)) {
      camera.pan(dx, dy);
    } else if (fingers.size === 1) {
      camera.orbit(-0.008 * dx, 0.008 * dy);
    }
    fingers.set(e.pointerId, now);
    changed();
  }, { signal });
  const lift = (e) => {
    if (fingers.delete(e.pointerId) && e.type === "pointerup" && !fingers.size && travelled < 4) {
      clicked(place(e));
    }
  };
  canvas.addEventListener("pointerup", lift, { signal });
  canvas.addEventListener("pointercancel", lift, { signal });
  canvas.addEventListener("contextmenu", (e) => e.preventDefault(), { signal });
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    camera.zoom(Math.exp(Math.max(-0.5, Math.min(0.5, e.deltaY * (e.deltaMode ? 0.05 : 0.0015)))));
    changed();
  }, { passive: false, signal });
  canvas.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    const arrows = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    if (arrows[e.key] && e.shiftKey) camera.pan(...arrows[e.key].map((x) => 24 * x));
    else if (arrows[e.key]) camera.orbit(...arrows[e.key].map((x) => 0.1 * x));
    else if (e.key === "+" || e.key === "=") camera.zoom(1 / 1.15);
    else if (e.key === "-") camera.zoom(1.15);
    else if (e.key === "f" || e.key === "0") camera.fit();
    else return;
    e.preventDefault();
    changed();
  }, { signal });
  return { busy: () => fingers.size > 0 };
}
