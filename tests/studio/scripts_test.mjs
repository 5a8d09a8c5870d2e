// Scripts of the studio that need no page, run on data of test_scripts.py: reads a JSON file with the
// joined scripts and requests, prints the answers.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [data, folder] = process.argv.slice(2);
const { script, exported, requests } = JSON.parse(readFileSync(data, "utf8"));
writeFileSync(`${folder}/scripts.mjs`, `${script}\nexport { ${exported.join(", ")} };\n`);
const { Tape, parseExpression, Dynamics, Simulation, tomlPieces, completions, reachPoint, subTape, pixelRay } = await import(pathToFileURL(`${folder}/scripts.mjs`));

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
    const state = stateOf(derived), { tape, at } = subTape(state.tape, derived.pose_nodes);
    const kinematics = (x, out) => {
      tape.inputs.set(x, 0);
      tape.run();
      derived.pose_nodes.forEach((node, k) => { out[k] = tape.values[at[node]]; });
    };
    return reachPoint({ kinematics, bodies: derived.robot.bodies.length, q, body, point: [1, 0, 0], target, free, ranges: derived.robot.ranges, size: 2 });
  },
  // The ray through the pixel of a point passes through the point.
  ray({ clip, width, height, point }) {
    const w = [0, 1, 2, 3].map((i) => clip[i] * point[0] + clip[i + 4] * point[1] + clip[i + 8] * point[2] + clip[i + 12]);
    const { origin, direction } = pixelRay({ clip, width, height }, (0.5 + w[0] / w[3] / 2) * width, (0.5 - w[1] / w[3] / 2) * height);
    const t = point.reduce((s, x, i) => s + (x - origin[i]) * direction[i], 0);
    return Math.hypot(...point.map((x, i) => origin[i] + t * direction[i] - x));
  },
};

console.log(JSON.stringify(requests.map(({ call, ...given }) => answers[call](given))));
