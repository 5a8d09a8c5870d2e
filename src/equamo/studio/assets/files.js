// Opening and exporting: templates, files of this computer, dropped files, and downloads.

const FORMATS = { urdf: "urdf", xacro: "urdf", xml: "mjcf", mjcf: "mjcf", sdf: "sdf", toml: "toml", dh: "dh", csv: "dh", txt: "dh" };
const LARGEST = 8e6; // [bytes] of a file

// A button with a list that opens below it; items are [title, action] or a heading.
export function menuButton(title, items, id) {
  const list = html("div", { class: "menu", role: "menu", hidden: true, "aria-label": title });
  const button = html("button", { type: "button", class: "plain", id, "aria-haspopup": "menu", "aria-expanded": "false", onclick: () => toggle(list.hidden) }, `${title} ▾`);
  const box = html("div", { class: "menu-box" }, button, list);
  const options = () => [...list.querySelectorAll("[role=menuitem]")];
  function toggle(open) {
    list.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    if (!open) return;
    list.replaceChildren(...items().map((item) => (typeof item === "string" ? html("p", { class: "heading" }, item)
      : html("button", { type: "button", role: "menuitem", "data-item": item[0], onclick: () => { toggle(false); button.focus(); item[1](); } }, item[0], item[2] ? html("span", { class: "remark" }, ` ${item[2]}`) : null))));
    options()[0]?.focus();
  }
  box.addEventListener("keydown", (event) => {
    const all = options(), k = all.indexOf(document.activeElement);
    if (event.key === "Escape" && !list.hidden) { toggle(false); button.focus(); }
    else if (event.key === "ArrowDown" && !list.hidden) all[(k + 1) % all.length]?.focus();
    else if (event.key === "ArrowUp" && !list.hidden) all.at(k - 1)?.focus();
    else return;
    event.preventDefault();
  });
  document.addEventListener("pointerdown", (event) => { if (!box.contains(event.target)) toggle(false); });
  return box;
}

export function download({ name, mime, text, base64 }) {
  const bytes = base64 === undefined || base64 === null ? text : Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
  const url = URL.createObjectURL(new Blob([bytes], { type: mime ?? "text/plain" }));
  const link = html("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 2000);
}

export function formatOf(name, text) {
  const ending = name.toLowerCase().split(".").pop();
  if (ending === "xml" && /<robot\b/.test(text)) return "urdf";
  return FORMATS[ending] ?? (/<robot\b/.test(text) ? "urdf" : /<mujoco\b/.test(text) ? "mjcf" : "toml");
}

export function showFiles(session, editor) {
  const picker = html("input", { type: "file", accept: ".toml,.urdf,.sdf,.xml,.mjcf,.dh,.csv,.txt,.xacro", hidden: true, "aria-label": "Open a file", onchange: () => { if (picker.files[0]) read(picker.files[0]); picker.value = ""; } });
  let templates = [], folder = null;

  async function read(file) {
    if (file.size > LARGEST) return session.emit("failure", new KernelError({ message: `A file must be smaller than ${LARGEST / 1e6} MB, got ${(file.size / 1e6).toFixed(1)} MB.` }));
    await take(file.name, await file.text());
  }

  // A model of any format becomes the text of the editor.
  async function take(name, text) {
    const format = formatOf(name, text);
    try {
      const { text: toml, notes } = format === "toml" ? { text, notes: [] } : await session.ask("import", { name, text, format }, null, { text: "" });
      session.emit("notes", notes ?? []);
      editor.load(toml);
    } catch (error) {
      session.emit("failure", error);
    }
  }

  async function open(template) {
    session.file = null;
    const { text } = template.text ? template : await session.ask("templates", { name: template.name }, null, { text: "", visible: false });
    session.emit("notes", []);
    editor.load(text);
  }

  const fileName = () => session.file ?? `${(session.derived?.robot.name ?? "robot").replace(/[^\w.-]+/g, "_")}.toml`;

  // Into the folder of the server, or as a download if there is none.
  async function store() {
    if (!folder) return download({ name: fileName(), text: editor.text });
    try {
      const { name } = await session.ask("save", { name: fileName(), text: editor.text }, null, { visible: false });
      session.file = name;
      session.emit("saved", name);
    } catch (error) {
      session.emit("failure", error);
    }
  }

  async function openFile(name) {
    try {
      const { text } = await session.ask("open", { name }, null, { visible: false });
      session.file = name.endsWith(".toml") ? name : null;
      await take(name, text);
    } catch (error) {
      session.emit("failure", error);
    }
  }

  async function save(what, format) {
    if (what === "project" && format === "toml") return download({ name: fileName(), text: editor.text });
    try {
      download(await session.ask("export", { what, format }));
    } catch (error) {
      if (!(error instanceof Cancelled)) session.emit("failure", error);
    }
  }

  const of = (group) => templates.filter((t) => t.group === group).map((t) => [t.title, () => open(t)]);
  const here = () => (folder?.files.length ? [`In the folder ${folder.folder}`, ...folder.files.slice(0, 30).map((name) => [name, () => openFile(name)])] : []);
  byId("actions").append(picker,
    menuButton("Open", () => [["File on this computer …", () => picker.click(), "URDF, MJCF, SDF, DH, TOML"], ...here(), "Templates", ...of("starter"), "Built-in robots", ...of("robot")], "open"),
    menuButton("Export", () => [...(folder ? [["Save", store, `${fileName()}, Ctrl+S`]] : []), ["Model", () => save("project", "toml"), "TOML"], ["Model as URDF", () => save("project", "urdf"), "with numeric values"],
      ["Page", () => save("page", "html"), "one HTML file"], ["Paper", () => save("paper", "html"), "HTML"], ["Paper as LaTeX", () => save("paper", "tex"), ".tex"], ["Paper as notebook", () => save("paper", "ipynb"), ".ipynb"],
      ["Code", () => save("code", "c"), "C, proved, zip"]], "export"));
  session.on("save", save);

  const drop = byId("drop");
  window.addEventListener("dragover", (event) => { if (event.dataTransfer?.types.includes("Files")) { event.preventDefault(); drop.hidden = false; } });
  window.addEventListener("dragleave", (event) => { if (!event.relatedTarget) drop.hidden = true; });
  window.addEventListener("drop", (event) => {
    drop.hidden = true;
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    read(file);
  });
  return {
    take, open, store,
    async load() {
      if (session.kernel instanceof LocalKernel) folder = await session.ask("files", {}, null, { text: "", visible: false });
      ({ templates } = await session.ask("templates", {}, null, { text: "", visible: false }));
      return templates;
    },
  };
}
