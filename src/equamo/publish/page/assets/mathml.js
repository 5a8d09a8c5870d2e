// MathML of terms, created when an entry is opened. Every term is a separate element, so that the
// browser breaks lines between terms, and the pointer can select a term.

const LOOSE = 0, TIGHT = 1, BASE = 2; // a sum may stand here; a product; neither without parentheses
const LETTERS = { w: "ω", alpha: "ω", a: "a", f: "f", n: "n", F: "F", N: "N", mc: "m", hc: "h", Jc: "J" };
const CARRIED = new Set(["mc", "hc", "Jc"]);
const EXACT = 99999n; // largest whole number, above or below the bar, of a fraction that is written as such

export class MathWriter {
  constructor(tape, names, bodies) {
    this.tape = tape;
    this.names = names;
    this.bodies = bodies;
    this.size = 0; // approximate number of characters so far
    this.used = []; // intermediates in order of occurrence
    this.inside = []; // [element, node] of terms in parentheses
    this.shown = { symbols: new Set(), bodies: new Set() }; // that occur
  }

  make(tag, attributes, ...children) {
    this.size += 2 * tag.length + 5;
    for (const [name, value] of Object.entries(attributes)) this.size += name.length + value.length + 4;
    for (const c of children) if (typeof c === "string") this.size += c.length;
    return mathElement(tag, attributes, ...children);
  }

  // Term of a sum with its sign, as one formula.
  term(x, first) {
    const product = termProduct(this.tape, this.names, x);
    const body = this.product(product, first ? LOOSE : TIGHT);
    const sign = product.minus ? "−" : first ? null : "+";
    const inside = sign === null ? [body]
      : [this.make("mo", first ? { form: "prefix" } : { form: "infix", lspace: "0.1em" }, sign), body];
    return this.make("math", { display: "inline", displaystyle: "true" }, this.make("mrow", {}, inside));
  }

  // Terms of a node, written out.
  terms(node) {
    const minus = turned(this.names, node);
    const sum = termsOf(this.tape, this.names, node, minus);
    return sum.length === 1 && sum[0].node === node ? [{ ...sum[0], minus, top: true }] : sum.map((x) => ({ ...x, top: false }));
  }

  // The only term of a definition, written out.
  topTerm(node, minus = false) {
    const op = this.tape.op(node);
    const product = productOf(this.tape, this.names, node, minus, true);
    const body = "*/^c".includes(op) ? this.product(product, LOOSE)
      : op === "s" || op === "i" ? this.print(node, LOOSE) : this.call(node);
    const sign = product.minus ? [this.make("mo", { form: "prefix" }, "−")] : [];
    return this.make("math", { display: "inline", displaystyle: "true" }, this.make("mrow", {}, sign, body));
  }

  print(node, place, minus = false) {
    const op = this.tape.op(node);
    if (this.names.has(node) || op === "s") {
      if (place === TIGHT || !turned(this.names, node)) return this.atom(node); // the product has its sign
      const signed = this.make("mrow", {}, this.make("mo", { form: "prefix" }, "−"), this.atom(node));
      return place === LOOSE ? signed : this.parentheses(signed);
    }
    if (op === "i") return this.make("mi", {}, "π");
    if (op === "+" || op === "-" || op === "n") {
      const parts = termsOf(this.tape, this.names, node, minus).map((x, k) => this.inner(x, k === 0));
      const sum = this.make("mrow", {}, parts);
      return place === LOOSE ? sum : this.parentheses(sum);
    }
    if (op === "*" || op === "/" || op === "^" || op === "c") {
      const product = productOf(this.tape, this.names, node);
      const body = this.product(product, place);
      const signed = product.minus ? this.make("mrow", {}, this.make("mo", {}, "−"), body) : body;
      const bare = op === "c" && !product.minus && product.q === 1n;
      return place === BASE && !bare ? this.parentheses(signed) : signed;
    }
    const call = this.call(node);
    return place === BASE ? this.parentheses(call) : call;
  }

