// Session: what is derived from the current text. A text with problems leaves the last good result in
// place; an edit of numbers alone changes values; any other edit is derived and proved again.

const QUIET = 40; // [ms] after the last key before the text is checked
const NOT_PROVED = { state: "none", structure: null, lines: [] };
const isOver = (proof) => ["proved", "refuted", "failed"].includes(proof.state);

export class Session {
  constructor(kernel) {
    this.kernel = kernel;
    this.text = "";
    this.version = 0; // of the text
    this.check = null; // last check
    this.names = {}; // of the last check that had names
    this.structure = null; // of what is shown
    this.derived = null;
    this.good = ""; // last text that could be derived
    this.method = "recursive";
    this.proof = NOT_PROVED; // the last one, also while it runs
    this.kept = NOT_PROVED; // of the equations that are shown
    this.stale = false; // whether the result is older than the text
    this.listeners = new Map();
    this.tasks = new Map(); // request -> what is shown of it
    this.log = []; // times of what was done, for the status line and for tests
  }

  on(event, f) {
    this.listeners.set(event, [...(this.listeners.get(event) ?? []), f]);
  }

  emit(event, ...given) {
    for (const f of this.listeners.get(event) ?? []) f(...given);
  }

  // A request about the last good model; its progress and its end are shown in the status line.
  async ask(kind, fields = {}, progress = null, { text = this.good, visible = true } = {}) {
    const request = this.kernel.ask(kind, { model: text, ...fields }, (said, fraction, reply) => {
      if (visible) this.busy({ kind, said, fraction }, request);
      progress?.(said, fraction, reply);
    });
    if (visible) this.busy({ kind, said: null, fraction: null }, request);
    try {
      return await request.promise;
    } finally {
      this.tasks.delete(request);
      this.busy();
    }
  }

  // Tasks that are shown, with their requests; the first that was asked is named.
  busy(task = null, request = null) {
    if (task) this.tasks.set(request, task);
    this.task = this.tasks.values().next().value ?? null;
    this.emit("busy", this.task);
  }

  cancel() {
    for (const request of this.tasks.keys()) request.cancel();
  }

  // Another value of one field of the text; what was typed meanwhile stays.
  async change(editor, path, value) {
    for (;;) {
      const before = editor.text, { text } = await this.ask("edit", { path, value }, null, { text: before, visible: false });
      if (editor.text === before) return editor.setText(text);
    }
  }

  edit(text) {
    this.text = text;
    this.version += 1;
    this.edited = performance.now();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), QUIET);
    this.emit("edit");
  }

  async look() {
    if (this.looking) return; // it looks again if the text has changed
    this.looking = true;
    let version;
    try {
      do {
        version = this.version;
        const check = await this.kernel.ask("check", { model: this.text }).promise;
        if (version !== this.version) continue;
        this.check = check;
        if (check.names && Object.keys(check.names).length) this.names = check.names;
        this.emit("check", check);
        this.act(check);
      } while (version !== this.version);
    } catch (error) {
      if (!(error instanceof Cancelled)) this.emit("failure", error);
    } finally {
      this.looking = false;
    }
    if (version !== this.version) this.look();
  }

  act(check) {
    if (!check.ok) {
      this.setStale(true);
    } else if (check.shown === this.structure && this.derived.method === this.method && !this.deriving) {
      const before = this.good;
      this.good = this.text;
      this.setStale(false);
      this.emit("numbers", check.numbers, before);
      this.note("numbers");
    } else {
      if (this.derived && check.structure === this.derived.structure) this.emit("literals", check.numbers);
      this.derive(check);
    }
  }

  setStale(stale) {
    this.stale = stale;
    this.emit("stale", stale);
  }

  note(what) {
    this.log.push({ what, ms: performance.now() - this.edited, version: this.version });
    if (this.log.length > 200) this.log.shift();
  }

  // Derive and prove the text, side by side. A newer text cancels both.
  async derive(check = this.check) {
    this.cancel();
    const version = this.version, text = this.text;
    this.setStale(true);
    this.deriving = version;
    const derived = this.ask("derive", { method: this.method }, null, { text });
    const proof = this.prove(text, check.shown), { attempt } = this;
    try {
      const data = await derived;
      if (version !== this.version) return this.forget(attempt);
      this.structure = data.digest; // of the text that was derived
      this.good = text;
      this.derived = data;
      if (isOver(this.proof) && this.proof.structure === this.structure) this.kept = this.proof;
      else if (this.kept.structure !== this.structure) this.kept = NOT_PROVED;
      this.deriving = null;
      this.setStale(false);
      this.emit("derived", data);
      this.note("equations");
      await proof;
    } catch (error) {
      this.forget(attempt);
      if (error instanceof Cancelled) this.emit("cancelled", version === this.version);
      else if (version === this.version) this.emit("failure", error);
    } finally {
      if (this.deriving === version) this.deriving = null;
    }
  }

  // The equations of an attempt are not shown, so its proof must not be either: restore the shown one.
  forget(attempt) {
    if (attempt !== this.attempt) return;
    this.attempt = null;
    this.proof = this.kept;
    this.emit("proof", this.proof);
  }

  async prove(text = this.good, structure = this.structure) {
    const version = this.version, attempt = (this.attempt = {});
    const say = (proof) => {
      if (attempt !== this.attempt) return;
      this.proof = proof;
      if (isOver(proof) && proof.structure === this.structure) this.kept = proof;
      this.emit("proof", proof);
    };
    say({ state: "proving", structure, lines: [] });
    try {
      const data = await this.ask("prove", {}, (said) => say({ state: "proving", structure, lines: [], said }), { text });
      say({ state: data.ok ? "proved" : "refuted", structure: data.digest, lines: data.lines, data });
      if (version === this.version) this.note("proof");
    } catch (error) {
      say(error instanceof Cancelled ? this.kept : { state: "failed", structure, lines: [], message: error.message });
    }
  }

  useMethod(method) {
    this.method = method;
    if (this.check?.ok) this.derive();
  }
}
