// Robot in the page: the WebGL2 viewer, or a line drawing without WebGL2.

// `signal` ends what the view listens to, if another robot takes its place.
export function showRobot(state, scene, kinematics, signal) {
  const canvas = byId("canvas"), over = byId("over");
  const bodies = scene.bodies.map((b) => b.name);
  let view;
  try {
    view = createViewer(canvas, scene, kinematics, signal);
  } catch (error) {
    canvas.hidden = true;
    over.append(html("p", { class: "fallback" }, "No WebGL2 available: the robot is drawn with lines."));
    view = createSketch(canvas.parentElement, scene, kinematics);
  }
  const options = {};
  for (const box of byId("options").querySelectorAll("input")) {
    options[box.dataset.option] = box.checked;
    box.addEventListener("change", () => {
      options[box.dataset.option] = box.checked;
      view.setOptions(options);
    });
  }
  view.setOptions(options);
  view.setPose(state.q);
  view.onHover((name) => state.light(name === null ? null : bodies.indexOf(name)));
  view.onPick((name) => state.pin(name === null ? null : bodies.indexOf(name)));
  const caption = html("p", { class: "caption" });
  over.append(caption);
  const follow = followRobot(scene);
  const out = new Float64Array(16 * scene.bodies.length);
  state.onChange(() => {
    view.setPose(state.q);
    const step = follow(kinematics(state.q, out));
    if (step) view.move?.(step);
  });
  state.onLight((body) => {
    view.highlight(body === null ? null : bodies[body]);
    caption.textContent = body === null ? "" : bodies[body];
  });
  window.addEventListener("resize", () => view.draw(), { signal });
  window.addEventListener("beforeprint", () => view.fit(), { signal });
  return view;
}

// Displacement of the view that follows a moving robot; null while it is near enough.
function followRobot(scene) {
  const count = scene.bodies.length, reach = 0.5 * scene.size;
  let home = null, moved = [0, 0, 0];
  return (poses) => {
    const middle = [12, 13, 14].map((i) => {
      let sum = 0;
      for (let b = 0; b < count; b++) sum += poses[16 * b + i];
      return sum / Math.max(1, count);
    });
    home ??= middle;
    const level = middle.map((x, k) => x - home[k]);
    const height = level.reduce((sum, x, k) => sum + x * scene.up[k], 0);
    const along = level.map((x, k) => x - height * scene.up[k]);
    const far = Math.hypot(...along);
    const wanted = far > reach ? along.map((x) => x * (1 - reach / far)) : [0, 0, 0];
    const step = wanted.map((x, k) => x - moved[k]);
    if (Math.hypot(...step) < 1e-6 * scene.size) return null;
    moved = wanted;
    return step;
  };
}
