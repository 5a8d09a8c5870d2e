// Tape: all expressions of the page as one list of operations, operands before their use.

const FUNCTIONS = {
  sin: Math.sin, cos: Math.cos, tan: Math.tan, sqrt: Math.sqrt, exp: Math.exp, log: Math.log,
  tanh: Math.tanh, abs: Math.abs, sign: Math.sign, asin: Math.asin, acos: Math.acos, atan: Math.atan,
};
const CODES = { c: 0, i: 1, s: 2, n: 3, "^": 4, "+": 5, "-": 6, "*": 7, "/": 8, t: 9, f: 10 };

export class Tape {
  constructor(data, symbols, names) {
    this.letters = data.ops;
    this.size = data.ops.length;
    this.code = Uint8Array.from(data.ops, (c) => CODES[c]);
    this.a = Int32Array.from(data.a);
    this.b = Int32Array.from(data.b);
    this.constants = data.constants; // [exact text, number]
    this.functionNames = data.functions;
    this.functions = data.functions.map((name) => FUNCTIONS[name]);
    this.symbols = symbols;
    this.names = names; // Map: node -> { name, body, … }
    this.inputs = Float64Array.from(symbols, (s) => s.value);
    this.values = new Float64Array(this.size);
    this.run();
  }

  // Evaluate every node at the current inputs.
  run() {
    const { code, a, b, values: x, inputs, constants, functions } = this;
    for (let k = 0; k < this.size; k++) {
      switch (code[k]) {
        case 7: x[k] = x[a[k]] * x[b[k]]; break;
        case 5: x[k] = x[a[k]] + x[b[k]]; break;
        case 6: x[k] = x[a[k]] - x[b[k]]; break;
        case 3: x[k] = -x[a[k]]; break;
        case 10: x[k] = functions[b[k]](x[a[k]]); break;
        case 4: x[k] = powerOf(x[a[k]], b[k]); break;
        case 8: x[k] = x[a[k]] / x[b[k]]; break;
        case 2: x[k] = inputs[a[k]]; break;
        case 0: x[k] = constants[a[k]][1]; break;
        case 1: x[k] = Math.PI; break;
        default: x[k] = Math.atan2(x[a[k]], x[b[k]]);
      }
    }
  }

  op(node) {
    return this.letters[node];
  }

  // Operands of a node.
  operands(node) {
    const op = this.letters[node];
    if (op === "c" || op === "i" || op === "s") return [];
    if (op === "n" || op === "^" || op === "f") return [this.a[node]];
    return [this.a[node], this.b[node]];
  }

  isLeaf(node) {
    return this.code[node] <= 2;
  }

  functionName(node) {
    return this.functionNames[this.b[node]];
  }

  symbol(node) {
    return this.symbols[this.a[node]];
  }

  // Bodies involved in each node, as bits: words of 32 bodies, node by node.
  bodyMasks(bodies) {
    if (this.masks) return this.masks;
    const words = Math.ceil(bodies / 32);
    const masks = new Uint32Array(this.size * words);
    const inertial = this.symbols.some((s) => s.inertial);
    const set = (node, body) => { masks[node * words + (body >> 5)] |= 1 << (body & 31); };
    for (let k = 0; k < this.size; k++) {
      if (this.code[k] === 2) {
        const symbol = this.symbol(k);
        if (symbol.inertial || (!inertial && symbol.kind !== "parameters")) {
          for (const body of symbol.bodies) set(k, body);
        }
      }
      for (const operand of this.operands(k)) {
        for (let w = 0; w < words; w++) masks[k * words + w] |= masks[operand * words + w];
      }
      const named = this.names.get(k);
      if (named) set(k, named.body);
    }
    this.masks = { masks, words };
    return this.masks;
  }

  touches(node, body, bodies) {
    const { masks, words } = this.bodyMasks(bodies);
    return (masks[node * words + (body >> 5)] & (1 << (body & 31))) !== 0;
  }
}

function powerOf(x, k) {
  if (k === 2) return x * x;
  let result = 1;
  for (let square = x; k; k >>= 1, square *= square) if (k & 1) result *= square;
  return result;
}
