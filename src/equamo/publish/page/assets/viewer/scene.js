// Robot in WebGL2: links, joints, wheels, axes, frames, centres of mass, inertia ellipsoids and the
// ground. `kinematics(q, out)` writes 16 numbers per body, column by column, world <- body.
import { createCamera, crossVectors, dotVectors, groundBasis, multiplyMatrices, steerCamera, sumVectors,
  unitVector } from "./camera.js";
import { createInstances, createPrograms, unitMeshes } from "./shapes.js";
import { surfaceMeshes } from "./meshes.js";
import { createPicker } from "./picking.js";

// CSS variables of the canvas, and their defaults if the page sets none: light, dark.
const VIEWER_COLORS = {
  "--viewer-link": ["#b3c0d1", "#8b9ab1"],
  "--viewer-joint": ["#6d7e97", "#5d6c84"],
  "--viewer-wheel": ["#3f4856", "#4d5868"],
  "--viewer-hub": ["#c3cad5", "#8f9bad"],
  "--viewer-foot": ["#566379", "#b4bfd0"],
  "--viewer-shape": ["#a7b3c4", "#7d8ba1"],
  "--viewer-mass": ["#b3c0d1", "#8b9ab1"],
  "--viewer-loop": ["#c98a3d", "#d9a35f"],
  "--viewer-contact": ["#8fb59d", "#6f9a80"],
  "--viewer-held": ["#2f8f5b", "#4fb57d"],
  "--viewer-force": ["#b5473c", "#e08075"],
  "--viewer-accent": ["#d9822b", "#f0a24f"],
  "--viewer-com": ["#d9822b", "#f0a24f"],
  "--viewer-ellipsoid": ["#4a7fb5", "#7fb0e0"],
  "--viewer-axis": ["#b5473c", "#e08075"],
  "--viewer-x": ["#c0504d", "#e27d78"],
  "--viewer-y": ["#5b9a57", "#83c07c"],
  "--viewer-z": ["#4a76b8", "#7ea6e0"],
  "--viewer-floor": ["#e9edf2", "#20252d"],
  "--viewer-grid": ["#b9c3d0", "#3f4957"],
  "--viewer-shadow": ["#1d2733", "#000000"],
};

function readColors(canvas) {
  const style = getComputedStyle(canvas), dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const found = {};
  for (const [name, usual] of Object.entries(VIEWER_COLORS)) {
    brush.clearRect(0, 0, 1, 1);
    brush.fillStyle = usual[dark ? 1 : 0];
    brush.fillStyle = style.getPropertyValue(name).trim() || brush.fillStyle;
    brush.fillRect(0, 0, 1, 1);
    found[name.slice(9)] = Array.from(brush.getImageData(0, 0, 1, 1).data.slice(0, 3), (x) => x / 255);
  }
  return found;
}

// Matrix at a place whose third column is a direction times `length`; the others have length `radius`.
function rodMatrix(out, o, from, to, radius) {
  const dx = to[0] - from[0], dy = to[1] - from[1], dz = to[2] - from[2];
  const length = Math.hypot(dx, dy, dz) || 1e-9, z = [dx / length, dy / length, dz / length];
  const least = Math.abs(z[0]) < Math.abs(z[1]) ? (Math.abs(z[0]) < Math.abs(z[2]) ? 0 : 2)
    : Math.abs(z[1]) < Math.abs(z[2]) ? 1 : 2;
  const e = [0, 0, 0];
  e[least] = 1;
  const y = unitVector(crossVectors(z, e)), x = crossVectors(y, z);
  for (let k = 0; k < 3; k++) {
    out[o + k] = radius * x[k];
    out[o + 4 + k] = radius * y[k];
    out[o + 8 + k] = length * z[k];
    out[o + 12 + k] = (from[k] + to[k]) / 2;
  }
  out[o + 3] = out[o + 7] = out[o + 11] = 0;
  out[o + 15] = 1;
}

function scaledMatrix(turned, size, at) {
  return Float64Array.of(
    turned[0] * size[0], turned[1] * size[0], turned[2] * size[0], 0,
    turned[3] * size[1], turned[4] * size[1], turned[5] * size[1], 0,
    turned[6] * size[2], turned[7] * size[2], turned[8] * size[2], 0, at[0], at[1], at[2], 1);
}

