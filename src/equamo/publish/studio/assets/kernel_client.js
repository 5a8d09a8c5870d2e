// Client of the kernel on this machine. Like that of the kernel in the browser (worker_client.js), it has
// ask(kind, fields, progress), which returns { promise, cancel }.

export class KernelError extends Error {
  constructor(reply) {
    super(reply.message);
    Object.assign(this, { line: reply.line ?? null, column: reply.column ?? null, where: reply.where ?? null });
  }
}

// The request was cancelled; the caller already knows.
export class Cancelled extends Error {}

let lastRequest = Math.floor(Math.random() * 2 ** 40); // pages of one server must not share numbers

// Follow the replies to one request: progress goes to `progress`, the last reply settles the promise.
export function settle(reply, progress, done, failed) {
  if (reply.kind === "progress") progress?.(reply.text, reply.fraction ?? null, reply);
  else if (reply.kind === "result") done(reply.data);
  else if (reply.kind === "cancelled") failed(new Cancelled("cancelled"));
  else failed(new KernelError(reply));
}

// Server on this machine. Replies to a request are lines of JSON in the answer to its POST.
export class LocalKernel {
  // The server ends when no page requests its heartbeat any more.
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
        .then(() => { if (!over) failed(new KernelError({ message: "The kernel stopped without a reply; try again." })); }, failed);
    });
    const cancel = () => { if (!over) this.post({ id: ++lastRequest, kind: "cancel", request: id }).then((r) => r.text(), () => {}); };
    return { id, promise, cancel };
  }

  async read(message, take) {
    const lost = () => { throw new KernelError({ message: "The studio's server does not respond. Export the model to keep it, and start the server again with 'equamo studio'." }); };
    const response = await this.post(message).catch(lost);
    if (!response.ok) throw new KernelError({ message: (await response.text().catch(lost)).slice(0, 300) });
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    let rest = "";
    for (;;) {
      const { value, done } = await reader.read().catch(lost);
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop();
      for (const line of lines) if (line.trim()) take(JSON.parse(line));
    }
    if (rest.trim()) take(JSON.parse(rest));
  }
}
