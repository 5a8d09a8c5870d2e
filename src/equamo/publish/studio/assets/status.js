// Head of the studio: the robot's name and size, the current task, and whether it is proved.

const DOING = {
  derive: "Deriving", prove: "Proving", closed_form: "Closed form", code: "Writing code", steps: "Writing the steps",
  linearize: "Linearizing", audit: "Checking", compare: "Comparing", export: "Exporting", import: "Importing", scene: "Drawing",
};

export function showStatus(session) {
  const box = byId("status"), bar = byId("progress");
  const chip = html("button", { type: "button", class: "chip", id: "verdict", title: "Open the certificate", onclick: () => session.emit("show", "proof") });
  const state = html("span", { class: "state", id: "state" });
  const cancel = html("button", { type: "button", class: "plain", id: "cancel", hidden: true, onclick: () => session.cancel() }, "cancel");
  box.append(state, cancel, chip);
  let shown = null, wait = null;

  function draw() {
    const { task, check, stale } = session;
    const errors = check?.problems.filter((p) => p.severity === "error") ?? [];
    const doing = task ? (task.said ? `${DOING[task.kind] ?? task.kind}: ${task.said}` : `${DOING[task.kind] ?? task.kind} …`) : null;
    state.textContent = doing ?? (errors.length ? `Line ${errors[0].line ?? "?"} has an error${session.derived ? "; showing the last valid model" : ""}`
      : stale ? "The results are out of date" : shown ?? "");
    state.className = `state ${task ? "working" : errors.length ? "bad" : ""}`;
    cancel.hidden = !task;
    bar.hidden = !task;
    if (task?.fraction === null || !task) bar.removeAttribute("aria-valuenow");
    else bar.setAttribute("aria-valuenow", task.fraction);
    bar.style.setProperty("--done", task?.fraction ?? "");
    bar.classList.toggle("unknown", Boolean(task) && task.fraction === null);
    byId("results-panel").classList.toggle("stale", stale && Boolean(session.derived));
  }
  // Very short tasks are not shown: the line would only flicker.
  const later = () => {
    clearTimeout(wait);
    if (session.task) wait = setTimeout(draw, 120);
    else draw();
  };
  session.on("busy", later);
  session.on("check", draw);
  session.on("stale", later);
  session.on("numbers", () => { shown = `Numbers updated in ${Math.round(performance.now() - session.edited)} ms`; draw(); });
  session.on("derived", (data) => {
    shown = `Equations derived in ${seconds(performance.now() - session.edited)}`;
    byId("robot-name").textContent = data.robot.name;
    document.title = `${data.robot.name} – equamo studio`;
    byId("facts").textContent = factsOf(data);
    draw();
  });
  session.on("saved", (name) => { shown = `Saved ${name}`; draw(); });
  session.on("starting", (text) => { shown = `${text} …`; draw(); });
  session.on("failure", (error) => { shown = error.message; draw(); });
  session.on("cancelled", (mine) => { if (mine) { shown = "Cancelled"; draw(); } });
  session.on("proof", (proof) => {
    chip.className = `chip ${proof.state}`;
    chip.textContent = { none: "not proved", proving: "proving …", proved: "✓ proved", refuted: "✗ NOT proved", failed: "proof failed" }[proof.state];
    if (proof.state === "proved") shown = `Derived and proved in ${seconds(performance.now() - session.edited)}`;
    draw();
  });
  chip.textContent = "not proved";
  chip.className = "chip none";
}

const seconds = (ms) => (ms < 950 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

function factsOf(data) {
  const count = (n, one, many) => `${n} ${n === 1 ? one : many}`;
  const of = (kind) => data.robot.symbols.filter((s) => s.kind === kind).length;
  return [count(of("v"), "degree of freedom", "degrees of freedom"), count(data.robot.bodies.length, "body", "bodies"),
    count(of("parameters"), "parameter", "parameters")].join(" · ");
}
