// Matrix as a grid: coloured by magnitude at the current pose, empty if an entry is zero at every pose.

const LEVELS = 9; // shades, three per power of ten
const VALUES = 7; // most columns of a matrix that shows its numbers

export function makeGrid(state, part, open) {
  const columns = part.columns.length || 1;
  const valued = columns <= VALUES;
  const cells = [];
  const readout = html("p", { class: "readout", "aria-live": "off" });
  const table = html("table", { class: `matrix${valued ? " valued" : ""}${part.columns.length ? "" : " vector"}`, role: "grid" });
  table.style.setProperty("--columns", columns);
  const labels = part.columns.length && columns <= 40;
  const tick = (kind, name, head) => html("th", { ...kind, title: name === head ? null : name }, html("span", {}, head));
  if (labels) table.append(html("tr", {}, html("th"), part.columns.map((name, j) => tick({ scope: "col", class: "top" }, name, part.columnHeads[j]))));
  part.rows.forEach((name, i) => {
    const row = html("tr", {}, tick({ scope: "row" }, name, part.rowHeads[i]));
    for (let j = 0; j < columns; j++) {
      const node = part.entries[i * columns + j];
      const cell = html("td", { class: node < 0 ? "zero" : "", tabindex: -1, "data-cell": `${i},${j}`, "aria-label": valued ? null : entryLabel(part, i, j) + (node < 0 ? ", zero at every pose" : "") });
      if (node < 0 && valued) cell.append("0");
      cells.push({ cell, node, i, j, level: null });
      row.append(cell);
    }
    table.append(row);
  });
  if (cells.length) cells[0].cell.tabIndex = 0;
  const find = (target) => {
    const cell = target.closest?.("td");
    if (!cell?.dataset.cell) return null;
    const [i, j] = cell.dataset.cell.split(",").map(Number);
    return cells[i * columns + j];
  };
  const show = (x) => {
    readout.textContent = !x ? legend(part) : `${entryLabel(part, x.i, x.j)} = ${x.node < 0 ? "0 at every pose" : shortNumber(state.tape.values[x.node], 8)}`;
  };
  table.addEventListener("pointerover", (event) => show(find(event.target)));
  table.addEventListener("pointerleave", () => show(null));
  table.addEventListener("click", (event) => { const x = find(event.target); if (x) open(x.i, x.j); });
  table.addEventListener("keydown", (event) => {
    const x = find(event.target);
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!x) return;
    if (event.key === "Enter" || event.key === " ") open(x.i, x.j);
    else if (step) {
      const [i, j] = [x.i + step[0], x.j + step[1]];
      if (i < 0 || j < 0 || i >= part.rows.length || j >= columns) return;
      x.cell.tabIndex = -1;
      cells[i * columns + j].cell.tabIndex = 0;
      cells[i * columns + j].cell.focus();
      show(cells[i * columns + j]);
    } else return;
    event.preventDefault();
  });
  show(null);

  function update() {
    const { values } = state.tape;
    let most = 0;
    for (const x of cells) if (x.node >= 0) most = Math.max(most, Math.abs(values[x.node]));
    for (const x of cells) {
      if (x.node < 0) continue;
      const value = values[x.node];
      const size = Math.abs(value) / most;
      const shade = !(size > 1e-12) ? 0 : Math.max(1, Math.ceil(LEVELS + 3 * Math.log10(size)));
      const level = value < 0 ? -shade : shade;
      if (level !== x.level) {
        x.level = level;
        x.cell.dataset.level = level;
      }
      if (valued) {
        const text = shortNumber(value, 4);
        if (text !== x.text) x.cell.textContent = x.text = text;
      }
    }
  }

  function light(body) {
    const count = state.robot.bodies.length;
    for (const x of cells) {
      const on = body !== null && x.node >= 0 && state.tape.touches(x.node, body, count);
      if (on !== x.on) x.cell.classList.toggle("lit", x.on = on);
    }
  }

  function mark(i, j) {
    for (const x of cells) x.cell.classList.toggle("open", x.i === i && x.j === j);
  }

  return { element: html("div", { class: "scroll" }, table, readout), update, light, mark };
}

function legend(part) {
  const zeros = part.entries.filter((k) => k < 0).length;
  const shape = part.columns.length ? `${part.rows.length} × ${part.columns.length}` : `${part.rows.length} entries`;
  return `${shape}${zeros ? `, ${zeros} of ${part.entries.length} ${zeros === 1 ? "is" : "are"} zero at every pose` : ""}. Click an entry to open it.`;
}

export function entryLabel(part, i, j) {
  return `${part.letter}[${part.columns.length ? `${part.rows[i]}, ${part.columns[j]}` : part.rows[i]}]`;
}
