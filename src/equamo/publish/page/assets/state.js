// State of the page: coordinates and speeds, the highlighted body, and listeners.

export class PageState {
  constructor(robot) {
    this.robot = robot;
    const names = new Map(robot.names.map(([node, letter, body, axis, minus]) => [node, {
      letter, body, axis, minus, name: [letter, robot.bodies[body].name, axis].filter(Boolean).join("_"),
    }]));
    this.tape = new Tape(robot.tape, robot.symbols, names);
    this.q = robot.ranges.map((r) => r.home);
    this.v = robot.speeds.map((s) => s.home);
    this.lit = null;
    this.pinned = null;
    this.scriptMs = 0; // script time of the last frame
    this.changed = []; // f(playing), called when the state changes
    this.lighting = []; // f(body or null)
    this.pending = false;
    this.playing = false;
    this.onTrack = false; // whether the state is one of the simulated motion
  }

  onChange(f) {
    this.changed.push(f);
  }

  onLight(f) {
    this.lighting.push(f);
  }

  set(q, v) {
    this.q = Array.from(q);
    this.v = Array.from(v);
    this.onTrack = false;
    this.normalise();
    this.schedule();
  }

  setCoordinate(k, value) {
    this.q[k] = value;
    this.onTrack = false;
    this.normalise(k);
    this.schedule();
  }

  setSpeed(k, value) {
    this.v[k] = value;
    this.onTrack = false;
    this.schedule();
  }

  reset() {
    this.set(this.robot.ranges.map((r) => r.home), this.robot.speeds.map((s) => s.home));
  }

  // Normalise quaternions: the entry just moved keeps its value, the others are scaled.
  normalise(kept = -1) {
    for (const group of this.robot.units) {
      const rest = group.filter((k) => k !== kept);
      const mine = group.length > rest.length;
      if (mine) this.q[kept] = Math.max(-1, Math.min(1, this.q[kept]));
      const own = mine ? Math.abs(this.q[kept]) : 0;
      const length = Math.hypot(...rest.map((k) => this.q[k]));
      const wanted = Math.sqrt(Math.max(0, 1 - own * own));
      if (length > 1e-9) rest.forEach((k) => { this.q[k] *= wanted / length; });
      else if (rest.length) this.q[rest[0]] = wanted;
    }
  }

  schedule() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => this.update());
  }

  // Update everything that depends on q and v.
  update() {
    this.pending = false;
    const start = performance.now();
    const { inputs } = this.tape;
    inputs.set(this.q, 0);
    inputs.set(this.v, this.q.length);
    this.tape.run();
    for (const f of this.changed) f(this.playing);
    this.scriptMs = performance.now() - start;
  }

  // Highlight the body under the pointer, or none; a clicked body stays highlighted.
  light(body) {
    const wanted = body ?? this.pinned;
    if (wanted === this.lit) return;
    this.lit = wanted;
    for (const f of this.lighting) f(wanted);
  }

  pin(body) {
    this.pinned = this.pinned === body ? null : body;
    this.light(this.pinned);
  }
}
