// Dragging of links: coordinates that bring a point of a body to a place, by damped least squares with
// the Jacobian from differences of poses.

const ROUNDS = 12, STEP = 1e-6;
const NEARER = 0.8; // weight of a joint, relative to the next one towards the dragged body

// `kinematics(q, out)` writes 16 numbers per body; `free` are the places of the coordinates that may
// move, those near the body first: they move more than those near the world.
export function reachPoint({ kinematics, bodies, q, body, point, target, free, ranges, size }) {
  const poses = new Float64Array(16 * bodies), x = Array.from(q), n = free.length;
  const at = (y) => {
    kinematics(y, poses);
    const T = poses.subarray(16 * body, 16 * body + 16);
    return [0, 1, 2].map((i) => T[i] * point[0] + T[i + 4] * point[1] + T[i + 8] * point[2] + T[i + 12]);
  };
  const weights = free.map((_, k) => NEARER ** k);
  let here = at(x), damping = 1e-3 * size * size;
  let error = distance(here, target);
  for (let round = 0; round < ROUNDS && error > 1e-5 * size; round++) {
    const J = free.map((k) => {
      const y = x.slice();
      y[k] += STEP;
      return at(y).map((a, i) => (a - here[i]) / STEP);
    }).map((c, k) => c.map((a) => a * weights[k]));
    const e = target.map((a, i) => a - here[i]);
    // Δq = W Jᵀ (J Jᵀ + λ I)⁻¹ e with the columns of J weighted by W
    const A = [0, 1, 2].map((i) => [0, 1, 2].map((j) => J.reduce((s, c) => s + c[i] * c[j], 0) + (i === j ? damping : 0)));
    const y = solveThree(A, e), before = x.slice();
    for (let k = 0; k < n; k++) {
      const move = weights[k] * (J[k][0] * y[0] + J[k][1] * y[1] + J[k][2] * y[2]), place = free[k], r = ranges[place];
      x[place] += Math.max(-0.5, Math.min(0.5, move));
      if (r.lower) x[place] = Math.max(r.low, x[place]);
      if (r.upper) x[place] = Math.min(r.high, x[place]);
    }
    const reached = at(x), after = distance(reached, target);
    if (after < error) {
      here = reached;
      error = after;
      damping = Math.max(1e-9 * size * size, damping / 4);
    } else {
      x.splice(0, x.length, ...before);
      damping *= 8;
    }
  }
  return { q: x, error };
}

const distance = (a, b) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);

// Solution of a symmetric positive definite system of three equations, by Cramer's rule.
function solveThree(A, b) {
  const [p, q, r] = A;
  const across = crossVectors(q, r), d = dotVectors(p, across) || 1e-30;
  return [0, 1, 2].map((k) => {
    const [P, Q, R] = A.map((row, i) => row.map((x, j) => (j === k ? b[i] : x)));
    return dotVectors(P, crossVectors(Q, R)) / d;
  });
}

// Ray of the eye through a pixel: { origin, direction }, from the inverse of the camera's matrix.
export function pixelRay({ clip, width, height }, x, y) {
  const inverse = invertMatrix(clip), X = (2 * x) / width - 1, Y = 1 - (2 * y) / height;
  const point = (z) => {
    const [a, b, c, w] = [0, 1, 2, 3].map((i) => inverse[i] * X + inverse[i + 4] * Y + inverse[i + 8] * z + inverse[i + 12]);
    return [a / w, b / w, c / w];
  };
  const origin = point(-1), far = point(0.9);
  return { origin, direction: unitVector(sumVectors(far, -1, origin)) };
}

// Point of a segment nearest to a ray: { point, away }.
export function nearestOnSegment(a, b, { origin, direction }) {
  const along = sumVectors(b, -1, a), from = sumVectors(a, -1, origin);
  const uu = dotVectors(along, along), uv = dotVectors(along, direction), det = uu - uv * uv;
  const t = det > 1e-12 * (uu || 1) ? Math.max(0, Math.min(1, (uv * dotVectors(direction, from) - dotVectors(along, from)) / det)) : 0.5;
  const point = sumVectors(a, t, along), gap = sumVectors(point, -1, origin);
  return { point, away: Math.hypot(...sumVectors(gap, -dotVectors(gap, direction), direction)) };
}

function invertMatrix(m) {
  const a = Array.from({ length: 4 }, (_, i) => [0, 1, 2, 3].map((j) => m[4 * j + i]).concat([0, 1, 2, 3].map((j) => Number(i === j))));
  for (let k = 0; k < 4; k++) {
    const pivot = [0, 1, 2, 3].slice(k).reduce((best, i) => (Math.abs(a[i][k]) > Math.abs(a[best][k]) ? i : best), k);
    [a[k], a[pivot]] = [a[pivot], a[k]];
    const d = a[k][k];
    a[k] = a[k].map((x) => x / d);
    for (let i = 0; i < 4; i++) if (i !== k) { const f = a[i][k]; a[i] = a[i].map((x, j) => x - f * a[k][j]); }
  }
  return Float64Array.from({ length: 16 }, (_, n) => a[n % 4][4 + (n >> 2)]);
}
