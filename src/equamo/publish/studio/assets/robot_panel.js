// Panel of the robot: the 3D view with sliders, and links that follow the pointer.

const OPTIONS = [["axes", "joint axes", true], ["coms", "centres of mass", false], ["ellipsoids", "inertia", false],
  ["frames", "frames", false], ["labels", "names", false], ["ground", "ground", true]];

export class RobotPanel {
  constructor(session) {
    this.session = session;
    this.box = byId("robot-panel");
    this.chosen = new Map(OPTIONS.map(([name, , on]) => [name, on]));
    this.view = null;
    this.build();
    session.on("light", (name) => this.state?.light(name === null ? null : this.bodies.indexOf(name)));
  }

  build() {
    const canvas = html("canvas", { id: "canvas", tabindex: 0, role: "img",
      "aria-label": "The robot in 3D. Drag a link to move it, drag the background or use the arrow keys to rotate, scroll to zoom." });
    this.over = html("div", { id: "over", "aria-live": "polite" });
    this.options = html("div", { class: "options", id: "options" });
    this.coordinates = html("div", { id: "coordinates", class: "coordinates" });
    const stage = html("div", { class: "stage" }, canvas, this.over);
    this.box.replaceChildren(stage, this.options, html("div", { id: "player", class: "player", hidden: true }), this.coordinates);
    stage.addEventListener("pointerdown", (event) => this.grab(event, canvas, stage), { capture: true });
    canvas.addEventListener("pointermove", (event) => { if (event.buttons) this.turned = true; });
  }

  // Show another robot on the same canvas; the view's direction stays if it was turned by hand.
  show(state, scene, kinematics) {
    const camera = this.view?.camera?.(), { scrollTop } = this.coordinates;
    this.stop?.abort();
    this.stop = new AbortController();
    if (state === this.state) { // what the former view listened to
      state.changed = state.changed.filter((f) => !this.added.has(f));
      state.lighting = state.lighting.filter((f) => !this.added.has(f));
    }
    const before = new Set([...state.changed, ...state.lighting]);
    for (const old of this.box.querySelectorAll("svg.sketch")) old.remove();
    Object.assign(this, { state, scene, kinematics, bodies: state.robot.bodies.map((b) => b.name) });
    this.over.replaceChildren();
    this.coordinates.replaceChildren();
    this.options.replaceChildren(...OPTIONS.map(([name, label]) => {
      const input = html("input", { type: "checkbox", "data-option": name, checked: this.chosen.get(name), onchange: () => this.chosen.set(name, input.checked) });
      return html("label", {}, input, ` ${label}`);
    }));
    this.view = showRobot(state, scene, kinematics, this.stop.signal);
    showCoordinates(state);
    this.added = new Set([...state.changed, ...state.lighting].filter((f) => !before.has(f)));
    this.coordinates.scrollTop = scrollTop;
    if (camera && this.turned) this.view.turn?.(camera.yaw, camera.pitch);
  }

  // Coordinates that a drag may change: the joints between a body and the world, not a floating base.
  movable(body) {
    const { robot } = this.state, chain = [], names = robot.symbols.filter((s) => s.kind === "q").map((s) => s.name);
    for (let b = body; b >= 0; b = robot.bodies[b].parent) chain.push(b);
    const fixed = new Set(robot.units.flat());
    const joints = chain.filter((b) => !/^(Free|Planar)/.test(robot.bodies[b].joint) || chain.length === 1);
    const places = joints.flatMap((b) => robot.bodies[b].coordinates.map((name) => names.indexOf(name)));
    return places.filter((k) => k >= 0 && !fixed.has(k));
  }

  grab(event, canvas, stage) {
    if (event.target !== canvas || event.button !== 0 || event.shiftKey || !this.view.pick || this.session.locked || this.session.closed) return;
    const name = this.view.pick(event.offsetX, event.offsetY), body = name === null ? -1 : this.bodies.indexOf(name);
    const free = body < 0 ? [] : this.movable(body);
    if (!free.length) return;
    const ray = pixelRay(this.view.camera(), event.offsetX, event.offsetY);
    const point = this.touched(body, ray);
    event.stopPropagation();
    event.preventDefault();
    canvas.focus({ preventScroll: true });
    const box = canvas.getBoundingClientRect(), start = [event.clientX, event.clientY];
    const depth = dotVectors(sumVectors(point.world, -1, ray.origin), this.forward());
    let moved = false;
    const follow = (e) => {
      if (!moved && Math.hypot(e.clientX - start[0], e.clientY - start[1]) < 4) return;
      moved = true;
      this.session.emit("grab");
      const { origin, direction } = pixelRay(this.view.camera(), e.clientX - box.left, e.clientY - box.top);
      const target = sumVectors(origin, depth / dotVectors(direction, this.forward()), direction);
      const { q } = reachPoint({ kinematics: this.kinematics, bodies: this.bodies.length, q: this.state.q, body, point: point.own, target, free,
        ranges: this.state.robot.ranges, size: this.scene.size || 1 });
      this.state.set(q, this.state.v);
    };
    const done = (e) => {
      drag.abort();
      stage.classList.remove("dragging");
      if (e.type === "pointerup" && !moved) this.state.pin(body);
    };
    const drag = new AbortController(), { signal } = drag;
    stage.classList.add("dragging");
    canvas.setPointerCapture(event.pointerId);
    for (const [kind, f] of [["pointermove", follow], ["pointerup", done], ["pointercancel", done]]) {
      stage.addEventListener(kind, (e) => { e.stopPropagation(); f(e); }, { capture: true, signal });
    }
    this.state.light(body);
  }

  forward() {
    const { clip } = this.view.camera();
    return unitVector([clip[3], clip[7], clip[11]]); // the row of w grows along the line of sight
  }

  // Point of a body that is nearest to a ray: on its rods, or its origin; in the world and in the body.
  touched(body, ray) {
    const poses = new Float64Array(16 * this.bodies.length);
    this.kinematics(this.state.q, poses);
    const at = (b, p) => (b < 0 ? p : [0, 1, 2].map((i) => poses[16 * b + i] * p[0] + poses[16 * b + i + 4] * p[1] + poses[16 * b + i + 8] * p[2] + poses[16 * b + i + 12]));
    const own = this.scene.rods.filter((r) => r.body === body).map((r) => nearestOnSegment(at(r.from, r.start), at(r.to, r.end), ray));
    for (const s of this.scene.solids) if (s.body === body) own.push(nearestOnSegment(at(body, s.at), at(body, s.at), ray));
    own.push({ ...nearestOnSegment(at(body, [0, 0, 0]), at(body, [0, 0, 0]), ray) });
    const { point: world } = own.reduce((best, x) => (x.away < best.away ? x : best));
    const T = poses.subarray(16 * body, 16 * body + 16), d = [0, 1, 2].map((i) => world[i] - T[12 + i]);
    return { world, own: [0, 1, 2].map((j) => d[0] * T[4 * j] + d[1] * T[4 * j + 1] + d[2] * T[4 * j + 2]) };
  }
}
