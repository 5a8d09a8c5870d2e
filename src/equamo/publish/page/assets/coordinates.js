// A slider for every coordinate and, on demand, for every speed.

const DEGREES = 180 / Math.PI;
const WIDEST = 16.5; // [rem] of a name beside its slider

const treeLength = ([, ...parts]) => parts.reduce((sum, x) => sum + (Array.isArray(x) ? treeLength(x) : x.length), 0);

export function showCoordinates(state) {
  const box = byId("coordinates");
  const { robot } = state;
  const q = robot.symbols.filter((s) => s.kind === "q"), v = robot.symbols.filter((s) => s.kind === "v");
  // Both names, the short and the whole one, if there is room for them.
  const all = [...q, ...v];
  const width = (s, both) => 1.3 + (!s.short ? 0.44 * s.name.length : 0.36 * treeLength(s.tree) + (both ? 0.6 + 0.46 * s.name.length : 0.4));
  const both = all.every((s) => width(s, true) <= WIDEST);
  const name = (s) => (s.short ? [nameFormula(s.tree), both ? html("span", { class: treeLength(s.tree) > 4 ? "whole spare" : "whole" }, s.name) : null] : s.name.length > 9 ? s.name : nameFormula(s.tree));
  const widest = Math.min(WIDEST, Math.max(0, ...all.map((s) => width(s, both))));
  if (!q.length && !v.length) return; // nothing moves
  const long = widest > 5.3;
  box.style.setProperty("--name", `${widest.toFixed(2)}rem`);
  const owner = (name) => robot.bodies.findIndex((b) => b.coordinates.includes(name));
  const rows = q.map((s, k) => sliderRow(s, name(s), robot.ranges[k], owner(s.name), state, (x) => state.setCoordinate(k, x)));
  const speeds = v.map((s, k) => {
    const unit = robot.speeds[k].unit || "1/s";
    const range = { low: -5, high: 5, home: robot.speeds[k].home, unit };
    return sliderRow(s, name(s), range, s.bodies[0] ?? -1, state, (x) => state.setSpeed(k, x));
  });
  const speedBox = html("div", { class: long ? "rows long" : "rows", hidden: true }, speeds.map((r) => r.element));
  const toggle = html("button", {
    type: "button", class: "plain", "aria-expanded": "false",
    onclick: () => {
      speedBox.hidden = !speedBox.hidden;
      toggle.setAttribute("aria-expanded", String(!speedBox.hidden));
      toggle.textContent = speedBox.hidden ? "speeds" : "hide speeds";
    },
  }, "speeds");
  const note = html("p", { class: "notice", role: "status", hidden: true });
  let said = "";
  const reset = html("button", { type: "button", class: "plain", id: "reset", onclick: () => state.reset() }, "reset");
  box.append(
    html("div", { class: "bar" }, html("h2", {}, "Coordinates"), html("span", { class: "grow" }), toggle, reset),
    note,
    html("div", { class: long ? "rows long" : "rows" }, rows.map((r) => r.element)),
    speedBox,
  );
  let last = 0;
  state.onChange((playing) => {
    const now = performance.now();
    if (playing && now - last < 60) return; // number fields do not follow every frame
    last = now;
    const outside = rows.map((r, k) => r.show(state.q[k])).filter(Boolean);
    const text = !outside.length ? "" : `Outside the limits of the joint: ${outside.slice(0, 3).join("; ")}${outside.length > 3 ? `; and ${outside.length - 3} more` : ""}. `
      + "The equations hold there too, but the real joint cannot be there.";
    if (text !== said) note.textContent = said = text;
    note.hidden = !text;
    if (!speedBox.hidden) speeds.forEach((r, k) => r.show(state.v[k]));
  });
  state.onLight((body) => [...rows, ...speeds].forEach((r) => r.element.classList.toggle("lit", body !== null && r.body === body)));
}

// Angles are shown in degrees.
function sliderRow(symbol, name, range, body, state, change) {
  const angle = range.unit.startsWith("rad");
  const k = angle ? DEGREES : 1;
  const unit = angle ? range.unit.replace("rad", range.unit === "rad" ? "°" : "°") : range.unit;
  const step = (range.high - range.low) * k / 1000;
  const slider = html("input", {
    type: "range", min: range.low * k, max: range.high * k, step: "any",
    "aria-label": symbol.name,
    oninput: () => change(Number(slider.value) / k),
  });
  const field = html("input", {
    type: "number", step: Number(step.toPrecision(1)), "aria-label": `${symbol.name} as a number`,
    onchange: () => { if (field.value !== "" && Number.isFinite(Number(field.value))) change(Number(field.value) / k); },
  });
  const ends = range.lower || range.upper ? `limits ${shortNumber(range.low * k)} to ${shortNumber(range.high * k)} ${unit}` : "no limits";
  const element = html("label", { class: "row", title: `${symbol.name}: ${ends}` },
    html("span", { class: "name" }, name), slider, field, html("span", { class: "unit" }, unit));
  element.addEventListener("pointerenter", () => body >= 0 && state.light(body));
  element.addEventListener("pointerleave", () => state.light(null));
  const show = (x) => {
    slider.value = x * k;
    const outside = (range.lower && x < range.low - 1e-9) || (range.upper && x > range.high + 1e-9);
    element.classList.toggle("outside", outside);
    element.title = `${symbol.name}: ${ends}${outside ? "; outside the limits" : ""}`;
    if (document.activeElement !== field) field.value = Number((x * k).toFixed(angle ? 1 : 3));
    return outside ? `${symbol.name} is at ${shortNumber(x * k)} ${unit}, ${ends}` : "";
  };
  show(range.home);
  return { element, show, body };
}
