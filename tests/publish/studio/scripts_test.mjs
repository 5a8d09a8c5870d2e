// Scripts of the studio that need no page, run on data of test_scripts.py: reads a JSON file with the
// joined scripts and requests, prints the answers.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [data, folder] = process.argv.slice(2);
const { script, exported, requests } = JSON.parse(readFileSync(data, "utf8"));
writeFileSync(`${folder}/scripts.mjs`, `${script}\nexport { ${exported.join(", ")} };\n`);
const { Tape, parseExpression, Dynamics, Simulation, tomlPieces, completions, reachPoint, kinematicsOf, pixelRay, Session, Cancelled } = await import(pathToFileURL(`${folder}/scripts.mjs`));

function stateOf({ robot }) {
  const tape = new Tape(robot.tape, robot.symbols, new Map());
  return { tape, robot };
}

const answers = {
  expression({ text, names }) {
    try {
      return { value: parseExpression(text, (name) => (Object.hasOwn(names, name) ? () => names[name] : null))() };
    } catch (error) {
      return { error: error.message };
    }
  },
  pieces({ text }) {
    let open = "";
    return text.split("\n").map((line) => {
      const found = tomlPieces(line, open);
      ({ open } = found);
      return found.pieces;
    });
  },
  completions: ({ before, names }) => completions(before, names),
  simulate({ derived, q, v, inputs, step, steps }) {
    const state = stateOf(derived), dynamics = new Dynamics(state, derived.parts);
    dynamics.takeValues(state.tape.inputs);
    const run = new Simulation(dynamics, q, v, new Map(Object.entries(inputs)), step);
    for (let k = 0; k < steps; k++) run.step();
    return { t: run.t, q: Array.from(run.x.q), v: Array.from(run.x.v), drift: run.drift, exchanged: run.exchanged };
  },
  reach({ derived, q, body, target, free }) {
    const kinematics = kinematicsOf(stateOf(derived), derived);
    return reachPoint({ kinematics, bodies: derived.robot.bodies.length, q, body, point: [1, 0, 0], target, free, ranges: derived.robot.ranges, size: 2 });
  },
  // Poses after other numbers of the text, and after another value of a parameter.
  poses({ derived, q, numbers, parameter, value }) {
    const state = stateOf(derived), kinematics = kinematicsOf(state, derived), look = () => Array.from(kinematics(q, new Float64Array(derived.poses.nodes.length)));
    const before = look();
    kinematics.take(numbers);
    const after = look();
    state.tape.inputs[state.tape.symbols.findIndex((s) => s.name === parameter)] = value;
    return [before, after, look()];
  },
  session,
  // The ray through the pixel of a point passes through the point.
  ray({ clip, width, height, point }) {
    const w = [0, 1, 2, 3].map((i) => clip[i] * point[0] + clip[i + 4] * point[1] + clip[i + 8] * point[2] + clip[i + 12]);
    const { origin, direction } = pixelRay({ clip, width, height }, (0.5 + w[0] / w[3] / 2) * width, (0.5 - w[1] / w[3] / 2) * height);
    const t = point.reduce((s, x, i) => s + (x - origin[i]) * direction[i], 0);
    return Math.hypot(...point.map((x, i) => origin[i] + t * direction[i] - x));
  },
};

// A session with a kernel that answers when the script says so: proofs and texts that it shows.
async function session() {
  const asked = [];
  const kernel = { ask(kind, fields) {
    let done, failed;
    const promise = new Promise((f, g) => { done = f; failed = g; });
    promise.catch(() => {});
    asked.push({ kind, done, model: fields.model });
    return { promise, cancel: () => failed(new Cancelled("cancelled")) };
  } };
  const s = new Session(kernel), shown = [], seen = () => shown.push([s.good, s.proof.state, s.proof.structure, s.stale]);
  const pause = (ms = 0) => new Promise((f) => setTimeout(f, ms));
  const answer = async (kind, data) => {
    const k = asked.findIndex((r) => r.kind === kind);
    asked.splice(k, 1)[0].done(data);
    await pause();
  };
  const write = async (text, check) => {
    s.edit(text);
    await pause(80);
    await answer("check", { problems: [], numbers: {}, ok: true, ...check });
  };
  const derive = async (digest) => {
    await answer("derive", { robot: {}, method: "recursive", digest });
    await answer("prove", { ok: true, lines: [], digest });
  };
  await write("A", { shown: "a" });
  await derive("a");
  seen();
  await write("B", { shown: "b" });
  await write("B?", { ok: false }); // while B is derived
  await derive("b");
  seen();
  await write("C", { shown: "c" });
  s.cancel();
  await pause();
  seen();
  asked.length = 0;
  const editor = { text: "x = 1", setText(text) { this.text = text; } };
  const change = s.change(editor, ["x"], 2);
  editor.text = "x = 1 # typed";
  await answer("edit", { text: "x = 2" });
  await answer("edit", { text: "x = 2 # typed" });
  await change;
  return { shown, text: editor.text };
}

console.log(JSON.stringify(await Promise.all(requests.map(({ call, ...given }) => answers[call](given)))));
