// Conversion of the tape to written form: sums, products, fractions and chains of named intermediates.

const SUMS = new Set(["+", "-"]);
const PRODUCTS = new Set(["*", "/", "^", "c"]);
const HEAVY = 40; // operations from which an unnamed intermediate gets a name

// Terms of ±node: [{ node, minus, times }], with nested sums flattened and equal terms counted, sorted
// by name.
export function termsOf(tape, names, node, minus = false) {
  const found = [];
  const stack = [{ node, minus, top: true }];
  while (stack.length) {
    const x = stack.pop();
    const op = tape.op(x.node);
    if (!x.top && names.has(x.node)) found.push({ node: x.node, minus: x.minus !== turned(names, x.node) });
    else if (op === "n") stack.push({ node: tape.a[x.node], minus: !x.minus });
    else if (SUMS.has(op)) {
      stack.push({ node: tape.b[x.node], minus: x.minus !== (op === "-") });
      stack.push({ node: tape.a[x.node], minus: x.minus });
    } else found.push(x);
  }
  // Signs are those of the written form: a name that stands for −node flips the sign.
  const counted = new Map();
  for (const x of found) counted.set(x.node, (counted.get(x.node) ?? 0) + (x.minus ? -1 : 1));
  const keyed = [];
  for (const [term, count] of counted) {
    if (count === 0 && counted.size > 1) continue;
    const x = { node: term, minus: count < 0, times: Math.abs(count), top: term === node };
    keyed.push({ ...x, key: leadOf(tape, names, term), negative: termProduct(tape, names, x).minus });
  }
  keyed.sort((x, y) => compareNames(x.key, y.key));
  const first = keyed.findIndex((x) => !x.negative);
  if (first > 0) keyed.unshift(...keyed.splice(first, 1)); // no leading minus if there is a plus
  return keyed;
}

// Term as a product: a name or its factors, and its multiplicity.
export function termProduct(tape, names, { node, minus, times = 1, top = false }) {
  const named = names.has(node) && !top;
  const product = named
    ? { minus, p: 1n, q: 1n, decimal: false, above: new Map([[node, 1]]), below: new Map(), negated: new Set() }
    : productOf(tape, names, node, minus, top);
  product.p *= BigInt(times);
  reduce(product);
  return product;
}

// Whether the name of a node stands for the negated node.
export function turned(names, node) {
  return Boolean(names.get(node)?.minus);
}

// Product: an exact coefficient, and powers of factors above and below the fraction bar.
export function productOf(tape, names, node, minus = false, top = false) {
  const result = { minus, p: 1n, q: 1n, decimal: false, above: new Map(), below: new Map(), negated: new Set() };
  const stack = [{ node, power: 1, top }];
  while (stack.length) {
    const x = stack.pop();
    const op = tape.op(x.node);
    const named = !x.top && names.has(x.node);
    if (named || !(PRODUCTS.has(op) || op === "n")) {
      const side = x.power > 0 ? result.above : result.below;
      side.set(x.node, (side.get(x.node) ?? 0) + Math.abs(x.power));
      if (x.power % 2 === 0) continue;
      // The product takes over the sign of a name, and of a sum whose terms are all negative.
      if (named ? turned(names, x.node) : SUMS.has(op) && termsOf(tape, names, x.node)[0].negative) {
        result.minus = !result.minus;
        if (!named && !result.negated.delete(x.node)) result.negated.add(x.node);
      }
    } else if (op === "c") takeConstant(result, tape.constants[tape.a[x.node]][0], x.power);
    else if (op === "n") {
      if (x.power % 2) result.minus = !result.minus;
      stack.push({ node: tape.a[x.node], power: x.power });
    } else if (op === "^") stack.push({ node: tape.a[x.node], power: x.power * tape.b[x.node] });
    else {
      stack.push({ node: tape.b[x.node], power: op === "*" ? x.power : -x.power });
      stack.push({ node: tape.a[x.node], power: x.power });
    }
  }
  reduce(result);
  return result;
}

function takeConstant(result, text, power) {
  let [p, q] = [text, "1"];
  if (text.includes("/")) [p, q] = text.split("/");
  else if (text.includes(".")) {
    const places = text.length - text.indexOf(".") - 1;
    [p, q] = [text.replace(".", ""), `1${"0".repeat(places)}`];
    result.decimal = true;
  }
  const n = BigInt(Math.abs(power));
  const [above, below] = [BigInt(p) ** n, BigInt(q) ** n];
  result.p *= power > 0 ? above : below;
  result.q *= power > 0 ? below : above;
}

