// The kernel of the static site under Node: requests are lines of JSON on stdin, replies on stdout. Used by
// node_kernel.py. The first line of output is {"kind": "ready", "seconds": …}.
import { readFile } from "node:fs/promises";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const site = process.argv[2]; // ends with a slash
const { startKernel } = await import(pathToFileURL(`${site}pyodide_kernel.js`));
const read = async (name) => new Uint8Array(await readFile(site + name));
const write = (reply) => process.stdout.write(`${JSON.stringify(reply)}\n`);

const start = performance.now();
const { answer } = await startKernel(site, read);
write({ kind: "ready", seconds: (performance.now() - start) / 1000 });
for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  if (request.kind === "memory") write({ id: request.id, kind: "result", data: process.memoryUsage() });
  else answer(request, write);
}
