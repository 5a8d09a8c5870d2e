// Opening and exporting: templates, files on this computer, dropped files, and downloads.

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

export function showFiles(session, editor) {
  const picker = html("input", { type: "file", accept: ".toml,.urdf,.sdf,.xml,.mjcf,.dh,.csv,.txt", hidden: true, "aria-label": "Open a file", onchange: () => { if (picker.files[0]) read(picker.files[0]); picker.value = ""; } });
  let templates = [], folder = null;

  // Runs an action that opens or saves a model, and shows its error.
  const attempt = (action) => async (...given) => {
    try {
      await action(...given);
    } catch (error) {
      if (error instanceof Cancelled) session.emit("cancelled", true);
      else session.emit("failure", error);
    }
  };

  // A model of any format becomes the text of the editor; `file` is where it may be saved.
  const take = attempt(async (name, text, file = null) => {
    const { text: toml, notes } = await session.ask("import", { name, text }, null, { text: "" });
    session.emit("notes", notes);
    editor.load(toml, file);
  });

  const read = attempt(async (file) => {
    const refuse = (message) => { throw new KernelError({ message: `${file.name}: ${message}` }); };
    if (file.size > LARGEST) refuse(`a file must be smaller than ${LARGEST / 1e6} MB, got ${(file.size / 1e6).toFixed(1)} MB.`);
    await take(file.name, await file.text().catch(() => refuse("it cannot be read; choose a file, not a folder.")));
  });

  const open = attempt(async (template) => {
    const { text } = template.text ? template : await session.ask("templates", { name: template.name }, null, { text: "", visible: false });
    session.emit("notes", []);
    editor.load(text);
  });

  const openFile = attempt(async (name) => {
    const { text } = await session.ask("open", { name }, null, { text: "", visible: false });
    await take(name, text, /\.toml$/i.test(name) ? name : null);
  });

  const fileName = () => editor.model.file ?? `${(session.derived?.robot.name ?? "robot").replace(/[^\w-]+/g, "_")}.toml`;

  // Save to the folder of the server, or as a download if there is none. A file that this page has not read,
  // or that another program has changed since, is replaced only if the user confirms it.
  const store = attempt(async () => {
    const { model, text } = editor, name = fileName();
    const write = (replace) => session.ask("save", { name, text, before: model.file ? model.saved : null, replace }, null, { text: "", visible: false });
    if (!folder) download({ name, text });
    else if (!(await write(false)).saved) {
      if (!window.confirm(`${name} already exists in the folder with different contents. Replace it?`)) return;
      await write(true);
    }
    Object.assign(model, { file: folder ? name : null, saved: text });
    if (folder && !folder.files.includes(name)) folder.files = [...folder.files, name].sort();
    session.emit("saved", name);
  });

  const save = attempt(async (what, format) => {
    if (what === "project" && format === "toml") return download({ name: fileName(), text: editor.text });
    const file = await session.ask("export", { what, format });
    download(file);
    if (file.notes) session.emit("notes", file.notes);
  });

  const of = (group) => templates.filter((t) => t.group === group).map((t) => [t.title, () => open(t)]);
  const here = () => (folder?.files.length ? [`In the folder ${folder.folder}`, ...folder.files.map((name) => [name, () => openFile(name)])] : []);
  byId("actions").append(picker,
    menuButton("Open", () => [["File on this computer …", () => picker.click(), "URDF, MJCF, SDF, DH, TOML"], ...here(), "Templates", ...of("starter"), "Built-in robots", ...of("robot")], "open"),
    menuButton("Export", () => [...(folder ? [["Save", store, `${fileName()}, Ctrl+S`]] : []), ["Model", () => save("project", "toml"), "TOML"], ["Model as URDF", () => save("project", "urdf"), "numeric values"],
      ["Page", () => save("page", "html"), "one HTML file"], ["Paper", () => save("paper", "html"), "HTML"], ["Paper as LaTeX", () => save("paper", "tex"), ".tex"], ["Paper as notebook", () => save("paper", "ipynb"), ".ipynb"],
      ["Code", () => save("code", "c"), "C, proved, zip"]], "export"));
  session.on("save", save);

  window.addEventListener("beforeunload", (event) => { if (!editor.isSaved) event.preventDefault(); });
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
      // Without a folder that can be read, models are saved as downloads.
      if (session.kernel instanceof LocalKernel) await attempt(async () => { folder = await session.ask("files", {}, null, { text: "", visible: false }); })();
      ({ templates } = await session.ask("templates", {}, null, { text: "", visible: false }));
      return templates;
    },
  };
}
