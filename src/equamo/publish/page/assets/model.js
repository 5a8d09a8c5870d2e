// Drawing of the tree of bodies: depth to the right, one row per leaf; bodies are highlighted.

const ACROSS = 96, DOWN = 27;

export function showTree(state) {
  const { bodies } = state.robot;
  const children = bodies.map(() => []);
  const roots = [];
  bodies.forEach((b, k) => (b.parent < 0 ? roots : children[b.parent]).push(k));
  const depth = new Array(bodies.length).fill(0), line = new Array(bodies.length).fill(0);
  let leaves = 0, deepest = 0;
  bodies.forEach((b, k) => {
    depth[k] = b.parent < 0 ? 1 : depth[b.parent] + 1;
    deepest = Math.max(deepest, depth[k]);
  });
  const place = (roots_) => { // children below their parent, in one walk without recursion
    const stack = [...roots_].reverse();
    const order = [];
    while (stack.length) {
      const k = stack.pop();
      order.push(k);
      stack.push(...children[k].slice().reverse());
    }
    for (const k of order) if (!children[k].length) line[k] = leaves++;
    for (const k of order.reverse()) if (children[k].length) line[k] = children[k].reduce((sum, c) => sum + line[c], 0) / children[k].length;
  };
  place(roots);
  const across = Math.max(40, Math.min(ACROSS, 860 / (deepest + 1)));
  const x = (k) => 24 + across * depth[k], y = (k) => 18 + DOWN * line[k];
  const width = 24 + across * (deepest + 1) + 60, height = 18 + DOWN * Math.max(1, leaves);
  const middle = roots.reduce((sum, k) => sum + y(k), 0) / Math.max(1, roots.length);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "tree-drawing", role: "img", "aria-label": "Tree of bodies" });
  drawing.style.maxWidth = `${width}px`;
  bodies.forEach((b, k) => {
    const [x0, y0] = b.parent < 0 ? [24, middle] : [x(b.parent), y(b.parent)];
    const bend = x0 + across / 2;
    drawing.append(svg("path", { class: "edge", d: `M${x0} ${y0}C${bend} ${y0} ${bend} ${y(k)} ${x(k)} ${y(k)}` }));
  });
  drawing.append(svg("rect", { class: "world", x: 19, y: middle - 5, width: 10, height: 10 }), svg("text", { x: 24, y: middle + 18, class: "tick middle" }, "world"));
  const marks = bodies.map((b, k) => {
    const group = svg("g", { class: "body", tabindex: -1 },
      svg("title", {}, `${b.name}: ${b.joint.toLowerCase()}${b.coordinates.length ? ` ${b.coordinates.join(", ")}` : ""}, ${shortNumber(b.mass)} kg`),
      b.joint === "Prismatic" ? svg("rect", { x: x(k) - 4, y: y(k) - 4, width: 8, height: 8 }) : svg("circle", { cx: x(k), cy: y(k), r: b.joint === "Fixed" ? 2.5 : 4.5 }),
      svg("text", { x: x(k) + (children[k].length ? 0 : 9), y: y(k) + (children[k].length ? -8 : 4), class: children[k].length ? "middle" : "" }, clipped(b.label, children[k].length ? across / 6.4 : 40)));
    group.addEventListener("pointerenter", () => state.light(k));
    group.addEventListener("pointerleave", () => state.light(null));
    group.addEventListener("click", () => state.pin(k));
    drawing.append(group);
    return group;
  });
  state.onLight((body) => marks.forEach((mark, k) => mark.classList.toggle("lit", k === body)));
  byId("tree").append(drawing);
}

function clipped(text, most) {
  return text.length > most ? `${text.slice(0, Math.max(1, most - 1))}…` : text;
}
