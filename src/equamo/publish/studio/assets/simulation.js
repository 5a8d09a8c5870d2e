// Simulation in the page: classical Runge-Kutta with a fixed step, inputs as expressions, and a ledger of
// the energy. The work of inputs and of passive forces is integrated with the state.

const RATE = 60; // samples per second that are kept

export class Simulation {
  // inputs: Map name -> text
  constructor(dynamics, q, v, inputs, step) {
    this.d = dynamics;
    this.h = step;
    this.t = 0;
    this.x = { q: Float64Array.from(q), v: Float64Array.from(v), work: 0, lost: 0 };
    this.every = Math.max(1, Math.round(1 / (RATE * step)));
    this.steps = 0;
    this.applied = dynamics.inputs.map((s) => ({ place: s.place, f: this.parse(s.name, inputs.get(s.name) ?? "") }));
    this.motion = { t: [], q: [], v: [], rates: [], inputs: [], ledger: { kinetic: [], potential: [], "work of inputs": [], "work of passive forces": [], sum: [] } };
    this.sample();
  }

  // Function of an input's expression; an error names the input.
  parse(input, text) {
    try {
      return parseExpression(text, (name) => this.lookup(name));
    } catch (error) {
      throw error instanceof ExpressionError ? new ExpressionError(`${input}: ${error.message}`) : error;
    }
  }

  // Names in expressions: t, coordinates, speeds, parameters, and entries such as g[q1] or M[q1, q2].
  lookup(name) {
    const { d } = this;
    if (name === "t") return () => this.now;
    const k = d.symbols.findIndex((s) => s.name === name);
    if (k >= 0) return ["q", "v", "parameters"].includes(d.symbols[k].kind) ? () => d.tape.inputs[k] : null;
    const entry = /^([A-Za-z]+)\[([^\]]*)\]$/.exec(name);
    const part = entry && [...d.parts.values()].find((p) => p.letter === entry[1] && d.places.has(p.id));
    if (!part) return null;
    const [row, column] = entry[2].split(",").map((x) => x.trim());
    const i = part.rows.indexOf(row), j = part.columns.length ? part.columns.indexOf(column) : 0;
    if (i < 0 || j < 0 || (column === undefined) !== !part.columns.length) return null;
    return () => d.read(part.id, i * (part.columns.length || 1) + j);
  }

  // Rates of q, v and of both works at a state.
  flow(t, { q, v }) {
    const { d } = this;
    this.now = t;
    d.set(q, v);
    for (const { place } of this.applied) d.tape.inputs[place] = 0;
    d.run();
    let again = false;
    for (const { place, f } of this.applied) {
      const x = f();
      if (!Number.isFinite(x)) throw new Error(`The input ${d.symbols[place].name} must be a finite number, got ${x} at t = ${t.toFixed(3)} s.`);
      d.tape.inputs[place] = x;
      again ||= x !== 0 && d.symbols[place].kind === "external";
    }
    if (again) d.run(); // passive forces contain external wrenches
    const driving = d.driving(), passive = d.passive();
    const vdot = d.accelerations(driving, passive);
    let work = 0, lost = 0;
    for (let i = 0; i < d.nv; i++) {
      work += driving[i] * v[i];
      lost += passive[i] * v[i];
    }
    return { q: d.rates(v), v: vdot, work, lost };
  }

  step() {
    const { h, x, t } = this;
    const moved = (k, s) => ({ q: x.q.map((a, i) => a + s * k.q[i]), v: x.v.map((a, i) => a + s * k.v[i]) });
    const k1 = this.flow(t, x), k2 = this.flow(t + h / 2, moved(k1, h / 2));
    const k3 = this.flow(t + h / 2, moved(k2, h / 2)), k4 = this.flow(t + h, moved(k3, h));
    const mean = (key, i) => (k1[key][i] + 2 * k2[key][i] + 2 * k3[key][i] + k4[key][i]) / 6;
    const next = { q: x.q.map((a, i) => a + h * mean("q", i)), v: x.v.map((a, i) => a + h * mean("v", i)),
      work: x.work + (h * (k1.work + 2 * k2.work + 2 * k3.work + k4.work)) / 6,
      lost: x.lost + (h * (k1.lost + 2 * k2.lost + 2 * k3.lost + k4.lost)) / 6 };
    this.d.normalise(next.q);
    if (![...next.q, ...next.v].every((a) => Math.abs(a) < 1e9)) throw new Error(`The motion diverges at t = ${t.toFixed(3)} s; choose a smaller step.`);
    this.x = next;
    this.steps += 1;
    this.t = this.steps * h;
    if (this.steps % this.every === 0) this.sample();
  }

  // Store the current state; the energy is counted from the start.
  sample() {
    const { motion: m, d, x, t } = this;
    const { q: rates } = this.flow(t, x), T = d.read("E", 0), U = d.read("E", 1);
    this.start ??= { T, U };
    m.t.push(t);
    m.q.push(Array.from(x.q));
    m.v.push(Array.from(x.v));
    m.rates.push(Array.from(rates));
    m.inputs.push(this.applied.map(({ place }) => d.tape.inputs[place]));
    const ledger = [T - this.start.T, U - this.start.U, -x.work, -x.lost];
    Object.keys(m.ledger).forEach((name, k) => m.ledger[name].push(k < 4 ? ledger[k] : ledger.reduce((a, b) => a + b, 0)));
  }

  // Largest error of the energy's account, and the energy exchanged.
  get drift() {
    return Math.max(...this.motion.ledger.sum.map(Math.abs));
  }

  get exchanged() {
    const { sum, ...terms } = this.motion.ledger;
    return Math.max(...Object.values(terms).map((y) => Math.max(...y) - Math.min(...y)));
  }
}
