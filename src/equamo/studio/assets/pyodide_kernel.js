// The kernel in Python under Pyodide: the same in a Web Worker and in Node.
//
// The folder of the site has the folder pyodide and the packages, as `make studio-site` puts them. Python
// runs in this thread until a request is answered: it cannot be interrupted, so that cancelling means ending
// the worker.
import { install, unpack } from "./packages.js";

const PACKAGES = "packages.tar.gz";

const FOLDER = "import site; site.getsitepackages()[0]";
const START = `
from equamo.studio.kernel import Kernel
Kernel()
`;
// What proofs and equations need beyond checking a text.
const WARM = "import flint, equamo.studio.derive, equamo.studio.prove";

// Start Pyodide and the kernel. `folder` ends with a slash; `read` gives the bytes of a file in it, as
// Uint8Array. The result has answer(request, send), which calls send with every reply, and warm(), which
// loads what the first derivation would load.
export async function startKernel(folder, read, say = () => {}) {
  const packages = read(PACKAGES).then(unpack);
  packages.catch(() => {}); // awaited below; without this, Node ends before
  say("Loading Python", 0.1);
  const { loadPyodide } = await import(`${folder}pyodide/pyodide.mjs`);
  const pyodide = await loadPyodide({ indexURL: `${folder}pyodide/` });
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
  return { answer, warm: () => pyodide.runPython(WARM) };
}

export function failure(id, message) {
  return { id, kind: "error", message, line: null, column: null, where: "kernel" };
}

// Last line of a Python traceback: the error itself.
export function lastLine(error) {
  return String(error?.message ?? error).trim().split("\n").pop();
}
