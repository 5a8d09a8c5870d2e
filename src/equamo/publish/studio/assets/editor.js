// Editor of the model's text: a text area with coloured lines below it, line numbers, problems at their
// place, and a history of its own, so that edits by forms and sliders can be undone too.

const PAUSE = 700; // [ms] of typing that count as one undo step
const STEPS = 300;

export class Editor {
  constructor(box, changed) {
    this.changed = changed; // f(text) after each edit
    this.area = html("textarea", {
      id: "editor", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off",
      "aria-label": "Model as TOML", "aria-describedby": "problems",
    });
    this.under = html("pre", { class: "under", "aria-hidden": "true" });
    this.gutter = html("div", { class: "gutter", "aria-hidden": "true" });
    box.append(html("div", { class: "gutter-box" }, this.gutter), html("div", { class: "under-box" }, this.under, this.area));
    this.lines = new HighlightedLines(this.under);
    this.problems = [];
    this.history = []; // { text, caret, model }
    this.step = -1;
    this.model = { file: null, saved: "" }; // file of the text, and what is in it
    this.typed = 0;
    this.area.addEventListener("input", () => this.edited());
    this.area.addEventListener("scroll", () => this.follow());
    new ResizeObserver(() => this.follow()).observe(this.area); // the list of problems takes room
    this.area.addEventListener("keydown", (event) => this.key(event));
    this.area.addEventListener("beforeinput", (event) => {
      if (event.inputType !== "historyUndo" && event.inputType !== "historyRedo") return;
      event.preventDefault();
      this.travel(event.inputType === "historyUndo" ? -1 : 1);
    });
    this.gutter.addEventListener("click", (event) => { if (event.target.dataset.line) this.goTo(Number(event.target.dataset.line), 1); });
  }

  get text() {
    return this.area.value;
  }

  // Replace the text, as one step of the history; the caret stays where it was in the unchanged part.
  setText(text, { caret = null, quiet = false } = {}) {
    const old = this.area.value;
    if (text === old) return;
    const start = commonStart(old, text), { selectionStart, scrollTop, scrollLeft } = this.area;
    const kept = selectionStart <= start ? selectionStart : Math.max(start, selectionStart + text.length - old.length);
    this.area.value = text;
    this.area.setSelectionRange(caret ?? kept, caret ?? kept);
    this.area.scrollTop = scrollTop;
    this.area.scrollLeft = scrollLeft;
    this.record(true);
    this.draw();
    if (!quiet) this.changed(text);
  }

  // Another model, of a file or of none. Undo brings back the one before, with its file.
  load(text, file = null) {
    this.area.value = text;
    this.model = { file, saved: this.area.value };
    this.area.setSelectionRange(0, 0);
    this.area.scrollTop = 0;
    this.record(true);
    this.problems = [];
    this.draw();
    this.changed(this.area.value);
  }

  get isSaved() {
    return this.area.value === this.model.saved;
  }

  edited() {
    this.record(false);
    this.draw();
    this.changed(this.area.value);
  }

  record(whole) {
    const now = performance.now(), entry = { text: this.area.value, caret: this.area.selectionStart, model: this.model };
    const joins = !whole && now - this.typed < PAUSE && this.step > 0 && this.step === this.history.length - 1;
    if (!joins) this.step += 1;
    this.history.splice(this.step, Infinity, entry);
    if (this.history.length > STEPS) this.step -= this.history.splice(0, this.history.length - STEPS).length;
    this.typed = whole ? 0 : now;
  }

  travel(by) {
    const to = this.history[this.step + by];
    if (!to) return;
    this.step += by;
    this.typed = 0;
    this.model = to.model;
    this.area.value = to.text;
    this.area.setSelectionRange(to.caret, to.caret);
    this.draw();
    this.changed(to.text);
  }

  key(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const name = event.key.toLowerCase();
    if (name !== "z" && name !== "y") return;
    event.preventDefault();
    this.travel(name === "y" || event.shiftKey ? 1 : -1);
  }

  // problems: [{ line, column, end_column, message, severity }]
  setProblems(problems) {
    this.problems = problems;
    this.draw();
  }

  draw() {
    const marks = new Map();
    for (const p of this.problems) if (p.line) marks.set(p.line, [...(marks.get(p.line) ?? []), p]);
    this.lines.show(this.area.value, marks);
    const count = this.lines.lines.length, { children } = this.gutter;
    while (children.length > count) this.gutter.lastChild.remove();
    while (children.length < count) this.gutter.append(html("span", { "data-line": children.length + 1 }, children.length + 1));
    for (let k = 0; k < count; k++) {
      const kind = marks.get(k + 1)?.[0].severity ?? "", text = marks.get(k + 1)?.map((p) => p.message).join("\n") ?? "";
      if (children[k].className !== kind) children[k].className = kind;
      if (children[k].title !== text) children[k].title = text;
    }
    this.area.setAttribute("aria-invalid", String(this.problems.some((p) => p.severity === "error")));
    this.follow();
  }

  follow() {
    const { scrollTop, scrollLeft } = this.area;
    this.under.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
    this.gutter.style.transform = `translateY(${-scrollTop}px)`;
  }

  // Line and column of the caret, from 1.
  caret() {
    const before = this.area.value.slice(0, this.area.selectionStart), line = before.split("\n").length;
    return { line, column: before.length - before.lastIndexOf("\n") };
  }

  // Place of a line and column in the text area, in pixels from the corner of the editor.
  place(line, column) {
    const row = this.lines.lines[line - 1]?.element, height = parseFloat(getComputedStyle(this.under).lineHeight);
    const style = getComputedStyle(this.under), probe = this.lines.width ??= measured(this.under);
    return {
      x: this.area.parentElement.offsetLeft + parseFloat(style.paddingLeft) + (column - 1) * probe - this.area.scrollLeft,
      y: (row ? row.offsetTop : (line - 1) * height) - this.area.scrollTop, height,
    };
  }

  goTo(line, column) {
    const lines = this.area.value.split("\n");
    const at = lines.slice(0, line - 1).reduce((sum, x) => sum + x.length + 1, 0) + Math.min(column - 1, lines[line - 1]?.length ?? 0);
    this.area.focus();
    this.area.setSelectionRange(at, at);
    const height = parseFloat(getComputedStyle(this.under).lineHeight);
    this.area.scrollTop = Math.max(0, (line - 1) * height - this.area.clientHeight / 3);
    this.follow();
  }
}

function commonStart(a, b) {
  let k = 0;
  while (k < a.length && a[k] === b[k]) k++;
  return k;
}

// Width of one letter.
function measured(under) {
  const probe = html("span", {}, "m".repeat(50));
  under.append(probe);
  const width = probe.getBoundingClientRect().width / 50;
  probe.remove();
  return width;
}
