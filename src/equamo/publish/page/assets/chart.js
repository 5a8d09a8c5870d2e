// Charts in SVG: quantities over time or over another quantity, with a cursor at the time of the 3D view.

const WIDTH = 460, HEIGHT = 220, LEFT = 56, RIGHT = 10, TOP = 10, BOTTOM = 30;

// Round tick values that cover a range.
export function ticksOf(low, high, count = 4) {
  if (!(high > low)) return [low];
  const raw = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((k) => k * power >= raw) ?? 10);
  const found = [];
  for (let x = Math.ceil(low / step - 1e-9) * step; x <= high + step * 1e-9; x += step) found.push(Math.abs(x) < step * 1e-9 ? 0 : x);
  return found;
}

// series: [{ name, x: numbers, y: numbers }]; `cursor(k)` moves to sample k, which may be fractional.
export function makeChart({ title, series, xLabel, width = WIDTH, seek = null, choice = null }) {
  const all = (key) => series.flatMap((s) => s[key]);
  const [xLow, xHigh] = padded(all("x"), seek ? 0 : 0.06);
  const [yLow, yHigh] = padded(all("y"), 0.06);
  const sx = (x) => LEFT + ((x - xLow) / (xHigh - xLow)) * (width - LEFT - RIGHT);
  const sy = (y) => HEIGHT - BOTTOM - ((y - yLow) / (yHigh - yLow)) * (HEIGHT - TOP - BOTTOM);
  const drawing = svg("svg", { viewBox: `0 0 ${width} ${HEIGHT}`, class: "chart", role: "img", "aria-label": title });
  for (const x of ticksOf(xLow, xHigh, width > 600 ? 8 : 5)) {
    drawing.append(svg("line", { x1: sx(x), x2: sx(x), y1: TOP, y2: HEIGHT - BOTTOM, class: "rule" }),
      svg("text", { x: sx(x), y: HEIGHT - BOTTOM + 14, class: "tick middle" }, shortNumber(x, 3)));
  }
  for (const y of ticksOf(yLow, yHigh)) {
    drawing.append(svg("line", { x1: LEFT, x2: width - RIGHT, y1: sy(y), y2: sy(y), class: y === 0 ? "rule zero" : "rule" }),
      svg("text", { x: LEFT - 6, y: sy(y) + 3.5, class: "tick end" }, shortNumber(y, 3)));
  }
  drawing.append(svg("text", { x: width - RIGHT, y: HEIGHT - 4, class: "tick end" }, xLabel));
  const paths = series.map((s, k) => svg("path", { class: `line series-${s.color ?? k}`, d: pathOf(s, sx, sy) }));
  const dots = series.map((s, k) => svg("circle", { r: 3, class: `dot series-${s.color ?? k}` }));
  const line = svg("line", { y1: TOP, y2: HEIGHT - BOTTOM, class: "cursor" });
  drawing.append(...paths, ...(seek ? [line] : []), ...dots);
  if (seek) {
    const go = (event) => {
      const r = drawing.getBoundingClientRect();
      const x = ((event.clientX - r.left) / r.width) * width;
      seek(xLow + ((x - LEFT) / (width - LEFT - RIGHT)) * (xHigh - xLow));
    };
    drawing.addEventListener("pointerdown", (event) => { drawing.setPointerCapture(event.pointerId); go(event); });
    drawing.addEventListener("pointermove", (event) => { if (event.buttons) go(event); });
  }
  const cursor = (k) => {
    const i = Math.min(Math.floor(k), series[0].x.length - 1), next = Math.min(i + 1, series[0].x.length - 1), part = k - i;
    series.forEach((s, n) => {
      dots[n].setAttribute("cx", sx(s.x[i] + part * (s.x[next] - s.x[i])));
      dots[n].setAttribute("cy", sy(s.y[i] + part * (s.y[next] - s.y[i])));
    });
    const x = sx(series[0].x[i] + part * (series[0].x[next] - series[0].x[i]));
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  };
  cursor(0);
  const key = series.length > 1 ? html("p", { class: "legend" }, series.map((s, k) => html("span", {}, html("i", { class: `swatch series-${s.color ?? k}` }), withDots(s.name)))) : null;
  return { element: html("figure", {}, html("figcaption", {}, title, choice), drawing, key), cursor };
}

function pathOf(s, sx, sy) {
  return s.x.map((x, k) => `${k ? "L" : "M"}${sx(x).toFixed(1)} ${sy(s.y[k]).toFixed(1)}`).join("");
}

function padded(numbers, share) {
  let low = Infinity, high = -Infinity;
  for (const x of numbers) {
    if (x < low) low = x;
    if (x > high) high = x;
  }
  if (!(high - low > 1e-9 * Math.max(Math.abs(low), Math.abs(high), 1e-12))) return [low - 1, high + 1];
  const room = share * (high - low);
  return [low - room, high + room];
}
