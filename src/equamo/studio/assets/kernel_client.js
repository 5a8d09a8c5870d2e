// Clients of the two kernels: the local server by requests, Pyodide in a worker by messages. Both have
// ask(kind, fields, progress), which gives { promise, cancel }.

export class KernelError extends Error {
  constructor(reply) {
    super(reply.message);
    Object.assign(this, { line: reply.line ?? null, column: reply.column ?? null, where: reply.where ?? null });
  }
}

// The request was cancelled; whoever cancelled it knows.
export class Cancelled extends Error {}

let lastRequest = Math.floor(Math.random() * 2 ** 40); // pages of one server must not share numbers

// Follow the replies to one request: progress goes to `progress`, the last reply settles the promise.
function settle(reply, progress, done, failed) {
  if (reply.kind === "progress") progress?.(reply.text, reply.fraction ?? null, reply);
  else if (reply.kind === "result") done(reply.data);
  else if (reply.kind === "cancelled") failed(new Cancelled("cancelled"));
  else failed(new KernelError(reply));
}

// Server on this machine. Replies to a request are lines of JSON in the answer to its POST.
export class LocalKernel {
  // The server ends when no page asks for its sign of life any more.
  constructor() {
    fetch("alive", { cache: "no-store" }).then(async (response) => {
      const reader = response.body.getReader();
      while (!(await reader.read()).done);
    }).catch(() => {});
  }

  post(message, signal) {
    return fetch("message", {
      method: "POST", signal, cache: "no-store", credentials: "omit",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(message),
    });
  }

  ask(kind, fields, progress) {
    const id = ++lastRequest;
    let over = false;
    const promise = new Promise((done, failed) => {
      const close = (f) => (x) => { over = true; f(x); };
      this.read({ id, kind, ...fields }, (reply) => settle(reply, progress, close(done), close(failed)))
        .then(() => { if (!over) failed(new KernelError({ message: "The kernel ended without a reply." })); }, failed);
    });
    const cancel = () => { if (!over) this.post({ id: ++lastRequest, kind: "cancel", request: id }).then((r) => r.text(), () => {}); };
    return { id, promise, cancel };
  }

  async read(message, take) {
    let response;
    try {
      response = await this.post(message);
    } catch {
      throw new KernelError({ message: "The studio's server does not answer. Start it again: equamo studio" });
    }
    if (!response.ok) throw new KernelError({ message: `${response.status}: ${(await response.text()).slice(0, 300)}` });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.trim()) take(JSON.parse(line));
    }
    if (rest.trim()) take(JSON.parse(rest));
  }
}

// Pyodide in a worker. Python cannot be interrupted there: cancelling ends the worker, and a spare one,
// started beforehand, takes over.
export class WorkerKernel {
  constructor(start) {
    this.start = start; // () => Worker
    this.waiting = new Map(); // id -> { message, progress, done, failed }
    this.worker = this.hire();
    this.spare = null;
  }

  hire() {
    const worker = this.start();
    worker.addEventListener("message", ({ data }) => {
      if (worker !== this.worker) return;
      if (data.kind === "ready") {
        this.spare ??= this.hire();
        return;
      }
      const request = this.waiting.get(data.id);
      if (!request) return;
      if (data.kind !== "progress") this.waiting.delete(data.id);
      settle(data, request.progress, request.done, request.failed);
    });
    worker.addEventListener("error", (event) => {
      if (worker === this.worker) this.fail(event.message || "The kernel could not be started.");
    });
    return worker;
  }

  fail(message) {
    for (const { failed } of this.waiting.values()) failed(new KernelError({ message }));
    this.waiting.clear();
  }

  ask(kind, fields, progress) {
    const id = ++lastRequest, message = { id, kind, ...fields };
    const promise = new Promise((done, failed) => this.waiting.set(id, { message, progress, done, failed }));
    this.worker.postMessage(message);
    return { id, promise, cancel: () => this.cancel(id) };
  }

  cancel(id) {
    const request = this.waiting.get(id);
    if (!request) return;
    this.waiting.delete(id);
    this.worker.terminate();
    this.worker = this.spare ?? this.hire();
    this.spare = null;
    request.failed(new Cancelled("cancelled"));
    for (const { message } of this.waiting.values()) this.worker.postMessage(message); // asked but not answered
    this.spare = this.hire();
  }
}
