// Tabs that ask the kernel when they are seen: linearisation, derivation steps, code, comparison.

export function linearTab(session) {
  const box = html("div", { id: "linear" });
  const go = html("button", { type: "button", class: "primary", onclick: () => ask() }, "linearise here");
  const element = html("div", {}, html("div", { class: "bar" }, go, html("span", { class: "remark" }, "about the pose of the 3D view, at rest, with inputs that hold it")), box);
  async function ask() {
    const { state } = session, names = (kind) => state.robot.symbols.filter((s) => s.kind === kind);
    const q = Object.fromEntries(names("q").map((s, k) => [s.name, state.q[k]]));
    await fillFrom(box, session.ask("linearize", { at: { q } }), (data) => draw(data));
  }
  function draw(data) {
    const poles = data.poles.map((p) => (Array.isArray(p) ? p : [p.re ?? p.real ?? p, p.im ?? p.imag ?? 0]));
    const unstable = poles.filter(([re]) => re > 1e-9).length;
    box.replaceChildren(html("p", {}, html("strong", {}, unstable ? `Unstable: ${unstable} of ${poles.length} poles in the right half plane.` : "No pole in the right half plane."),
      data.controllable === undefined || data.controllable === null ? "" : data.controllable ? " Controllable." : " Not controllable."),
    ...(data.conditions ?? []).map((x) => html("p", { class: "remark" }, x)),
    html("div", { class: "charts" }, polePlot(poles), matrixTable("A", data.A, data.states, data.states)), matrixTable("B", data.B, data.states, data.inputs));
  }
  return { id: "linear", title: "Linear", element, refresh: () => ask() };
}

// Poles in the complex plane.
function polePlot(poles) {
  const reach = 1.15 * Math.max(1e-6, ...poles.flatMap(([a, b]) => [Math.abs(a), Math.abs(b)])), s = (x) => (100 * x) / reach;
  const drawing = svg("svg", { viewBox: "-110 -110 220 220", class: "poles", role: "img", "aria-label": "Poles in the complex plane" },
    svg("rect", { x: 0, y: -105, width: 105, height: 210, class: "right-half" }), svg("line", { x1: -105, x2: 105, y1: 0, y2: 0, class: "rule zero" }), svg("line", { y1: -105, y2: 105, x1: 0, x2: 0, class: "rule zero" }));
  for (const [a, b] of poles) {
    const x = s(a), y = -s(b);
    drawing.append(svg("path", { d: `M${x - 4} ${y - 4}l8 8m0 -8l-8 8`, class: `pole ${a > 1e-9 ? "unstable" : ""}` }, svg("title", {}, `${shortNumber(a)} ${b < 0 ? "−" : "+"} ${shortNumber(Math.abs(b))}i`)));
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
  const refresh = () => fillFrom(element, session.ask("steps", { method: session.method }), (data) => {
    const groups = new Map();
    for (const x of data.steps) groups.set(x.body ?? "", [...(groups.get(x.body ?? "") ?? []), x]);
    element.replaceChildren(html("p", {}, `${data.count} steps by the method ${session.method.replaceAll("_", " ")}, as computed${data.count > data.steps.length ? `; the first ${data.steps.length} are shown` : ""}.`),
      ...[...groups].map(([body, steps], k) => {
        const list = html("ol", { class: "steps" });
        const fold = html("details", { open: k === 0, ontoggle: () => { if (fold.open && !list.childElementCount) write(); } }, html("summary", {}, `${body ? `body ${body}` : "whole robot"}: ${steps.length} steps`), list);
        const write = () => list.append(...steps.map((x) => html("li", { value: x.number }, x.mathml ? mathFromText(x.mathml) : html("span", { class: "remark" }, "a formula too long to be shown"),
          html("span", { class: "rule" }, [x.rule && `rule ${x.rule}`, x.from?.length && `from ${x.from.map((n) => `(${n})`).join(", ")}`].filter(Boolean).join("; ")))));
        if (k === 0) write();
        return fold;
      }));
  });
  return { id: "steps", title: "Derivation", element, refresh };
}

export function codeTab(session) {
  const languages = [["c", "C"], ["cpp", "C++"], ["numpy", "NumPy"], ["matlab", "MATLAB"], ["javascript", "JavaScript"], ["casadi", "CasADi"]];
  const buttons = languages.map(([id, title]) => html("button", { type: "button", role: "tab", "data-language": id, onclick: () => select(id) }, title));
  const tabs = html("div", { class: "tabs", role: "tablist", "aria-label": "Languages" }, buttons), box = html("div", { id: "code" });
  arrowTabs(tabs, buttons);
  let current = "c";
  const refresh = () => fillFrom(box, session.ask("code", { language: current }), (data) => {
    const files = data.files ?? [{ name: data.name ?? "code", text: data.text }];
    const listing = html("pre", { tabindex: 0, "aria-label": "Generated code" });
    const choice = html("select", { "aria-label": "File", onchange: () => show(files[choice.selectedIndex]) }, files.map((f) => html("option", {}, f.name)));
    const show = (f) => { listing.textContent = f.text; listing.scrollTop = 0; };
    box.replaceChildren(html("div", { class: "bar" }, choice, html("span", { class: "remark" }, data.note ?? ""), html("span", { class: "grow" }),
      html("button", { type: "button", class: "plain", onclick: () => copyToClipboard(listing.textContent) }, "copy"),
      html("button", { type: "button", class: "plain", onclick: () => download(files[Math.max(0, choice.selectedIndex)]) }, "download")), listing);
    const main = Math.max(0, files.findIndex((f) => f.name === data.main));
    choice.selectedIndex = main;
    show(files[main]);
  });
  function select(id) {
    current = id;
    chooseTab(buttons, languages.findIndex(([x]) => x === id));
    refresh();
  }
  chooseTab(buttons, 0);
  return { id: "code", title: "Code", element: html("div", {}, tabs, box), refresh };
}

export function compareTab(session, editor) {
  const other = html("textarea", { id: "other", class: "claims", rows: 6, spellcheck: "false", "aria-label": "Other version of the model", placeholder: "Keep a version below, edit the model, then compare; or paste another version here." });
  const box = html("div", { id: "differences", "aria-live": "polite" });
  const keep = html("button", { type: "button", class: "plain", id: "keep", onclick: () => { other.value = session.good; box.replaceChildren(html("p", { class: "remark" }, "Kept. Now edit the model, and compare.")); } }, "keep the current version");
  const go = html("button", { type: "button", class: "primary", id: "compare", onclick: () => fillFrom(box, session.ask("compare", { other: other.value }), draw) }, "compare");
  const back = html("button", { type: "button", class: "plain", onclick: () => { if (other.value.trim()) editor.setText(other.value); } }, "restore it");
  const element = html("div", {}, html("div", { class: "bar" }, go, keep, back), other, box);
  function draw(data) {
    const section = (title, rows) => (rows?.length ? [html("h3", {}, title), html("ul", { class: "differences" }, rows.map((x) => html("li", {}, typeof x === "string" ? x : x.text ?? JSON.stringify(x))))] : []);
    const none = !data.model?.length && !data.equations?.length;
    box.replaceChildren(...(none ? [html("p", { class: "verdict proved" }, "✓ The same model and the same equations.")] : [...section("Model", data.model), ...section("Equations", data.equations)]),
      ...(data.summary ? [html("p", {}, data.summary)] : []));
  }
  return { id: "compare", title: "Compare", element };
}
