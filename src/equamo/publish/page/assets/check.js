// "Check it yourself": what checker/check.py does, in BigInt. The theorem and its proof are at its head.
// Both sides of every identity are registers of one straight-line program; they are compared modulo a
// random prime, at a random point, both drawn here; degrees, heights and bounds are computed here too.

const CHUNK = 4096; // instructions between two pauses, so that the page stays alive
const ADD = 0, SUB = 1, MUL = 2, DIV = 3, ROOT = 4;
const SIGNS = ["+", "-", "*", "/"];

// The program and the identities of the page's data.
export async function readProof(data) {
  const head = JSON.parse(new TextDecoder().decode(await inflated(data.head)));
  const bytes = await inflated(data.program);
  const n = data.instructions;
  const groups = [...head.circles, ...head.spheres];
  const inputs = head.numbers.length + head.symbols.length + groups.reduce((sum, g) => sum + g.length, 0);
  const ops = bytes.slice(0, n), a = new Int32Array(n), b = new Int32Array(n);
  let at = n;
  for (const column of [a, b]) {
    for (let k = 0; k < n; k++) { // how far back the operand is, in groups of seven bits
      let back = 0, shift = 0, byte;
      do { byte = bytes[at++]; back += (byte & 127) * 2 ** shift; shift += 7; } while (byte > 127);
      column[k] = inputs + k - back;
      if (!(ops[k] <= ROOT && back > 0 && column[k] >= 0)) throw new Rejected("an instruction is out of place");
    }
  }
  if (at !== bytes.length) throw new Rejected("the program has another length");
  const numbers = head.numbers.map((x) => x.split("/").map(BigInt)).map(([p, q]) => [p, q ?? 1n]);
  return { ...head, head, numbers, groups, inputs, ops, a, b };
}

