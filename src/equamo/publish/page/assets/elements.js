// Construction of elements: text becomes text nodes, never HTML, so names from files are safe.

const SVG = "http://www.w3.org/2000/svg";
const MATHML = "http://www.w3.org/1998/Math/MathML";

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined) continue;
    node.append(child instanceof Node ? child : document.createTextNode(String(child)));
  }
  return node;
}

// An HTML element: html("button", { onclick: f, class: "plain" }, "text", otherElement)
export function html(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function svg(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function mathElement(tag, attributes, ...children) {
  return fill(document.createElementNS(MATHML, tag), attributes, children);
}

// One of several tabs is selected; the Tab key reaches that one, arrow keys the others.
export function chooseTab(buttons, chosen) {
  buttons.forEach((b, k) => {
    b.setAttribute("aria-selected", String(k === chosen));
    b.tabIndex = k === chosen ? 0 : -1;
  });
}

export function arrowTabs(list, buttons) {
  list.addEventListener("keydown", (event) => {
    const k = buttons.indexOf(event.target), last = buttons.length - 1;
    const to = { ArrowRight: k < last ? k + 1 : 0, ArrowLeft: k > 0 ? k - 1 : last, Home: 0, End: last }[event.key];
    if (k < 0 || to === undefined) return;
    event.preventDefault();
    buttons[to].focus();
    buttons[to].click();
  });
}

export function byId(id) {
  return document.getElementById(id);
}

// Data of a section; null if it has none.
export function islandData(name) {
  const node = byId(`data-${name}`);
  return node ? JSON.parse(node.textContent) : null;
}

// Format a number for reading: limited digits, no trailing zeros, a true minus sign.
export function shortNumber(x, digits = 4) {
  if (!Number.isFinite(x)) return "–";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const text = size >= 1e6 || size < 1e-4
    ? x.toExponential(Math.max(0, digits - 2)).replace(/\.?0+e/, "e").replace("e+", "e")
    : String(Number(x.toPrecision(digits)));
  return text.replace(/-/g, "−");
}

// Text in which letters with a dot are formulas, because common fonts lack Ṁ.
export function withDots(text) {
  const dotted = (letter) => mathElement("math", {}, mathElement("mover", { accent: "true" }, mathElement("mi", {}, letter), mathElement("mo", { stretchy: "false" }, "˙")));
  return text.normalize("NFD").split(/(\p{L}\u0307)/u).map((part, k) => (k % 2 ? dotted(part.slice(0, -1)) : part.normalize("NFC")));
}

// Download a text as a file.
export function downloadText(name, text) {
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  const link = html("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

// Copy text; pages opened from a file may not have the clipboard API, hence the fallback.
export async function copyToClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = html("textarea", { class: "unseen", "aria-hidden": "true" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
