// Tabs that query the kernel when they become visible: linearization, derivation steps, code, comparison.

export function linearTab(session) {
  const box = html("div", { id: "linear" });
  const go = html("button", { type: "button", class: "primary", onclick: () => ask() }, "linearize here");
  const element = html("div", {}, html("div", { class: "bar" }, go, html("span", { class: "remark" }, "at the pose in the 3D view, at rest, with inputs that hold it")), box);
  async function ask() {
    const { state } = session, names = (kind) => state.robot.symbols.filter((s) => s.kind === kind);
    const q = Object.fromEntries(names("q").map((s, k) => [s.name, state.q[k]]));
    await fillFrom(box, session.ask("linearize", { q }), (data) => draw(data));
  }
  function draw(data) {
    const { poles } = data, unstable = poles.filter(([re]) => re > 1e-6).length;
    box.replaceChildren(html("p", {}, html("strong", {}, unstable ? `Unstable: ${unstable} of ${poles.length} poles in the right half-plane.` : "No pole in the right half-plane.")),
    ...[data.controllability, data.note].filter(Boolean).map((x) => html("p", { class: "remark" }, x)),
    html("div", { class: "charts" }, polePlot(poles), matrixTable("A", data.A, data.states, data.states)), matrixTable("B", data.B, data.states, data.inputs));
  }
  return { id: "linear", title: "Linear", element, refresh: () => ask() };
}

