// Completion in the editor: keys of the table at the caret, and names that fit the key.

// Tables, keys and kinds are those of the reader, in `MODEL_KEYS` (publish/studio/model_keys.py).
const { tables: TABLES, keys: KEYS, inside: INSIDE, kinds: KINDS } = MODEL_KEYS;
const VALUES = {
  axis: ["x", "y", "z", "-x", "-y", "-z"],
  unit: ["kg", "m", "kg m", "kg m²", "rad", "N m/rad", "N m s/rad", "N/m", "m/s²"],
};
const FUNCTIONS_OF_MODELS = ["sin", "cos", "tan", "sqrt", "pi"];
const MOST = 40;

// Completions at the end of `before`, the text up to the caret: { word, options }.
export function completions(before, names) {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  const table = [...before.matchAll(/^\s*\[\[?\s*([A-Za-z_]+)[\w. -]*\]\]?/gm)].at(-1)?.[1] ?? "";
  const quoted = (line.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1;
  const word = (quoted ? /[\p{L}\p{N}_-]*$/u : /[\p{L}\p{N}_[-]*$/u).exec(line)[0];
  const rest = line.slice(0, line.length - word.length);
  const inline = rest.lastIndexOf("{") > rest.lastIndexOf("}");
  const key = /([\w-]+)\s*=\s*(?:\[\s*)*"?[^"={}]*$/.exec(rest)?.[1] ?? null;
  let options;
  if (!quoted) {
    if (/^\s*$/.test(rest)) options = word.startsWith("[") ? TABLES : [...(KEYS[table] ?? []), ...TABLES];
    else if (inline && /[{,]\s*$/.test(rest)) options = INSIDE[table] ?? [];
    else return { word, options: [] };
  } else options = valuesOf(key, table, inline, names);
  const low = word.toLowerCase();
  const found = [...new Set(options)].filter((x) => x !== word && x.toLowerCase().startsWith(low));
  return { word, options: found.slice(0, MOST) };
}

function valuesOf(key, table, inline, names) {
  const of = (kind) => names?.[kind] ?? [];
  if (key === "kind") return KINDS[table] ?? [];
  if (key === "joint") return table === "loops" ? KINDS.loops : [];
  if (table === "mode") return KINDS.mode;
  if (key === "parent") return ["world", ...of("bodies")];
  if (["body", "to", "reaction_on", "expressed_in", "point_in"].includes(key)) return ["world", ...of("bodies")];
  if (key === "coordinate") return of("joints");
  if (key === "unit") return VALUES.unit;
  if (key === "axis" || key === "normal") return [...VALUES.axis, ...of("parameters")];
  if (["name", "description", "q"].includes(key)) return [];
  if (key === "input") return of("forces");
  return [...of("parameters"), ...(["gravity", "mass"].includes(key) ? [] : of("joints")), ...FUNCTIONS_OF_MODELS];
}

export class Completion {
  constructor(editor, names) {
    this.editor = editor;
    this.names = names; // () => names of the last good check
    this.list = html("ul", { class: "completion", role: "listbox", id: "completion", "aria-label": "Completions", hidden: true });
    editor.area.parentElement.parentElement.append(this.list);
    editor.area.setAttribute("aria-autocomplete", "list");
    editor.area.setAttribute("aria-controls", "completion");
    editor.area.addEventListener("keydown", (event) => this.key(event), true);
    editor.area.addEventListener("input", (event) => {
      if (event.inputType?.startsWith("delete") || event.inputType === "insertLineBreak") this.hide();
      else this.show(false);
    });
    editor.area.addEventListener("blur", () => this.hide());
    editor.area.addEventListener("scroll", () => { if (!this.list.hidden) this.place(); });
    editor.area.addEventListener("pointerdown", () => this.hide());
  }

  show(asked) {
    const { area } = this.editor;
    const before = area.value.slice(0, area.selectionStart), after = area.value[area.selectionStart] ?? "";
    const { word, options } = completions(before, this.names());
    if (!options.length || (!asked && (!word || /[\p{L}\p{N}_]/u.test(after)))) return this.hide();
    this.word = word;
    this.options = options;
    this.list.replaceChildren(...options.map((x, k) => html("li", {
      role: "option", id: `completion-${k}`,
      onpointerdown: (event) => { event.preventDefault(); this.accept(k); },
    }, html("b", {}, x.slice(0, word.length)), x.slice(word.length))));
    this.list.hidden = false;
    this.place();
    this.choose(0);
  }

  // Below the word, or above it if there is no room.
  place() {
    const { line, column } = this.editor.caret(), at = this.editor.place(line, column - this.word.length);
    const room = this.editor.area.clientHeight - at.y - at.height, tall = this.list.offsetHeight;
    const top = room < tall && at.y > tall ? at.y - tall - 3 : at.y + at.height + 3;
    Object.assign(this.list.style, { left: `${at.x}px`, top: `${top}px` });
  }

  hide() {
    this.list.hidden = true;
    this.editor.area.removeAttribute("aria-activedescendant");
  }

  choose(k) {
    this.chosen = (k + this.options.length) % this.options.length;
    [...this.list.children].forEach((li, n) => li.setAttribute("aria-selected", String(n === this.chosen)));
    this.editor.area.setAttribute("aria-activedescendant", `completion-${this.chosen}`);
    this.list.children[this.chosen].scrollIntoView({ block: "nearest" });
  }

  accept(k) {
    const { area } = this.editor, at = area.selectionStart, text = this.options[k];
    const from = at - this.word.length;
    this.editor.setText(area.value.slice(0, from) + text + area.value.slice(at), { caret: from + text.length });
    area.focus();
    this.hide();
  }

  key(event) {
    if (event.key === " " && event.ctrlKey) {
      event.preventDefault();
      this.show(true);
    } else if (!this.list.hidden) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step) this.choose(this.chosen + step);
      else if (event.key === "Tab" || event.key === "Enter") this.accept(this.chosen);
      else if (event.key === "Escape") this.hide();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }
  }
}
