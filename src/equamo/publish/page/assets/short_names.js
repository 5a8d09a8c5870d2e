// Legend of the short names in formulas: what q₂ and body 3 are called in the robot's file.

export function shortNames(robot, { symbols, bodies }) {
  // q̇₂ needs no line of its own beside q₂.
  const coordinates = new Map(robot.symbols.filter((s) => s.kind === "q").map((s) => [`d${s.name}`, s]));
  const listed = new Set([...symbols].map((s) => (s.kind === "v" ? coordinates.get(s.name) : null) ?? s));
  const rows = robot.symbols.filter((s) => s.short && listed.has(s)).map((s) => html("span", {}, nameFormula(s.tree), "\u2002", s.name));
  for (const b of robot.bodies) {
    if (bodies.has(b) && b.label !== b.name) rows.push(html("span", {}, "body ", html("span", { class: "label" }, b.label), "\u2002", b.name));
  }
  return rows;
}

// A fold with the legend, open while it is short; null if all names are those of the file.
export function legendOf(robot, shown) {
  const rows = shortNames(robot, shown);
  if (!rows.length) return null;
  return html("details", { class: "names", open: rows.length <= 12 }, html("summary", {}, "Short names"), html("p", { class: "short-names" }, rows));
}
