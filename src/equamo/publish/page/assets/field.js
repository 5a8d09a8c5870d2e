// Arithmetic modulo a random prime p, with square roots adjoined to the field, in BigInt.

// The file, or the point that was drawn, will not do.
export class Rejected extends Error {}

// u + v r modulo p, r the root number i of a; u, v and a are numbers or hold earlier roots.
export class Surd {
  constructor(i, a, u, v) { Object.assign(this, { i, a, u, v }); }
}

const order = (x) => (x instanceof Surd ? x.i : -1);
const parts = (x, i) => (order(x) === i ? [x.u, x.v] : [x, 0n]);
export const isZero = (x) => (x instanceof Surd ? isZero(x.u) && isZero(x.v) : x === 0n);

export function plus(x, y, p) {
  if (order(x) < 0 && order(y) < 0) return mod(x + y, p);
  const top = order(x) < order(y) ? y : x, [u, v] = parts(x, top.i), [s, t] = parts(y, top.i);
  return new Surd(top.i, top.a, plus(u, s, p), plus(v, t, p));
}

export function times(x, y, p) {
  if (order(x) < 0 && order(y) < 0) return mod(x * y, p);
  const top = order(x) < order(y) ? y : x, [u, v] = parts(x, top.i), [s, t] = parts(y, top.i);
  const squares = times(times(v, t, p), top.a, p);
  return new Surd(top.i, top.a, plus(times(u, s, p), squares, p), plus(times(u, t, p), times(v, s, p), p));
}

export function inverse(x, p) {
  if (x instanceof Surd) {
    const conjugate = new Surd(x.i, x.a, x.u, times(x.v, -1n, p));
    return times(conjugate, inverse(times(x, conjugate, p).u, p), p);
  }
  let [r, next, s, other] = [p, mod(x, p), 0n, 1n];
  while (next) {
    const q = r / next;
    [r, next, s, other] = [next, r - q * next, other, s - q * other];
  }
  if (r !== 1n) throw new Rejected("a divisor is 0 at a random point");
  return mod(s, p);
}

export function mod(x, p) {
  const r = x % p;
  return r < 0n ? r + p : r;
}

function randomBits(bits) {
  const bytes = crypto.getRandomValues(new Uint8Array(Math.ceil(bits / 8)));
  const all = bytes.reduce((x, byte) => (x << 8n) | BigInt(byte), 0n);
  return BigInt.asUintN(bits, all);
}

export function randomBelow(p) {
  for (;;) {
    const x = randomBits(bitLength(p));
    if (x < p) return x;
  }
}

export function bitLength(x) {
  return x === 0n ? 0 : (x < 0n ? -x : x).toString(2).length;
}

export async function randomPrime(bits, pause) {
  const small = [];
  for (let n = 3; n < 1000; n += 2) if (small.every((m) => n % m)) small.push(n);
  const divisors = small.map(BigInt);
  for (;;) {
    const p = randomBits(bits) | (1n << BigInt(bits - 1)) | 1n;
    if (divisors.some((m) => p % m === 0n)) continue;
    let rounds = Math.floor(bits / 2) + 8;
    while (rounds && passes(p, 2n + randomBelow(p - 3n))) rounds--;
    if (!rounds) return p;
    await pause();
  }
}

// The test of Miller and Rabin.
function passes(p, base) {
  let q = p - 1n, s = 0;
  while (!(q & 1n)) { q >>= 1n; s++; }
  let x = power(base, q, p);
  if (x === 1n) return true;
  for (; s; s--, x = (x * x) % p) if (x === p - 1n) return true;
  return false;
}

function power(x, k, p) {
  let result = 1n;
  for (let square = x % p; k; k >>= 1n, square = (square * square) % p) if (k & 1n) result = (result * square) % p;
  return result;
}
