// Colours of TOML: a line becomes pieces [class, text], with the state that a string of several lines needs.

const PIECES = [
  ["comment", /#.*/y],
  ["string", /"(?:[^"\\]|\\.)*"?|'[^']*'?/y],
  ["number", /[+-]?(?:\d[\d_]*)(?:\.[\d_]+)?(?:[eE][+-]?\d+)?(?![\w.])/y],
  ["constant", /\b(?:true|false|inf|nan)\b/y],
  ["key", /[A-Za-z0-9_.-]+(?=\s*=)/y],
  ["mark", /[=[\]{},]/y],
  ["plain", /[^\s#"'=[\]{},]+|\s+/y],
];
const QUOTES = ['"""', "'''"];

// Pieces of one line; `open` is the quote of a string that began on an earlier line, or "".
export function tomlPieces(line, open = "") {
  const pieces = [];
  let at = 0;
  const take = (kind, end) => {
    if (end > at) pieces.push([kind, line.slice(at, end)]);
    at = end;
  };
  if (!open && /^\s*\[/.test(line)) {
    const end = line.indexOf("#") < 0 ? line.length : line.indexOf("#");
    take("table", end);
  }
  while (at < line.length) {
    if (open) {
      const end = line.indexOf(open, at);
      take("string", end < 0 ? line.length : end + 3);
      if (end >= 0) open = "";
      continue;
    }
    const quote = QUOTES.find((x) => line.startsWith(x, at));
    if (quote) {
      const end = line.indexOf(quote, at + 3);
      if (end < 0) open = quote;
      take("string", end < 0 ? line.length : end + 3);
      continue;
    }
    const before = at;
    for (const [kind, pattern] of PIECES) {
      pattern.lastIndex = at;
      const match = pattern.exec(line);
      if (match) {
        take(kind, at + match[0].length);
        break;
      }
    }
    if (at === before) take("plain", at + 1);
  }
  return { pieces, open };
}

// Highlighted lines of a text below an editor; only lines that changed are made again.
export class HighlightedLines {
  constructor(box) {
    this.box = box;
    this.lines = []; // { text, before, open, marks, element }
  }

  // `marks` are problems: Map line number (from 1) -> [{ column, end_column, severity }]
  show(text, marks) {
    const wanted = text.split("\n");
    let open = "";
    wanted.forEach((line, k) => {
      const own = marks.get(k + 1) ?? [], key = JSON.stringify(own), old = this.lines[k];
      if (old && old.text === line && old.before === open && old.key === key) {
        open = old.open;
        return;
      }
      const before = open, { pieces, open: after } = tomlPieces(line, open);
      const element = html("span", { class: "line" }, marked(pieces, own), "\n");
      if (old) old.element.replaceWith(element);
      else this.box.append(element);
      this.lines[k] = { text: line, before, open: after, key, element };
      open = after;
    });
    for (const old of this.lines.splice(wanted.length)) old.element.remove();
  }
}

// Pieces as elements, with the columns of problems underlined.
function marked(pieces, problems) {
  const parts = [];
  let column = 1;
  for (const [kind, text] of pieces) {
    const cuts = new Set([0, text.length]);
    for (const p of problems) for (const c of [p.column, p.end_column]) if (c > column && c < column + text.length) cuts.add(c - column);
    const places = [...cuts].sort((x, y) => x - y);
    for (let k = 0; k + 1 < places.length; k++) {
      const start = column + places[k];
      const bad = problems.find((p) => start >= p.column && start < p.end_column);
      parts.push(html("span", { class: `t-${kind}${bad ? ` squiggle ${bad.severity}` : ""}` }, text.slice(places[k], places[k + 1])));
    }
    column += text.length;
  }
  const after = problems.find((p) => p.column >= column);
  if (after) parts.push(html("span", { class: `squiggle ${after.severity}` }, " "));
  return parts;
}
