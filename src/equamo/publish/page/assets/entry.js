// Opened entry: its closed form or its chain of intermediates, with live values and copy buttons.

const MOST = 26000; // characters of MathML per step: with the last term below 30 kB
const KINDS = [["latex", "LaTeX"], ["sympy", "SymPy"], ["c", "C"]];

export class EntryView {
  constructor(state, box) {
    this.state = state;
    this.box = box;
    this.live = []; // [element, node, digits]
    this.spans = []; // { element, bodies, own, around }: terms, and terms in parentheses in them
    this.most = 60; // characters of a formula that stays in one piece
    state.onLight((body) => this.light(body));
    let last = 0;
    state.onChange((playing) => {
      if (playing && performance.now() - last < 90) return;
      last = performance.now();
      this.update();
    });
  }

  // A part without an entry to open.
  close(text) {
    this.live = [];
    this.spans = [];
    this.text = () => "0";
    this.box.replaceChildren(html("p", { class: "remark" }, text));
  }

  open(part, i, j) {
    const { tape, robot } = this.state;
    const k = i * (part.columns.length || 1) + j;
    const node = part.entries[k];
    this.live = [];
    this.spans = [];
    this.text = () => "0";
    this.most = Math.max(22, Math.min(80, Math.floor((this.box.clientWidth || 560) / 9.5)));
    const name = entryLabel(part, i, j);
    const value = html("output", { class: "value", id: "entry-value" });
    this.box.replaceChildren(html("div", { class: "bar" }, html("h3", {}, name), html("span", { class: "equals" }, "="), value, html("span", { class: "grow" })));
    if (node < 0) {
      value.textContent = "0";
      this.box.append(html("p", { class: "remark" }, "Zero at every pose."));
      return;
    }
    this.live.push([value, node, 15]);
    const closed = part.closed[k];
    const label = { name: name.replace(/[[\], ]+/g, "_").replace(/_$/, ""), latex: latexLabel(part, i, j) };
    const forms = [{ title: "chain", root: node, names: chainOf(tape, [node]) }];
    if (closed !== undefined) forms.unshift({ title: "closed form", root: closed, names: new Map() });
    const body = html("div", { class: "rows-of-terms" });
    const bar = this.box.firstChild;
    const show = (form) => {
      this.live.length = 1;
      this.spans = [];
      body.replaceChildren();
      this.write(form, body);
      this.update();
      this.light(this.state.lit);
      buttons.forEach(([f, b]) => b.setAttribute("aria-pressed", String(f === form)));
      this.form = form;
    };
    const buttons = forms.map((form) => [form, html("button", { type: "button", class: "plain", onclick: () => show(form) }, form.title)]);
    if (forms.length > 1 && forms[1].names.size) bar.append(...buttons.map(([, b]) => b));
    for (const [kind, title] of KINDS) {
      const copy = html("button", {
        type: "button", class: "plain", "data-copy": kind, title: `Copy as ${title}`,
        onclick: async () => {
          await copyToClipboard(entryText(kind, tape, this.form.names, this.form.root, label, robot.bodies));
          copy.textContent = "copied";
          setTimeout(() => { copy.textContent = title; }, 900);
        },
      }, title);
      bar.append(copy);
    }
    this.text = (kind) => entryText(kind, tape, this.form.names, this.form.root, label, robot.bodies);
    this.box.append(body);
    show(forms[0]);
  }

