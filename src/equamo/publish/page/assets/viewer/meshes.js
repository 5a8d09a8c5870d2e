// Meshes of the robot's file: corners from whole numbers of 16 bits, and normals, which are shared by
// the triangles around a corner that meet at less than 40 degrees.

const CREASE = Math.cos((40 * Math.PI) / 180);

function bytesOf(text) {
  const plain = atob(text), bytes = new Uint8Array(plain.length);
  for (let k = 0; k < plain.length; k++) bytes[k] = plain.charCodeAt(k);
  return bytes.buffer;
}

// {points with normals, faces} of a surface, three points of its own for each triangle.
export function surfaceMesh({ low, step, points, faces, wide }) {
  const whole = new Uint16Array(bytesOf(points));
  const corners = wide ? new Uint32Array(bytesOf(faces)) : new Uint16Array(bytesOf(faces));
  const p = Float32Array.from(whole, (x, k) => low[k % 3] + step * x);
  const count = corners.length / 3, area = new Float32Array(3 * count), unit = new Float32Array(3 * count);
  for (let f = 0; f < count; f++) {
    const [a, b, c] = [3 * corners[3 * f], 3 * corners[3 * f + 1], 3 * corners[3 * f + 2]];
    const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a], vy = p[c + 1] - p[a + 1], vz = p[c + 2] - p[a + 2];
    const n = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(...n) || 1;
    for (let i = 0; i < 3; i++) {
      area[3 * f + i] = n[i];
      unit[3 * f + i] = n[i] / length;
    }
  }
  const start = new Uint32Array(p.length / 3 + 1); // triangles around each corner: around[start[k]] …
  for (const k of corners) start[k + 1]++;
  for (let k = 1; k < start.length; k++) start[k] += start[k - 1];
  const next = start.slice(), around = new Uint32Array(corners.length);
  corners.forEach((k, j) => (around[next[k]++] = Math.floor(j / 3)));
  const out = new Float32Array(6 * corners.length);
  corners.forEach((k, j) => {
    const f = 3 * Math.floor(j / 3), n = [0, 0, 0];
    for (let i = start[k]; i < start[k + 1]; i++) {
      const g = 3 * around[i];
      if (unit[f] * unit[g] + unit[f + 1] * unit[g + 1] + unit[f + 2] * unit[g + 2] < CREASE) continue;
      for (let m = 0; m < 3; m++) n[m] += area[g + m];
    }
    const length = Math.hypot(...n) || 1;
    for (let i = 0; i < 3; i++) {
      out[6 * j + i] = p[3 * k + i];
      out[6 * j + 3 + i] = length > 1e-30 ? n[i] / length : unit[f + i];
    }
  });
  return { points: out, faces: Uint32Array.from(corners, (_, j) => j) };
}

// Surfaces by the names under which they are drawn.
export const surfaceMeshes = (surfaces) =>
  Object.fromEntries(surfaces.map((s, k) => [`surface${k}`, surfaceMesh(s)]));
