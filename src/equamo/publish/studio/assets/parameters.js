// Parameters as sliders: the numbers follow at once, the text when the slider is released.

export function showParameters(session, editor) {
  const box = byId("model-parameters");
  let rows = [], filter = "";

  function draw() {
    const symbols = session.state?.robot.symbols.filter((s) => s.kind === "parameters") ?? [];
    rows = symbols.map((s) => row(s));
    const search = html("input", { type: "search", placeholder: "filter", "aria-label": "Filter parameters", value: filter,
      oninput: () => { filter = search.value; sift(); } });
    box.replaceChildren(...(rows.length
      ? [html("div", { class: "bar filter" }, html("span", { class: "remark" }, `${rows.length} ${rows.length === 1 ? "parameter" : "parameters"}`), html("span", { class: "grow" }), search), html("div", { class: "rows long parameter-rows" }, rows.map((r) => r.element))]
      : [html("p", { class: "remark" }, "No parameters: all quantities of this model are numbers. Write mass = \"m\" in a body and m = 1 under [parameters] to get a slider.")]));
    sift();
  }

  function sift() {
    for (const r of rows) r.element.hidden = Boolean(filter) && !r.symbol.name.toLowerCase().includes(filter.toLowerCase());
  }

  function row(symbol) {
    const home = session.state.tape.inputs[symbol.place];
    const reach = Math.max(Math.abs(home), 0.1), signed = home <= 0;
    const slider = html("input", { type: "range", min: signed ? home - 2 * reach : 0, max: home + 2 * reach, step: "any", value: home, "aria-label": symbol.name,
      oninput: () => { session.setParameter(symbol.name, Number(slider.value)); show(); },
      onchange: () => write(symbol.name, Number(Number(slider.value).toPrecision(4))) });
    const field = html("input", { type: "number", step: "any", "aria-label": `${symbol.name} as a number`,
      onchange: () => { if (field.value !== "" && Number.isFinite(Number(field.value))) { session.setParameter(symbol.name, Number(field.value)); slider.value = field.value; write(symbol.name, Number(field.value)); } } });
    const element = html("label", { class: "row", title: symbol.description || symbol.name, "data-parameter": symbol.name },
      html("span", { class: "name" }, symbol.name.length > 12 ? symbol.name : nameFormula(symbol.tree)), slider, field, html("span", { class: "unit" }, symbol.unit));
    const show = () => { if (document.activeElement !== field) field.value = Number(session.state.tape.inputs[symbol.place].toPrecision(4)); };
    show();
    element.addEventListener("pointerenter", () => session.state.light(symbol.bodies[0] ?? null));
    element.addEventListener("pointerleave", () => session.state.light(null));
    return { element, symbol, show, slider };
  }

  // The value of a parameter in the text: a number, or a table with a value.
  async function write(name, value) {
    const place = ["parameters", name];
    try {
      await session.change(editor, [...place, "value"], value).catch(() => session.change(editor, place, value));
    } catch (error) {
      session.emit("failure", error);
    }
  }

  session.on("state", () => { if (!box.hidden) draw(); else rows = []; });
  session.on("numbers", () => { for (const r of rows) { r.show(); if (document.activeElement !== r.slider) r.slider.value = session.state.tape.inputs[r.symbol.place]; } });
  return { shown: () => { if (!rows.length) draw(); } };
}
