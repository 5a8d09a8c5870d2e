// Tree of bodies with a form for each: editing a field edits the text, whose comments and layout are kept.

const LABELS = {
  name: "name", parent: "parent", mass: "mass [kg]", com: "centre of mass [m]", inertia: "inertia [kg m²]", ten: "ten inertial parameters",
  kind: "joint", q: "coordinate", axis: "axis", at: "placed at [m]", rotation: "rotation", position: "position [m]", pitch: "pitch",
};
const JOINT_MARKS = { revolute: "↻", prismatic: "↔", fixed: "▪", free: "✢", spherical: "◉", planar: "▱", custom: "↻", helical: "⟳", cylindrical: "⟲", universal: "✕" };

export function showBodies(session, editor) {
  const box = byId("model-bodies");
  const open = new Set();
  let tree = [];

  async function change(field, value, input) {
    try {
      await session.change(editor, field.path, value);
      input?.removeAttribute("aria-invalid");
    } catch (error) {
      input?.setAttribute("aria-invalid", "true");
      if (input) input.title = error.message;
    }
  }

  function control(field) {
    const key = field.path.at(-1), { names } = session, label = LABELS[key] ?? key;
    const id = `field-${field.path.join("-")}`;
    const options = key === "parent" ? [...new Set(["world", ...(names.bodies ?? [])])]
      : key === "kind" && field.path.at(-2) === "joint" ? names.joint_kinds ?? [] : null;
    const input = options
      ? html("select", { id, onchange: () => change(field, input.value, input) }, [...new Set([field.value, ...options])].map((x) => html("option", { selected: x === field.value }, x)))
      : html("input", { id, type: "text", value: field.value, spellcheck: "false", autocomplete: "off", "data-path": field.path.join("."),
        onchange: () => change(field, input.value, input) });
    return [html("label", { for: id }, label), input];
  }

  function row(body, depth) {
    const details = html("details", { class: "body-form", open: open.has(body.body), "data-body": body.body,
      ontoggle: () => { if (details.open) open.add(body.body); else open.delete(body.body); if (details.open && !form.childElementCount) fillForm(); } });
    const form = html("div", { class: "form" });
    const fillForm = () => {
      form.append(...body.fields.flatMap((f) => control(f)),
        html("span"), html("button", { type: "button", class: "plain", onclick: () => { session.emit("pane", "text"); editor.goTo(body.line, 1); } }, `go to line ${body.line}`));
    };
    if (details.open) fillForm();
    details.style.setProperty("--depth", depth);
    details.append(html("summary", {}, html("span", { class: "mark", "aria-hidden": "true" }, JOINT_MARKS[body.kind] ?? "•"),
      html("b", {}, body.body || "(no name)"), html("span", { class: "remark" }, ` ${body.kind}${body.joint ? ` ${body.joint}` : ""}`)), form);
    details.addEventListener("pointerenter", () => session.emit("light", body.body));
    details.addEventListener("pointerleave", () => session.emit("light", null));
    return details;
  }

  function draw() {
    if (box.contains(document.activeElement) && document.activeElement.matches("input[type=text]") && same(tree, session.check.tree)) return;
    tree = session.check.tree;
    const focused = document.activeElement?.id, children = new Map(), names = new Set(tree.map((b) => b.body));
    for (const b of tree) {
      const parent = names.has(b.parent) && b.parent !== b.body ? b.parent : "world";
      children.set(parent, [...(children.get(parent) ?? []), b]);
    }
    const rows = [], stack = (children.get("world") ?? []).map((b) => [b, 0]).reverse(), seen = new Set();
    while (stack.length) {
      const [b, depth] = stack.pop();
      if (seen.has(b)) continue;
      seen.add(b);
      rows.push(row(b, depth));
      stack.push(...(children.get(b.body) ?? []).map((c) => [c, depth + 1]).reverse());
    }
    const scroll = box.scrollTop;
    box.replaceChildren(...(rows.length ? rows : [html("p", { class: "remark" }, "The text has no bodies yet.")]));
    box.scrollTop = scroll;
    if (focused) byId(focused)?.focus({ preventScroll: true });
  }
  const drawSoon = () => { if (!box.hidden && session.check?.tree.length) draw(); };
  session.on("check", drawSoon);
  return { shown: drawSoon };
}

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
