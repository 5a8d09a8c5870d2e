// Start of the studio: connects the editor, the kernel's session, the robot and the results.

const PANES = [["text", "Text"], ["bodies", "Bodies"], ["parameters", "Parameters"]];
const PANELS = [["model", "Model"], ["robot", "Robot"], ["results", "Results"]];

// The page of the static site names its worker; the local server has its token in the address.
function connect() {
  const worker = document.querySelector("meta[name=equamo-worker]")?.content;
  if (worker) return new WorkerKernel(() => new Worker(worker, { type: "module" }));
  return new LocalKernel();
}

function tabStrip(list, items, select) {
  const buttons = items.map(([id, title]) => html("button", { type: "button", role: "tab", id: `tab-${id}`, "aria-controls": `model-${id}`, onclick: () => select(id) }, title));
  list.append(...buttons);
  arrowTabs(list, buttons);
  return (id) => chooseTab(buttons, items.findIndex(([x]) => x === id));
}

async function startStudio() {
  const session = new Session(connect());
  session.kernel.starting = (text) => session.emit("starting", text);
  const editor = new Editor(byId("editor-box"), (text) => session.edit(text));
  new Completion(editor, () => session.names);
  showStatus(session);
  showProblems(session, editor);
  const panes = { bodies: showBodies(session, editor), parameters: showParameters(session, editor) };
  const choosePane = tabStrip(byId("model-tabs"), PANES, (id) => pane(id));
  function pane(id) {
    choosePane(id);
    for (const [x] of PANES) byId(`model-${x}`).hidden = x !== id;
    panes[id]?.shown();
    if (id === "text") editor.draw();
  }
  session.on("pane", pane);
  pane("text");

  const robot = new RobotPanel(session);
  const equations = equationsTab(session), motion = motionTab(session);
  const tabs = new ResultTabs([equations, proofTab(session), motion, checkTab(session), linearTab(session), stepsTab(session), codeTab(session), compareTab(session, editor)]);
  session.on("show", (id) => { tabs.select(id); panel("results"); });
  const files = showFiles(session, editor);

  function panel(id) {
    document.body.dataset.panel = id;
    [...byId("panels").children].forEach((b, k) => b.setAttribute("aria-current", String(PANELS[k][0] === id)));
    robot.view?.draw();
  }
  byId("panels").append(...PANELS.map(([id, title]) => html("button", { type: "button", onclick: () => panel(id) }, title)));
  panel("model");

  session.on("derived", (data, others) => {
    const before = session.state, state = new PageState(data.robot);
    data.robot.symbols.forEach((s, k) => { s.place = k; });
    if (before) keepPose(before, state);
    session.state = state;
    robot.show(state, data.robot.scene, kinematicsOf(state, data));
    equations.show(state, data);
    session.closed = Boolean(data.is_closed);
    motion.show(state, data);
    session.emit("state", state);
    state.update();
    tabs.ready = true;
    tabs.changed();
    window.equamo = { session, state, editor, robot, tabs, equations, motion, files };
  });
  // A number that the equations contain: they are derived again, but the links move at once.
  session.on("literals", ({ parameters }) => {
    robot.kinematics.take(parameters);
    session.state.update();
  });
  session.setParameter = (name, value) => {
    const { state } = session, symbol = state.robot.symbols.find((s) => s.kind === "parameters" && s.name === name);
    if (!symbol) return;
    state.tape.inputs[symbol.place] = value;
    state.update();
  };
  session.on("numbers", (numbers) => {
    const { state } = session, home = session.derived.numbers.home, count = state.q.length;
    robot.kinematics.take(numbers.parameters);
    for (const s of state.robot.symbols) {
      const value = s.kind === "parameters" ? numbers.parameters?.[s.name] : undefined, at = numbers.home?.[s.name];
      if (typeof value === "number") state.tape.inputs[s.place] = value;
      if (at === undefined || at === home[s.name]) continue;
      if (s.kind === "q") state.q[s.place] = at; // another home pose
      else if (s.kind === "v") state.v[s.place - count] = at;
      home[s.name] = at;
    }
    state.update();
    tabs.changed();
    redraw(session, robot);
  });

  window.equamo = { session, editor, tabs, files };
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
    event.preventDefault();
    files.store();
  });
  try {
    await files.load();
    const quiet = { text: "", visible: false };
    const first = session.kernel instanceof LocalKernel ? await session.ask("start", {}, null, quiet) : {};
    editor.load(first.text ?? (await session.ask("templates", { name: new URLSearchParams(location.search).get("robot") ?? "krang" }, null, quiet)).text, first.file);
  } catch (error) {
    session.emit("failure", error);
  }
}

// Coordinates and speeds of the same name keep their values.
function keepPose(before, after) {
  const copy = (kind, from, to) => {
    const old = new Map(before.robot.symbols.filter((s) => s.kind === kind).map((s, k) => [s.name, from[k]]));
    after.robot.symbols.filter((s) => s.kind === kind).forEach((s, k) => { to[k] = old.get(s.name) ?? to[k]; });
  };
  copy("q", before.q, after.q);
  copy("v", before.v, after.v);
  after.normalise();
}

// The limits and home values of the sliders may have changed.
function takeRanges(state, scene) {
  scene.coordinates.forEach((c, k) => {
    const range = state.robot.ranges[k];
    if (c.limited) Object.assign(range, { low: c.lower, high: c.upper, lower: true, upper: true });
    range.home = c.home;
  });
}

// Lengths may have changed: the solids that represent the links are rebuilt when there is time.
let drawing = null;
function redraw(session, robot) {
  clearTimeout(drawing);
  drawing = setTimeout(async () => {
    const { state, good } = session;
    try {
      const { scene } = await session.ask("scene", {}, null, { visible: false });
      if (session.state !== state || session.good !== good || JSON.stringify(scene) === JSON.stringify(robot.scene)) return;
      takeRanges(state, scene);
      robot.show(state, scene, robot.kinematics);
      state.update();
    } catch { /* a newer edit has cancelled it */ }
  }, 400);
}

startStudio();
