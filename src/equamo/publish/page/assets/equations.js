// Equations: one tab per matrix, its grid, and the opened entry.

export function showEquations(state, parts) {
  const tabs = byId("tabs"), place = byId("grid"), description = byId("description");
  const view = new EntryView(state, byId("entry"));
  const grids = new Map();
  const places = new Map(); // of the entry that was opened last, by part
  let current = null;

  const grid = (part) => {
    if (!grids.has(part.id)) grids.set(part.id, makeGrid(state, part, (i, j) => open(part.id, i, j)));
    return grids.get(part.id);
  };
  const buttons = parts.map((part) => html("button", {
    type: "button", role: "tab", id: `tab-${part.id}`, title: part.title, "aria-controls": "grid", onclick: () => select(part.id),
  }, part.letter.startsWith("J ") ? ["J", html("sub", {}, part.letter.slice(2))] : part.letter));
  tabs.append(...buttons);
  arrowTabs(tabs, buttons);

  // A tab shows its part, and the entry that was last open there, or the first that is not zero.
  function select(id) {
    show(id);
    const columns = current.columns.length || 1;
    const first = current.entries.findIndex((k) => k >= 0);
    const at = places.get(id) ?? (first < 0 ? null : [Math.floor(first / columns), first % columns]);
    if (at) open(id, ...at);
    else view.close("All entries are zero at every pose.");
  }

  function show(id) {
    const part = parts.find((p) => p.id === id);
    current = part;
    chooseTab(buttons, parts.indexOf(part));
    place.setAttribute("aria-labelledby", `tab-${id}`);
    for (const text of description.children) text.hidden = text.dataset.part !== id;
    const shown = grid(part);
    place.replaceChildren(shown.element);
    shown.update();
    shown.light(state.lit);
  }

  function open(id, i, j) {
    if (current?.id !== id) show(id);
    places.set(id, [i, j]);
    grid(current).mark(i, j);
    view.open(current, i, j);
  }

  let last = 0;
  state.onChange((playing) => {
    const now = performance.now();
    if (!current || (playing && now - last < 110)) return;
    last = now;
    grid(current).update();
  });
  state.onLight((body) => current && grid(current).light(body));
  if (parts.length) select(parts[0].id);
  return { open, select, view };
}
