// The same forms as text to copy: LaTeX, SymPy and C.

const LATEX_LETTERS = { w: "\\omega", alpha: "\\dot\\omega", mc: "m", hc: "h", Jc: "J" };
const GREEK_FUNCTIONS = { sign: "\\operatorname{sgn}", asin: "\\arcsin", acos: "\\arccos", atan: "\\arctan" };
const LOWEST = 0, MIDDLE = 1, HIGHEST = 2;

class TextWriter {
  constructor(tape, names, language) {
    this.tape = tape;
    this.names = names;
    this.language = language;
    this.used = new Set(); // intermediates that occur in the text
  }

  name(node) {
    this.used.add(node);
    return this.language.named(this.names.get(node));
  }

  // [node, text] of the entry and of all intermediates below it, each once.
  definitions(root) {
    const found = [[root, this.write(root, LOWEST, true)]];
    const nodes = [...this.names.keys()].sort((x, y) => y - x); // a definition uses earlier nodes only
    for (const node of nodes) if (this.used.has(node)) found.push([node, this.write(node, LOWEST, true)]);
    return found;
  }

  // Text of a node; `top` writes a named node out.
  write(node, place = LOWEST, top = false, negated = false) {
    const { tape, names, language } = this;
    const op = tape.op(node);
    const minus = turned(names, node);
    if (!top && names.has(node)) {
      const name = this.name(node);
      return !minus ? name : place === LOWEST ? `-${name}` : language.parentheses(`-${name}`);
    }
    if (op === "s") return language.symbol(tape.symbol(node));
    if (op === "i") return language.pi;
    if (op === "+" || op === "-" || op === "n") {
      const text = termsOf(tape, names, node, (top && minus) !== negated).map((x, k) => this.term(x, k === 0)).join("");
      return place === LOWEST ? text : language.parentheses(text);
    }
    if ("*/^c".includes(op)) {
      const product = productOf(tape, names, node, top && minus, top);
      const text = (product.minus ? "-" : "") + this.product(product);
      const plain = op === "c" && !product.minus && product.q === 1n;
      return place === HIGHEST && !plain || (place === MIDDLE && product.minus) ? language.parentheses(text) : text;
    }
    const args = tape.operands(node).map((x) => this.write(x));
    const call = language.call(op === "t" ? "atan2" : tape.functionName(node), args);
    return top && minus ? `-${call}` : call;
  }

  term(x, first) {
    const product = termProduct(this.tape, this.names, x);
    return (product.minus ? (first ? "-" : " - ") : first ? "" : " + ") + this.product(product);
  }

  // Factor; the product has taken over the sign of a name.
  factor(node, place, negated) {
    return this.names.has(node) ? this.name(node) : this.write(node, place, false, negated);
  }

  product(product) {
    const side = (map) => [...map]
      .map(([node, power]) => ({ node, power, key: leadOf(this.tape, this.names, node) }))
      .sort((x, y) => compareNames(x.key, y.key))
      .map(({ node, power }) => this.language.power(this.factor(node, power === 1 ? MIDDLE : HIGHEST, product.negated.has(node)), power));
    return this.language.product(product, side(product.above), side(product.below));
  }
}

const escapedLatex = (text) => /^[A-Za-z0-9, ]+$/.test(text) ? text
  : `\\text{${text.replace(/[\\{}_^#$%&~]/g, (c) => ({ "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}" })[c] ?? `\\${c}`)}}`;

function latexLanguage(bodies) {
  return {
    pi: "\\pi",
    symbol: (s) => s.latex,
    named: (n) => n.letter === "t" ? `t_{${n.axis}}`
      : `${LATEX_LETTERS[n.letter] ?? n.letter}${n.letter.length === 2 ? "^{c}" : ""}_{${escapedLatex(bodyIndex(bodies[n.body], n.axis))}}`,
    parentheses: (x) => `\\left(${x}\\right)`,
    power: (x, k) => (k === 1 ? x : `{${x}}^{${k}}`),
    call: (f, [x, y]) => f === "sqrt" ? `\\sqrt{${x}}` : f === "abs" ? `\\left|${x}\\right|`
      : f === "atan2" ? `\\operatorname{atan2}\\left(${x}, ${y}\\right)`
        : `${GREEK_FUNCTIONS[f] ?? `\\${f}`}\\left(${x}\\right)`,
    product({ p, q, decimal }, above, below) {
      const number = decimal ? decimalText(p, q) : String(p);
      const top = [...(number === "1" && above.length ? [] : [number]), ...above].join(" ");
      const bottom = [...(decimal || q === 1n ? [] : [String(q)]), ...below].join(" ");
      return bottom ? `\\frac{${top}}{${bottom}}` : top;
    },
  };
}

