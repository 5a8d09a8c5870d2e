// List of problems below the editor; a click goes to the place.

export function showProblems(session, editor) {
  const box = byId("problems");
  session.on("check", ({ problems }) => draw(problems));
  session.on("failure", (error) => draw([{ line: error.line, column: error.column, end_column: (error.column ?? 1) + 1, message: error.message, severity: "error" }]));

  function draw(problems) {
    editor.setProblems(problems);
    box.hidden = !problems.length;
    box.replaceChildren(...problems.map((p) => html("button", {
      type: "button", class: `problem ${p.severity}`, onclick: () => { if (p.line) editor.goTo(p.line, p.column ?? 1); },
    }, html("span", { class: "where" }, p.line ? `${p.line}:${p.column ?? 1}` : "–"), html("span", {}, p.message))));
  }
}