function reduce(result) {
  if (result.p === 0n) result.q = 1n;
  let [a, b] = [result.p, result.q];
  while (b) [a, b] = [b, a % b];
  if (a > 1n) {
    result.p /= a;
    result.q /= a;
  }
  if (result.q === 1n) result.decimal = false;
}

// Name by which a piece is sorted.
export function leadOf(tape, names, node) {
  for (let k = 0; k < 40; k++) {
    const named = names.get(node);
    if (named) return named.name;
    const op = tape.op(node);
    if (op === "s") return tape.symbol(node).name;
    if (op === "c" || op === "i") return "~";
    const [a, b] = tape.operands(node);
    if (b === undefined || op === "/" || op === "t") node = a;
    else if (tape.op(a) === "c") node = b;
    else return [leadOf(tape, names, a), leadOf(tape, names, b)].sort(compareNames).join("*");
  }
  return "~";
}

export function compareNames(x, y) {
  return x.localeCompare(y, "en", { numeric: true, sensitivity: "base" }) || (x < y ? -1 : x > y ? 1 : 0);
}

// Intermediates of one or several entries: Map node -> { name, … }, named by the derivation, or t1, t2 …
// for nodes that are used twice and have more than `least` operations, or are long; `count` of these
// numbers are taken already.
export function chainOf(tape, roots, least = 2, count = 0) {
  const last = Math.max(...roots);
  const needed = new Uint8Array(last + 1);
  const uses = new Uint32Array(last + 1);
  for (const root of roots) needed[root] = 1;
  for (let k = last; k >= 0; k--) {
    if (!needed[k]) continue;
    for (const x of tape.operands(k)) {
      needed[x] = 1;
      uses[tape.op(x) === "n" ? tape.a[x] : x] += 1;
    }
  }
  const names = new Map();
  const taken = new Set(tape.symbols.map((s) => s.name));
  const weight = new Uint32Array(last + 1);
  const entries = new Set(roots); // written out, if no other entry contains them
  for (let k = 0; k <= last; k++) {
    if (!needed[k] || tape.isLeaf(k)) continue;
    let total = 1;
    for (const x of tape.operands(k)) total += names.has(x) ? 1 : weight[x];
    weight[k] = total;
    if ((entries.has(k) && !uses[k]) || tape.op(k) === "n") continue;
    const given = tape.names.get(k);
    if (given) {
      let name = given.name;
      for (let n = 2; taken.has(name); n++) name = `${given.name}_${n}`;
      taken.add(name);
      names.set(k, { ...given, name });
    } else if ((uses[k] > 1 && total > least) || total > HEAVY) {
      do count += 1; while (taken.has(`t${count}`));
      names.set(k, { name: `t${count}`, letter: "t", axis: String(count), body: -1 });
    }
  }
  return names;
}

// Bodies of a term: those of its inertias and named quantities; if there are none, the body whose
// coordinate is farthest out. `own` are those outside of parenthesised sums.
export function bodiesOfTerm(tape, names, node) {
  const sources = sourcesOf(tape, names, node, true);
  const own = sourcesOf(tape, names, node, false).bodies;
  const found = sources.bodies.length || sources.farthest < 0 ? sources.bodies : [sources.farthest];
  return { bodies: found, own, real: sources.bodies.length > 0 };
}

function sourcesOf(tape, names, node, whole) {
  const sources = new Set();
  let farthest = -1;
  const stack = [node];
  const seen = new Set();
  while (stack.length) {
    const x = stack.pop();
    if (seen.has(x)) continue;
    seen.add(x);
    const named = x === node ? null : names.get(x);
    if (named && named.body >= 0) sources.add(named.body);
    else if (tape.op(x) === "s") {
      const symbol = tape.symbol(x);
      if (symbol.inertial) symbol.bodies.forEach((b) => sources.add(b));
      else if (symbol.bodies.length) farthest = Math.max(farthest, Math.min(...symbol.bodies));
    } else if (whole || x === node || !SUMS.has(tape.op(x))) stack.push(...tape.operands(x));
  }
  const named = names.get(node);
  if (!sources.size && named && named.body >= 0) sources.add(named.body);
  return { bodies: [...sources].sort((x, y) => x - y), farthest };
}