function programLanguage(kind, identifier) {
  const float = kind === "c";
  const integer = (x) => (float ? `${x}.0` : String(x));
  return {
    pi: float ? "3.141592653589793" : "pi",
    symbol: (s) => identifier(s.name),
    named: (n) => identifier(n.name),
    parentheses: (x) => `(${x})`,
    power: (x, k) => k === 1 ? x : !float ? `${x}**${k}` : k <= 4 ? Array(k).fill(x).join("*") : `pow(${x}, ${k})`,
    // C has no sign(); this one is a double, and NaN for NaN, as in generated code.
    call: (f, args) => float && f === "sign" ? `(${args[0]} > 0.0 ? 1.0 : ${args[0]} < 0.0 ? -1.0 : ${bracketed(args[0])})`
      : `${f === "abs" ? (float ? "fabs" : "Abs") : f}(${args.join(", ")})`,
    product({ p, q, decimal }, above, below) {
      const number = decimal && float ? [decimalText(p, q)] : p === 1n && above.length ? [] : [integer(p)];
      const top = [...number, ...above].join("*");
      const rest = [...(q === 1n || (decimal && float) ? [] : [float ? integer(q) : `Integer(${q})`]), ...below];
      return rest.length === 0 ? top : rest.length === 1 ? `${top}/${bracketed(rest[0])}` : `${top}/(${rest.join("*")})`;
    },
  };
}

const bracketed = (x) => (/^[\w.]+(\([^()]*\))?$/.test(x) ? x : `(${x})`);

function decimalText(p, q) {
  const places = String(q).length - 1;
  if (String(q) === `1${"0".repeat(places)}`) {
    const digits = String(p).padStart(places + 1, "0");
    return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  }
  let [n, d] = [p, q];
  for (let k = 0; k < 40; k++) { // q divides a power of ten
    if (10n ** BigInt(k) % d === 0n) return decimalText(n * (10n ** BigInt(k) / d), 10n ** BigInt(k));
  }
  return String(ratioOf(p, q));
}

const WORDS_OF_C = `asm auto bool break case char const constexpr continue default do double else enum extern false float for
  fortran goto if inline int long main nullptr register restrict return short signed sizeof static struct switch true typedef
  typeof union unsigned void volatile while alignas alignof static_assert thread_local NULL NAN INFINITY HUGE_VAL`;
const WORDS_OF_PYTHON = `and as assert async await class def del elif except finally from global import in is lambda nonlocal
  not or pass raise try with yield case match type`;
// Functions and constants that the texts use, and letters that SymPy defines.
const CALLED = `pi sin cos tan sqrt exp log tanh sign asin acos atan atan2 abs fabs pow Abs Symbol Integer I E S N Q O`;

// Distinct identifiers for distinct names.
function identifiers() {
  const given = new Map();
  const taken = new Set(`${WORDS_OF_C} ${WORDS_OF_PYTHON} ${CALLED}`.split(/\s+/));
  return (name) => {
    if (!given.has(name)) {
      let plain = name.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
      if (!/^[A-Za-z]/.test(plain)) plain = `x_${plain}`;
      let unique = plain;
      for (let k = 2; taken.has(unique); k++) unique = `${plain}_${k}`;
      taken.add(unique);
      given.set(name, unique);
    }
    return given.get(name);
  };
}

// Entry with all its intermediates in a language: "latex", "sympy" or "c".
export function entryText(kind, tape, names, root, label, bodies) {
  if (kind === "latex") {
    const writer = new TextWriter(tape, names, latexLanguage(bodies));
    const lines = writer.definitions(root).map(([node, text]) =>
      `${node === root ? label.latex : writer.language.named(names.get(node))} &= ${text}`);
    const short = symbolsBelow(tape, root).filter((s) => s.short).map((s) => `% ${s.latex}: ${s.name.replace(/\s+/g, " ")}\n`).join("");
    return short + (lines.length === 1 ? lines[0].replace(" &= ", " = ") : `\\begin{aligned}\n${lines.join(" \\\\\n")}\n\\end{aligned}`);
  }
  const identifier = identifiers();
  const leaves = symbolsBelow(tape, root).map((s) => [s.name, identifier(s.name)]);
  const writer = new TextWriter(tape, names, programLanguage(kind, identifier));
  const rows = writer.definitions(root).reverse().map(([node, text]) =>
    [identifier(node === root ? label.name : names.get(node).name), text]);
  if (kind === "c") return rows.map(([left, right]) => `const double ${left} = ${right};`).join("\n");
  const quoted = (name) => `"${name.replace(/[\\"]/g, "\\$&")}"`;
  const head = ["from sympy import *", ...leaves.map(([name, id]) => `${id} = Symbol(${quoted(name)})`)];
  return [...head, ...rows.map(([left, right]) => `${left} = ${right}`)].join("\n");
}

function symbolsBelow(tape, root) {
  const needed = new Uint8Array(root + 1);
  const found = [];
  needed[root] = 1;
  for (let k = root; k >= 0; k--) {
    if (!needed[k]) continue;
    if (tape.op(k) === "s") found.push(tape.symbol(k));
    for (const x of tape.operands(k)) needed[x] = 1;
  }
  return found.reverse();
}
