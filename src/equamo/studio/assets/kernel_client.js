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

const QUICK = new Set(["hello", "templates", "import", "check", "edit", "scene"]);
const REST = 1200; // [ms] without a request before a spare worker is started

// Pyodide in a worker, one request at a time. Python cannot be interrupted there: cancelling ends the
// worker, and a spare one, started beforehand, takes over. Meanwhile the spare answers quick requests.
export class WorkerKernel {
  // start: () => Worker; starting(text, fraction) is told how far the first worker is.
  constructor(start, starting) {
    this.start = start;
    this.starting = starting;
    this.queue = []; // requests that no worker has yet
    this.main = this.hire();
    this.spare = null;
  }

  hire() {
    const lane = { worker: this.start(), ready: false, request: null };
    lane.worker.addEventListener("message", ({ data }) => this.take(lane, data));
    lane.worker.addEventListener("error", (event) => this.fail(lane, event.message || "The kernel could not be started."));
    return lane;
  }

  take(lane, data) {
    if (lane !== this.main && lane !== this.spare) return; // it was ended
    if (data.kind === "starting") {
      if (lane === this.main) this.starting?.(data.text, data.fraction ?? null);
    } else if (data.kind === "ready") {
      lane.ready = true;
      if (lane === this.main) this.starting?.(null, null);
      this.pump();
    } else if (data.kind === "broken") this.fail(lane, data.message);
    else if (lane.request?.id === data.id) {
      const { progress, done, failed } = lane.request;
      if (data.kind !== "progress") lane.request = null;
      settle(data, progress, done, failed);
      this.pump();
    }
  }

  fail(lane, message) {
    const error = new KernelError({ message });
    if (lane === this.main) this.starting?.(null, null);
    for (const { failed } of [lane.request, ...(lane === this.main ? this.queue.splice(0) : [])].filter(Boolean)) failed(error);
    lane.request = null;
    if (lane === this.spare) this.spare = null;
  }

  ask(kind, fields, progress) {
    const request = { id: ++lastRequest, kind, fields, progress };
    const promise = new Promise((done, failed) => Object.assign(request, { done, failed }));
    this.queue.push(request);
    this.pump();
    return { id: request.id, promise, cancel: () => this.cancel(request) };
  }

  // Give waiting requests to idle workers, quick ones first.
  pump() {
    clearTimeout(this.rest);
    const waiting = [...this.queue.filter((r) => QUICK.has(r.kind)), ...this.queue.filter((r) => !QUICK.has(r.kind))];
    for (const request of waiting) {
      const lane = !this.main.request ? this.main : QUICK.has(request.kind) && this.spare?.ready && !this.spare.request ? this.spare : null;
      if (!lane) continue;
      this.queue.splice(this.queue.indexOf(request), 1);
      lane.request = request;
      lane.worker.postMessage({ id: request.id, kind: request.kind, ...request.fields });
    }
    if (!this.spare && this.main.ready && !this.main.request) this.rest = setTimeout(() => { this.spare ??= this.hire(); }, REST);
  }

  cancel(request) {
    const place = this.queue.indexOf(request), lane = [this.main, this.spare].find((x) => x?.request === request);
    if (place >= 0) this.queue.splice(place, 1);
    else if (lane) {
      lane.worker.terminate();
      if (lane === this.main) this.main = this.spare ?? this.hire();
      this.spare = null;
      setTimeout(() => this.pump()); // others may be cancelled in the same breath
    } else return;
    request.failed(new Cancelled("cancelled"));
  }
}