  inner(x, first) {
    const product = termProduct(this.tape, this.names, x);
    const body = this.product(product, TIGHT);
    const sign = product.minus ? "−" : first ? null : "+";
    const inside = this.make("mrow", {}, body);
    this.inside.push([inside, x.node]);
    return sign === null ? [inside] : [this.make("mo", { form: first ? "prefix" : "infix" }, sign), inside];
  }

  product({ p, q, decimal: short, above, below, negated }, place) {
    const decimal = short || (q !== 1n && (p > EXACT || q > EXACT));
    const alone = above.size === 1 && below.size === 0 && p === 1n && (q === 1n || decimal);
    const top = [...this.number(decimal ? { p, q } : { p, q: 1n }, above.size > 0), ...this.factors(above, negated, alone && !turnedFactor(this.names, above) ? place : TIGHT)];
    if (!top.length) top.push(this.make("mn", {}, "1"));
    if (below.size === 0 && (q === 1n || decimal)) return this.row(top);
    const bottom = [...this.number({ p: decimal ? 1n : q, q: 1n }, true), ...this.factors(below, negated, below.size === 1 && (q === 1n || decimal) && !turnedFactor(this.names, below) ? LOOSE : TIGHT)];
    return this.make("mfrac", {}, this.row(top), this.row(bottom));
  }

  // Coefficient; 1 is written only if it stands alone.
  number({ p, q }, others) {
    if (p === q) return others ? [] : [this.make("mn", {}, "1")];
    const text = q === 1n && p <= 100n * EXACT ? String(p) : shortNumber(ratioOf(p, q), 7);
    const [digits, exponent] = text.split("e");
    if (exponent === undefined) return [this.make("mn", {}, text)];
    const power = this.make("msup", {}, this.make("mn", {}, "10"), this.make("mn", {}, exponent));
    return [this.make("mrow", {}, this.make("mn", {}, digits), this.make("mo", { lspace: "0.1em", rspace: "0.1em" }, "·"), power)];
  }

  row(parts) {
    if (parts.length === 1) return parts[0];
    const spaced = parts.flatMap((x, k) => (k ? [this.make("mo", { lspace: "0", rspace: "0.14em" }, "\u2062"), x] : [x]));
    return this.make("mrow", {}, spaced);
  }

  factors(side, negated, place) {
    const sorted = [...side].map(([node, power]) => ({ node, power, kind: this.kind(node), key: leadOf(this.tape, this.names, node) }));
    sorted.sort((x, y) => x.kind - y.kind || compareNames(x.key, y.key));
    return sorted.map(({ node, power }) => {
      if (power === 1) return this.print(node, place, negated.has(node));
      const name = this.tape.op(node) === "f" && !this.names.has(node) ? this.tape.functionName(node) : "";
      if (["sin", "cos", "tan"].includes(name)) return this.call(node, power);
      const raised = this.make("mn", {}, String(power));
      if (!this.names.has(node) && this.tape.op(node) !== "s") return this.make("msup", {}, this.print(node, BASE, negated.has(node)), raised);
      const base = this.atom(node); // L₁², not (L₁)²
      return base.tagName === "msub" ? this.make("msubsup", {}, [...base.children], raised) : this.make("msup", {}, base, raised);
    });
  }

  // Order of factors: π, symbols, rates, roots, sums, functions; no factor looks like an argument.
  kind(node) {
    if (this.names.has(node)) return 2;
    const op = this.tape.op(node);
    if (op === "i") return 0;
    if (op === "s") return ["v", "vdot"].includes(this.tape.symbol(node).kind) ? 2 : 1;
    if (op === "f") return ["sqrt", "abs"].includes(this.tape.functionName(node)) ? 3 : 5;
    return 4;
  }

