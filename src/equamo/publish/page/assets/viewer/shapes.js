// Unit shapes, drawn as instances: a box of edge 1, a sphere of radius 1, a cylinder and a cone of
// radius 1 and height 1 along z, centred at the origin. An ellipsoid is a scaled sphere.

const FLOATS_EACH = 21; // matrix, colour, number of the body

const SHAPE_VERTEX = `#version 300 es
layout(location=0) in vec3 position; layout(location=1) in vec3 normal;
layout(location=2) in mat4 model; layout(location=6) in vec4 color; layout(location=7) in float body;
uniform mat4 clip; uniform vec3 up; uniform float ground; uniform int mode;
out vec3 place; out vec3 facing; out vec4 tint; flat out float owner;
void main() {
  vec4 p = model * vec4(position, 1.0);
  mat3 m = mat3(model);
  vec3 squares = max(vec3(dot(m[0], m[0]), dot(m[1], m[1]), dot(m[2], m[2])), 1e-20);
  facing = m * (normal / squares); // of a scaled rotation
  if (mode == 2) p.xyz -= up * (dot(up, p.xyz) - ground); // shadow of a light from above
  place = p.xyz; tint = color; owner = body;
  gl_Position = clip * p;
}`;

const SHAPE_FRAGMENT = `#version 300 es
precision highp float; precision highp int;
in vec3 place; in vec3 facing; in vec4 tint; flat in float owner;
uniform vec3 up; uniform vec3 eye; uniform vec3 key; uniform int mode; uniform float lit; uniform vec4 accent;
uniform vec4 shade;
out vec4 result;
void main() {
  if (mode == 1) { // picking: number of the body
    float n = owner + 2.0;
    result = vec4(mod(n, 256.0), floor(n / 256.0), 0.0, 255.0) / 255.0;
    return;
  }
  if (mode == 2) { result = shade; return; }
  vec3 n = normalize(facing), v = normalize(eye - place);
  if (dot(n, v) < 0.0) n = -n;
  vec3 base = tint.rgb;
  if (abs(owner - lit) < 0.5) base = mix(base, accent.rgb, 0.7);
  float sky = 0.5 + 0.5 * dot(n, up), sun = max(dot(n, key), 0.0);
  float shine = pow(max(dot(n, normalize(key + v)), 0.0), 40.0);
  vec3 c = base * (0.38 + 0.30 * sky + 0.42 * sun) + 0.10 * shine;
  result = vec4(c, 1.0) * tint.a;
}`;

const GROUND_VERTEX = `#version 300 es
layout(location=0) in vec3 position;
uniform mat4 clip; uniform vec3 center; uniform vec3 east; uniform vec3 north; uniform float reach;
out vec2 at;
void main() {
  at = position.xy * 2.0;
  gl_Position = clip * vec4(center + reach * (at.x * east + at.y * north), 1.0);
}`;

const GROUND_FRAGMENT = `#version 300 es
precision highp float;
in vec2 at;
uniform vec4 floorColor; uniform vec4 gridColor; uniform float cells; uniform vec2 shift;
out vec4 result;
float lines(vec2 p) {
  vec2 width = fwidth(p), away = abs(fract(p - 0.5) - 0.5) / max(width, 1e-6);
  return (1.0 - min(min(away.x, away.y), 1.0)) * (1.0 - smoothstep(0.3, 0.9, max(width.x, width.y)));
}
void main() {
  vec2 p = at * cells + shift;
  float fade = 1.0 - smoothstep(0.25, 1.0, length(at));
  float line = max(0.55 * lines(p), lines(p / 5.0));
  vec4 c = mix(floorColor, gridColor, line * gridColor.a);
  float alpha = max(floorColor.a, line * gridColor.a) * fade;
  result = vec4(c.rgb * alpha, alpha);
}`;

// {positions with normals, indices} of a surface of revolution: rows of [radius, z, normal r, normal z].
function turnedMesh(rows, around) {
  const points = [], faces = [];
  for (const [r, z, nr, nz] of rows) {
    for (let k = 0; k <= around; k++) {
      const a = (2 * Math.PI * k) / around, c = Math.cos(a), s = Math.sin(a);
      points.push(r * c, r * s, z, nr * c, nr * s, nz);
    }
  }
  for (let j = 0; j + 1 < rows.length; j++) {
    for (let k = 0; k < around; k++) {
      const a = j * (around + 1) + k, b = a + around + 1;
      faces.push(a, a + 1, b, b, a + 1, b + 1);
    }
  }
  return { points, faces };
}

function boxMesh() {
  const points = [], faces = [];
  for (const axis of [0, 1, 2]) {
    for (const side of [-1, 1]) {
      const first = points.length / 6;
      for (const [u, v] of [[-1, -1], [1, -1], [-1, 1], [1, 1]]) {
        const p = [0, 0, 0], n = [0, 0, 0];
        p[axis] = side / 2; p[(axis + 1) % 3] = (side * u) / 2; p[(axis + 2) % 3] = v / 2;
        n[axis] = side;
        points.push(...p, ...n);
      }
      faces.push(first, first + 1, first + 2, first + 2, first + 1, first + 3);
    }
  }
  return { points, faces };
}