// Poles in the complex plane.
function polePlot(poles) {
  const reach = 1.15 * Math.max(1, ...poles.flatMap(([a, b]) => [Math.abs(a), Math.abs(b)])), s = (x) => (100 * x) / reach;
  const drawing = svg("svg", { viewBox: "-110 -110 220 220", class: "poles", role: "img", "aria-label": "Poles in the complex plane" },
    svg("rect", { x: 0, y: -105, width: 105, height: 210, class: "right-half" }), svg("line", { x1: -105, x2: 105, y1: 0, y2: 0, class: "rule zero" }), svg("line", { y1: -105, y2: 105, x1: 0, x2: 0, class: "rule zero" }));
  for (const [a, b] of poles) {
    const x = s(a), y = -s(b);
    drawing.append(svg("path", { d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`, class: `pole ${a > 1e-6 ? "unstable" : ""}` }, svg("title", {}, `${shortNumber(a)} ${b < 0 ? "−" : "+"} ${shortNumber(Math.abs(b))}i`)));
  }
  drawing.append(svg("text", { x: 105, y: 14, class: "tick end" }, `Re, ±${shortNumber(reach, 3)}`), svg("text", { x: 5, y: -97, class: "tick" }, "Im"));
  return html("figure", {}, html("figcaption", {}, "Poles [1/s]"), drawing);
}

function matrixTable(letter, rows, names, columns) {
  if (!rows?.length || !rows[0].length) return html("div", {});
  return html("figure", {}, html("figcaption", {}, letter), html("div", { class: "scroll" }, html("table", { class: "numbers small" },
    html("thead", {}, html("tr", {}, html("th", {}), rows[0].map((_, j) => html("th", { scope: "col" }, columns?.[j] ?? j + 1)))),
    html("tbody", {}, rows.map((row, i) => html("tr", {}, html("th", { scope: "row" }, names?.[i] ?? i + 1), row.map((x) => html("td", { class: x === 0 ? "none" : "" }, shortNumber(x, 4)))))))));
}

export function stepsTab(session) {
  const element = html("div", { id: "steps" });
  const refresh = (first = 1) => fillFrom(element, session.ask("steps", { method: session.method, first }), (data) => {
    const groups = new Map();
    for (const x of data.steps) groups.set(x.body ?? "", [...(groups.get(x.body ?? "") ?? []), x]);
    element.replaceChildren(html("p", {}, `${data.count} steps by ${session.method.replaceAll("_", " ")}, as computed${data.count > data.steps.length ? `; ${data.first} to ${data.first + data.steps.length - 1} are shown` : ""}.`),
      pages(data),
      ...[...groups].map(([body, steps], k) => {
        const list = html("ol", { class: "steps" });
        const fold = html("details", { open: k === 0, ontoggle: () => { if (fold.open && !list.childElementCount) write(); } }, html("summary", {}, `${body ? `body ${body}` : "whole robot"}: ${steps.length} ${steps.length === 1 ? "step" : "steps"}`), list);
        const write = () => list.append(...steps.map((x) => html("li", {}, html("span", { class: "number" }, `(${x.number})`), x.mathml ? mathFromText(x.mathml) : html("span", { class: "remark" }, "formula too long to show"),
          html("span", { class: "rule" }, [x.rule && `rule ${x.rule}`, x.from?.length && `from ${x.from.map((n) => `(${n})`).join(", ")}`].filter(Boolean).join("; ")))));
        if (k === 0) write();
        return fold;
      }));
  });
  const pages = ({ count, first, steps }) => html("p", { class: "bar" },
    first > 1 ? html("button", { type: "button", class: "plain", onclick: () => refresh(Math.max(1, first - 60)) }, "earlier steps") : null,
    first + steps.length <= count ? html("button", { type: "button", class: "plain", onclick: () => refresh(first + steps.length) }, "later steps") : null);
  return { id: "steps", title: "Steps", element, refresh: () => refresh() };
}

export function codeTab(session) {
  const TITLES = { c: "C", cpp: "C++", numpy: "NumPy", matlab: "MATLAB", javascript: "JavaScript", casadi: "CasADi", python: "Python", julia: "Julia", rust: "Rust" };
  const tabs = html("div", { class: "tabs", role: "tablist", "aria-label": "Languages" }), box = html("div", { id: "code" });
  let current = "c", shown = null;
  const refresh = () => fillFrom(box, session.ask("code", { language: current }), (data) => {
    const files = Object.entries(data.files).map(([name, text]) => ({ name, text })).sort((x, y) => y.text.length - x.text.length);
    const listing = html("pre", { tabindex: 0, "aria-label": "Generated code" });
    const choice = html("select", { "aria-label": "File", onchange: () => show(files[choice.selectedIndex]) }, files.map((f) => html("option", {}, f.name)));
    const show = (f) => { listing.textContent = f.text; listing.scrollTop = 0; };
    const copy = html("button", { type: "button", class: "plain", onclick: async () => { await copyToClipboard(listing.textContent); copy.textContent = "copied"; setTimeout(() => { copy.textContent = "copy"; }, 900); } }, "copy");
    box.replaceChildren(html("div", { class: "bar" }, choice, html("span", { class: "grow" }), copy,
      html("button", { type: "button", class: "plain", onclick: () => download(files[choice.selectedIndex]) }, "download"),
      html("button", { type: "button", class: "plain", onclick: () => session.emit("save", "code", current) }, "download the proved package")), listing);
    show(files[0]);
    if (!shown) draw(data.languages);
  });
  function draw(languages) {
    shown = languages;
    const buttons = languages.map((id) => html("button", { type: "button", role: "tab", "data-language": id, onclick: () => { current = id; chooseTab(buttons, languages.indexOf(id)); refresh(); } }, TITLES[id] ?? id));
    tabs.replaceChildren(...buttons);
    arrowTabs(tabs, buttons);
    chooseTab(buttons, languages.indexOf(current));
  }
  return { id: "code", title: "Code", element: html("div", {}, tabs, box), refresh };
}

export function compareTab(session, editor) {
  const other = html("textarea", { id: "other", class: "claims", rows: 6, spellcheck: "false", "aria-label": "Other version of the model", placeholder: "Keep a version below, edit the model, then compare; or paste another version here." });
  const box = html("div", { id: "differences", "aria-live": "polite" });
  const keep = html("button", { type: "button", class: "plain", id: "keep", onclick: () => { other.value = session.good; box.replaceChildren(html("p", { class: "remark" }, "Version kept. Now edit the model and compare.")); } }, "keep the current version");
  const go = html("button", { type: "button", class: "primary", id: "compare", onclick: () => fillFrom(box, session.ask("compare", { other: other.value }), draw) }, "compare");
  const back = html("button", { type: "button", class: "plain", onclick: () => { if (other.value.trim()) editor.setText(other.value); } }, "restore this version");
  const element = html("div", {}, html("div", { class: "bar" }, go, keep, back), other, box);
  function draw(data) {
    const { summary, differences } = data.equations;
    if (!data.model.length && !differences.length) return box.replaceChildren(html("p", { class: "verdict proved" }, "✓ Both models and their equations are the same."));
    const name = (path) => path.map((x) => (typeof x === "number" ? `[${x + 1}]` : x)).join(".").replaceAll(".[", "[");
    box.replaceChildren(html("h3", {}, "Model"),
      html("div", { class: "scroll" }, html("table", {}, html("thead", {}, html("tr", {}, ["field", "before", "after"].map((x) => html("th", { scope: "col" }, x)))),
        html("tbody", {}, data.model.map((x) => html("tr", { class: x.change }, html("td", {}, html("code", {}, name(x.path))), html("td", {}, x.before), html("td", {}, x.after)))))),
      html("h3", {}, "Equations"), html("p", {}, summary),
      html("ul", { class: "differences" }, differences.slice(0, 60).map((x) => html("li", {}, html("code", {}, `${x.quantity}[${x.entry.join(", ")}]`), html("span", { class: "detail" }, ` ${x.verdict}`)))),
      html("details", {}, html("summary", {}, "Differences in the text"), html("pre", {}, data.text.join("\n"))));
  }
  markOld(session, box);
  return { id: "compare", title: "Compare", element };
}
