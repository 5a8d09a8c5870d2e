// Equations of motion as numbers: M v̇ + b + g = B τ + f and q̇ = N v, evaluated on a tape of their own.

// The part of a tape that some nodes need, as a tape with the same symbols: { tape, at: node -> place }.
export function subTape(tape, roots) {
  const needed = new Uint8Array(tape.size);
  for (const k of roots) if (k >= 0) needed[k] = 1;
  for (let k = tape.size - 1; k >= 0; k--) if (needed[k]) for (const x of tape.operands(k)) needed[x] = 1;
  const at = new Int32Array(tape.size).fill(-1), ops = [], a = [], b = [];
  for (let k = 0; k < tape.size; k++) {
    if (!needed[k]) continue;
    const operands = tape.operands(k);
    at[k] = ops.length;
    ops.push(tape.op(k));
    a.push(operands.length > 0 ? at[operands[0]] : tape.a[k]);
    b.push(operands.length > 1 ? at[operands[1]] : tape.b[k]);
  }
  const small = new Tape({ ops: ops.join(""), a, b, constants: tape.constants, functions: tape.functionNames }, tape.symbols, new Map());
  return { tape: small, at };
}

// Poses of all bodies as a function of q, 16 numbers per body. Parameters of the page's tape are read
// there; `take` changes numbers of the text that are not parameters.
export function kinematicsOf(state, { poses, numbers }) {
  const tape = new Tape(poses.tape, poses.symbols.map((name) => ({ name, value: numbers.parameters[name] ?? 0 })), new Map());
  const known = new Map(state.tape.symbols.map((s, k) => [s.name, k])), shared = [];
  poses.symbols.forEach((name, k) => { if (known.has(name)) shared.push([k, known.get(name)]); });
  const kinematics = (q, out) => {
    for (const [k, place] of shared) tape.inputs[k] = state.tape.inputs[place];
    tape.inputs.set(q, 0);
    tape.run();
    for (let k = 0; k < poses.nodes.length; k++) out[k] = tape.values[poses.nodes[k]];
    return out;
  };
  kinematics.take = (parameters) => {
    poses.symbols.forEach((name, k) => { if (parameters[name] !== undefined && !known.has(name)) tape.inputs[k] = parameters[name]; });
  };
  return kinematics;
}

// Reads parts of the equations as arrays of numbers after `run()`.
export class Dynamics {
  constructor(state, parts) {
    const { symbols } = state.tape, count = (kind) => symbols.filter((s) => s.kind === kind).length;
    this.symbols = symbols;
    this.nq = count("q");
    this.nv = count("v");
    this.first = (kind) => symbols.findIndex((s) => s.kind === kind);
    this.parts = new Map(parts.map((p) => [p.id, p]));
    const wanted = ["M", "b", "g", "B", "f", "N", "E"].map((id) => this.parts.get(id)).filter(Boolean);
    const { tape, at } = subTape(state.tape, wanted.flatMap((p) => p.entries));
    this.tape = tape;
    this.at = at;
    this.places = new Map(wanted.map((p) => [p.id, Int32Array.from(p.entries, (k) => (k < 0 ? -1 : at[k]))]));
    this.inputs = symbols.map((s, k) => ({ ...s, place: k })).filter((s) => s.kind === "inputs" || s.kind === "external");
    this.units = state.robot.units;
    this.square = this.nq === this.nv;
  }

  // Copy parameter values from the page's tape.
  takeValues(inputs) {
    this.tape.inputs.set(inputs);
  }

  read(id, k) {
    const place = this.places.get(id)?.[k] ?? -1;
    return place < 0 ? 0 : this.tape.values[place];
  }

  set(q, v) {
    this.tape.inputs.set(q, 0);
    this.tape.inputs.set(v, this.nq);
  }

  run() {
    this.tape.run();
  }

  // Rates q̇ = N v at the current values.
  rates(v) {
    const { nq, nv } = this, N = this.places.get("N");
    if (!N) return Float64Array.from(v);
    const out = new Float64Array(nq);
    for (let i = 0; i < nq; i++) for (let j = 0; j < nv; j++) out[i] += this.read("N", i * nv + j) * v[j];
    return out;
  }

  // Generalized forces of the inputs, B τ.
  driving() {
    const out = new Float64Array(this.nv), B = this.parts.get("B");
    if (!B) return out;
    const m = B.columns.length, first = this.first("inputs");
    for (let i = 0; i < this.nv; i++) for (let j = 0; j < m; j++) out[i] += this.read("B", i * m + j) * this.tape.inputs[first + j];
    return out;
  }

  passive() {
    return Float64Array.from({ length: this.nv }, (_, i) => this.read("f", i));
  }

  // v̇ = M⁻¹ (B τ + f − b − g), by the Cholesky factor of M.
  accelerations(driving, passive) {
    const { nv } = this, L = new Float64Array(nv * nv), x = new Float64Array(nv);
    for (let i = 0; i < nv; i++) {
      for (let j = 0; j <= i; j++) {
        let s = this.read("M", i * nv + j);
        for (let k = 0; k < j; k++) s -= L[i * nv + k] * L[j * nv + k];
        if (i !== j) L[i * nv + j] = s / L[j * nv + j];
        else if (s > 0) L[i * nv + i] = Math.sqrt(s);
        else throw new Error("The mass matrix is not positive definite at this state: give every moving body a mass.");
      }
      let s = driving[i] + passive[i] - this.read("b", i) - this.read("g", i);
      for (let k = 0; k < i; k++) s -= L[i * nv + k] * x[k];
      x[i] = s / L[i * nv + i];
    }
    for (let i = nv - 1; i >= 0; i--) {
      for (let k = i + 1; k < nv; k++) x[i] -= L[k * nv + i] * x[k];
      x[i] /= L[i * nv + i];
    }
    return x;
  }

  // Quaternions keep unit length.
  normalise(q) {
    for (const group of this.units) {
      const length = Math.hypot(...group.map((k) => q[k]));
      if (length > 0) for (const k of group) q[k] /= length;
    }
  }
}