async function inflated(text) {
  const packed = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The file that checker/check.py reads, one instruction per line.
export function proofText({ head, ops, a, b }) {
  const program = Array.from(ops, (op, k) => (op === ROOT ? `root ${a[k]}` : `${a[k]} ${SIGNS[op]} ${b[k]}`));
  const list = (x) => (Array.isArray(x) ? `[\n${x.map((y) => JSON.stringify(y)).join(",\n")}\n]` : JSON.stringify(x));
  return `{\n${Object.entries({ ...head, program }).map(([k, x]) => `${JSON.stringify(k)}: ${list(x)}`).join(",\n")}\n}\n`;
}

// One result per identity, and the bound of all: { lines: [{ name, fault, bits, degree }], bits, accepted }.
export async function checkProof(proof, pause = () => {}) {
  const size = proof.inputs + proof.ops.length;
  const difference = new Map(); // "left right" -> the register of left - right
  const ops = [...proof.ops], a = [...proof.a], b = [...proof.b];
  for (const { left, right } of proof.identities) {
    if (!left.length || left.length !== right.length) throw new Rejected("the sides of an identity differ in length");
    left.forEach((l, k) => {
      const r = right[k];
      if (!(l >= 0 && l < size && r >= 0 && r < size)) throw new Rejected("an identity names a register that is not there");
      if (l === r || difference.has(`${l} ${r}`)) return;
      difference.set(`${l} ${r}`, proof.inputs + ops.length);
      ops.push(SUB); a.push(l); b.push(r);
    });
  }
  const program = { ops, a, b };
  const { d, h } = await sizes(proof, program, pause);
  const largest = Math.max(1, ...proof.groups.map((g) => g.length));
  const perTwo = BigInt(Math.ceil(Math.log2(largest)));
  const values = await run(proof, program, await randomPrime(proof.prime_bits, pause), pause);
  const lines = proof.identities.map(({ name, degree, bound, left, right }) => {
    const at = left.map((l, k) => difference.get(`${l} ${right[k]}`)).filter((i) => i !== undefined);
    const own = at.reduce((most, i) => (d[i] > most ? d[i] : most), 0n);
    const sizeOf = (i) => d[i] + h[i] + (d[i] * perTwo + 1n) / 2n;
    const bits = proof.prime_bits - 3 - bitLength(at.reduce((most, i) => (sizeOf(i) > most ? sizeOf(i) : most), 0n));
    let fault = bound > bits ? `what follows is 2^-${bits}, not 2^-${bound}` : "";
    if (own > BigInt(degree)) fault = `the degree is ${own}, not ${degree}`;
    if (at.some((i) => !isZero(values[i]))) fault = "the sides differ";
    return { name, fault, bits, degree: own, entries: left.length, same: left.length - at.length };
  });
  const least = Math.min(...lines.map((x) => x.bits));
  const bits = least - Math.log2(lines.reduce((sum, x) => sum + 2 ** (least - x.bits), 0));
  return { lines, bits, accepted: lines.every((x) => !x.fault) && proof.bound <= bits };
}

// -- degree and height of the numerator of every register N/F, step (2) of the proof ---------------------
async function sizes(proof, { ops, a, b }, pause) {
  const gcd = (x, y) => (y ? gcd(y, x % y) : x);
  const D = proof.numbers.reduce((x, [, q]) => (x / gcd(x, q)) * q, 1n);
  const wide = BigInt(bitLength(D));
  const d = [], h = [], F = [], none = new Map();
  for (const [p, q] of proof.numbers) {
    d.push(0n);
    h.push(BigInt(bitLength(q > 1n ? (p * D) / q : p)));
    F.push(q > 1n ? new Map([[-1, 1n]]) : none); // -1 stands for D
  }
  while (d.length < proof.inputs) { d.push(1n); h.push(0n); F.push(none); }
  const weigh = (G) => {
    let degree = 0n, height = 0n;
    for (const [f, e] of G) { degree += f < 0 ? 0n : e * d[f]; height += e * (f < 0 ? wide : h[f]); }
    return [degree, height];
  };
  const greater = (x, y) => (x > y ? x : y);
  for (let k = 0; k < ops.length; k++) {
    const x = a[k], y = b[k], op = ops[k];
    if (op === MUL) {
      d.push(d[x] + d[y]); h.push(h[x] + h[y]); F.push(product(F[x], F[y]));
    } else if (op === DIV) {
      const [more, higher] = weigh(beyond(F[y], F[x]));
      d.push(d[x] + more); h.push(h[x] + higher); F.push(product(beyond(F[x], F[y]), new Map([[y, 1n]])));
    } else if (op === ROOT) {
      const [more, higher] = weigh(F[x]);
      d.push((d[x] + more + 1n) / 2n); h.push((h[x] + higher + 1n) / 2n); F.push(F[x]);
    } else {
      const common = F[x] === F[y] ? F[x] : product(F[x], beyond(F[y], F[x]));
      const [dx, hx] = weigh(beyond(common, F[x])), [dy, hy] = weigh(beyond(common, F[y]));
      d.push(greater(d[x] + dx, d[y] + dy)); h.push(1n + greater(h[x] + hx, h[y] + hy)); F.push(common);
    }
    if (k % CHUNK === 0) await pause();
  }
  return { d, h };
}

function product(G, H) {
  if (!G.size || !H.size) return G.size ? G : H;
  const all = new Map(G);
  for (const [f, e] of H) all.set(f, (all.get(f) ?? 0n) + e);
  return all;
}

// What is in G and not in H.
function beyond(G, H) {
  const rest = new Map();
  if (G !== H) for (const [f, e] of G) if (e > (H.get(f) ?? 0n)) rest.set(f, e - (H.get(f) ?? 0n));
  return rest;
}

// -- values modulo p at a random point, step (4) ----------------------------------------------------------
async function run(proof, { ops, a, b }, p, pause) {
  const v = proof.numbers.map(([x, q]) => mod(x * inverse(q, p), p));
  for (const _ of proof.symbols) v.push(randomBelow(p));
  for (const group of proof.groups) {
    const t = group.slice(1).map(() => randomBelow(p));
    const square = t.reduce((sum, x) => sum + x * x, 0n), w = inverse(1n + square, p);
    v.push(mod((1n - square) * w, p), ...t.map((x) => mod(2n * x * w, p)));
  }
  for (let k = 0; k < ops.length; k++) {
    const x = v[a[k]], y = v[b[k]], op = ops[k];
    if (op === ROOT) v.push(new Surd(v.length, x, 0n, 1n));
    else if (op === DIV) v.push(times(x, inverse(y, p), p));
    else if (x instanceof Surd || y instanceof Surd) v.push(op === MUL ? times(x, y, p) : plus(x, op === ADD ? y : times(y, -1n, p), p));
    else v.push(op === MUL ? (x * y) % p : mod(op === ADD ? x + y : x - y, p));
    if (k % CHUNK === 0) await pause();
  }
  return v;
}
