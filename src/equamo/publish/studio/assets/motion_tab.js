// Tab of the motion: inputs as expressions, simulation from the current pose, charts and energy ledger.

const SHARE = 9; // [ms] of a frame that a simulation may take

export function motionTab(session) {
  const inputs = new Map(); // name -> text, kept while models change
  const settings = { duration: 5, step: 0.001, speed: 1 };
  const fields = html("div", { class: "inputs" });
  const note = html("p", { class: "remark" });
  const failure = html("p", { class: "failure", role: "alert", hidden: true });
  const start = html("button", { type: "button", class: "primary", id: "simulate", onclick: () => (run ? stop() : simulate()) }, "simulate");
  const ledger = html("p", { class: "ledger", id: "ledger" });
  const charts = html("div", { class: "charts" }, html("div", { id: "chart-energy" }), html("div", { id: "chart-coordinates" }), html("div", { id: "chart-phase" }), html("div", { id: "chart-inputs" }));
  const number = (key, label, unit) => {
    const input = html("input", { type: "number", step: "any", min: 0, value: settings[key], id: `motion-${key}`, onchange: () => { const x = Number(input.value); if (x > 0) settings[key] = x; else input.value = settings[key]; } });
    return html("label", { class: "setting" }, label, input, html("span", { class: "unit" }, unit));
  };
  const presets = html("div", { class: "bar" }, html("button", { type: "button", class: "plain", onclick: () => preset(() => "") }, "zero inputs"),
    html("button", { type: "button", class: "plain", id: "hold", onclick: () => preset(hold) }, "hold this pose"),
    html("button", { type: "button", class: "plain", onclick: () => preset(sway) }, "sway"));
  const element = html("div", {},
    html("div", { class: "bar controls" }, start, number("duration", "duration", "s"), number("step", "step", "s"), html("span", { class: "grow" }), presets),
    failure, ledger, charts, html("details", { open: true, class: "input-list" }, html("summary", {}, "Inputs"), note, fields));
  let dynamics = null, run = null, last = null, player = null, state = null;

  function show(newState, data) {
    stop();
    state = newState;
    dynamics = data.is_closed ? null : new Dynamics(state, data.parts);
    player = null;
    byId("player").hidden = true;
    start.disabled = !dynamics;
    note.textContent = dynamics ? "Expressions in t, coordinates, speeds, parameters and entries such as g[q1]. Functions: sin cos tan sqrt exp log tanh abs sign min max step atan2."
      : "This page does not simulate robots with closed loops or contacts; use eq.simulate.";
    for (const id of ["chart-energy", "chart-coordinates", "chart-phase", "chart-inputs"]) charts.querySelector(`#${id}`).replaceChildren();
    ledger.textContent = "";
    charts.hidden = true;
    presets.hidden = !dynamics;
    drawFields();
  }

  function drawFields() {
    fields.replaceChildren(...(dynamics?.inputs ?? []).map((s) => {
      const input = html("input", { type: "text", value: inputs.get(s.name) ?? "", placeholder: "0", spellcheck: "false", autocomplete: "off", "data-input": s.name,
        onchange: () => { inputs.set(s.name, input.value); input.removeAttribute("aria-invalid"); } });
      return html("label", { class: "input" }, html("span", { class: "name", title: s.name }, s.name.length > 12 ? s.name : nameFormula(s.tree)), input, html("span", { class: "unit" }, s.unit));
    }));
  }

  function preset(make) {
    dynamics.takeValues(state.tape.inputs);
    dynamics.set(state.q, state.v);
    dynamics.run();
    for (const s of dynamics.inputs) inputs.set(s.name, make(s) ?? "");
    drawFields();
  }

  // Row that an input drives alone with gear 1, or null.
  function drivenRow(s) {
    const B = dynamics.parts.get("B"), j = s.place - dynamics.first("inputs");
    if (!B || s.kind !== "inputs") return null;
    const rows = B.rows.map((_, i) => i).filter((i) => B.entries[i * B.columns.length + j] >= 0);
    return rows.length === 1 && dynamics.square && Math.abs(dynamics.read("B", rows[0] * B.columns.length + j) - 1) < 1e-12 ? rows[0] : null;
  }
  const short = (x) => String(Number(x.toPrecision(4)));
  function hold(s) {
    const i = drivenRow(s);
    if (i === null) return "";
    const q = dynamics.symbols[i].name, v = dynamics.symbols[dynamics.nq + i].name, M = dynamics.read("M", i * dynamics.nv + i);
    const x = state.q[i], off = Math.abs(x) < 1e-9 ? q : x > 0 ? `(${q} - ${short(x)})` : `(${q} + ${short(-x)})`;
    return `${entryName("g", i)} - ${short(100 * M)}*${off} - ${short(20 * M)}*${v}`;
  }
  function sway(s) {
    const i = drivenRow(s);
    if (i === null) return "";
    const M = dynamics.read("M", i * dynamics.nv + i), q = dynamics.symbols[i].name, v = dynamics.symbols[dynamics.nq + i].name, x = state.q[i];
    return `${entryName("g", i)} - ${short(100 * M)}*(${q} - ${short(x)} - 0.3*sin(2*t)) - ${short(20 * M)}*${v}`;
  }
  const entryName = (letter, i) => { const p = dynamics.parts.get(letter); return p && p.entries[i] >= 0 ? `${p.letter}[${p.rows[i]}]` : "0"; };

  // The simulation runs in pieces, at most in real time, so that it can be watched and stopped.
  function simulate() {
    player?.pause();
    failure.hidden = true;
    try {
      dynamics.takeValues(state.tape.inputs);
      const begin = onTrackStart();
      run = new Simulation(dynamics, begin.q, begin.v, inputs, settings.step);
    } catch (error) {
      return fail(error);
    }
    start.textContent = "stop";
    session.locked = true;
    const clock = performance.now();
    const frame = () => {
      if (!run) return;
      const until = performance.now() + SHARE, due = Math.min(settings.duration, (performance.now() - clock) / 1000 + 0.02);
      try {
        while (run.t < due - 1e-12 && performance.now() < until) run.step();
      } catch (error) {
        stop();
        return fail(error);
      }
      state.set(run.x.q, run.x.v);
      account(run);
      if (run.t >= settings.duration - 1e-12) stop();
      else requestAnimationFrame(frame);
    };
    state.playing = true;
    requestAnimationFrame(frame);
  }
  // A motion that was simulated before is repeated from its start, unless the pose was changed since.
  const onTrackStart = () => (state.onTrack && player ? player.sample(0) : { q: state.q, v: state.v });

  function account({ motion, t, drift, exchanged }) {
    const last = Object.entries(motion.ledger).map(([name, y]) => `${name} ${shortNumber(y.at(-1), 4)}`);
    ledger.textContent = `${t.toFixed(2)} s. Energy since the start [J]: ${last.join(", ")}. Error at most ${drift.toExponential(1)} J of ${shortNumber(exchanged, 3)} J exchanged.`;
  }

  function stop() {
    session.locked = false;
    start.textContent = "simulate";
    if (state) state.playing = false;
    if (!run) return;
    const done = last = run;
    run = null;
    account(done);
    if (done.motion.t.length > 1) draw(done);
  }

  function fail(error) {
    failure.textContent = error instanceof ExpressionError ? `Input ${error.message}.` : error.message;
    failure.hidden = false;
  }

  function draw({ motion }) {
    charts.hidden = false;
    const { place, sample } = motionSampler(motion), box = byId("player");
    player = new Player(state, motion.t.at(-1), sample);
    box.replaceChildren();
    showPlayer(player);
    box.hidden = false;
    const seek = (time) => { player.pause(); player.seek(time); };
    const q = state.robot.symbols.filter((s) => s.kind === "q"), made = new Map();
    const put = (id, chart) => { made.set(id, chart); charts.querySelector(`#${id}`).replaceChildren(chart.element); chart.cursor(place(player.time)); };
    const width = Math.max(280, Math.min(520, charts.querySelector("#chart-energy").clientWidth || 460));
    put("chart-energy", makeChart({ title: "Energy since the start [J]", xLabel: "t [s]", width, seek,
      series: Object.entries(motion.ledger).map(([name, y], k) => ({ name, x: motion.t, y, color: name === "sum" ? "sum" : k })) }));
    const chosen = (id, names, make) => {
      const choice = html("select", { "aria-label": "quantity", onchange: () => put(id, make(choice.selectedIndex, choice)) }, names.map((name) => html("option", {}, name)));
      put(id, make(0, choice));
    };
    chosen("chart-coordinates", q.map((s) => s.name), (k, choice) => makeChart({ title: `Coordinate [${q[k].unit || "1"}]`, choice, xLabel: "t [s]", width, seek,
      series: [{ name: q[k].name, x: motion.t, y: motion.q.map((row) => row[k]) }] }));
    chosen("chart-phase", q.map((s) => s.name), (k, choice) => makeChart({ title: "Phase portrait", choice, width, xLabel: `${q[k].name} [${q[k].unit || "1"}], vertical: its rate`,
      series: [{ name: q[k].name, x: motion.q.map((row) => row[k]), y: motion.rates.map((row) => row[k]) }] }));
    if (dynamics.inputs.length) {
      chosen("chart-inputs", dynamics.inputs.map((s) => s.name), (k, choice) => makeChart({ title: `Input [${dynamics.inputs[k].unit || "1"}]`, choice, xLabel: "t [s]", width, seek,
        series: [{ name: dynamics.inputs[k].name, x: motion.t, y: motion.inputs.map((row) => row[k]) }] }));
    }
    player.moved.push(() => { const k = place(player.time); for (const chart of made.values()) chart.cursor(k); });
    player.seek(player.duration);
  }

  session.on("grab", () => player?.pause());
  return { id: "motion", title: "Motion", element, show, stop, get simulation() { return run; }, get last() { return last; } };
}
