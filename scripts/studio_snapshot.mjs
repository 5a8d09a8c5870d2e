// Snapshot of Python's memory after the imports of a first derivation and proof, for the static site.
//
//     node studio_snapshot.mjs site/
//
// It is made under Node with the files of the site, and written to site/snapshot.gz. Compiled modules cannot
// be part of it: python-flint is linked when the site starts.
import { readFile, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const site = process.argv[2];
const read = async (name) => new Uint8Array(await readFile(site + name));
const { startKernel } = await import(pathToFileURL(`${site}pyodide_kernel.js`));
const { inflate, install, unpack } = await import(pathToFileURL(`${site}packages.js`));
const { loadPyodide } = await import(pathToFileURL(`${site}pyodide/pyodide.mjs`));

// What the first requests of the page import.
async function imported() {
  const { answer, pyodide } = await startKernel(site, read);
  const ask = (kind, fields) => {
    let last;
    answer({ id: 1, kind, ...fields }, (reply) => { last = reply; });
    if (last.kind !== "result") throw new Error(`${kind}: ${last.message}`);
    return last.data;
  };
  ask("templates", {});
  const { text: model } = ask("templates", { name: "rr_arm" });
  for (const kind of ["check", "derive", "prove"]) ask(kind, { model });
  return pyodide.runPython("import json, sys; json.dumps([x for x in sys.modules if x.startswith('equamo')])");
}

const names = await imported();
const pyodide = await loadPyodide({ indexURL: `${site}pyodide/`, _makeSnapshot: true });
const files = unpack(await inflate(await read("packages.tar.gz"))).filter(([path]) => !path.endsWith(".so"));
install(pyodide, files, pyodide.runPython("import site; site.getsitepackages()[0]"));
pyodide.runPython(`
import importlib, json
for name in json.loads(${JSON.stringify(names)}):
    importlib.import_module(name)
`);
await writeFile(`${site}snapshot.gz`, gzipSync(pyodide.makeMemorySnapshot()));