const sharedResources = new WeakMap(); // of each context: the viewers of one canvas, one after the other, share them

// When `signal` aborts, another viewer may take over the canvas.
export function createViewer(canvas, scene, kinematics, signal) {
  const gl = canvas.getContext("webgl2", { antialias: true, alpha: true, stencil: true });
  if (!gl) throw new Error("The 3D view needs WebGL2, which this browser does not provide.");
  const options = { frames: false, coms: false, ellipsoids: false, axes: false, ground: true, labels: false,
    markers: true, shapes: true, forces: true };
  let loads = [], largest = 1; // constraint forces, in the world
  const count = scene.bodies.length, S = scene.size, up = scene.up;
  const [east, north] = groundBasis(up);
  const key = unitVector(sumVectors(sumVectors(up, 0.55, east), -0.35, north));
  const poses = new Float64Array(16 * Math.max(1, count)), still = new Float64Array(16);
  [0, 5, 10, 15].forEach((k) => (still[k] = 1));
  const bodyPose = Array.from({ length: count }, (_, k) => poses.subarray(16 * k, 16 * k + 16));
  const poseOf = (body) => (body < 0 ? still : bodyPose[body]);
  const solids = scene.solids.map((s) => ({ ...s, local: scaledMatrix(s.turned, s.size, s.at) }));
  const placed = scene.meshes.map((m) => ({ ...m, kind: `surface${m.surface}`, local: scaledMatrix(m.turned, [1, 1, 1], m.at) }));
  const drums = new Set(solids.filter((s) => s.role === "joint").map((s) => s.body));
  const product = new Float64Array(16), heaviest = Math.max(...scene.bodies.map((b) => b.mass), 1e-9);
  const camera = createCamera(scene);
  let colors = readColors(canvas), lit = -9, hovered = -1, wanted = 0, spent = 0, milliseconds = 0, frames = 0;
  let gpu = null, hoverAt = null;
  const listeners = { hover: [], pick: [], frame: [] };

  const place = (body, p) => {
    const T = poseOf(body);
    return [0, 1, 2].map((i) => T[i] * p[0] + T[i + 4] * p[1] + T[i + 8] * p[2] + T[i + 12]);
  };

  function build() {
    const meshes = unitMeshes(), all = { ...meshes, ...surfaceMeshes(scene.surfaces) };
    gpu = { programs: createPrograms(gl), pick: createPicker(gl), solid: createInstances(gl, all),
      over: createInstances(gl, meshes), clear: createInstances(gl, meshes) };
    sharedResources.set(gl, gpu);
  }
  gpu = sharedResources.get(gl);
  if (!gpu) build(); // errors occur before any listener is added

  // -- instances ---------------------------------------------------------------------------------------
  function put(group, kind, color, alpha, body, local) {
    const [data, o] = group.add(kind, color, alpha, body);
    data.set(multiplyMatrices(poseOf(body), local, product), o);
  }
  function rod(group, kind, color, body, from, to, radius) {
    const [data, o] = group.add(kind, color, 1, body);
    rodMatrix(data, o, from, to, radius);
  }
  function ball(group, color, body, p, r) {
    const [data, o] = group.add("sphere", color, 1, body);
    data.fill(0, o, o + 16);
    data[o] = data[o + 5] = data[o + 10] = r;
    data.set(p, o + 12);
    data[o + 15] = 1;
  }
  function arrow(group, color, body, from, direction, length, radius) {
    const neck = sumVectors(from, 0.74 * length, direction);
    rod(group, "cylinder", color, body, from, neck, radius);
    rod(group, "cone", color, body, neck, sumVectors(from, length, direction), 2.6 * radius);
  }

  function fill() {
    const { solid, over, clear } = gpu;
    for (const group of [solid, over, clear]) group.clear();
    for (const r of scene.rods) {
      const a = place(r.from, r.start), b = place(r.to, r.end);
      rod(solid, "cylinder", colors.link, r.body, a, b, r.radius);
      if (!drums.has(r.from)) ball(solid, colors.link, r.body, a, r.radius); // otherwise hidden inside the drum
      ball(solid, colors.link, r.body, b, r.radius);
    }
    for (const s of solids) put(solid, s.kind, colors[s.role], 1, s.body, s.local);
    for (const m of placed) put(solid, m.kind, m.color ?? colors.shape, 1, m.body, m.local);
    scene.bodies.forEach((b, k) => {
      const T = bodyPose[k], origin = place(k, [0, 0, 0]);
      if (options.frames && (b.shown || b.axes.length)) {
        [colors.x, colors.y, colors.z].forEach((color, j) =>
          arrow(over, color, k, origin, [T[4 * j], T[4 * j + 1], T[4 * j + 2]], 0.07 * S, 0.003 * S));
      }
      if (options.axes) {
        for (const a of b.axes) {
          const d = place(k, a.direction).map((x, i) => x - origin[i]);
          arrow(over, colors.axis, k, sumVectors(origin, -0.07 * S, d), d, 0.17 * S, 0.0045 * S);
        }
      }
      if (b.mass > 0 && options.coms) {
        ball(over, colors.com, k, place(k, b.com), S * (0.007 + 0.012 * Math.cbrt(b.mass / heaviest)));
      }
      if (b.radii && options.ellipsoids) {
        const least = b.radii.map((r) => Math.max(r, 0.004 * S));
        put(clear, "sphere", colors.ellipsoid, 0.32, k, scaledMatrix(b.principal, least, b.com));
      }
    });
    for (const load of options.forces ? loads : []) {
      const size = Math.hypot(...load.force), length = (0.3 * S * size) / largest;
      if (length < 0.004 * S) continue;
      arrow(over, colors.force, load.body, place(load.body, load.point), load.force.map((x) => x / size), length, 0.0045 * S);
    }
    for (const group of [solid, over, clear]) group.upload();
  }

  // -- a frame -----------------------------------------------------------------------------------------
  function useShapes(clip, mode) {
    const { program, uniforms } = gpu.programs.shape;
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.clip, false, Float32Array.from(clip));
    gl.uniform3fv(uniforms.up, up);
    gl.uniform3fv(uniforms.eye, camera.eye);
    gl.uniform3fv(uniforms.key, key);
    gl.uniform1f(uniforms.ground, scene.ground + 0.0005 * S);
    gl.uniform1i(uniforms.mode, mode);
    gl.uniform1f(uniforms.lit, lit);
    gl.uniform4f(uniforms.accent, ...colors.accent, 1);
    gl.uniform4f(uniforms.shade, ...colors.shadow.map((x) => 0.14 * x), 0.14);
  }
  function drawGround() {
    const { program, uniforms } = gpu.programs.ground, reach = 2.6 * S;
    const cell = 10 ** Math.round(Math.log10(S / 8) - 0.15), middle = camera.target;
    const center = sumVectors(middle, scene.ground - dotVectors(middle, up), up);
    gl.useProgram(program);
    gl.uniformMatrix4fv(uniforms.clip, false, Float32Array.from(camera.clip));
    gl.uniform3fv(uniforms.center, center);
    gl.uniform3fv(uniforms.east, east);
    gl.uniform3fv(uniforms.north, north);
    gl.uniform1f(uniforms.reach, reach);
    gl.uniform1f(uniforms.cells, reach / cell);
    gl.uniform2f(uniforms.shift, dotVectors(center, east) / cell, dotVectors(center, north) / cell);
    gl.uniform4f(uniforms.floorColor, ...colors.floor, 0.55);
    gl.uniform4f(uniforms.gridColor, ...colors.grid, 0.8);
    gl.depthMask(false);
    gpu.solid.plane();
    useShapes(camera.clip, 2); // shadows: each pixel once, regardless of the number of bodies above it
    gl.enable(gl.STENCIL_TEST);
    gl.stencilFunc(gl.EQUAL, 0, 255);
    gl.stencilOp(gl.KEEP, gl.KEEP, gl.INCR);
    gpu.solid.draw();
    gl.disable(gl.STENCIL_TEST);
    gl.depthMask(true);
  }
  function draw() {
    const start = performance.now();
    wanted = 0;
    if (gl.isContextLost() || signal?.aborted) return;
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(0, 0, 0, 0);
    gl.depthMask(true);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT | gl.STENCIL_BUFFER_BIT);
    gl.enable(gl.DEPTH_TEST);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    fill();
    if (options.ground) drawGround();
    useShapes(camera.clip, 0);
    gpu.solid.draw();
    gl.depthMask(false);
    gl.enable(gl.CULL_FACE);
    gpu.clear.draw();
    gl.disable(gl.CULL_FACE);
    gl.depthMask(true);
    gl.clear(gl.DEPTH_BUFFER_BIT); // the optional elements are visible through the links
    gpu.over.draw();
    if (hoverAt) hover();
    writeLabels();
    frames++;
    spent += performance.now() - start;
    // Average over the last frames; the first ones compile the shaders.
    if (frames > 3) milliseconds = milliseconds ? 0.9 * milliseconds + 0.1 * spent : spent;
    spent = 0;
    for (const listener of listeners.frame) listener();
  }
  const invalidate = () => (wanted ||= requestAnimationFrame(draw));

  // -- picking -----------------------------------------------------------------------------------------
  const bodyAt = ([x, y]) => gpu.pick(camera, x, y, (clip) => {
    useShapes(clip, 1);
    gpu.solid.draw();
    gpu.over.draw();
  });
  const nameOf = (body) => (body < 0 ? null : scene.bodies[body].name);
  function hover() {
    const body = hoverAt === "gone" ? -1 : bodyAt(hoverAt);
    hoverAt = null;
    canvas.style.cursor = body < 0 ? "grab" : "pointer";
    if (body !== hovered) {
      hovered = body;
      for (const listener of listeners.hover) listener(nameOf(body));
    }
  }
  const steering = steerCamera(canvas, camera, invalidate, (at) => {
    const name = nameOf(bodyAt(at));
    for (const listener of listeners.pick) listener(name);
  }, signal);
  const point = (at) => { hoverAt = at; invalidate(); };
  canvas.addEventListener("pointermove", (e) => { if (!steering.busy()) point([e.offsetX, e.offsetY]); }, { signal });
  canvas.addEventListener("pointerleave", () => point("gone"), { signal });

  // -- labels: names from files, so text nodes only ------------------------------------------------------
  const overlay = document.createElement("div"), labels = [], markers = [];
  overlay.className = "viewer-overlay";
  Object.assign(overlay.style, { position: "absolute", overflow: "hidden", pointerEvents: "none" });
  overlay.setAttribute("aria-hidden", "true");
  if (canvas.parentNode) {
    if (getComputedStyle(canvas.parentNode).position === "static") canvas.parentNode.style.position = "relative";
    canvas.parentNode.insertBefore(overlay, canvas.nextSibling);
  }
  function mark(className, body, text) {
    const element = document.createElement("span");
    element.className = className;
    element.dataset.body = scene.bodies[body].name;
    element.textContent = text;
    Object.assign(element.style, { position: "absolute", left: "0", top: "0", whiteSpace: "nowrap" });
    overlay.append(element);
    return element;
  }
  scene.bodies.forEach((b, k) => {
    const element = mark("viewer-label", k, b.name);
    Object.assign(element.style, { font: "500 11px system-ui, sans-serif", opacity: "0.85" });
    labels.push({ element, body: k, width: 0 });
  });
  for (const tip of scene.tips) {
    const element = mark("viewer-marker", tip.body, "");
    Object.assign(element.style, { width: "7px", height: "7px", boxSizing: "border-box",
      border: "1.5px solid currentColor", borderRadius: "50%", opacity: "0.55" });
    markers.push({ element, ...tip });
  }
  function moveTo(element, at, dx, dy) {
    element.style.visibility = at ? "visible" : "hidden";
    if (at) element.style.transform = `translate(${at[0].toFixed(2)}px, ${at[1].toFixed(2)}px) translate(${dx}, ${dy})`;
  }
  function writeLabels() {
    for (const m of markers) {
      moveTo(m.element, options.markers ? camera.project(place(m.body, m.point)) : null, "-50%", "-50%");
    }
    const taken = []; // labels do not overlap; the highlighted one comes first, then the nearest
    const nearest = labels.map((label) => {
      const b = scene.bodies[label.body], shown = options.labels && (b.shown || b.axes.length);
      const at = shown || label.body === lit ? camera.project(place(label.body, [0, 0, 0])) : null;
      return { label, at };
    }).sort((a, b) => (a.label.body === lit ? -9 : a.at?.[2] ?? 9) - (b.label.body === lit ? -9 : b.at?.[2] ?? 9));
    for (const { label, at } of nearest) {
      const width = at ? (label.width ||= label.element.offsetWidth) : 0;
      const free = at && taken.every(([x, y, w]) =>
        Math.abs(y - at[1]) > 13 || at[0] > x + w + 4 || at[0] + width + 4 < x);
      if (free) taken.push([at[0], at[1], width]);
      label.element.style.fontWeight = label.body === lit ? "700" : "500";
      moveTo(label.element, free ? at : null, "9px", "-150%");
    }
  }

  // -- size and colours --------------------------------------------------------------------------------
  function resize() {
    const ratio = Math.min(2, devicePixelRatio || 1), width = canvas.clientWidth, height = canvas.clientHeight;
    if (!width || !height) return;
    Object.assign(overlay.style, { left: `${canvas.offsetLeft}px`, top: `${canvas.offsetTop}px`,
      width: `${width}px`, height: `${height}px` });
    if (canvas.width !== Math.round(width * ratio)) canvas.width = Math.round(width * ratio);
    if (canvas.height !== Math.round(height * ratio)) canvas.height = Math.round(height * ratio);
    camera.resize(width, height);
    if (!camera.moved) camera.fit(); // until the user moves the camera
    draw();
  }
  const recolor = () => { colors = readColors(canvas); invalidate(); };
  const observer = new ResizeObserver(resize), darkness = matchMedia("(prefers-color-scheme: dark)");
  observer.observe(canvas);
  darkness.addEventListener("change", recolor, { signal });
  canvas.addEventListener("webglcontextlost", (e) => e.preventDefault(), { signal });
  canvas.addEventListener("webglcontextrestored", () => { build(); invalidate(); }, { signal });
  signal?.addEventListener("abort", () => { observer.disconnect(); overlay.remove(); });
  if (!canvas.hasAttribute("tabindex")) canvas.tabIndex = 0;
  if (!canvas.hasAttribute("aria-label")) {
    canvas.setAttribute("aria-label", `${scene.name} in 3D: arrow keys rotate, plus and minus zoom, F fits the view`);
  }

  const viewer = {
    setPose(q) {
      const start = performance.now();
      kinematics(q, poses);
      spent += performance.now() - start;
      invalidate();
    },
    setLoads(given, unit) { loads = given; largest = unit || 1; invalidate(); },
    setOptions(given) { Object.assign(options, given); invalidate(); },
    highlight(name) { lit = name === null ? -9 : scene.bodies.findIndex((b) => b.name === name); invalidate(); },
    onHover(listener) { listeners.hover.push(listener); },
    onPick(listener) { listeners.pick.push(listener); },
    onFrame(listener) { listeners.frame.push(listener); },
    project(p) { const at = camera.project(p); return at && at.slice(0, 2); },
    pick: (x, y) => nameOf(bodyAt([x, y])),
    fit() { camera.fit(); invalidate(); },
    move(d) { camera.follow(d); invalidate(); },
    turn(yaw, pitch) { camera.orbit(yaw - camera.yaw, pitch - camera.pitch); invalidate(); },
    camera: () => ({ clip: Array.from(camera.clip), width: camera.width, height: camera.height,
      yaw: camera.yaw, pitch: camera.pitch, distance: camera.distance, target: camera.target.slice() }),
    recolor, draw, stats: () => ({ scriptMs: milliseconds, frames }),
  };
  viewer.setPose(scene.coordinates.map((c) => c.home));
  resize();
  return viewer;
}
