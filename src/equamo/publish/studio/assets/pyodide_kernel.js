// The kernel in Python under Pyodide: the same in a Web Worker and in Node.
//
// The folder of the site has the folder pyodide, the packages and a snapshot of Python's memory after the
// imports, as `make studio-site` puts them. Python runs in this thread until a request is answered: it cannot
// be interrupted, so that cancelling means ending the worker.
import { inflate, install, unpack } from "./packages.js";

const PACKAGES = "packages.tar.gz", SNAPSHOT = "snapshot.gz";
const FOLDER = "import site; site.getsitepackages()[0]";
// Random numbers of a snapshot would be the same at every start. Those of proofs come from the browser.
const START = `
import importlib, random
importlib.invalidate_caches()
random.seed()
from equamo.publish.studio.kernel import Kernel
Kernel()
`;
// Modules that proofs and equations need, but the check of a text does not.
const WARM = "import flint, equamo.publish.studio.derive, equamo.publish.studio.prove";

// Start Pyodide and the kernel. `folder` ends with a slash; `read` gives the bytes of a file in it, as
// Uint8Array. The result has answer(request, send), which calls send with every reply, warm(), which
// loads what the first derivation would load, and pyodide.
export async function startKernel(folder, read, say = () => {}) {
  const packages = read(PACKAGES).then(inflate).then(unpack);
  packages.catch(() => {}); // awaited below; without this, Node ends before
  const snapshot = read(SNAPSHOT).then(inflate).catch(() => null);
  say("Loading Python", 0.1);
  const { loadPyodide } = await import(`${folder}pyodide/pyodide.mjs`);
  const pyodide = await boot(loadPyodide, { indexURL: `${folder}pyodide/` }, await snapshot);
  say("Loading equamo", 0.5);
  install(pyodide, await packages, pyodide.runPython(FOLDER));
  const kernel = pyodide.runPython(START);
  const answerText = kernel.answer_text;
  const answer = (request, send) => {
    try {
      answerText(JSON.stringify(request), (line) => send(JSON.parse(line)));
    } catch (error) { // a defect of the kernel, or no memory left
      send(failure(request.id, lastLine(error)));
    }
  };
  return { answer, warm: () => pyodide.runPython(WARM), pyodide };
}

// Python with the memory of the snapshot; if it cannot be used, Python from its start, which takes longer.
async function boot(loadPyodide, options, snapshot) {
  if (snapshot) {
    try {
      return await loadPyodide({ ...options, _loadSnapshot: snapshot });
    } catch { /* from its start */ }
  }
  return loadPyodide(options);
}

export function failure(id, message) {
  return { id, kind: "error", message, line: null, column: null, where: "kernel" };
}

// Last line of a Python traceback: the error itself.
export function lastLine(error) {
  return String(error?.message ?? error).trim().split("\n").pop();
}
