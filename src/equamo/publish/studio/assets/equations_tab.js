// Tab of the equations: matrices as on the page, operation counts, and closed forms on demand.

const METHODS = ["recursive", "kane", "lagrange", "projected_newton_euler", "gibbs_appell"];

export function equationsTab(session) {
  const element = html("div", {});
  const method = html("select", { id: "method", onchange: () => session.useMethod(method.value) },
    METHODS.map((x) => html("option", { value: x, selected: x === session.method }, x.replaceAll("_", " "))));
  const head = html("div", { class: "bar" }, html("p", { class: "formula" }, formula()), html("span", { class: "grow" }), html("label", { class: "remark" }, "derived by ", method));
  let parts = [], view = null;

  // The part and entry that are open, to be opened again in the next model.
  function opened() {
    const tab = element.querySelector("#tabs [aria-selected=true]"), cell = element.querySelector("#grid td.open");
    return tab && cell ? { id: tab.id.replace(/^tab-/, ""), at: cell.dataset.cell.split(",").map(Number) } : null;
  }

  function show(state, data) {
    const before = opened();
    const tabs = html("div", { id: "tabs", class: "tabs", role: "tablist", "aria-label": "Parts of the equations" });
    const find = html("button", { type: "button", class: "plain", id: "find-closed", onclick: () => closedForm(found) }, "find the closed form of this entry");
    const found = html("div", { class: "closed-form", "aria-live": "polite" });
    element.replaceChildren(head, tabs, html("p", { id: "description", class: "description" }), html("div", { id: "grid", role: "tabpanel" }),
      html("div", { id: "entry", class: "entry", "aria-live": "off" }), html("p", { class: "bar" }, find), found, counts(data));
    parts = data.parts;
    view = showEquations(state, parts);
    const part = before && parts.find((p) => p.id === before.id);
    if (part && part.rows.length > before.at[0] && (part.columns.length || 1) > before.at[1]) view.open(before.id, ...before.at);
    const clear = () => {
      const open = opened(), part = open && parts.find((p) => p.id === open.id);
      const k = open && open.at[0] * (part.columns.length || 1) + open.at[1];
      found.replaceChildren();
      find.hidden = !open || part.entries[k] < 0 || part.closed[k] !== undefined;
    };
    clear();
    for (const kind of ["click", "keyup"]) element.querySelector("#grid").addEventListener(kind, clear);
    tabs.addEventListener("click", clear);
    return view;
  }

  async function closedForm(box) {
    const open = opened();
    if (!open) return;
    const columns = parts.find((p) => p.id === open.id).columns.length || 1;
    await fillFrom(box, session.ask("closed_form", { part: open.id, entry: open.at[0] * columns + open.at[1], method: session.method }), (data) => {
      const form = data.mathml ? mathFromText(data.mathml) : html("pre", {}, data.is_closed ? data.text : data.lines.map(([name, text]) => `${name} = ${text}`).join("\n"));
      box.replaceChildren(html("p", { class: "remark" }, data.is_closed ? "In closed form:" : "No short closed form was found. In terms of intermediates that are used more than once:"),
        html("div", { class: "scroll entry" }, form), copyBar([["LaTeX", data.latex], ["text", data.text]]));
    });
  }

  return { id: "equations", title: "Equations", element, show, open: (...given) => view.open(...given), parts: () => parts };
}

// Buttons that copy texts.
export function copyBar(texts) {
  return html("p", { class: "bar" }, texts.filter(([, text]) => text).map(([title, text]) => {
    const button = html("button", { type: "button", class: "plain", onclick: async () => {
      await copyToClipboard(text);
      button.textContent = "copied";
      setTimeout(() => { button.textContent = `copy ${title}`; }, 900);
    } }, `copy ${title}`);
    return button;
  }));
}

function counts(data) {
  const rows = Object.entries(data.counts ?? {});
  if (!rows.length) return null;
  const kinds = [...new Set(rows.flatMap(([, c]) => Object.keys(c)))].filter((k) => rows.some(([, c]) => c[k]));
  return html("details", { class: "counts", open: true }, html("summary", {}, "Operations"),
    html("div", { class: "scroll" }, html("table", { class: "numbers" },
      html("thead", {}, html("tr", {}, html("th", { scope: "col" }, ""), kinds.map((k) => html("th", { scope: "col" }, k.replaceAll("_", " "))))),
      html("tbody", {}, rows.map(([name, c]) => html("tr", {}, html("th", { scope: "row" }, name.replaceAll("_", " ")), kinds.map((k) => html("td", {}, c[k] ?? 0))))))));
}

// M(q) v̇ + C(q, v) v + g(q) = B τ + Σ Jᵀ f
function formula() {
  const i = (x) => mathElement("mi", {}, x), o = (x) => mathElement("mo", { stretchy: "false" }, x);
  const of = (letter, ...given) => [i(letter), o("("), ...given.flatMap((a, k) => (k ? [o(","), i(a)] : [i(a)])), o(")")];
  return mathElement("math", { display: "inline", displaystyle: "true" }, of("M", "q"), mathElement("mover", { accent: "true" }, i("v"), o("˙")), o("+"),
    of("C", "q", "v"), i("v"), o("+"), of("g", "q"), o("="), i("B"), i("τ"), o("+"), o("∑"), mathElement("msup", {}, i("J"), i("⊤")), i("f"));
}
