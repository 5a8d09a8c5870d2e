// Web Worker of the static site: requests come as messages, replies go back as messages. Before the first
// reply it sends { kind: "starting", text, fraction } and { kind: "ready" }.
import { failure, lastLine, startKernel } from "./pyodide_kernel.js";

const IDLE = 1000; // [ms] without a request after which a spare worker gets ready for a derivation
const folder = new URL("./", self.location.href).href;

async function read(name) {
  const response = await fetch(folder + name);
  if (!response.ok) throw new Error(`${name}: ${response.status} ${response.statusText}`);
  return new Uint8Array(await response.arrayBuffer());
}

const notStarted = (error) => `The kernel could not be started: ${lastLine(error)}`;
const starting = (text, fraction) => self.postMessage({ kind: "starting", text, fraction });
const kernel = startKernel(folder, read, starting);
let asked = false;
kernel.then(
  ({ warm }) => {
    self.postMessage({ kind: "ready" });
    setTimeout(() => { if (!asked) warm(); }, IDLE);
  },
  (error) => self.postMessage({ kind: "broken", message: notStarted(error) }),
);

self.addEventListener("message", async ({ data }) => {
  asked = true;
  try {
    const { answer } = await kernel;
    answer(data, (reply) => self.postMessage(reply));
  } catch (error) {
    self.postMessage(failure(data.id, notStarted(error)));
  }
});