  call(node, power = 1) {
    const { tape } = this;
    if (tape.op(node) === "t") {
      const comma = this.make("mo", {}, ",");
      return this.make("mrow", {}, this.make("mi", {}, "atan2"), this.parentheses(
        this.make("mrow", {}, this.print(tape.a[node], LOOSE), comma, this.print(tape.b[node], LOOSE))));
    }
    const name = tape.functionName(node);
    const inside = tape.a[node];
    if (name === "sqrt") return this.make("msqrt", {}, this.print(inside, LOOSE));
    if (name === "abs") return this.make("mrow", {}, this.make("mo", { fence: "true" }, "|"), this.print(inside, LOOSE), this.make("mo", { fence: "true" }, "|"));
    const label = this.make("mi", {}, name === "sign" ? "sgn" : name);
    const head = power === 1 ? label : this.make("msup", {}, label, this.make("mn", {}, String(power)));
    const atom = this.names.has(inside) || tape.op(inside) === "s";
    const argument = this.print(inside, LOOSE);
    return this.make("mrow", {}, head, this.make("mo", { lspace: "0", rspace: atom ? "0.12em" : "0" }, "\u2061"), atom ? argument : this.parentheses(argument));
  }

  parentheses(inside) {
    return this.make("mrow", {}, this.make("mo", {}, "("), inside, this.make("mo", {}, ")"));
  }

  atom(node) {
    const named = this.names.get(node);
    if (!named) {
      this.shown.symbols.add(this.tape.symbol(node));
      return this.tree(this.tape.symbol(node).tree);
    }
    this.used.push(node);
    return this.namedTree(named);
  }

  namedTree(named) {
    if (named.tree) return this.tree(named.tree);
    if (named.letter === "t") return this.tree(["sub", ["i", "t"], ["n", named.axis]]);
    let base = ["i", LETTERS[named.letter]];
    if (named.letter === "alpha") base = ["over", base, "˙"];
    this.shown.bodies.add(this.bodies[named.body]);
    const index = ["t", bodyIndex(this.bodies[named.body], named.axis)];
    const tree = CARRIED.has(named.letter) ? ["subsup", base, index, ["t", "c"]] : ["sub", base, index];
    return this.tree(tree);
  }

  // Name as a tree; see typeset.py.
  tree([kind, ...rest]) {
    switch (kind) {
      case "i": return this.make("mi", {}, rest[0]);
      case "n": return this.make("mn", {}, rest[0]);
      case "o": return this.make("mo", {}, rest[0]);
      case "t": return this.make("mtext", {}, rest[0]);
      case "sub": return this.make("msub", {}, this.tree(rest[0]), this.tree(rest[1]));
      case "sup": return this.make("msup", {}, this.tree(rest[0]), this.tree(rest[1]));
      case "subsup": return this.make("msubsup", {}, rest.map((x) => this.tree(x)));
      case "over": return this.make("mover", { accent: "true" }, this.tree(rest[0]), this.make("mo", { stretchy: "false" }, rest[1]));
      default: return this.make("mrow", {}, rest.map((x) => this.tree(x)));
    }
  }
}

// Index of a body's quantity: the body's short name, then the axes.
export const bodyIndex = (body, axis) => [body.label.replaceAll(" ", ","), axis].filter(Boolean).join(",");

// Whether the only factor is a name whose sign the product has taken over.
const turnedFactor = (names, side) => [...side.keys()].some((node) => turned(names, node));

export function ratioOf(p, q) {
  const [a, b] = [Number(p), Number(q)];
  if (Number.isFinite(a) && Number.isFinite(b)) return a / b;
  const shift = BigInt(Math.max(String(p).length, String(q).length) - 300);
  return Number(p / 10n ** shift) / Number(q / 10n ** shift);
}

// Name as a formula, such as that of a coordinate beside its slider.
export function nameFormula(tree) {
  const writer = new MathWriter(null, new Map(), []);
  return writer.make("math", { display: "inline" }, writer.tree(tree));
}
