// Equations: one tab per matrix, its grid, and the opened entry.

export function showEquations(state, parts) {
  const tabs = byId("tabs"), place = byId("grid"), description = byId("description");
  const view = new EntryView(state, byId("entry"));
  const grids = new Map();
  let current = null;

  const grid = (part) => {
    if (!grids.has(part.id)) grids.set(part.id, makeGrid(state, part, (i, j) => open(part.id, i, j)));
    return grids.get(part.id);
  };
  const buttons = parts.map((part) => html("button", {
    type: "button", role: "tab", id: `tab-${part.id}`, title: part.title, "aria-controls": "grid", onclick: () => select(part.id),
  }, part.letter));
  tabs.append(...buttons);
  arrowTabs(tabs, buttons);

  function select(id) {
    const part = parts.find((p) => p.id === id);
    current = part;
    chooseTab(buttons, parts.indexOf(part));
    place.setAttribute("aria-labelledby", `tab-${id}`);
    description.replaceChildren(html("strong", {}, part.title), `. ${part.description}`);
    const shown = grid(part);
    place.replaceChildren(shown.element);
    shown.update();
    shown.light(state.lit);
  }

  function open(id, i, j) {
    if (current?.id !== id) select(id);
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
  if (parts.length) {
    select(parts[0].id);
    const first = parts[0].entries.findIndex((k) => k >= 0);
    if (first >= 0) {
      const columns = parts[0].columns.length || 1;
      open(parts[0].id, Math.floor(first / columns), first % columns);
    }
  }
  return { open, select, view };
}
