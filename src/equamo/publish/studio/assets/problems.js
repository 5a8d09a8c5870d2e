// List of problems below the editor; a click goes to the place.

export function showProblems(session, editor) {
  const box = byId("problems");
  let notes = [], remarks = []; // of the import; what the derivation found about a valid model
  session.on("check", (check) => draw(check.ok && check.shown !== session.structure ? [] : [...check.problems, ...(check.ok ? remarks : [])]));
  session.on("derived", (data) => {
    const line = (body) => session.check.tree.find((b) => b.body === body)?.line ?? null;
    remarks = (data.findings ?? []).map((f) => ({ line: line(f.body), column: 1, end_column: 200, message: `${f.body}${f.entry ? `, ${f.entry}` : ""}: ${f.message}`, severity: "warning" }));
    if (data.missing?.length) remarks.push({ line: null, message: `No value for ${data.missing.slice(0, 12).join(", ")}${data.missing.length > 12 ? " …" : ""}; 1 is used.`, severity: "warning" });
    draw(remarks);
  });
  session.on("failure", (error) => draw([{ line: error.line, column: error.column, end_column: (error.column ?? 1) + 1, message: error.message, severity: "error" }]));
  session.on("notes", (found) => { notes = found.filter((x) => x.trim()); });

  // What the import of a file reports, folded.
  const report = () => (notes.length ? [html("details", {}, html("summary", {}, notes[0]), html("ul", {}, notes.slice(1).map((x) => html("li", {}, x))))] : []);

  function draw(problems) {
    editor.setProblems(problems);
    box.hidden = !problems.length && !notes.length;
    box.classList.toggle("calm", !problems.some((p) => p.severity === "error"));
    box.replaceChildren(...problems.map((p) => html("button", {
      type: "button", class: `problem ${p.severity}`, onclick: () => { if (p.line) editor.goTo(p.line, p.column ?? 1); },
    }, html("span", { class: "where" }, p.line ? `${p.line}:${p.column ?? 1}` : "–"), html("span", {}, p.message))), ...report());
  }
}