  // Definitions in sequence: the entry, then its intermediates in order of occurrence.
  write(form, body) {
    const { tape, robot } = this.state;
    const writer = new MathWriter(tape, form.names, robot.bodies);
    const queue = [form.root];
    const seen = new Set(queue);
    let terms = null, place = null, node = null;
    const more = html("button", { type: "button", class: "plain more", onclick: () => { more.remove(); legend?.remove(); step(); } }, "more");
    let legend = null;
    const step = () => {
      const end = writer.size + MOST;
      while (writer.size < end) {
        if (!terms?.length) {
          if (!queue.length) break;
          node = queue.shift();
          terms = writer.terms(node);
          place = this.definition(writer, form, node, body);
        }
        const first = place.childElementCount === 0;
        const x = terms.shift();
        const formula = x.top ? writer.topTerm(node, x.minus) : writer.term(x, first);
        place.append(this.term(formula, form, x.node, writer.inside.splice(0)), " ");
        for (const used of writer.used.splice(0)) {
          if (!seen.has(used)) {
            seen.add(used);
            queue.push(used);
          }
        }
      }
      if (terms?.length || queue.length) {
        more.textContent = `more: ${queue.length ? `at least ${queue.length} intermediates` : `${terms.length} terms`}`;
        body.append(more);
      }
      legend = legendOf(robot, writer.shown);
      if (legend) body.append(legend);
    };
    step();
  }

  // Row: name = terms, with the value at the right.
  definition(writer, form, node, body) {
    const place = html("span", { class: "terms" });
    if (node === form.root) {
      body.append(html("div", { class: "definition root" }, place));
      return place;
    }
    const named = form.names.get(node);
    const left = writer.make("math", { display: "inline" }, writer.make("mrow", {}, writer.namedTree(named), writer.make("mo", {}, "=")));
    const head = html("span", { class: "term left" }, left);
    if (named.body >= 0) this.point(head, { bodies: [named.body], own: [named.body] }, null);
    const value = html("output", { class: "small" });
    this.live.push([value, node, 6, turned(form.names, node)]);
    body.append(html("div", { class: "definition" }, head, place, value));
    return place;
  }

  term(formula, form, node, inside) {
    const moved = new Map(inside.map(([element]) => [element, element]));
    const pieces = inPieces(formula, this.most, moved);
    const span = html("span", { class: pieces[0] === formula ? "term" : "term long" }, pieces);
    const found = bodiesOfTerm(this.state.tape, form.names, node);
    this.point(span, found, null);
    for (const [element, inner] of inside) {
      const more = bodiesOfTerm(this.state.tape, form.names, inner);
      if (more.real && found.bodies.length > 1) this.point(moved.get(element), more, span);
    }
    return span;
  }

  // A term and its bodies highlight each other.
  point(element, { bodies, own }, around) {
    if (!bodies.length) return;
    element.setAttribute("data-bodies", bodies.join(" "));
    if (!around) element.title = bodies.map((b) => this.state.robot.bodies[b].name).join(", ");
    this.spans.push({ element, bodies, own, around });
    const body = (own.length ? own : bodies).at(-1);
    element.addEventListener("pointerover", (event) => { this.state.light(body); event.stopPropagation(); });
    element.addEventListener("pointerleave", () => this.state.light(null));
  }

  // Highlight the innermost element that involves the body.
  light(body) {
    const has = (list) => body !== null && list.includes(body);
    const inner = new Set();
    for (const x of this.spans) {
      const on = x.around !== null && has(x.own);
      if (on) inner.add(x.around);
      if (x.around !== null) x.element.classList.toggle("lit", on);
    }
    for (const x of this.spans) {
      if (x.around === null) x.element.classList.toggle("lit", has(x.own) || (has(x.bodies) && !inner.has(x.element)));
    }
  }

  update() {
    const { values } = this.state.tape;
    for (const [element, node, digits, minus] of this.live) {
      const x = minus ? -values[node] : values[node];
      element.dataset.value = x;
      element.textContent = digits > 10 ? (x === 0 ? "0" : String(Number(x.toPrecision(digits))).replace(/-/g, "−")) : shortNumber(x, digits);
    }
  }
}

function latexLabel(part, i, j) {
  const letter = { "C v": "(C v)", "λ": "\\lambda", "T, U": "E" }[part.letter] ?? part.letter.replace(/[^A-Za-z0-9]+/g, " ").trim();
  return `${letter.length > 1 && !/[\\(]/.test(letter) ? `\\mathrm{${letter}}` : letter}_{${part.columns.length ? `${i + 1},${j + 1}` : i + 1}}`;
}
