// Motion: a player that advances the time of the page, and charts that follow it.

export class Player {
  constructor(state, duration, sample) {
    this.state = state;
    this.duration = duration;
    this.sample = sample; // time -> { q, v }
    this.time = 0;
    this.speed = 1;
    this.loop = true;
    this.elapsed = 0; // time played, including loops
    this.moved = [];
    this.last = null;
  }

  get playing() {
    return this.state.playing;
  }

  play() {
    if (this.playing || !(this.duration > 0)) return;
    this.state.playing = true;
    this.last = performance.now();
    const frame = (now) => {
      if (!this.playing) return;
      const step = Math.max(0, (now - this.last) / 1000) * this.speed;
      this.last = Math.max(now, this.last);
      this.elapsed += step;
      this.seek((this.time + step) % this.duration);
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    this.moved.forEach((f) => f());
  }

  pause() {
    this.state.playing = false;
    this.moved.forEach((f) => f());
    this.state.schedule();
  }

  seek(time) {
    this.time = Math.max(0, Math.min(this.duration, time));
    const { q, v } = this.sample(this.time);
    this.state.set(q, v);
    this.state.onTrack = true;
    this.moved.forEach((f) => f());
  }
}

export function showPlayer(player) {
  const box = byId("player");
  box.hidden = !(player.duration > 0); // one sample is not a motion
  const button = html("button", { type: "button", id: "play", class: "primary", onclick: () => (player.playing ? player.pause() : player.play()) }, "play");
  const slider = html("input", { type: "range", min: 0, max: player.duration, step: "any", value: 0, "aria-label": "time", oninput: () => player.seek(Number(slider.value)) });
  const clock = html("output", { class: "clock" }, "0.00 s");
  const speed = html("select", { "aria-label": "speed", onchange: () => { player.speed = Number(speed.value); } },
    [0.25, 0.5, 1, 2].map((x) => html("option", { value: x, selected: x === 1 }, `${x}×`)));
  box.append(button, slider, clock, speed);
  player.moved.push(() => {
    button.textContent = player.playing ? "pause" : "play";
    slider.value = player.time;
    clock.textContent = `${player.time.toFixed(2)} s`;
  });
}

// Simulated motion: between samples, coordinates are interpolated by cubics with the rates at both ends,
// speeds linearly.
export function motionSampler(motion) {
  const { t, q, v, rates } = motion;
  const place = (time) => {
    let low = 0, high = t.length - 1;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (t[middle] <= time) low = middle; else high = middle;
    }
    const span = t[high] - t[low];
    return low + (span > 0 ? Math.max(0, Math.min(1, (time - t[low]) / span)) : 0);
  };
  const between = (rows, k) => {
    const i = Math.min(Math.floor(k), rows.length - 1), next = rows[Math.min(i + 1, rows.length - 1)], part = k - i;
    return rows[i].map((x, n) => x + part * (next[n] - x));
  };
  const cubic = (k) => {
    const i = Math.min(Math.floor(k), t.length - 1), j = Math.min(i + 1, t.length - 1), s = k - i, h = t[j] - t[i];
    const a = s * (1 - s) * (1 - s) * h, b = -s * s * (1 - s) * h, c = s * s * (3 - 2 * s);
    return q[i].map((x, n) => x + c * (q[j][n] - x) + a * rates[i][n] + b * rates[j][n]);
  };
  // Constraint forces as vectors, at the points of the bodies that they act on.
  const loads = (time) => (motion.constraints?.loads ?? []).map((load) => ({ ...load, force: between(load.force, place(time)) }));
  return { place, loads, sample: (time) => { const k = place(time); return { q: cubic(k), v: between(v, k) }; } };
}

// Swaying joints, if nothing was simulated.
export function swaySampler(sway, robot) {
  const rate = (2 * Math.PI) / sway.duration;
  return (time) => ({
    q: robot.ranges.map((r, k) => {
      const middle = r.lower && r.upper ? Math.min(sway.reach[k], (r.high - r.low) / 2) : sway.reach[k];
      const x = r.home + middle * Math.sin(rate * time * (1 + (k % 3)) );
      return Math.max(r.low, Math.min(r.high, x));
    }),
    v: robot.speeds.map((s) => s.home),
  });
}

// Drawing units are about pixels, so that letters keep their size on small screens.
const narrow = (box) => Math.max(280, Math.min(460, box.clientWidth || 460));
const wide = (box) => Math.max(280, Math.min(940, box.clientWidth || 940));

export function showCharts(state, motion, player, place) {
  const { robot } = state;
  const seek = (time) => { player.pause(); player.seek(time); };
  const energy = makeChart({
    title: "Energy relative to the start [J]", xLabel: "t [s]", width: narrow(byId("chart-energy")), seek,
    series: Object.entries(motion.ledger).map(([name, y], k) => ({ name, x: motion.t, y, color: name === "sum" ? "sum" : k })),
  });
  byId("chart-energy").append(energy.element);
  // A coordinate and its own rate; a chosen speed, or one of a quaternion, may differ from the rate.
  const coordinates = robot.symbols.filter((s) => s.kind === "q");
  const phase = chosen("chart-phase", coordinates.map((s) => s.name), (k, choice) => makeChart({
    title: "Phase portrait", choice, width: narrow(byId("chart-phase")),
    xLabel: `${coordinates[k].name} [${coordinates[k].unit || "1"}], vertical: ${motion.rateNames[k]} [${coordinates[k].unit || "1"}/s]`,
    series: [{ name: coordinates[k].name, x: motion.q.map((row) => row[k]), y: motion.rates.map((row) => row[k]) }],
  }));
  const torque = chosen("chart-torque", motion.rows, (k, choice) => makeChart({
    title: "Torque split: terms that add up to zero [N m, N]", choice, xLabel: "t [s]", width: wide(byId("chart-torque")), seek,
    series: Object.entries(motion.torques).map(([name, rows]) => ({ name, x: motion.t, y: rows.map((row) => row[k]) })),
  }));
  const forces = chosen("chart-forces", motion.constraints?.rows ?? [], (k, choice) => makeChart({
    title: "Constraint force [N, N m]", choice, xLabel: "t [s]", width: wide(byId("chart-forces")), seek,
    series: [{ name: motion.constraints.rows[k], x: motion.t, y: motion.constraints.multipliers.map((row) => row[k]) }],
  }));
  player.moved.push(() => {
    const k = place(player.time);
    for (const chart of [energy, phase.chart, torque.chart, forces.chart]) chart?.cursor(k);
  });

  // Chart of one of several coordinates, chosen in its title.
  function chosen(id, names, make) {
    const holder = { chart: null };
    if (!names.length) return holder;
    const choice = names.length < 2 ? null : html("select", { "aria-label": "coordinate", onchange: () => show(choice.selectedIndex) }, names.map((name) => html("option", {}, name)));
    const show = (k) => {
      holder.chart = make(k, choice);
      holder.chart.cursor(place(player.time));
      byId(id).replaceChildren(holder.chart.element);
    };
    show(0);
    return holder;
  }
}
