// The client of the kernel in the browser, with workers that answer when they are told to. Prints what
// happened, one line of JSON per step; test_worker_client.py reads them.
import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [assets, folder] = process.argv.slice(2);
for (const name of ["kernel_client", "worker_client"]) {
  const text = readFileSync(`${assets}/${name}.js`, "utf8");
  writeFileSync(`${folder}/${name}.js`, text);
}
writeFileSync(`${folder}/package.json`, '{"type": "module"}');
const { WorkerKernel } = await import(pathToFileURL(`${folder}/worker_client.js`));

const workers = [];
class FakeWorker extends EventTarget {
  constructor() {
    super();
    Object.assign(this, { number: workers.push(this), inbox: [], ended: false });
  }
  postMessage(message) { this.inbox.push(message); }
  terminate() { this.ended = true; }
  say(data) { this.dispatchEvent(Object.assign(new Event("message"), { data })); }
  answer(data = {}) { this.say({ id: this.inbox.at(-1).id, kind: "result", data }); }
}

const settled = [];
const kernel = new WorkerKernel(() => new FakeWorker());
const ask = (kind) => {
  const request = kernel.ask(kind, {}, (text) => settled.push(`${kind} says ${text}`));
  request.promise.then(() => settled.push(`${kind} done`), (e) => settled.push(`${kind} ${e.constructor.name}: ${e.message}`));
  return request;
};
const step = async (name) => {
  await new Promise((r) => setTimeout(r));
  const alive = workers.filter((w) => !w.ended);
  console.log(JSON.stringify({ name, settled: settled.splice(0), workers: alive.map((w) => [w.number, w.inbox.map((m) => m.kind)]) }));
};

const first = ask("derive");
const check = ask("check");
await step("asked before the worker is ready");
workers[0].say({ kind: "ready" });
await step("ready");
workers[0].say({ id: first.id, kind: "progress", text: "half", fraction: 0.5 });
first.cancel();
await step("cancelled without a spare");
workers[0].answer();
await step("it came to its end");
workers[0].answer();
await step("the check is answered, and a spare starts");
workers[1].say({ kind: "ready" });
const second = ask("prove"), third = ask("derive");
ask("check");
await step("quick requests go to the spare");
third.cancel();
await step("a queued request is dropped");
second.cancel();
await step("the spare takes over");
workers[1].answer();
ask("derive");
await step("it derives");
workers[1].say({ id: workers[1].inbox.at(-1).id, kind: "error", message: "no memory", where: "kernel" });
await step("a broken worker is replaced");
for (let k = 2; k < workers.length && k < 9; k++) workers[k].say({ kind: "broken", message: "no file" });
ask("check");
await step("none can be started");
