// Start of the page: read the data, create the views, and link everything through one state.

function start() {
  const robot = islandData("robot");
  const state = new PageState(robot);
  const scene = robot.scene;
  const { tape } = state;
  const first = robot.symbols.findIndex((s) => s.kind === "parameters");
  // The generated function has no `parameters` argument if there are none.
  const parameters = first < 0 ? [] : [tape.inputs.subarray(first)];
  const kinematics = (q, out) => poses(...(q.length ? [q] : []), ...parameters, out);
  const view = showRobot(state, scene, kinematics);
  showCoordinates(state);
  const { parts } = islandData("equations");
  const equations = showEquations(state, parts);
  preparePrint(state, parts);
  const moving = islandData("motion");
  let player = null;
  if (moving?.motion) {
    const { place, loads, sample } = motionSampler(moving.motion);
    player = new Player(state, moving.motion.t[moving.motion.t.length - 1], sample);
    showPlayer(player);
    player.seek(0); // the page opens at the first state of its motion
    showCharts(state, moving.motion, player, place);
    const largest = moving.motion.constraints?.largest;
    // Forces are known along the motion only, not at coordinates that a slider chooses.
    if (largest) state.onChange(() => view.setLoads?.(state.onTrack ? loads(player.time) : [], largest));
  } else if (moving?.sway) {
    player = new Player(state, moving.sway.duration, swaySampler(moving.sway, robot));
    showPlayer(player);
  }
  const code = islandData("code");
  if (code) showCode(code);
  const proof = islandData("proof");
  if (proof) showCheck(proof);
  showTree(state);
  state.update();
  // For the console, and for tests.
  window.equamo = { state, view, equations, player, proof: proof && { data: proof, readProof, checkProof, proofText } };
}

start();