export function unitMeshes() {
  const ring = 24, round = 18, half = 9, bevel = 0.06;
  const sphere = Array.from({ length: half + 1 }, (_, k) => {
    const a = (Math.PI * k) / half - Math.PI / 2;
    return [Math.cos(a), Math.sin(a), Math.cos(a), Math.sin(a)];
  });
  const cap = (s) => [[0, s / 2, 0, s], [1 - bevel, s / 2, 0, s], [1, s * (0.5 - bevel / 2), 1, 0]];
  const slope = [2 / Math.sqrt(5), 1 / Math.sqrt(5)];
  return {
    box: boxMesh(),
    sphere: turnedMesh(sphere, round),
    cylinder: turnedMesh([...cap(-1), ...cap(1).reverse()], ring),
    cone: turnedMesh([[0, -0.5, 0, -1], [1, -0.5, 0, -1], [1, -0.5, ...slope], [0, 0.5, ...slope]], ring),
  };
}

function linkProgram(gl, vertex, fragment) {
  const program = gl.createProgram();
  for (const [kind, text] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
    throw new Error("The viewer's shaders could not be linked: " + gl.getProgramInfoLog(program));
  }
  const uniforms = {};
  for (let k = 0; k < gl.getProgramParameter(program, gl.ACTIVE_UNIFORMS); k++) {
    const { name } = gl.getActiveUniform(program, k);
    uniforms[name] = gl.getUniformLocation(program, name);
  }
  return { program, uniforms };
}

export function createPrograms(gl) {
  return {
    shape: linkProgram(gl, SHAPE_VERTEX, SHAPE_FRAGMENT),
    ground: linkProgram(gl, GROUND_VERTEX, GROUND_FRAGMENT),
  };
}

// Instances of each unit shape: refilled for each frame, then drawn with one call per shape.
export function createInstances(gl, meshes) {
  const kinds = {};
  for (const [name, mesh] of Object.entries(meshes)) {
    const array = gl.createVertexArray(), buffer = gl.createBuffer();
    gl.bindVertexArray(array);
    gl.bindBuffer(gl.ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ARRAY_BUFFER, new Float32Array(mesh.points), gl.STATIC_DRAW);
    for (const k of [0, 1]) {
      gl.enableVertexAttribArray(k);
      gl.vertexAttribPointer(k, 3, gl.FLOAT, false, 24, 12 * k);
    }
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    const wide = mesh.faces.length && mesh.points.length / 6 > 65536;
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, wide ? new Uint32Array(mesh.faces) : new Uint16Array(mesh.faces), gl.STATIC_DRAW);
    gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
    [4, 4, 4, 4, 4, 1].forEach((size, k) => {
      gl.enableVertexAttribArray(2 + k);
      gl.vertexAttribPointer(2 + k, size, gl.FLOAT, false, 4 * FLOATS_EACH, 16 * k);
      gl.vertexAttribDivisor(2 + k, 1);
    });
    const data = new Float32Array(16 * FLOATS_EACH); // never empty, since the ground is drawn as a box
    gl.bufferData(gl.ARRAY_BUFFER, data, gl.DYNAMIC_DRAW);
    kinds[name] = { array, buffer, count: 0, size: mesh.faces.length, data, stored: data.length,
      index: wide ? gl.UNSIGNED_INT : gl.UNSIGNED_SHORT };
  }
  gl.bindVertexArray(null);
  return {
    clear() {
      for (const kind of Object.values(kinds)) kind.count = 0;
    },
    // Where to write the next instance: [numbers, offset of its matrix].
    add(name, color, alpha, body) {
      const kind = kinds[name], offset = kind.count++ * FLOATS_EACH;
      if (offset >= kind.data.length) {
        const wider = new Float32Array(2 * kind.data.length);
        wider.set(kind.data);
        kind.data = wider;
      }
      kind.data.set(color, offset + 16);
      kind.data[offset + 19] = alpha;
      kind.data[offset + 20] = body;
      return [kind.data, offset];
    },
    upload() {
      for (const kind of Object.values(kinds)) {
        if (!kind.count) continue;
        gl.bindBuffer(gl.ARRAY_BUFFER, kind.buffer);
        if (kind.stored !== kind.data.length) gl.bufferData(gl.ARRAY_BUFFER, kind.data, gl.DYNAMIC_DRAW);
        else gl.bufferSubData(gl.ARRAY_BUFFER, 0, kind.data, 0, kind.count * FLOATS_EACH);
        kind.stored = kind.data.length;
      }
    },
    draw() {
      for (const kind of Object.values(kinds)) {
        if (!kind.count) continue;
        gl.bindVertexArray(kind.array);
        gl.drawElementsInstanced(gl.TRIANGLES, kind.size, kind.index, 0, kind.count);
      }
      gl.bindVertexArray(null);
    },
    plane() { // one box, whose corners serve as the ground
      gl.bindVertexArray(kinds.box.array);
      gl.drawElements(gl.TRIANGLES, 6, gl.UNSIGNED_SHORT, 2 * (kinds.box.size - 6));
      gl.bindVertexArray(null);
    },
  };
}
