// The sheet that is printed: M, C v, g and B in full, each with its intermediates, and what the short
// names mean. It is made when printing begins, because it is long.

const PRINTED = ["M", "b", "g", "B"];
const MOST = 1100; // most equations of a robot whose sheet has formulas
const LEAST = 4; // operations from which an intermediate that is used twice gets a name
const WIDTH = 58; // characters of a term that stays in one piece: about a column
const SHORT = 30; // characters of an equation that takes half a column

export function preparePrint(state, parts) {
  const sheet = byId("sheet");
  window.addEventListener("beforeprint", () => sheet.replaceChildren(...contents(state, parts.filter((p) => PRINTED.includes(p.id)))));
  window.addEventListener("afterprint", () => sheet.replaceChildren());
}

function contents({ tape, robot }, parts) {
  let used = 0;
  const chains = parts.map((part) => {
    const chain = new PartChain(tape, part, used);
    used += chain.numbers;
    return chain;
  });
  const lines = chains.reduce((sum, x) => sum + x.entries.length + x.names.size, 0);
  if (lines > MOST) {
    return [html("p", {}, `The equations of this robot fill ${lines} lines, too many for this sheet. `,
      html("code", {}, "eq.paper(robot, \"robot.pdf\")"), " writes them with their derivation.")];
  }
  const shown = { symbols: new Set(), bodies: new Set() };
  const blocks = chains.map((chain) => chain.block(robot.bodies, shown));
  const legend = shortNames(robot, shown);
  if (legend.length) blocks.push(html("div", { class: "block" }, html("h3", {}, "Short names"), html("p", { class: "short-names" }, legend)));
  const rows = parts[0]?.rows ?? [];
  const zeros = chains.some((x) => !x.constant && x.part.entries.includes(-1));
  const remark = `Rows and columns: ${rows.map((name, k) => `${k + 1} ${name}`).join(", ")}.${zeros ? " Entries that are not listed are zero at every pose." : ""}`;
  return [html("p", { class: "remark" }, remark), html("div", { class: "equations" }, blocks)];
}

// Entries of a part, and the intermediates that they share.
class PartChain {
  constructor(tape, part, used) {
    this.tape = tape;
    this.part = part;
    this.entries = entriesOf(part);
    this.constant = this.entries.every(({ root }) => isNumber(tape, root));
    const roots = this.entries.filter((x) => !x.closed).map((x) => x.root);
    this.names = roots.length ? chainOf(tape, roots, LEAST, used) : new Map();
    this.numbers = [...this.names.values()].filter((x) => x.letter === "t").length;
    // An entry that other entries contain is known by its own label.
    this.known = new Map();
    for (const { root, closed, label } of this.entries) {
      const named = this.names.get(root);
      if (closed || named?.letter !== "t" || named.tree) continue;
      this.names.set(root, { ...named, tree: label });
      this.known.set(root, label);
    }
  }

  block(bodies, shown) {
    const { tape, part, names } = this;
    const title = html("h3", {}, `${part.title[0].toUpperCase()}${part.title.slice(1)} ${part.letter}`);
    if (this.constant) return html("div", { class: "block" }, title, constantMatrix(tape, part, this.entries));
    const writer = new MathWriter(tape, names, bodies);
    writer.shown = shown;
    const queue = [], seen = new Set(this.known.keys());
    const lines = [];
    const write = (label, terms, node) => {
      lines.push(line(writer, label, terms, node));
      for (const x of writer.used.splice(0)) {
        if (!seen.has(x)) queue.push(x);
        seen.add(x);
      }
    };
    for (const { root, closed, label } of this.entries) {
      const whole = closed || !names.has(root) || this.known.get(root) === label;
      write(label, whole ? writer.terms(root) : [{ node: root, minus: turned(names, root), times: 1, top: false }], root);
    }
    const entries = lines.splice(0);
    while (queue.length) {
      const node = queue.shift();
      write(names.get(node), writer.terms(node), node);
    }
    return html("div", { class: "block" }, title, entries, lines.length ? html("p", { class: "with" }, "with") : null, lines);
  }
}

// Entries that are not zero; of a symmetric matrix, those on and above the diagonal.
function entriesOf(part) {
  const columns = part.columns.length || 1;
  const found = [];
  part.entries.forEach((node, k) => {
    const i = Math.floor(k / columns), j = k % columns;
    if (node < 0 || (part.symmetric && j < i)) return;
    const closed = part.closed[k];
    const comma = Math.max(columns, part.rows.length) < 10 ? "" : ",";
    const index = part.columns.length ? `${i + 1}${comma}${j + 1}` : String(i + 1);
    const base = part.letter.length > 1 ? ["row", ["o", "("], ["i", "C"], ["i", "v"], ["o", ")"]] : ["i", part.letter];
    found.push({ i, j, root: closed ?? node, closed: closed !== undefined, label: ["sub", base, ["n", index]] });
  });
  return found;
}

function line(writer, label, terms, node) {
  const left = Array.isArray(label) ? writer.tree(label) : writer.namedTree(label);
  const place = html("div", { class: "definition" }, mathElement("math", { display: "inline" }, mathElement("mrow", {}, left, mathElement("mo", {}, "="))), " ");
  terms.forEach((x, k) => {
    const formula = x.top ? writer.topTerm(node, x.minus) : writer.term(x, k === 0);
    writer.inside.length = 0;
    place.append(...inPieces(formula, WIDTH, new Map()), " ");
  });
  place.classList.toggle("short", place.textContent.length < SHORT);
  return place;
}

const isNumber = (tape, node) => tape.op(node) === "c" || (tape.op(node) === "n" && tape.op(tape.a[node]) === "c");

function constantMatrix(tape, part, entries) {
  const columns = part.columns.length || 1, rows = part.rows.length;
  const value = (x) => shortNumber(tape.values[x.root], 7);
  const identity = rows === columns && entries.length === rows && entries.every((x) => x.i === x.j && tape.values[x.root] === 1);
  if (identity) return html("div", { class: "definition" }, "The identity matrix.");
  if (columns > 12) return html("div", { class: "definition" }, entries.map((x) => `${entryLabel(part, x.i, x.j)} = ${value(x)}`).join("; "));
  const cells = Array.from({ length: rows }, () => Array(columns).fill("0"));
  for (const x of entries) cells[x.i][x.j] = value(x);
  const table = mathElement("mtable", {}, cells.map((row) => mathElement("mtr", {}, row.map((text) => mathElement("mtd", {}, mathElement("mn", {}, text))))));
  const bracket = (sign) => mathElement("mo", { fence: "true", stretchy: "true", symmetric: "true" }, sign);
  return html("div", { class: "definition" }, mathElement("math", { display: "inline" }, mathElement("mrow", {}, mathElement("mi", {}, part.letter), mathElement("mo", {}, "="), bracket("("), table, bracket(")"))));
}
