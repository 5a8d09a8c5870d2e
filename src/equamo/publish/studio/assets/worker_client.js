// Client of the kernel in the browser: two workers with Pyodide.
//
// Python in a worker cannot be interrupted, and a worker takes seconds to start. The first worker derives
// and proves; the second answers quick requests meanwhile, such as checks while the user types,
// and is the spare: when a running request is cancelled, the first worker is ended and the second
// takes its place. Without a spare that is ready, the cancelled request runs to its end, and its replies
// are dropped. The spare starts when the first worker has derived and proved a model and is idle, since it
// would slow down the first result; or when that takes too long.
import { Cancelled, KernelError, settle } from "./kernel_client.js";

const QUICK = new Set(["hello", "templates", "import", "check", "edit", "scene"]);
const ATTEMPTS = 3; // to start a worker
const PATIENCE = 15000; // [ms] with the first worker alone, from the time it is ready

export class WorkerKernel {
  constructor(start) {
    this.start = start; // () => Worker
    this.starting = () => {}; // called with what is loaded while the first worker starts
    this.last = 0; // number of the last request
    this.queue = []; // requests that no worker has yet
    this.crew = []; // { worker, ready, request }
    this.failures = 0; // workers in a row that could not be started
    this.why = ""; // reason for the last
    this.derived = false; // whether a request that is not quick was answered
    this.hire();
  }

  ask(kind, fields, progress) {
    const id = ++this.last;
    const promise = new Promise((done, failed) => {
      this.queue.push({ id, kind, message: { id, kind, ...fields }, progress, done, failed });
    });
    this.assign();
    return { id, promise, cancel: () => this.cancel(id) };
  }

  cancel(id) {
    const queued = this.queue.find((r) => r.id === id);
    this.queue = this.queue.filter((r) => r !== queued);
    const member = this.crew.find((m) => m.request?.id === id && !m.dropped);
    if (!queued && !member) return;
    (queued ?? member.request).failed(new Cancelled("cancelled"));
    if (!member) return;
    member.dropped = true;
    this.relieve();
  }

  // End a worker whose request was cancelled, if another one is ready.
  relieve() {
    const busy = this.crew.find((m) => m.dropped);
    if (!busy || !this.crew.some((m) => m !== busy && m.ready && !m.dropped)) return;
    this.dismiss(busy);
    this.hire();
    this.assign();
  }

  dismiss(member) {
    member.worker.terminate();
    this.crew = this.crew.filter((m) => m !== member);
  }

  // Give requests to workers that are free: quick ones to the last, others to the first.
  assign() {
    if (!this.crew.length) for (const { failed } of this.queue.splice(0)) failed(new KernelError({ message: this.why }));
    for (const request of [...this.queue]) {
      const free = (m) => m?.ready && !m.request;
      const quick = QUICK.has(request.kind), first = this.crew[0], spare = this.crew.at(-1);
      const member = quick && free(spare) ? spare : free(first) ? first : null;
      if (!member) continue;
      this.queue = this.queue.filter((r) => r !== request);
      member.request = request;
      member.worker.postMessage(request.message);
    }
  }

  hire() {
    const member = { worker: this.start(), ready: false, request: null, dropped: false };
    this.crew.push(member);
    member.worker.addEventListener("message", ({ data }) => { if (this.crew.includes(member)) this.take(member, data); });
    member.worker.addEventListener("error", (event) => {
      if (this.crew.includes(member)) this.lose(member, event.message || "The kernel could not be started.");
    });
  }

  take(member, reply) {
    if (reply.kind === "starting") {
      if (this.crew.length === 1) this.starting(reply.text);
    } else if (reply.kind === "ready") {
      member.ready = true;
      this.failures = 0;
      if (this.crew.length === 1) setTimeout(() => this.reserve(), PATIENCE).unref?.();
      this.relieve();
      this.assign();
    } else if (reply.kind === "broken") this.lose(member, reply.message);
    else if (reply.id === member.request?.id) this.follow(member, reply);
  }

  follow(member, reply) {
    const { request } = member, { progress, done, failed } = request;
    if (!member.dropped) settle(reply, progress, done, failed);
    if (reply.kind === "progress") return;
    Object.assign(member, { request: null, dropped: false });
    if (reply.where === "kernel") this.lose(member, reply.message); // Python may not be usable any more
    this.derived ||= !QUICK.has(request.kind);
    this.assign();
    if (this.derived && !this.crew[0]?.request) this.reserve();
  }

  // Start the spare.
  reserve() {
    if (this.crew.length === 1) this.hire();
  }

  // A worker that failed is replaced, unless none can be started.
  lose(member, message) {
    this.dismiss(member);
    const waiting = member.request && !member.dropped ? [member.request] : [];
    this.failures += member.ready ? 0 : 1;
    this.why = message;
    if (this.failures < ATTEMPTS) this.hire();
    for (const { failed } of waiting) failed(new KernelError({ message }));
    this.assign();
  }
}
